// `node bench/views.ts [transactions]`: how long each view of the explorer takes until its first
// content, on a ledger whose lists have just a full page, and on one of so many transactions.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { launchChromium } from "../packages/node/testing/chromium.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { buildPages, OpenedPage } from "../packages/pages/testing/opened-page.ts";
import { Service } from "./service.ts";
import { type Known, WideLedger } from "./wide-ledger.ts";

/** Each thousand makes one project and one token, of which a page shows 25. */
const SMALL = 30_000;
const ROUNDS = 15;
const MAIN = fileURLToPath(new URL("../packages/node/main.ts", import.meta.url));

const transactions = Number(process.argv[2] ?? "1000000");
if (!(transactions > SMALL)) {
  throw new Error(`transactions must be a number above ${SMALL}, not ${process.argv[2]}`);
}
using directory = new TemporaryDirectory("views");

buildPages();
const [smallData, largeData] = [join(directory.path, "small"), join(directory.path, "large")];
{
  // Makes block 0.
  await using _service = await Service.start({ main: MAIN, data: largeData });
}
const ledger = new WideLedger(largeData);
const smallKnown = await ledger.grow(SMALL);
cpSync(largeData, smallData, { recursive: true });
const largeKnown = await ledger.grow(transactions);
const browser = await launchChromium();
try {
  await measure(browser);
} finally {
  await browser.close();
}

/** Visits the same view of both nodes in turns, so that what else the machine does slows both. */
async function measure(browser: Browser): Promise<void> {
  await using small = await Service.start({ main: MAIN, data: smallData });
  await using large = await Service.start({ main: MAIN, data: largeData });
  await using smallPage = await opened(browser, small);
  await using largePage = await opened(browser, large);
  console.log(`until the first content, ms (median of ${ROUNDS}), and elements of the page then`);
  console.log(`${"".padEnd(24)}${cells(smallKnown.size, "")}${cells(largeKnown.size, "")}   ratio`);
  const largePaths = pathsOf(largeKnown);
  for (const [name, path] of Object.entries(pathsOf(smallKnown))) {
    const [inSmall, inLarge]: [Visit[], Visit[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      inSmall.push(await visit(smallPage, path));
      inLarge.push(await visit(largePage, largePaths[name] as string));
    }
    const [before, after] = [median(inSmall), median(inLarge)];
    const ratio = (after.ms / before.ms).toFixed(2).padStart(8);
    // More on the page takes longer to draw, however fast it was read.
    const note = after.elements > 1.1 * before.elements ? "  more to draw" : "";
    console.log(`${name.padEnd(24)}${shown(before)}${shown(after)}${ratio}${note}`);
  }
}

async function opened(browser: Browser, { port }: Service): Promise<OpenedPage> {
  const page = await OpenedPage.open(browser, `http://127.0.0.1:${port}`, "/explorer");
  // To watch requests would cost more than to answer them.
  await page.page.unrouteAll();
  return page;
}

interface Visit {
  readonly ms: number;
  readonly elements: number;
}

/** Loads a view anew, until it shows what it has read. */
async function visit(opened: OpenedPage, path: string): Promise<Visit> {
  const start = performance.now();
  await opened.page.goto(`${opened.url}${path}`);
  await opened.isShown();
  const ms = performance.now() - start;
  return { ms, elements: await opened.page.locator("*").count() };
}

function median(visits: readonly Visit[]): Visit {
  return visits.toSorted((a, b) => a.ms - b.ms)[Math.floor(visits.length / 2)] as Visit;
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

function shown({ ms, elements }: Visit): string {
  return cells(ms.toFixed(0), elements);
}

function cells(...values: readonly (string | number)[]): string {
  return values.map((value) => String(value).padStart(8)).join("");
}
