// Comfort only: what belongs together lights up together, and the note of the words stays until others are pointed at; the
// voice that is underlined changes without a wait. Without it the links lead from words to rules and back, and the address
// says whose words are underlined.
const words = document.querySelector(".words-column[data-shown]");
const note = (label) => document.querySelector(`[data-rule="${label}"]`);

// The rule that the words became: of the voice that is underlined, if it follows them; those that follow stand first.
function leading(place) {
  const labels = place.dataset.rules.split(" ");
  const followed = (place.dataset.followed ?? "").split(" ").includes(words?.dataset.shown);
  return (followed && labels.find((label) => note(label)?.dataset.voice === words.dataset.shown)) || labels[0];
}

function point(event) {
  const place = event.target.closest?.("[data-rules]");
  if (!place) return;
  const label = leading(place);
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const one of document.querySelectorAll(`[data-rules~="${label}"], [data-rule="${label}"]`)) one.classList.add("lit");
  place.hash = `c-${label}`;
}

function show(event) {
  const link = event.target.closest?.("[data-show]");
  if (!link || !words || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  words.dataset.shown = link.dataset.show;
  for (const one of link.closest("ul").querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  const kept = document.querySelector("#answers [name=show]");
  if (kept) kept.value = link.dataset.show;
  history.replaceState(history.state, "", link.search + location.hash);
}

for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, point);
document.addEventListener("click", show);
// On a phone the rule is a sheet at the foot of the window: the words that were tapped stay in sight above it.
let tapped = null;
function uncover() {
  const sheet = document.querySelector(".rules-read > :target");
  if (!tapped || !sheet || getComputedStyle(sheet).position !== "fixed") return;
  const { top, bottom } = tapped.getBoundingClientRect();
  const covered = bottom + 16 - sheet.getBoundingClientRect().top;
  if (covered > 0) scrollBy(0, Math.min(covered, top - 16));
}
document.addEventListener("click", (event) => {
  tapped = event.target.closest?.("a[data-rules]");
  if (tapped) requestAnimationFrame(uncover);
});

// An address that names a rule or a question is asked for: that is shown, whatever was pointed at before.
addEventListener("hashchange", () => {
  const named = document.querySelector(".rules-read > :target");
  if (named && !named.classList.contains("lit")) for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  requestAnimationFrame(uncover);
});
