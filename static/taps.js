// Prevents accidental taps. A control that is new, has moved or has changed its meaning ignores taps for 600 ms; so does a
// form that was just sent, unless it has `data-repeats`. Controls that stay where they were react immediately. If a tap
// can't be sent, the page says so, and sends it once when the connection is back.
(() => {
  "use strict";
  const WAIT = 600;
  const NEAR = 12; // pixels that a control may move and still be under the same finger
  const CONTROLS = "button, a[href], summary, label, input[type=radio], input[type=checkbox]";
  let before = null, byHand = false, count = 0;

  const seen = () => {
    const found = [];
    for (const one of document.querySelectorAll(CONTROLS)) {
      if (one.checkVisibility && !one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
      const { left, top, width, height } = one.getBoundingClientRect();
      if (!width || top > innerHeight || top + height < 0) continue;
      const form = one.closest("form");
      const says = [one.tagName, form && form.id, one.name, one.value, one.getAttribute("href"), one.textContent].join("\n");
      found.push({ one, says, x: left + width / 2, y: top + height / 2, fresh: one.dataset.tapFresh });
    }
    return found;
  };
  const mark = (controls, name = String((count += 1))) => {
    for (const one of controls) one.dataset.tapFresh = name;
    setTimeout(() => {
      for (const one of document.querySelectorAll(`[data-tap-fresh="${name}"]`)) delete one.dataset.tapFresh;
    }, WAIT);
  };
  const remember = (event) => {
    if (before && !byHand) return; // several swaps in one frame
    before = seen();
    byHand = event.type === "pointerdown";
  };
  const compare = () => {
    if (!before) return;
    const known = new Map();
    for (const was of before) known.set(was.says, [...(known.get(was.says) || []), was]);
    before = null;
    const fresh = [];
    for (const now of seen()) {
      const was = (known.get(now.says) || []).find(({ x, y }) => Math.abs(x - now.x) <= NEAR && Math.abs(y - now.y) <= NEAR);
      if (!was) fresh.push(now.one);
      else if (was.fresh) now.one.dataset.tapFresh = was.fresh; // it was drawn again within the 600 ms
    }
    if (fresh.length) mark(fresh);
  };
  const allNew = () => mark([document.body]);

  document.addEventListener("htmx:before:swap", remember);
  document.addEventListener("htmx:after:swap", compare);
  // Folds and tabs open without a swap.
  addEventListener("pointerdown", remember, true);
  document.addEventListener("toggle", compare, true);
  document.addEventListener("companion:tab", compare);
  // Everything counts as new after the curtain, after a jump to the top, and on a page that a tap has opened.
  let dark = false;
  document.addEventListener("companion:beat", ({ detail: { beat } }) => {
    const isDark = beat === "curtain" || beat === "hold";
    if (dark && !isDark) allNew();
    dark = isDark;
  });
  document.addEventListener("companion:jump", allNew);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) allNew(); });
  allNew();

  addEventListener("click", (event) => {
    if (!event.isTrusted || !event.target.closest("[data-tap-fresh]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  addEventListener("submit", ({ target }) => {
    if (!target.closest("[data-repeats]")) mark(target.querySelectorAll("button"));
  }, true);

  // ---- unsent taps: send the newest one again, if its form and the demand are still the same
  const screen = document.getElementById("screen"), wire = document.getElementById("wire");
  const message = document.getElementById("message");
  const off = wire && wire.dataset.off;
  let unsent = null, timer = 0;
  const asked = () => { const found = document.querySelector("#you [data-asks]"); return found ? found.dataset.asks : ""; };
  const later = (ms) => { clearTimeout(timer); timer = setTimeout(again, ms); };
  const forget = () => {
    for (const one of document.querySelectorAll("[data-tap-unsent]")) delete one.dataset.tapUnsent;
    if (wire) wire.dataset.off = off;
    unsent = null;
  };
  const again = () => {
    if (!unsent) return;
    if (screen && document.body.classList.contains("offline")) { later(2000); return; }
    const { id, submitter, body, asks, taps } = unsent;
    const form = document.getElementById(id);
    const button = form && form.contains(submitter) ? submitter : null;
    if (form && asks === asked() && String(new URLSearchParams(new FormData(form, button))) === body) {
      form.requestSubmit(button);
      return;
    }
    // Our tap counter has not changed, so the server didn't get this tap.
    const other = document.querySelector("#you [name=tap_id]");
    if (other && other.value.split(".")[0] === taps) message.textContent = message.dataset.gone;
    forget();
  };
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement instanceof HTMLFormElement) ctx.request.timeout = 8000;
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    const form = ctx && ctx.sourceElement;
    if (!(form instanceof HTMLFormElement) || ctx.response || !message) return;
    forget();
    const body = ctx.request.body;
    unsent = { id: form.id, submitter: ctx.request.submitter, body: String(body), asks: asked(), taps: (body.get("tap_id") || "").split(".")[0] };
    form.dataset.tapUnsent = message.dataset.unsent;
    if (wire) wire.dataset.off = message.dataset.unsent; else message.textContent = message.dataset.unsent;
    later(2000);
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement, hx } = event.detail.ctx;
    if (sourceElement instanceof HTMLFormElement) forget();
    // Don't fill the browser's history with covers while the screen is handed round.
    if (hx.redirect && document.getElementById("pass")) { event.preventDefault(); location.replace(hx.redirect); }
  });
  document.addEventListener("htmx:sse:after:connection", () => later(1000)); // its first frame arrives before that
})();
