"""The names of societies and cards, and the sentences about what was done."""

from __future__ import annotations

from companion.game import N_, Say, SayN, listed
from companion.games.trickery.state import Card, Deed, Filled, Societies, Society

SOCIETY_TITLES: dict[Society, str] = {"thorn": N_("Thorn Society"), "gears": N_("Machine Society")}
SHORT_SOCIETIES: dict[Society, str] = {"thorn": N_("Thorn"), "gears": N_("Machine")}
CARD_TITLES: dict[Card, str] = {
    "betray": N_("Betray your allies"),
    "build": N_("Build relationships"),
    "bribe": N_("Bribe your enemies"),
    "favour": N_("Call in a favour"),
    "tribute": N_("Pay tribute"),
    "outdo": N_("Outdo the competition"),
}
SHORT_TITLES: dict[Card, str] = {
    "betray": N_("Betray"),
    "build": N_("Build"),
    "bribe": N_("Bribe"),
    "favour": N_("Favour"),
    "tribute": N_("Tribute"),
    "outdo": N_("Outdo"),
}


def society_name(society: Society) -> Say:
    return Say(SOCIETY_TITLES[society])


def card_name(card: Card) -> Say:
    return Say(CARD_TITLES[card])


def told(deed: Deed) -> Say:
    """What somebody did, in one sentence."""
    name, target = deed.seat, deed.target if deed.target is not None else deed.seat
    match deed.what:
        case "betray":
            return Say("{name} betrays {target}: takes 1 coin and changes sides.", name=name, target=target)
        case "build":
            return Say("{name} builds a relationship: {target} gets 2 coins.", name=name, target=target)
        case "bribe":
            return Say("{name} bribes {target} with 1 coin: {target} changes sides.", name=name, target=target)
        case "favour" if deed.cut:
            return Say("{name} calls in a favour: the coin paid ends the game.", name=name)
        case "favour" if deed.coins:
            return Say("{name} calls in a favour: 1 coin into the chest, 2 from the pool.", name=name)
        case "favour":
            return Say("{name} calls in a favour: has nothing to pay, takes 2 coins.", name=name)
        case "tribute":
            return SayN(
                "{name} pays a tribute of {n} coin.", "{name} pays a tribute of {n} coins.", n=deed.coins, name=name
            )
        case "outdo" if deed.cut:
            return Say("{name} outdoes the competition: the coin paid ends the game.", name=name)
        case "outdo":
            return Say("{name} pays 1 coin and outdoes {target}, who changes sides.", name=name, target=target)
        case "pause":
            return Say("{name} pauses and picks up all played cards.", name=name)
        case "pass":
            return Say("{name} can do nothing and passes.", name=name)


def about_filled(filled: Filled) -> Say:
    """Who gets which seals for a full chest."""
    chest = society_name(filled.society)
    if not filled.others:
        return Say("The chest of the {society} is full: 2 seals for {name}.", society=chest, name=filled.payer)
    return SayN(
        "The chest of the {society} is full: 2 seals for {name}, 1 for {others}.",
        "The chest of the {society} is full: 2 seals for {name}, 1 each for {others}.",
        n=len(filled.others),
        society=chest,
        name=filled.payer,
        others=listed(filled.others),
    )


def verdict(table: Societies) -> Say:
    """Who has won, and by what."""
    winners = table.best()
    seals = table.player(winners[0]).seals
    if len(winners) > 1:
        return Say("Shared win with equal seals and coins: {names}.", names=listed(winners))
    if sum(player.seals == seals for player in table.players) > 1:
        return Say("{name} wins: {n} seals, and more coins than the others with {n}.", name=winners[0], n=seals)
    return Say("{name} wins with {n} seals.", name=winners[0], n=seals)
