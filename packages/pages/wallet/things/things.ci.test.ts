import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import type { Browser, Locator, Page } from "playwright-core";
import { IS_LAST_LANE, longTest } from "../../../ledger/testing/lane.ts";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { axeViolations } from "../../testing/axe-violations.ts";
import { follow } from "../../testing/follow.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import type { OpenedPage } from "../../testing/opened-page.ts";
import { overflow } from "../../testing/overflow.ts";
import { countEffort } from "../testing/effort.ts";
import { openWallet } from "../testing/opened-wallet.ts";
import { isReviewed } from "../testing/signing.ts";

const COIN = 10n ** 8n;
/** More than any view has places. */
const TABS_MAX = 120;

/** By keyboard alone. */
class Wallet {
  readonly opened: OpenedPage;
  readonly address: string;
  /** To a target from where the last one left the focus, otherwise from the element before it. */
  tabsAllTheWay = true;
  readonly #page: Page;

  private constructor(opened: OpenedPage, address: string) {
    this.opened = opened;
    this.address = address;
    this.#page = opened.page;
  }

  /** A new account with 1000 coins. */
  static async open(browser: Browser, node: TestNode): Promise<Wallet> {
    const funding = { node, coins: 1000n * COIN };
    const { opened, address } = await openWallet(browser, node.url, funding);
    return new Wallet(opened, address);
  }

  async goto(path: string): Promise<void> {
    await follow(this.opened, path);
  }

  async #tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    if (!this.tabsAllTheWay) {
      await target.evaluate(focusBefore);
    }
    // To find it by its role at each press takes most of the time.
    let element = await target.elementHandle();
    for (let count = 0; count < TABS_MAX; count += 1) {
      const state = await element?.evaluate((one) =>
        one === document.activeElement ? "here" : one.isConnected,
      );
      if (state === "here") {
        return;
      }
      if (state !== true) {
        element = await target.elementHandle();
      }
      await this.#page.keyboard.press("Tab");
    }
    assert.fail(`${target} cannot be reached by Tab`);
  }

  async press(role: "link" | "button", name: string | RegExp, place = "main"): Promise<void> {
    const within = this.#page.locator(place);
    await this.#tabTo(within.getByRole(role, { name, exact: typeof name === "string" }).first());
    await this.#page.keyboard.press("Enter");
  }

  async nav(name: string): Promise<void> {
    await this.press("link", name, "nav.views");
    await this.opened.isShown();
  }

  async more(): Promise<void> {
    await this.#tabTo(this.#page.locator("main summary", { hasText: "More" }));
    await this.#page.keyboard.press("Enter");
  }

  async fill(texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(texts)) {
      await this.#tabTo(this.#page.locator(`[name="${name}"]`));
      await this.#page.keyboard.press("ControlOrMeta+A");
      await this.#page.keyboard.insertText(text);
    }
  }

  /** By the first letters, as a keyboard does. */
  async choose(name: string, option: string): Promise<void> {
    await this.#tabTo(this.#page.locator(`select[name="${name}"]`));
    await this.#page.keyboard.type(option);
  }

  /** The second of two radio buttons. */
  async chooseSecond(name: string): Promise<void> {
    await this.#tabTo(this.#page.locator(`[type="radio"][name="${name}"]`).first());
    await this.#page.keyboard.press("ArrowDown");
  }

  /** Waits for a block. Returns the review's text. */
  async sign(): Promise<string> {
    const field = this.#page.locator(".write-form form [name]").first();
    await field.or(this.#page.locator(".write-form h2")).first().waitFor();
    if (await field.isVisible()) {
      await this.press("button", "Review");
    }
    await isReviewed(this.#page);
    const review = await this.#page.locator(".write-form").innerText();
    await this.press("button", "Sign and send");
    await this.#page.locator(".write-form").getByText("in block").first().waitFor();
    return review.replaceAll(/\s+/g, " ");
  }

  /** What the receipt offers next. */
  async next(): Promise<string> {
    const actions = await this.#page.locator(".write-form .actions").allInnerTexts();
    return actions.join(" ").replaceAll(/\s+/g, " ");
  }

  /** Takes the first suggestion. */
  async pick(name: string, text: string): Promise<string> {
    await this.fill({ [name]: text });
    await this.#page.locator(".picker [role=option]").first().waitFor();
    await this.#page.keyboard.press("ArrowDown");
    await this.#page.keyboard.press("Enter");
    return await this.#page.locator(`[name="${name}"]`).inputValue();
  }

  async waitFor(text: string | RegExp): Promise<void> {
    await this.#page.locator("main").getByText(text).first().waitFor();
  }

  /** From the path of the first link to a created thing. */
  async made(): Promise<string> {
    const href = await this.#page.locator(".made a").first().getAttribute("href");
    return decodeURIComponent(href?.split("/").at(-1) ?? "");
  }

  async setClock(seconds: number): Promise<void> {
    await this.#page.clock.setFixedTime(seconds * 1000);
    await this.#page.reload();
    await this.opened.isShown();
  }

  assertQuiet(): void {
    assert.deepEqual(this.opened.complaints, []);
    assert.deepEqual(this.opened.elsewhere, []);
  }
}

/** Runs in the page: focuses what the tab key leaves for the element. */
function focusBefore(element: HTMLElement | SVGElement): void {
  const all = document.querySelectorAll<HTMLElement | SVGElement>(
    ":is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled)",
  );
  const inOrder = [...all].filter((one) => one.tabIndex >= 0 && one.checkVisibility());
  inOrder[inOrder.indexOf(element) - 1]?.focus();
}

/** It compresses badly. */
async function noise(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [300, 200];
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    for (let x = 0; x < 30; x += 1) {
      for (let y = 0; y < 20; y += 1) {
        context.fillStyle = `hsl(${(x * 97 + y * 61) % 360} 90% ${(x * 31 + y * 57) % 100}%)`;
        context.fillRect(x * 10, y * 10, 10, 10);
      }
    }
    return canvas.toDataURL();
  });
  return Buffer.from(url.split(",")[1] ?? "", "base64");
}

