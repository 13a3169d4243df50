// A hidden card is shown while it is held: with a finger or the mouse, with the space bar or Enter. CSS alone does it
// with :active; this adds what some phones leave out, and covers every card when the page is left.
(() => {
  "use strict";
  const cover = () => document.querySelectorAll("[data-hold].is-held").forEach((card) => card.classList.remove("is-held"));
  const card = (event) => event.target.closest && event.target.closest("[data-hold]");
  document.addEventListener("pointerdown", (event) => {
    const held = card(event);
    if (held && event.button === 0) held.classList.add("is-held");
  });
  document.addEventListener("keydown", (event) => {
    if ((event.key === " " || event.key === "Enter") && card(event)) {
      event.preventDefault();
      card(event).classList.add("is-held");
    }
  });
  for (const end of ["pointerup", "pointercancel", "keyup", "focusout", "visibilitychange"]) document.addEventListener(end, cover);
  addEventListener("blur", cover);
  // A long press is for looking, not for a menu.
  document.addEventListener("contextmenu", (event) => { if (card(event)) event.preventDefault(); });
})();
