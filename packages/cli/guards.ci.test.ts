import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestNode } from "../node/testing/test-node.ts";
import { CommandRuns } from "./testing/command-runs.ts";

// Purchases and bids are signed only for the shown terms.

const PAGES = ["--page-url", "https://a.example/", "--picture-url", "https://a.example/1.png"];

/** Of an item without terms, as signed with each purchase and bid. */
const PLAIN = { maxmeltfee: "0", maxsellfee: "0", transferable: "Permanent" };

let node: TestNode;
let user: CommandRuns;
let seller: string;
let buyer: string;
let sword: string;
let print: string;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  seller = await user.newAddress();
  buyer = (await user.moneta("address", "new")).trim();
  await user.moneta("faucet", buyer);
  const project = await made(
    ...[
      "project",
      "create",
      "Game",
      "--category",
      "game",
      "--description",
      "A game",
      "--data",
      "1",
    ],
    ...PAGES,
    ...[
      "--page-template",
      "https://a.example/{id}",
      "--picture-template",
      "https://a.example/{id}.png",
    ],
  );
  sword = await made("item", "create", project);
  print = await made("units", "create", "--name", "Sunset", "--supply", "20", ...PAGES);
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

async function made(...args: readonly string[]): Promise<string> {
  return (await user.moneta(...args, "--from", seller)).trim();
}

async function params(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { stdout, stderr } = await user.call([...args, "--from", buyer, "--dry-run"]);
  assert.notEqual(stdout, "", stderr);
  return (JSON.parse(stdout) as { readonly params: Readonly<Record<string, string>> }).params;
}

async function refused(...args: readonly string[]): Promise<string> {
  return await user.refused(2, ...args, "--from", buyer);
}

test("an item is not bought without price and token", async () => {
  for (const more of [[], ["--price", "1"], ["--token", "0"], ["--units"]]) {
    const summaryOf = await refused("item", "buy", sword, ...more);
    assert.match(
      summaryOf,
      new RegExp(`${sword} is not on sale.* would pay any: moneta item list`),
    );
  }
  await made("item", "sell", sword, "0.3");
  assert.deepEqual(await params("item", "buy", sword), {
    ...{ mrc401id: sword, buyer, price: "30000000", token: "0", ...PLAIN },
  });
  assert.equal((await params("item", "buy", sword, "--price", "0.2"))["price"], "20000000");
  await made("item", "unsell", sword);
  // With both, the payment is known, whatever a node reports.
  const named = ["item", "buy", sword, "--price", "0.3", "--token", "0"];
  assert.match(await user.refused(1, ...named, "--from", buyer), /7106/);
});

test("units are not bought without price and token", async () => {
  assert.match(await refused("units", "buy", print, "1"), new RegExp(`${print} is not on sale`));
  const cheap = await made("units", "sell", print, "5", "0.1");
  assert.deepEqual(await params("units", "buy", print, "2"), {
    ...{ id: print, buyer, amount: "2", price: "10000000", token: "0", ...PLAIN },
  });
  const dear = await made("units", "sell", print, "5", "10");
  const several = await refused("units", "buy", print, "2");
  const listing = `moneta units market --item ${print} --side sell`;
  assert.match(several, /has several offers: name one of them, .* would pay any/);
  assert.ok(several.includes(listing), several);
  const listed = await user.moneta(...listing.split(" ").slice(1));
  assert.ok(listed.includes(cheap) && listed.includes(dear), listed);
  assert.equal((await params("units", "buy", dear, "2"))["price"], "1000000000");
  await made("units", "unsell", cheap, dear);
});

test("a bid for an item is in the token of the auction that was shown", async () => {
  const none = await refused("item", "bid", sword, "1");
  assert.match(none, new RegExp(`${sword} is not on auction.*: moneta item list --state auction`));
  await user.moneta("item", "list", "--state", "auction");
  await made("item", "auction", sword, "0.5");
  assert.deepEqual(await params("item", "bid", sword, "1"), {
    ...{ mrc401id: sword, amount: "100000000", token: "0", buyer, ...PLAIN },
  });
  await user.moneta("item", "bid", sword, "1", "--from", buyer);
});

