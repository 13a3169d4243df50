"""Random games: no card is lost, and the app knows only what is public and true."""

from __future__ import annotations

import random

from big_shuffle_talk import Played, begun
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.snapshot import as_data, decode, encode
from companion.game import NotAllowed, Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import ClearAgenda, NoteAgenda, NoteScene, ShowAndWin, ShowForPoints
from companion.games.big_shuffle.attempts import NoChange, RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.card_names import LearnName, RespellName, TwoNames
from companion.games.big_shuffle.cards import BOX, MOST_LOOT, ONE_TYPE, SCENES, same
from companion.games.big_shuffle.city import Spot, Track, can_go, shuffled_track
from companion.games.big_shuffle.goons import CorrectGoon, Hire, NobodyHires, PassGoons
from companion.games.big_shuffle.loot_and_informants import MeetInformant, PassLoot, ReplaceInformant, TrashLoot
from companion.games.big_shuffle.piles import (
    FileCard,
    PutShown,
    Reshuffle,
    ReturnCard,
    SearchDeck,
    ShowCard,
    UnfileCard,
)
from companion.games.big_shuffle.scenes import (
    BigShuffle,
    MisreadScene,
    NameScene,
    PutScene,
    SearchMidtown,
    TitleLeaves,
)
from companion.games.big_shuffle.turns import CountOn, EndTurn, PlayCard, SetCharacter, SetPoints, SetTurn
from companion.games.big_shuffle.verdicts import CallOff, PutRainAway, Settle

kinds = st.sampled_from(["goon", "loot", "action", "reaction", "informant", "scene_change"])
scenes = st.sampled_from(SCENES)


def scene_tap(make):
    """Build a tap that names a scene."""
    return scenes.flatmap(lambda kind: of_its_type(kind).flatmap(lambda name: make(kind, name)))


places = st.sampled_from(["uptown", "midtown", "downtown"])
spots = st.sampled_from(["uptown", "midtown", "downtown", "bottom"])
agendas = st.sampled_from(["mine", "left", "right"])
piles = st.sampled_from(["noir", "informant", "scene_change"])
names = st.integers(0, 11).map(lambda n: f"Card {n}")


def of_its_type(kind: str) -> st.SearchStrategy[str]:
    """A name of this type; now and then one that people mistake for another type."""
    return st.integers(0, 11).map(lambda n: f"{kind} {n}" if n < 11 else "Mistaken For Another")


some = st.integers(0, 4)
seats = st.integers(1, 4).map(Seat)
number = st.integers(-4, 4)
maybe = st.none() | number
yes = st.booleans()
moves = st.builds(
    "{}.{}.{}.{}".format, scenes, st.sampled_from(["title", "midtown", "uptown", "downtown"]), st.integers(0, 2), places
)

