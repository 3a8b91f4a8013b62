// What is pointed at on the drawing is written where the cursor stands in the observations of one's own.

const typed = document.querySelector("#id_own");
const board = document.querySelector(".asked-board svg.board");

if (typed && board) {
  board.addEventListener("click", (event) => {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (!place) return;
    const before = typed.value.slice(0, typed.selectionStart);
    typed.setRangeText(`${/\S$/.test(before) ? " " : ""}${place}`, typed.selectionStart, typed.selectionEnd, "end");
    typed.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
