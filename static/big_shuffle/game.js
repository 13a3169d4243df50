// Searching piles and names while typing. Everything also works without this file.
(() => {
  document.documentElement.classList.add("has-script");

  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  const filter = (input) => {
    const wanted = fold(input.value.trim());
    const list = input.matches("[data-filter]")
      ? input.closest("details").querySelectorAll(".pile li")
      : input.closest("form").querySelectorAll(".chip-button");
    for (const one of list) one.hidden = wanted !== "" && !fold(one.textContent).includes(wanted);
  };
  const all = () => document.querySelectorAll("[data-filter], [data-picks]").forEach(filter);

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-filter], [data-picks]")) filter(event.target);
  });
  // The tapped name counts, not the letters typed to find it.
  document.addEventListener("click", (event) => {
    const chip = event.target.closest("button[name]");
    const typed = chip && chip.form && chip.form.querySelector("[data-picks]");
    if (typed && typed.name === chip.name) typed.value = "";
  }, true);
  document.addEventListener("htmx:after:swap", all);
  // Tapping a name copies it into the field, so that only the wrong letters need typing.
  document.addEventListener("change", (event) => {
    if (event.target.matches(".respell [name=old]")) event.target.form.elements.new.value = event.target.value;
  });
})();

// A tap on a name in the city opens the form that corrects it. Without this file, the link goes there.
addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a.fix-name");
  const names = link && document.querySelector(link.hash);
  const radio = names && [...names.querySelectorAll("[name=old]")].find((one) => one.value === link.dataset.name);
  if (!radio) return;
  event.preventDefault();
  for (let around = names; around; around = around.parentElement) {
    if (around.matches("details")) around.open = true;
    if (around.matches(".tab")) document.querySelector(`#tabs a[href="#${around.id}"]`).click();
  }
  radio.click();
  radio.form.elements.new.focus();
});

// A button on the stage opens the drawer at the form to fill in. Without this file, the link goes there.
addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest('a[href^="#fix-"]');
  const drawer = link && document.getElementById("drawer");
  if (!drawer) return;
  event.preventDefault();
  drawer.open = true;
  document.querySelector(link.hash).scrollIntoView({ block: "start" });
});
