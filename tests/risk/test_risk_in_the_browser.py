"""Whole games in a real browser, with three or two phones and a shared screen, checked by axe."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from wifi import slow_wifi


def open_table(windows, house, *, length: int, dice: tuple[int, ...] = ()) -> Page:
    """The host copies the board into the set-up."""
    laptop = windows.wide()
    laptop.goto(house.url)
    laptop.get_by_role("link", name="Risk: Peaky Blinders").click()
    for box in laptop.locator('input[name="die_spaces"]').all():
        box.set_checked(int(box.input_value()) in dice)
    laptop.get_by_label("Spaces on the route").fill(str(length))
    laptop.get_by_label("Region 1", exact=True).fill("Scotland")
    laptop.get_by_label("Bonus of region 1").fill("4")
    laptop.get_by_role("button", name="Open the table").click()
    expect(laptop.locator("#stage .join-code")).to_be_visible()
    return laptop


def sit(windows, house, laptop: Page, name: str) -> Page:
    phone = windows.phone()
    phone.goto(f"{house.url}/t/{laptop.locator('#stage .join-code').inner_text().strip()}")
    phone.get_by_label("Your name").fill(name)
    phone.get_by_role("button", name="Take a seat").click()
    expect(phone.get_by_role("heading", name="You have a seat")).to_be_visible()
    return phone


def tap(page: Page, name: str, place: str = "#you, #acts") -> None:
    page.locator(place).get_by_role("button", name=name).first.click()


def unfold(page: Page, name: str, place: str = "#you") -> None:
    page.locator(f"{place} summary").filter(has_text=name).first.click()


def opens_mine(page: Page) -> None:
    page.locator("#tabs").get_by_role("link", name="Mine").click()


def fits(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_game_of_three(windows, house, accessible):
    laptop = open_table(windows, house, length=6, dice=(2, 3))
    ann, ben, cleo = (sit(windows, house, laptop, name) for name in ("Ann", "Ben", "Cleo"))
    laptop.get_by_role("button", name="Start the game").click()

    # Everybody takes a gang, and nobody else can take it.
    tap(ann, "Peaky Blinders")
    expect(ben.get_by_role("button", name="Peaky Blinders")).to_be_disabled()
    tap(ben, "Sabinis")
    tap(cleo, "IRA")
    expect(laptop.locator(".gang-bar.is-free")).to_have_count(2)
    accessible(ann)
    tap(ben, "Ann")
    expect(laptop.get_by_text("Deal 14 Territory cards to each player.")).to_be_visible()
    accessible(laptop)
    accessible(ann)
    tap(laptop, "Everything is placed")

    # Place: a region adds members, and a mission is a secret note.
    expect(ann.get_by_role("heading", name="Place 4 new members")).to_be_visible()
    unfold(ann, "Whole regions you hold")
    tap(ann, "Scotland +4")
    expect(ann.get_by_role("heading", name="Place 8 new members")).to_be_visible()
    opens_mine(ann)
    unfold(ann, "Missions", "#mine")
    ann.get_by_label("What the card asks for").fill("Hold the West Midlands")
    ann.locator('input[name="reward"]').fill("8")
    tap(ann, "Add this mission", "#mine")
    tap(ann, "I hold it now", "#mine")
    expect(ann.locator(".own-card").get_by_text("Held for 0 of 1 turn.")).to_be_visible()
    # The hand is visible only while it is pressed.
    hand = ann.locator(".hold.hand")
    expect(hand.locator(".covered")).to_be_hidden()
    hand.hover()
    ann.mouse.down()
    expect(hand.get_by_text("Hold the West Midlands")).to_be_visible()
    ann.mouse.up()
    expect(hand.locator(".covered")).to_be_hidden()
    accessible(ann)
    fits(ann)

    # Attack: the odds before the first roll and after it, on every screen.
    tap(ann, "Done placing")
    ann.get_by_role("radio", name="Ben").check()
    ann.get_by_role("radio", name="3", exact=True).check()
    accessible(ann)
    ann.locator("#you").get_by_role("button", name="2", exact=True).click()
    expect(laptop.locator("#stage").get_by_text("66%")).to_be_visible()
    expect(ben.locator("#you").get_by_text("65.6%")).to_be_visible()
    accessible(laptop)
    expect(ben.get_by_role("heading", name="Ann attacks you: 3 against 2")).to_be_visible()
    expect(ben.get_by_text("You defend with 2 red dice.")).to_be_visible()
    before = ann.get_by_role("button", name="Fight to the end").bounding_box()
    unfold(ann, "Dice rolled on the table")
    tap(ann, "Both lose 1")
    expect(ben.locator("#you")).to_contain_text("Ann: 1 lost")
    expect(ben.locator("#you")).to_contain_text("Ben: 1 lost")
    after = ann.get_by_role("button", name="Fight to the end").bounding_box()
    assert (before["y"], before["height"]) == (after["y"], after["height"])
    accessible(ben)
    fits(ann)
    tap(ann, "Fight to the end")
    expect(ann.locator("#history li", has_text="The dice")).to_have_count(1)
    # Whatever the app rolled, Ann takes one more territory without it, in two taps.
    expect(ann.locator("#you .is-outcome")).to_be_visible()
    for page in (ben, cleo):
        expect(page.locator("#you .ended")).to_be_visible()
    expect(laptop.locator("#stage .ended")).to_be_visible()
    accessible(ben)
    fits(ben)
    unfold(ann, "Taken without the app")
    tap(ann, "Take one from Cleo")
    expect(laptop.locator("#history li").first).to_contain_text("Ann takes a territory from Cleo.")

    # Draw and the Crown.
    tap(ann, "Stop attacking")
    tap(ann, "A card with two blades")
    expect(ann.locator("#you .covered")).to_have_text("2 razor blades in hand")
    tap(ann, "A card with one blade")
    expect(ann.locator("#you .covered")).to_have_text("3 razor blades in hand")
    expect(ann.locator("#you .covered")).to_be_hidden()
    accessible(ann)
    tap(ann, "Move the Crown and end the turn")
    expect(laptop.locator("#stage .acting")).to_contain_text("Ben")

    # A die space with real dice: the Crown stays, then moves.
    tap(ben, "Done placing")
    unfold(ben, "The Crown's dice")
    ben.get_by_label("First die").select_option("2")
    ben.get_by_label("Second die").select_option("4")
    tap(ben, "Count this roll")
    expect(laptop.locator("#history")).to_contain_text("The Crown stays on space 2.")
    tap(cleo, "Done placing")
    unfold(cleo, "The Crown's dice")
    cleo.get_by_label("First die").select_option("5")
    cleo.get_by_label("Second die").select_option("6")
    tap(cleo, "Count this roll")
    expect(laptop.locator("#history")).to_contain_text("The Crown moves to space 3.")

    # Ann's mission has been held for a turn: it brings members, and now everybody knows it.
    assert "West Midlands" not in ben.content() + cleo.content() + laptop.content()
    tap(ann, "Complete a mission")
    expect(ben.locator("#history")).to_contain_text("Ann completes a mission for 8 members")
    tap(ann, "Trade razor blades")
    expect(laptop.locator("#history")).to_contain_text("Ann trades 3 razor blades for 4 members.")

    # Ben corrects where the Crown is, and Ann brings it to the Tavern.
    opens_mine(ben)
    unfold(ben, "Fix a mistake", "#mine")
    ben.get_by_role("combobox", name="Where the Crown is").select_option("5")
    accessible(ben)
    tap(ben, "Move it there", "#mine")
    tap(ann, "Done placing")
    tap(ann, "Move the Crown to the Tavern")
    expect(ann.get_by_role("heading", name="The last roll")).to_be_visible()
    expect(laptop.locator("#stage .outcome-list")).to_be_visible()
    accessible(ann)
    unfold(ann, "The Crown's dice")
    ann.get_by_label("First die").select_option("6")
    ann.get_by_label("Second die").select_option("6")
    tap(ann, "Count this roll")
    expect(laptop.get_by_role("heading", name="The Crown wins")).to_be_visible()
    expect(cleo.get_by_role("heading", name="The Crown wins", exact=True)).to_be_visible()
    accessible(cleo)
    fits(cleo)


def test_a_game_of_two_with_three_neutral_gangs(windows, house, accessible):
    laptop = open_table(windows, house, length=6)
    ann, ben = (sit(windows, house, laptop, name) for name in ("Ann", "Ben"))
    laptop.get_by_role("button", name="Start the game").click()
    tap(ann, "Birmingham Boys")
    laptop.get_by_label("Who starts").select_option("Ben")
    tap(laptop, "Decide")
    expect(laptop.get_by_text("Deal 6 to each of the three neutral gangs.")).to_be_visible()
    tap(laptop, "Everything is placed")

    # Ben has not chosen: he gets the first free gang. Three members go to a neutral gang first.
    expect(ben.get_by_role("heading", name="Place 4 new members")).to_be_visible()
    expect(ben.get_by_role("button", name="Done placing")).to_have_count(0)
    tap(ben, "Sabinis")
    expect(ben.locator("#you").get_by_text("3 members for Sabinis.")).to_be_visible()
    accessible(laptop)
    tap(ben, "Done placing")

    # Ben takes all six territories of a neutral gang, and its three cards with the last one.
    unfold(ben, "Taken without the app")
    for left in (5, 4, 3, 2, 1, 0):
        tap(ben, "Take one from IRA")
        for page in (laptop, ben):  # wait for his phone, or the next tap would count as the same one
            expect(page.locator(".gangs li, .gang-bar", has_text="IRA").locator(".total, .held")).to_have_text(
                str(left)
            )
    expect(laptop.locator("#history")).to_contain_text("Ben gets the 3 cards of IRA.")
    expect(ben.get_by_role("button", name="Take one from IRA", exact=True)).to_have_count(0)
    tap(ben, "Stop attacking")
    expect(ben.get_by_role("heading", name="Draw 6 Territory cards")).to_be_visible()
    expect(ben.get_by_text("And 3 from the pile of a neutral gang.")).to_be_visible()
    accessible(ben)
    tap(ben, "Move the Crown and end the turn")

    # The shared screen plays the remaining turns for both.
    for space in (3, 4, 5):
        tap(laptop, "Sabinis")
        tap(laptop, "No attack: move the Crown")
        expect(laptop.locator("#history li").first).to_contain_text(f"The Crown moves to space {space}.")
    tap(ben, "Sabinis")
    tap(ben, "Done placing")
    tap(ben, "Move the Crown to the Tavern")
    unfold(ben, "The Crown's dice")
    ben.get_by_label("First die").select_option("5")
    ben.get_by_label("Second die").select_option("4")
    tap(ben, "Count this roll")
    expect(laptop.get_by_role("heading", name="Ben wins")).to_be_visible()
    expect(ben.get_by_role("heading", name="You win")).to_be_visible()
    expect(ann.get_by_role("img", name="Territories of each gang after each turn")).to_be_visible()
    accessible(laptop)
    fits(ann)


def test_quick_taps_over_a_slow_network_arrive_in_their_order(windows, house):
    laptop = open_table(windows, house, length=6)
    ann, *_ = (sit(windows, house, laptop, name) for name in ("Ann", "Ben", "Cleo"))
    laptop.get_by_role("button", name="Start the game").click()
    tap(laptop, "Decide")
    tap(laptop, "Everything is placed")
    unfold(ann, "Whole regions you hold")
    with slow_wifi(ann):
        tap(ann, "Scotland +4")
        tap(ann, "Done placing")
    expect(ann.get_by_role("heading", name="Who do you attack?")).to_be_visible()
    expect(ann.locator("#history li").first).to_contain_text("Ann holds all of Scotland.")
    expect(ann.get_by_role("alert")).to_have_count(0)


def test_set_up_help_and_a_turn_work_without_scripts(windows, house, accessible):
    page = windows.phone(java_script_enabled=False)
    page.goto(f"{house.url}/new/risk")
    page.get_by_role("button", name="Open the table").click()
    for name in ("Ann", "Ben"):
        page.locator("#drawer > summary").click()
        page.get_by_label("Somebody without a phone").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Decide").click()
    page.get_by_role("button", name="Everything is placed").click()
    page.get_by_role("button", name="IRA").click()
    page.get_by_role("button", name="Done placing").click()
    page.get_by_role("link", name="Start an attack").click()
    page.get_by_role("radio", name="Ben").check()
    page.get_by_label("More attackers").fill("14")
    page.get_by_label("More defenders").fill("3")
    page.get_by_role("button", name="See the odds").click()
    expect(page.get_by_text("to conquer").first).to_be_visible()
    looks = windows.phone()
    looks.goto(f"{house.url}/help/risk")
    accessible(looks)
    looks.goto(f"{house.url}/new/risk")
    accessible(looks)
