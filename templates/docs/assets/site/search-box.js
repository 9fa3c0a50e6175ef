// The search box, and the settings of the reader in the footer.
(function () {
  "use strict";
  var element = globalThis.acpPage.element;
  var script = globalThis.acpPage.script;
  var stored = globalThis.acpPage.stored;
  var base = script.search.slice(0, -"search.js".length);

  // Search.
  var place = document.getElementById("search");
  if (!place) return;
  var input = element("input", {
    type: "search",
    role: "combobox",
    placeholder: hasShortcut() ? "Search (/)" : "Search",
    "aria-label": "Search methods, types, values and pages",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
  });
  var list = element("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: "" });
  var status = element("p", { class: "quiet", role: "status" });
  place.append(input, list, status);
  var active = -1;
  var loading;

  function load() {
    loading =
      loading ||
      new Promise(function (resolve) {
        var tag = element("script", { src: script.search });
        tag.onload = resolve;
        document.head.append(tag);
      });
    return loading;
  }

  /** A text with the words in it marked. */
  function marked(text, terms) {
    var parts = document.createDocumentFragment();
    var words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    text.split(words ? new RegExp("(" + words + ")", "i") : /$^/).forEach(function (part, index) {
      parts.append(index % 2 ? element("mark", {}, part) : part);
    });
    return parts;
  }

  function show() {
    list.textContent = "";
    active = -1;
    if (input.value.trim() === "" || !globalThis.acpSearch) return close();
    var found = globalThis.acpSearch(input.value, script.profile);
    found.slice(0, 12).forEach(function (entry, index) {
      var option = element("li", {
        role: "option",
        id: "found-" + index,
        "aria-selected": "false",
        "data-href": base + entry.url,
      });
      var name = element("code");
      name.append(marked(entry.name, entry.terms));
      var about = element("span", { class: "about" });
      about.append(entry.kind + (entry.added ? ", added by a feature" : "") + ": ");
      about.append(marked(entry.about, entry.terms));
      option.append(name, " ", about);
      if (entry.mentions.length)
        option.append(" ", element("mark", {}, entry.mentions.slice(0, 3).join(", ")));
      if (entry.profile) option.append(" ", element("span", { class: "badge" }, entry.profile));
      option.addEventListener("click", function () {
        location.href = option.dataset.href;
      });
      list.append(option);
    });
    if (!found.length)
      list.append(element("li", { role: "option", "aria-disabled": "true" }, "Nothing found."));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    status.textContent = found.length + " found";
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    status.textContent = "";
  }

  function move(step) {
    var options = list.querySelectorAll("[data-href]");
    if (!options.length) return;
    active = (active + step + options.length) % options.length;
    options.forEach(function (option, index) {
      option.setAttribute("aria-selected", String(index === active));
    });
    input.setAttribute("aria-activedescendant", "found-" + active);
    options[active].scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", function () {
    load().then(show);
  });
  input.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      var option = list.querySelectorAll("[data-href]")[Math.max(active, 0)];
      if (option) option.click();
    } else if (event.key === "Escape") close();
  });
  document.addEventListener("click", function (event) {
    if (!place.contains(event.target)) close();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "/" || !hasShortcut()) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    input.focus({ preventScroll: true });
  });

  /** The shortcut of one key can be turned off, since it gets in the way of speech input (WCAG 2.1.4). */
  function hasShortcut() {
    return stored("acp-shortcut") !== "off";
  }

  // What readers can set, in the footer.
  var preferences = document.getElementById("preferences");
  if (preferences) {
    var label = element("label");
    var box = element("input", { type: "checkbox" });
    box.checked = hasShortcut();
    box.addEventListener("change", function () {
      stored("acp-shortcut", box.checked ? "on" : "off");
      input.placeholder = hasShortcut() ? "Search (/)" : "Search";
    });
    label.append(box, " Press / to search");
    preferences.append(label, themeChoice());
  }

  function themeChoice() {
    var label = element("label", {}, "Theme ");
    var choice = element("select");
    ["system", "light", "dark"].forEach(function (theme) {
      choice.append(element("option", {}, theme));
    });
    choice.value = document.documentElement.dataset.theme || "system";
    choice.addEventListener("change", function () {
      stored("acp-theme", choice.value);
      if (choice.value === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = choice.value;
    });
    label.append(choice);
    return label;
  }
})();
