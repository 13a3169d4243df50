// companion demo: asks which tap comes next, waits until it can be seen, and sends it as a phone would.
(() => {
  "use strict";
  const demo = document.getElementById("demo");
  const stage = document.getElementById("stage");
  const said = document.getElementById("said");
  const pace = () => Number(demo.dataset.pace) * 1000;

  // ---- every screen as wide as its glass
  const shrink = () => {
    for (const screen of document.querySelectorAll("[data-width]")) {
      screen.style.setProperty("--shrink", screen.parentElement.clientWidth / Number(screen.dataset.width));
    }
  };
  addEventListener("resize", shrink);
  shrink();

  // ---- one tap after the other
  const after = (ms) => new Promise((then) => { setTimeout(then, ms); });
  const playsMoment = () => {
    const page = stage.contentDocument;
    return Boolean(page && page.body && page.body.dataset.beat);
  };
  // Nobody taps while the room watches the stage; afterwards it takes a breath.
  const momentIsOver = async () => {
    let watched = false;
    while (playsMoment()) { watched = true; await after(100); }
    if (watched) await after(pace() / 2);
  };
  const tap = async ({ path, fields }) => {
    await fetch(path, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams(fields) });
  };
  const play = async () => {
    while (!("stopped" in demo.dataset)) {
      try {
        const reply = await fetch(demo.dataset.next, { method: "POST" });
        const next = await reply.json();
        if (next.path) {
          if (next.rests > 1) said.textContent = next.said;
          await after(pace() * next.rests * (0.75 + Math.random() * 0.75) - 300);
          said.textContent = next.said;
          await after(300); // the words come first, so that eyes are there when it happens
          await tap(next);
          await after(200);
          await momentIsOver();
        } else {
          said.textContent = next.said;
          await after(500);
        }
      } catch {
        await after(1000); // the companion has ended, or starts again
      }
    }
  };
  play();
})();
