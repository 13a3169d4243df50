// What is hidden (`.hold`) is shown while it is held: with a finger or the mouse, with the space bar or Enter. CSS alone does it
// with :active; this adds what some phones leave out, and covers everything when the page is left.
(() => {
  "use strict";
  const cover = () => document.querySelectorAll(".hold.is-held").forEach((one) => one.classList.remove("is-held"));
  const target = (event) => event.target.closest && event.target.closest(".hold");
  document.addEventListener("pointerdown", (event) => {
    const held = target(event);
    if (held && event.button === 0) held.classList.add("is-held");
  });
  document.addEventListener("keydown", (event) => {
    if ((event.key === " " || event.key === "Enter") && target(event)) {
      event.preventDefault();
      target(event).classList.add("is-held");
    }
  });
  for (const end of ["pointerup", "pointercancel", "keyup", "focusout", "visibilitychange"]) document.addEventListener(end, cover);
  addEventListener("blur", cover);
  // A long press is for looking, not for a menu.
  document.addEventListener("contextmenu", (event) => { if (target(event)) event.preventDefault(); });
})();
