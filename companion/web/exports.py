"""Results and history for other programs: CSV, JSON, and a play record that BG Stats imports."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from companion.engine.results import Played, Player
from companion.engine.room import badges, same_name
from companion.engine.snapshot import HistoryEntry
from companion.game import N_, Game, Say
from companion.web.i18n import draw_say, gettext
from companion.web.people import BADGES, COLOUR_NAMES

PARTS_PER_PAUSE = 2_000
"""Pieces of JSON, about two milliseconds' worth."""
UNSEEN = (
    r"\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    r"\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    r"\U000e0020-\U000e007f"
)
"""Characters that only say how others are to be shown (Cf): some programs drop them, and read on."""
SIGN = rf'[\s"{UNSEEN}]*(?:[=+\-@＝＋－＠]'
FORMULA = re.compile(rf'^(?={SIGN})|[{UNSEEN}]*[\t\r\n])|(?<=[,;|\t\r\n])(?={SIGN}|$)|[{UNSEEN}]*[\t\r\n"])')
"""Where a spreadsheet might begin to read a formula: whichever separator it goes by, a cell may begin there."""
# Translators: from here to "Team": the headings of a spreadsheet.
HEADINGS = (
    N_("Table"), N_("Game"), N_("Opened"), N_("Ended"), N_("Finished"), N_("Player"),
    N_("Rank"), N_("Won"), N_("Points"), N_("Start player"), N_("Role"), N_("Team"),
)  # fmt: skip
"""A spreadsheet is for people, so its headings are in the reader's language. Programs read the JSON."""
HISTORY_HEADINGS = (N_("Time"), N_("What happened"))
BG_STATS = "bgstats://app.bgstatsapp.com/createPlay.html?data="


def words(say: Say, names: Mapping[Any, str]) -> str:
    """A sentence without any markup."""
    return str(Markup(draw_say(say, names)).striptags())


def title(one: Played, games: Mapping[str, Game]) -> str:
    game = games.get(one.game)
    return one.played_as or (str(gettext(game.title)) if game else one.game)


def moment(at: float) -> str:
    """In the time of this machine, with its zone, as ISO 8601 has it."""
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds")


def as_csv(results: Iterable[Played], games: Mapping[str, Game]) -> str:
    """One line for each player of each game."""
    out = io.StringIO()
    sheet = csv.writer(out)
    sheet.writerow([str(gettext(heading)) for heading in HEADINGS])
    for one in results:
        for player in one.ranked:
            sheet.writerow(
                [
                    one.table, harmless(title(one, games)), moment(one.opened), moment(one.ended), int(one.over),
                    harmless(player.name), one.rank(player.seat) if one.over else "", int(player.seat in one.winners),
                    one.points.get(player.seat, ""), int(player.seat == one.starter),
                    harmless(role(one, player)), harmless(one.teams.get(player.seat, "")),
                ]
            )  # fmt: skip
    return out.getvalue()


def role(one: Played, player: Player) -> str:
    return words(one.roles[player.seat], one.names) if player.seat in one.roles else ""


def harmless(words: str) -> str:
    """What a spreadsheet would take for a formula gets an apostrophe in front."""
    return FORMULA.sub("'", words)


def history_csv(one: Played, lines: Iterable[HistoryEntry]) -> str:
    out = io.StringIO()
    sheet = csv.writer(out)
    sheet.writerow([str(gettext(heading)) for heading in HISTORY_HEADINGS])
    for entry in lines:
        sheet.writerow([moment(entry.at), harmless(words(entry.line.say, one.names))])
    return out.getvalue()


def as_data(one: Played, games: Mapping[str, Game], lines: Iterable[HistoryEntry] = ()) -> dict[str, Any]:
    """A table as plain data: its result and, if given, every sentence that was for everybody."""
    return {
        "table": one.table,
        "night": one.night,
        "game": title(one, games),
        "game_id": one.game,
        "bgg_id": one.bgg_id,
        "opened": moment(one.opened),
        "ended": moment(one.ended),
        "finished": one.over,
        "players": [
            {
                "name": player.name,
                "seat": int(player.seat),
                "won": player.seat in one.winners,
                "rank": one.rank(player.seat) if one.over else None,
                "points": one.points.get(player.seat),
                "started": player.seat == one.starter,
                "role": role(one, player) or None,
                "team": one.teams.get(player.seat),
            }
            for player in one.players
        ],
        "feats": [
            {"what": words(feat.what, one.names), "who": [one.names.get(seat, "") for seat in feat.seats], "n": feat.n}
            for feat in one.feats
        ],
        "history": [{"at": moment(entry.at), "line": words(entry.line.say, one.names)} for entry in lines],
    }


def as_json(tables: list[dict[str, Any]], pause: Callable[[], object] = lambda: None) -> str:
    return dump({"companion": 2, "tables": tables}, pause)


def dump(data: Any, pause: Callable[[], object] = lambda: None) -> str:
    """As JSON that a person can read; `pause` lets others go on while a long evening is written down."""
    parts = []
    for part in json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(data):
        parts.append(part)
        if len(parts) % PARTS_PER_PAUSE == 0:
            pause()
    return "".join([*parts, "\n"])


def bg_stats(one: Played, games: Mapping[str, Game]) -> dict[str, Any]:
    """A play as BG Stats takes it from other apps (bgstatsapp.com/support: "Push plays to BG Stats").

    What somebody was is their role there; without one it is their colour, as BoardGameGeek has it, too.
    """
    called = title(one, games)
    given = badges({player.seat: player.badge for player in one.players})
    return {
        "sourceName": "Companion",
        "sourcePlayId": one.table,
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(one.ended)),
        "durationMin": max(1, round((one.ended - one.opened) / 60)),
        "game": {
            "name": called,
            # BG Stats remembers what this was matched to: a sheet for another game is another game.
            "sourceGameId": f"{one.game}.{same_name(one.played_as)}" if one.played_as else one.game,
            **({"bggId": one.bgg_id} if one.bgg_id is not None else {}),
            "highestWins": one.highest_wins,
            "noPoints": not one.points,
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name,
                "startPlayer": player.seat == one.starter,
                "rank": one.rank(player.seat),
                "role": role(one, player) or (str(gettext(COLOUR_NAMES[badge])) if badge < BADGES else ""),
                **({"team": one.teams[player.seat]} if player.seat in one.teams else {}),
                **({"score": one.points[player.seat]} if player.seat in one.points else {}),
                "winner": player.seat in one.winners,
            }
            for player in one.players
            for badge in [given[player.seat]]
        ],
    }


def bg_stats_link(one: Played, games: Mapping[str, Game]) -> str:
    """Opens BG Stats on this phone with the play filled in; nothing goes over the network."""
    return BG_STATS + quote(json.dumps(bg_stats(one, games), ensure_ascii=False), safe="")
