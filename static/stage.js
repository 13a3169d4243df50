// The shared screen (kind-x) and a watcher's (kind-w): narrator, keys, the drawer, and a screen that stays awake.
// The stage also works without this file, and in browsers that lack one of these features.
(() => {
  "use strict";
  const page = document.documentElement;
  const { body } = document;
  const laptop = body.classList.contains("kind-x");
  if (!laptop && !body.classList.contains("kind-w")) return;
  const byId = (id) => document.getElementById(id);
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private windows forget */ } };

  // ---- the narrator reads the headline aloud; the stage itself is the caption
  const NARRATOR = "companion.narrator";
  if (byId("narrator")) byId("narrator").checked = recall(NARRATOR) === "yes";
  const hush = () => { if (window.speechSynthesis) speechSynthesis.cancel(); };
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "narrator") return;
    remember(NARRATOR, target.checked ? "yes" : "no");
    if (!target.checked) hush();
  });
  document.addEventListener("companion:beat", ({ detail: { beat, says } }) => {
    if (beat !== "rest") hush(); // stop the sentence before
    const asked = byId("narrator");
    if (beat !== "reveal" || !says || !asked || !asked.checked) return;
    if (!window.speechSynthesis || !window.SpeechSynthesisUtterance) return;
    const words = new SpeechSynthesisUtterance(says);
    words.lang = page.lang;
    words.volume = Number(recall("companion.volume") ?? 0.7); // sound.js stores it: one control for all sound
    speechSynthesis.speak(words);
  });

  // ---- keep the screen awake, and hide the cursor
  let lock = null;
  const awake = async () => {
    if (!navigator.wakeLock || top !== self || document.hidden || (lock && !lock.released)) return;
    try { lock = await navigator.wakeLock.request("screen"); } catch { /* low battery: the laptop decides */ }
  };
  document.addEventListener("visibilitychange", awake);
  addEventListener("pointerdown", awake); // some browsers grant it only after a touch
  let place, waiting;
  const moved = ({ screenX, screenY }) => {
    if (place === `${screenX} ${screenY}`) return; // the page moved, not the mouse
    place = `${screenX} ${screenY}`;
    body.classList.remove("still");
    clearTimeout(waiting);
    waiting = setTimeout(() => body.classList.add("still"), 3000);
  };
  addEventListener("pointermove", moved);
  moved({});

  // ---- the drawer, full screen and keys
  const drawer = () => byId("drawer");
  const open = (yes) => {
    const found = drawer();
    if (!found || found.open === yes) return;
    const summary = found.querySelector("summary");
    if (summary && (yes || found.contains(document.activeElement))) summary.focus({ preventScroll: true });
    found.open = yes;
  };
  const fill = () => {
    const done = document.fullscreenElement ? document.exitFullscreen() : page.requestFullscreen && page.requestFullscreen();
    if (done) done.catch(() => {}); // the browser may refuse
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat || event.isComposing) return;
    const field = event.target.closest("input, select, textarea, [contenteditable]");
    if (field && !["range", "checkbox", "radio"].includes(field.type)) return; // somebody is typing
    const key = event.key.toLowerCase();
    if (key === "h" && drawer()) open(!drawer().open);
    if (key === "f") fill();
    if (key === "escape") open(false);
  });
  document.addEventListener("click", (event) => {
    const inside = drawer() && event.composedPath().includes(drawer());
    const person = laptop && !inside && event.target.closest("[data-person]");
    const fold = person && byId(`fold-person-${person.dataset.person}`);
    if (event.target.closest("#fullscreen")) fill();
    if (!fold) { if (!inside) open(false); return; }
    open(true);
    for (let at = fold; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    fold.scrollIntoView({ block: "nearest" });
    fold.querySelector("summary").focus({ preventScroll: true });
  });

  awake();
})();
