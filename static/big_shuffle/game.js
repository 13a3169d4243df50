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
})();

// A button on the stage that opens the drawer at what has to be typed now. Without this file the link itself goes there.
addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest('a[href="#fix-now"]');
  const drawer = link && document.getElementById("drawer");
  if (!drawer) return;
  event.preventDefault();
  drawer.open = true;
  document.getElementById("fix-now").scrollIntoView({ block: "start" });
});
