// Starts the page. Page and workers run one program, split into bundles (tools/pieces). Bundles for the first answer of the question in
// the address are fetched here, at once and in parallel; all others follow while the page is idle, and a service worker stores them for
// the next visit. From then on there is no request, also when a worker is replaced. If the browser is set to save data, a bundle is
// fetched when it is needed, and nothing is stored. Without a connection, a request is repeated until it succeeds.
//
// Interface for the app:
//   globalThis.edgewise.piece(name)    the compiled module of a bundle
//   globalThis.edgewise.startWorker()  a new Worker; it sends the first message when it is ready
// data-whole of the document's element is set once everything is loaded and, where browsers can, stored.
// Events of the window:
//   edgewise-answered                  by the app: the first answer is shown
//   edgewise-update                    to the app: a newer build is stored and waits
//   edgewise-reload                    by the app: show the newer build now

// The packs of each bundle; written when the page is built.
const PACKS = /* packs */ {};

// Appended to the script in a worker. The first message has the compiled program; bundles are requested over the port.
const WORKER_GLUE = `
const waiting = new Map();
let port;
globalThis.edgewise = {
  piece: name => new Promise((done, failed) => {
    waiting.set(name, [done, failed]);
    port.postMessage(name);
  }),
};
onmessage = e => {
  onmessage = null;
  port = e.ports[0];
  port.onmessage = ({ data: { name, module, fault } }) => {
    const [done, failed] = waiting.get(name);
    waiting.delete(name);
    module ? done(module) : failed(new Error(fault));
  };
  __wbg_init({ module_or_path: e.data }).catch(f =>
    postMessage({ panic: { message: "the solver could not start: " + f } }));
};
`;

// How long after a failure the same file is asked for again [ms].
const AGAIN_MS = [500, 1000, 2000, 4000, 8000, 15000];

// How long an answer is waited for before everything else is fetched all the same [ms].
const NO_ANSWER_MS = 10000;

// The smallest module with a 128-bit vector instruction.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function missingFeatures() {
  const missing = [];
  if (typeof WebAssembly !== "object") missing.push("WebAssembly");
  else if (!WebAssembly.validate(SIMD)) missing.push("WebAssembly SIMD");
  if (typeof Worker !== "function") missing.push("Web Workers");
  return missing;
}

// theme.js, which is there before anything is painted, knows where to say it.
function tell(headline, text) {
  globalThis.edgewiseFault?.(headline, text);
}

const root = document.documentElement;
const missing = new Set();

// Says that files are waited for, or takes that back.
function mind(name, isMissing) {
  isMissing ? missing.add(name) : missing.delete(name);
  let note = document.getElementById("missing");
  if (missing.size > 0 && !note) {
    note = document.createElement("p");
    note.id = "missing";
    note.className = "toast";
    note.setAttribute("role", "status");
    note.textContent = "No connection: part of the page is still missing. It is loaded as soon as there is one; what is here works.";
    document.body.append(note);
  }
  if (missing.size === 0) note?.remove();
}

// After a while, or as soon as there is a connection again.
function later(millis) {
  return new Promise((done) => {
    setTimeout(done, millis);
    addEventListener("online", done, { once: true });
  });
}

// Does what asks for a file until there is a connection; what a server refuses fails, and so does a file that is broken.
async function patiently(name, ask) {
  for (let turn = 0; ; turn += 1) {
    try {
      const found = await ask(turn);
      if (turn > 0) mind(name, false);
      return found;
    } catch (fault) {
      if (!(fault instanceof TypeError)) throw fault; // what fetch() and import() say of a connection that is gone
      mind(name, true);
      await later(AGAIN_MS[Math.min(turn, AGAIN_MS.length - 1)]);
    }
  }
}

async function get(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  return response;
}

const at = (path) => new URL(path, document.baseURI);

// A module.
function compiled(path) {
  return patiently(path, async () => {
    const response = await get(at(path));
    // Some static hosts do not know the type of .wasm files; those are compiled after the download.
    if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  });
}

// The script itself is asked for by the browser; a second try must have another address to be one.
function script(path) {
  return patiently(path, (turn) => import(at(turn ? `${path}?${turn}` : path)).catch(async (fault) => {
    await get(at(path)); // says what the server says
    throw fault;
  }));
}

const packs = new Map();

// A pack: a module whose sections are bundles.
function pack(path) {
  if (!packs.has(path)) {
    const found = compiled(path);
    found.catch(() => packs.delete(path));
    packs.set(path, found);
  }
  return packs.get(path);
}

const pieces = new Map();

