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
  // A tapped name counts, not the letters that were typed to find it.
  document.addEventListener("click", (event) => {
    const chip = event.target.closest("button[name]");
    const typed = chip && chip.form && chip.form.querySelector("[data-picks]");
    if (typed && typed.name === chip.name) typed.value = "";
  }, true);
  document.addEventListener("htmx:after:swap", all);
  // A name that is tapped to be put right stands in the field, so that one letter is enough.
  document.addEventListener("change", (event) => {
    if (event.target.matches(".respell [name=old]")) event.target.form.elements.new.value = event.target.value;
  });
})();

// A tap on a name in the city opens everything around its form and chooses it there. Without this file the link goes there.
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

// A button on the stage that opens the drawer at what has to be typed now. Without this file the link itself goes there.
addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest('a[href^="#fix-"]');
  const drawer = link && document.getElementById("drawer");
  if (!drawer) return;
  event.preventDefault();
  drawer.open = true;
  document.querySelector(link.hash).scrollIntoView({ block: "start" });
});
