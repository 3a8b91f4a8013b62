// A board that moves: shows on a drawing, step by step, what a ply did (the steps are those of `board_sheet.Step`).
// The drawing that follows has the last word, so that whatever is left out here is set right by it.
const NS = "http://www.w3.org/2000/svg";
const KEPT = "pace";
export const PACES = { slow: 2.2, usual: 1, fast: 0.4, off: 0 };
const MOST_SECONDS = 12;  // of a turn at the usual pace: longer relays go faster
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function pace() {
  if (still.matches) return 0;
  let kept = null;
  try { kept = localStorage.getItem(KEPT); } catch { /* no storage: the usual pace */ }
  return PACES[kept] ?? PACES.usual;
}

// A choice of the pace, which is kept; hidden where motion is unwanted.
export function paceField(select) {
  select.value = Object.keys(PACES).find((name) => PACES[name] === pace()) ?? "off";
  select.addEventListener("change", () => { try { localStorage.setItem(KEPT, select.value); } catch { /* for this page only */ } });
  const ask = () => { select.closest("label").hidden = still.matches; };
  still.addEventListener("change", ask);
  ask();
}

export const parsed = (text) => (text ? text.split(";").filter(Boolean).map((step) => step.split(" ")) : []);

const shape = (name, attributes) => {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

// Counters lie as `families/sowing/drawing.py` lays them: in a hole as in the head of a sunflower, in a store in rows.
const TURN = Math.PI * (3 - Math.sqrt(5)), IN_HOLE = 22, IN_STORE = 75;
const dots = (places) => places.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
const sunflower = (n, x, y) => Array.from({ length: Math.min(n, IN_HOLE) }, (_, i) => {
  const far = 4.5 * Math.sqrt(i + 0.5);
  return [x + far * Math.cos(i * TURN), y + far * Math.sin(i * TURN)];
});
const heap = (n, middle, foot) => Array.from({ length: Math.min(n, IN_STORE) },
  (_, i) => [middle + (i % 5 - 2) * 9.2, foot - 9 - Math.floor(i / 5) * 8.2]);

class Stage {
  constructor(svg, share) {
    this.svg = svg;
    this.share = share;
    this.over = shape("g", { class: "moving", "pointer-events": "none", stroke: "none" });
    svg.append(this.over);
    this.running = new Set();
    this.skipped = false;
    this.hand = 0;
    this.at = null;  // where the hand is
  }

  place(name) { return this.svg.querySelector(`[data-place="${CSS.escape(name)}"]`); }

  box(name) { return (this.place(name).querySelector(".spot") ?? this.place(name)).getBBox(); }

  middle(name) { const box = this.box(name); return [box.x + box.width / 2, box.y + box.height / 2]; }

  count(name) { return Number(this.place(name).querySelector(".count")?.textContent ?? 0); }

  // `silent`: the number beside the hole stays for now, as its counters are still above it.
  hold(name, n, silent = false) {
    const place = this.place(name), spot = place.querySelector(".spot"), box = spot.getBBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const lie = spot.localName === "circle" ? sunflower(n, ...middle) : heap(n, middle[0], box.y + box.height);
    place.querySelector(".seeds")?.setAttribute("d", dots(lie));
    const count = place.querySelector(".count");
    if (count && !silent) count.textContent = n;
  }

  async animate(node, frames, ms, easing = "ease-in-out") {
    if (this.skipped) return;
    const motion = node.animate(frames, { duration: ms * this.share, easing, fill: "forwards" });
    this.running.add(motion);
    await motion.finished.catch(() => {});
    this.running.delete(motion);
  }

  skip() {
    this.skipped = true;
    for (const motion of this.running) motion.finish();
  }

  // Moves what is drawn round (0, 0) or, with `from`, where it stands.
  travel(node, from, to, ms, high = 0) {
    const [x, y] = from, [a, b] = to, lift = Math.min(y, b) - high;
    const frames = [`translate(${x}px, ${y}px)`, ...(high ? [`translate(${(x + a) / 2}px, ${lift}px)`] : []), `translate(${a}px, ${b}px)`];
    return this.animate(node, frames.map((transform) => ({ transform })), ms);
  }

  cluster(n) {
    const group = shape("g", {});
    group.append(shape("path", { class: "seeds", d: dots(sunflower(n, 0, 0)), "stroke-width": 7, "stroke-linecap": "round" }));
    this.over.append(group);
    return group;
  }

  // The piece of a place: the last that is drawn there, taken out of it or, where several stand together, copied.
  piece(name) {
    const place = this.place(name), pieces = place.querySelectorAll(".piece"), last = pieces[pieces.length - 1];
    if (!last) return null;
    const copy = last.cloneNode();
    const number = last.nextElementSibling?.matches(".on-piece") ? last.nextElementSibling : null;
    if (number && Number(number.textContent) > 2) number.textContent -= 1;
    else if (number) number.remove();
    else if (!place.matches("[data-place^=hand]")) last.remove();
    if (last.way) [copy.way, copy.style.transform] = [last.way, last.style.transform];
    this.over.append(copy);
    return copy;
  }

  // A piece goes through these places, from where it stands, and stands on the last. `way`: how far it is from where
  // it was drawn.
  async goes(from, names, ms, high = 0) {
    const copy = this.piece(from);
    if (!copy) return;
    const box = copy.getBBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const name of names) {
      const [a, b] = this.middle(name), before = copy.way ?? [0, 0];
      copy.way = [a - x, b - y];
      await this.travel(copy, before, copy.way, ms, high);
    }
    copy.style.transform = `translate(${copy.way[0]}px, ${copy.way[1]}px)`;
    this.place(names.at(-1)).append(copy);
  }
}

