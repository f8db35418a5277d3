// `node bench/views.ts [transactions]`: how long each view of the explorer takes until its first
// content, on a ledger of a thousand transactions and on one of so many. Needs a quiet machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { launchChromium } from "../packages/node/testing/chromium.ts";
import { buildPages, OpenedPage } from "../packages/pages/testing/opened-page.ts";
import { Service } from "./service.ts";
import { type Known, WideLedger } from "./wide-ledger.ts";

const SMALL = 1000;
const ROUNDS = 7;
const MAIN = fileURLToPath(new URL("../packages/node/main.ts", import.meta.url));

const transactions = Number(process.argv[2] ?? "1000000");
if (!(transactions > SMALL)) {
  throw new Error(`transactions must be a number above ${SMALL}, not ${process.argv[2]}`);
}
const directory = mkdtempSync(join(tmpdir(), "moneta-views-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

buildPages();
const node = { main: MAIN, data: join(directory, "data") };
{
  // Makes block 0.
  await using _service = await Service.start(node);
}
const ledger = new WideLedger(node.data);
const browser = await launchChromium();
try {
  const small = await measure(browser, await ledger.grow(SMALL));
  const large = await measure(browser, await ledger.grow(transactions));
  console.log(`first content, ms (median of ${ROUNDS}): ${SMALL} and ${transactions} transactions`);
  for (const [name, ms] of large) {
    console.log(`${name.padEnd(24)}${format(small.get(name))}${format(ms)}`);
  }
} finally {
  await browser.close();
}

/** The median time of each view until it shows what it has read, ms. */
async function measure(browser: Browser, known: Known): Promise<ReadonlyMap<string, number>> {
  await using service = await Service.start(node);
  const url = `http://127.0.0.1:${service.port}`;
  await using opened = await OpenedPage.open(browser, url, "/explorer");
  const medians = new Map<string, number>();
  for (const [name, path] of Object.entries(pathsOf(known))) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await opened.page.goto(`${url}${path}`);
      await opened.isShown();
      times.push(performance.now() - start);
    }
    medians.set(name, times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number);
  }
  return medians;
}

function pathsOf({ shop, creators, projects, tokens, unitItems }: Known): Record<string, string> {
  return {
    home: "/explorer",
    blocks: "/explorer/blocks",
    transactions: "/explorer/transactions",
    "address of the shop": `/explorer/address/${shop}`,
    "address of a creator": `/explorer/address/${creators[0]}`,
    tokens: "/explorer/tokens",
    token: `/explorer/token/${tokens[0]}`,
    "the coin": "/explorer/token/0",
    projects: "/explorer/projects",
    project: `/explorer/project/${projects[0]?.id}`,
    items: "/explorer/items",
    "multi-unit item": `/explorer/item/${unitItems[0]}`,
    market: "/explorer/market",
    protocol: "/explorer/protocol",
    status: "/status",
  };
}

function format(ms = 0): string {
  return ms.toFixed(0).padStart(8);
}