test("a bid for units is for the lot that was shown, in its token", async () => {
  const none = await refused("units", "bid", print, "1");
  assert.match(none, new RegExp(`${print} is not on auction: moneta units market`));
  const lot = await made("units", "auction", print, "2", "0.5");
  const signed = { id: lot, amount: "100000000", token: "0", buyer, ...PLAIN };
  assert.deepEqual(await params("units", "bid", lot, "1"), signed);
  // A new auction may have begun.
  assert.deepEqual(await params("units", "bid", print, "1"), signed);
  assert.deepEqual(await params("units", "bid", print, "1", "--token", "0"), signed);
  await user.moneta("units", "bid", print, "1", "--from", buyer);
  await made("units", "auction", print, "1", "0.5");
  assert.match(await refused("units", "bid", print, "1"), /has several auctions: name one/);
  const offer = await made("units", "sell", print, "1", "1");
  assert.match(await refused("units", "bid", offer, "1"), new RegExp(`${offer} is not on auction`));
});

const POWERS =
  "the owner may raise the melting fee to 99.9999 % and bind this item at any time, and take up to 99.9999 % of later sales: melting then pays next to nothing of the reserve; a bound item can no longer be sold or transferred";

test("mrc401 §2.6: what the project's owner may still change is shown before a purchase, bid or transfer is signed, and the shown terms are signed with it", async () => {
  const terms = ["--initial-reserve", "0.01", "--melt-fee", "5", "--transferable", "Temporary"];
  const create = ["create", sword.slice(0, 40), ...terms];
  const guards = { maxmeltfee: "5", maxsellfee: "0", transferable: "Temporary" };
  const [item, gift, units] = [
    await made("item", ...create),
    await made("item", ...create),
    await made("units", ...create, "--supply", "3"),
  ];
  const summaryOf = (id: string): RegExp =>
    new RegExp(`^“[^”]+” \\(${id}\\): ${POWERS} \\(owner of ${sword.slice(0, 40)}\\)\n`);
  for (const [kind, id, lot] of [
    ["item", item, ["0.5"]],
    ["units", units, ["1", "0.5"]],
  ] as const) {
    assert.match(await user.moneta(kind, "show", id), new RegExp(`project's owner +${POWERS}`));
    const offer = await made(kind, "sell", id, ...lot);
    const buy = [kind, "buy", id, ...(kind === "item" ? [] : ["1"])];
    const { maxmeltfee, maxsellfee, transferable } = await params(...buy);
    assert.deepEqual({ maxmeltfee, maxsellfee, transferable }, guards);
    assert.equal((await params(...buy, "--max-melt-fee", "7"))["maxmeltfee"], "7");
    const { stderr } = await user.call([...buy, "--from", buyer, "--dry-run"]);
    assert.match(stderr, summaryOf(id));
    await made(kind, "unsell", kind === "item" ? id : offer);
    const auction = await made(kind, "auction", id, ...lot);
    const bid = [kind, "bid", kind === "item" ? id : auction, "0.5"];
    assert.deepEqual({ ...guards, ...(await params(...bid)) }, await params(...bid));
    assert.match((await user.call([...bid, "--from", buyer])).stderr, summaryOf(id));
  }
  const passed = await user.call(["item", "transfer", buyer, gift, "--from", seller]);
  assert.match(passed.stderr, summaryOf(gift));
  const some = await user.call(["units", "transfer", buyer, units, "1", "--from", seller]);
  assert.match(some.stderr, summaryOf(units));
});

test("mrc401 §2.6: a purchase is refused once its owner has raised a fee that was shown", async () => {
  const item = await made("item", "create", sword.slice(0, 40), "--melt-fee", "5");
  await made("item", "sell", item, "0.5");
  const shown = await params("item", "buy", item);
  await made("item", "update", item, "--melt-fee", "99.9999");
  const guard = ["--max-melt-fee", shown["maxmeltfee"] as string];
  const refusal = await user.refused(1, "item", "buy", item, ...guard, "--from", buyer);
  assert.match(refusal, /--max-melt-fee is 5 but the item has melt_fee 99\.9999.*7112/s);
});

