// Comfort only: shows another part of the records without loading the page anew, and draws a slider beside the years.
// Without it every choice is a page of its own.
const form = document.querySelector("[data-narrow]");
const told = document.createElement("p");
told.className = "visually-hidden";
told.setAttribute("aria-live", "polite");
document.body.append(told);
let asked = null, slider = null;

const part = () => document.querySelector("[data-part]");

// The element of the new part that the reader was at in the old one: the same button, the same mark, else the stage.
function sameIn(fresh, focused) {
  if (!focused || !part().contains(focused)) return null;
  const { key } = focused.dataset, label = focused.getAttribute("aria-label");
  return (key && fresh.querySelector(`[data-key="${CSS.escape(key)}"]`))
    || (label && fresh.querySelector(`[aria-label="${CSS.escape(label)}"]`))
    || fresh.querySelector("[data-stage]");
}

function fillForm(address) {
  for (const field of form.elements) {
    if (field.name && field.type !== "hidden") field.value = address.searchParams.get(field.name) ?? "";
  }
  slider?.fromFields();
}

/** Shows what an address shows. how: "pushState", "replaceState", or "" if the address is that of the page already. */
export async function show(target, how = "pushState") {
  const address = new URL(target, location.href);
  asked?.abort();
  asked = new AbortController();
  part().classList.add("asking");
  let text;
  try {
    const answer = await fetch(address, { signal: asked.signal, headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
    return;
  }
  const fresh = document.adoptNode(new DOMParser().parseFromString(text, "text/html").querySelector("[data-part]"));
  const focus = sameIn(fresh, document.activeElement);
  part().replaceWith(fresh);
  focus?.focus({ preventScroll: true });
  if (how) history[how](null, "", address);
  fillForm(address);
  told.textContent = fresh.querySelector("[role=status]").textContent;
  document.dispatchEvent(new CustomEvent("shown"));
}

function wanted() {
  const address = new URL(location.pathname, location.href);
  for (const [name, value] of new FormData(form)) if (value !== "") address.searchParams.set(name, value);
  const now = new URL(location.href).searchParams;  // the view of the map is not the form's, and may have moved since
  for (const name of ["z", "x", "y"]) {
    if (now.has(name)) address.searchParams.set(name, now.get(name));
    else address.searchParams.delete(name);
  }
  return address;
}

function twoHandles() {
  const years = form.querySelector(".years"), { first, last } = years.dataset;
  if (first === undefined || first === last) return null;
  const fields = [form.elements.from, form.elements.to], ends = [Number(first), Number(last)];
  const holder = document.createElement("div");
  holder.className = "two-handles";
  const handles = ["Earliest year", "Latest year"].map((label, i) => {
    const handle = document.createElement("input");
    Object.assign(handle, { type: "range", min: first, max: last, value: ends[i] });
    handle.setAttribute("aria-label", label);
    return handle;
  });
  holder.append(...handles);
  years.append(holder);
  let waiting;
  handles.forEach((handle, i) => handle.addEventListener("input", () => {
    const other = Number(handles[1 - i].value);
    const year = i ? Math.max(Number(handle.value), other) : Math.min(Number(handle.value), other);
    handle.value = year;
    fields[i].value = year === ends[i] ? "" : year;  // at its end a handle leaves the years open
    clearTimeout(waiting);
    waiting = setTimeout(() => show(wanted(), "replaceState"), 250);
  }));
  const fromFields = () => handles.forEach((handle, i) => { handle.value = fields[i].value || ends[i]; });
  fields.forEach((field) => field.addEventListener("input", fromFields));
  fromFields();
  return { fromFields };
}

slider = twoHandles();
form.addEventListener("submit", (event) => { event.preventDefault(); show(wanted()); });
form.addEventListener("change", (event) => { if (event.target.tagName === "SELECT") show(wanted()); });
window.addEventListener("popstate", () => show(location.href, ""));
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-part] a");
  if (event.defaultPrevented || !link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (address.origin !== location.origin || address.pathname !== location.pathname) return;
  event.preventDefault();
  const leads = () => show(address).then(() => address.hash && document.querySelector(address.hash)?.setAttribute("open", ""));
  const before = new CustomEvent("leaving", { detail: { address, leads }, cancelable: true });
  if (document.dispatchEvent(before)) leads();
});
