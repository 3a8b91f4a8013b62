// Comfort only: the board of the first page plays a few turns, over and over, while it is seen; never where motion is
// unwanted, and not after its button says so.
import { pace, parsed, show } from "./board.js";

const REST = 500;  // milliseconds between turns: more and the board seems to stand still
const SLOWER = 1.6;  // than at the table: what moves is seen for the first time
const figure = document.querySelector("[data-demonstration]");
const button = figure.querySelector("[data-toggle]");
const start = figure.querySelector("svg");
const plies = figure.dataset.motion.split("|");
let playing = true, seen = false, at = 0, under = false;

const rest = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

async function play() {
  if (under) return;
  under = true;
  while (playing && seen && !document.hidden) {
    if (at === 0) figure.querySelector("svg").replaceWith(start.cloneNode(true));
    await rest(REST);
    if (!(playing && seen)) break;
    await show(figure.querySelector("svg"), parsed(plies[at]), () => {}, SLOWER);
    at = (at + 1) % plies.length;
  }
  under = false;
}

if (pace()) {
  button.hidden = false;
  button.addEventListener("click", () => {
    playing = !playing;
    button.textContent = playing ? "Pause" : "Go on";
    play();
  });
  document.addEventListener("visibilitychange", play);
  new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; play(); }).observe(figure);
}