const STEPS = {
  async lift(stage, name) {
    stage.hand = stage.count(name);
    stage.hold(name, 0, true);
    stage.carried?.remove();
    stage.carried = stage.cluster(stage.hand);
    stage.at = stage.middle(name);
    await stage.animate(stage.carried, [1, 1.25].map((scale) => ({ transform: `translate(${stage.at[0]}px, ${stage.at[1]}px) scale(${scale})` })), 160);
    stage.hold(name, 0);
  },
  async drop(stage, name) {
    const to = stage.middle(name);
    if (!stage.carried) return stage.hold(name, stage.count(name) + 1);
    await stage.travel(stage.carried, stage.at, to, stage.quick);
    stage.at = to;
    stage.hand -= 1;
    stage.hold(name, stage.count(name) + 1);
    stage.carried.firstChild.setAttribute("d", dots(sunflower(stage.hand, 0, 0)));
    if (stage.hand <= 0) { stage.carried.remove(); stage.carried = null; }
  },
  async take(stage, name, to, n) {
    const taken = stage.cluster(Number(n));
    const left = Math.max(0, stage.count(name) - n);
    stage.hold(name, left, true);
    await stage.travel(taken, stage.middle(name), stage.middle(to), 420, 14);
    taken.remove();
    stage.hold(name, left);
    stage.hold(to, stage.count(to) + Number(n));
  },
  slide: (stage, from, to) => stage.goes(from, [to], 300),
  leap: (stage, from, to) => stage.goes(from, [to], 380, 22),
  lay: (stage, from, to) => stage.goes(from, [to], 320, 10),
  walk: (stage, from, ...way) => stage.goes(from, way, 130, 5),
  return: (stage, from, to) => stage.goes(from, [to], 450, 16),
  async remove(stage, name) {
    const copy = stage.piece(name);
    if (!copy) return;
    await stage.animate(copy, [{ opacity: 1 }, { opacity: 0 }], 260);
    copy.remove();
  },
  async throw(stage, kind, faces) {
    const shown = faces.split(","), { width, height } = stage.svg.viewBox.baseVal;
    const group = shape("g", {});
    stage.over.append(group);
    await Promise.all(shown.map((face, at) => {
      const one = lot(kind, Number(face));
      group.append(one);
      const to = [width / 2 + (at - (shown.length - 1) / 2) * 34, height / 2];
      const fall = [[to[0] - 60 + 20 * at, -20, 0], [to[0] + 8, to[1] - 18, 500], [...to, 720]];
      return stage.animate(one, fall.map(([x, y, angle]) => ({ transform: `translate(${x}px, ${y}px) rotate(${angle}deg)` })), 480, "ease-out");
    }));
    await stage.animate(group, [{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], 450);
    group.remove();
  },
};

// A cowry with its mouth up or down, or a die with its pips, round (0, 0).
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
export function lot(kind, face) {
  const group = shape("g", { class: `lot ${kind}` });
  if (kind === "cowries") {
    group.append(shape("ellipse", { class: "shell", rx: 11, ry: 14 }));
    group.append(shape("path", face
      ? { class: "mouth", d: "M0 -10V10M-3 -7H3M-3 -3.5H3M-3 0H3M-3 3.5H3M-3 7H3" }
      : { class: "back", d: "M-5 -7Q0 -11 5 -7" }));
  } else {
    group.append(shape("rect", { class: "shell", x: -12, y: -12, width: 24, height: 24, rx: 4 }));
    const pips = (PIPS[face] ?? []).map((at) => [(at % 3 - 1) * 7, (Math.floor(at / 3) - 1) * 7]);
    group.append(shape("path", { class: "pips", d: dots(pips), "stroke-linecap": "round" }));
  }
  return group;
}

// Shows the steps on the drawing; resolves when they are done, at once where motion is off. `onStage` is given what
// can be skipped. haste: below 1 where many plies are shown one after the other
export async function show(svg, steps, onStage = () => {}, haste = 1) {
  const share = pace() * haste;
  if (!share || !steps.length) return;
  const stage = new Stage(svg, share);
  const drops = steps.filter(([kind]) => kind === "drop").length;
  stage.quick = Math.min(150, Math.max(16, (MOST_SECONDS * 1000) / Math.max(1, drops)));
  onStage(stage);
  for (const [kind, ...names] of steps) {
    if (stage.skipped) break;
    if (kind !== "throw" && !stage.place(names[0])) continue;
    await STEPS[kind]?.(stage, ...names);
  }
  stage.over.remove();
}
