// Words are selected in the texts of a draft; the rules that they may be about are offered beside. Without this they
// are copied into the field, and asked for by the button.
import { open, selectedWords } from "./selection.js";

const form = document.querySelector("#choose");
const texts = document.querySelectorAll("[data-source-text]");
let asked = "", waiting = 0;

async function offer() {
  const query = new URLSearchParams(new FormData(form));
  query.set("part", "offers");
  const address = `${location.pathname}?${query}`;
  if (address === asked) return;
  asked = address;
  const answer = await fetch(address);
  const part = document.querySelector("#offers");
  if (address !== asked || !part) return;
  const made = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#offers");
  if (made) part.replaceWith(made);
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(offer, 250);
}

function follow() {
  for (const text of texts) {
    const words = selectedWords(text);
    if (!words) continue;
    const given = { ...words, record: text.dataset.record, in: text.dataset.in };
    for (const [name, value] of Object.entries(given)) form.elements[name].value = value;
    form.elements.find.value = "";
    soon();
    return;
  }
}

// Each change is a new page: columns stay where they were scrolled to.
const bench = document.querySelector("[data-kept]");
const columns = [...(bench?.children ?? [])];
const kept = `bench ${bench?.dataset.kept}`;
const places = JSON.parse(sessionStorage.getItem(kept) ?? "[]");
columns.forEach((column, place) => { if (places[place]) column.scrollTop = places[place]; });
addEventListener("pagehide", () => sessionStorage.setItem(kept, JSON.stringify(columns.map((column) => column.scrollTop))));

// Who answers one rule of a list goes on with the next, by the same button; who does anything else, at what was done.
const list = document.querySelector("[data-go-on]");
const next = `${kept} next`;
const buttonsOf = (item) => [...item.querySelectorAll("button")];
list?.closest("form").addEventListener("submit", (event) => {
  const item = event.submitter?.closest("li");
  if (item) sessionStorage.setItem(next, JSON.stringify([[...list.children].indexOf(item), buttonsOf(item).indexOf(event.submitter)]));
});
const [item, button] = JSON.parse(sessionStorage.getItem(next) ?? "[]");
sessionStorage.removeItem(next);
const there = item !== undefined && list?.children[Math.min(item, list.children.length - 1)];
if (there) addEventListener("load", () => (buttonsOf(there)[button] ?? buttonsOf(there)[0])?.focus());

if (form) {
  texts.forEach(open);
  document.addEventListener("selectionchange", follow);
  form.elements.find.addEventListener("change", soon);
  form.elements.exact?.addEventListener("input", soon);
}