ANY_TAP = st.one_of(
    scene_tap(lambda kind, name: st.builds(NameScene, st.just(kind), places, st.integers(0, 2), st.just(name))),
    st.builds(MisreadScene, scenes, places, st.integers(0, 2)),
    scene_tap(lambda kind, name: st.builds(PutScene, st.just(kind), st.just(name), spots)),
    st.builds(TitleLeaves, scenes),
    st.builds(SearchMidtown, scenes),
    st.builds(BigShuffle),
    st.builds(FileCard, kinds, names, st.integers(1, 5)),
    st.builds(UnfileCard, piles, some),
    st.builds(ReturnCard, piles, some, st.integers(0, 4).map(Seat)),
    st.builds(Reshuffle, piles),
    st.builds(SearchDeck, piles),
    st.builds(ShowCard, kinds, names, st.integers(0, 4).map(Seat)),
    st.builds(PutShown, some, st.sampled_from(["discard", "unseen"])),
    st.builds(TrashLoot, seats, some),
    st.builds(PassLoot, seats, some, st.integers(0, 4).map(Seat)),
    st.builds(MeetInformant, seats, names),
    st.builds(ReplaceInformant, seats, names, yes),
    st.builds(SetCharacter, seats, names, st.dictionaries(scenes, number)),
    st.builds(CountOn, yes),
    st.builds(PlayCard, st.sampled_from(["action", "loot", "reaction"]), names, seats, yes),
    st.builds(EndTurn, seats),
    st.builds(SetTurn, seats),
    st.builds(SetPoints, seats, st.integers(0, 3)),
    st.builds(TryScene, moves, yes),
    st.builds(RevealChange, names, maybe),
    st.builds(NoChange),
    st.builds(TypeNumbers, st.none() | st.integers(0, 6), maybe, maybe, maybe, maybe, maybe),
    st.builds(Hire, seats, number, yes),
    st.builds(PassGoons, seats),
    st.builds(NobodyHires),
    st.builds(CorrectGoon, some, maybe),
    st.builds(Settle, st.sampled_from(["count", "success", "failure"]), yes),
    st.builds(CallOff),
    st.builds(PutRainAway),
    st.builds(NoteAgenda, agendas, of_its_type("who"), of_its_type("what"), of_its_type("where")),
    scene_tap(lambda kind, name: st.builds(NoteScene, agendas, st.just(kind), st.just(name))),
    st.builds(ClearAgenda, agendas),
    st.builds(ShowAndWin, st.just(False)),
    st.builds(ShowForPoints, agendas),
    scene_tap(lambda kind, name: st.builds(LearnName, st.just(kind), st.just(name))),
    scene_tap(lambda kind, name: st.builds(RespellName, st.just(kind), st.just(name), of_its_type(kind), yes)),
    scene_tap(lambda kind, name: st.builds(TwoNames, st.just(kind), st.just(name))),
)


def guided(game: Played, tap: object, rng: random.Random) -> list[object]:
    """Return a random tap and one that the screen offers, so that scene changes come to an end."""
    attempt = game.state.attempt
    if attempt is None:
        wanted = [TryScene(rng.choice(game.see(1).tools.moves).move, anyway=True), EndTurn(game.state.turn.seat)]
    elif not game.state.counts:
        wanted = [Settle("success"), Settle("failure")]
    elif attempt.card is None and not attempt.no_card:
        wanted = [RevealChange(f"Card {rng.randint(0, 11)}", rng.randint(-2, 2)), NoChange()]
    elif len(attempt.passed) < len(game.state.seats):
        wanted = [Hire(attempt.next, rng.randint(-3, 3)), PassGoons(attempt.next), PassGoons(attempt.next)]
    else:
        wanted = [Settle("success", again=rng.random() < 0.3), Settle("failure")]
    asks = game.see(1).tools.asks
    if asks and asks[0].offered:
        wanted.append(NameScene(asks[0].kind, asks[0].place, asks[0].index, rng.choice(asks[0].offered)))
    return [tap, rng.choice(wanted)]


