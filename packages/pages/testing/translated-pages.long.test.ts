import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Moneta } from "@moneta/sdk";
import type { Browser, Page } from "playwright-core";
import type { DemoNode } from "../../../examples/demo/demo-node.ts";
import { fillWorld, type World } from "../../../examples/demo/fill-world.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { demoNode, inBrowser } from "./in-browser.ts";
import { openAccount } from "./open-account.ts";
import { OpenedPage } from "./opened-page.ts";
import { oneOfEach, thingsOf, viewPaths } from "./views.ts";

/** Changes of text nodes; the first is Chrome's. */
const WAYS = ["replace", "insert and remove", "wrap"] as const;
type Way = (typeof WAYS)[number];

// Source: explorer §1.
describe("pages that a browser translates", { skip: withoutChromium() }, () => {
  let node: DemoNode;
  let browser: Browser;
  let moneta: Moneta;
  let world: World;

  inBrowser(demoNode, async (started) => {
    ({ node, browser } = started);
    moneta = new Moneta(node.url);
    world = await fillWorld(moneta);
  });

  test("keep figures, ids and names as they are, in every view", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    await openAccount(opened);
    const names = ["My account", "TST", "SHL", "Ada"];
    const wrong: string[] = [];
    for (const path of Object.values(oneOfEach(viewPaths(thingsOf(world))))) {
      await page.goto(`${node.url}${path}`);
      await opened.isShown();
      for (const text of await translate(page, "replace")) {
        if (/\p{Nd}/u.test(text) || names.includes(text.trim())) {
          wrong.push(`${path}: ${text}`);
        }
      }
    }
    assert.deepEqual([...new Set(wrong)], []);
  });

  for (const way of WAYS) {
    test(`follow the ledger where even figures were changed: ${way}`, async () => {
      await using opened = await OpenedPage.open(browser, node.url, "/wallet");
      const { page, complaints } = opened;
      const address = await openAccount(opened);
      const change = async (): Promise<unknown> => await translate(page, way, "everywhere");

      await page.clock.install();
      await page.goto(`${node.url}/explorer`);
      await opened.isShown();
      await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
      const rows = page.getByRole("table", { name: "Newest blocks" }).locator("tbody tr");
      for (const _ of [1, 2]) {
        await change();
        await moneta.faucet({ address });
        const now = (await newestAtRest()).toLocaleString("en");
        await page.locator(".tile dd").getByText(now, { exact: true }).waitFor();
        await rows.first().getByRole("link", { name: now, exact: true }).waitFor();
      }
      // Read again after a minute.
      const rate = page.locator(".tile", { hasText: "Operations per minute" }).locator("dd");
      const hasText = (await rate.textContent()) ?? "";
      await change();
      await page.clock.fastForward(60_000);
      await rate.filter({ hasText }).waitFor({ state: "detached" });
      await isAsLoadedAnew(opened);

      await change();
      await page.getByLabel("Language").selectOption("ko");
      await page.getByRole("heading", { name: "개요" }).waitFor();
      await change();
      await page.locator("html[lang=ko] select:has(option[value=ko])").selectOption("en");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await isAsLoadedAnew(opened);

      await change();
      const nav = page.locator("nav.views");
      await nav.locator("a[href$='/tokens']").click();
      await page.getByRole("heading", { name: "Tokens", level: 1 }).waitFor();
      await opened.isShown();
      await change();
      await page.locator("main a[href$='/token/0']").first().click();
      await page.locator("main .tabs").waitFor();
      await opened.isShown();
      await change();
      await page.locator("main .tabs a").nth(1).click();
      await opened.isShown();
      await change();
      await page.goBack();
      await opened.isShown();
      await isAsLoadedAnew(opened);
      await change();
      await nav.locator("a[href$='/blocks']").click();
      await page.getByRole("heading", { name: "Blocks", level: 1 }).waitFor();
      await opened.isShown();
      await isAsLoadedAnew(opened);

      await page.goto(`${node.url}/wallet`);
      await opened.isShown();
      for (const coins of ["400 TST", "500 TST"]) {
        await change();
        await moneta.faucet({ address });
        await page.locator(".current-account .amount").getByText(coins, { exact: true }).waitFor();
      }
      assert.deepEqual(complaints, []);
    });
  }

  /** No block comes after it before the next write. */
  async function newestAtRest(): Promise<number> {
    for (let tries = 0; tries < 600; tries += 1) {
      const [block] = (await moneta.blocks({ limit: 1 })).items;
      const [root] = (await moneta.transactions({ type: ["StateRoot"], limit: 1 })).items;
      if (block !== undefined && root?.db_sn === String(block.sn)) {
        return block.sn;
      }
      await setTimeout(200);
    }
    throw new Error("the newest block has no state root after two minutes");
  }
});

/** Every text once, in its place, as after a reload. */
async function isAsLoadedAnew(opened: OpenedPage): Promise<void> {
  const shown = await texts(opened.page);
  await opened.page.reload();
  await opened.isShown();
  await opened.page.getByText("live", { exact: true }).waitFor({ state: "attached" });
  // Names of tokens may come after the view.
  let anew = await texts(opened.page);
  for (let tries = 0; tries < 100 && !isDeepStrictEqual(shown, anew); tries += 1) {
    await setTimeout(200);
    anew = await texts(opened.page);
  }
  assert.deepEqual(shown, anew);
}

/** Without times, and the table that begins a row each minute. */
async function texts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const copy = document.getElementById("page")?.cloneNode(true) as HTMLElement;
    for (const time of copy.querySelectorAll("time, .activity table")) {
      time.remove();
    }
    return [...copy.querySelectorAll("h1, h2, p, li, dt, dd, th, td, footer, option, a")].map(
      ({ textContent }) => textContent.trim(),
    );
  });
}

/** Returns the texts. */
async function translate(page: Page, way: Way, where = "where allowed"): Promise<string[]> {
  return await page.evaluate(
    ([way, where]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const nodes: Text[] = [];
      while (walker.nextNode()) {
        nodes.push(walker.currentNode as Text);
      }
      return nodes.flatMap((node) => {
        const parent = node.parentElement;
        const isKept = where === "where allowed" && parent?.closest("[translate=no], .notranslate");
        if (!node.data.trim() || !parent || isKept || parent.closest("noscript, script, font")) {
          return [];
        }
        const { data } = node;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        outer.append(inner);
        if (way === "wrap") {
          node.replaceWith(outer);
          inner.append(node);
          return [data];
        }
        inner.append(data);
        if (way === "replace") {
          parent.replaceChild(outer, node);
        } else {
          parent.insertBefore(outer, node);
          parent.removeChild(node);
        }
        return [data];
      });
    },
    [way, where] as const,
  );
}
