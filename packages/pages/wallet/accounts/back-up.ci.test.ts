import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { CommandRuns } from "../../../cli/testing/command-runs.ts";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import { TemporaryDirectory } from "../../../node/testing/temporary-directory.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";
import { countEffort } from "../testing/effort.ts";
import { openWallet, shownAddress } from "../testing/opened-wallet.ts";
import { isProven, review, sign } from "../testing/signing.ts";

const PASSPHRASE = "correct horse battery staple";

describe("keys of the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let folder: TemporaryDirectory;

  inBrowser(testNode, (started) => {
    folder = new TemporaryDirectory("back-up");
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
  });
  after(() => folder?.[Symbol.dispose]());

  async function backUp({ page }: OpenedPage): Promise<string> {
    await page.getByRole("link", { name: "Back up now" }).click();
    return await saveAndCheck(page);
  }

  async function saveAndCheck(page: Page): Promise<string> {
    await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await page.getByLabel("The same passphrase again").fill(PASSPHRASE);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the file" }).click();
    const file = join(folder.path, `${crypto.randomUUID()}.json`);
    await (await downloading).saveAs(file);
    await page.getByLabel("Back-up file").setInputFiles(file);
    await page.getByText("The file is right.").waitFor();
    return file;
  }

  async function restore(page: Page, file: string, passphrase: string): Promise<void> {
    await page.getByLabel("Back-up file").setInputFiles(file);
    await page.getByLabel("Passphrase").fill(passphrase);
    await page.getByRole("button", { name: "Restore" }).click();
  }

  test("after a back-up no key can be extracted, and none was sent or kept in the clear; it restores the account after its storage was cleared, in another browser, and by the command line", async () => {
    const { opened, address } = await openWallet(browser, node.url, { node, coins: 500n });
    const file = await keepsSecret(opened, address);
    await opened.page.evaluate(clearStorage);
    await opened.page.goto(`${node.url}/wallet`);
    await opened.page.getByRole("link", { name: "Restore a back-up" }).waitFor();
    const toRestore = await countEffort(opened.page);
    await opened.page.getByRole("link", { name: "Restore a back-up" }).click();
    await restore(opened.page, file, PASSPHRASE);
    await opened.page.getByRole("link", { name: "Go to the wallet" }).click();
    assert.equal(await shownAddress(opened), address);
    assert.deepEqual(await toRestore(), { clicks: 4, fields: 1 });
    await opened[Symbol.asyncDispose]();

    await using other = await OpenedPage.open(browser, node.url, "/wallet/restore");
    const { page } = other;
    await restore(page, file, `${PASSPHRASE}!`);
    await page.getByText("The passphrase is not the one").waitFor();
    const damaged = join(folder.path, "damaged.json");
    writeFileSync(damaged, readFileSync(file, "utf8").replace(/"data": "..../, '"data": "AAAA'));
    await restore(page, damaged, PASSPHRASE);
    await page.getByText("The file is damaged").waitFor();
    const none = join(folder.path, "none.json");
    writeFileSync(none, "{}");
    await restore(page, none, PASSPHRASE);
    await page.getByText("This file is not a back-up").waitFor();
    await restore(page, file, PASSPHRASE);
    await page.getByRole("link", { name: "Go to the wallet" }).click();
    assert.equal(await shownAddress(other), address);
    assert.equal(await page.evaluate(extracted), "refused");
    assert.deepEqual(other.complaints, []);

    using user = new CommandRuns(node.url);
    const passphrase = user.file("passphrase", `${PASSPHRASE}\n`);
    await user.moneta("key", "import", file, "--passphrase-file", passphrase);
    const bob = await node.holder();
    await user.moneta("transfer", bob.address, "0.000004", "--from", address);
    assert.deepEqual(await node.balances(bob, "0"), ["400"]);
  });

  /** Makes a back-up and a payment of 100. Returns the file. */
  async function keepsSecret(opened: OpenedPage, address: string): Promise<string> {
    const { page } = opened;
    const heard: string[] = [];
    page.on("request", (request) => heard.push(request.url(), request.postData() ?? ""));
    page.on("console", (message) => heard.push(message.text()));
    page.on("framenavigated", (frame) => heard.push(frame.url()));
    const secrets = (await page.evaluate(extracted)) as readonly string[];
    assert.equal(secrets.length, 3);
    const effort = await countEffort(page);
    const file = await backUp(opened);
    assert.deepEqual(await effort(), { clicks: 3, fields: 2 });

    assert.equal(await page.evaluate(extracted), "refused");
    const bob = await node.holder();
    await page.getByRole("link", { name: "Send", exact: true }).first().click();
    await page.getByLabel("To", { exact: true }).fill(bob.address);
    await page.getByLabel("Amount", { exact: true }).fill("0.000001");
    await review(page);
    await sign(page);
    await isProven(page);
    const kept = await page.evaluate(storedTexts);
    assert.match(kept, new RegExp(address), "what is kept was read");
    assert.ok(heard.some((text) => text.includes("/transfer")));
    for (const secret of [...secrets, PASSPHRASE]) {
      assert.ok(!kept.includes(secret), "in storage");
      assert.ok(!heard.some((text) => decodeURIComponent(text).includes(secret)), "sent");
    }
    assert.deepEqual(opened.complaints, []);
    return file;
  }

  test("an address that comes after the back-up does not bring back the key that could be extracted", async () => {
    const { opened } = await openWallet(browser, node.url);
    await using _ = opened;
    const { page } = opened;
    const isHeld = Promise.withResolvers<void>();
    await page.route(
      ({ pathname }) => pathname === "/address",
      async (route) => {
        await isHeld.promise;
        await route.continue();
      },
    );
    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("link", { name: "New account" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const accounts = page.locator(".account-switch select");
    // It is listed a moment before it acts.
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLSelectElement>(".account-switch select")?.selectedIndex === 1,
    );
    await accounts.selectOption({ index: 0 });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("link", { name: "Back up", exact: true }).first().click();
    await saveAndCheck(page);
    assert.deepEqual(await page.evaluate(keysKept), ["made closed", "made closed without address"]);
    isHeld.resolve();
    await accounts.locator("option", { hasText: "…" }).nth(1).waitFor({ state: "attached" });
    assert.deepEqual(await page.evaluate(keysKept), ["made closed", "made closed"]);
  });

  test("a key from a PEM file comes with its addresses", async () => {
    const holder = await node.holder({ coins: 7n });
    const pem = holder.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await using opened = await OpenedPage.open(browser, node.url, "/wallet/new-account");
    const { page } = opened;
    await page.getByLabel("Private key (PEM)").fill("no key");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText(/No private key in PEM form/).waitFor();
    await page.getByLabel("Private key (PEM)").fill(pem);
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText(holder.address, { exact: true }).first().waitFor();
    assert.deepEqual(opened.complaints, []);
  });
});

async function clearStorage(): Promise<void> {
  localStorage.clear();
  const deleting = indexedDB.deleteDatabase("moneta-wallet");
  await new Promise((resolve) => {
    deleting.onsuccess = resolve;
  });
}

/** Or "refused" if it cannot be extracted. */
async function extracted(): Promise<readonly string[] | "refused"> {
  const opening = indexedDB.open("moneta-wallet");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const all = opening.result.transaction("accounts").objectStore("accounts").getAll();
  await new Promise((resolve) => {
    all.onsuccess = resolve;
  });
  opening.result.close();
  const [account] = all.result as { keyPair: CryptoKeyPair }[];
  const key = account?.keyPair.privateKey as CryptoKey;
  try {
    const { d = "" } = await crypto.subtle.exportKey("jwk", key);
    const bytes = atob(d.replaceAll("-", "+").replaceAll("_", "/"));
    const hex = Array.from(bytes, (one) => one.charCodeAt(0).toString(16).padStart(2, "0"));
    return [d, btoa(bytes), hex.join("")];
  } catch {
    return "refused";
  }
}

/** Whether each is backed up and closed; those with an address first. */
async function keysKept(): Promise<readonly string[]> {
  const opening = indexedDB.open("moneta-wallet");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const all = opening.result.transaction("accounts").objectStore("accounts").getAll();
  await new Promise((resolve) => {
    all.onsuccess = resolve;
  });
  opening.result.close();
  const accounts = all.result as { address?: string; backUp: string; keyPair: CryptoKeyPair }[];
  return accounts
    .map(({ address, backUp, keyPair }) => {
      const key = keyPair.privateKey.extractable ? "open" : "closed";
      return `${backUp} ${key}${address === undefined ? " without address" : ""}`;
    })
    .sort();
}

async function storedTexts(): Promise<string> {
  const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const { name = "" } of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    for (const store of opening.result.objectStoreNames) {
      const all = opening.result.transaction(store).objectStore(store).getAll();
      await new Promise((resolve) => {
        all.onsuccess = resolve;
      });
      texts.push(JSON.stringify(all.result));
    }
    opening.result.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      texts.push(request.url, (await (await cache.match(request))?.text()) ?? "");
    }
  }
  return texts.join("\n");
}
