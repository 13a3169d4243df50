// Show a hidden thing (`.hold`) while it is held with a finger, the mouse, the space bar or Enter. CSS does it with :active;
// this file helps phones that don't support that, and covers everything when somebody leaves the page.
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
  // A long press must not open the context menu.
  document.addEventListener("contextmenu", (event) => { if (target(event)) event.preventDefault(); });
})();
