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

  // boot.js reports its own failures. It cannot report that it is missing or that the browser knows no modules.
  function notStarted(why) {
    var line = document.getElementById("starting");
    if (!line) return;
    line.textContent = "The page could not start.";
    var note = document.createElement("p");
    note.className = "lead";
    note.setAttribute("role", "alert");
    note.textContent = why + " The command line tool gives the same answers: edgewise run";
    line.parentNode.appendChild(note);
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
