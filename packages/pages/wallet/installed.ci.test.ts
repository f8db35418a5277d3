import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { until } from "../../node/testing/until.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";
import { openWallet, shownAddress } from "./testing/opened-wallet.ts";

describe("the wallet as an installed app", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let proxy: ForwardingProxy;
  let browser: Browser;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    proxy = await ForwardingProxy.to(node.url);
  });
  after(() => proxy?.[Symbol.asyncDispose]());

  test("browsers find its manifest and all icons", async () => {
    const html = (await node.get("/wallet/send")).text;
    assert.match(html, /<link rel="manifest" href="\.\.\/wallet\/manifest\.webmanifest"/);
    const { icons, start_url } = JSON.parse((await node.get("/wallet/manifest.webmanifest")).text);
    const at = `${node.url}/wallet/manifest.webmanifest`;
    assert.equal(new URL(start_url, at).pathname, "/wallet");
    for (const { src } of icons as { src: string }[]) {
      const answer = await fetch(new URL(src, at));
      assert.equal(answer.headers.get("content-type"), "image/png");
    }
  });

  test("it starts without the node, continues when that is back, and keeps nothing but its shell", async () => {
    const { opened, address } = await openWallet(browser, proxy.url, undefined, {
      serviceWorkers: "allow",
    });
    await using _ = opened;
    const { page } = opened;
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    await page.reload(); // now all its scripts come through the service worker
    assert.equal(await shownAddress(opened), address);
    // A view that the HTML does not name.
    await page.locator('main a[href$="/wallet/receive"]').first().click();
    const isKept = async () =>
      (await page.evaluate(cachedPaths)).some((path) => path.startsWith("/pages/receive-view-"));
    await until(isKept, "the files of a loaded view are kept");
    const paths = await page.evaluate(cachedPaths);
    assert.deepEqual(
      paths.filter((path) => !/^\/(wallet(\/send|\/item\/-)?|pages\/[^/]+)$/.test(path)),
      [],
    );

    proxy.target = undefined;
    proxy.breakOff();
    await page.goto(`${proxy.url}/wallet/send`);
    await page.locator("main h1").waitFor();
    proxy.target = node.url;
    await page.getByLabel("To", { exact: true }).waitFor();
  });

  test("it shows that there is a newer version, and a reload takes it", async () => {
    await using opened = await OpenedPage.open(browser, proxy.url, "/wallet", {
      serviceWorkers: "allow",
    });
    const { page } = opened;
    await opened.isShown();
    proxy.change = (path, body) =>
      path === "/wallet" ? body.replace(/(pages\/wallet\.wallet-)[\w-]+\.js/, "$1newer.js") : body;
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByText("A new version of the wallet is available.").waitFor();
    proxy.change = (_path, body) => body;
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("A new version of the wallet is available.").waitFor({ state: "hidden" });
    assert.deepEqual(opened.complaints, []);
  });
});

async function cachedPaths(): Promise<readonly string[]> {
  const cache = await caches.open("moneta-wallet-shell");
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}
