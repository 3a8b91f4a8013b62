// Comfort only: moves by pointing to places of the board, and a page that turns by itself. Without it there are buttons.
const main = document.getElementById("content");
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let chosen = [];
let going = 0;

const places = () => [...main.querySelectorAll("[data-board] [data-place]")];
const place = (name) => places().find((one) => one.dataset.place === name);
const moves = () => [...main.querySelectorAll("[data-moves] [data-places]")];
const named = (move) => move.dataset.places.split(" ").filter(Boolean);
const open = (names) => moves().filter((move) => names.every((name, at) => named(move)[at] === name));

// Fetch the page of what comes next and put it in the place of this one; the address holds the game, so it is kept.
async function go(address, add = true) {
  const mine = ++going;
  let answer, text;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" } });
    text = await answer.text();
  } catch {
    if (mine === going) setTimeout(() => go(address, add), 1500);  // the site is away for a moment
    return;
  }
  if (mine !== going) return;
  const next = new DOMParser().parseFromString(text, "text/html");
  const content = next.getElementById("content");
  if (!content) return location.assign(address);
  const at = document.activeElement?.dataset?.place;
  main.replaceChildren(...content.childNodes);
  document.title = next.title;
  const here = answer.status === 400 ? location.href : answer.url;
  if (here !== location.href) history[add ? "pushState" : "replaceState"](null, "", here);
  begin(at);
}

function begin(at) {
  chosen = [];
  const svg = main.querySelector("[data-board] svg");
  const playing = moves().length > 0;
  if (svg && playing) {
    svg.setAttribute("role", "group");
    for (const one of places()) {
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", one.dataset.place);
      one.setAttribute("tabindex", "-1");
    }
    main.querySelector("[data-how]")?.removeAttribute("hidden");
  }
  show();
  if (at) (main.querySelector("[data-choice]") || place(at))?.focus({ preventScroll: true });
  if (main.querySelector("[data-waiting]")) wait();
}

let looks = 0;
function wait() {
  const mine = going;
  const pause = Math.min(2000, 250 + 150 * looks++);
  setTimeout(() => { if (mine === going) go(location.href, false); }, pause);
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
  if (left.length === 1 && (eager || named(left[0]).length === names.length)) return send(left[0].value);
  show();
  const complete = left.filter((move) => named(move).length === names.length);
  if (complete.length === left.length) left[0].focus?.();
}

function address(form, extra) {
  const asked = new URLSearchParams(new FormData(form));
  asked.delete("move");
  asked.set("move", extra);
  return `${location.pathname}?${asked}`;
}

const send = (word) => { looks = 0; return go(address(main.querySelector("[data-moves]"), word)); };
const attempt = (names) => go(address(main.querySelector("[data-moves]"), names.join(" ")));

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
  if (pointed) return point(pointed.dataset.place);
  const link = event.target.closest("a[data-go]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); looks = 0; go(link.href); }
});

main.addEventListener("keydown", (event) => {
  const at = event.target.closest?.("[data-board] [data-place]");
  if (!at) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); point(at.dataset.place); }
  else if (event.key === "Escape") { chosen = []; show(); }
  else if (KEYS[event.key]) { event.preventDefault(); beside(at, KEYS[event.key])?.focus(); }
});

main.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches(".moves, .typed")) return;
  event.preventDefault();
  looks = 0;
  go(address(form, event.submitter?.name === "move" ? event.submitter.value : new FormData(form).get("move")));
});

window.addEventListener("popstate", () => go(location.href, false));
begin();
