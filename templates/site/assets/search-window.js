// The window of the search, which comes with its index.
import { search } from "./search.js";

/** The kinds of entries whose names are prose. */
const PROSE = /^(page|section|rule)$/;
/** As many results are shown at first, and more on request. */
const SHOWN = 12;

globalThis.acpSearch = search;

/** Opens the window; the page for wrong addresses only searches. */
globalThis.acpFind = function () {
  const page = globalThis.acpPage;
  const base = page.script.search.slice(0, -"search.js".length);
  const make = page.element;
  const dialog = make("dialog", { id: "search-window", "aria-label": "Search" });
  const input = make("input", {
    type: "search",
    role: "combobox",
    placeholder: "Methods, types, pages, values",
    "aria-label": "Search methods, types, values and pages",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
  });
  const list = make("div", { id: "found", role: "listbox", "aria-label": "Found" });
  const status = make("p", { class: "quiet", role: "status" });
  const foot = make("label", { class: "small" });
  const box = make("input", { type: "checkbox" });
  box.checked = page.hasShortcut();
  box.addEventListener("change", () => page.stored("acp-shortcut", box.checked ? "on" : "off"));
  foot.append(box, " Press / to search");
  const more = make("button", { type: "button", class: "button", hidden: "" });
  dialog.append(input, list, more, status, foot);
  document.body.append(dialog);

  /** A text with the words in it marked. */
  const marked = (text, terms) => {
    const parts = document.createDocumentFragment();
    const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    text.split(words ? new RegExp(`(${words})`, "i") : /$^/).forEach((part, index) => {
      parts.append(index % 2 ? make("mark", {}, part) : part);
    });
    return parts;
  };

  const optionOf = (entry, index) => {
    const option = make("div", {
      role: "option",
      id: `found-${index}`,
      "aria-selected": "false",
      "data-href": base + entry.url,
    });
    const name = make(PROSE.test(entry.kind) ? "span" : "code", { class: "name" });
    name.append(marked(entry.name, entry.terms));
    option.append(name, " ");
    if (entry.profile) option.append(make("span", { class: "badge" }, entry.profile), " ");
    const kind = make("span", { class: "small" }, entry.kind);
    if (entry.added) kind.append(" ", make("abbr", { title: "added by a feature" }, "+"));
    const about = make("span", { class: "small about" });
    const line = make("span");
    line.append(marked(entry.about, entry.terms));
    about.append(line);
    if (entry.mentions.length)
      about.append(" ", make("mark", {}, entry.mentions.slice(0, 2).join(", ")));
    option.append(kind, " ", about);
    return option;
  };

  const options = () => Array.from(list.querySelectorAll("[data-href]"));
  let active = -1;

  const move = (step) => {
    const all = options();
    if (!all.length) return;
    active = (active + step + all.length) % all.length;
    all.forEach((option, index) => option.setAttribute("aria-selected", String(index === active)));
    input.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  };

  /** Shows what is found, the best first. */
  const show = (most = SHOWN) => {
    list.textContent = "";
    active = -1;
    const text = input.value.trim();
    const found = text === "" ? [] : search(text, page.script.profile);
    list.append(...found.slice(0, most).map(optionOf));
    more.hidden = found.length <= most;
    more.textContent = `Show all ${found.length} results`;
    if (text !== "" && !found.length)
      list.append(make("div", { role: "option", "aria-disabled": "true" }, "Nothing found."));
    input.setAttribute("aria-expanded", String(list.firstChild !== null));
    status.textContent = text === "" ? "" : `${found.length} found`;
  };

  input.addEventListener("input", () => show());
  more.addEventListener("click", () => {
    show(Infinity);
    input.focus();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      options()[Math.max(active, 0)]?.click();
    }
  });
  dialog.addEventListener("click", (event) => {
    const option = event.target.closest("[data-href]");
    if (option) location.href = option.dataset.href;
    else if (event.target === dialog) dialog.close();
  });
  globalThis.acpFind = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
  };
  globalThis.acpFind();
};
