// Suggests pages for an address that does not exist. Hosts serve the page at any depth, so that it asks for this script in
// each folder above the address; the folder that has it is the root of the site.
(function () {
  if (globalThis.acpNotFound) return;
  globalThis.acpNotFound = true;
  var root = new URL("./", document.currentScript.src);

  document.querySelectorAll("link[href], a[href]").forEach(function (tag) {
    var href = tag.getAttribute("href");
    if (href && !/^[#/]|^\w+:/.test(href)) tag.setAttribute("href", new URL(href, root).href);
  });
  var search = document.createElement("script");
  search.src = new URL("search.js", root).href;
  if (!globalThis.acpPage) {
    var page = document.createElement("script");
    page.dataset.search = search.src;
    var source = document.querySelector("script[data-search]").getAttribute("src");
    page.src = new URL(source, root).href;
    document.head.append(page);
  }
  search.onload = suggest;
  document.head.append(search);

  /** Lists the pages whose names are most similar to the end of the address. */
  function suggest() {
    var profile = decoded(location.pathname.slice(root.pathname.length)).split("/")[0];
    var names = decoded(location.pathname)
      .replace(/\.html?(\.md)?$/, "")
      .split("/");
    // The last name decides; those below the name before it come first.
    var before = (found) => found.name.split("/").includes(names[names.length - 2]);
    var all = globalThis
      .acpSearch(names[names.length - 1], profile)
      .sort((a, b) => before(b) - before(a));
    var list = document.createElement("ul");
    all.slice(0, 5).forEach(function (found) {
      var link = document.createElement("a");
      link.href = new URL(found.url, root).href;
      link.textContent = found.name;
      var item = document.createElement("li");
      item.append(link, " " + found.about);
      list.append(item);
    });
    if (!list.firstChild) return;
    var lead = document.createElement("p");
    lead.textContent = "Did you mean:";
    list.id = "suggestions";
    document.querySelector(".lead").before(lead, list);
  }

  /** Anybody can write an address with an escape that means nothing. */
  function decoded(path) {
    try {
      return decodeURIComponent(path);
    } catch (_) {
      return path;
    }
  }
})();
