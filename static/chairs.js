// The ring of chairs, for people who may move others: drag a person to a chair, or press an arrow key. Both send the form
// that also works without this file. The form names the chair, so sending it twice does no harm.
const held = { seat: "", place: 0, until: 0 }; // the last move by key, until it is drawn
let drag = null, dropped = 0;
const place = (grip) => Number(grip.closest("[data-place]").dataset.place);
const grips = () => document.querySelectorAll(".grip[data-person]");

const sit = (seat, to) => {
  const form = document.querySelector("form.to-chair");
  if (!form) return;
  form.elements.seat.value = seat;
  form.elements.place.value = to;
  form.elements.tap_id.disabled = true;
  form.requestSubmit();
};

addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const grip = way && event.target.closest && event.target.closest("a.grip");
  if (!grip || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const seat = grip.dataset.person, n = grips().length;
  const from = held.seat === seat && Date.now() < held.until ? held.place : place(grip);
  Object.assign(held, { seat, place: ((from - 1 + way + n) % n) + 1, until: Date.now() + 2000 });
  sit(seat, held.place);
});
// A chair that has moved keeps the focus.
document.addEventListener("htmx:after:swap", () => {
  const grip = document.getElementById(`chair-${held.seat}`);
  if (!grip || Date.now() > held.until) return;
  if (place(grip) === held.place) held.until = 0;
  if (document.activeElement === document.body) grip.focus({ preventScroll: true });
});

const under = (event) => {
  const found = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("[data-place], [data-gap]"));
  return found.find((one) => one && !one.contains(drag.grip)) || null;
};
const drop = () => {
  if (!drag) return;
  drag.grip.classList.remove("is-dragged");
  drag.grip.style.translate = "";
  for (const one of document.querySelectorAll(".is-target")) one.classList.remove("is-target");
  drag = null;
};
addEventListener("pointerdown", (event) => {
  const grip = event.target.closest && event.target.closest("a.grip");
  if (!grip || event.button || !event.isPrimary) return;
  drag = { grip, x: event.clientX, y: event.clientY, moved: false };
});
addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  const x = event.clientX - drag.x, y = event.clientY - drag.y;
  if (!drag.moved && Math.hypot(x, y) < 8) return;
  if (!drag.moved) drag.grip.setPointerCapture(event.pointerId);
  drag.moved = true;
  drag.grip.classList.add("is-dragged");
  drag.grip.style.translate = `${x}px ${y}px`;
  const target = under(event);
  for (const one of document.querySelectorAll(".is-target")) if (one !== target) one.classList.remove("is-target");
  if (target) target.classList.add("is-target");
});
addEventListener("pointerup", (event) => {
  if (!drag || !drag.moved) { drag = null; return; }
  const { grip } = drag, target = under(event), from = place(grip);
  drop();
  dropped = Date.now();
  if (!target) return;
  const gap = Number(target.dataset.gap);
  const to = gap ? (from > gap ? gap + 1 : gap) : Number(target.dataset.place);
  if (to !== from) sit(grip.dataset.person, to);
});
addEventListener("pointercancel", drop);

// Ignore the click that ends a drag.
addEventListener("click", (event) => {
  if (Date.now() - dropped > 100) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// A tap on a person opens their fold in the drawer, as it does without this file.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.grip, a[href='#rights']");
  const found = link && document.querySelector(link.hash);
  for (let at = found; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
});
