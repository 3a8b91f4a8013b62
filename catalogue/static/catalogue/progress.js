// Comfort only: moves the bar of a running batch and loads the page again when it is over. Without it the page refreshes.
const section = document.querySelector("[data-progress]");

async function look() {
  try {
    const answer = await fetch(section.dataset.progress);
    const now = await answer.json();
    if (now.state !== "running") return location.reload();
    section.querySelector("progress").value = now.games_done;
    section.querySelector("[data-games-done]").textContent = now.games_done.toLocaleString("en-GB");
    section.querySelector("[data-percent]").textContent = now.percent;
  } catch { /* the site is away for a moment: look again */ }
  setTimeout(look, 1000);
}

setTimeout(look, 1000);
