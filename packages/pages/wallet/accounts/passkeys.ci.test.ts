import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { follow } from "../../testing/follow.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";
import { Authenticator } from "../testing/authenticator.ts";
import { shownAddress } from "../testing/opened-wallet.ts";
import { isProven, review, sign } from "../testing/signing.ts";

describe("passkeys of the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  /** Browsers make no passkeys for IP addresses. */
  let named: string;
  let atPayment: readonly [OpenedPage, Authenticator] | undefined;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    named = node.url.replace("127.0.0.1", "localhost");
  });

  async function open(path: string): Promise<readonly [OpenedPage, Authenticator]> {
    const opened = await OpenedPage.open(browser, named, undefined);
    const authenticator = await Authenticator.of(opened.page);
    await opened.page.goto(`${named}${path}`);
    return [opened, authenticator];
  }

  async function createAccount({ page }: OpenedPage): Promise<void> {
    await page.getByRole("button", { name: "Create an account" }).click();
  }

  /** One browser for all that call it. */
  async function openAtPayment(): Promise<readonly [OpenedPage, Authenticator, string]> {
    if (atPayment === undefined) {
      atPayment = await open("/wallet");
      await createAccount(atPayment[0]);
      const address = await shownAddress(atPayment[0]);
      await new Moneta(node.url).faucet({ address });
    }
    const [opened, authenticator] = atPayment;
    const to = (await node.holder()).address;
    await follow(opened, "/wallet");
    await follow(opened, `/wallet/send?request=moneta:${to}?token=0%26amount=5`);
    return [opened, authenticator, to];
  }

  test("explorer §3: an empty profile pays with a passkey in three taps", async (t) => {
    const to = await node.holder();
    const request = encodeURIComponent(`moneta:${to.address}?token=0&amount=700`);
    const [opened, authenticator] = await open("/wallet");
    await using _ = opened;
    const { page } = opened;
    await page.goto(`${named}/wallet/send?request=${request}`);
    const create = page.getByRole("button", { name: "Create an account" });
    await create.waitFor();
    const from = performance.now();
    await create.click(); // the first tap
    const form = page.locator("input[name=to]");
    await form.waitFor();
    const created = performance.now();
    const address = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          indexedDB.open("moneta-wallet").onsuccess = ({ target }) => {
            const { result } = target as IDBOpenDBRequest;
            const all = result.transaction("accounts").objectStore("accounts").getAll();
            all.onsuccess = () => resolve(all.result[0].address);
          };
        }),
    );
    await new Moneta(node.url).faucet({ address });
    const funded = performance.now();
    await review(page); // the second
    await sign(page); // the third
    await isProven(page);
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    t.diagnostic(
      `account ${seconds(created - from)} s, payment ${seconds(performance.now() - funded)} s`,
    );
    assert.deepEqual(await node.balances(to, "0"), ["700"]);
    assert.equal(await authenticator.count(), 1);
    const { keyset } = await new Moneta(node.url).addressRead({ address, view: "full" });
    assert.deepEqual(
      keyset?.keys.map(({ kind, rpid, origins }) => [kind, rpid, origins]),
      [["webauthn", "localhost", [named]]],
    );
    // The ledger accepts only ES256.
    const others = opened.complaints.filter((one) => !one.includes("pubKeyCredParams"));
    assert.deepEqual(others, []);
  });

  test("a browser that has lost its data takes an account back by the passkey of the device", async () => {
    const [opened, , to] = await openAtPayment();
    const { page } = opened;
    await follow(opened, "/wallet");
    const address = await shownAddress(opened);
    await page.goto(`${named}/status`);
    await page.evaluate(() => indexedDB.deleteDatabase("moneta-wallet"));
    const { address: other } = await new Moneta(node.url).createAddress(
      await SigningKey.generate(),
    );
    for (const [given, says] of [
      [other, "No passkey on this device signs for this address."],
      [address, address],
    ] as const) {
      await follow(opened, "/wallet/new-account");
      await page.getByLabel("Address of the account").fill(given);
      await page.getByRole("button", { name: "Use the passkey" }).click();
      await page.getByText(says).first().waitFor();
    }
    await follow(opened, `/wallet/send?request=moneta:${to}?token=0%26amount=5`);
    await review(page);
    await sign(page);
    await isProven(page);
  });

  test("a passkey that was removed signs nothing, and the wallet says what to do", async () => {
    const [opened, authenticator, to] = await openAtPayment();
    const { page } = opened;
    await review(page);
    await authenticator.removePasskeys();
    await sign(page);
    await page.getByText("If this device no longer has the passkey").waitFor();
    assert.deepEqual(
      await node.balances({ address: to, privateKey: node.treasury.privateKey }, "0"),
      ["0"],
    );
  });

  test("a passkey of another domain signs nothing, and the wallet names the domain", async () => {
    const [opened] = await openAtPayment();
    const { page } = opened;
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          indexedDB.open("moneta-wallet").onsuccess = ({ target }) => {
            const { result } = target as IDBOpenDBRequest;
            const change = result.transaction("accounts", "readwrite");
            const all = change.objectStore("accounts").getAll();
            all.onsuccess = () => {
              const [account] = all.result;
              const passkey = { ...account.passkey, rpid: "wallet.example" };
              change.objectStore("accounts").put({ ...account, passkey });
            };
            change.oncomplete = () => resolve();
          };
        }),
    );
    await page.reload();
    await review(page);
    await sign(page);
    await page.getByText("The passkey of this account belongs to wallet.example").waitFor();
  });

  test("a passkey whose making is declined makes no account; without a passkey one is made", async () => {
    const [opened, authenticator] = await open("/wallet");
    await using _ = opened;
    const { page } = opened;
    await authenticator.setVerified(false);
    await createAccount(opened);
    await page.getByRole("alert").getByText("No passkey was made").waitFor();
    await page.getByRole("button", { name: "Without a passkey" }).click();
    await shownAddress(opened);
    await follow(opened, "/wallet/accounts");
    await page.getByText("key on P-256").waitFor();
  });

  for (const [what, program] of [
    [
      "without passkeys",
      () => {
        Reflect.deleteProperty(globalThis, "PublicKeyCredential");
      },
    ],
    [
      "whose platform has no P-256",
      () => {
        navigator.credentials.create = () =>
          Promise.reject(new DOMException("no algorithm", "NotSupportedError"));
      },
    ],
  ] as const) {
    test(`a browser ${what} makes a key by itself`, async () => {
      const context = await browser.newContext({ locale: "en-US" });
      await context.addInitScript(program);
      await using opened = await OpenedPage.open(context, named, "/wallet");
      await createAccount(opened);
      await shownAddress(opened);
      await follow(opened, "/wallet/accounts");
      await opened.page.getByText("key on P-256").waitFor();
    });
  }

  test("at an IP address of this machine the wallet leads to its name", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet");
    const url = `http://localhost:${new URL(node.url).port}/wallet`;
    await opened.page.getByRole("link", { name: url }).waitFor();
  });
});
