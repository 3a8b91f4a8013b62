// The other levels of a figure are fetched when a pointer, a finger or the focus comes near, and kept for a minute: so
// they switch without a wait. What is fetched is what htmx asks for at a click, with the same headers.

const KEPT = 50_000; // milliseconds; the answer says a minute
const fetched = new Map();

function ahead({ target }) {
  for (const link of target.closest?.(".levels")?.querySelectorAll("a[data-hx-get]:not([aria-current])") ?? []) {
    const address = link.dataset.hxGet;
    if (performance.now() - (fetched.get(address) ?? -KEPT) < KEPT) continue;
    fetched.set(address, performance.now());
    const headers = { "HX-Request": "true", "HX-Target": link.dataset.hxTarget.slice(1), "HX-Preloaded": "true" };
    fetch(address, { headers }).catch(() => fetched.delete(address));
  }
}

for (const kind of ["pointerover", "touchstart", "focusin"]) document.addEventListener(kind, ahead, { passive: true });
