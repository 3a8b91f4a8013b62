// A button beside every citation that copies it. Without this script the citation is selected and copied by hand.
const SHOWN_FOR = 2000; // milliseconds

for (const text of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  const label = `Copy ${text.dataset.copy}`;
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = label;
  button.setAttribute("aria-live", "polite");
  const copied = text.tagName === "PRE" ? text.textContent.trim() : text.textContent.trim().replace(/\s+/g, " ");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(copied);
      button.textContent = "Copied";
    } catch {
      // Browsers copy for pages of https and of this machine only: then the text is marked, for the reader to copy.
      getSelection().selectAllChildren(text);
      button.textContent = "Marked: copy it with the keyboard";
    }
    setTimeout(() => { button.textContent = label; }, SHOWN_FOR);
  });
  text.tagName === "PRE" ? text.after(button) : text.append(document.createElement("br"), button);
}

// A link to the citations opens them, in browsers too that would not do so by themselves.
const open = () => {
  if (location.hash !== "#cite") return;
  document.querySelector("details.cite").open = true;
  document.getElementById("cite").scrollIntoView();
};
addEventListener("hashchange", open);
open();
