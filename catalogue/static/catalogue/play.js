// Comfort only: moves by pointing to places of the board, and a page that turns by itself. Without it there are buttons.
const main = document.getElementById("content");
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let chosen = [];
let at = null;  // the place the reader was at in the board that is being replaced

const places = () => [...main.querySelectorAll("[data-board] [data-place]")];
const place = (name) => places().find((one) => one.dataset.place === name);
const moves = () => [...main.querySelectorAll("[data-moves] [data-places]")];
const named = (move) => move.dataset.places.split(" ").filter(Boolean);
const open = (names) => moves().filter((move) => names.every((name, at) => named(move)[at] === name));

function begin() {
  chosen = [];
  const svg = main.querySelector("[data-board] svg");
  const playing = moves().length > 0;
  if (svg && playing) {
    svg.setAttribute("role", "group");
    for (const one of places()) {
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", [one.dataset.place, (one.querySelector("title") ?? one).textContent.trim()].filter(Boolean).join(": "));
      one.setAttribute("tabindex", "-1");
    }
    main.querySelector("[data-how]")?.removeAttribute("hidden");
  }
  show();
  if (at) (main.querySelector("[data-choice]") || place(at))?.focus({ preventScroll: true });
  at = null;
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
  if (complete.length === left.length) left[0].focus?.();
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
  at = document.activeElement?.dataset?.place;
});
// Whoever waits for a reply asks again anyway; else an answer that cannot be put into this page is gone to.
for (const kind of ["htmx:responseError", "htmx:sendError"]) {
  main.addEventListener(kind, ({ detail }) => {
    if (!detail.elt.matches(".standing, #advice *")) location.assign(detail.pathInfo.finalRequestPath);
  });
}
document.addEventListener("htmx:load", ({ target }) => target.closest("#advice") || begin());
begin();
