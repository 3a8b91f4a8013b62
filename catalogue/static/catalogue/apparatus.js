// Comfort only: what belongs together lights up together. Without it the links lead from words to rules and back.
const belonging = (label) => document.querySelectorAll(`[data-rules~="${label}"], [data-rule="${label}"]`);

function light(event, on) {
  const place = event.target.closest?.("[data-rules], [data-rule]");
  if (!place) return;
  const labels = place.dataset.rule ? [place.dataset.rule] : place.dataset.rules.split(" ");
  for (const label of labels) for (const one of belonging(label)) one.classList.toggle("lit", on);
}

for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => light(event, true));
for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => light(event, false));
