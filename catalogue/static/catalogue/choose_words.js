// Words are selected in the text of a record; the fields of the form follow. Without this they are typed.
import { open as openText, selectedWords } from "./selection.js";

const field = (name) => document.querySelector(`#id_${name}`);
const tell = (what) => document.body.dispatchEvent(new CustomEvent(what));
const text = () => document.querySelector("[data-source-text]");

function open() {
  if (field("exact")) openText(text());
}

function follow() {
  const words = text() && field("exact") && selectedWords(text());
  if (!words) return;
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
