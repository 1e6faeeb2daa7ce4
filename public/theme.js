// Runs before the first paint, so that the page never flashes in the wrong theme.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("edgewise.theme");
  } catch (e) {
    // Storage is switched off: the system decides.
  }
  if (theme !== "light" && theme !== "dark") {
    theme = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.dataset.theme = theme;

  // Says that the page does not start: above the answer that stands there already, else in place of the words that it is starting,
  // else above whatever is there. It is said once: in place of what was said before, unless the reason is not known.
  var note;
  function fault(headline, text, isUnknown) {
    if (document.readyState === "loading") {
      addEventListener("DOMContentLoaded", function () { fault(headline, text, isUnknown); });
      return;
    }
    if (note && isUnknown) return;
    var first = document.querySelector("#first:not([hidden])");
    var line = document.getElementById("starting");
    if (note && line) {
      line.textContent = headline;
      note.lastChild.textContent = text;
      return;
    }
    note = document.createElement("p");
    note.textContent = text;
    if (first) {
      if (line) line.remove();
      line = document.createElement("b");
      line.id = "starting";
      note.prepend(line, " ");
      var banner = document.createElement("div");
      banner.className = "banner warn";
      banner.setAttribute("role", "alert");
      banner.append(note);
      first.querySelector("main").prepend(banner);
      first.querySelector(".built span").hidden = true;
    } else {
      note.className = "lead";
      note.setAttribute("role", "alert");
      if (line) line.after(note);
      else document.body.prepend(note);
    }
    if (line) line.textContent = headline;
    else note.prepend(headline + " ");
  }
  globalThis.edgewiseFault = fault;

  // What starts the page reports its own failures. It cannot report that it is missing or that the browser knows no modules.
  function notStarted(why) {
    fault("The page could not start.", why + " The command line tool gives the same answers: edgewise run");
  }
  addEventListener("error", function (e) {
    if (!e.target || e.target.tagName !== "SCRIPT") return;
    notStarted(location.protocol === "file:"
      ? "It has to come from a web server; a browser does not run it from a file."
      : "A file is missing: " + e.target.src + ". Reload the page; if that does not help, its folder was not copied whole.");
  }, true);
  if (!("noModule" in HTMLScriptElement.prototype)) {
    addEventListener("DOMContentLoaded", function () { notStarted("This browser has no JavaScript modules."); });
  }
})();
