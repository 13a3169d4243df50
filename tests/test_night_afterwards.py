"""After the night: export, delete and archive it; players over all nights; the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
from here import python_path
from selectolax.lexbor import LexborHTMLParser
from test_night import finished, past_of

from companion.app import create_app
from companion.engine.nights import DAY_S
from companion.engine.results import Played, Player
from companion.game import Say, Seat
from companion.storage.postgres import PostgresStore
from companion.testing import House, Person, Reply, Seated, Table, form_fields
from companion.web.exports import BG_STATS, as_csv, bg_stats


def a_night(house: House, *names: str) -> Table:
    """Two games of score sheet; the last name wins the first, the first name the second."""
    table = house.opens("score_sheet", rounds=1)
    for name in names:
        table.sits(name)
    finished(table.starts(), *range(1, len(names) + 1))
    finished(table.plays_again().starts(), *range(len(names), 0, -1))
    return table


@pytest.fixture
def night(own_house: House) -> Table:
    return a_night(own_house, "Ann", "Ben", "=Cleo()")


# -------------------------------------------------------------------------------- taking it along


def test_N8_results_as_csv_open_in_a_spreadsheet(night):
    reply = night.shared.reads("night.csv").response
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in reply.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert [(row["Player"], row["Rank"], row["Won"], row["Points"]) for row in rows[:3]] == [
        ("'=Cleo()", "1", "1", "3"),  # a name is never a formula
        ("Ben", "2", "0", "2"),
        ("Ann", "3", "0", "1"),
    ]
    assert len(rows) == 6
    assert {row["Game"] for row in rows} == {"Score sheet"}
    for key in ("Opened", "Ended"):
        assert datetime.fromisoformat(rows[0][key]).tzinfo is not None


def test_N8_results_and_history_as_json(night):
    data = json.loads(night["Ann"].reads("night.json").html)
    first = data["tables"][0]
    assert (first["game"], first["game_id"]) == ("Score sheet", "score_sheet")
    assert datetime.fromisoformat(first["opened"]).tzinfo is not None
    assert datetime.fromisoformat(first["history"][0]["at"]).tzinfo is not None
    assert first["finished"] is True
    assert {player["name"]: player["points"] for player in first["players"]} == {"Ann": 1, "Ben": 2, "=Cleo()": 3}
    assert {feat["what"]: feat["who"] for feat in first["feats"]}["Best single round"] == ["=Cleo()"]
    assert [line["line"] for line in first["history"]][-1] == "=Cleo() wins with 3 points."


def test_N8_history_as_csv(night):
    text = night.shared.reads(f"{past_of(night.shared, 1)}/history.csv").html
    rows = list(csv.DictReader(io.StringIO(text)))
    assert datetime.fromisoformat(rows[0]["Time"]).tzinfo is not None
    lines = [row["What happened"] for row in rows]
    assert lines[0] == "The game starts."
    assert "Ann: 1 in round 1." in lines


def test_a_play_record_that_bg_stats_imports(night):
    past = past_of(night.shared, 1)
    record = json.loads(night.shared.reads(f"{past}/bgstats.json").html)
    link = next(
        node.attributes["href"]
        for node in LexborHTMLParser(night.shared.reads(past).html).css("a")
        if node.attributes["href"].startswith("bgstats:")
    )
    assert link.startswith(BG_STATS)
    assert json.loads(unquote(link.removeprefix(BG_STATS))) == record
    assert record["game"] == {
        "name": "Score sheet",
        "sourceGameId": "score_sheet",
        "highestWins": True,
        "noPoints": False,
    }
    assert time.strptime(record["playDate"], "%Y-%m-%d %H:%M:%S")
    assert {player["name"]: (player["rank"], player["score"], player["winner"]) for player in record["players"]} == {
        "Ann": (3, 1, False),
        "Ben": (2, 2, False),
        "=Cleo()": (1, 3, True),
    }
    for key in ("sourceName", "sourcePlayId", "durationMin"):
        assert record[key]


def test_N9_what_happened_has_events_and_not_who_moved_to_which_phone(own_house):
    table = own_house.opens("score_sheet", rounds=1)
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    table.starts()
    for tap in ("OntoScreen", "MarkAway", "MarkBack"):
        assert table.shared.taps(tap, seat=3).status == 200
    assert table.shared.taps("GiveHost", seat=1).status == 200
    assert table.shared.taps("TakeHost").status == 200
    noise = "Cleo now plays on the shared screen."
    assert noise in table["Ann"].lines(), "at the table, everybody reads it"
    finished_by = {1: 5, 2: 3}
    for seat, points in finished_by.items():
        table[("Ann", "Ben")[seat - 1]].presses("Write down", points=points)
    table.hands_to(3).presses("Write down", points=1)
    text = table.shared.reads(f"{past_of(table.shared, 0)}/history.csv").html
    assert [row["What happened"] for row in csv.DictReader(io.StringIO(text))] == [
        "The game starts.", "Cleo is away.", "Cleo is back.", "Ann: 5 in round 1.", "Ben: 3 in round 1.",
        "Cleo: 1 in round 1.", "Round 1 is complete.", "Ann wins with 5 points.",
    ]  # fmt: skip
    page = table.shared.reads(past_of(table.shared, 0))
    assert page.shows("Cleo is away.")
    assert not page.shows(noise)


def test_N8_a_play_record_has_starter_roles_colours_teams_and_the_id_it_is_matched_by():
    ann, ben, cleo = Seat(1), Seat(2), Seat(3)
    players = Player(ann, "Ann", 1), Player(ben, "Ben", 2), Player(cleo, "Cleo", 12)
    one = Played(
        "t", "n", "CODE", "score_sheet", 0.0, 60.0, players, over=True, winners=(ann,), played_as="Wingspan",
        starter=ben, roles={ann: Say("Traitor")}, teams={ben: "Reds"}, bgg_id=266192,
    )  # fmt: skip
    record = bg_stats(one, {})
    assert record["game"]["name"] == "Wingspan"
    assert record["game"]["bggId"] == 266192
    assert record["game"]["sourceGameId"] == "score_sheet.wingspan"
    assert [player["startPlayer"] for player in record["players"]] == [False, True, False]
    assert [player["role"] for player in record["players"]] == ["Traitor", "coral", ""]
    assert [player.get("team") for player in record["players"]] == [None, "Reds", None]
    row = next(csv.DictReader(io.StringIO(as_csv([one], {}))))
    assert (row["Game"], row["Role"], row["Start player"]) == ("Wingspan", "Traitor", "0")


def test_N8_bg_stats_is_opened_on_phones_only(night):
    page = night.shared.reads(past_of(night.shared, 1))
    link = next(node for node in LexborHTMLParser(page.html).css("a") if node.text() == "Open in BG Stats")
    assert "on-phones" in link.attributes["class"]
    assert page.shows("To add this play to BG Stats, open this page on a phone that has the app.")


def test_where_fewest_points_win_the_record_says_so(own_house):
    table = own_house.opens("score_sheet", rounds=1, wins="low")
    for name in ("Ann", "Ben"):
        table.sits(name)
    finished(table.starts(), 3, 7)
    record = json.loads(table.shared.reads(f"{past_of(table.shared, 0)}/bgstats.json").html)
    assert record["game"]["highestWins"] is False
    assert [player["rank"] for player in record["players"]] == [1, 2]


# -------------------------------------------------------------------------------- deleting


def delete(seat: Seated, **what: str) -> Reply:
    return Reply(seat.client.post(f"{seat.path}/delete", data=what))


def test_a_deleted_table_is_gone_and_the_night_goes_on(night):
    old = past_of(night.shared, 1).rpartition("/")[2]
    assert delete(night.shared, table=old).status == 303
    page = night.shared.reads("night")
    assert page.shows("1 game")
    assert not page.shows("=Cleo() wins")
    assert night["Ann"].shows("Ann wins")
    # Links of the deleted table still redirect.
    assert night.shared.client.get(f"/t/{night.code}").status_code == 200
    assert old.encode() in night.house.database_bytes()  # the forwarding address
    assert b"=Cleo() wins" not in night.house.database_bytes()


def test_old_links_lead_on_over_a_deleted_table(own_house):
    table = own_house.opens("score_sheet", rounds=1)
    for name in ("Ann", "Ben"):
        table.sits(name)
    ann = table["Ann"].path
    finished(table.starts(), 1, 2)
    first = past_of(table.shared, 0).rpartition("/")[2]
    table.plays_again()
    assert delete(table.shared, table=first).status == 303
    assert Seated(own_house, Person(own_house.url), ann).moves_on() == table["Ann"].path


def test_without_the_last_table_the_night_ends_with_the_one_before(own_house):
    table = own_house.opens("score_sheet", rounds=1)
    for name in ("Ann", "Ben"):
        table.sits(name)
    before = table["Ann"].path
    finished(table.starts(), 1, 2)
    finished(table.plays_again().starts(), 5, 3)
    newest = past_of(table.shared, 0).rpartition("/")[2]
    gone = delete(table.shared, table=newest).response
    assert Reply(table.shared.client.get(gone.headers["location"])).shows("Ben wins")
    assert Reply(table.shared.client.get("/")).shows("Your nights")
    assert table["Ann"].client.get(table["Ann"].path).status_code == 403
    ann = Seated(own_house, Person(own_house.url), before)
    assert ann.shows("Ben wins")
    assert not ann.reads("night").shows("Ann wins")


def test_a_deleted_night_is_gone_from_the_raw_file_too(night):
    assert b"=Cleo()" in night.house.database_bytes()
    assert delete(night.shared, what="night").status == 303
    left = night.house.database_bytes()
    for trace in (b"=Cleo()", b"Ann", b"in round", night.code.encode()):
        assert trace not in left
    for seat in (night.shared, *night):
        assert seat.client.get(seat.path).status_code == 403
    assert night.shared.client.get(f"/t/{night.code}").status_code == 404
    assert not Reply(night.shared.client.get("/")).shows("Your nights")


def test_only_the_host_deletes(night):
    reply = delete(night["Ann"], what="night")
    assert reply.status == 422
    assert reply.shows("Only the host can do that.")
    assert night.shared.reads("night").shows("2 games")


def test_a_running_table_is_not_deleted_by_mistake(own_house):
    table = own_house.opens("score_sheet")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    reply = delete(table.shared, table=table.shared.path.rpartition("/")[2].split(".")[0])
    assert reply.status == 422
    assert reply.shows("End the table first")


# -------------------------------------------------------------------------------- players


def test_a_phone_keeps_its_players_name_and_colour_for_the_next_night(house):
    first, second = house.opens("score_sheet"), house.opens("score_sheet")
    phone = Person(house.url)
    phone.post(f"/t/{first.code}", data={"name": "Ann", "badge": "4"})
    form = LexborHTMLParser(phone.get(f"/t/{second.code}").text).css_first("form")
    assert form.css_first('[name="name"]').attributes["value"] == "Ann"
    assert [node.attributes["value"] for node in form.css("[name=badge]") if "checked" in node.attributes] == ["4"]
    second.sits("Ben")
    phone.post(f"/t/{second.code}", data={"name": "Ann"})
    seats = LexborHTMLParser(second.shared.page().html).css(".ring .chair:not(.is-free)")
    assert ["b4" in (seat.attributes["class"] or "") for seat in seats] == [False, True]


def test_two_players_never_have_the_same_colour(house):
    table = house.opens("score_sheet")
    for name in ("Ann", "Ben", "Cleo"):
        Person(house.url).post(f"/t/{table.code}", data={"name": name, "badge": "0"})
    table.adds("Dan")
    seats = LexborHTMLParser(table.shared.page().html).css(".ring .chair:not(.is-free)")
    assert len({seat.attributes["class"] for seat in seats}) == 4


def test_a_forged_colour_cookie_is_ignored(house):
    table = house.opens("score_sheet")
    phone = Person(house.url, cookies={"player": "9999999999~%F0%9F%92%A5"})
    assert phone.get(f"/t/{table.code}").status_code == 200
    assert phone.post(f"/t/{table.code}", data={"name": "Ann", "badge": "٣"}).status_code == 303


def test_statistics_over_all_nights_which_the_host_can_switch_off(own_house):
    a_night(own_house, "Ann", "Ben")
    host = a_night(own_house, "ann", "Cleo").shared.client
    page = LexborHTMLParser(host.get("/players").text)
    rows = {
        node.css_first("h2").text(strip=True): [int(td.text()) for td in node.css("td")[:3]]
        for node in page.css("article")
    }
    assert rows == {"ann": [4, 2, 2], "Ben": [2, 1, 2], "Cleo": [2, 1, 2]}
    sheet = [td.text() for td in page.css("article")[0].css("table")[0].css("td")]
    assert sheet == ["4", "2", "2"], "played, won, best"
    duels = {
        tr.css_first("th").text(): [td.text() for td in tr.css("td")] for tr in page.css("article details tbody tr")
    }
    assert duels["Cleo"] == ["2", "1", "1"], "games, ahead, behind"
    assert host.post("/players", data={"counts": "off"}).status_code == 303
    assert Reply(host.get("/players")).shows("Statistics are turned off.")
    own_house.kill()
    own_house.start()
    assert not Reply(host.get(f"{own_house.url}/players")).shows("Ben")


def tallies(host: Person) -> dict[str, tuple[int, ...]]:
    """Return games played, won and the best result, by name."""
    page = LexborHTMLParser(host.get("/players").text)
    return {
        node.css_first("h2").text(strip=True): tuple(int(td.text()) for td in node.css("td")[:3])
        for node in page.css("article")
    }


def test_N9_players_are_renamed_and_merged_and_that_can_be_undone(own_house):
    a_night(own_house, "Ann", "Ben")
    table = a_night(own_house, "Anne", "Cleo")
    host = table.shared.client
    before = tallies(host)
    page = host.get("/players").text
    form = next(form for form in LexborHTMLParser(page).css("article form") if form_fields(form)["name"] == "Anne")
    assert host.post("/players/names", data=form_fields(form) | {"name": "ann"}).status_code == 303
    assert tallies(host) == {"ann": (4, 2, 2), "Ben": (2, 1, 2), "Cleo": (2, 1, 2)}
    assert table.shared.reads("night").shows("Anne"), "what was played stays as it was"
    own_house.kill()
    own_house.start()
    host = Person(own_house.url)
    assert tallies(host)["ann"] == (4, 2, 2)
    assert host.post("/players/names", data={"who": "ben", "name": "Benedict"}).status_code == 303
    assert host.post("/players/names", data={"who": "cleo", "name": "ben"}).status_code == 303
    assert tallies(host)["Benedict"] == (4, 2, 2)
    rivals = Reply(host.post("/players/names", data={"who": "ann", "name": "Benedict"}))
    assert rivals.status == 422
    assert rivals.shows("They have played against each other")
    circle = Reply(host.post("/players/names", data={"who": "benedict", "name": "Cleo"}))
    assert circle.status == 422
    assert circle.shows("They already count as the same player.")
    assert Reply(host.post("/players/names", data={"who": "stranger", "name": "Ann"})).status == 422
    for who in ("anne", "ben", "cleo"):
        assert host.post("/players/names", data={"who": who, "undo": "1"}).status_code == 303
    assert tallies(host) == before


def test_N9_a_name_that_was_merged_is_forgotten_with_its_night(own_house):
    a_night(own_house, "Ann", "Ben")
    table = a_night(own_house, "Zacharias", "Cleo")
    table.shared.client.post("/players/names", data={"who": "zacharias", "name": "Ann"})
    assert delete(table.shared, what="night").status == 303
    assert b"zacharias" not in own_house.database_bytes().lower()


# -------------------------------------------------------------------------------- housekeeping


def test_nights_untouched_for_long_are_archived_to_their_results(night):
    house = night.house
    for days in (29, 36):
        house.stop()
        archive_now(house, days)
        house.start()
        assert night["Ann"].shows("Ann wins")
    house.stop()
    archive_now(house, 37)
    assert b"in round" not in house.database_bytes()
    house.start()
    page = night.shared.reads("night")
    assert page.shows("Ann wins")
    assert page.shows("=Cleo() wins")
    assert page.shows("Best single round")
    past = night.shared.reads(past_of(night.shared, 0))
    assert past.shows("Only the result was kept.")
    assert night["Ann"].client.get(night["Ann"].path).status_code == 403
    assert delete(night.shared, what="night").status == 303
    assert b"=Cleo()" not in house.database_bytes()


def archive_now(house: House, days: int) -> None:
    """Archive as if the companion had run for this many more days."""
    app = create_app(house.data, store=PostgresStore(house.database, house.data / "key") if house.database else None)
    services = app.extensions["companion"]
    for day in range(1, days + 1):
        services.nights.archive(time.time() + day * DAY_S, days=30)
    services.reader.store.close()


def companion(house: House, *arguments: str) -> subprocess.CompletedProcess[str]:
    command, *rest = arguments
    return subprocess.run(
        [sys.executable, "-m", "companion", command, f"--data-dir={house.data}", *rest],
        cwd=house.data.parent, env={**os.environ, "PYTHONPATH": python_path(), **house.environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_terminal_lists_ends_and_exports(night):
    night.plays_again().starts()
    stream = night["Ann"].listens()
    listed = companion(night.house, "tables").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [night.code, f"{night.code}.2", f"{night.code}.3"]
    assert "playing" in listed[2]
    assert "Ann, Ben" in listed[2]
    ended = companion(night.house, "tables", "end", night.code.lower())
    assert ended.stdout == f"The table {night.code} has ended.\n"
    stream.until("This table has ended.")
    assert companion(night.house, "tables", "end", night.code).stderr == "This table has ended.\n"
    exported = json.loads(companion(night.house, "tables", "export", night.code).stdout)
    assert len(exported["tables"]) == 3
    assert companion(night.house, "tables", "export", night.code, "--csv").stdout.startswith("Table,Game,")
    for wrong in (("end", "QQQQ"), ("export", "QQQQ"), ("end",)):
        refused = companion(night.house, "tables", *wrong)
        assert refused.returncode == 1
        assert "Traceback" not in refused.stderr


def test_a_backup_of_nothing_is_refused(tmp_path):
    refused = companion(House(Path(tmp_path / "nowhere")), "backup", str(tmp_path / "x"))
    assert refused.returncode == 1
    assert refused.stderr.startswith("Nothing is kept in")
