"""Small pages with the real scripts of a table, for tests of those scripts alone.

They are on `localhost`, a secure context like the laptop's own address. Their clock is paused until a test advances it,
so that no test has to wait.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

STATIC = Path(__file__).parent.parent.parent / "static"
ADDRESS = "http://localhost/table"
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
BEGAN = 1_800_000_000
"""The time at which every test begins, in Unix seconds."""

PAGE = """<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Table</title>
<link rel="icon" href="/static/icon.svg">
<script src="/static/htmx.min.js" defer></script>{scripts}</head>
<body class="{kind}">
<section id="moment">{moment}</section>
<main class="stage"><section id="stage">{stage}</section></main>
<details id="drawer"><summary>Drawer</summary><div>
  <input type="range" id="volume" min="0" max="1" step="0.05" aria-label="Volume">
  <label><input type="checkbox" id="narrator"> Narrator</label>
  <button type="button" id="fullscreen">Full screen</button>
  <label>Name <input id="name"></label>
  <details id="fold-people"><summary>People</summary><div>
    <details id="fold-person-3"><summary>Ann</summary><p>Move her seat</p></details></div></details>
</div></details></body></html>"""

LISTENS = """
    window.beats = [];
    document.addEventListener("companion:beat", ({ detail }) => {
      window.beats.push([detail.kind, detail.beat, Math.round(performance.now() - window.began)]);
    });
"""


def moment(name: str, curtain: int = 700, hold: int = 2400, reveal: int = 1400, says: str = "") -> str:
    kind = name.partition(".")[0]
    return (
        f'<p hidden data-moment="{name}" data-kind="{kind}" data-curtain="{curtain}" data-hold="{hold}"'
        f' data-reveal="{reveal}" data-says="{says}"></p>'
    )


def show(page: Page, kind: str = "kind-s", moment: str = "", stage: str = "", before: str = "") -> Page:
    """Open a page of a table with a paused clock."""
    names = ["moments.js", *(["sound.js", "stage.js"] if kind != "kind-s" else [])]
    scripts = "".join(f'<script src="/static/{name}" defer></script>' for name in names)
    html = PAGE.format(kind=kind, moment=moment, stage=stage, scripts=scripts)
    headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
    page.route("**/table", lambda route: route.fulfill(body=html, headers=headers))
    page.route("**/static/*", lambda route: route.fulfill(path=STATIC / route.request.url.rsplit("/", 1)[1]))
    page.add_init_script(LISTENS + before)
    page.clock.install(time=BEGAN)
    page.goto(ADDRESS)
    page.clock.pause_at(BEGAN + 60)
    page.evaluate("window.began = performance.now()")
    return page


def brings(page: Page, late: bool = False, **regions: str) -> str | None:
    """Let htmx swap in these regions, as a stream would, and return the beat at the next paint."""
    partial = '<hx-partial hx-target="#{}" hx-swap="innerMorph">{}</hx-partial>'
    text = "".join(partial.format(name, html) for name, html in regions.items())
    return page.evaluate(
        """async ([text, late]) => {
            if (late) {
              document.body.dataset.late = "";
              document.addEventListener("htmx:after:swap", () => { delete document.body.dataset.late; }, { once: true });
            }
            const swapped = htmx.swap({ text, sourceElement: document.body, target: document.body, swap: "none" });
            await null;
            const beat = document.body.dataset.beat;
            await swapped;
            return beat ?? null;
        }""",
        [text, late],
    )


def beats(page: Page) -> list[list]:
    return page.evaluate("window.beats")


def beat(page: Page) -> tuple[str | None, str | None]:
    return tuple(page.evaluate("[document.body.dataset.moment ?? null, document.body.dataset.beat ?? null]"))
