// Keeps the shell of the wallet (its HTML, scripts, styles), so that it starts without the node.
// Nothing of the ledger and nothing of an account is kept here. Source: explorer §3.

const CACHE = "moneta-wallet-shell";
/** The path of the wallet, such as `/wallet`. */
const ROOT = new URL(self.registration.scope).pathname.replace(/\/$/, "");
/** Where scripts and styles are, whose names have a hash of their content. */
const ASSETS = `${ROOT.replace(/[^/]*$/, "")}pages/`;
/** Links in the HTML are relative, so there is one for each depth of a view. */
const DEPTHS = [ROOT, `${ROOT}/send`, `${ROOT}/item/-`];

/** Whether the newest view came from the cache. Only then do its scripts. */
let isNodeLost = false;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) {
    return;
  }
  if (request.mode === "navigate" && (pathname === ROOT || pathname.startsWith(`${ROOT}/`))) {
    event.respondWith(view(request, pathname));
  } else if (isNodeLost && pathname.startsWith(ASSETS)) {
    event.respondWith(asset(request));
  }
});

async function keepShell() {
  const cache = await caches.open(CACHE);
  for (const path of DEPTHS) {
    const response = await fetch(path);
    const html = await response.clone().text();
    await cache.put(path, response);
    const names = html.matchAll(/"(?:\.\.?\/)+pages\/([^"]+)"/g);
    await cache.addAll(Array.from(names, ([, name]) => ASSETS + name));
  }
  await self.skipWaiting();
}

/** From the node; from the cache if that cannot be reached. */
async function view(request, pathname) {
  const cache = await caches.open(CACHE);
  const key = DEPTHS[pathname.slice(ROOT.length).split("/").length - 1] ?? DEPTHS.at(-1);
  try {
    const response = await fetch(request);
    isNodeLost = false;
    if (response.ok && response.headers.get("content-type")?.startsWith("text/html")) {
      await renew(cache, key, response.clone());
    }
    return response;
  } catch {
    isNodeLost = true;
    return (await cache.match(key)) ?? Response.error();
  }
}

/** Keeps the newest HTML; scripts of another version are of no use beside it. */
async function renew(cache, key, response) {
  const known = await (await cache.match(key))?.text();
  const html = await response.clone().text();
  if (known === html) {
    return;
  }
  await cache.put(key, response);
  if (key === ROOT && known !== undefined) {
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname.startsWith(ASSETS)) {
        await cache.delete(request);
      }
    }
  }
}

/** The page itself keeps what it has loaded: see update-notice.tsx. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}