// A bundle. One that is in several packs is taken from a pack that is loaded or being loaded, if there is one.
function piece(name) {
  if (!pieces.has(name)) {
    const places = PACKS[name];
    const place = places.find((path) => packs.has(path)) ?? places[0];
    const found = pack(place).then((module) => WebAssembly.compile(WebAssembly.Module.customSections(module, name)[0]));
    found.catch(() => pieces.delete(name));
    pieces.set(name, found);
  }
  return pieces.get(name);
}

// Of all packs those without which the question of the address has no first answer, with what reads a link or a kept scenario if
// there is one; and those that are wanted soon after. Which question a kept scenario asks, the app will find out.
function firstPacks(all) {
  const isPainted = document.getElementById("first")?.hidden === false;
  const question = /^#([a-z-]+)/.exec(location.hash)?.[1] ?? (isPainted ? "cold-start" : "");
  const own = question.replaceAll("-", "_");
  const found = (...names) => all.filter((path) => names.some((name) => new RegExp(`^app_${name}[.-]`).test(path)));
  return isPainted ? [found("common", own), []] : [found("common", own, "later_whole"), found("below", `${own}_below`)];
}

async function start() {
  const asset = document.querySelector("script[data-app-js]").dataset;
  const all = [...new Set(Object.values(PACKS).flat())].sort();
  const [needed] = firstPacks(all).map((paths) => paths.map(pack));
  // Workers are made from a copy of the script, so that one can be replaced without a request.
  const copied = patiently(asset.appJs, async () => (await get(at(asset.appJs))).text());
  const [app, copy, program] = await Promise.all([script(asset.appJs), copied, compiled(asset.appWasm)]);
  const workerUrl = URL.createObjectURL(new Blob([copy, WORKER_GLUE], { type: "text/javascript" }));
  globalThis.edgewise = {
    piece,
    startWorker() {
      const worker = new Worker(workerUrl, { type: "module" });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: name }) => piece(name).then(
        (module) => port1.postMessage({ name, module }),
        (fault) => port1.postMessage({ name, fault: String(fault) }),
      );
      worker.postMessage(program, [port2]);
      return worker;
    },
  };
  const answered = new Promise((done) => addEventListener("edgewise-answered", done, { once: true }));
  await app.default({ module_or_path: program });
  await Promise.all(needed);
  await Promise.race([answered, new Promise((done) => setTimeout(done, NO_ANSWER_MS))]);
  if (!navigator.connection?.saveData) await fetchRest(all);
}

const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done));

// All that no question has asked for yet, one after the other, while nothing else is to be done.
async function fetchRest(all) {
  for (const path of all) {
    await idle();
    try {
      await Promise.allSettled(packs.values()); // what is waited for has the connection for itself
      await pack(path);
    } catch (fault) {
      // The page goes on without it, and says so where it is wanted; a build that is not whole is not kept.
      console.error(fault);
      return;
    }
  }
  await idle();
  await keep().catch(() => {}); // a browser that cannot keep the page shows it all the same
  root.dataset.whole = "";
}

// A service worker has come to an end with its installation: it is in charge, it waits, or it has failed.
function settled(worker) {
  return new Promise((done) => {
    const look = () => ["installed", "activated", "redundant"].includes(worker.state) && done();
    worker.addEventListener("statechange", look);
    look();
  });
}

// Has the browser keep this build, and offers a newer one. A tab goes on with its own build until it is asked to change.
async function keep() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const registration = await workers.register("./service.js", { updateViaCache: "none" });
  // As long as this tab is open, its build is not given up.
  const build = `edgewise ${registration.scope} ${root.dataset.build}`;
  navigator.locks?.request(build, { mode: "shared" }, () => new Promise(() => {}));
  const offer = () => {
    if (registration.waiting && registration.active) dispatchEvent(new Event("edgewise-update"));
  };
  const watch = () => registration.installing && settled(registration.installing).then(offer);
  registration.addEventListener("updatefound", watch);
  addEventListener("edgewise-reload", () => {
    workers.addEventListener("controllerchange", () => location.reload(), { once: true });
    if (registration.waiting) registration.waiting.postMessage("take over");
    else location.reload();
  });
  offer();
  await watch();
  if (!registration.waiting && !registration.active) return; // it has failed, and the next visit tries again
  await workers.ready;
  registration.active.postMessage("tidy");
}

const lacking = missingFeatures();
if (lacking.length > 0) {
  tell(
    "This browser cannot run the solver.",
    "Edgewise needs WebAssembly and Web Workers to compute. Missing here: " + lacking.join(", ") +
      ". The command line tool gives the same answers: edgewise run",
  );
} else {
  start().catch((error) => {
    console.error(error);
    tell(
      "The page could not start.",
      String(error) + ". Reload the page to try again. The command line tool gives the same answers: edgewise run",
    );
  });
}
