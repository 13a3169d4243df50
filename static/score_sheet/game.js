// The keys around the number on a phone: they add to what stands in the field, and say what the total will be.
(() => {
  "use strict";
  const field = (inside) => inside.closest("form").querySelector("input[name=points]");
  const show = (input) => {
    const after = input.form.querySelector("[data-total]");
    if (!after) return;
    const points = Number.parseInt(input.value, 10);
    after.textContent = Number.isNaN(points) ? "" : ` → ${String(Number(after.dataset.total) + points).replace("-", "−")}`;
  };
  document.addEventListener("click", ({ target }) => {
    const key = target.closest("[data-step], [data-flip], [data-clear]");
    if (!key) return;
    const input = field(key), now = Number.parseInt(input.value, 10) || 0;
    const [least, most] = [Number(input.min), Number(input.max)];
    if ("clear" in key.dataset) input.value = "";
    else if ("flip" in key.dataset) input.value = String(-now);
    else input.value = String(Math.min(most, Math.max(least, now + Number(key.dataset.step))));
    show(input);
  });
  document.addEventListener("input", ({ target }) => { if (target.name === "points" && target.closest(".points")) show(target); });
  document.addEventListener("reset", ({ target }) => {
    if (target.matches(".points")) setTimeout(() => show(target.querySelector("input[name=points]")));
  });
})();
