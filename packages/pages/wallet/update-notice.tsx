import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { NODE_URL, PREFIX } from "../ledger/node.ts";
import { walletTexts } from "../texts/wallet-texts.ts";
import { walletLink } from "./links.ts";

const LOOK_MS = 600_000;
/** As in public/wallet/service-worker.js. */
const SHELL_CACHE = "moneta-wallet-shell";

const isNewer = signal(false);

/** The node has a newer version of the wallet. Source: explorer §3. */
export function UpdateNotice(): JSX.Element | null {
  const texts = walletTexts().wallet.update;
  return isNewer.value ? (
    <p class="notice update-notice" role="status">
      {texts.text}{" "}
      <button type="button" onClick={() => location.reload()}>
        {texts.reload}
      </button>
    </p>
  ) : null;
}

/** Lets the wallet start without the node, and looks for newer versions. */
export function keepShell(): void {
  if (import.meta.env.DEV) {
    return; // the built files are not there
  }
  const script = `${PREFIX}/wallet/service-worker.js`;
  const workers = navigator.serviceWorker;
  workers?.register(script, { scope: walletLink.home() }).catch(() => undefined);
  // Only the service worker reads what is kept.
  void workers?.ready.then(keepLoaded);
  setInterval(() => void lookForUpdate(), LOOK_MS);
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      void lookForUpdate();
    }
  });
}

/** For starts without the node. Through the service worker browsers would load each file twice. */
function keepLoaded(): void {
  const seen = new Set<string>();
  let kept = Promise.resolve();
  new PerformanceObserver((list) => {
    const urls = list.getEntries().map(({ name }) => name);
    for (const url of urls.filter((one) => one.startsWith(`${NODE_URL}/pages/`))) {
      if (!seen.has(url)) {
        seen.add(url);
        kept = kept.then(() => keep(url));
      }
    }
  }).observe({ type: "resource", buffered: true });
}

async function keep(url: string): Promise<void> {
  try {
    const cache = await caches.open(SHELL_CACHE);
    if ((await cache.match(url)) === undefined) {
      await cache.add(url);
    }
  } catch {
    // Without room for it the wallet needs the node to start.
  }
}

/** The HTML names its version's scripts, whose names have hashes. */
async function lookForUpdate(): Promise<void> {
  const own = document.querySelectorAll<HTMLScriptElement>('script[type="module"]');
  const names = [...own].map(({ src }) => src.slice(src.lastIndexOf("/") + 1));
  try {
    const response = await fetch(walletLink.home(), {
      headers: { Accept: "text/html" },
      cache: "no-cache",
    });
    const html = await response.text();
    isNewer.value = response.ok && !names.every((name) => html.includes(name));
  } catch {
    // Without the node there is nothing newer.
  }
}
