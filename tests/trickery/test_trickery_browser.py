"""A full game in a real browser: three phones and the shared screen."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from trickery_game import ANN, BEN, CLEO, GAME_OF_THREE, NAMES, SCREEN

from companion.games.trickery import cards, corrections, rules
from companion.games.trickery.sentences import CARD_TITLES

SOCIETIES = {"thorn": "Thorn Society", "gears": "Machine Society"}


def at_the_table(windows, house, names=("Ann", "Ben", "Cleo")) -> dict[int, Page]:
    """Everybody scans the code; the shared screen starts the game."""
    screen = windows.wide()
    screen.goto(f"{house.url}/new/trickery")
    screen.get_by_role("button", name="Open the table").click()
    code = screen.locator("#stage .join-code").inner_text()
    pages = {0: screen}
    for seat, name in enumerate(names, 1):
        phone = windows.phone()
        phone.goto(f"{house.url}/t/{code}")
        phone.get_by_label("Your name").fill(name)
        phone.get_by_role("button", name="Take a seat").click()
        expect(phone.get_by_role("heading", name="You have a seat")).to_be_visible()
        pages[seat] = phone
    screen.get_by_role("button", name="Start the game").click()
    return pages


def play(page: Page, tap) -> None:
    """Tap as a thumb would: first the card, then a player or a number."""
    you = page.locator("#you, #acts").first
    match tap:
        case rules.Cover():
            you.get_by_text(SOCIETIES[tap.society]).tap()
            you.get_by_role("button", name="Choose in secret").tap()
        case rules.Begin():
            you.get_by_role("button", name=NAMES[tap.seat], exact=False).click()
        case rules.GoOn():
            you.get_by_role("button", name="Go on").click()
        case rules.Pause():
            you.get_by_role("button", name="Pause: pick up your cards").tap()
        case corrections.Move():
            if page.locator(".with-tabs").count():
                page.get_by_role("link", name="Mine").tap()
            mine = page.locator("#mine")
            mine.get_by_text("Fix a mistake").tap()
            mine.locator("select[name='what']").select_option(tap.what)
            mine.locator("select[name='source']").select_option(tap.source)
            mine.locator("select[name='target']").select_option(tap.target)
            mine.get_by_label("How many").fill(str(tap.n))
            mine.get_by_role("button", name="Move them").tap()
            mine.get_by_text("Fix a mistake").tap()
        case _:
            card = you.locator(f"#hand-{type(tap).__name__.lower()}")
            card.locator("summary").tap()
            expect(card.get_by_role("heading", name=CARD_TITLES[type(tap).__name__.lower()])).to_be_visible()
            match tap:
                case cards.Favour():
                    card.get_by_role("button", name="Play this card").tap()
                case cards.Tribute():
                    card.locator(f"button[value='{tap.coins}']").tap()
                case _:
                    card.locator(f"button[value='{int(tap.target)}']").tap()


def still(pages: dict[int, Page]) -> None:
    """Wait until the stage has played its moment."""
    for page in pages.values():
        expect(page.locator("body:not([data-beat])")).to_be_attached(timeout=8000)


def fits(page: Page) -> None:
    """Check that nothing overflows sideways and that every target is large enough for a thumb."""
    width = page.viewport_size["width"]
    box = page.locator("#screen").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    for button in page.locator("#you, #acts").locator("button:visible, summary:visible, label.choice:visible").all():
        size = button.bounding_box()
        assert size["height"] >= 48
        assert size["x"] + size["width"] <= width


def test_a_full_game_on_three_phones_and_the_shared_screen(windows, house, accessible):
    pages = at_the_table(windows, house)
    looked: set[tuple[str, bool]] = set()

    def look(kind: str, page: Page) -> None:
        if (kind, page is pages[0]) not in looked:
            looked.add((kind, page is pages[0]))
            accessible(page)
            fits(page)

    expect(pages[BEN].get_by_role("heading", name="Choose your society")).to_be_visible()
    fits(pages[BEN])
    for seat, tap in GAME_OF_THREE:
        page = pages[seat]
        if isinstance(tap, rules.Begin):
            expect(pages[ANN].get_by_role("heading", name="Who starts?").first).to_be_visible(timeout=8000)
            still(pages)
            look("starter", pages[ANN])
            look("starter", pages[SCREEN])
        elif isinstance(tap, rules.GoOn):
            expect(pages[SCREEN].get_by_role("heading", name="The treasure chest is full!")).to_be_visible(timeout=8000)
            still(pages)
            for other in (pages[ANN], pages[BEN], pages[CLEO]):
                expect(other.locator("#table .full")).to_be_visible()
            look("event", pages[ANN])
            look("event", pages[SCREEN])
        elif isinstance(tap, cards.Build | cards.Favour | cards.Tribute):
            expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
        play(page, tap)
        if isinstance(tap, cards.Favour) and seat == ANN:
            expect(page.get_by_role("heading", name="Ben's turn").first).to_be_visible()
            expect(pages[BEN].get_by_role("heading", name="Your turn")).to_be_visible()
            look("turn", pages[BEN])
            expect(pages[SCREEN].get_by_role("heading", name="Ben's turn")).to_be_visible()
            look("turn", pages[SCREEN])
    still(pages)
    for page in (pages[ANN], pages[BEN], pages[CLEO]):
        page.get_by_role("link", name="Table").tap()
        expect(page.get_by_role("heading", name="Cleo wins with 5 seals.")).to_be_visible()
    expect(pages[SCREEN].locator("#stage").get_by_text("Cleo wins with 5 seals.")).to_be_visible()
    expect(pages[CLEO].get_by_role("heading", name="You win")).to_be_visible()
    expect(pages[BEN].locator("#you").get_by_role("heading", name="Cleo wins")).to_be_visible()
    look("over", pages[CLEO])
    look("over", pages[SCREEN])
    assert len(looked) == 8


def test_a_half_made_choice_survives_what_others_do_and_a_made_one_leaves_no_trace(windows, house):
    pages = at_the_table(windows, house)
    ann, ben = pages[ANN], pages[BEN]
    ann.get_by_text("Machine Society").first.tap()
    play(ben, rules.Cover("thorn"))
    expect(ann.locator("#table").get_by_text("1 of 3 has chosen.")).to_be_visible()
    expect(ann.get_by_role("radio", name="Machine Society")).to_be_checked()
    ann.get_by_role("button", name="Choose in secret").tap()
    expect(ann.get_by_role("heading", name="Your choice is hidden")).to_be_visible()
    ann.get_by_text("Choose again").tap()
    for side in ("Thorn Society", "Machine Society"):
        expect(ann.get_by_role("radio", name=side)).not_to_be_checked()


def test_cards_are_played_with_the_keyboard_also_without_scripts_and_a_refusal_is_read(windows, house, seated):
    table = seated("trickery", players=3)
    for name, side in (("Ann", "thorn"), ("Ben", "thorn"), ("Cleo", "gears")):
        table[name].presses("Choose in secret", society=side)
    table.shared.presses("", tap="Begin", seat=1)
    for name, scripts, following in (("Ann", True, "Ben"), ("Ben", False, "Cleo")):
        phone = windows.phone(java_script_enabled=scripts)
        phone.goto(f"{house.url}{table[name].path}")
        phone.locator("#hand-build summary").focus()
        phone.keyboard.press("Enter")
        phone.keyboard.press("Tab")
        phone.keyboard.press("Enter")
        expect(phone.get_by_role("heading", name=f"{following}'s turn").first).to_be_visible()
        play(phone, corrections.Move("coins", "3", "2", 9))
        expect(phone.locator("#message")).to_have_text("There are only 2 to move.")
    assert table["Cleo"].lines()[0] == "Ben builds a relationship: Ann gets 2 coins."
