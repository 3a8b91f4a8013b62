// Comfort only: steps through a game without loading the page anew, on a board that moves. Without it every turn is a
// page of its own.
import { paceField, parsed, show as move } from "./board.js";

const stage = document.querySelector("[data-replay]");
const slices = new Map();  // first turn of a slice -> the slice, promised
const size = 50;
const firstOf = (turn) => Math.floor(Math.max(0, turn - 1) / size) * size + 1;

function slice(turn) {
  const first = firstOf(turn);
  if (!slices.has(first)) {
    const asked = fetch(`${stage.dataset.replay}?turn=${turn}`).then((answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.json();
    });
    asked.catch(() => slices.delete(first));
    slices.set(first, asked);
  }
  return slices.get(first);
}

// A slice has one drawing; every turn has the insides of the places that it changed.
function drawBoard(part, turn) {
  const holder = document.createElement("template");
  holder.innerHTML = part.board;
  const svg = holder.content.firstElementChild;
  for (const one of part.turns.slice(0, turn - part.first + 1)) {
    svg.querySelector("title").innerHTML = one.title;
    svg.querySelector("desc").innerHTML = one.description;
    for (const [name, inside] of Object.entries(one.places)) {
      svg.querySelector(`[data-place="${CSS.escape(name)}"]`).innerHTML = inside;
    }
  }
  stage.querySelector(".board").replaceChildren(svg);
  stage.querySelector("[data-words]").textContent = svg.querySelector("desc").textContent;
  return svg.querySelector(".pointed-out") !== null;
}

// Turns follow each other by themselves until the end or until the reader does something; never where motion is
// unwanted. They are not announced one by one: where it starts and where it stops is.
function playsByItself({ at, last, show, caption }) {
  const controls = stage.querySelector("[data-by-itself]");
  const [button, pace, said] = ["button", "select", "[role=status]"].map((one) => controls.querySelector(one));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = null;

  function wait() { timer = setTimeout(onward, Number(pace.value)); }

  async function onward() {
    const mine = timer;
    caption.setAttribute("aria-live", "off");
    await show(at() + 1);
    if (timer !== mine) return;  // it was stopped meanwhile
    if (at() < last) wait();
    else stop();
  }

  async function start() {
    if (at() >= last) await show(0);
    said.textContent = `Plays on from turn ${at().toLocaleString("en-GB")}.`;
    button.textContent = "Pause";
    wait();
  }

  function stop() {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    button.textContent = "Play";
    caption.setAttribute("aria-live", "polite");
    said.textContent = at() < last ? `Paused at turn ${at().toLocaleString("en-GB")}.` : "The end.";
  }

  function ask() {
    controls.hidden = still.matches || last === 0;
    if (controls.hidden) stop();
  }

  button.addEventListener("click", () => (timer === null ? start() : stop()));
  still.addEventListener("change", ask);
  document.addEventListener("visibilitychange", () => document.hidden && stop());
  ask();
  return { stop, pace };
}

function begin() {
  const last = Number(stage.dataset.last);
  const summary = stage.querySelector("[data-turn-summary]"), caption = stage.querySelector("[data-caption]");
  const index = document.querySelector("[data-index]"), field = document.getElementById("turn");
  const start = document.createElement("template");
  start.innerHTML = `<h2>The start</h2><p>The board before the first move.</p>`;
  let turn = Number(stage.dataset.turn), shown = firstOf(turn), wanted = turn, moving = null;

  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 0, max: last, value: turn });
  slider.setAttribute("aria-label", "Turn");
  field.form.append(slider);
  document.querySelector(".keys").hidden = false;
  paceField(document.querySelector("[data-pace]"));
  document.querySelectorAll(".no-script").forEach((one) => one.remove());

  async function show(number, remember = true) {
    wanted = Math.min(last, Math.max(0, number));
    const mine = wanted;
    let part;
    try {
      part = await slice(mine);
    } catch {
      return location.assign(`?turn=${mine}`);
    }
    moving?.skip();
    if (mine !== wanted) return;  // another turn was asked for meanwhile
    const next = mine === turn + 1 && part.turns[mine - part.first];
    turn = mine;
    if (next) await move(stage.querySelector(".board svg"), parsed(next.motion), (one) => { moving = one; });
    moving = null;
    if (mine !== wanted) return;
    const touched = drawBoard(part, turn);
    if (turn) summary.innerHTML = part.turns[turn - part.first].html;
    else summary.replaceChildren(start.content.cloneNode(true));
    caption.textContent = turn
      ? `After turn ${turn.toLocaleString("en-GB")} of ${last.toLocaleString("en-GB")}.${touched ? " Brackets point out what it touched." : ""}`
      : `Before the first of ${last.toLocaleString("en-GB")} turns.`;
    if (shown !== part.first) {
      index.innerHTML = part.index;
      shown = part.first;
    }
    for (const one of index.querySelectorAll("[data-turn]")) {
      if (Number(one.dataset.turn) === turn) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    }
    slider.value = field.value = turn;
    step("previous", turn > 0, turn - 1);
    step("next", turn < last, turn + 1);
    if (remember) history.replaceState(null, "", `?turn=${turn}`);
    if (turn < last) slice(turn + 1).catch(() => {});
  }

  function step(name, possible, to) {
    const link = field.form.querySelector(`[data-step="${name}"]`);
    if (possible) {
      link.href = `?turn=${to}`;
      link.removeAttribute("aria-disabled");
    } else {
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
    }
  }

  const { stop, pace } = playsByItself({ at: () => turn, last, show, caption });
  const go = (number) => { stop(); return show(number); };

  const ways = { first: () => 0, previous: () => wanted - 1, next: () => wanted + 1, last: () => last };
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a[data-step]");
    const entry = event.target.closest("[data-index] a");
    if (!link && !entry) return;
    event.preventDefault();
    go(link ? ways[link.dataset.step]() : Number(entry.closest("[data-turn]").dataset.turn));
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(Number(field.value) || 0);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || [field, slider, pace].includes(event.target)) return;
    const by = event.shiftKey ? 10 : 1;
    const to = { ArrowLeft: wanted - by, ArrowRight: wanted + by, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
}

begin();
