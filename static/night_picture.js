// The picture of the night as a PNG: made on this phone or laptop, and sent nowhere. Without this file, the button is a
// link to the drawing itself.
(() => {
  "use strict";
  const PNG = "image/png";
  const draw = async (address) => {
    const drawing = new Image();
    drawing.src = address;
    await drawing.decode();
    const canvas = document.createElement("canvas");
    canvas.width = drawing.naturalWidth;
    canvas.height = drawing.naturalHeight;
    canvas.getContext("2d").drawImage(drawing, 0, 0, canvas.width, canvas.height);
    return new Promise((done, fail) => { canvas.toBlob((made) => (made ? done(made) : fail(new Error("no picture"))), PNG); });
  };
  const keep = (picture, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  // Phones share files where the page was fetched safely, and where their owner has a finger on it.
  const share = async (picture, name) => {
    const files = [new File([picture], name, { type: PNG })];
    const onPhone = matchMedia("(pointer: coarse)").matches;
    if (!onPhone || !navigator.canShare || !navigator.canShare({ files })) return false;
    try { await navigator.share({ files }); } catch (refused) { return refused.name === "AbortError"; }
    return true;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-picture]");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const picture = await draw(button.href);
      if (!(await share(picture, button.dataset.picture))) keep(picture, button.dataset.picture);
    } catch {
      location.assign(button.href); // a browser that cannot do it still shows the drawing
    }
  });
})();
