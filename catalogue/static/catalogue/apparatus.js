// Comfort only: what belongs together lights up together, and the rule of the words stays until others are pointed at.
// Without it the links lead from words to rules and back.
const belonging = (label) => document.querySelectorAll(`[data-rules~="${label}"], [data-rule="${label}"]`);

function point(event) {
  const place = event.target.closest?.("[data-rules]");
  if (!place) return;
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const label of place.dataset.rules.split(" ")) for (const one of belonging(label)) one.classList.add("lit");
}

for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, point);
// An address that names a rule or a question is asked for: that is shown, whatever was pointed at before.
addEventListener("hashchange", () => {
  const named = document.querySelector(".rules-read > :target");
  if (named && !named.classList.contains("lit")) for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
});
