// The keys below a number that can be negative type into the field of their form that was touched last.
(() => {
  "use strict";
  const FIELD = "input[data-points]";
  document.documentElement.classList.add("has-keys");
  const meant = (form) => form.querySelector(`${FIELD}.is-meant`) || form.querySelector(FIELD);
  const show = (input) => {
    const after = input.form.querySelector("[data-total]");
    if (!after) return;
    const points = Number.parseInt(input.value, 10);
    after.textContent = Number.isNaN(points) ? "" : ` → ${String(Number(after.dataset.total) + points).replace("-", "−")}`;
  };
  const choose = (input) => {
    const fields = [...input.form.querySelectorAll(FIELD)];
    if (fields.length > 1) for (const one of fields) one.classList.toggle("is-meant", one === input);
  };
  // Replace the phone's keyboard, which may have no minus. A real keyboard still works.
  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    if (pointerType !== "mouse" && target.matches(FIELD) && target.form.querySelector(".keys")) target.inputMode = "none";
  });
  document.addEventListener("focusin", ({ target }) => { if (target.matches(FIELD)) choose(target); });
  document.addEventListener("click", ({ target }) => {
    const key = target.closest(".keys button");
    if (!key) return;
    const input = meant(key.form), { digit, step } = key.dataset;
    const now = Number.parseInt(input.value, 10) || 0;
    if (digit) input.value = `${input.value.replace(/^(-?)0$/, "$1")}${digit}`.replace(/^(-?\d{5}).*/, "$1");
    else if (digit === "") input.value = input.value.slice(0, -1).replace(/^-$/, "");
    else if (step) input.value = String(Math.min(99999, Math.max(-99999, now + Number(step))));
    else if ("clear" in key.dataset) input.value = "";
    else input.value = now > 0 || !input.value.startsWith("-") ? `-${input.value}` : input.value.slice(1);
    show(input);
    choose(input);
  });
  document.addEventListener("input", ({ target }) => { if (target.matches(FIELD)) show(target); });
  document.addEventListener("reset", ({ target }) => {
    const input = target.querySelector(FIELD);
    if (input) setTimeout(() => show(input));
  });
})();
