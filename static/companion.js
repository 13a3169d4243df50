// What the page does beyond its forms: says when it is not connected, comes back by itself, and
// never lets what is old overwrite a newer screen. Everything also works without this file.
(() => {
  "use strict";
  const screen = document.getElementById("screen");
  // The companion has other addresses, and maybe a name that outlives them all. A picture that loads from one shows that
  // it leads there from here; then the same page goes on at that one.
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
  const SILENCE = 40000; // two heartbeats and a bit: then the stream is dead, whatever the network says
  const LONG = 15000; // then it is no phone that fell asleep, and the companion may be elsewhere
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
    // The people here have gone on to the next game, and this page follows.
    if (event.detail.message.event === "moved") { event.preventDefault(); location.reload(); return; }
    const version = Number(event.detail.message.id);
    if (!version || event.detail.message.event) return;
    // A stream that lags behind the reply to a tap, or says the same, has nothing new to tell: each version is drawn once.
    // The first frame of a new stream always counts: a backup may have been restored.
    const known = first ? !again && version < newest : version <= newest;
    if (known) { event.preventDefault(); return; }
    newest = version;
    // The first frame of a new stream is old news, so its moment is not played.
    if (first && again) { document.body.dataset.late = ""; setTimeout(() => { delete document.body.dataset.late; }, 500); }
    first = false;
  });
  document.addEventListener("htmx:sse:error", (event) => {
    connected(false);
    // The link is dead (the seat has moved) or the server has forgotten it: the page itself says what to do.
    if (event.detail.status === 403 || event.detail.status === 404) location.reload();
  });
  // The first connection is not retried by the extension: do it here.
  document.addEventListener("htmx:error", (event) => {
    connected(false);
    if (event.detail.ctx && event.detail.ctx.sourceElement === screen && !stream()) setTimeout(reconnect, 1000);
  });
  document.addEventListener("htmx:sse:close", () => { connected(false); setTimeout(() => stream() || reconnect(), 1000); });

  // A reply that the stream has overtaken, or has drawn already, is not drawn; its message is.
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

  // A message goes when it is touched, or after a while.
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
      // A phone that nobody has touched yet may not buzz, and would complain.
      if (navigator.vibrate && (!navigator.userActivation || navigator.userActivation.hasBeenActive)) navigator.vibrate(120);
    };
    light(false);
    document.addEventListener("htmx:after:swap", () => requestAnimationFrame(look));
    document.addEventListener("companion:beat", look);
  }

  // What lay open in the lobby is not what the game begins with.
  const phase = () => { const found = document.querySelector("#moment [data-phase]"); return found ? found.dataset.phase : ""; };
  let lastPhase = phase();
  document.addEventListener("htmx:after:swap", () => {
    if (phase() === lastPhase) return;
    lastPhase = phase();
    for (const fold of document.querySelectorAll("details[open]")) fold.open = false;
  });

  // A phone that plays stays awake, where the browser allows it: over https only.
  if (card && navigator.wakeLock) {
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

  // Three tabs below the card; without this file they lie one below the other.
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

  // What only some screens need, while they need it: a template names the file.
  const fetchScripts = () => { for (const one of document.querySelectorAll("[data-script]")) import(one.dataset.script); };
  fetchScripts();
  document.addEventListener("htmx:after:swap", fetchScripts);

  // A screen reader hears what has just happened.
  const news = document.getElementById("news");
  document.addEventListener("htmx:after:swap", () => {
    const newest = document.querySelector("#history li");
    const words = newest ? newest.textContent.trim() : "";
    if (news && news.textContent !== words) news.textContent = words;
  });

  // A seat that was moved: its new phone says that it is here, as soon as somebody looks at it.
  const arrive = () => {
    const button = !document.hidden && document.querySelector("form.arrive button");
    if (button) button.click();
  };
  addEventListener("load", arrive);
  document.addEventListener("visibilitychange", arrive);

  // Back from sleep, from another app, from a lost Wi-Fi, from the browser's own memory of this page.
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
