import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { Moneta, openingKey } from "@moneta/sdk";
import type { Browser, Locator } from "playwright-core";
import type { DemoNode } from "../../../examples/demo/demo-node.ts";
import { fillWorld, type World } from "../../../examples/demo/fill-world.ts";
import { sealSoon } from "../../../examples/demo/seals.ts";
import { onceDue } from "../../../examples/demo/town.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { becomes, until } from "../../node/testing/until.ts";
import { follow } from "../testing/follow.ts";
import { demoNode, inBrowser } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";

describe("views of a world", { skip: withoutChromium() }, () => {
  let node: DemoNode;
  let browser: Browser;
  let world: World;
  let shared: OpenedPage;

  inBrowser(demoNode, async (started) => {
    ({ node, browser } = started);
    world = await fillWorld(new Moneta(node.url));
    shared = await OpenedPage.open(browser, node.url, "/explorer");
    await shared.isShown();
  });

  /** In the page of all tests. */
  async function open(path: string): Promise<OpenedPage> {
    shared.complaints.length = 0;
    await follow(shared, `/explorer${path}`);
    return shared;
  }

  /** Its lists show new entries at once: they wait after a reader has moved. */
  async function openAnew(path: string): Promise<OpenedPage> {
    shared.complaints.length = 0;
    await shared.page.mouse.move(0, 0);
    await shared.page.goto(`${node.url}/explorer${path}`);
    await shared.isShown();
    return shared;
  }

  async function openAlone(path?: string): Promise<OpenedPage> {
    return await OpenedPage.open(browser, node.url, path && `/explorer${path}`);
  }

  function isClean({ complaints, elsewhere }: OpenedPage): void {
    assert.deepEqual(complaints, []);
    assert.deepEqual(elsewhere, []);
  }

  test("an address shows its unlock schedule, and a payment as soon as it is made", async () => {
    const { cast, coins } = world;
    const locked = await whoHasLocks();
    const opened = await openAnew(`/address/${locked}`);
    const { page } = opened;
    const locks = page.getByText("unlocks", { exact: true });
    await locks.nth(2).waitFor();
    await becomes(() => page.locator(".lock-point").count(), await locks.count());

    const memo = "for the views of a world";
    const { transaction_id: id } = await cast.ada.transfer({
      to: locked,
      amount: coins("0.123"),
      token: 0,
      memo,
    });
    const history = page.getByRole("table", { name: "History" });
    await history.locator(`a[title="${id}"]`).waitFor();
    isClean(opened);
  });

  async function whoHasLocks(): Promise<string> {
    for (const { address } of world.people) {
      const balances = await world.moneta.balance({ address });
      if (balances.filter(({ unlockdate }) => unlockdate > 0).length > 2) {
        return address;
      }
    }
    throw new Error("no address has three locks");
  }

  test("the balances of an address are shown at a time, of which the URL has the seconds", async () => {
    const { address } = world.cast.ada;
    const { items } = await world.moneta.addressTransactions({ address, limit: 100 });
    const coinsAt = async (at?: number): Promise<bigint> => {
      const balances = await world.moneta.balance({ address, at });
      return balances.filter(({ token }) => token === "0").reduce((a, b) => a + b.balance, 0n);
    };
    const newest = await coinsAt();
    let [at, then] = [0, newest];
    for (const { timestamp } of items.toReversed()) {
      if (then === newest) {
        [at, then] = [timestamp, await coinsAt(timestamp)];
      }
    }
    assert.notEqual(then, newest);
    const opened = await open(`/address/${address}?at=${at}`);
    const { page } = opened;
    const shown = page
      .getByRole("table", { name: "Balances" })
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: "TST", exact: true }) });
    const amount = async (): Promise<bigint> => {
      const text = await shown.getByRole("cell").nth(1).innerText();
      return world.coins(text.replaceAll(",", "").split(" ")[0] ?? "");
    };
    await shown.waitFor();
    assert.equal(await amount(), then);
    const field = page.getByLabel("At", { exact: true });
    await field.fill("2999-12-31T23:59");
    assert.ok(page.url().includes(`at=${at}`), "a time to come is not looked for");
    await field.fill("");
    await becomes(amount, newest);
    assert.ok(!page.url().includes("at="));
    isClean(opened);
  });

  test("the history of an address is narrowed by the URL, and by the fields above it", async () => {
    const { fatima } = world.cast;
    const opened = await open(`/address/${fatima.address}?kind=bids`);
    const { page } = opened;
    const rows = page.getByRole("table", { name: "History" }).getByRole("row");
    await rows.nth(1).waitFor();
    const kinds = await rows.locator(".badge").allInnerTexts();
    assert.ok(kinds.length > 0 && kinds.every((kind) => /bid|back/.test(kind)), kinds.join());
    // The tab key skips the time of each row.
    assert.equal(await rows.locator(".reveal:has(time):not([tabindex='-1'])").count(), 0);

    await page.getByLabel("Kind").selectOption("payments");
    await page.getByLabel("Token", { exact: true }).fill("bean");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/kind=payments&token=1$/);
    await page.goBack();
    isClean(opened);
  });

  test("a tab reads when it is shown, and not before", async () => {
    await using opened = await openAlone();
    const { page } = opened;
    const read: string[] = [];
    const steps: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      read.push(pathname);
      steps.push(...searchParams.getAll("step"));
    });
    const { points } = world.tokens;
    await page.goto(`${node.url}/explorer/token/${points}?tab=trades`);
    await page.getByRole("img", { name: /^Price of one BEAN #\d+ in TST/ }).waitFor();
    await page.locator(".chart canvas").waitFor();
    assert.ok(!read.includes(`/token/holders/${points}`));
    // One reading for tile and chart, as often as of the token.
    const days = steps.filter((step) => step === "day").length;
    assert.ok(days <= read.filter((path) => path === `/token/${points}`).length, read.join());
    const { items } = await world.moneta.tokens({});
    const count = items.find(({ id }) => id === points)?.holders;
    await page
      .locator(".tile", { has: page.getByText("Holders", { exact: true }) })
      .getByText(String(count), { exact: true })
      .waitFor();

    await page.getByRole("link", { name: "Holders" }).click();
    const holders = page.getByRole("table", { name: "Holders" });
    await holders.locator(".share").first().waitFor();
    assert.ok(read.includes(`/token/holders/${points}`));
    const shares = (await holders.locator(".share > span").allInnerTexts()).map(Number.parseFloat);
    assert.ok(Math.abs(shares.reduce((sum, one) => sum + one) - 100) < 1, shares.join());
    isClean(opened);
  });

  test("the list of tokens shows their market, and reads none of them by itself", async () => {
    const { points } = world.tokens;
    await using opened = await openAlone();
    const { page } = opened;
    const read: string[] = [];
    page.on("request", (request) => read.push(new URL(request.url()).pathname));
    await page.goto(`${node.url}/explorer/tokens`);
    const row = page.locator(`tbody tr:has(a[href$="/token/${points}"])`);
    const cell = (head: string) => row.locator(`[data-head="${head}"]`);
    await cell("Last price")
      .getByText(/^0\.\d+/)
      .waitFor();
    const { items } = await world.moneta.tokens({});
    const token = items.find(({ id }) => id === points);
    assert.ok(token !== undefined && token.day_volume > 0n);
    const volume = (Number(token.day_volume) / 100).toLocaleString("en-US");
    await cell("24 h volume").getByText(volume).waitFor();
    assert.equal(await cell("Holders").innerText(), String(token.holders));
    assert.ok(read.includes("/tokens"));
    assert.deepEqual(
      read.filter((path) => path.startsWith("/token/")),
      [],
    );
    isClean(opened);
  });

  test("an item on auction shows a bid as soon as it is made, and its whole life", async () => {
    const { longAuction } = world.items;
    const { auction_current_price: before } = await world.moneta.mrc401({ mrc401id: longAuction });
    const opened = await openAnew(`/item/${longAuction}`);
    const { page } = opened;
    const offer = page.getByRole("region", { name: "Offer" });
    await offer.getByText(/hr \d+ min left$/).waitFor();
    const amount = before + world.coins("7");
    await world.cast.ada.mrc401bid({ mrc401id: longAuction, amount, token: 0 });
    const price = String(amount / world.coins("1"));
    await offer.getByText(`${price} TST`, { exact: true }).waitFor();
    const life = page.getByRole("region", { name: "Activity" });
    await life.getByText(` bid ${price}`, { exact: false }).first().waitFor();
    await life.getByText("new item").waitFor();
    const views = page.getByRole("navigation", { name: "Explorer" });
    assert.deepEqual(await views.locator("[aria-current]").allInnerTexts(), ["Items"]);
    await page.getByRole("link", { name: "Open in the wallet" }).click();
    await page.waitForURL(`**/wallet/item/${longAuction}`);
    isClean(opened);
  });

  test("a project without single items begins with its multi-unit ones", async () => {
    for (const [project, first] of [
      [world.projects.game, "Items"],
      [world.projects.concerts, "Multi-unit items"],
    ] as const) {
      const { page } = await open(`/project/${project}`);
      await page.locator(".tabs a[aria-current]", { hasText: first }).waitFor();
      await page.getByRole("region", { name: first, exact: true }).locator("li").first().waitFor();
    }
  });

  test("an item says when it can be bought, and how bids move the end of its auction", async () => {
    const { moneta, coins, projects, cast } = world;
    const now = (await moneta.block({ block: await moneta.height() })).timestamp;
    const { mrc401ids } = await cast.studio.mrc401create({
      mrc400id: projects.game,
      itemdata: [
        { sell_price: coins("3"), sell_start: now + 86_400, sell_end: now + 172_800 },
        { auction_start_price: coins("3"), auction_end: now + 86_400, auction_extend: 300 },
      ],
    });
    const [onSale, onAuction] = mrc401ids as readonly [string, string];
    for (const [id, words] of [
      [onSale, /only from .+, only until /],
      [onAuction, /a bid with less than 5 min left moves the end, .+; never past /],
    ] as const) {
      const opened = await open(`/item/${id}`);
      const offer = opened.page.getByRole("region", { name: "Offer" });
      await offer.getByText(words).waitFor();
      isClean(opened);
    }
  });

  test("an item shows the offers to buy it, the best one beside its price", async () => {
    const { moneta, coins, projects, items, cast } = world;
    const end = (await moneta.block({ block: await moneta.height() })).timestamp + 86_400;
    const opened = await open(`/item/${items.idle}`);
    const { page } = opened;
    const offers = page.getByRole("table", { name: "Offers to buy" });
    await offers.getByText("11 TST").waitFor();
    await cast.ada.mrc401offer({ id: projects.game, price: coins("13"), token: 0, end });
    const beside = page.getByRole("region", { name: "Offer", exact: true });
    await beside.getByText("Best offer").waitFor();
    await beside.getByText("13 TST", { exact: true }).waitFor();
    isClean(opened);
  });

  test("an offer is found by search, from its item and its buyer, and follows what happens to it", async () => {
    const { moneta, coins, cast, items } = world;
    const end = (await moneta.block({ block: await moneta.height() })).timestamp + 86_400;
    const terms = { id: items.idle, price: coins("17"), token: 0, end, maxsellfee: "5" } as const;
    const { offerid } = await cast.chiara.mrc401offer(terms);
    const opened = await open(`/search?q=${offerid}`);
    const { page } = opened;
    await page.waitForURL(`**/explorer/offer/${offerid}`);
    const state = page.getByRole("region", { name: "Offer to buy" });
    await state.getByText("open", { exact: true }).waitFor();
    await state.getByText("17 TST").waitFor();
    await page.getByText("a sale fee of at most 5 %").waitFor();
    await page
      .getByRole("region", { name: "Activity" })
      .getByText("offered 17 TST")
      .first()
      .waitFor();
    await cast.chiara.mrc401unoffer({ offerid });
    await state.getByText("withdrawn", { exact: true }).waitFor();
    isClean(opened);

    const { open: standing } = world.offers;
    const { buyer, id } = await moneta.mrc401Offer({ offerid: standing });
    for (const path of [`/item/${id}`, `/address/${buyer}?tab=market`]) {
      const other = await open(path);
      await other.page.locator(`a[href$="/explorer/offer/${standing}"]`).first().waitFor();
      isClean(other);
    }
  });

  test("an offer for units says how many are bought, and one that is accepted who accepted it", async () => {
    const { moneta, offers } = world;
    const accepted = await moneta.mrc401Offer({ offerid: offers.accepted });
    const opened = await open(`/offer/${offers.accepted}`);
    await opened.page.getByText("Accepted by", { exact: true }).waitFor();
    await opened.page.locator(`dd a[href$="/address/${accepted.seller}"]`).waitFor();
    assert.equal(await opened.page.getByText("Open until", { exact: true }).count(), 0);
    isClean(opened);
    const [units] = (await moneta.mrc402Offers({ id: world.units.concert })).items;
    assert.ok(units !== undefined);
    const other = await open(`/offer/${units.offerid}`);
    await other.page.getByText("Bought so far", { exact: true }).waitFor();
    isClean(other);
  });

  test("an item shows its attributes, which lead to the items that have them", async () => {
    const { moneta, projects, items } = world;
    const { attributes } = await moneta.mrc401({ mrc401id: items.idle });
    const attribute = `level:${attributes["level"]}`;
    const opened = await open(`/item/${items.idle}`);
    const { page } = opened;
    const table = page.getByRole("table", { name: "Attributes" });
    await table.getByRole("link", { name: String(attributes["level"]) }).click();
    await page.waitForURL(`**/project/${projects.game}?tab=items&attribute=*`);
    assert.equal(new URL(page.url()).searchParams.get("attribute"), attribute);
    assert.equal(await page.getByLabel("Attribute", { exact: true }).inputValue(), attribute);
    const gallery = page.getByRole("region", { name: "Items", exact: true });
    await gallery.locator(`a[href$="/item/${items.idle}"]`).waitFor();
    const request = { mrc400id: projects.game, attribute, state: "all", limit: 24 } as const;
    const found = (await moneta.mrc401Items(request)).items;
    await becomes(() => gallery.locator('a[href*="/item/"]').count(), found.length);
    isClean(opened);
  });

  test("an item is as minted until the document at its page changes, and says when it is frozen", async () => {
    const { moneta, cast, projects } = world;
    const [id = ""] = (
      await cast.studio.mrc401create({ mrc400id: projects.game, itemdata: [{ groupid: "Seals" }] })
    ).mrc401ids;
    const path = `/mrc401/${id}/metadata`;
    const urls = { item_url: `${node.url}${path}`, item_image_url: `${node.url}/none.png` };
    const update = (terms: object) =>
      cast.studio.mrc401update({ mrc400id: projects.game, itemdata: [{ id, ...terms }] });
    await update(urls);
    const document = await (await fetch(`${node.url}${path}`)).text();
    await update({ metadatahash: createHash("sha256").update(document).digest("hex") });
    const opened = await open(`/item/${id}`);
    const { page } = opened;
    await page.getByRole("button", { name: "Compare with the document now" }).click();
    await page.getByText(/^As minted/).waitFor();
    const frozen = (await moneta.block({ block: await moneta.height() })).timestamp;
    await update({ attributes: { level: 9, name: "Dawn" }, frozen });
    await page.getByText(/^frozen since /).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Compare with the document now" }).click();
    await page.getByText(/^Has changed/).waitFor();
    await page.getByRole("heading", { level: 1, name: "Dawn", exact: true }).waitFor();
    const link = page.getByRole("link", { name: "JSON", exact: true });
    assert.equal(await link.getAttribute("href"), `${node.url}${path}`);
    isClean(opened);
  });

  test("an item shows what it was sold for, units the price of one", async () => {
    const { moneta, items, units } = world;
    const item = await moneta.mrc401({ mrc401id: items.traded });
    const opened = await open(`/item/${item.id}`);
    const { page } = opened;
    const sales = page.getByRole("table", { name: "Sales" }).locator("tbody tr");
    await sales.first().locator(`[data-head="Price"] .amount`).waitFor();
    assert.equal(
      (await sales.first().locator(`[data-head="Price"]`).innerText()).replaceAll(/\s+/g, " "),
      `${Number(item.last_trade_amount) / 10 ** 8} TST`,
    );
    isClean(opened);

    const other = await open(`/item/${units.potion}?tab=sales`);
    await other.page.getByRole("img", { name: /^Price of one unit in/ }).waitFor();
    isClean(other);
  });

  test("an item of units shows its holders, its listings and its life", async () => {
    const opened = await open(`/item/${world.units.concert}`);
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Aster Quartet, late evening" }).waitFor();
    await page.getByRole("table", { name: "Holders" }).locator(".share").first().waitFor();
    await page.getByRole("link", { name: "On the market" }).click();
    await page.getByRole("table", { name: "Units on the market" }).waitFor();
    await page.getByRole("link", { name: "Activity", exact: true }).click();
    await page.locator(".time-line li").first().waitFor();
    isClean(opened);
  });

  test("an entry of a history is checked where it stands", async () => {
    const { address } = world.cast.ada;
    const opened = await open(`/address/${address}`);
    const { page } = opened;
    const check = page.getByRole("button", { name: /^Check proof of the entry / });
    await check.first().click();
    await page.getByText("Verified here", { exact: true }).waitFor();
    await page.getByText("This entry is a record of its transaction").waitFor();
    // A tap on the next one closes the first, whose event comes later.
    await check.nth(1).evaluate((button: HTMLElement) => {
      document.querySelector<HTMLElement>(".revealed")?.hidePopover();
      button.click();
    });
    const next = page.locator(".revealed:popover-open");
    await next.getByText("Verified here", { exact: true }).waitFor();
    isClean(opened);
  });

  test("an entry of the life of an item is checked where it stands", async () => {
    const opened = await open(`/item/${world.items.traded}`);
    const { page } = opened;
    const life = page.getByRole("region", { name: "Activity" });
    const check = life.getByRole("button", { name: /^Check proof of the entry / });
    await check.first().waitFor();
    assert.equal(await check.count(), await life.getByRole("listitem").count());
    await check.first().click();
    await page.getByText("Verified here", { exact: true }).waitFor();
    await page.getByText("This entry is a record of its transaction").waitFor();
    isClean(opened);
  });

  test("an address shows the auctions in which its bid is the highest", async () => {
    const { items } = await world.moneta.mrc401Items({ state: "auction" });
    const item = items.find(({ auction_current_bidder: bidder }) => bidder !== "");
    assert.ok(item !== undefined);
    const opened = await open(`/address/${item.auction_current_bidder}?tab=market`);
    const bids = opened.page.getByRole("region", {
      name: /^Auctions of items where this address bids highest/,
    });
    await bids.locator(`a[href$="/item/${item.id}"]`).first().waitFor();
    isClean(opened);
  });

  test("a picture at another server is requested only after a tap, or with the setting", async () => {
    const { moneta, cast, projects } = world;
    const { mrc401ids } = await cast.studio.mrc401create({
      mrc400id: projects.game,
      itemdata: [{ groupid: "Remote" }],
    });
    const [id = ""] = mrc401ids;
    const url = `https://skerry.example/pictures/${id.slice(41)}.png`;
    assert.equal((await moneta.mrc401({ mrc401id: id })).item_image_url, "");
    await using opened = await openAlone(`/item/${id}`);
    const { page } = opened;
    await page.getByText("skerry.example", { exact: true }).waitFor();
    isClean(opened);

    await page.getByRole("button", { name: "Load picture" }).click();
    await page.getByText("The picture could not be loaded.").waitFor();
    assert.deepEqual(opened.elsewhere, [url]);

    await page.getByLabel("Load pictures of items from other servers").check();
    await page.reload();
    await page.getByText("The picture could not be loaded.").waitFor();
    assert.deepEqual(opened.elsewhere, [url, url]);
  });

  test("the market shows what ends soon, in that order, and every kind with its filters", async () => {
    const { longAuction } = world.items;
    const opened = await open("/market");
    const { page } = opened;
    const soon = page.getByRole("region", { name: "Ending soon" });
    await soon.locator(".thing-card").nth(2).waitFor();
    const ends = await soon
      .locator("time")
      .evaluateAll((times) => times.map((one) => one.getAttribute("datetime") ?? ""));
    assert.deepEqual(ends, ends.toSorted());
    assert.ok((await soon.locator(`a[href$="${longAuction}"]`).count()) === 1);

    await page.getByRole("link", { name: "Items", exact: true }).last().click();
    await page.getByLabel("Sort by").selectOption("lowest price");
    await page.waitForURL(/\?tab=items&order=price$/);
    const cheapest = { state: "sale", order: "price", token: "0", limit: 24 } as const;
    const { items } = await world.moneta.mrc401Items(cheapest);
    const gallery = page.getByRole("region", { name: "Items", exact: true });
    await gallery.locator(`li:first-child a[href$="/item/${items[0]?.id}"]`).waitFor();
    await becomes(
      () =>
        gallery
          .locator('a[href*="/item/"]')
          .evaluateAll((links) => links.map((one) => one.getAttribute("href")?.split("/").at(-1))),
      items.map(({ id }) => id),
    );

    await page.getByRole("link", { name: "Tokens", exact: true }).last().click();
    await page.getByLabel("Kind").selectOption("buy");
    await page.waitForURL(/\?tab=tokens&side=buy$/);
    const listings = page.getByRole("table", { name: "Tokens on the market" });
    await listings.getByText("request").first().waitFor();
    await listings.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: /^BEAN #\d+: request$/ }).waitFor();
    await page.locator(".time-line li").first().waitFor();
    isClean(opened);
  });

  test("the book of a pair follows its orders and trades, with exact prices and depth", async () => {
    const { points, shells } = world.tokens;
    const { studio, shop } = world.cast;
    const pair = { basetoken: points, targettoken: shells } as const;
    const [bean, shell] = [`BEAN #${points}`, `SHELL #${shells}`];
    const opened = await open(`/token/${points}?tab=orders`);
    const { page } = opened;
    const pairs = page.getByRole("table", { name: "Order books" });
    await pairs.getByText(`0.45 ${bean}`).waitFor();
    await pairs.getByRole("link", { name: `${shell} / ${bean}` }).click();
    await page.getByRole("heading", { level: 1, name: `${shell} / ${bean}` }).waitFor();
    await page.getByRole("img", { name: `Price of one ${shell} in ${bean} by the ` }).waitFor();
    const tile = (name: string) => page.locator(".tile", { hasText: name });
    await tile("Best ask").getByText(`0.6 ${bean}`).waitFor();
    await tile("Spread").getByText(`0.15 ${bean}`).waitFor();
    await tile("Last price").getByText(`0.5 ${bean}`).waitFor();

    const depth = `80 ${shell} bid, 340 ${shell} asked`;
    await page
      .getByRole("img", { name: `What can be traded down to each price: ${depth}` })
      .waitFor();

    const region = (name: string) => page.getByRole("region", { name, exact: true });
    const asks = page.getByRole("table", { name: "Asks" });
    const sale = { ...pair, side: "SELL", price: 55n, qtt: 20_0000n } as const;
    const { mrc040id } = await studio.mrc040create(sale);
    await tile("Best ask").getByText(`0.55 ${bean}`).waitFor();
    assert.match(await asks.locator("thead").innerText(), new RegExp(`Price \\(${bean}\\)`));
    // Next to the bids.
    await becomes(async () => {
      await showNew(region("Asks"));
      return await level(asks, 1);
    }, ["0.65", "0.6", "0.55"]);
    await becomes(() => level(asks, 4), ["360", "120", "20"]);
    const bars = () =>
      asks
        .locator(".depth-part")
        .evaluateAll((all) => all.map((bar) => Math.round(Number(bar.getAttribute("width")))));
    await becomes(bars, [100, 33, 6]);

    await shop.mrc040request({ ...pair, side: "BUY", price: 55n, qtt: 5_0001n });
    await tile("Last price").getByText(`0.55 ${bean}`).waitFor();
    const trades = page.getByRole("table", { name: "Trades" });
    // Rounded up for the seller: 0.55 x 5.0001 is 2.750055.
    await becomes(async () => {
      await showNew(region("Trades"));
      return (await column(trades, "Cost"))[0];
    }, `2.76 ${bean}`);
    await trades
      .getByRole("link", { name: /^[0-9a-f]{6}…/ })
      .first()
      .click();
    await page.waitForURL(`**/order/${mrc040id}`);
    isClean(opened);

    async function level(table: typeof asks, place: number): Promise<string[]> {
      return await table.locator(`tbody td:nth-child(${place})`).allInnerTexts();
    }

    async function column(table: typeof asks, head: string): Promise<string[]> {
      const cells = table.locator(`td[data-head="${head}"] .amount`);
      return (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    }
  });

  test("an order is found by its id, and shows its trades, its life and what it holds", async () => {
    const { cancelled, waiting } = world.orders;
    const { items } = await world.moneta.orderTrades({ mrc040id: cancelled });
    const [trade] = items;
    assert.ok(trade !== undefined);
    const opened = await open("/tokens");
    const { page } = opened;
    const search = async (text: string): Promise<void> => {
      const field = page.getByRole("combobox", { name: "Search the ledger" });
      await field.fill(text);
      await field.press("Enter");
    };
    await search(trade.id);
    await page.waitForURL(`**/transaction/${trade.transaction_id}`);
    await page.locator(`main a[href$="/order/${cancelled}"]`).first().click();
    await page.waitForURL(`**/order/${cancelled}`);
    const life = page.getByRole("region", { name: "Activity" });
    await life.getByText(/and got 40 SHELL #\d+ back/).waitFor();
    await becomes(() => life.getByRole("listitem").count(), 5);
    const trades = page.getByRole("table", { name: "Fills" });
    await becomes(() => trades.locator("tbody tr").count(), 3);

    await search(waiting);
    await page.waitForURL(`**/order/${waiting}`);
    const facts = page.locator(".facts > div");
    const fact = (name: string) => facts.filter({ has: page.getByText(name, { exact: true }) });
    await fact("Held").getByText("100 SHELL").waitFor();
    await page.getByText("Orders with a better price are filled first.").waitFor();
    await world.cast.studio.mrc040cancel({ mrc040id: waiting });
    await page.locator("main .offer").getByText("cancelled").waitFor();
    await fact("Held").getByText("0 SHELL").waitFor();
    isClean(opened);
  });

  test("an address shows what its orders hold, its orders by state, and its trades", async () => {
    const { studio } = world.cast;
    const opened = await open(`/address/${studio.address}?tab=orders`);
    const { page } = opened;
    const held = page.getByRole("table", { name: "Held in open orders" });
    const [pending] = (await world.moneta.pendingOrders({ address: studio.address })).items;
    await held.getByText(`${Number(pending?.pending) / 10_000} SHELL`).waitFor();
    const orders = page.getByRole("table", { name: "Orders of this address" });
    await becomes(() => orders.locator("tbody tr").count(), pending?.orders);
    await page.getByLabel("State").selectOption("cancel");
    await page.waitForURL(/tab=orders&state=cancel$/);
    await orders.getByText("cancelled").first().waitFor();
    await page.getByRole("table", { name: "Trades with orders" }).locator("tr").nth(3).waitFor();
    isClean(opened);
  });

  test("a sealed text is opened before the reader's eyes, and its key is checked here", async () => {
    const { moneta, cast } = world;
    const { ada } = cast;
    const key = openingKey("a letter");
    const sealing = {
      ...{ ledgerId: await moneta.ledgerId(), owner: ada.address, referencekey: "a_letter" },
      ...{ data: "a ciphertext", algorithm: "AES" },
    };
    const id = await sealSoon({ moneta, actor: ada }, sealing, key);
    const opened = await open("/tokens");
    const { page } = opened;
    const field = page.getByRole("combobox", { name: "Search the ledger" });
    await field.fill(id);
    await field.press("Enter");
    await page.waitForURL(`**/explorer/seal/${id}`);
    const facts = page.locator(".facts > div");
    const fact = (name: string) => facts.filter({ has: page.getByText(name, { exact: true }) });
    await fact("State").getByText("closed", { exact: true }).waitFor();
    await fact("Data").getByText("a ciphertext").waitFor();
    await fact("Hash of the key")
      .getByText(/^[0-9a-f]{64}$/)
      .waitFor();
    assert.equal(await fact("Key").count(), 0);

    await onceDue(() => moneta.mrc020open({ mrc020key: id, key }));
    const check = page.getByRole("region", { name: "Key", exact: true });
    await check.getByRole("heading", { name: "The key matches the hash" }).waitFor();
    assert.equal(await fact("Key").locator("dd").innerText(), key);
    await fact("Opened")
      .getByText(/ago|now/)
      .waitFor();
    const life = page.getByRole("region", { name: "Activity" });
    const opening = life.getByText("was opened by the key");
    await until(async () => {
      await showNew(life);
      return (await opening.count()) > 0;
    });
    await becomes(() => life.locator(`a[href$="/seal/${id}"]`).count(), 2);
    // The oldest: the sealing.
    await life
      .getByRole("button", { name: /^Check proof of the entry / })
      .last()
      .click();
    await page.getByText("Verified here", { exact: true }).waitFor();
    isClean(opened);
  });

  test("a key that a node makes up for a sealed text is shown as wrong", async () => {
    const { bid } = world.seals;
    await using opened = await openAlone();
    const { page } = opened;
    await page.route(`**/mrc020/${bid}`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...body, publickey: "bid 1" } });
    });
    await page.goto(`${node.url}/explorer/seal/${bid}`);
    const check = page.getByRole("region", { name: "Key", exact: true });
    await check.getByRole("heading", { name: "The key does not match the hash" }).waitFor();
    await check.getByText(/^[0-9a-f]{64}$/).waitFor();
    isClean(opened);
  });

  test("sealed texts are listed, all and those of an address, by whether they are open", async () => {
    const { bid, forecast } = world.seals;
    const opened = await open(`/address/${world.cast.ada.address}?tab=seals`);
    const { page } = opened;
    const own = page.getByRole("table", { name: "Sealed texts of this address" });
    await own.locator(`a[href$="/seal/${bid}"]`).waitFor();
    assert.equal(await own.locator(`a[href$="/seal/${forecast}"]`).count(), 0);
    await own.locator(`a[href$="/seal/${bid}"]`).click();
    // The address has a link of the same name.
    await page.getByRole("region", { name: "Key", exact: true }).waitFor();
    await page.getByRole("link", { name: "Sealed texts", exact: true }).click();
    await page.waitForURL("**/explorer/seals");
    const all = page.getByRole("table", { name: "Sealed texts" });
    await all.locator(`a[href$="/seal/${bid}"]`).waitFor();
    await page.getByLabel("State").selectOption("closed");
    await page.waitForURL(/state=closed$/);
    await all.locator(`a[href$="/seal/${forecast}"]`).waitFor();
    await all.locator(`a[href$="/seal/${bid}"]`).waitFor({ state: "detached" });
    isClean(opened);
  });

  test("the name of an item that could not be read is read again", async () => {
    const { transactions } = world;
    await using opened = await openAlone();
    const { page } = opened;
    let failures = 4; // the client library repeats twice
    await page.route("**/search?*", async (route) => {
      failures -= 1;
      await (failures < 0 ? route.fallback() : route.abort());
    });
    await page.goto(`${node.url}/explorer/transaction/${transactions.sale}`);
    await page
      .getByRole("link", { name: / #[0-9a-zA-Z]+$/ })
      .first()
      .waitFor();
    assert.ok(failures < 0, "it was asked for");
  });

  test("what does not exist is shown in the words of the node, without names of parameters", async () => {
    const opened = await open("/tokens");
    for (const [path, words] of [
      ["item/MRC401_x", '6004 "MRC401_x" is not the id of an item'],
      ["listing/x", '6004 "x" is not the id of a listing'],
      ["project/x", '6004 "x" is not the id of a project'],
      ["token/99", '4001 "99" is not the id of a token'],
      ["pair/1-99", '4001 "99" is not the id of a token'],
      ["pair/x", '1101 This is "x" but must be the id of a token'],
      ["order/MRC040_x", '6004 "MRC040_x" is not the id of an order'],
      ["seal/MRC020_x", '6004 "MRC020_x" is not the id of a sealed text'],
      ["address/x", '3190 This is "x" but must be an address'],
    ] as const) {
      await follow(opened, `/explorer/${path}`);
      await opened.page.getByRole("alert").getByText(words).waitFor();
      assert.equal(await opened.page.getByRole("alert").getByRole("button").count(), 0, path);
    }
  });
});

/** Lists pause after the reader has moved. */
async function showNew(list: Locator): Promise<void> {
  const button = list.locator(".new-entries");
  if ((await button.count()) > 0) {
    // It vanishes if the list shows the entries by itself.
    await button.click({ timeout: 1000 }).catch(() => undefined);
  }
}
