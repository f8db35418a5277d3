import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Actor, Moneta, SigningKey } from "@moneta/sdk";
import type { Browser, Page } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { follow } from "../../testing/follow.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { openWallet } from "../testing/opened-wallet.ts";
import { isReviewed, review } from "../testing/signing.ts";
import { tokensIn } from "./tokens-in.ts";

test("a request names tokens as members, in lists, in JSON texts and as names of reserves", () => {
  const request = {
    ...{ token: "1", fromToken: 2n, mrc010id: "3", basetoken: "4", amount: "99" },
    itemdata: [{ sell_token: "5", sell_price: "98" }, { token: "0" }],
    list: '[{"auction_token":"6","initialreserve":{"7":"97"}}]',
    initialreserve: { 8: 96n },
    note: "[no JSON",
  };
  assert.deepEqual([...tokensIn(request)].toSorted(), [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
  ]);
});

describe("counterfeits", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let moneta: Moneta;
  let mallory: Actor;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    moneta = new Moneta(node.url);
    mallory = await moneta.createAddress(await SigningKey.generate());
    await moneta.faucet({ address: mallory.address });
  });

  async function tokenOf(symbol: string, name: string): Promise<string> {
    await mallory.tokensave({ symbol, name, decimal: 0, totalsupply: 1_000_000n });
    return (await mallory.tokencreate()).token;
  }

  async function warnings(page: Page): Promise<readonly string[]> {
    return await page.locator(".write-form .notice.warn").allInnerTexts();
  }

  test("of the coin and of held and trusted tokens are named before anything is signed", async () => {
    const [fake, long, gold, other] = [
      await tokenOf("\u0422\u0405\u0422", "Mine"),
      await tokenOf("000,000 TST", "Money"),
      await tokenOf("GLD", "Gold"),
      await tokenOf("GL\u200dD", "Shares"),
    ];
    const { opened, address } = await openWallet(browser, node.url, { node, coins: 10n ** 9n });
    await using _ = opened;
    const { page } = opened;
    const { mrc010dexid } = await mallory.mrc010sell({
      ...{ mrc010id: fake, token: "0", amount: 5000n, price: 1n, min_trade_unit: "1" },
    });
    await follow(opened, `/wallet/listing/${mrc010dexid}?do=buy`);
    await page.locator("[name=amount]").fill("5000");
    await review(page);
    await isReviewed(page);
    const facts = page.locator(".write-form .facts");
    await facts.getByText(`5,000 \u0422\u0405\u0422 #${fake}`).first().waitFor();
    await page.getByText(`#${fake} (Mine) is not the native coin TST (Test Coin).`).waitFor();

    await mallory.transfer({ to: address, token: long, amount: 5n });
    await mallory.transfer({ to: address, token: gold, amount: 5n });
    await mallory.transfer({ to: address, token: other, amount: 5n });
    const reviewSending = async (token: string): Promise<void> => {
      await follow(opened, "/wallet");
      await follow(opened, "/wallet/send");
      await page.locator("[name=token]").fill(token);
      await page.locator("[name=to]").fill(mallory.address);
      await page.locator("[name=amount]").fill("5");
      await review(page);
      await isReviewed(page);
    };
    await reviewSending(long);
    await page.locator(".what").getByText(`Send 5 "000,000 TST" #${long} to `).waitFor();
    await page.getByText(`#${long} (Money) is not the native coin TST`).waitFor();

    await reviewSending(gold);
    await page.getByText(`GLD #${gold} (Gold) is not GLU+200DD #${other}`).waitFor();
    await follow(opened, `/wallet/token/${gold}`);
    await page.getByRole("button", { name: "Mark as trusted" }).click();
    await page.getByText("trusted", { exact: true }).waitFor();
    await reviewSending(other);
    await page.getByText(`is not GLD #${gold} (Gold), which you have marked as trusted`).waitFor();
    assert.equal((await warnings(page)).length, 1);
    await reviewSending(gold);
    await page.locator(".write-form .facts").getByText(`5 GLD #${gold}`).first().waitFor();
    assert.deepEqual(await warnings(page), []);

    await follow(opened, "/wallet/swap");
    await page.getByLabel("With", { exact: true }).fill(mallory.address);
    await page.getByRole("group", { name: "You give" }).getByLabel("Amount").fill("2");
    const gets = page.getByRole("group", { name: "You receive" });
    await gets.getByLabel("Token").fill(fake);
    await gets.getByLabel("Amount").fill("5000");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText(`#${fake} (Mine) is not the native coin TST`).waitFor();
    assert.deepEqual(opened.elsewhere, []);
  });

  test("projects without a visible name are named as such, and their links can be hit", async () => {
    const url = "https://game.example/{id}";
    const names = ["\u2800\u3164", "\ufe0f\u200d", "5,000 TST"];
    for (const name of names) {
      await mallory.mrc400create({
        ...{ name, url: "https://game.example", imageurl: "https://game.example/i.png" },
        ...{ category: "game", description: "d", data: "d", itemurl: url, itemimageurl: url },
      });
    }
    const { opened } = await openWallet(browser, node.url);
    await using _ = opened;
    const { page } = opened;
    await page.goto(`${node.url}/explorer/projects`);
    const links = page.getByRole("table", { name: "Projects" }).locator("td a[href*=project]");
    await links.first().waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      '"5,000 TST"',
      "(no visible characters)",
      "(no visible characters)",
    ]);
    await links.nth(1).click();
    await page.getByRole("heading", { level: 1, name: "(no visible characters)" }).waitFor();
  });
});
