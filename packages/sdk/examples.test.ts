import assert from "node:assert/strict";
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchChromium, withoutChromium } from "../node/testing/chromium.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { parsed, TestNode } from "../node/testing/test-node.ts";

// What a newcomer starts from: the programs of examples/, as the guide says they are run.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const skip = withoutChromium();

let node: TestNode;
let installed: TemporaryDirectory;
let site: ChildProcess;
let siteUrl: string;
let browser: Browser;

before(async () => {
  installed = new TemporaryDirectory("examples");
  const out = join(installed.path, "dist");
  execFileSync(process.execPath, [join(ROOT, "scripts", "pack.mjs"), out], { stdio: "pipe" });
  for (const name of ["protocol", "sdk"]) {
    const to = join(installed.path, "node_modules", "@moneta", name);
    cpSync(join(out, name), to, { recursive: true });
  }
  cpSync(join(ROOT, "examples"), join(installed.path, "examples"), { recursive: true });
  writeFileSync(join(installed.path, "package.json"), `{"type":"module"}`);
  node = await TestNode.start();
  site = spawn(process.execPath, [join(installed.path, "examples", "wallet", "serve.mjs")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value: line } = await createInterface({ input: site.stdout as Readable })
    [Symbol.asyncIterator]()
    .next();
  siteUrl = /http:\S+/.exec(line ?? "")?.[0] ?? "";
  if (skip === false) {
    browser = await launchChromium();
  }
});

after(async () => {
  await browser?.close();
  site?.kill();
  await node?.[Symbol.asyncDispose]();
  installed?.[Symbol.dispose]();
});

test("the shop mints three swords and sells one", async () => {
  const program = join(installed.path, "examples", "shop.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, node.url]);
  const lines = stdout.split("\n");
  assert.equal(lines[0], "On sale:");
  assert.match(lines[1] ?? "", /^ {2}Gold {5}100 TST {2}MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/);
  assert.match(lines[4] ?? "", /^Sold for 10 TST in transaction [0-9a-f]{64}$/);
  assert.equal(lines[5], "It is the player's now, who has 90 TST left.");
});

test("where the wallet's port is taken it is said how to take another one", async () => {
  const program = join(installed.path, "examples", "wallet", "serve.mjs");
  const env = { ...process.env, PORT: new URL(siteUrl).port };
  const again = promisify(execFile)(process.execPath, [program], { env });
  await assert.rejects(again, (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 1);
    assert.match(error.stderr, /^listen EADDRINUSE.* On another port: PORT=8081 npm run/);
    return true;
  });
});

async function openWallet(): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${siteUrl}/?url=${encodeURIComponent(node.url)}`);
  await page.getByRole("button", { name: "Get coins", disabled: false }).waitFor();
  return page;
}

test("in the wallet a key is made, coins are got, a payment arrives in another one, live", {
  skip,
}, async () => {
  const [payer, payee] = await Promise.all([openWallet(), openWallet()]);
  await payer.getByRole("button", { name: "Get coins" }).click();
  await payer.getByText("100 TST", { exact: true }).waitFor();
  const to = await payee.locator("#address").innerText();
  await payer.getByLabel("To").fill(to);
  await payer.getByLabel("Amount").fill("2.5");
  await payer.getByLabel("Memo").fill("for the sword");
  // Somebody impatient pays once.
  await payer.getByRole("button", { name: "Sign and pay" }).dblclick();
  await payer.locator("#payment").getByText("Done: transaction").waitFor();
  await payer.getByLabel("Memo").press("Enter");
  await payer.getByRole("button", { name: "Sign and pay" }).click();
  await payee.getByText("2.5 TST", { exact: true }).waitFor();
  await payee.getByRole("listitem").filter({ hasText: "2.5 TST from" }).waitFor();

  const history = await node.get(`/address/${to}/transactions?type=receive`);
  assert.equal(parsed<{ items: unknown[] }>(history).items.length, 1);
  await payer.getByText("97.5 TST", { exact: true }).waitFor();

  await payee.reload();
  await payee.getByText("2.5 TST", { exact: true }).waitFor();
  assert.equal(await payee.locator("#address").innerText(), to);
});

test("in the wallet an item is minted and put on sale, and bought in another one", {
  skip,
}, async () => {
  const [seller, buyer] = await Promise.all([openWallet(), openWallet()]);
  await seller.getByLabel("What").fill("shields");
  await seller.getByLabel("Price").fill("7.5");
  await seller.getByRole("button", { name: "Mint one and sell it" }).click();
  await buyer.getByRole("button", { name: "Get coins" }).click();
  await buyer.getByText("100 TST", { exact: true }).waitFor();
  const offer = buyer.locator("#market li").filter({ hasText: /^Buy shields \w{8}: 7.5 TST$/ });
  await offer.getByRole("button", { name: "Buy" }).click();
  await buyer.getByText("92.5 TST", { exact: true }).waitFor();
  await buyer.getByText(/^Bought shields \w{8} for 7\.5 TST$/).waitFor();
  await seller.getByText("7.5 TST", { exact: true }).waitFor();
  await seller.locator("#market li").filter({ hasText: "shields" }).waitFor({ state: "detached" });
  await buyer.screenshot({
    path: process.env["SCREENSHOT"] ?? join(installed.path, "market.png"),
    fullPage: true,
  });
});

test("a payment whose answer does not come cannot be paid again by tapping once more", {
  skip,
}, async () => {
  const page = await openWallet();
  const { address } = await node.holder();
  await page.getByRole("button", { name: "Get coins" }).click();
  await page.getByText("100 TST", { exact: true }).waitFor();
  await page.route("**/transfer", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel("To").fill(address);
  await page.getByLabel("Amount").fill("3");
  await page.getByRole("button", { name: "Sign and pay" }).click();
  await page.locator("#payment .refused").waitFor();
  await page.unroute("**/transfer");
  await page.getByRole("button", { name: "Sign and pay" }).click();
  await page.getByText("97 TST", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Amount").inputValue(), "");
});

test("the wallet says what the ledger refuses beside the button, with amounts in decimals", {
  skip,
}, async () => {
  const page = await openWallet();
  const status = page.locator("#payment [role=status]");
  const pay = page.getByRole("button", { name: "Sign and pay" });
  await page.getByLabel("To").fill(await page.locator("#address").innerText());
  await page.getByLabel("Amount").fill("1.000000001");
  await pay.click();
  await status.getByText("has 9 decimals but this token has 8").waitFor();
  await page.getByLabel("Amount").fill("1");
  await pay.click();
  await status.getByText("from").waitFor();
  assert.equal(await status.getAttribute("class"), "refused");
  await page.getByLabel("To").fill((await node.holder()).address);
  await pay.click();
  await status.getByText("needs 1 TST but can spend only 0 TST").waitFor();
});
