// Words that are selected in the text of a record, and what tells them from the same words elsewhere in it.

// The text takes a caret, so that it can be walked through by keyboard, and nothing that would change it.
export function open(text) {
  if (!text || text.isContentEditable) return;
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

// The selected words of a text, with what stands round them; null if none are.
export function selectedWords(text) {
  const found = selected(text);
  if (!found) return null;
  const whole = text.textContent, [start, end] = found;
  const [prefix, suffix] = surroundings(whole, start, end);
  return { exact: whole.slice(start, end), prefix, suffix };
}