def check(game: Played) -> None:
    state = game.state
    for kind, track in state.city.items():
        assert len(track.uptown) + len(track.midtown) + len(track.downtown) == BOX[kind]  # ten, always
        assert track.midtown  # an empty midtown is a Big Shuffle
        assert track.covered() == track  # nothing is known that is not public
        placed = [same(name) for _, name in track.public() if name is not None]
        assert len(placed) == len(set(placed))  # no scene is in two places
        still = track.still_in_midtown(tuple(known.name for known in state.names[kind]))
        if still is not None:
            assert len(still) == max(0, len(track.midtown) - track.depth)
            assert not {same(name) for name in still} & set(placed)
    sight = state.in_sight()
    for kind, most in BOX.items():
        assert sum(card.kind == kind for card in sight) <= most
    for kind in ("informant", "character"):
        those = [same(card.name) for card in sight if card.kind == kind]
        assert len(those) == len(set(those))
    for pile in ("informant", "scene_change"):
        assert state.deck(pile) >= 0
    assert all(card.kind in ("goon", "loot", "action", "reaction") for card in state.noir)
    for types in ONE_TYPE:
        spelt = [same(known.name) for kind in types for known in state.names.get(kind, ())]
        assert len(spelt) == len(set(spelt))  # a name belongs to one type
    for doubt in state.doubts:
        known = {one.name for one in state.names[doubt.kind]}
        assert {doubt.name, doubt.meant} <= known
    if state.verdict is not None and state.verdict.asked:
        assert (state.verdict.total, state.verdict.difficulty) == (0, 0)  # nobody counted
    if not state.counts:
        assert state.attempt is None or not state.attempt.goons
    if state.attempt is not None:
        assert state.rain is None
        assert len(set(state.attempt.passed)) == len(state.attempt.passed)
        done = len(state.attempt.passed) == len(state.seats)
        assert done or state.attempt.next not in state.attempt.passed
    assert decode(encode(state), GAME.state) == state
    for seat in state.seats:
        GAME.seat_view(state, seat)
    assert as_data(GAME.screen_view(state))
    assert as_data(GAME.table_view(state))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.integers(2, 4),
    mode=st.sampled_from(["normal", "beginner", "expert"]),
    keeping=st.sampled_from(["remember", "count"]),
    taps=st.lists(st.tuples(st.integers(0, 4), ANY_TAP), max_size=25),
    rng=st.randoms(use_true_random=False),
)
def test_no_tap_breaks_a_game_and_no_card_is_in_two_places(players, mode, keeping, taps, rng):
    game = begun(players, mode, keeping=keeping)
    for who, tap in taps:
        for one in guided(game, tap, rng):
            actor = min(who, players) if one.by == "anybody" else max(1, min(who, players))
            before = encode(game.state)
            try:
                after = game.taps(actor, one)
            except NotAllowed:
                assert encode(game.state) == before  # a refused tap changes nothing
                continue
            too_much = [seat for seat in after.state.seats if len(after.state.player(seat).loot) > MOST_LOOT]
            assert not isinstance(one, EndTurn) or not too_much
            game = after
            check(game)
        if game.state.over:
            break


# -------------------------------------------------------------------------------- knowledge


class RealCity:
    """The real cards on the table, of which the app only learns the public ones."""

    def __init__(self, names: list[str], rng: random.Random) -> None:
        self.rng = rng
        self.names = names
        self.piles = {"uptown": [], "midtown": rng.sample(names, len(names)), "downtown": []}

    def shuffle(self) -> None:
        pack = self.rng.sample(self.names, len(self.names))
        self.piles = {"uptown": pack[:1], "midtown": pack[1:-1], "downtown": pack[-1:]}

    def read_out(self, track: Track) -> Track:
        for spot in track.asks():
            track = track.named(spot, self.piles[spot.place][spot.index])
        return track


@settings(max_examples=150, deadline=None)
@given(rng=st.randoms(use_true_random=False), steps=st.integers(0, 25), title=st.booleans(), lazy=st.booleans())
def test_what_is_still_in_midtown_is_right_for_every_deal(rng, steps, title, lazy):
    names = [f"Scene {n}" for n in range(10)]
    real, track = RealCity(names, rng), Track(title)
    for _ in range(steps):
        if not lazy or rng.random() < 0.5:
            track = real.read_out(track)
        spots = [spot for spot, _ in track.public() if spot.place != "midtown" or (spot.index == 0 and not track.title)]
        do = rng.choice(["move", "move", "move", "sink", "search", "title"])
        if do == "title":
            track = track.without_title()
        elif do == "search":
            rng.shuffle(real.piles["midtown"])
            track = track.searched()
        elif spots:
            spot: Spot = rng.choice(spots)
            card = real.piles[spot.place].pop(spot.index)
            if do == "sink":
                real.piles["midtown"].append(card)
                track = track.sunk(spot)
            else:
                to = rng.choice(can_go(spot.place))
                real.piles[to].insert(0, card)
                track = track.moved(spot, to)
            if not real.piles["midtown"]:
                real.shuffle()
                track = shuffled_track()
        for spot, name in track.public():
            assert name in (None, real.piles[spot.place][spot.index])  # nothing that is known is wrong
        still = track.still_in_midtown(tuple(names))
        if still is not None:
            assert sorted(still) == sorted(real.piles["midtown"][track.depth :])
    told = real.read_out(track)
    assert sorted(told.still_in_midtown(tuple(names))) == sorted(real.piles["midtown"][told.depth :])
    assert told.still_in_midtown(tuple(names[:9])) is None
