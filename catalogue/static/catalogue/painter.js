// A click on the sheet is sent as the form beside it would send it, and what comes back takes the place of what was
// there. Clicks that come while one is on its way wait for it. Without this the forms do the same.
const painter = () => document.querySelector("#painter");
let waiting = Promise.resolve();

const soon = (task) => { waiting = waiting.then(task).catch(() => location.reload()); };

async function load(address, options = {}) {
  const answer = await fetch(address, options);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#painter");
  if (!fresh) { location.assign(answer.url); return; }
  const focused = document.activeElement?.id;
  const scrolled = [...painter().querySelectorAll(".painter > section")].map((part) => part.scrollTop);
  for (const details of painter().querySelectorAll("details[id]")) {
    const same = fresh.querySelector(`#${details.id}`);
    if (same && details.id !== "gallery") same.open = details.open;
  }
  painter().replaceWith(fresh);
  [...fresh.querySelectorAll(".painter > section")].forEach((part, place) => { part.scrollTop = scrolled[place] ?? 0; });
  const url = new URL(answer.url);
  history.replaceState(null, "", url.pathname + url.search);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.querySelector("#heard").textContent = fresh.querySelector("#did").textContent.trim();
}

// Where a click is, as one would type it: the name of what it meets, or so many steps right and up.
function meant(sheet, event) {
  const named = event.target.closest("[data-at]");
  const tool = painter().querySelector("#look [name=tool]").value;
  const makes = ["line", "bend", "point", "square", "block"].includes(tool);
  if (named && !(makes && named.dataset.at.includes(" "))) return named.dataset.at;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.getScreenCTM().inverse());
  const { unit, left, high } = sheet.dataset;
  return `${(Number(left) + x / unit).toFixed(3)},${(Number(high) - y / unit).toFixed(3)}`;
}

function strike(sheet, event) {
  const at = meant(sheet, event);
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.getScreenCTM().inverse());
  const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of Object.entries({ class: "pending", cx: x, cy: y, r: 7 })) dot.setAttribute(name, value);
  sheet.append(dot);
  soon(() => {
    const form = painter().querySelector("#strike");
    const data = new FormData(form);
    data.set("at", at);
    data.set("pointed", "1");
    return load(form.getAttribute("action"), { method: "post", body: data });
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-look]");
  const sheet = event.target.closest("svg.sheet");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const name = link.id;
    soon(() => load((name && document.getElementById(name)?.href) || link.href));
  } else if (sheet && painter().querySelector("#strike")) {
    strike(sheet, event);
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!painter().contains(form)) return;
  event.preventDefault();
  const button = event.submitter;
  // What was typed is sent as it stands; under which number, as the page knows it by then.
  const data = new FormData(form, button);
  soon(() => {
    const address = form.getAttribute("action");
    if (form.method === "get") return load(`${address}?${new URLSearchParams(data)}`);
    data.set("number", painter().querySelector("[name=number]").value);
    return load(address, { method: "post", body: data });
  });
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("#look");
  if (form) form.requestSubmit();
});

document.addEventListener("input", (event) => {
  if (event.target.id === "opacity") painter().querySelector(".under")?.setAttribute("opacity", event.target.value / 100);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Escape") painter().querySelector("[data-end]")?.click();
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) {
    event.preventDefault();
    const button = painter().querySelector("#undo");
    if (button && !button.disabled) button.click();
  }
});
