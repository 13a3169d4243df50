// Measures layout faults of a page: text that is cut off, covered or too small, and elements that do not fit.
// `look.py` runs it in frames of all sizes together; each finding is [what is wrong, where, how much].
(() => {
  const round = (n) => Math.round(n * 10) / 10;
  const box = (rect) => ({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });

  const called = (el) => {
    const one = (e) => e.localName + (e.id ? `#${e.id}` : "") + [...e.classList].map((c) => `.${c}`).join("");
    const parent = el.parentElement;
    const words = el.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    return (parent && parent.localName !== "body" ? `${one(parent)} > ` : "") + one(el) + (words ? ` “${words}”` : "");
  };

  const turnedAway = (el, win) => {
    for (let e = el; e; e = e.parentElement) {
      const style = win.getComputedStyle(e);
      if (style.backfaceVisibility !== "hidden") continue;
      for (let up = e; up; up = up.parentElement) {
        const turn = win.getComputedStyle(up).transform;
        if (turn.startsWith("matrix3d") && new win.DOMMatrix(turn).m33 < 0) return true;
      }
    }
    return false;
  };

  const readAloudOnly = (el) => el.closest(".visually-hidden") !== null;

  const seen = (el) =>
    el.checkVisibility({ opacityProperty: true, visibilityProperty: true, checkOpacity: true, checkVisibilityCSS: true });

  const around = (lines) => ({
    left: Math.min(...lines.map((line) => line.left)), right: Math.max(...lines.map((line) => line.right)),
    top: Math.min(...lines.map((line) => line.top)), bottom: Math.max(...lines.map((line) => line.bottom)),
  });

  /** Every visible text, with its lines and font size. */
  const texts = (doc, root) => {
    const win = doc.defaultView, found = [];
    const walker = doc.createTreeWalker(root, 4 /* text */);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const el = node.parentElement;
      if (!node.data.trim() || el.closest("script, style, noscript, option, datalist, title, desc")) continue;
      if (!seen(el) || readAloudOnly(el) || turnedAway(el, win)) continue;
      const range = doc.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((r) => r.width > 0.5 && r.height > 0.5).map(box);
      let size = parseFloat(win.getComputedStyle(el).fontSize);
      const svg = el.closest("svg");
      if (svg && el.getScreenCTM) size *= Math.abs(el.getScreenCTM().d) || 1;
      if (lines.length) found.push({ el, lines, size, all: around(lines) });
    }
    return found;
  };

  /** The boxes that clip this element: its ancestors that clip or scroll, and the window. */
  const clips = (el, win, known) => {
    const found = [];
    let free = false; // only its containing block and what is around that clip an absolute element
    for (let e = el; e; e = e.parentElement) {
      if (!known.has(e)) {
        const style = win.getComputedStyle(e);
        const rect = e.getBoundingClientRect();
        const cuts = style.overflowX !== "visible" || style.overflowY !== "visible";
        known.set(e, {
          position: style.position,
          holds: style.position !== "static" || style.transform !== "none" || style.contain.includes("paint") || style.containerType !== "normal",
          scrolls: /auto|scroll/.test(style.overflowX + style.overflowY),
          cuts: cuts && e !== win.document.documentElement && e !== win.document.body && style.display !== "inline",
          box: { left: rect.left + e.clientLeft, top: rect.top + e.clientTop, right: rect.right - e.clientLeft, bottom: rect.bottom - e.clientTop },
          el: e,
        });
      }
      const it = known.get(e);
      if (free && it.holds) free = false;
      if (it.cuts && !free) found.push(it);
      if (it.position === "absolute" && !(it.cuts && e !== el)) free = true;
      if (it.position === "absolute") free = true;
      if (it.position === "fixed") break;
    }
    return found;
  };

  const cutOff = (text, clip, slack) => {
    for (const line of text.lines) {
      const out = {
        left: clip.left - line.left, right: line.right - clip.right,
        top: clip.top - line.top - slack, bottom: line.bottom - clip.bottom - slack,
      };
      for (const side of ["right", "bottom", "left", "top"]) if (out[side] > 1.5) return `${side} by ${round(out[side])} px`;
    }
    return "";
  };

  /** Whether something opaque covers the middle of this line. */
  const covers = (doc, el, line) => {
    const win = doc.defaultView, x = (line.left + line.right) / 2, y = (line.top + line.bottom) / 2;
    if (el.contains(doc.elementFromPoint(x, y))) return null;
    for (const at of doc.elementsFromPoint(x, y)) {
      if (at === el || at.contains(el) || el.contains(at)) return null;
      const style = win.getComputedStyle(at), [, , , alpha = "1"] = style.backgroundColor.match(/[\d.]+/g) || [];
      const paints = style.backgroundColor !== "transparent" && Number(alpha) > 0.6 && (style.maskImage || "none") === "none";
      if (seen(at) && Number(style.opacity) > 0.6 && (paints || at.matches("img, canvas, svg.qr"))) return at;
    }
    return null;
  };

  const across = (a, b, slackA, slackB) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left) - 2;
    const high = Math.min(a.bottom - slackA, b.bottom - slackB) - Math.max(a.top + slackA, b.top + slackB) - 1;
    return wide > 0 && high > 0 ? `${round(wide)} x ${round(high)} px` : "";
  };

  const tooWide = (doc, add) => {
    const win = doc.defaultView, page = doc.scrollingElement;
    if (page.scrollWidth <= win.innerWidth + 1) return;
    const wide = [...doc.body.querySelectorAll("*")].filter((e) => seen(e) && e.getBoundingClientRect().right > win.innerWidth + 1);
    const deepest = wide.filter((e) => !wide.some((other) => other !== e && e.contains(other)));
    add("wider than the screen", deepest[0] || doc.body, `${page.scrollWidth} px instead of ${win.innerWidth}`);
  };

  const stage = (doc) => {
    const win = doc.defaultView, found = [], known = new Map();
    const add = (what, el, detail) => found.push([what, called(el), detail]);
    const short = Math.min(win.innerWidth, win.innerHeight), screen = { left: 0, top: 0, right: win.innerWidth, bottom: win.innerHeight };
    const root = doc.querySelector(".stage") || doc.querySelector("#screen") || doc.body;
    tooWide(doc, add);
    if (doc.scrollingElement.scrollHeight > win.innerHeight + 1) add("scrolls", doc.body, `${doc.scrollingElement.scrollHeight} px instead of ${win.innerHeight}`);
    const all = texts(doc, root);
    for (const text of all) {
      const slack = 0.22 * text.size, share = (100 * text.size) / short;
      let cut = cutOff(text, screen, slack);
      if (cut) add("cut off by the screen", text.el, cut);
      for (const clip of cut ? [] : clips(text.el, win, known)) {
        cut = cutOff(text, clip.box, slack);
        if (cut) { add(clip.scrolls ? "has to be scrolled" : "cut off", text.el, `${cut}, by ${called(clip.el).split(" “")[0]}`); break; }
      }
      const name = text.el.closest(".name:not(.is-free *)") && !text.el.closest("small"), figure = text.el.closest(".figure");
      const least = figure ? 10 : name ? 4.5 : 2.2;
      if (share < least * 0.985) add(figure ? "figure too small" : name ? "name too small" : "letters too small", text.el, `${round(share)} % of the shorter side instead of ${least}`);
      if (cut) continue;
      for (const line of text.lines) {
        const cover = covers(doc, text.el, line);
        if (cover) { add("covered", text.el, `by ${called(cover)}`); break; }
      }
    }
    all.forEach((one, place) => {
      for (const other of all.slice(place + 1)) {
        if (!across(one.all, other.all, 0, 0) || one.el === other.el || one.el.contains(other.el) || other.el.contains(one.el)) continue;
        const both = one.lines.flatMap((a) => other.lines.map((b) => across(a, b, 0.2 * one.size, 0.2 * other.size))).find(Boolean);
        if (both) add("texts overlap", one.el, `with ${called(other.el)}, ${both}`);
      }
    });
    for (const button of doc.querySelectorAll("#acts button, #acts a")) {
      if (!seen(button)) continue;
      const rect = box(button.getBoundingClientRect());
      if (rect.top < -1 || rect.left < -1 || rect.right > screen.right + 1 || rect.bottom > screen.bottom + 1) add("cut off by the screen", button, "a button");
      for (const text of all) {
        if (button.closest("#acts").contains(text.el)) continue;
        const both = text.lines.map((line) => across(line, rect, 0.2 * text.size, 0)).find(Boolean);
        if (both) add("button over text", button, `over ${called(text.el)}, ${both}`);
      }
    }
    const panel = doc.querySelector(".drawer:not([open]) .drawer-panel, dialog:not([open])");
    for (const el of panel ? [panel, ...panel.querySelectorAll("*")] : []) {
      const rect = el.getBoundingClientRect();
      if (seen(el) && rect.width > 1 && rect.height > 1 && rect.right > 0 && rect.bottom > 0 && rect.left < screen.right && rect.top < screen.bottom) {
        add("drawer shows though it is closed", el, ""); break;
      }
    }
    if (doc.querySelector(".gathering")) {
      const code = doc.querySelector(".stage .qr") || doc.querySelector(".qr");
      const rect = code ? code.getBoundingClientRect() : { width: 0, height: 0 };
      const share = (100 * Math.min(rect.width, rect.height)) / short;
      if (share < 44.9) add("QR code too small", code || doc.body, `${round(share)} % of the shorter side instead of 45`);
    }
    return found;
  };

  /** A phone: the card's main button above the fold, and nothing wider than the screen. */
  const phone = (doc) => {
    const win = doc.defaultView, found = [];
    const add = (what, el, detail) => found.push([what, called(el), detail]);
    tooWide(doc, add);
    for (const field of doc.querySelectorAll("input:not([type=radio], [type=checkbox], [type=hidden], [type=range]), select")) {
      const size = parseFloat(win.getComputedStyle(field).fontSize);
      if (size < 16) add("an iPhone zooms in on it", field, `letters of ${round(size)} px instead of 16`);
    }
    const card = doc.querySelector("#you");
    if (!card) return found;
    if (doc.documentElement.dataset.large) return found;
    const shown = [...card.querySelectorAll("button, a.button")].filter((b) => seen(b) && !b.closest("details:not([open])"));
    const main = shown.find((b) => b.matches(".primary")) || shown[0];
    if (!main) return found;
    const rect = main.getBoundingClientRect();
    if (rect.bottom > win.innerHeight + 1) add("below the fold", main, `ends at ${Math.round(rect.bottom)} of ${win.innerHeight} px`);
    else {
      const cover = covers(doc, main, rect);
      if (cover) add("covered", main, `by ${called(cover)}`);
    }
    return found;
  };

  /** Without scripts nothing may be missing: everything outside closed folds is visible. */
  const plain = (doc) => {
    const found = [];
    for (const region of doc.querySelectorAll(".region")) {
      if (!region.textContent.trim() || region.closest("details:not([open])") || region.closest("[hidden]")) continue;
      const read = [region, ...region.querySelectorAll("*")].some((el) => el.textContent.trim() && seen(el) && el.getBoundingClientRect().height > 1);
      if (!read && !region.querySelector("details")) found.push(["missing without scripts", called(region), ""]);
    }
    return found;
  };

  /** Skip to the end of all animations. */
  const rest = (doc) => {
    for (const moving of doc.getAnimations()) {
      try { moving.finish(); } catch { moving.cancel(); }
    }
  };

  const swap = (doc, html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    doc.documentElement.replaceChild(doc.adoptNode(fresh.body), doc.body);
    void doc.body.offsetHeight;
    rest(doc);
    return doc;
  };

  globalThis.companionLook = {
    checks: { stage, phone, plain },
    rest,
    /** Show this page and run axe-core, unless it has no new kind of element. */
    async axe(html, known) {
      swap(document, html);
      const kinds = new Set();
      for (const el of document.body.querySelectorAll("*")) {
        kinds.add([el.localName, el.className.baseVal ?? el.className, el.getAttribute("role"), el.hasAttribute("aria-label"), el.type].join(" "));
      }
      const news = [...kinds].filter((kind) => !known.includes(kind));
      if (!news.length) return [[], []];
      const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
      return [violations.flatMap((v) => v.nodes.map((node) => [`axe: ${v.id}`, node.target.join(" "), v.help])), news];
    },
    /** Open this page in frames of these sizes ([width, height, text in percent]). */
    async open(url, sizes) {
      document.body.replaceChildren();
      await Promise.all(sizes.map(([wide, high, large]) => new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.width = wide; frame.height = high; frame.style.border = "0"; frame.style.display = "block";
        frame.onload = () => {
          if (large !== 100) {
            frame.contentDocument.documentElement.style.fontSize = `${large}%`;
            frame.contentDocument.documentElement.dataset.large = large;
          }
          done();
        };
        frame.src = url;
        document.body.append(frame);
      })));
    },
    /** Show this page in every frame, and return the findings of each. */
    async look(html, check) {
      const frames = [...document.querySelectorAll("iframe")];
      const docs = frames.map((frame) => swap(frame.contentDocument, html));
      await Promise.all(docs.map((doc) => doc.fonts.ready));
      return docs.map((doc) => this.checks[check](doc));
    },
  };
})();
