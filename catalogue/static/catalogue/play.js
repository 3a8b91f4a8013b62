// Comfort only: a board that moves, moves by pointing to its places, and a page that turns by itself. Without it there
// are buttons.
import { lot, pace, paceField, parsed, show as move } from "./board.js";

const main = document.getElementById("content");
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let chosen = [];
let at = null;  // the place the reader was at in the board that is being replaced
let before = null;  // that board, and after how many plies it stood
let moving = null;  // what is shown moving now

const places = () => [...main.querySelectorAll("[data-board] [data-place]")];
const place = (name) => places().find((one) => one.dataset.place === name);
const moves = () => [...main.querySelectorAll("[data-moves]:not([hidden]) [data-places]")];
const named = (move) => move.dataset.places.split(" ").filter(Boolean);
const open = (names) => moves().filter((move) => names.every((name, at) => named(move)[at] === name));

// The plies since the board that stood here are shown on it, one after the other; then comes the new board.
async function arrive() {
  if (moving) return;  // one answer arrives in several parts
  const was = before;
  before = null;
  const figure = main.querySelector("[data-board]"), svg = figure?.querySelector("svg");
  const told = figure?.dataset.motion.split("|") ?? [], plies = Number(figure?.dataset.plies);
  const thrown = was?.thrown;
  const fresh = was && was.plies < plies ? told.slice(Math.max(0, told.length - (plies - was.plies))) : [];
  if (svg && fresh.length && was.plies + fresh.length === plies) {
    moving = { svg };
    delete main.dataset.arrived;
    main.dataset.moving = "";  // the end is told when it has been seen
    was.svg.querySelectorAll(".arrow").forEach((one) => one.remove());
    was.svg.querySelectorAll(".open, .chosen").forEach((one) => one.classList.remove("open", "chosen"));
    figure.replaceChildren(was.svg);
    const haste = Math.min(1, 5 / fresh.length);
    for (const [at, text] of fresh.entries()) {
      // What was thrown by hand is not thrown again.
      const steps = parsed(text).filter(([kind]) => !(at === 0 && thrown && kind === "throw"));
      if (!moving.skipped) await move(was.svg, steps, (stage) => { moving.stage = stage; }, haste);
    }
    if (figure.isConnected) figure.replaceChildren(svg);
    moving = null;
    delete main.dataset.moving;
    if (pace()) main.dataset.arrived = "";
  }
  if (!figure || figure.isConnected) begin();
}

function skip() {
  if (!moving) return;
  moving.skipped = true;
  moving.stage?.skip();
}

function begin() {
  chosen = [];
  const svg = main.querySelector("[data-board] svg");
  const playing = moves().length > 0;
  if (svg && playing) {
    svg.setAttribute("role", "group");
    for (const one of places()) {
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", [one.dataset.place, (one.querySelector("title") ?? one.querySelector(".count") ?? one).textContent.trim()].filter(Boolean).join(": "));
      one.setAttribute("tabindex", "-1");
    }
    main.querySelector("[data-how]")?.removeAttribute("hidden");
  }
  offerThrow();
  if (main.querySelector("[data-moves][hidden]")) main.querySelector(".throw")?.previousElementSibling?.focus({ preventScroll: true });
  const field = main.querySelector("[data-pace]");
  if (field && !field.dataset.ready) {
    field.dataset.ready = "yes";
    paceField(field);
  }
  show();
  if (at) stay(main.querySelector("[data-choice]") || place(at));
  at = null;
}

// The focus stays where the reader was, also on a board on which nothing more can be played.
function stay(one) {
  if (!one) return;
  if (one.dataset.place && !one.hasAttribute("tabindex")) one.setAttribute("tabindex", "-1");
  one.focus({ preventScroll: true });
}

// The lots are thrown by a button, and lie beside the words that say what they came to.
function offerThrow() {
  const said = main.querySelector(".throw[data-lots]:not([data-thrown])"), steps = parsed(said?.dataset.lots);
  if (!steps.length) return;
  said.dataset.thrown = "";
  const [, kind] = steps[0], lots = document.createElement("span");
  lots.className = "lots";
  for (const [, , faces] of steps) for (const face of faces.split(",")) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "-15 -16 30 32");
    picture.append(lot(kind, Number(face)));
    lots.append(picture);
  }
  said.prepend(lots);
  if (!pace() || !moves().length) return;
  const list = main.querySelector("[data-moves]"), button = document.createElement("button");
  button.type = "button";
  button.textContent = kind === "cowries" ? "Throw the cowries" : "Throw the dice";
  [said.hidden, list.hidden] = [true, true];
  said.before(button);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await move(main.querySelector("[data-board] svg"), steps);
    button.remove();
    [said.hidden, list.hidden] = [false, false];
    said.dataset.thrown = "by hand";
    show();
  });
}

// Which places may be pointed to now, and which moves are left by those that were.
function show() {
  const left = open(chosen);
  const next = new Set(left.map((move) => named(move)[chosen.length]).filter(Boolean));
  for (const one of places()) {
    const name = one.dataset.place;
    one.classList.toggle("open", next.has(name));
    one.classList.toggle("chosen", chosen.includes(name));
    if (one.hasAttribute("tabindex")) one.setAttribute("tabindex", next.has(name) || chosen.includes(name) ? "0" : "-1");
  }
  for (const move of moves()) if (move.matches("button")) move.hidden = chosen.length > 0 && !left.includes(move);
  pointWays(left);
}

