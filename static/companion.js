// Keeps a page up to date: says when it is not connected, reconnects by itself, and never replaces a newer
// screen with an older one. Everything also works without this file.
(() => {
  "use strict";
  const screen = document.getElementById("screen");
  // The companion has other addresses, and maybe a host name that stays the same in every network. If a picture loads from
  // one of them, it can be reached from here: open the same page there.
  const goElsewhere = (may) => {
    for (const at of (document.body.dataset.also || "").split(" ")) {
      if (!at) continue;
      const picture = new Image();
      picture.onload = () => { if (may()) location.replace(at + location.pathname + location.search); };
      picture.src = `${at}/here?${Date.now()}`;
    }
  };
  if (!screen) {
    const name = document.querySelector("[name=name]");
    goElsewhere(() => !name || name.value === name.defaultValue);
    return;
  }
  const wire = document.getElementById("wire");
  const SILENCE = 40000; // more than two heartbeats: then the stream is dead, even if the network reports no error
  const LONG = 15000; // after this long the phone was not just asleep, and the companion may have another address
  document.documentElement.classList.add("is-live"); // the button for old browsers is not needed
  let newest = Number(screen.dataset.version) || 0;
  let heard = Date.now();
  let opened = false, again = false, first = false; // a stream was open before this one; this one has said nothing yet

  let lost = 0; // since when it is not connected
  const connected = (yes) => {
    document.body.classList.toggle("offline", !yes);
    lost = yes ? 0 : lost || Date.now();
    const words = yes ? "" : (Date.now() - lost > LONG && wire.dataset.lost) || wire.dataset.off;
    if (wire.textContent !== words) wire.textContent = words;
  };
  const stream = () => screen._htmx && screen._htmx.sse;
  const reconnect = () => {
    const open = stream();
    if (!open) {
      htmx.ajax("GET", screen.getAttribute("hx-sse:connect"), { source: screen });
    } else if (open.delayCanceller) {
      open.delayCanceller();
    } else if (open.reader) {
      open.reader.cancel();
    }
  };

  document.addEventListener("htmx:sse:after:connection", () => {
    heard = Date.now();
    connected(true);
    again = opened;
    opened = first = true;
  });
  document.addEventListener("htmx:sse:before:message", (event) => {
    heard = Date.now();
    connected(true);
    // These people have gone on to their next game: follow them.
    if (event.detail.message.event === "moved") { event.preventDefault(); location.reload(); return; }
    const version = Number(event.detail.message.id);
    if (!version || event.detail.message.event) return;
    // Draw each version once: skip a frame that is older than the reply to a tap, or the same. But trust the first frame of
    // a new stream even if it is older, since a backup may have been restored.
    const known = first ? !again && version < newest : version <= newest;
    if (known) { event.preventDefault(); return; }
    newest = version;
    // The first frame of a new stream shows something that happened earlier: don't play its moment.
    if (first && again) { document.body.dataset.late = ""; setTimeout(() => { delete document.body.dataset.late; }, 500); }
    first = false;
  });
  document.addEventListener("htmx:sse:error", (event) => {
    connected(false);
    // The link is dead (the seat has moved, or the table is gone): reload, since the page says what to do.
    if (event.detail.status === 403 || event.detail.status === 404) location.reload();
  });
  // The extension doesn't retry the first connection, so do it here.
  document.addEventListener("htmx:error", (event) => {
    connected(false);
    if (event.detail.ctx && event.detail.ctx.sourceElement === screen && !stream()) setTimeout(reconnect, 1000);
  });
  document.addEventListener("htmx:sse:close", () => { connected(false); setTimeout(() => stream() || reconnect(), 1000); });

  // Don't draw a reply that the stream has already overtaken, but show its message.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const version = Number(ctx.response && ctx.response.headers && ctx.response.headers.get("Companion-Version"));
    if (!version) return;
    if (version <= newest) {
      for (let i = tasks.length - 1; i >= 0; i--) if (tasks[i].target && tasks[i].target.id !== "message") tasks.splice(i, 1);
    } else {
      newest = version;
    }
  });

  // A form that was accepted is empty again, unless somebody has typed in it since. The others keep what was typed.
  document.addEventListener("htmx:before:swap", (event) => {
    const { response, request, sourceElement: form } = event.detail.ctx;
    if (!(form instanceof HTMLFormElement) || !response || response.status !== 200) return;
    const asSent = ([name, value]) => name === "tap_id" || request.body.getAll(name).includes(value);
    if ([...new FormData(form)].every(asSent)) form.reset();
  });

  // A message disappears when it is tapped, or after a while.
  const message = document.getElementById("message");
  let fading;
  const hush = () => { message.textContent = ""; };
  message.addEventListener("click", hush);
  document.addEventListener("htmx:after:swap", () => {
    clearTimeout(fading);
    if (message.textContent.trim()) fading = setTimeout(hush, 10000);
  });

  // What this phone is asked to do now (`data-asks`). A new demand is scrolled into view, buzzes, lights the edge of the
  // phone and changes the tab's title; while a moment is played, it waits until everybody sees the answer.
  const card = document.getElementById("you");
  if (card) {
    const title = document.title;
    const demand = () => { const found = card.querySelector("[data-asks]"); return found ? found.dataset.asks : ""; };
    let known = demand();
    const heading = () => { const found = card.querySelector("h1, h2"); return found ? found.textContent.trim() : ""; };
    const light = (isNew) => {
      document.body.classList.toggle("asked", known !== "");
      document.body.classList.toggle("is-new", isNew);
      document.title = known ? `● ${heading()} · ${title}` : title;
    };
    const look = () => {
      if (document.body.dataset.beat === "curtain" || document.body.dataset.beat === "hold") return;
      const now = demand();
      const isNew = now !== "" && now !== known;
      if (now === known) return;
      known = now;
      light(isNew);
      if (!isNew) return;
      if (scrollY > 40) { scrollTo({ top: 0 }); document.dispatchEvent(new Event("companion:jump")); }
      // Browsers forbid vibration before the first touch, and would log an error.
      if (navigator.vibrate && (!navigator.userActivation || navigator.userActivation.hasBeenActive)) navigator.vibrate(120);
    };
    light(false);
    document.addEventListener("htmx:after:swap", () => requestAnimationFrame(look));
    document.addEventListener("companion:beat", look);
  }

  // Close the lobby's folds when the game starts.
  const phase = () => { const found = document.querySelector("#moment [data-phase]"); return found ? found.dataset.phase : ""; };
  let lastPhase = phase();
  document.addEventListener("htmx:after:swap", () => {
    if (phase() === lastPhase) return;
    lastPhase = phase();
    for (const fold of document.querySelectorAll("details[open]:not(.come-back)")) fold.open = false;
  });

  // Keep a phone awake while it plays; browsers allow that over https only.
  if (card && navigator.wakeLock && top === self) {
    let lock = null;
    const awake = async () => {
      const plays = phase() === "playing";
      if (lock && !lock.released && !plays) lock.release();
      if (document.hidden || !plays || (lock && !lock.released)) return;
      try { lock = await navigator.wakeLock.request("screen"); } catch { /* low battery: the phone decides */ }
    };
    for (const event of ["visibilitychange", "pointerdown", "htmx:after:swap"]) document.addEventListener(event, awake);
    awake();
  }

  // Three tabs below the card; without this file their contents are below each other.
  const tabs = document.getElementById("tabs");
  if (tabs) {
    const open = (link) => {
      for (const one of tabs.children) {
        one.toggleAttribute("aria-current", one === link);
        document.getElementById(one.hash.slice(1)).classList.toggle("is-open", one === link);
      }
    };
    document.body.classList.add("with-tabs");
    open(tabs.firstElementChild);
    tabs.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      open(link);
      card.nextElementSibling.scrollIntoView();
      document.dispatchEvent(new Event("companion:tab"));
    });
  }

  // Load scripts that only some screens need; a template names the file.
  const fetchScripts = () => { for (const one of document.querySelectorAll("[data-script]")) import(one.dataset.script); };
  fetchScripts();
  document.addEventListener("htmx:after:swap", fetchScripts);

  // Announce the newest line to screen readers.
  const news = document.getElementById("news");
  document.addEventListener("htmx:after:swap", () => {
    const newest = document.querySelector("#history li");
    const words = newest ? newest.textContent.trim() : "";
    if (news && news.textContent !== words) news.textContent = words;
  });

  // The new phone of a moved seat takes it over as soon as the page is visible.
  const arrive = () => {
    const button = !document.hidden && document.querySelector("form.arrive button");
    if (button) button.click();
  };
  addEventListener("load", arrive);
  document.addEventListener("visibilitychange", arrive);

  // Reconnect after sleep, another app, a lost Wi-Fi or the browser's back/forward cache.
  addEventListener("online", reconnect);
  addEventListener("offline", () => connected(false));
  addEventListener("pageshow", (event) => { if (event.persisted) reconnect(); });
  setInterval(() => {
    if (lost) connected(false);
    if (lost && !document.hidden && Date.now() - lost > LONG) goElsewhere(() => lost);
    if (document.hidden || Date.now() - heard < SILENCE) return;
    heard = Date.now();
    connected(false);
    reconnect();
  }, 5000);
})();
