// Searches the copy in the browser, by an index of titles and words: no server is asked. All words have to be there, each
// as the beginning of a word; titles count most, and pages of batches are found by their titles only.
const script = document.querySelector("script[data-root]");
const root = script.dataset.root;
const box = document.querySelector("main input[name=q]");
const MOST = 60;

function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, " ").trim();
}

function score(entry, words) {
  const title = ` ${entry.title}`, all = `${title} ${entry.words}`;
  let sum = 0;
  for (const word of words) {
    if (!all.includes(` ${word}`)) return 0;
    sum += title.includes(` ${word} `) || title.endsWith(` ${word}`) ? 8 : title.includes(` ${word}`) ? 5 : 1;
  }
  return sum;
}

function show(found, asked) {
  const list = document.createElement("ol"), told = document.createElement("p");
  told.setAttribute("role", "status");
  told.textContent = found.length ? `${found.length} pages have “${asked}”.` : `No page has “${asked}”.`;
  for (const entry of found.slice(0, MOST)) {
    const item = document.createElement("li"), anchor = document.createElement("a"), kind = document.createElement("span");
    anchor.href = `${root}${entry.file.split("/").map(encodeURIComponent).join("/")}`;
    anchor.textContent = entry.name;
    kind.textContent = ` ${entry.kind}`;
    kind.className = "small soft";
    item.append(anchor, kind);
    list.append(item);
  }
  document.querySelector("main").append(told, list);
}

const asked = new URLSearchParams(location.search).get("q") ?? "";
box.value = asked;
if (asked.trim()) {
  const rows = await (await fetch(`${root}static/frozen/index.json`)).json();
  const entries = rows.map(([name, kind, file, words]) => ({ name, kind, file, words, title: fold(name) }));
  const words = fold(asked).split(" ").filter(Boolean);
  const found = entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points)
    .sort((one, other) => other[0] - one[0] || one[1].name.localeCompare(other[1].name)).map(([, entry]) => entry);
  show(found, asked);
}
