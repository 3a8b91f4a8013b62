// Comfort only: moves the map under the pointer and with keys. Without it every view is a page of its own.
import { show } from "./narrowing.js";

const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "=": "+", "−": "-" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawing, world, box, waiting;

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const widthAt = (zoom) => world.width / 2 ** zoom;

function put(left, top, width) {
  const height = width * world.height / world.width;
  box = {
    width, height,
    left: clamp(left, 0, world.width - width),
    top: clamp(top, 0, world.height - height),
  };
  drawing.setAttribute("viewBox", `${box.left} ${box.top} ${box.width} ${box.height}`);
}

function begin() {
  const stage = document.querySelector("[data-stage]");
  stage.classList.add("live");
  drawing = stage.querySelector("svg");
  const [width, height, most] = drawing.dataset.world.split(" ").map(Number);
  world = { width, height, most };
  const [left, top, wide] = drawing.getAttribute("viewBox").split(" ").map(Number);
  put(left, top, wide);
  bringMarksIntoSight(stage);
  drawing.addEventListener("wheel", wheel, { passive: false });
  drawing.addEventListener("pointerdown", grasp);
  drawing.addEventListener("dragstart", (event) => event.preventDefault());
}

// On a narrow screen the drawing is wider than its frame, which would begin with an ocean.
function bringMarksIntoSight(stage) {
  const marks = [...drawing.querySelectorAll("[data-marks] a")].map((one) => one.getBoundingClientRect());
  if (!marks.length || stage.scrollWidth <= stage.clientWidth) return;
  const middle = (Math.min(...marks.map((one) => one.left)) + Math.max(...marks.map((one) => one.right))) / 2;
  stage.scrollLeft += middle - stage.getBoundingClientRect().left - stage.clientWidth / 2;
}

// Moves smoothly to a view, then shows what its own address shows.
function moveTo(zoom, x, y, then) {
  const from = { ...box }, width = widthAt(zoom), height = width * world.height / world.width;
  const to = { left: clamp(x - width / 2, 0, world.width - width), top: clamp(y - height / 2, 0, world.height - height), width };
  const began = performance.now(), lasts = still.matches ? 0 : 220;
  function step(now) {
    const share = lasts ? clamp((now - began) / lasts, 0, 1) : 1, eased = share * (2 - share);
    const between = (name) => from[name] + (to[name] - from[name]) * eased;
    put(between("left"), between("top"), between("width"));
    if (share < 1) requestAnimationFrame(step); else then();
  }
  step(began);
}

function settle() {
  const zoom = clamp(Math.round(Math.log2(world.width / box.width)), 0, world.most);
  const x = Math.round(box.left + box.width / 2), y = Math.round(box.top + box.height / 2);
  const address = new URL(location.href);
  for (const [name, value] of Object.entries({ z: zoom, x, y })) address.searchParams.set(name, value);
  for (const name of zoom ? ["page"] : ["page", "x", "y"]) address.searchParams.delete(name);
  address.hash = "";
  show(address);
}

function wheel(event) {
  const width = clamp(box.width * Math.exp(event.deltaY * (event.deltaMode ? 0.04 : 0.002)), widthAt(world.most), world.width);
  if (width === box.width) return;  // nothing to be had: let the page scroll
  event.preventDefault();
  const frame = drawing.getBoundingClientRect();
  const across = (event.clientX - frame.left) / frame.width, down = (event.clientY - frame.top) / frame.height;
  const height = width * world.height / world.width;
  put(box.left + across * (box.width - width), box.top + down * (box.height - height), width);
  clearTimeout(waiting);
  waiting = setTimeout(settle, 300);
}

// A finger scrolls the page, and the drawing within it; a mouse or a pen moves the map.
function grasp(event) {
  if (event.button || event.pointerType === "touch") return;
  const held = drawing, start = { ...box }, frame = held.getBoundingClientRect();
  let moved = false;
  const move = (now) => {
    const across = now.clientX - event.clientX, down = now.clientY - event.clientY;
    if (!moved && Math.hypot(across, down) < 5) return;
    moved = true;
    clearTimeout(waiting);
    held.parentElement.classList.add("held");
    put(start.left - across / frame.width * start.width, start.top - down / frame.height * start.height, start.width);
  };
  const end = () => {
    document.removeEventListener("pointermove", move);
    held.parentElement?.classList.remove("held");
    if (!moved) return;
    // The click that ends a drag is none.
    document.addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
    setTimeout(settle);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end, { once: true });
  document.addEventListener("pointercancel", end, { once: true });
}

document.addEventListener("keydown", (event) => {
  if (!event.target.closest("[data-stage]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = document.querySelector(`.steer a[data-key="${CSS.escape(ARROWS[event.key] ?? event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
// The map moves to what an address shows before that is fetched.
document.addEventListener("htmx:confirm", (event) => {
  const at = new URL(event.detail.path, location.href).searchParams, here = new URL(location.href).searchParams;
  if (event.detail.elt.id !== "part" || !at.has("z") || ["z", "x", "y"].every((name) => at.get(name) === here.get(name))) return;
  event.preventDefault();
  clearTimeout(waiting);
  const zoom = Number(at.get("z") ?? 0);
  moveTo(zoom, Number(at.get("x") ?? world.width / 2), Number(at.get("y") ?? world.height / 2), () => event.detail.issueRequest(true));
});
document.addEventListener("htmx:load", begin);
begin();
