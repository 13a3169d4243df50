// The sound of the shared screen (kind-x), synthesised without audio files: one sound for each kind of moment, a low tone
// while a vote is open, and ticks in the last ten seconds. It follows the beats: it rises in the curtain, is silent in
// the hold, and plays with the reveal. Nothing is told by sound alone.
(() => {
  "use strict";
  const page = document.documentElement;
  const { body } = document;
  if (!body.classList.contains("kind-x")) return; // only one device in the room makes sound

  // ---- the volume, from 0 (off) to 1, stored in this browser
  const KEY = "companion.volume";
  const recall = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  let volume = Math.min(1, Math.max(0, Number(recall() ?? 0.7) || 0));
  const span = ({ min, max }) => [Number(min) || 0, Number(max || 100)];
  const slider = document.getElementById("volume");
  if (slider) {
    const [least, most] = span(slider);
    slider.value = least + volume * (most - least);
  }
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "volume") return;
    const [least, most] = span(target);
    volume = (Number(target.value) - least) / (most - least);
    try { localStorage.setItem(KEY, String(volume)); } catch { /* private windows forget */ }
    if (audio) output.gain.setTargetAtTime(volume ** 2, audio.currentTime, 0.03); // squared, so that half sounds like half
    if (!volume) page.dataset.sound = "";
    bed();
  });
  document.addEventListener("change", ({ target }) => { if (target.id === "volume") sound("volume"); });

  // ---- the audio graph: voices → the bus of a beat → (the room's echo) → a limiter → the volume
  let audio = null, output = null, entry = null, bus = null, hiss = null;
  const joined = (node, into) => { node.connect(into); return node; };
  const gain = (value, into) => joined(new GainNode(audio, { gain: value }), into);
  const noise = (seconds, fall) => {
    const length = seconds * audio.sampleRate, buffer = audio.createBuffer(2, length, audio.sampleRate);
    for (const side of [0, 1]) {
      buffer.copyToChannel(Float32Array.from({ length }, (_, i) => (Math.random() * 2 - 1) * (1 - i / length) ** fall), side);
    }
    return buffer;
  };
  const build = () => {
    audio = new AudioContext();
    output = gain(volume ** 2, audio.destination);
    const limits = { threshold: -12, ratio: 16, attack: 0.002, release: 0.2 };
    const limiter = joined(new DynamicsCompressorNode(audio, limits), gain(0.55, output));
    const hall = joined(new ConvolverNode(audio, { buffer: noise(2.4, 7) }), gain(0.6, limiter));
    entry = new BiquadFilterNode(audio, { type: "highpass", frequency: 55 }); // lower tones only make small speakers rattle
    entry.connect(limiter);
    entry.connect(hall);
    hiss = noise(2, 0);
    audio.onstatechange = bed;
  };
  // Browsers allow sound only after somebody has touched the page.
  const wake = () => {
    if (!audio && window.AudioContext) build();
    if (audio && audio.state !== "running") audio.resume().catch(() => {});
  };
  for (const gesture of ["pointerdown", "click", "keydown"]) addEventListener(gesture, wake); // a touch counts as a click
  const cut = (seconds) => { if (bus) bus.gain.setTargetAtTime(0, audio.currentTime, seconds / 4); bus = null; };

  // ---- voices. Pitches are MIDI numbers (62 is the D above middle C), times are seconds from now.
  const hz = (pitch) => 440 * 2 ** ((pitch - 69) / 12);
  const envelope = (at, rise, long, loud, kept = 0) => {
    const node = gain(0, bus), t = audio.currentTime + at;
    node.gain.setValueAtTime(0, t);
    node.gain.linearRampToValueAtTime(loud, t + rise);
    if (kept) node.gain.exponentialRampToValueAtTime(loud * kept, t + long * 0.6);
    node.gain.exponentialRampToValueAtTime(loud / 1000, t + long);
    return node;
  };
  const tone = (shape, from, to, at, long, into) => {
    const node = joined(new OscillatorNode(audio, { type: shape }), into), t = audio.currentTime + at;
    node.frequency.setValueAtTime(hz(from), t);
    node.frequency.exponentialRampToValueAtTime(hz(to), t + long);
    node.start(t);
    node.stop(t + long);
  };
  const filter = (type, from, to, at, long, into) => {
    const node = joined(new BiquadFilterNode(audio, { type }), into), t = audio.currentTime + at;
    node.frequency.setValueAtTime(from, t);
    node.frequency.exponentialRampToValueAtTime(to, t + long);
    return node;
  };
  // The partials of a church bell, in semitones from its note: how loud each is, and how long it rings.
  const PARTIALS = [
    [-12, 0.5, 1], [0, 1, 0.9], [3, 0.6, 0.6], [7, 0.3, 0.5], [12, 0.5, 0.4], [17.5, 0.25, 0.3], [29, 0.1, 0.1],
  ];
  const bell = (pitch, at = 0, long = 3.5, loud = 0.3) => {
    for (const [up, much, share] of PARTIALS) {
      tone("sine", pitch + up, pitch + up, at, long * share, envelope(at, 0.004, long * share, loud * much));
    }
  };
  const sweep = (from, to, at, long, loud, rise) => {
    const shaped = filter("bandpass", from, to, at, long, envelope(at, long * rise, long, loud));
    const node = joined(new AudioBufferSourceNode(audio, { buffer: hiss, loop: true }), shaped), t = audio.currentTime + at;
    node.start(t, Math.random());
    node.stop(t + long);
  };
  const click = (at, high = 2400, loud = 0.5) => sweep(high, high / 2, at, 0.05, loud, 0.05);
  const drum = (at = 0, loud = 0.8, pitch = 38, long = 0.7) => {
    tone("sine", pitch + 24, pitch, at, 0.12, envelope(at, 0.003, 0.15, loud * 0.8));
    tone("triangle", pitch + 12, pitch + 7, at, long, envelope(at, 0.01, long, loud * 0.35)); // for small speakers, which can't play lower tones
    tone("triangle", pitch, pitch - 2, at + 0.05, long, envelope(at + 0.05, 0.02, long, loud * 0.5));
    sweep(1100, 240, at, 0.14, loud * 1.2, 0.02); // the drum skin
  };
  const heart = (at) => { drum(at, 0.6, 34, 0.25); drum(at + 0.27, 0.4, 31, 0.3); };
  const brass = (pitches, at = 0, long = 1.2, loud = 0.16, glide = 0) => {
    const bright = filter("lowpass", 3200, 600, at, long, envelope(at, 0.04, long, loud, 0.5));
    const doubled = pitches.flatMap((pitch) => [pitch - 0.07, pitch + 0.06]);
    for (const pitch of doubled) tone("sawtooth", pitch, pitch + glide, at, long, bright);
  };
  const pluck = (pitch, at = 0, loud = 0.25, long = 0.7) => {
    tone("triangle", pitch, pitch, at, long, envelope(at, 0.004, long, loud));
    tone("sine", pitch + 12, pitch + 12, at, long / 2, envelope(at, 0.004, long / 2, loud / 2));
  };
  const chord = (pitches, at = 0, long = 2.5, loud = 0.1) => {
    for (const pitch of pitches) tone("triangle", pitch, pitch, at, long, envelope(at, 0.12, long, loud, 0.5));
  };
  const run = (pitches, step, at = 0, voice = pluck) => pitches.forEach((pitch, i) => voice(pitch, at + i * step));
  const chime = (loud) => (pitch, at) => bell(pitch, at, 2.4, loud);
  const dice = () => {
    for (const at of [0, 0.06, 0.13, 0.19, 0.28, 0.38, 0.52, 0.7]) click(at, 1800 + 900 * ((at * 37) % 1), 1.2);
  };
  const coins = (long, at = 0) => {
    for (let i = 0; i * 0.11 < long; i += 1) bell([93, 98, 95, 100][i % 4], at + i * 0.11, 0.5, 0.1);
  };

  // ---- the sound of each kind's reveal. All are in D: minor is danger, major is relief, a tritone is a lie.
  const KINDS = {
    tool() { dice(); },
    reveal() { drum(0, 0.4); chord([50, 57, 62, 69]); pluck(74); },
    murder() {
      drum(0, 1); brass([38, 39, 50, 51, 57], 0, 2.6, 0.15); sweep(5200, 300, 0, 0.9, 0.5, 0.02); heart(1.1); heart(2.1);
    },
    banishment() { bell(57, 0, 4, 0.4); drum(0, 0.5); bell(57, 1.3, 4, 0.35); chord([38, 45, 53], 0, 3); },
    final() { for (const at of [0, 0.95, 1.9]) { bell(50, at, 4, 0.34); drum(at); } brass([38, 45, 50, 53], 1.9, 3, 0.14); },
    quiet() { chord([50, 57, 66], 0, 4, 0.06); run([74, 78, 81, 86], 0.36, 0, chime(0.14)); },
    marked() { heart(0); heart(0.85); drum(1.6, 1); brass([38, 44, 50, 56], 1.6, 2.2, 0.17); },
    nobody() { sweep(300, 1600, 0, 1.6, 0.14, 0.6); chord([50, 57, 62, 67], 0, 1.4); chord([50, 57, 62, 66], 1, 3); },
    shield() { drum(0, 0.7, 43); run([74, 81, 86], 0.03, 0, chime(0.2)); sweep(3000, 7000, 0, 0.5, 0.2, 0.02); },
    murdered() { drum(0, 1); brass([50, 53, 56], 0, 2.6, 0.2, -19); bell(38, 0.3, 4); },
    banished() { sweep(240, 90, 0, 1, 0.7, 0.3); drum(0.7, 1, 33, 1); bell(57, 0.9, 4, 0.35); },
    faithful() {
      drum(0, 0.6); brass([50, 57, 62, 66], 0, 2.8, 0.13); chord([62, 66, 69, 74], 0, 4, 0.06);
      run([78, 81, 86, 90], 0.14, 0.2, chime(0.11));
    },
    traitor() {
      drum(0, 1, 33, 1); brass([38, 44, 47, 51, 56], 0, 3, 0.15); bell(45, 0.1, 4, 0.3); sweep(900, 90, 0.1, 1.6, 0.3, 0.1);
    },
    vote() { click(0, 1600, 1); drum(0.03, 0.4, 43, 0.3); pluck(62, 0.03, 0.3); },
    deciding() { click(0, 1600, 0.7); drum(0.03, 1); brass([38, 50, 57], 0.03, 2, 0.18); bell(62, 0.03, 3, 0.25); },
    tied() { for (const at of [0, 0.6]) { drum(at, 0.7); brass([51, 57, 58], at, 1 + at, 0.18); } },
    survivor() { run([62, 66, 69, 74], 0.12); chord([62, 66, 69], 0.36); },
    fund(long) { coins(long); chord([50, 57, 62, 66, 69], long, 3, 0.12); bell(86, long, 2.5, 0.14); },
    challenge() { sweep(600, 4200, 0, 0.22, 0.6, 0.9); drum(0.2, 1); brass([50, 56, 62], 0.2, 0.9, 0.22); },
    true() { run([69, 74, 78], 0.11); bell(81, 0.33, 2.4, 0.2); brass([50, 57, 62, 66], 0.33, 1.6, 0.1); },
    gamble() {
      drum(); brass([57], 0, 0.35, 0.24, -1); brass([56], 0.36, 0.35, 0.24, -1); brass([55, 49], 0.72, 1.5, 0.24, -3);
    },
    five() { run([62, 66, 69, 74, 78], 0.1, 0, chime(0.2)); drum(0.5); brass([50, 57, 62, 66], 0.5, 2); },
    chest() {
      click(0, 900, 1.4); sweep(260, 900, 0.1, 0.7, 0.3, 0.7); chord([50, 57, 62, 66, 74], 0.6, 3, 0.12); coins(0.8, 0.7);
    },
    switch() { sweep(400, 3200, 0, 0.45, 0.4, 0.8); run([62, 69], 0.22); run([69, 62], 0.22, 0.11); drum(0.45, 0.6); },
    battle() { dice(); drum(0.75, 0.9); drum(0.92, 0.7); brass([38, 45, 50], 0.75, 1.4, 0.18); },
    crown() { dice(); drum(0.8, 0.9); brass([43, 50, 55, 59], 0.8, 0.5, 0.14); brass([45, 52, 57, 61], 1.15, 2, 0.14); },
    lastroll() {
      dice(); for (let i = 1; i < 10; i += 1) drum(i * 0.09, i * 0.05, 45, 0.15);
      drum(0.95, 1); brass([38, 45, 50, 53, 57], 0.95, 3, 0.14); bell(50, 0.95, 4, 0.25);
    },
    eliminated() { run([43, 40, 36], 0.4, 0, (pitch, at) => drum(at, 0.9, pitch)); brass([50, 53], 0.8, 2.2, 0.2, -12); },
    shuffle() {
      for (let i = 0; i < 16; i += 1) click(0.5 - 0.5 * (1 - i / 16) ** 2, 1500 + i * 110, 0.9);
      click(0.62, 900, 1.4); run([57, 64, 71], 0.07, 0.64);
    },
    scene() { sweep(200, 2400, 0, 0.8, 0.25, 0.7); bell(78, 0.6, 3, 0.15); chord([43, 54, 59, 62, 69], 0.5, 3); },
    winner() {
      for (const at of [0, 0.18, 0.36]) { brass([57, 62], at, 0.3); drum(at, 0.5); }
      drum(0.6, 1); brass([50, 57, 62, 66, 69], 0.6, 3); run([74, 78, 81, 86], 0.12, 0.7, chime(0.13));
    },
    night() {
      KINDS.winner(); drum(2, 1); brass([43, 55, 59, 62, 67], 2, 1, 0.14);
      drum(2.8, 1); brass([38, 50, 57, 62, 66, 74], 2.8, 3.6, 0.14); bell(62, 2.8, 4); coins(1.4, 3);
    },
    gold() { coins(0.5); run([69, 74, 78, 81], 0.1, 0.1); },
  };
  const CUES = {
    volume() { bell(74, 0, 1.2); },
    ring() { run([81, 81, 81, 86], 0.3, 0, chime(0.4)); },
    tick(left) {
      click(0, 3200, 1);
      if (left > 3) { pluck(74, 0, 0.2, 0.15); } else { pluck(81, 0, 0.3, 0.15); drum(0, 0.5, 38, 0.2); }
    },
    // It rises and stops. It is always the same, because the curtain must not give the answer away.
    curtain(long) {
      const opening = filter("lowpass", 120, 2000, 0, long, envelope(0, long * 0.96, long, 0.22));
      for (const pitch of [38, 38.1, 45, 50, 51]) tone("sawtooth", pitch, pitch, 0, long, opening);
      sweep(200, 2600, 0, long, 0.16, 0.96);
    },
  };
  const sound = (what, how, sounds = CUES) => {
    page.dataset.sound = volume ? what : ""; // the last requested sound, even if it was not heard (for tests)
    if (!volume || !audio || audio.state !== "running") return;
    cut(0.3);
    bus = gain(1, entry);
    sounds[what](how);
  };

  // ---- the bed: a low fifth that swells and fades while a vote is open, and stops when a moment begins
  let drone = null;
  const bed = () => {
    const asked = document.querySelector(".stage[data-bed], .stage [data-bed], #stage [data-bed]");
    const wanted = asked && volume && !body.dataset.beat;
    page.dataset.soundBed = wanted ? "on" : "off";
    if (wanted && !drone && audio && audio.state === "running") {
      const t = audio.currentTime;
      drone = { level: gain(0, entry), voices: [] };
      drone.level.gain.setTargetAtTime(0.07, t, 1);
      const low = filter("lowpass", 300, 420, 0, 4, drone.level);
      for (const [pitch, into] of [[38, low], [38.1, low], [45, low], [-49, gain(150, low.frequency)]]) {
        const type = pitch > 0 ? "sawtooth" : "sine"; // the last one is not a note: its 0.5 Hz make the tone swell and fade
        const voice = joined(new OscillatorNode(audio, { type, frequency: hz(pitch) }), into);
        voice.start();
        drone.voices.push(voice);
      }
    } else if (!wanted && drone) {
      drone.level.gain.setTargetAtTime(0, audio.currentTime, 0.2);
      for (const voice of drone.voices) voice.stop(audio.currentTime + 1.5);
      drone = null;
    }
  };
  new MutationObserver(bed).observe(body, { subtree: true, childList: true, attributeFilter: ["data-bed"] });

  // ---- beats and clocks, from moments.js
  document.addEventListener("companion:beat", ({ detail: { kind, beat, ms } }) => {
    if (beat === "curtain") sound("curtain", ms / 1000);
    if (beat === "hold") cut(0.2); // silence
    if (beat === "reveal") sound(Object.keys(KINDS).includes(kind) ? kind : "reveal", ms / 1000, KINDS);
    bed();
  });
  let second = "";
  document.addEventListener("companion:clock", ({ target, detail: { left } }) => {
    const now = `${target.dataset.until} ${left}`;
    // The table's clock rings when its time is up, but not on a page that opens later.
    if (left === 0 && second === `${target.dataset.until} 1` && target.closest(".tool-clock")) sound("ring");
    if (now === second || left < 1 || left > 10 || body.dataset.beat || !target.getClientRects().length) return;
    second = now;
    sound("tick", left);
  });
  bed();
})();
