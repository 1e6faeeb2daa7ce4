// Starts the page. Everything it will ever need is fetched here, at once and in parallel: the app and the
// worker's source and compiled module. After that there is no request, also when a worker is replaced.
//
// What it leaves for the app:
//   globalThis.edgewise.workerSource   the worker's JavaScript, as text
//   globalThis.edgewise.workerModule   the worker's WebAssembly.Module
//   globalThis.edgewise.startWorker()  a new Worker that runs both; it speaks first, when it is ready

// Appended to the worker's source. The first message is the module; from then on the worker's own code listens.
const WORKER_GLUE = `
onmessage = e => {
  onmessage = null;
  wasm_bindgen({ module_or_path: e.data }).catch(f =>
    postMessage({ panic: { message: "the solver could not start: " + f } }));
};
`;

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

async function get(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  return response;
}

async function compiled(url) {
  const response = await get(url);
  // Some static hosts do not know the type of .wasm files; those are compiled after the download.
  return response.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function start() {
  const asset = document.querySelector("script[data-app-js]").dataset;
  const at = (path) => new URL(path, document.baseURI);
  const [app, appModule, workerSource, workerModule] = await Promise.all([
    import(at(asset.appJs)),
    compiled(at(asset.appWasm)),
    get(at(asset.workerJs)).then((response) => response.text()),
    compiled(at(asset.workerWasm)),
  ]);
  const workerUrl = URL.createObjectURL(new Blob([workerSource, WORKER_GLUE], { type: "text/javascript" }));
  globalThis.edgewise = {
    workerSource,
    workerModule,
    startWorker() {
      const worker = new Worker(workerUrl);
      worker.postMessage(workerModule);
      return worker;
    },
  };
  await app.default({ module_or_path: appModule });
}

const missing = missingFeatures();
if (missing.length > 0) {
  tell(
    "This browser cannot run the solver.",
    "Edgewise needs WebAssembly and Web Workers to compute. Missing here: " + missing.join(", ") +
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
