// Words are selected in the text of a record; the fields of the form follow. Without this they are typed.
const field = (name) => document.querySelector(`#id_${name}`);
const tell = (what) => document.body.dispatchEvent(new CustomEvent(what));

// The text takes a caret, so that it can be walked through by keyboard, and nothing that would change it.
function open() {
  const text = document.querySelector("[data-source-text]");
  if (!text || text.isContentEditable || !field("exact")) return;
  const kept = text.innerHTML;
  Object.assign(text, { contentEditable: "true", spellcheck: false, inputMode: "none" });
  for (const [name, value] of [["role", "textbox"], ["aria-multiline", "true"], ["aria-readonly", "true"]]) text.setAttribute(name, value);
  text.addEventListener("beforeinput", (event) => event.preventDefault());
  text.addEventListener("input", () => { text.innerHTML = kept; }); // what a way of writing puts in all the same
}

// Where the selection begins and ends in the text; null if it is empty or elsewhere.
function selected(text) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!text.contains(range.startContainer) || !text.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length, words = range.toString();
  const from = start + words.length - words.trimStart().length;
  return words.trim() ? [from, from + words.trim().length] : null;
}

// As many words before and behind as it takes for the words to stand there once: none, mostly.
function surroundings(text, start, end) {
  let [from, to] = [start, end];
  const isAmbiguous = () => text.indexOf(text.slice(from, to)) !== text.lastIndexOf(text.slice(from, to));
  while (isAmbiguous() && (from > 0 || to < text.length)) {
    from = Math.max(0, text.slice(0, from).search(/\S+\s*$/));
    if (isAmbiguous()) to += (/^\s*\S+/.exec(text.slice(to)) ?? [text.slice(to)])[0].length;
  }
  return [text.slice(from, start), text.slice(end, to)];
}

function follow() {
  const text = document.querySelector("[data-source-text]");
  const found = text && field("exact") && selected(text);
  if (!found) return;
  const whole = text.textContent, [start, end] = found;
  const [prefix, suffix] = surroundings(whole, start, end);
  const words = { exact: whole.slice(start, end), prefix, suffix };
  for (const [name, value] of Object.entries(words)) field(name).value = value;
  tell("words-chosen");
}

// Which text of which record is wanted. Whatever the fields say when the page is made is there already.
const wanted = () => ["evidence", "field"].map((name) => field(name)?.value).join();
let shown = wanted();

function reopen() {
  if (wanted() === shown) return;
  shown = wanted();
  tell("text-chosen");
}

open();
document.addEventListener("selectionchange", follow);
document.addEventListener("htmx:afterSwap", open);
// The field of the record speaks through jQuery only.
window.django?.jQuery("#id_evidence, #id_field").on("change", reopen);
