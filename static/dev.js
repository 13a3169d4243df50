// companion play --dev: a page reloads when the companion has restarted.
(() => {
  "use strict";
  if (window.top !== window) return; // the page around this frame does it for all of them
  let known;
  const look = async () => {
    try {
      const reply = await fetch("/dev/started");
      const now = reply.ok ? await reply.text() : known;
      if (known && now !== known) location.reload();
      known = now;
    } catch { /* it is restarting */ }
    setTimeout(look, 300);
  };
  look();
})();