// Where a hole can be sown either way, an arrow on each side of it; the moves are written > and < as their player sees
// them, who sits at the other side of the board in the upper row.
const WIDE = 26, HIGH = 44;  // pixels that a finger can touch
function pointWays(left) {
  const svg = main.querySelector("[data-board] svg");
  svg?.querySelectorAll(".arrow").forEach((one) => one.remove());
  if (!svg || chosen.length !== 1 || left.length < 2 || !left.every((move) => /^[a-z][<>]$/.test(move.dataset.name))) return;
  const box = place(chosen[0]).querySelector(".spot").getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2], isUpper = y < svg.viewBox.baseVal.height / 2;
  const pixel = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;  // in units of the drawing
  const wide = Math.max(40, WIDE * pixel), high = Math.max(60, HIGH * pixel);
  for (const move of left) {
    const way = (move.dataset.name.includes(">") ? 1 : -1) * (isUpper ? -1 : 1), tip = x + way * 42, foot = x + way * 14;
    const arrow = document.createElementNS("http://www.w3.org/2000/svg", "g");
    // What can be touched is larger than what is drawn.
    const [touch, drawn] = ["rect", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    const edges = { x: way > 0 ? x + 4 : x - 4 - wide, y: y - high / 2, width: wide, height: high, fill: "transparent", stroke: "none" };
    for (const [key, value] of Object.entries(edges)) touch.setAttribute(key, value);
    drawn.setAttribute("d", `M${tip} ${y}L${foot} ${y - 18}V${y + 18}z`);
    arrow.append(touch, drawn);
    arrow.setAttribute("class", "arrow");
    arrow.setAttribute("role", "button");
    arrow.setAttribute("tabindex", "0");
    arrow.setAttribute("aria-label", move.textContent.trim());
    arrow.addEventListener("click", (event) => { event.stopPropagation(); send(move); });
    arrow.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); send(move); } });
    svg.append(arrow);
  }
}

function point(name) {
  if (!moves().length) return;
  if (chosen.at(-1) === name) { chosen = []; return show(); }
  let names = [...chosen, name];
  if (!open(names).length && chosen.length && open([name]).length) names = [name];
  const left = open(names);
  if (!left.length) return attempt(names);
  chosen = names;
  const eager = main.querySelector("[data-board]").dataset.board === "race";
  if (left.length === 1 && (eager || named(left[0]).length === names.length)) return send(left[0]);
  show();
  const complete = left.filter((move) => named(move).length === names.length);
  if (complete.length === left.length) (main.querySelector(".arrow") ?? left[0]).focus?.({ preventScroll: true });
}

function send(move) {
  if (move.matches("button")) return move.click();
  move.selected = true;
  move.closest("form").requestSubmit();
}

function attempt(names) {
  const typed = main.querySelector("#typed");
  typed.value = names.join(" ");
  typed.form.requestSubmit();
}

// The place nearest in a direction: near ones first, those far to the side last.
function beside(from, [x, y]) {
  const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [a, b] = middle(from);
  let best = null, least = Infinity;
  for (const one of places()) {
    const [c, d] = middle(one);
    const ahead = (c - a) * x + (d - b) * y, aside = Math.abs((c - a) * y) + Math.abs((d - b) * x);
    if (ahead > 1 && ahead + 2 * aside < least) [best, least] = [one, ahead + 2 * aside];
  }
  return best;
}

main.addEventListener("click", (event) => {
  if (moving && event.target.closest("[data-board]")) return skip();
  const pointed = event.target.closest("[data-board] [data-place]");
  if (pointed) point(pointed.dataset.place);
});

main.addEventListener("keydown", (event) => {
  const at = event.target.closest?.("[data-board] [data-place]");
  if (!at) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); point(at.dataset.place); }
  else if (event.key === "Escape") { chosen = []; show(); }
  else if (KEYS[event.key]) { event.preventDefault(); beside(at, KEYS[event.key])?.focus(); }
});

// A move that is refused is told on a page of its own status, which takes the place of this one all the same.
main.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status < 500) [detail.shouldSwap, detail.isError] = [true, false];
  const focused = document.activeElement;
  at = focused?.dataset?.place ?? (focused?.closest?.("[data-moves]") ? moves()[0] && named(moves()[0])[0] : null) ?? at;
  const figure = main.querySelector("[data-board]");
  if (figure) before = { svg: moving?.svg ?? figure.querySelector("svg"), plies: Number(figure.dataset.plies), thrown: !!main.querySelector("[data-thrown='by hand']") };
  skip();
});
// Whoever waits for a reply asks again anyway; else an answer that cannot be put into this page is gone to.
for (const kind of ["htmx:responseError", "htmx:sendError"]) {
  main.addEventListener(kind, ({ detail }) => {
    if (!detail.elt.matches(".standing, #advice *")) location.assign(detail.pathInfo.finalRequestPath);
  });
}
// A screen in a room begins anew when nobody has touched it for a while.
if (main.dataset.beginsAnew) {
  let untouched = null;
  const wait = () => {
    clearTimeout(untouched);
    untouched = setTimeout(() => location.assign(main.dataset.start), 1000 * Number(main.dataset.beginsAnew));
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wait);
  // And it leads nowhere else.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.pathname !== new URL(main.dataset.start, location).pathname) event.preventDefault();
  }, true);
  wait();
}
document.addEventListener("htmx:load", ({ target }) => target.closest("#advice") || arrive());
begin();
