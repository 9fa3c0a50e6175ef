// Blocks of code: they can be copied and tried, and show one of several languages.
(function () {
  "use strict";
  var element = globalThis.acpPage.element;
  var script = globalThis.acpPage.script;
  var stored = globalThis.acpPage.stored;

  // What can be done with a block of code.
  document.querySelectorAll("figure.code pre").forEach(function (block) {
    var actions = element("p", { class: "actions" });
    var trial = tryLink(block.parentNode, block.textContent);
    var button = element("button", { type: "button", class: "copy" }, "Copy");
    button.addEventListener("click", function () {
      void copy(block.textContent).then(function (done) {
        button.textContent = done ? "Copied" : "Press Ctrl+C";
        setTimeout(function () {
          button.textContent = "Copy";
        }, 2000);
      });
    });
    if (trial) actions.append(trial);
    actions.append(button);
    block.parentNode.insertBefore(actions, block);
  });

  /** Leads to the validator with the text behind the `#`, which is never sent anywhere. */
  function tryLink(figure, text) {
    var form = figure.dataset.try;
    if (!form || !script.validator) return undefined;
    var given = new URLSearchParams();
    given.set("text", form === "conversation" ? conversation(figure) : text);
    if (figure.dataset.type) given.set("type", figure.dataset.type);
    if (figure.dataset.from && form === "message") given.set("from", figure.dataset.from);
    return element("a", { href: script.validator + "#" + given }, "Try it");
  }

  /** The messages of all blocks between two headings, one a line. */
  function conversation(figure) {
    var lines = [];
    var at = figure;
    while (at.previousElementSibling && !isHeading(at.previousElementSibling))
      at = at.previousElementSibling;
    for (; at && !isHeading(at); at = at.nextElementSibling) {
      if (!at.dataset.try) continue;
      var message = JSON.parse(at.querySelector("pre").textContent);
      var from = at.dataset.from;
      lines.push(JSON.stringify(from ? { from: from, message: message } : message));
    }
    return lines.join("\n");
  }

  function isHeading(place) {
    return /^H\d$/.test(place.tagName);
  }

  function copy(text) {
    var way = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
    return way.then(
      function () {
        return true;
      },
      function () {
        // Pages opened as files have no clipboard of their own.
        var area = element("textarea", { readonly: "" });
        area.value = text;
        document.body.append(area);
        area.select();
        var done = document.execCommand("copy");
        area.remove();
        return done;
      },
    );
  }

  // Code in several languages: one of them is shown, and the choice is kept.
  document.querySelectorAll(".tabs").forEach(function (group, index) {
    var list = element("div", { role: "tablist", "aria-label": "Language of the code" });
    group.querySelectorAll("[data-language]").forEach(function (panel) {
      var language = panel.dataset.language;
      panel.id = "code-" + index + "-" + language;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-label", language);
      panel.querySelector(".caption").remove();
      var tab = element("button", { type: "button", role: "tab" }, language);
      tab.setAttribute("aria-controls", panel.id);
      tab.addEventListener("click", function () {
        stored("acp-language", language);
        document.querySelectorAll(".tabs").forEach(function (each) {
          showTab(each, language);
        });
      });
      list.append(tab);
    });
    list.addEventListener("keydown", function (event) {
      var next = { ArrowRight: "nextSibling", ArrowLeft: "previousSibling" }[event.key];
      var tab = next && event.target[next];
      if (!tab) return;
      tab.click();
      tab.focus();
    });
    group.prepend(list);
    showTab(group, list.firstChild.textContent);
    showTab(group, stored("acp-language"));
  });

  /** Shows the code of a language, if the group has any. */
  function showTab(group, language) {
    var tabs = Array.from(group.querySelectorAll("[role=tab]"));
    if (!tabs.some((tab) => tab.textContent === language)) return;
    tabs.forEach(function (tab) {
      var isChosen = tab.textContent === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
    });
  }
})();
