"""Nobody learns a rival's hidden cards: not from a screen, a refusal, a sentence, an order or a size."""

from __future__ import annotations

import random
import re
from itertools import permutations

from faster_than_truth_moves import Move, anything, moves
from faster_than_truth_talk import Gang, letters, playing
from hypothesis import given
from hypothesis import strategies as st
from test_faster_than_truth_games import dealt_at_random, games

from companion.engine.links import WATCHER
from companion.game import TABLE, Dice, NotAllowed, Seat
from companion.games.faster_than_truth import GAME, corrections, effects, penalty
from companion.games.faster_than_truth.counting import CountAgain, EnterStash
from companion.games.faster_than_truth.state import KINDS, Card, Count, Play
from companion.testing import apply


def twin(play: Play, viewer: int, chance: random.Random) -> Play:
    """The same game with the hidden cards of all others swapped, which this viewer must not notice."""
    stashes = mixed(play.stashes, viewer, chance, everything=False)
    if play.count is None:
        return play.but(stashes=stashes)
    # Nothing that others enter is shown yet, not even the face-up card.
    entries = mixed(play.count.entries, viewer, chance, everything=True)
    return play.but(stashes=stashes, count=Count(**{**fields(play.count), "entries": entries}))


def fields(counted: Count) -> dict[str, object]:
    return {name: getattr(counted, name) for name in counted.__struct_fields__}


def mixed(
    stashes: dict[Seat, tuple[Card, ...]], viewer: int, chance: random.Random, *, everything: bool
) -> dict[Seat, tuple[Card, ...]]:
    pile = [
        card.kind for seat, lying in stashes.items() if seat != viewer for card in lying if card.hidden or everything
    ]
    chance.shuffle(pile)
    return {
        seat: lying
        if seat == viewer
        else tuple(Card(pile.pop(), card.hidden) if card.hidden or everything else card for card in lying)
        for seat, lying in stashes.items()
    }


def viewers(play: Play) -> list[int]:
    return [*play.seats, TABLE, WATCHER]


