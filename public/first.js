// Chooses the prerendered answer that is shown until the live one: that of the question in the address. If a link's scenario or a saved
// one will be shown instead, the page says that the solver is starting.
(function () {
  var FIRST = "cold-start";
  var root = document.documentElement;
  var shown = FIRST;
  var own;

  // Whether the browser keeps a scenario that the page will open with.
  function keeps() {
    try {
      if (sessionStorage.getItem("edgewise.open")) return true;
      var keys = Object.keys(localStorage);
      var is_new = keys.indexOf("edgewise.workspace") < 0;
      return keys.some(function (key) {
        return /^edgewise\.workspace\./.test(key) || (is_new && /^edgewise\.scenario/.test(key)); // the latter by an earlier version
      });
    } catch (e) {
      return false; // Storage is switched off.
    }
  }

  function asked() {
    return decodeURIComponent(location.hash.slice(1)) || FIRST;
  }

  function choose() {
    var first = document.getElementById("first");
    var plain = document.getElementById("plain");
    if (!plain) return;
    if (!first) {
      // A build without default answers, as it is served while it is written.
      plain.hidden = false;
      delete root.dataset.first;
      return;
    }
    own = own || first.cloneNode(true);
    var name = asked();
    var painted = name === FIRST ? own : (document.getElementById("first-" + name) || {}).content;
    var is_known = !!painted && !keeps();
    first.hidden = !is_known;
    plain.hidden = is_known;
    if (is_known && name !== shown) {
      first.replaceChildren.apply(first, painted.cloneNode(true).childNodes);
      shown = name;
    }
    if (is_known) first.querySelector(".built span").hidden = false;
    document.querySelectorAll("#static .methods a").forEach(function (link) {
      if (is_known && link.getAttribute("href") === "#" + name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    document.querySelector("#static .methods-list").value = is_known ? name : "start";
    delete root.dataset.first;
  }

  // Until all of the page is there, nothing is shown that may be the wrong answer.
  if (asked() !== FIRST || keeps()) root.dataset.first = "wait";
  document.addEventListener("readystatechange", function () {
    if (document.readyState !== "interactive") return;
    choose();
    var list = document.querySelector("#static .methods-list");
    if (!list) return;
    list.addEventListener("change", function (event) {
      location.hash = event.target.value;
    });
  });
  addEventListener("hashchange", choose);
})();
