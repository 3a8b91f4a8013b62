// Lines and points of the drawing chosen by pointing: each ticks, or unticks, its name among the boxes below it.

const form = document.querySelector(".observing");
const chooser = form?.querySelector("[data-pointing]");

function box(list, name) {
  return form.querySelector(`input[name="${list}"][value="${CSS.escape(name)}"]`);
}

function light() {
  for (const place of form.querySelectorAll("svg.board [data-place]")) {
    place.classList.toggle("worn", Boolean(box("places", place.dataset.place)?.checked));
    place.classList.toggle("less", Boolean(box("than", place.dataset.place)?.checked));
  }
}

if (chooser) {
  chooser.hidden = false;
  form.addEventListener("change", light);
  form.querySelector("svg.board").addEventListener("click", (event) => {
    const place = event.target.closest("[data-place]");
    const list = form.querySelector('input[name="pointing"]:checked').value;
    const chosen = place && box(list, place.dataset.place);
    if (!chosen) return;
    chosen.checked = !chosen.checked;
    if (chosen.checked) box(list === "places" ? "than" : "places", place.dataset.place).checked = false;
    light();
  });
  light();
}
