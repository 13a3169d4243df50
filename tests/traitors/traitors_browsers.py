"""Verbs for browser tests: what people do on phones and on the shared screen."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from companion.testing import NAMES, House, Table

CALM = {"reduced_motion": "reduce"}
expect.set_options(timeout=20_000)


def press(page: Page, button: str) -> None:
    """Press a button, and confirm if it asks."""
    words = re.compile(rf"^\s*{re.escape(button)}\s*$")
    first = page.locator("summary:visible, button:visible").filter(has_text=words).first
    asks = first.evaluate("node => node.tagName === 'SUMMARY'")
    first.click()
    if asks:
        page.locator("details.ask[open] button").filter(has_text=words).click()


def ballot(page: Page, choice: str, button: str) -> None:
    page.locator(f'.ballot input[value="{choice}"]').check()
    press(page, button)


def answer(page: Page, choice: str, button: str = "DONE") -> None:
    address = page.url
    ballot(page, choice, button)
    expect(page.locator(".ballot")).to_have_count(0)
    assert page.url == address


def shows(page: Page, gold: int, role: str) -> None:
    """Show a hand on a phone: choose the Gold, then press the role."""
    page.locator("#you form").get_by_label(str(gold), exact=True).check()
    page.locator("#you form").get_by_role("button", name=role, exact=True).click()


def at_once(page: Page) -> Page:
    """Make a screen skip the suspense of every moment."""
    page.add_init_script("addEventListener('DOMContentLoaded', () => { document.body.dataset.late = ''; })")
    return page


class Room:
    """The shared screen and the phones of a table. Players without a phone use the shared screen."""

    def __init__(self, house: House, table: Table, windows) -> None:
        self.table = table
        self.screen: Page = at_once(windows.wide(**CALM))
        self.screen.goto(house.url + table.shared.path)
        self.phones: dict[str, Page] = {}
        for name, seated in table.people.items():
            self.phones[name] = at_once(windows.phone(**CALM))
            self.phones[name].goto(house.url + seated.path)

    def sees(self, words: str) -> None:
        expect(self.screen.locator("#stage")).to_contain_text(words)

    def living(self) -> list[str]:
        """The players still in the round, read from the shared screen."""
        return self.screen.locator(".people .who:not(.is-out) bdi").all_inner_texts()

    def kind(self) -> str:
        return self.screen.locator(".castle-scene").get_attribute("data-scene") or ""

    def taps(self, name: str, button: str, on_the_screen: str | None = None) -> None:
        """Press a button on the player's phone, or on the shared screen."""
        press(*((self.phones[name], button) if name in self.phones else (self.screen, on_the_screen or button)))

    # ---------------------------------------------------------------- what happens in a round

    def draws(self, name: str) -> str:
        """EVENT: somebody has drawn a card; what comes is seen on the shared screen.

        The screen plays already: else what is seen next may be that the round begins, not what was drawn.
        """
        expect(self.screen.locator('[data-scene="playing"]')).to_be_visible()
        before = self.screen.locator("#moment [data-moment]").get_attribute("data-moment")
        if name in self.phones:
            press(self.phones[name], "EVENT")
        else:
            self.picks("EVENT", name)
        expect(self.screen.locator(f'#moment [data-moment]:not([data-moment="{before}"])')).to_have_count(1)
        return self.kind()

    def picks(self, button: str, name: str) -> None:
        """Press the button on the stage, then the name of the player who drew the card."""
        self.screen.locator("#acts summary", has_text=button).click()
        self.screen.get_by_role("button", name=f"{button}, {name}", exact=True).click()

    def draws_final(self, name: str) -> None:
        if name in self.phones:
            press(self.phones[name], "FINAL BANISHMENT")
        else:
            self.picks("FINAL BANISHMENT", name)
        self.sees("Talk it over")

    def everybody(self, choices: Mapping[str, str], button: str) -> None:
        """Answer on the phones, then pass the shared screen around for the others."""
        for name, choice in choices.items():
            if name in self.phones:
                answer(self.phones[name], choice, button)
        around = [name for name in choices if name not in self.phones]
        if not around:
            return
        self.screen.get_by_role("link", name="Hand over the screen", exact=True).first.click()
        for name in around:
            expect(self.screen.get_by_role("heading", name="Hand over the screen")).to_be_visible()
            press(self.screen, f"I'm {name}")
            ballot(self.screen, choices[name], button)
            expect(self.screen.locator(".ballot")).to_have_count(0)
        expect(self.screen.locator("#stage")).to_be_visible()

    def falls(self, name: str, role: str) -> None:
        if name in self.phones:
            shows(self.phones[name], 1, role)
        else:
            self.lays_open(role)

    def lays_open(self, role: str) -> None:
        """Show a hand on the stage: choose the Gold, then press the role."""
        self.screen.locator("#acts").get_by_label("1", exact=True).check()
        self.screen.locator("#acts").get_by_role("button", name=role, exact=True).click()

    def murder(self, drawer: str, victim: str | None, *, shield: bool = False) -> None:
        living = self.living()
        traitor = next(name for name in living if name != victim)
        number = str(NAMES.index(victim) + 1) if victim else "F"
        self.everybody({name: number if name == traitor else "F" for name in living}, "DONE")
        self.taps(drawer, "MURDER REVEAL")
        if victim is None:
            self.sees("Nobody was murdered")
            return
        self.sees("The Traitors have chosen")
        if shield:
            self.taps(victim, "Play a Shield", "Play a Shield")
            self.sees(f"{victim} lives")
            return
        self.taps(victim, "Don't play a Shield", "Don't play a Shield")
        self.falls(victim, "Faithful")

    def votes(self, votes: Mapping[str, str]) -> None:
        """Cast all votes by number, then let the voters reveal theirs in the same order."""
        self.sees(f"0 of {len(votes)} have answered")
        self.everybody(votes, "CAST VOTE")
        order = [name for name in votes if name in self.phones] + [name for name in votes if name not in self.phones]
        for name in order:
            self.sees(f"{name} presses REVEAL VOTE.")
            self.taps(name, "REVEAL VOTE")

    def banishment(self, target: str, role: str, *, ties: int = 0) -> None:
        """End the discussion, play some tied votes, then vote unanimously."""
        press(next(iter(self.phones.values()), self.screen), "Vote now")
        living = self.living()
        number = str(NAMES.index(target) + 1)
        other = str(NAMES.index(next(name for name in living if name != target)) + 1)
        halves = [(number, other)[place % 2] for place in range(len(living) // 2 * 2)]
        third = [str(NAMES.index(name) + 1) for name in living if str(NAMES.index(name) + 1) not in (number, other)]
        # Everybody for themselves; then half for one and half for the other, and an odd one out for a third.
        for tied in ([str(NAMES.index(name) + 1) for name in living], [*halves, third[0]][: len(living)])[:ties]:
            self.votes(dict(zip(living, tied, strict=True)))
            self.sees("A TIE")
            press(next(iter(self.phones.values()), self.screen), "TIED VOTE?")
        self.votes(dict.fromkeys(living, number))
        self.sees(f"{target} is banished")
        self.falls(target, role)

    def wishes(self, wish: str) -> None:
        self.sees("The last Traitor?")
        self.everybody(dict.fromkeys(self.living(), wish), "DONE")

    def counts(self, traitor: str | None = None) -> None:
        """End a round: survivors show their hand and role, and the fund is shared out."""
        self.sees("he round is over")
        for name in self.living():
            role = "Traitor" if name == traitor else "Faithful"
            if name in self.phones:
                shows(self.phones[name], 1, role)
            else:
                expect(self.screen.locator("#acts")).to_contain_text(f"{name}: Gold in hand")
                self.lays_open(role)
            expect(self.screen.locator(".people .who", has_text=name).locator("small")).to_have_text(f"{role} · 1 Gold")
        press(next(iter(self.phones.values()), self.screen), "Share it out")


def three_rounds(room: Room, ties: int) -> None:
    """Play three rounds that end with two players left, by agreement, and with the final banishment."""
    first, *_, last = room.living()
    host = next(iter(room.phones.values()), room.screen)
    press(host, "We're ready")
    # Round 1: a Shield stops the first murder. Then the last player in the circle is out, until two are left.
    shielded = False
    while True:
        if room.draws(first) == "murder":
            room.murder(first, room.living()[-1], shield=not shielded)
            shielded = True
        else:
            room.banishment(room.living()[-1], "Faithful")
        expect(room.screen.locator('[data-scene="playing"], [data-scene="ending"]')).to_be_visible()
        if room.kind() == "ending":
            break
    room.sees("Only two players are left: the round is over.")
    room.counts()
    room.sees("The Faithful share the fund")
    press(host, "Next round")
    press(host, "We're ready")
    # Round 2: nobody dares to murder; a Traitor is banished, and everybody believes it was the last.
    while room.draws(first) == "murder":
        room.murder(first, None)
    room.banishment(last, "Traitor")
    room.wishes("E")
    room.sees("Everybody agreed to end it.")
    room.counts()
    room.sees("The Faithful share the fund")
    press(host, "Next round")
    press(host, "We're ready")
    # Round 3: the last card of the deck, and maybe ties in a row. A Traitor survives and takes the fund.
    room.draws_final(first)
    room.banishment(last, "Faithful", ties=ties)
    room.counts(traitor=first)
    room.sees(f"{first} wins")
