// The theatre of The Traitors. Every screen counts the discussion down and goes dark before an event,
// so that no phone tells it before the laptop does; only the laptop (`kind-x`) makes sounds.
(() => {
  "use strict";
  const screen = document.getElementById("screen");
  if (!screen) return;

  // -- the discussion timer, on every screen
  const count = () => {
    for (const clock of document.querySelectorAll(".timer [data-until]")) {
      const left = Math.max(0, Math.round(Number(clock.dataset.until) - Date.now() / 1000));
      const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      if (clock.textContent !== words) clock.textContent = words;
    }
  };
  count();
  setInterval(count, 250);
  new MutationObserver(count).observe(screen, { subtree: true, childList: true, characterData: true });
  const laptop = document.body.classList.contains("kind-x");

  // -- sound, made here: no files, and one button that is remembered
  const KEY = "companion.traitors.muted";
  const recall = () => { try { return localStorage.getItem(KEY) === "yes"; } catch { return false; } };
  let muted = recall();
  let audio = null;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sound";
  const label = () => {
    if (!laptop) return;
    const words = document.querySelector("[data-sound-on]"); // translated by the server; there once the game runs
    if (!words) return;
    const now = muted ? words.dataset.soundOff : words.dataset.soundOn;
    if (button.textContent !== now) button.textContent = now;
    if (!button.isConnected) document.querySelector(".top").append(button);
  };
  button.addEventListener("click", () => {
    muted = !muted;
    try { localStorage.setItem(KEY, muted ? "yes" : "no"); } catch { /* private windows forget */ }
    label();
    play("knock");
  });
  label();

  const wake = () => {
    if (laptop && !audio && window.AudioContext) audio = new AudioContext();
    if (audio && audio.state === "suspended") audio.resume();
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);

  // One note: a pitch that may glide, a soft start, a long end.
  const note = (from, to, at, long, loud, shape = "sine") => {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = shape;
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, start + long);
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.06, long / 4));
    volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + long + 0.05);
  };
  const toll = (at = 0) => { for (const [n, loud] of [[1, 0.3], [2.4, 0.14], [3.9, 0.07]]) note(98 * n, 97 * n, at, 3.2, loud); };
  const heart = (at) => { note(64, 38, at, 0.22, 0.6); note(58, 34, at + 0.26, 0.26, 0.45); };
  const SOUNDS = {
    murder: () => { note(46, 52, 0, 2.4, 0.3, "sawtooth"); heart(0.5); heart(1.4); note(880, 210, 2.2, 1.4, 0.16, "triangle"); },
    banishment: () => { toll(0); toll(1.2); },
    final: () => { toll(0); toll(0.9); toll(1.8); },
    quiet: () => { for (const [i, n] of [392, 494, 587, 784].entries()) note(n, n, 0.5 + i * 0.35, 1.8, 0.1); },
    marked: () => { heart(0); heart(0.8); note(70, 30, 1.6, 1.6, 0.6, "triangle"); },
    nobody: () => { note(220, 330, 0, 1.6, 0.12); },
    shield: () => { for (const n of [523, 784, 1175]) note(n, n * 0.995, 0, 1.2, 0.1, "triangle"); },
    murdered: () => { note(110, 36, 0, 2.2, 0.4, "sawtooth"); },
    banished: () => toll(0),
    vote: () => note(262, 262, 0, 0.5, 0.12, "triangle"),
    knock: () => { note(190, 70, 0, 0.16, 0.6); note(150, 60, 0.18, 0.2, 0.4); },
    tied: () => { note(233, 233, 0, 1.2, 0.14, "triangle"); note(247, 247, 0, 1.2, 0.14, "triangle"); },
    ending: () => toll(0),
    gold: () => { for (const [i, n] of [784, 988, 1175, 1568].entries()) note(n, n, i * 0.12, 0.6, 0.1, "triangle"); },
    over: () => { for (const [i, n] of [392, 494, 587, 784, 988].entries()) note(n, n, i * 0.16, 1.6, 0.12, "triangle"); },
  };
  const play = (what) => {
    if (!laptop) return;
    document.documentElement.dataset.sound = muted ? "" : what;
    if (muted || !audio || audio.state !== "running" || !SOUNDS[what]) return;
    SOUNDS[what]();
  };

  // -- the pause before an event is seen
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const PAUSES = ["murder", "banishment", "final", "quiet", "marked", "nobody"];
  const pause = () => {
    if (calm.matches) return;
    for (const old of document.querySelectorAll(".curtain")) old.remove();
    const curtain = document.createElement("button");
    curtain.type = "button";
    curtain.className = "curtain";
    const ember = document.createElement("span");
    ember.textContent = "…";
    curtain.append(ember);
    curtain.addEventListener("click", () => curtain.remove());
    curtain.addEventListener("animationend", (event) => { if (event.target === curtain) curtain.remove(); });
    document.body.append(curtain);
  };

  let seen = document.querySelector("[data-cue]")?.dataset.cue;
  const look = () => {
    label();
    const cue = document.querySelector("[data-cue]")?.dataset.cue;
    if (!cue || cue === seen) return;
    const first = seen === undefined;
    seen = cue;
    if (first) return;
    const what = cue.split(".")[0];
    if (PAUSES.includes(what)) pause();
    play(what);
  };
  new MutationObserver(look).observe(screen, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-cue"] });
})();
