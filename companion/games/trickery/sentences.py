"""The names of societies and cards, and the sentences about them, written out for each society."""

from __future__ import annotations

from companion.game import N_, Say, SayN, listed
from companion.games.trickery.state import Card, Deed, Filled, Societies, Society

SOCIETY_TITLES: dict[Society, str] = {"thorn": N_("Thorn Society"), "gears": N_("Machine Society")}
# Translators: short for Thorn Society and Machine Society, as a heading
SHORT_SOCIETIES: dict[Society, str] = {"thorn": N_("Thorn"), "gears": N_("Machine")}
CHEST_TITLES: dict[Society, str] = {"thorn": N_("Thorn chest"), "gears": N_("Machine chest")}
CHEST_IS_FULL: dict[Society, str] = {
    "thorn": N_("The Thorn Society's treasure chest is full!"),
    "gears": N_("The Machine Society's treasure chest is full!"),
}
MEMBERS: dict[Society, str] = {
    "thorn": N_("Thorn Society: {names}."),
    "gears": N_("Machine Society: {names}."),
}
NO_MEMBERS: dict[Society, str] = {
    "thorn": N_("Thorn Society: nobody."),
    "gears": N_("Machine Society: nobody."),
}
NO_ALLY: dict[Society, str] = {
    "thorn": N_("Nobody else is in the Thorn Society."),
    "gears": N_("Nobody else is in the Machine Society."),
}
NO_ALLY_WITH_A_COIN: dict[Society, str] = {
    "thorn": N_("Nobody else in the Thorn Society has a coin."),
    "gears": N_("Nobody else in the Machine Society has a coin."),
}
NOBODY_IN: dict[Society, str] = {
    "thorn": N_("Nobody is in the Thorn Society."),
    "gears": N_("Nobody is in the Machine Society."),
}
NOW_IN: dict[Society, str] = {
    "thorn": N_("{who} fixes a mistake: {name} is in the Thorn Society."),
    "gears": N_("{who} fixes a mistake: {name} is in the Machine Society."),
}
CARD_TITLES: dict[Card, str] = {
    "betray": N_("Betray your allies"),
    "build": N_("Build relationships"),
    "bribe": N_("Bribe your enemies"),
    "favour": N_("Call in a favour"),
    "tribute": N_("Pay tribute"),
    "outdo": N_("Outdo the competition"),
}
SHORT_TITLES: dict[Card, str] = {
    # Translators: buttons, short for the names of the six action cards
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
    """What a player did, in one sentence."""
    name, target = deed.seat, deed.target if deed.target is not None else deed.seat
    match deed.what:
        case "betray":
            return Say("{name} betrays {target}, takes 1 coin and changes sides.", name=name, target=target)
        case "build":
            return Say("{name} builds a relationship: {target} gets 2 coins.", name=name, target=target)
        case "bribe":
            return Say("{name} bribes {target} with 1 coin: {target} changes sides.", name=name, target=target)
        case "favour" if deed.cut:
            return Say("{name} calls in a favour, and the coin ends the game.", name=name)
        case "favour" if deed.coins:
            return Say("{name} calls in a favour, pays 1 coin and takes 2.", name=name)
        case "favour":
            return Say("{name} calls in a favour, pays nothing and takes 2 coins.", name=name)
        case "tribute":
            return SayN("{name} pays tribute: {n} coin.", "{name} pays tribute: {n} coins.", n=deed.coins, name=name)
        case "outdo" if deed.cut:
            return Say("{name} outdoes the competition, and the coin ends the game.", name=name)
        case "outdo":
            return Say("{name} pays 1 coin and outdoes {target}, who changes sides.", name=name, target=target)
        case "pause":
            return Say("{name} pauses and picks up all played cards.", name=name)
        case "pass":
            return Say("{name} can't do anything and passes.", name=name)


def about_filled(filled: Filled) -> Say:
    """Who gets which seals for a full chest."""
    name, others = filled.payer, listed(filled.others) if filled.others else None
    if others is None and filled.society == "thorn":
        return Say("The Thorn Society's treasure chest is full: 2 seals for {name}.", name=name)
    if others is None:
        return Say("The Machine Society's treasure chest is full: 2 seals for {name}.", name=name)
    if filled.society == "thorn":
        return SayN(
            "The Thorn Society's treasure chest is full: 2 seals for {name}, 1 for {others}.",
            "The Thorn Society's treasure chest is full: 2 seals for {name}, 1 each for {others}.",
            n=len(filled.others),
            name=name,
            others=others,
        )
    return SayN(
        "The Machine Society's treasure chest is full: 2 seals for {name}, 1 for {others}.",
        "The Machine Society's treasure chest is full: 2 seals for {name}, 1 each for {others}.",
        n=len(filled.others),
        name=name,
        others=others,
    )


def verdict(table: Societies) -> Say:
    """Who wins, and with what."""
    winners = table.best()
    seals = table.player(winners[0]).seals
    if len(winners) > 1:
        return Say("{names} share the win with equal seals and coins.", names=listed(winners))
    if sum(player.seals == seals for player in table.players) > 1:
        return Say("{name} wins the tie: {n} seals, and the most coins.", name=winners[0], n=seals)
    return Say("{name} wins with {n} seals.", name=winners[0], n=seals)
