// Comfort only: shows another part of the records without loading the page anew, and a slider beside the years.
// Without it every choice is a page of its own. htmx fetches and swaps, as the attributes of the page say.
const main = document.getElementById("content");
const part = () => document.getElementById("part");
const field = (handle) => main.querySelector("#narrow").elements[handle.dataset.year];
let left = null;  // what the reader was at in the part that is being replaced

/** Shows what an address of this page shows. */
export const show = (address) => htmx.ajax("GET", address.pathname + address.search + address.hash, { source: part() });

// The element of the new part that the reader was at in the old one: the same button, the same mark, else the stage.
function sameAs({ dataset, ariaLabel }) {
  return (dataset.key && part().querySelector(`[data-key="${CSS.escape(dataset.key)}"]`))
    || (ariaLabel && part().querySelector(`[aria-label="${CSS.escape(ariaLabel)}"]`))
    || part().querySelector("[data-stage]");
}

// At its end a handle leaves the years open.
function handlesFromFields() {
  for (const handle of main.querySelectorAll(".two-handles input")) {
    handle.parentElement.hidden = false;
    handle.value = field(handle).value || handle.defaultValue;
  }
}

function fieldsFromAddress() {
  const now = new URLSearchParams(location.search);
  for (const one of main.querySelector("#narrow").elements) {
    if (one.name && one.type !== "hidden") one.value = now.get(one.name) ?? "";
  }
  handlesFromFields();
}

main.addEventListener("input", ({ target }) => {
  if (!target.closest(".years")) return;
  if (!target.dataset.year) return handlesFromFields();
  const [first, last] = [...target.parentElement.children].map((handle) => Number(handle.value));
  if (first > last) target.value = target.dataset.year === "from" ? last : first;
  field(target).value = target.value === target.defaultValue ? "" : target.value;
});
main.addEventListener("htmx:configRequest", ({ detail }) => {
  for (const [name, value] of [...detail.formData]) if (value === "") detail.formData.delete(name);
});
main.addEventListener("htmx:beforeSwap", () => {
  left = part().contains(document.activeElement) ? document.activeElement : null;
});
main.addEventListener("htmx:afterSwap", () => {
  fieldsFromAddress();
  if (left) sameAs(left)?.focus({ preventScroll: true });
  left = null;
  if (location.hash) part().querySelector(location.hash)?.setAttribute("open", "");
});
// An answer that cannot be put into this page is gone to.
for (const kind of ["htmx:responseError", "htmx:sendError"]) {
  main.addEventListener(kind, ({ detail }) => location.assign(detail.pathInfo.finalRequestPath));
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("#count a, #part a");
  if (event.defaultPrevented || !link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (address.origin !== location.origin || address.pathname !== location.pathname) return;
  event.preventDefault();
  show(address);
});
document.addEventListener("htmx:historyRestore", handlesFromFields);
handlesFromFields();
