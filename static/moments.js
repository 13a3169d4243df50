// Plays the moments of a table, which are data in the page, on every screen with the same timing, and counts clocks down:
//   <p hidden data-moment="murder.3" data-kind="murder" data-curtain="700" data-hold="2400" data-reveal="1400"
//      data-says="MURDER">
// While one plays, <body> has data-moment (its kind) and data-beat: first curtain, then hold, then reveal. At rest it has
// neither. Style sheets do the rest. With reduced motion they don't animate, but keep the same times, so that no screen
// shows the answer before another. The page itself is the picture at rest, so nothing is missing without this file.
(() => {
  "use strict";
  const { body } = document;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- beats
  const BEATS = ["curtain", "hold", "reveal"];
  let playing = null;

  // For scripts that add more than style to a beat, such as sound; `ms` is how long the beat lasts.
  const tell = ({ kind, says }, beat, ms) => {
    document.dispatchEvent(new CustomEvent("companion:beat", { detail: { kind, beat, says, ms } }));
  };

  const enter = (beat, ms) => {
    playing.beat = beat;
    playing.beatBegan = performance.now();
    body.dataset.beat = beat;
    count();
    tell(playing, beat, ms);
  };

  const rest = () => {
    if (!playing) return;
    const ended = playing;
    playing = null;
    ended.timers.forEach(clearTimeout);
    delete body.dataset.beat;
    delete body.dataset.moment;
    settle();
    tell(ended, "rest", 0);
  };

  const play = (moment) => {
    rest(); // a new moment replaces the one that is playing
    const lasts = {};
    for (const beat of BEATS) lasts[beat] = Math.max(0, Number(moment.dataset[beat]) || 0);
    const kind = moment.dataset.kind || moment.dataset.moment.split(".")[0];
    playing = { kind, says: moment.dataset.says || "", reveal: lasts.reveal, timers: [] };
    body.dataset.moment = kind;
    const mine = playing;
    let at = 0;
    const then = (act) => {
      if (at) mine.timers.push(setTimeout(act, at));
      else act(); // set it before the next paint
    };
    for (const beat of BEATS) {
      // Skip a beat of zero length, but never the reveal.
      if (lasts[beat] || beat === "reveal") then(() => enter(beat, lasts[beat]));
      at += lasts[beat];
    }
    mine.ends = Date.now() + at;
    then(rest);
  };

  // A phone that slept through a moment wakes up after it: its timers have stopped meanwhile.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && playing && Date.now() > playing.ends) rest();
  });

  // ---- figures: [data-from="3"] counts from 3 to the number that the server wrote into it
  // Numbers that we write end with a comment node. A swap removes it, even if it brings the same number, so we can always
  // tell the server's number from ours.
  const figures = new Map();
  let drawing = 0;

  const read = (figure) => {
    const text = figure.textContent;
    const to = Number(text.trim().replace("−", "-"));
    if (figure.childElementCount || !text.trim() || Number.isNaN(to)) return null;
    return { text, to, shown: null, mark: document.createComment("counting") };
  };

  const share = () => {
    if (playing.beat !== "reveal" || calm.matches || !playing.reveal) return 0;
    return Math.min(1, (performance.now() - playing.beatBegan) / playing.reveal);
  };

  const count = () => {
    if (!playing) return;
    for (const figure of document.querySelectorAll("[data-from]")) {
      let counted = figures.get(figure);
      if (!counted || figure.lastChild !== counted.mark) {
        counted = read(figure);
        if (!counted) { figures.delete(figure); continue; }
        figures.set(figure, counted);
      }
      const from = Number(figure.dataset.from) || 0;
      const value = from + Math.trunc((counted.to - from) * share());
      if (value === counted.shown) continue;
      counted.shown = value;
      figure.textContent = String(value);
      figure.append(counted.mark);
    }
    if (figures.size && playing.beat === "reveal" && !calm.matches && !drawing) {
      drawing = requestAnimationFrame(() => { drawing = 0; count(); });
    }
  };

  // At rest, every figure is exactly what the server wrote.
  const settle = () => {
    for (const [figure, { text, mark }] of figures) if (figure.lastChild === mark) figure.textContent = text;
    figures.clear();
  };

  // ---- clocks: [data-until="unix seconds"] shows the minutes and seconds that are left
  let ticking = 0;
  const tick = () => {
    const clocks = document.querySelectorAll("[data-until]");
    for (const clock of clocks) {
      const left = Math.max(0, Math.round(Number(clock.dataset.until) - Date.now() / 1000));
      const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      if (clock.textContent === words) continue;
      clock.textContent = words;
      clock.dispatchEvent(new CustomEvent("companion:clock", { bubbles: true, detail: { left } }));
    }
    if (clocks.length && !ticking) ticking = setInterval(tick, 250);
    if (!clocks.length && ticking) { clearInterval(ticking); ticking = 0; }
  };

  // ---- changes from the server
  const declared = () => document.querySelector("#moment [data-moment]");
  const nameOf = (moment) => (moment ? moment.dataset.moment : "");
  // A page that is opened for its moment (`data-at-load`) plays it, once in each window.
  const isNews = (moment) => {
    if (!moment || !("atLoad" in moment.dataset)) return false;
    try {
      const key = `companion.played ${location.pathname} ${nameOf(moment)}`;
      if (sessionStorage.getItem(key)) return false;
      sessionStorage.setItem(key, "yes");
    } catch { /* a private window plays it again */ }
    return true;
  };
  let known = isNews(declared()) ? "" : nameOf(declared());
  // Show what the table tools drew or rolled for a while (`tool-shown`), on every screen.
  const tool = () => document.querySelector("#moment [data-tool]");
  const drawn = () => (tool() ? tool().dataset.tool : "");
  let shown = drawn(), hiding = 0;
  const show = () => {
    if (drawn() === shown) return;
    shown = drawn();
    clearTimeout(hiding);
    body.classList.toggle("tool-shown", shown !== "" && !("late" in body.dataset));
    hiding = setTimeout(() => body.classList.remove("tool-shown"), 7000);
    if (shown && !playing) tell({ kind: "tool", says: tool().dataset.says }, "reveal", 1000);
  };
  const look = () => {
    const moment = declared();
    if (nameOf(moment) !== known) {
      known = nameOf(moment);
      // Don't play a moment after a reconnection, since it may be long over, or one that taking back brings again.
      if (moment && !("late" in body.dataset || "late" in moment.dataset)) play(moment); else rest();
    }
    show();
    count();
    tick();
  };
  // A MutationObserver runs after all regions of a frame are in place and before they are painted.
  new MutationObserver(look).observe(body, {
    subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ["data-moment", "data-from", "data-until", "data-tool"],
  });
  look();
})();
