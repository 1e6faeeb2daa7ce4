// Stores the page in the browser, so that it opens again without its host.
//
// A service worker stores one build as a whole, and serves it until all its tabs are closed or the user accepts the next one. Requests
// for files of no build go to the network.

// Written when a build is finished. Without a name nothing is kept, and what was kept before is given up.
const BUILD = "";
const FILES = [];

const KEPT = `edgewise ${registration.scope} `;
const PAGE = new URL(registration.scope);
// A name with a digest says all that there is to know of a file, so it may come from any build that is kept.
const STAMPED = /^[^/]+-[0-9a-f]{16}\.[a-z]+$/;
const KEY = { ignoreSearch: true, ignoreVary: true };

// The path below the page's folder, or null.
function below(url) {
  const isBelow = url.origin === PAGE.origin && url.pathname.startsWith(PAGE.pathname);
  return isBelow ? url.pathname.slice(PAGE.pathname.length) : null;
}

async function keep() {
  const cache = await caches.open(KEPT + BUILD);
  try {
    const page = await fetch(PAGE, { cache: "no-cache", redirect: "error" });
    // A host that is being given a new build may still have the page of the old one, or already that of a newer one.
    if (!page.ok || !(await page.clone().text()).includes(`data-build="${BUILD}"`)) throw new Error("another build");
    await cache.put(PAGE, page);
    // The tab that is open has loaded most of them a moment ago.
    await cache.addAll(FILES.map((name) => new Request(name, { cache: "force-cache" })));
  } catch (fault) {
    await caches.delete(KEPT + BUILD);
    throw fault;
  }
}

// Gives up the builds that no tab shows any more: a tab holds a lock with the name of its own.
async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(KEPT) && name !== KEPT + BUILD);
  const held = names.length > 0 ? (await navigator.locks.query()).held.map((lock) => lock.name) : [];
  await Promise.all(names.filter((name) => !held.includes(name)).map((name) => caches.delete(name)));
}

addEventListener("install", (event) => event.waitUntil(BUILD ? keep() : skipWaiting()));

addEventListener("activate", (event) => event.waitUntil(Promise.all([tidy(), clients.claim()])));

addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(skipWaiting());
  if (event.data === "tidy") event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const name = below(new URL(request.url));
  if (!BUILD || request.method !== "GET" || name === null) return;
  if (request.mode === "navigate" && (name === "" || name === "index.html")) {
    const page = caches.open(KEPT + BUILD).then((cache) => cache.match(PAGE, KEY));
    event.respondWith(page.then((kept) => kept ?? fetch(request)));
  } else if (STAMPED.test(name)) {
    event.respondWith(caches.match(request.url, KEY).then((kept) => kept ?? fetch(request)));
  }
});
