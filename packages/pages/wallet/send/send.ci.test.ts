import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { crc32 } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { longTest, someCases } from "../../../ledger/testing/lane.ts";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import { ForwardingProxy } from "../../../node/testing/forwarding-proxy.ts";
import { type KeyHolder, TestNode } from "../../../node/testing/test-node.ts";
import { becomes } from "../../../node/testing/until.ts";
import { follow } from "../../testing/follow.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";
import { pinOtherKey } from "../../testing/pinned-key.ts";
import { type OpenedWallet, openWallet } from "../testing/opened-wallet.ts";
import { isProven, isReviewed, review, sign } from "../testing/signing.ts";

const NOBODY = "0".repeat(30);
const ADDRESS_OF_NOBODY = `MT${NOBODY}${crc32(NOBODY).toString(16).padStart(8, "0")}`;
const TEN_COINS = 1_000_000_000n;
const MANY_COINS = 200_000_000_000n;

describe("sending", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let proxy: ForwardingProxy;
  let browser: Browser;
  /** For tests that leave nothing under way. */
  let wallet: OpenedWallet;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    node.showTime();
    proxy = await ForwardingProxy.to(node.url);
    wallet = await openWallet(browser, proxy.url, { node, coins: MANY_COINS });
  });
  after(() => proxy?.[Symbol.asyncDispose]());

  async function openShared(): Promise<OpenedWallet> {
    await follow(wallet.opened, "/wallet");
    wallet.opened.complaints.length = 0;
    return wallet;
  }

  async function fill(page: Page, to: string, amount: string): Promise<void> {
    await page.getByRole("link", { name: "Send", exact: true }).first().click();
    await page.getByLabel("To", { exact: true }).fill(to);
    await page.getByLabel("Amount", { exact: true }).fill(amount);
  }

  async function coins(holder: KeyHolder): Promise<string> {
    return (await node.balances(holder, "0")).join();
  }

  test("a payment is shown before it is signed, done once by a double click, and checked by proof", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    await fill(page, bob.address, "1.5");
    await page.getByLabel("Memo").fill("for tea");
    await review(page);
    await page.getByRole("heading", { name: "Before you sign" }).waitFor();
    await page.getByText("for tea", { exact: true }).waitFor();
    assert.equal(await coins(bob), "0");
    await page.getByRole("button", { name: "Sign and send" }).dblclick();
    await isProven(page);
    assert.equal(await coins(bob), "150000000");
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("an amount is shown with all its decimals before it is signed, and never as nothing", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    for (const amount of ["0.00000009", "1.00000109"]) {
      await fill(page, bob.address, amount);
      await review(page);
      await page.locator(".what").getByText(`Send ${amount} TST to `).waitFor();
      await page.locator(".facts .amount").getByText(`${amount} TST`, { exact: true }).waitFor();
      await page.getByRole("button", { name: "Back", exact: true }).click();
    }
    await fill(page, bob.address, "0.00000009");
    await review(page);
    await sign(page);
    await isProven(page);
    await follow(opened, `/explorer/address/${bob.address}`);
    await page.getByText("<0.000001 TST", { exact: true }).first().waitFor();
  });

  test("the answer to a payment is lost and the page reloaded: paid once, and shown as done", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    await fill(page, bob.address, "2");
    await review(page);
    proxy.loses = ({ url }) => url === "/transfer";
    await sign(page);
    await page
      .locator(".write-form")
      .getByText(/No answer yet, after 1 attempt/)
      .waitFor();
    await page.reload();
    const listed = page.locator(".write-list li", { hasText: "Send 2 TST" });
    await listed.getByText(/No answer yet/).waitFor();
    assert.equal(await coins(bob), "200000000");
    proxy.loses = () => false;
    await listed.getByText("checked by proof").waitFor();
    assert.equal(await coins(bob), "200000000");
    await becomes(() => page.evaluate(storedSignatures), 0);
  });

  test("the tab that sends a payment is closed: another one, open before, continues it", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const listed = opened.page.locator(".write-list li", { hasText: "Send 2.5 TST" });
    const { page } = await OpenedPage.open(opened.context, proxy.url, "/wallet");
    await fill(page, bob.address, "2.5");
    await review(page);
    proxy.loses = ({ url }) => url === "/transfer";
    await sign(page);
    await listed.getByText(/No answer yet/).waitFor();
    await page.close();
    proxy.loses = () => false;
    await listed.getByText("checked by proof").waitFor();
    assert.equal(await coins(bob), "250000000");
  });

  test("a payment that reached the ledger too late is shown as not executed, and is not", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    await fill(page, bob.address, "3");
    await review(page);
    proxy.answer = ({ url }, response) => {
      const isLost = url === "/transfer";
      if (isLost) {
        response.destroy(); // on its way to the node
      }
      return isLost;
    };
    await sign(page);
    await page
      .locator(".write-form")
      .getByText(/No answer yet/)
      .waitFor();
    node.now += 3700;
    await node.holder(); // a block at that time
    await page.evaluate(letPass, 3700);
    proxy.answer = () => false;
    await page
      .locator(".write-form")
      .getByText(/Nothing has happened/)
      .waitFor();
    assert.equal(await coins(bob), "0");
    node.now -= 3700;
    await page.reload(); // with its own clock
  });

  /** The first attempt is delayed, and the first repeat refused. */
  async function refusedRepeat(to: KeyHolder) {
    const { opened, address } = await openWallet(browser, node.url, { node, coins: TEN_COINS });
    const { page } = opened;
    const other = await OpenedPage.open(opened.context, node.url, "/wallet");
    const elsewhere = await node.holder();
    await fill(other.page, elsewhere.address, "6");
    await review(other.page);
    await fill(page, to.address, "6");
    await review(page);
    let first = "";
    await page.route(`${node.url}/transfer`, async (route) => {
      first ||= route.request().postData() ?? "";
      await route.abort();
    });
    await sign(page);
    const form = page.locator(".write-form");
    await form.getByText(/No answer yet/).waitFor();
    await sign(other.page);
    await isProven(other.page);
    await other.page.close();
    await page.unroute(`${node.url}/transfer`);
    await form.getByText(/an earlier attempt may still arrive/).waitFor();
    return { opened, address, first };
  }

  test("a repeat is refused, then the first attempt arrives: paid once, and shown as done", async () => {
    const bob = await node.holder();
    const { opened, address, first } = await refusedRepeat(bob);
    await using _ = opened;
    assert.equal(await coins(bob), "0");
    await node.pay({ address, privateKey: node.treasury.privateKey }, TEN_COINS);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const arrived = await fetch(`${node.url}/transfer`, { method: "POST", headers, body: first });
    assert.equal(arrived.status, 200, await arrived.text());
    await isProven(opened.page);
    assert.equal(await coins(bob), "600000000");
  });

  longTest(
    "a repeat is refused and nothing arrives in time: refused in the end, and the form is as it was",
    async () => {
      const bob = await node.holder();
      const { opened } = await refusedRepeat(bob);
      await using _ = opened;
      const { page } = opened;
      node.now += 7400; // ledger time is an hour ahead of it since the test above
      await node.holder(); // a block at that time
      await page.evaluate(letPass, 7400);
      await page
        .getByRole("alert")
        .getByText(/5001 .* can spend only/)
        .waitFor();
      await becomes(() => page.getByLabel("Amount", { exact: true }).inputValue(), "6");
      assert.equal(await coins(bob), "0");
      await becomes(() => page.evaluate(storedSignatures), 0);
      node.now -= 7400;
    },
  );

  for (const code of someCases(["2021", "2020"])) {
    test(`a node that says ${code} and has the payment done later: it is never called refused, and is shown as done`, async () => {
      const bob = await node.holder();
      const { opened } = await openShared();
      const { page } = opened;
      await fill(page, bob.address, "4");
      await review(page);
      let kept = "";
      page.on("request", (request) => {
        kept ||= request.url().endsWith("/transfer") ? (request.postData() ?? "") : "";
      });
      const height = String(await node.height());
      const waitedFor = new Set<unknown>();
      proxy.answer = ({ url = "", headers }, response) => {
        const isPayment = url === "/transfer";
        if (isPayment) {
          const problem = { code, status: 401, title: "Key", detail: "It serves nothing." };
          response
            .writeHead(401, {
              "content-type": "application/problem+json",
              "ledger-height": height,
            })
            .end(JSON.stringify(problem));
        }
        if (url.includes("/transactions?")) {
          waitedFor.add(headers["ledger-height-min"]);
        }
        return isPayment;
      };
      await sign(page);
      const form = page.locator(".write-form");
      await form.getByText(/the operation may still be done/).waitFor();
      assert.ok(waitedFor.has(height), "the history is as new as the refusal");
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const arrived = await fetch(`${node.url}/transfer`, { method: "POST", headers, body: kept });
      assert.equal(arrived.status, 200, await arrived.text());
      await isProven(page);
      proxy.answer = () => false;
      assert.equal(await coins(bob), "400000000");
    });
  }

  test("a node that only says that a payment is refused can do it, or what is signed instead, and not both", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    const bodies: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/transfer")) {
        bodies.push(request.postData() ?? "");
      }
    });
    await fill(page, bob.address, "4");
    await review(page);
    proxy.answer = ({ url }, response) => {
      const isPayment = url === "/transfer";
      if (isPayment) {
        const problem = { code: "5001", status: 400, title: "Funds", detail: "It is too much." };
        response
          .writeHead(400, { "content-type": "application/problem+json" })
          .end(JSON.stringify(problem));
      }
      return isPayment;
    };
    await sign(page);
    await page.getByRole("alert").getByText("It is too much.").waitFor();
    proxy.answer = () => false;
    await page.getByLabel("Amount", { exact: true }).fill("3");
    await review(page);
    await sign(page);
    await isProven(page);
    assert.equal(bodies.length, 2);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const [body = ""] = bodies;
    const first = await fetch(`${node.url}/transfer`, { method: "POST", headers, body });
    assert.match(await first.text(), /"code":"2021"/);
    assert.equal(await coins(bob), "300000000");
  });

  test("what the browser cannot store is not sent, and can be signed again", async () => {
    const bob = await node.holder();
    const { opened } = await openShared();
    const { page } = opened;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await fill(page, bob.address, "1");
    await review(page);
    await page.evaluate(abortPuts, { from: 1, to: 1 });
    await sign(page);
    await page
      .getByRole("alert")
      .getByText(/could not store it/)
      .waitFor();
    assert.deepEqual(
      sent.filter((one) => one.startsWith("POST")),
      [`POST ${proxy.url}/batch?dry=1`], // unsigned
    );
    await review(page);
    await sign(page);
    await isProven(page);
    assert.equal(await coins(bob), "100000000");
  });

  longTest("what became of a payment is shown, also if the browser cannot store it", async () => {
    const bob = await node.holder();
    const { opened } = await openWallet(browser, node.url, { node, coins: TEN_COINS });
    await using _ = opened;
    const { page } = opened;
    await fill(page, bob.address, "1");
    await review(page);
    await page.evaluate(abortPuts, { from: 2, to: 9 });
    await sign(page);
    await isProven(page);
    await becomes(() => page.evaluate(storedSignatures), 1);
    // The next visit repeats the request.
    await page.reload();
    await page.locator(".write-list").getByText("checked by proof").waitFor();
    await becomes(() => page.evaluate(storedSignatures), 0);
    assert.equal(await coins(bob), "100000000");
  });

  test("a proof of another key than the one seen first is a warning", async () => {
    const bob = await node.holder();
    const { opened } = await openWallet(browser, node.url, { node, coins: TEN_COINS });
    await using _ = opened;
    const { page } = opened;
    const pay = async (): Promise<void> => {
      await fill(page, bob.address, "1");
      await review(page);
      await sign(page);
    };
    await pay();
    await isProven(page);
    await pinOtherKey(opened);
    await page.getByRole("link", { name: "Overview" }).click();
    await pay();
    await page
      .locator(".write-form")
      .getByText(/signed with another key/)
      .waitFor();
    assert.equal(await coins(bob), "200000000");
  });

  test("a refusal stands beside the field that it names, and the form is as it was", async () => {
    const { opened, address } = await openShared();
    const { page } = opened;
    await fill(page, "MTnobody", "1");
    await review(page);
    await page.getByText(/This is not an address/).waitFor();
    await page.locator("input[name=to][aria-invalid=true]").waitFor();
    await page.getByLabel("To", { exact: true }).fill(ADDRESS_OF_NOBODY);
    await review(page);
    await page.locator(".field.wrong").getByText(ADDRESS_OF_NOBODY).waitFor();
    // Only the ledger refuses this, before signing.
    await page.getByLabel("To", { exact: true }).fill(address);
    await review(page);
    await page
      .locator(".field.wrong .error")
      .getByText(/pay another address/)
      .waitFor();
    await becomes(() => page.getByLabel("Amount", { exact: true }).inputValue(), "1");
  });

  longTest(
    "typing ends the dry run that is under way, and the next review is of what is typed",
    async () => {
      const bob = await node.holder();
      const { opened } = await openWallet(browser, proxy.url, { node, coins: TEN_COINS });
      await using _ = opened;
      const { page } = opened;
      let dryRuns = 0;
      proxy.answer = ({ url = "" }) => url.endsWith("dry=1") && ++dryRuns === 1;
      await fill(page, bob.address, "1");
      const sent = page.waitForRequest(/dry=1$/);
      const ended = page.waitForEvent("requestfailed", (one) => one.url().endsWith("dry=1"));
      await review(page);
      await sent;
      await page.getByLabel("Amount", { exact: true }).fill("2");
      await ended;
      await review(page);
      await isReviewed(page);
      await page.locator(".forecast-party dd", { hasText: "give 2 TST" }).waitFor();
      assert.equal(dryRuns, 2);
      proxy.answer = () => false;
      assert.equal(await coins(bob), "0");
    },
  );

  test("a node without dry runs: the review shows what is signed, and no effects", async () => {
    await using silent = await TestNode.start("--dry-runs", "no");
    const bob = await silent.holder();
    const funding = { node: silent, coins: TEN_COINS };
    const { opened } = await openWallet(browser, silent.url, funding);
    await using _ = opened;
    const { page } = opened;
    silent.now = Math.floor(Date.now() / 1000);
    await fill(page, bob.address, "1");
    await review(page);
    await isReviewed(page);
    await page.getByText("This node makes no forecasts").waitFor();
    assert.equal(await page.locator(".forecast-party").count(), 0);
    await sign(page);
    await isProven(page);
    assert.deepEqual(await silent.balances(bob, "0"), ["100000000"]);
  });

  test("an amount is read as the reader's locale writes it, and one that could mean two is refused", async () => {
    const bob = await node.holder();
    const funding = { node, coins: MANY_COINS };
    const { opened } = await openWallet(browser, node.url, funding, { locale: "en-DE" });
    await using _ = opened;
    const { page } = opened;
    await fill(page, bob.address, "1.000");
    await review(page);
    await page.getByText("“1.000” could mean 1\u202f000 or 1. Write one of these.").waitFor();
    await page.getByLabel("Amount", { exact: true }).fill("1.000,5");
    await review(page);
    await page.locator(".what").getByText("Send 1\u202f000,5 TST to ").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Use all" }).click();
    await review(page);
    await page.locator(".what").getByText("Send 2\u202f000 TST to ").waitFor();
    await sign(page);
    await isProven(page);
    assert.equal(await coins(bob), "200000000000");
    assert.deepEqual(opened.complaints, []);
  });

  test("many are paid from pasted lines, after each that is wrong has been mended", async () => {
    const [bob, carol] = [await node.holder(), await node.holder()];
    const { opened } = await openShared();
    const { page } = opened;
    await page.getByRole("link", { name: "Send", exact: true }).first().click();
    await page.getByRole("link", { name: "Send to many at once" }).click();
    const list = page.getByLabel("Payments as CSV");
    await list.fill(`to;amount\n${bob.address};0.5;rent\n${carol.address};one`);
    await page.getByText("“one” is not an amount").waitFor();
    await review(page);
    await page.locator(".field.wrong").waitFor();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await page.getByText(`without an offset the time zone is ${timeZone}`).waitFor();
    await list.fill(`${bob.address};0.5;rent;;20300101\n${carol.address};1`);
    await page.getByText("Digits alone could be a date or Unix seconds").waitFor();
    // Sent only if confirmed, for this list alone.
    const confirm = page.getByLabel("These are memos");
    await list.fill(`${bob.address},0,5`);
    await confirm.check();
    await list.fill(`${bob.address},0,5\n${carol.address},1`);
    await review(page);
    await page
      .locator(".field.wrong")
      .getByText("Confirm the memos that consist of digits")
      .waitFor();
    await confirm.check();
    await review(page);
    await sign(page);
    await isProven(page);
    assert.deepEqual([await coins(bob), await coins(carol)], ["0", "100000000"]);
    assert.deepEqual(opened.complaints, []);
  });
});

async function storedSignatures(): Promise<number> {
  const opening = indexedDB.open("moneta-wallet");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const all = opening.result.transaction("writes").objectStore("writes").getAll();
  await new Promise((resolve) => {
    all.onsuccess = resolve;
  });
  opening.result.close();
  return (all.result as { prepared?: unknown }[]).filter(({ prepared }) => prepared !== undefined)
    .length;
}

function letPass(seconds: number): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + seconds * 1000;
}

/** As on a full disk; counted from 1. */
function abortPuts({ from, to }: { readonly from: number; readonly to: number }): void {
  const { put } = IDBObjectStore.prototype;
  let puts = 0;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...what) {
    const request = put.apply(this, what);
    puts += this.name === "writes" ? 1 : 0;
    if (this.name === "writes" && puts >= from && puts <= to) {
      this.transaction.abort();
    }
    return request;
  };
}
