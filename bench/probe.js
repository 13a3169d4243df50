// Runs in every page before its own scripts. It records when the thumb was lifted, and when the screen was painted again.
//
// A tap begins with the time stamp of `pointerup`, which the browser takes when the touch arrives, before the page's main
// thread handles it. A change is any mutation of nodes or text inside a region. It counts as painted when the main thread
// has finished the next frame: a message posted in that frame's requestAnimationFrame is handled after its style, layout,
// paint and commit. We don't wait for other threads (raster, display), because the throttled main thread doesn't either.
// Attributes don't count, because htmx marks a waiting form with a class. Figures that count up (`data-from`) don't count,
// because they change for as long as the moment lasts.
(() => {
  "use strict";
  const REGIONS = "#you, #table, #stage";
  const bench = {};
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { bench.painted = performance.now(); };

  const isDrawn = ({ target, addedNodes }) => {
    const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
    if (!element) return false;
    if (element.closest(REGIONS)) return !element.closest("[data-from]");
    return [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE && node.matches(REGIONS));
  };
  new MutationObserver((records) => {
    if (!records.some(isDrawn)) return;
    bench.changed = performance.now();
    requestAnimationFrame(() => channel.port2.postMessage(0));
  }).observe(document, { subtree: true, childList: true, characterData: true });

  addEventListener("pointerup", (event) => { bench.tapped = event.timeStamp; }, { capture: true, passive: true });
  // The first frame after the tap, which shows the pressed button, as the browser reports it in steps of 8 ms.
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name === "pointerup") bench.pressed = entry.duration;
    }
  }).observe({ type: "event", durationThreshold: 16 });

  // Forget the last tap.
  bench.reset = () => Object.assign(bench, { begun: performance.now(), tapped: 0, painted: 0, changed: 0, pressed: 0 });
  bench.reset();

  // Wait until a change is painted and nothing has changed for a while, or until it is clear that none will come. It polls
  // seldom, because every poll is work for the main thread being measured.
  bench.settled = (quiet, patience) => new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      const done = bench.painted > bench.changed && now - bench.painted >= quiet;
      const none = !bench.changed && now - bench.begun >= patience;
      if (done || none || now - bench.begun > 10 * patience) resolve(bench);
      else setTimeout(look, bench.painted > bench.changed ? quiet - (now - bench.painted) : quiet);
    };
    look();
  });

  // Fill in the form with this number, scroll its button into view, and return where it is.
  bench.aim = ({ forms, number, fields }) => {
    const form = document.querySelectorAll(forms)[number];
    const chosen = (name, value) => [fields[name] ?? []].flat().includes(value);
    for (const field of form.elements) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = chosen(field.name, field.value);
      else if (field.name in fields && field.type !== "hidden" && field.tagName !== "BUTTON") field.value = [fields[field.name]].flat()[0];
      else continue;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (let around = form; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
    const buttons = [...form.querySelectorAll("button:not([type=button])")];
    const button = buttons.find(({ name, value }) => name && chosen(name, value)) ?? buttons[0];
    if (!button || button.disabled || !form.checkValidity()) return null;
    button.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = button.getBoundingClientRect();
    const at = { x: x + width / 2, y: y + height / 2 };
    return button.contains(document.elementFromPoint(at.x, at.y)) ? at : null;
  };
  window.bench = bench;
})();