test("offers §2, §3: an offer is signed for the terms that were shown, an acceptance for the amount after fees", async () => {
  const terms = ["--sell-fee", "5", "--melt-fee", "10", "--transferable", "Temporary"];
  const guards = { maxmeltfee: "10", maxsellfee: "5", transferable: "Temporary" };
  const project = sword.slice(0, 40);
  const item = await made("item", "create", project, ...terms);
  const units = await made("units", "create", project, ...terms, "--supply", "3");
  const holder = (await user.moneta("address", "new")).trim();
  await made("item", "transfer", holder, item);
  await made("units", "transfer", holder, units, "3");
  const end = ["--end", `@${node.now + 7200}`];
  const of = { buyer, token: "0", end: `${node.now + 7200}` };

  assert.deepEqual(await params("item", "offer", item, "0.3", ...end), {
    ...{ id: item, price: "30000000", ...of, ...guards },
  });
  assert.deepEqual(await params("item", "offer", project, "0.3", ...end), {
    ...{ id: project, price: "30000000", ...of },
  });
  const offered = await user.call(["item", "offer", item, "0.3", ...end, "--from", buyer]);
  assert.ok(offered.stderr.includes(`(${item}): the owner may `), offered.stderr);
  const offer = offered.stdout.trim();
  const ofAny = (
    await user.moneta("item", "offer", project, "0.00000033", ...end, "--from", buyer)
  ).trim();
  const accept = ["item", "accept-offer", offer, "--from", holder] as const;
  const shown = await user.call([...accept, "--dry-run"]);
  assert.match(
    shown.stderr,
    new RegExp(
      `^selling “.*” \\(${item}\\) to ${buyer} for 0.3 TST, of which at least 0.285 TST is yours`,
      "m",
    ),
  );
  assert.equal(JSON.parse(shown.stdout).params.atleast, "28500000");
  const more = await user.refused(1, ...accept, "--at-least", "0.29");
  assert.match(more, /7112/);
  assert.match(
    await user.refused(2, "item", "accept-offer", ofAny, "--from", holder),
    new RegExp(`${ofAny} is for any item of ${project}: name the item to sell`),
  );
  // The fee is rounded down; the project's owner pays none.
  for (const [who, one, atleast] of [
    [holder, item, "32"],
    [seller, sword, "33"],
  ] as const) {
    const { stdout } = await user.call([
      ...["item", "accept-offer", ofAny, one, "--from", who, "--dry-run"],
    ]);
    assert.equal(JSON.parse(stdout).params.atleast, atleast);
  }
  await user.moneta(...accept);

  assert.deepEqual(await params("units", "offer", units, "3", "0.1", ...end), {
    ...{ id: units, amount: "3", price: "10000000", ...of, ...guards },
  });
  const ofUnits = await user.moneta("units", "offer", units, "3", "0.1", ...end, "--from", buyer);
  const sold = await user.call([
    ...["units", "accept-offer", ofUnits.trim(), "2", "--from", holder],
  ]);
  assert.match(
    sold.stderr,
    new RegExp(
      `selling 2 units of “.*” \\(${units}\\) to ${buyer} for 0.2 TST in all, of which at least 0.19`,
    ),
  );
  assert.match(sold.stderr, /got 0\.19 TST/);
});

test("policies §5: a refused price and the bound of its policy are in decimals of their tokens", async () => {
  const project = sword.slice(0, 40);
  await made("project", "update", project, "--policy", '{"maxprice":"110"}');
  const ticket = await made("item", "create", project, "--face-price", "1.5", "--to", buyer);
  await made("project", "update", project, "--policy", "{}");
  const sell = ["item", "sell", ticket, "1.66", "--from", buyer] as const;
  assert.match(
    await user.refused(1, ...sell),
    /is 1\.66 TST but by its policy the item costs at most 1\.65 TST\. .*\(3022\)/,
  );
  const inUnits = ["item", "sell", ticket, "166000000", "--units", "--from", buyer] as const;
  assert.match(
    await user.refused(1, ...inUnits),
    /is 166000000 but by its policy the item costs at most 165000000 of token 0\. .*\(3022\)/,
  );
});