@games(25)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_every_screen_is_the_same_to_the_byte_whatever_the_others_hide(easel, players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    for _ in range(chance.randint(1, 40)):
        if options := moves(play):
            play = apply(GAME, play, *chance.choice(options), Dice(chance)).state
        for viewer in viewers(play):
            if play.winner:
                break  # all cards are revealed
            if viewer > 0:
                assert GAME.seat_view(play, Seat(viewer)) == GAME.seat_view(twin(play, viewer, chance), Seat(viewer))
            assert GAME.table_view(play) == GAME.table_view(twin(play, WATCHER, chance))
            assert GAME.screen_view(play) == GAME.screen_view(twin(play, TABLE, chance))
    for viewer in viewers(play) if not play.winner else ():
        assert easel.draw(GAME, play, viewer) == easel.draw(GAME, twin(play, viewer, chance), viewer)


@games(5)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_while_cards_are_entered_every_screen_is_the_same_whatever_the_others_entered(easel, players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    counting = apply(GAME, play, 0, CountAgain({})).state
    for seat in play.seats[: chance.randint(1, players)]:
        lying = {place: f"{chance.choice(KINDS)}-{chance.choice(('no', 'up'))}" for place in (1, 2, 3)}
        counting = apply(GAME, counting, seat, EnterStash(lying)).state
        for viewer in viewers(play):
            assert easel.draw(GAME, counting, viewer) == easel.draw(GAME, twin(counting, viewer, chance), viewer)


def made_public(play: Play, move: Move) -> object:
    """What the rules make public about hidden cards with this tap."""
    seat, tap = move
    five = tuple(play.enough(other) for other in play.seats)
    match tap:
        case effects.HaveNone() if play.ask and play.ask.kind:
            # Only the answer is public knowledge; the question says nothing.
            return five, seat == play.ask.owner and bool(play.has(seat, play.ask.kind))
        case penalty.TakeCard(place=place) if play.taking:
            return five, play.stashes[play.taking.loser][place - 1 : place]
        case effects.Pick(place=place) | effects.Flip(place=place) | corrections.TurnOver(place=place):
            return five, play.stashes[seat][place - 1 : place]
        case _:
            return five


def noticed(play: Play, viewer: int, move: Move) -> object:
    """All that this viewer notices of somebody's tap."""
    seat, tap = move
    try:
        done = apply(GAME, play, seat, tap, Dice(random.Random(1)))
    except NotAllowed as why:
        return repr(why.say) if seat == viewer else None
    after: Play = done.state
    mine = GAME.seat_view(after, Seat(viewer)) if viewer > 0 else None
    five = tuple(after.enough(other) for other in after.seats)
    told = [repr(line.say) for line in done.lines if line.for_seat(Seat(viewer))]
    seen = GAME.table_view(after), mine, GAME.screen_view(after), GAME.choosing(after)
    return five, told, seen, done.sealed, done.secret, done.alarm


@games(20)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_no_tap_of_anybody_tells_more_than_the_book_makes_public(players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    compared = 0
    for _ in range(25):
        for viewer in chance.sample(viewers(play), 2):
            other = twin(play, viewer, chance)
            for move in chance.sample(pool := anything(play) + moves(play), min(25, len(pool))):
                if made_public(play, move) != made_public(other, move):
                    continue
                here, there = noticed(play, viewer, move), noticed(other, viewer, move)
                if here and there and not isinstance(here, str) and here[0] != there[0]:
                    continue  # five of a kind must be announced
                assert here == there, (viewer, move)
                compared += 1
        if not (options := moves(play)):
            break
        play = apply(GAME, play, *chance.choice(options), Dice(chance)).state
    assert compared


# -------------------------------------------------------------------------------- the named cases


def drawn(easel, gang: Gang, viewer: int) -> str:
    return easel.draw(GAME, gang.state, viewer, lines=() if gang.step is None else gang.step.lines)


def test_a_steal_that_finds_nothing_looks_the_same_whatever_lies_hidden(easel):
    one = Gang(playing("Mpc", "Mmm", "Cpp", "Ccc")).effect().taps(1, effects.Steal(Seat(2), "coins"))
    two = Gang(playing("Mpc", "Mpp", "Cmm", "Ccc")).effect().taps(1, effects.Steal(Seat(2), "coins"))
    for gang in (one, two):
        gang.taps(2, effects.HaveNone())
    for viewer in (1, 4, TABLE, WATCHER):
        assert drawn(easel, one, viewer) == drawn(easel, two, viewer)


def test_a_steal_that_finds_something_does_not_tell_how_many_nor_where(easel):
    one = Gang(playing("Mpc", "Ccm", "Mpp")).effect().taps(1, effects.Steal(Seat(2), "coins"))
    two = Gang(playing("Mpc", "Cpm", "Mcp")).effect().taps(1, effects.Steal(Seat(2), "coins"))
    for viewer in (1, TABLE, WATCHER):
        assert drawn(easel, one, viewer) == drawn(easel, two, viewer)
    # The owner is asked even with a single copy: skipping the question would show that.
    assert two.state.phase == "asking"


def test_a_correction_does_not_tell_whether_a_hidden_copy_is_left():
    for mine, theirs in (("Ccm", "Mpp"), ("Cpm", "Mcp")):
        gang = Gang(playing("Mpc", mine, theirs)).effect().taps(1, effects.Steal(Seat(2), "coins"))
        assert gang.taps(3, corrections.MoveCard("2-1")).state.phase == "effect"


def test_a_glance_at_the_owners_phone_does_not_tell_which_hidden_cards_could_be_chosen(easel):
    gang = Gang(playing("Mpc", "Ccm", "Mpp")).effect().taps(1, effects.Steal(Seat(2), "coins"))
    view = GAME.seat_view(gang.state, Seat(2))
    assert [card.fits for card in view.mine] == [True, True, True]


def test_an_announcement_of_five_does_not_tell_the_kind(easel):
    one = Gang(playing("CCccMMmm", "Mpc", "mpp")).effect().taps(1, effects.Gain(Seat(1), "coins"))
    assert one.lines[-1] == "#1 has five of a kind!"
    six = Gang(playing("CCcccMm", "Mpc", "mpp", declared=(Seat(1),))).effect()
    gone = Gang(playing("CCccpMm", "Mpc", "mcp", declared=(Seat(1),))).effect()
    for viewer in (2, TABLE):
        assert drawn(easel, six, viewer) == drawn(easel, gone, viewer)


def test_the_shared_screen_and_a_watcher_never_see_a_hidden_kind(easel):
    gang = Gang(playing("m" * 3, "m" * 2, "m" * 4, turn=1))
    for viewer in (TABLE, WATCHER):
        stashes = drawn(easel, gang, viewer).split('class="stashes of-3"')[1].split("</ol>")[0]
        assert "Muscle" not in stashes
        assert "fists" not in stashes


def test_the_owners_page_has_the_same_size_whatever_they_hide(easel):
    for phase in ("declare", "challenge", "asking"):
        sizes = set()
        for hidden in permutations("mpc"):
            gang = Gang(playing("MPC", "MPC" + "".join(hidden), "mpc", turn=3))
            if phase != "declare":
                gang.declares()
            if phase == "asking":
                gang.nobody_challenges().turns("safe").taps(3, effects.Lose(Seat(2), "coins"))
            sizes.add(len(easel.draw(GAME, gang.state, 2).encode()))
            sizes.add(len(easel.draw(GAME, playing_same(gang.state, "MPCmmm"), 2).encode()))
        assert len(sizes) == 1


def playing_same(play: Play, mine: str) -> Play:
    lying = playing("MPC", mine, "mpc").stashes[Seat(2)]
    return play.but(stashes={**play.stashes, Seat(2): lying})


def test_places_do_not_tell_kinds():
    """Cards keep their order: a gap closes, and a new card goes to the end."""
    gang = Gang(playing("Mpc", "cpmC", "Mpc")).declares().challenges(2).turns("safe").is_done()
    gang.taps(1, penalty.TakeCard(2))
    assert letters(gang.state.stashes[Seat(2)]) == "cmC"
    assert letters(gang.state.stashes[Seat(1)]) == "MpcP"


# -------------------------------------------------------------------------------- over real HTTP


def test_entering_cards_sends_and_shows_the_same_number_of_bytes_whatever_they_are(seated):
    table = seated("faster_than_truth", players=3)
    replies, others = set(), set()
    for hidden in (("crown", "coins"), ("coins", "coins"), ("fists", "crown")):
        fields = {"cards.1": hidden[0], "cards.2": "fists", "cards.3": hidden[1], "up": 2}
        reply = table["Ann"].taps("EnterDeal", **fields)
        assert reply.status == 200
        replies.add(len(reply.response.content))
        for viewer in (table["Ben"], table["Cleo"], table.shared):
            others.add((viewer.path, re.sub(r'data-version="\d+"', "", viewer.screen())))
    assert len(replies) == 1
    assert len(others) == 3


def test_a_refusal_over_http_does_not_echo_a_card(seated):
    table = seated("faster_than_truth", players=3)
    for name in ("Ann", "Ben", "Cleo"):
        table[name].taps("EnterDeal", **{"cards.1": "fists", "cards.2": "crown", "cards.3": "coins", "up": 1})
    table.shared.taps("GoesFirst", seat=1)
    hidden = table["Cleo"].taps("MoveCard", card="2-2", to=3)
    other = table["Cleo"].taps("MoveCard", card="2-3", to=3)
    assert hidden.status == other.status == 422
    assert hidden.html == other.html
    assert "Prestige" not in hidden.message
    for text in ("TakeCard", "Pick"):
        assert table["Cleo"].taps(text, place=2).html == table["Cleo"].taps(text, place=3).html