describe("what the wallet does with things, by keyboard alone", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let moneta: Moneta;
  let alice: Wallet;
  let bob: Wallet;

  const coins = async ({ address }: Wallet): Promise<bigint> => {
    const entries = await moneta.balanceOfToken({ address, token: 0 });
    return entries.reduce((sum, { balance }) => sum + balance, 0n);
  };

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    node.showTime();
    moneta = new Moneta(node.url);
    alice = await Wallet.open(browser, node);
    bob = await Wallet.open(browser, node);
  });

  test("an item and its project are made by one signature, and bought: 7 clicks and 3 fields", async () => {
    const efforts = [await countEffort(alice.opened.page), await countEffort(bob.opened.page)];
    await alice.nav("Items");
    await alice.press("link", "Create an item");
    await alice.fill({
      name: "Sloops #1",
      item_image_url: "https://sloops.example/1.png",
      sell_price: "15",
    });
    const made = await alice.sign();
    assert.match(made, /Create Sloops #1 and put it on sale for 15 TST/);
    assert.match(
      made,
      /Name Sloops #1 .* Price 15 TST .* changes of fees they can only fall A new project Sloops/,
    );
    assert.match(made, /You receive the new item/);
    const mrc401id = await alice.made();
    const [of, mrc400id] = [await moneta.mrc401({ mrc401id }), mrc401id.slice(0, 40)];
    assert.deepEqual([of.attributes, of.sell_price], [{ name: "Sloops #1" }, 15n * COIN]);
    const project = await moneta.mrc400({ mrc400id });
    assert.deepEqual([project.name, project.owner], ["Sloops", alice.address]);
    assert.deepEqual(project.policy, { terms: "fixed" });
    const document = await fetch(project.item_url.replace("{id}", mrc401id.slice(41)));
    const { name, image } = (await document.json()) as Record<string, string>;
    assert.deepEqual([name, image], ["Sloops #1", "https://sloops.example/1.png"]);

    await bob.nav("Market");
    await bob.press("link", "Buy: Sloops #1");
    assert.match(
      await bob.sign(),
      /You pay 15 TST You receive Sloops #1 .* You give 15 TST You receive Item/,
    );
    assert.equal((await moneta.mrc401({ mrc401id })).holder, bob.address);
    assert.deepEqual(await Promise.all(efforts.map((effort) => effort())), [
      { clicks: 4, fields: 3 },
      { clicks: 3, fields: 0 },
    ]);

    // Into the same project, with a file that is shrunk to the ledger's limit.
    await alice.press("button", "Make another");
    const { page } = alice.opened;
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "noise.png", mimeType: "image/png", buffer: await noise(page) },
    });
    await alice.waitFor(/The ledger keeps this picture itself, in 2\d\d characters/);
    await alice.fill({ name: "Sloops #2" });
    assert.match(await alice.sign(), /Create Sloops #2 Account .* Project Sloops Holder MT/);
    const { item_image_url, mrc400 } = await moneta.mrc401({ mrc401id: await alice.made() });
    assert.equal(mrc400, mrc400id);
    assert.match(item_image_url, /^data:image\/webp;base64,UklGR.{20,227}$/);
    await alice.press("link", "Put on sale");
    await alice.fill({ price: "3" });
    assert.match(
      await alice.sign(),
      /Price 3 TST .* You can take it off sale until it is bought\./,
    );
    assert.deepEqual([await coins(alice), await coins(bob)], [1015n * COIN, 985n * COIN]);
    await node.pay({ address: bob.address, privateKey: node.treasury.privateKey }, 15n * COIN);
    alice.assertQuiet();
    bob.assertQuiet();
    for (const wallet of [alice, bob]) {
      wallet.tabsAllTheWay = IS_LAST_LANE;
    }
  });

  test("an item is made in a project, sold to another browser, auctioned, bid for, closed, melted", async () => {
    await alice.goto("/wallet/items");
    await alice.press("link", "Create a project");
    const imageurl = "https://skerry.example/logo.png";
    await alice.fill({ name: "Skerry", imageurl });
    assert.match(await alice.sign(), /Name Skerry .* Category collection/);
    const mrc400id = await alice.made();
    const project = await moneta.mrc400({ mrc400id });
    assert.deepEqual(
      [project.description, project.category, project.url, project.item_image_url],
      ["Skerry", "collection", `${node.url}/explorer/project/${mrc400id}`, imageurl],
    );
    assert.equal(project.item_url, `${node.url}/mrc401/${mrc400id}_{id}/metadata`);
    await alice.press("link", "Create an item");
    await alice.more();
    await alice.fill({
      sell_price: "12",
      groupid: "Swords",
      sell_fee: "2.5",
      initial_reserve: "5",
    });
    const made = await alice.sign();
    assert.match(made, /Reserve, paid out when it is melted 5 TST .* You give 5 TST/);
    const mrc401id = await alice.made();
    assert.equal(await coins(alice), 1010n * COIN);

    await bob.goto("/wallet/market");
    await bob.press("link", /^Buy: Swords/);
    assert.match(
      await bob.sign(),
      /You pay 12 TST You receive Swords #.* You give 12 TST You receive Item .* receives 12 TST/,
    );
    assert.equal((await moneta.mrc401({ mrc401id })).holder, bob.address);
    assert.deepEqual([await coins(alice), await coins(bob)], [1022n * COIN, 988n * COIN]);

    await bob.goto(`/wallet/item/${mrc401id}`);
    await bob.press("link", "Auction");
    await bob.fill({ start: "10", bidding: "0.5" });
    assert.match(await bob.sign(), /Fees of the project 2.5 % of a sale or auction/);

    await alice.goto("/wallet/market?state=auction");
    await alice.press("link", /^Bid: Swords/);
    await alice.fill({ amount: "9" });
    await alice.press("button", "Review");
    await alice.waitFor("This is 9 but must be the start price 10 and whole multiples of 0.5.");
    await alice.press("button", /^Lowest bid/);
    assert.match(await alice.sign(), /Your bid 10 TST .* You give 10 TST/);
    assert.equal(await coins(alice), 1012n * COIN);
    await alice.goto("/wallet/market?tab=bids");
    await alice.press("link", /^Swords/);
    await alice.waitFor("Highest bidder");

    const { auction_end } = await moneta.mrc401({ mrc401id });
    node.now = (auction_end ?? 0) + 1;
    await bob.setClock(node.now);
    await bob.goto(`/wallet/item/${mrc401id}`);
    await bob.press("link", "Close the auction");
    await bob.waitFor("receives 0.25 TST");
    await bob.press("button", "Close the auction");
    await bob.waitFor("Closed.");
    assert.equal(await bob.next(), "Open it Share");
    assert.deepEqual(
      [await coins(alice), await coins(bob)],
      [1012n * COIN + 25_000_000n, 998n * COIN - 25_000_000n],
    );

    await alice.setClock(node.now);
    await alice.goto(`/wallet/item/${mrc401id}`);
    await alice.press("link", "Melt");
    await alice.sign();
    assert.equal(await coins(alice), 1017n * COIN + 25_000_000n);
    assert.equal((await moneta.mrc401({ mrc401id })).owner, "MELTED");
    alice.assertQuiet();
    bob.assertQuiet();
  });

  test("a token is made by one signature, offered, and bought in part", async () => {
    await alice.goto("/wallet/tokens");
    await alice.press("link", "Create a token");
    await alice.fill({ symbol: "GLD", name: "Gold", decimal: "2", totalsupply: "100.50" });
    await alice.sign();
    await alice.press("link", "Open it");
    await alice.press("link", "Put on sale");
    await alice.fill({ amount: "100.55", price: "3" });
    await alice.press("button", "Review");
    await alice.waitFor(/This is more than you can spend \(100.5 GLD/);
    await alice.press("button", /^All: 100.5/);
    assert.match(
      await alice.sign(),
      /Price of one 3 TST \(0.03 TST for 0.01 GLD #\d+\) .* You give 100.5 GLD #\d+/,
    );
    const dexid = await alice.made();

    // Found by name; the field has its id, as if pasted.
    const [{ id: gold } = { id: "" }] = (await moneta.tokens({ owner: alice.address })).items;
    await bob.goto("/wallet/token/0?do=sell");
    assert.equal(await bob.pick("token", "gol"), gold);
    await bob.waitFor(new RegExp(`^GLD #${gold}`));

    const before = await coins(bob);
    await bob.goto("/wallet/market?tab=tokens");
    await bob.press("link", /^Buy: 100.5 GLD #\d+$/);
    await bob.fill({ amount: "0.33" });
    assert.match(await bob.sign(), /You give 0.99 TST You receive 0.33 GLD #\d+/);
    assert.equal(await bob.next(), "Open it Share Put on sale Buy");
    assert.equal(before - (await coins(bob)), 99_000_000n);

    await bob.goto(`/wallet/listing/${dexid}?do=take-back`);
    await bob.press("button", "Review");
    await bob.waitFor("This account has no actions for it now.");
    await alice.goto("/wallet/market?tab=mine");
    await alice.press("link", /^Take back: 100.17 GLD #\d+/);
    assert.match(await alice.sign(), /You receive 100.17 GLD #\d+/);
    assert.equal((await moneta.tokenListing({ dexid })).state, "cancelled");
    alice.assertQuiet();
    bob.assertQuiet();
  });

  test("an order is placed, traded by another browser, and cancelled with what it holds", async () => {
    const [{ id: token } = { id: "" }] = (await moneta.tokens({ owner: alice.address })).items;
    await alice.goto(`/wallet/token/${token}`);
    await alice.press("link", /^GLD #\d+ .* TST/);
    await alice.press("link", "Place an order");
    await alice.chooseSecond("side");
    await alice.fill({ qtt: "10", price: "3" });
    assert.match(
      await alice.sign(),
      /Quantity 10 GLD #\d+ Price of one 3 TST .* You give 10 GLD #\d+/,
    );
    const mrc040id = await alice.made();

    await bob.goto(`/wallet/pair/0-${token}?do=trade`);
    await bob.fill({ qtt: "4", price: "2.5" });
    await bob.press("button", "Review");
    await bob.waitFor("of which the book has 0 at this price");
    await bob.fill({ price: "3.5" });
    assert.match(await bob.sign(), /You give 12 TST You receive 4 GLD #\d+/);
    await bob.goto(`/wallet/order/${mrc040id}?do=take`);
    await bob.fill({ qtt: "1.5" });
    assert.match(await bob.sign(), /You give 4.5 TST You receive 1.5 GLD #\d+/);
    assert.equal(await bob.next(), "Open it Share Trade with it");

    await alice.goto("/wallet/market?tab=orders");
    const held = alice.opened.page.getByRole("table", { name: "Held in open orders" });
    await held.getByText(/^4.5 GLD #\d+$/).waitFor();
    await alice.press("link", /^Cancel the order: 4.5 GLD #\d+/);
    assert.match(await alice.sign(), /You receive 4.5 GLD #\d+/);
    assert.equal((await moneta.order({ mrc040id })).status, "CANCEL");
    alice.assertQuiet();
    bob.assertQuiet();
  });

  test("a ticket is created from a table for another address, under a policy in words, offered for, and sold by its holder", async () => {
    await alice.goto("/wallet/new/project");
    await alice.more();
    await alice.fill({
      name: "Concert",
      category: "tickets",
      description: "One evening",
      url: "https://concert.example/",
      imageurl: "https://concert.example/logo.png",
      itemurl: "https://concert.example/item/{id}",
      itemimageurl: "https://concert.example/item/{id}.png",
      maxprice: "110",
      maxheld: "4",
    });
    await alice.choose("transfers", "sale");
    const policy = await alice.sign();
    assert.match(policy, /changes hands by sale or auction only/);
    assert.match(
      policy,
      /may be sold for at most 110 % of its face price an address holds at most 4/,
    );
    await alice.press("link", "Open it");
    await alice.press("link", "Create items from a table");
    await alice.fill({
      itemdata: `name,attribute:seat,to,face_price,sell_fee\nEvening,7,${bob.address},100,10\nEvening,8,,hundred,10`,
    });
    await alice.waitFor("“hundred” is not an amount");
    await alice.waitFor("1 line has an error.");
    await alice.press("button", "Review");
    await alice.waitFor("Correct it before you send.");
    await alice.fill({
      itemdata: `name,attribute:seat,to,face_price,sell_fee\nEvening,7,${bob.address},100,10\nEvening,8,,90,10`,
    });
    assert.match(await alice.sign(), /Addresses that they are created for 1 Policy changes hands/);
    const mrc400id = (await alice.made()).slice(0, 40);
    const { items } = await moneta.mrc401Items({ mrc400id, state: "all" });
    assert.deepEqual(
      items.map(({ attributes }) => attributes["seat"]),
      [8, 7],
    );
    const mrc401id = items[1]?.id ?? "";

    const held = await coins(alice);
    await alice.goto(`/wallet/item/${mrc401id}`);
    await alice.waitFor("may be sold for at most 110 TST");
    const seat = alice.opened.page.getByRole("row", { name: "seat 7" });
    await seat.waitFor();
    await alice.press("link", "Make an offer");
    await alice.fill({ price: "60" });
    assert.match(await alice.sign(), /Offer to buy: .* Price 60 TST .* You give 60 TST/);
    assert.equal(held - (await coins(alice)), 60n * COIN);
    await alice.goto("/wallet/market?tab=offers");
    await alice.press("link", /^Withdraw the offer: 60 TST/);
    await alice.waitFor("What it holds comes back at once.");

    const before = await coins(bob);
    await bob.goto("/wallet");
    await bob.press("link", "Open offers for what you hold: 1");
    await bob.press("link", /^Accept the offer: 60 TST/);
    assert.match(
      await bob.sign(),
      /Accept 60 TST for .* You receive at least 54 TST .* You give Item .* You receive 54 TST/,
    );
    assert.equal((await coins(bob)) - before, 54n * COIN);
    assert.equal((await moneta.mrc401({ mrc401id })).holder, alice.address);
    alice.assertQuiet();
    bob.assertQuiet();
  });

  longTest("every view and form is right for axe, in every width and theme", async (t) => {
    const { page } = alice.opened;
    const [{ id: project } = { id: "" }] = (await moneta.mrc400Projects({ owner: alice.address }))
      .items;
    const [{ id: token } = { id: "" }] = (await moneta.tokens({ owner: alice.address })).items;
    const [{ mrc040id: order } = { mrc040id: "" }] = (
      await moneta.orders({ owner: alice.address, state: "all" })
    ).items;
    const paths = [
      ...["items", "tokens", "market?tab=tokens", "market?tab=mine", "new/token", "item/nothing"],
      ...["", "?do=new-item", "?do=new-items", "?do=update", "?do=offer"].map(
        (query) => `project/${project}${query}`,
      ),
      ...["", "?do=auction"].map((query) => `token/${token}${query}`),
      ...["", "?do=order", "?do=trade"].map((query) => `pair/0-${token}${query}`),
      ...["", "?do=cancel-order"].map((query) => `order/${order}${query}`),
      "market?tab=orders",
      "market?tab=offers",
    ];
    for (const path of paths) {
      await t.test(path, async () => {
        await alice.goto(`/wallet/${path}`);
        for (const width of [360, 1280, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await overflow(page), [], `${width} px`);
        }
        await page.setViewportSize({ width: 1280, height: 900 });
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await axeViolations(page), [], colorScheme);
        }
      });
    }
    alice.opened.complaints.splice(0); // of the item that is not there
  });

  test("units are made, put on sale, and bought in another browser", async () => {
    await alice.goto("/wallet/new/units");
    await alice.fill({
      name: "Print",
      url: "https://print.example/",
      imageurl: "https://print.example/p.png",
      totalsupply: "20",
    });
    await alice.more();
    await alice.fill({ initialreserve: "0 0.5", creatorcommission: "5" });
    assert.match(await alice.sign(), /You give 10 TST You receive 20 units of the new item/);
    await alice.press("link", "Open it");
    await alice.press("link", "Put on sale");
    await alice.fill({ amount: "8", price: "2" });
    await alice.sign();
    await bob.goto("/wallet/market?tab=units");
    await bob.press("link", /^Buy: 8/);
    await bob.fill({ amount: "3" });
    assert.match(await bob.sign(), /You give 6 TST You receive 3 units/);
    await bob.goto("/wallet/items?tab=units");
    await bob.waitFor("3 free, 0 on sale, 0 on auction");
    alice.assertQuiet();
    bob.assertQuiet();
  });
});
