// Comfort only: names that begin with what is typed, below every search box. Without it the box asks for the page of
// finds. The pattern is the combobox with a list of WAI-ARIA 1.2: the focus stays in the box, arrows walk, Enter goes.
const PAUSE = 120;  // milliseconds without a key before the site is asked
const MINIMUM = 2;  // letters

function combobox(input, number) {
  const form = input.form;
  const list = document.createElement("ul");
  const told = document.createElement("p");
  let timer = 0, asked = null, active = -1;

  Object.assign(list, { id: `suggestions-${number}`, role: "listbox", ariaLabel: "Suggestions", hidden: true, className: "suggestions" });
  Object.assign(told, { role: "status", className: "visually-hidden" });
  Object.assign(input, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: "false", autocomplete: "off" });
  input.setAttribute("aria-controls", list.id);
  form.append(list, told);

  const options = () => [...list.children];

  function close() {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
    input.ariaExpanded = "false";
    walkTo(-1);
  }

  function walkTo(place) {
    active = place;
    options().forEach((option, other) => { option.ariaSelected = String(other === place); });
    const option = options()[place];
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  function show(found) {
    list.replaceChildren(...found.map((one, place) => {
      const option = document.createElement("li");
      const link = document.createElement("a");
      Object.assign(option, { id: `${list.id}-${place}`, role: "option", ariaSelected: "false" });
      Object.assign(link, { href: one.address, tabIndex: -1 });
      for (const [name, text] of [["b", one.title], ["span", one.kind], ["small", one.about]]) {
        const part = document.createElement(name);
        part.textContent = text;
        if (text) link.append(part, " ");
      }
      option.append(link);
      return option;
    }));
    told.textContent = found.length ? `${found.length} suggestions` : "No suggestion";
    list.hidden = !found.length;
    input.ariaExpanded = String(!list.hidden);
    walkTo(-1);
  }

  async function ask() {
    asked?.abort();
    asked = new AbortController();
    const address = `${form.action.split("?")[0]}suggestions/?q=${encodeURIComponent(input.value)}`;
    try {
      const answer = await fetch(address, { signal: asked.signal });
      if (answer.ok) show((await answer.json()).suggestions);
    } catch {
      // Typed on, or away from the network: the page of finds is still there.
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim().length < MINIMUM) close();
    else timer = setTimeout(ask, PAUSE);
  });
  input.addEventListener("keydown", (event) => {
    const count = options().length;
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count && !list.hidden) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      walkTo(active === -1 ? (step === 1 ? 0 : count - 1) : (active + step + count) % count);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      location.assign(options()[active].firstElementChild.href);
    }
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault());  // the focus stays in the box
  input.addEventListener("blur", close);
  form.addEventListener("submit", close);
}

document.querySelectorAll('form[role="search"] input[name="q"]').forEach(combobox);
