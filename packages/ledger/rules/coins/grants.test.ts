import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { GRANT, openGrants } from "../../state/grant-entry.ts";
import type { Params } from "../../testing/admitted.ts";
import { checkCatalogue, typesOf } from "../../testing/catalogue.ts";
import { TestClient } from "../../testing/test-client.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnits,
} from "../../testing/trade/creations.ts";

const DAY = 86_400;
const AGENT = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  .publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

/** A ledger with three people, a project of `a` and things in it, and a token of `a`. */
class Granting implements Disposable {
  readonly client: TestClient;
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
  gold = "";
  project = "";
  items: readonly string[] = [];
  units = "";

  private constructor(client: TestClient, people: Readonly<Record<"a" | "b" | "c", Address>>) {
    this.client = client;
    [this.a, this.b, this.c] = [people.a, people.b, people.c];
  }

  static async open(): Promise<Granting> {
    const client = await TestClient.open();
    const made = new Granting(client, await client.people(["a", "b", "c"], { coins: 100_000n }));
    made.gold = await createToken(client, made.a);
    made.project = await createProject(client, made.a);
    made.items = await createItems(client, made.project, made.a, {}, {}, {});
    made.units = await createUnits(client, made.a, { totalsupply: "100" });
    return made;
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }

  /** The id of a grant by `a` for these operations, with no bounds but `bounds`. */
  async grant(operations: readonly string[], bounds: Params = {}): Promise<string> {
    const until = String(this.client.now + 30 * DAY);
    const sent = { address: this.a, agent: AGENT, operations, until, ...bounds };
    const { record } = await this.client.done("grant", this.a, sent);
    return record.parameters[1] as string;
  }

  /** What becomes of an operation for `a` by a grant. */
  async by(grant: string, op: string, params: Params): Promise<string> {
    return (await this.client.send(op, this.a, { ...params, grant, signed: "full" })).summary;
  }

  pay(to: Address, amount: string, token = "0"): Params {
    return { from: this.a, to, amount, token };
  }
}

const COINS = { limits: [{ token: "0", amount: "5000", period: "0" }] };

test("authority §5.1: a grant has an entry, records and a history; what it may not say is refused", async () => {
  using granting = await Granting.open();
  const { client, a, b } = granting;
  const until = client.now + DAY;
  const sent = {
    ...{ address: a, agent: AGENT, operations: ["transfer"], until: String(until) },
    ...{ limits: [{ token: "0", amount: "5" }], payees: [b], note: "the game" },
    items: [{ id: granting.project, minprice: "7", token: "0" }],
  };
  const { record, tkey, signature } = await client.done("grant", a, sent);
  const [, grantid = ""] = record.parameters;
  assert.match(grantid, /^GRT_[0-9a-f]{33}$/);
  assert.deepEqual(record.parameters, [a, grantid, AGENT, String(until), signature, tkey]);
  const entry = client.ledger.ledger.state.find(GRANT, grantid);
  assert.deepEqual(GRANT.json(entry as never), {
    ...{ grantid, address: a, agent: AGENT, operations: ["transfer"], payees: [b] },
    limits: [{ token: "0", amount: "5", period: 0 }],
    items: [{ id: granting.project, minprice: "7", token: "0" }],
    ...{ until, note: "the game", version: 0, createdate: client.now, ended: 0 },
  });
  const refused: readonly (readonly [Params, string])[] = [
    [{ operations: [] }, "400 3002 operations"],
    [{ operations: ["transfer", "nothing"] }, "400 3005 operations[1]"],
    [{ operations: ["addresskeys"] }, "400 3005 operations[0]"],
    [{ operations: ["grant"] }, "400 3005 operations[0]"],
    [{ operations: ["protocol"] }, "400 3005 operations[0]"],
    [{ limits: [{ token: "99", amount: "5" }] }, "404 4001 limits[0].token"],
    [{ limits: [sent.limits[0], sent.limits[0]] as object }, "400 3004 limits[1]"],
    [{ payees: ["MT"] }, "400 3190 payees[0]"],
    [{ payees: ["MTNobody00000000000000000000000005dc33c90"] }, "400 3190 payees[0]"],
    [{ items: [{ id: "x" }] }, "400 3005 items[0].id"],
    [{ items: [{ id: granting.project, minprice: "7" }] }, "400 1000 items[0].token"],
    [{ items: [{ id: "token:1", minprice: "7", token: "0" }] }, "400 3005 items[0].minprice"],
    [{ until: String(client.now) }, "400 1102 until"],
    [{ until: String(client.now + 366 * DAY) }, "400 1102 until"],
  ];
  for (const [other, reported] of refused) {
    assert.equal((await client.send("grant", a, { ...sent, ...other })).summary, reported);
  }
  assert.equal(await granting.by(grantid, "grantend", { grantid }), "403 7003 grant");
  await client.done("grantend", a, { grantid });
  assert.equal((await client.send("grantend", a, { grantid })).summary, "409 7209 grantid");
  const types = checkCatalogue(client.ledger);
  assert.deepEqual(
    [...typesOf("grants")].filter((type) => !types.has(type)),
    [],
  );
});

describe("authority §5.3: what an agent may do", () => {
  let granting: Granting;
  before(async () => {
    granting = await Granting.open();
  });

  test("limits bound what is spent in each period, of each token", async () => {
    const { client, b, c } = granting;
    const limits = [
      { token: "0", amount: "5", period: String(DAY) },
      { token: "0", amount: "7" },
    ];
    const id = await granting.grant(["transfer"], { limits, payees: [b] });
    const pay = (amount: string, to = b, token = "0"): Promise<string> =>
      granting.by(id, "transfer", granting.pay(to, amount, token));
    assert.equal(await pay("3"), "done");
    const over = await client.send("transfer", granting.a, {
      ...{ ...granting.pay(b, "3"), grant: id, signed: "full" },
    });
    const { code, needed, left, token } = over.problem ?? {};
    assert.deepEqual([code, needed, left, token], ["7005", "3", "2", "0"]);
    assert.equal(await pay("1", b, granting.gold), "403 7005 grant");
    assert.equal(await pay("1", c), "403 7004 grant");
    assert.equal(await granting.by(id, "tokenburn", { token: "0" }), "400 1000 amount");
    client.now += DAY - 1;
    assert.equal(await pay("3"), "403 7005 grant");
    client.now += 1;
    assert.equal(await pay("5"), "403 7005 grant", "the limit in all has 4 left");
    assert.equal(await pay("4"), "done");
    client.now += DAY;
    assert.equal(await pay("1"), "403 7005 grant");
  });

  test("payees bound who gets something: an accomplice gets nothing by any operation", async () => {
    const { client, a, b, c, gold, units } = granting;
    const project = await createProject(client, c);
    const [sold, auctioned, reserved] = (await createItems(
      client,
      project,
      c,
      {},
      {},
      {},
    )) as unknown as [string, string, string];
    const itemdata = [{ id: sold, price: "10", token: "0" }];
    await client.done("mrc401sell", c, { seller: c, itemdata });
    await client.done("mrc401auction", c, {
      ...{ seller: c, itemdata: [{ id: auctioned, token: "0", start: "10", bidding: "1" }] },
    });
    await client.done("mrc400update", c, { mrc400id: project, partner: { [a]: "creator" } });
    await client.done("transfer", a, granting.pay(b, "5", gold));
    const operations = [
      ...["mrc401bid", "mrc401buy", "mrc040create", "mrc401offer", "mrc401create", "exchange"],
      ...["mrc402sell", "multitransfer", "mrc402transfer"],
    ];
    const id = await granting.grant(operations, {
      ...{ ...COINS, payees: [b] },
      items: [{ id: units }, { id: "token:0" }, { id: project }],
    });
    const end = String(client.now + DAY);
    const rows: readonly (readonly [string, Params])[] = [
      ["mrc401bid", { mrc401id: auctioned, amount: "10", buyer: a }],
      ["mrc401buy", { mrc401id: sold, buyer: a }],
      ["mrc401offer", { id: reserved, buyer: a, price: "10", token: "0", end }],
      [
        "mrc040create",
        { ...{ owner: a, side: "BUY", basetoken: "0", targettoken: gold }, price: "3", qtt: "1" },
      ],
      ["mrc401create", { mrc400id: project, creator: a, itemdata: [{ initial_reserve: "5" }] }],
      [
        "multitransfer",
        { from: a, token: "0", transferlist: [{ address: c, amount: "1", unlockdate: "0" }] },
      ],
      ["mrc402transfer", { mrc402id: units, fromAddr: a, toAddr: c, amount: "1" }],
      [
        "mrc402sell",
        {
          ...{ seller: a, id: units, amount: "1", price: "5", token: "0" },
          ...{ platform_name: "x", platform_url: "https://x.example", platform_commission: "0.5" },
          platform_address: c,
        },
      ],
    ];
    for (const [op, params] of rows) {
      assert.equal(await granting.by(id, op, params), "403 7004 grant", op);
    }
    const swap = { fromAddr: a, fromAmount: "9", fromToken: "0", toAddr: b, toAmount: "1" };
    const exchange = { ...swap, toToken: gold, fromGrant: id, signed: "full" };
    const fee = { fromFeesendto: c, fromFeeamount: "1", fromFeetoken: "0" };
    const withFee = await client.send("exchange", a, { ...exchange, ...fee });
    assert.equal(withFee.summary, "403 7004 fromGrant");
    await client.done("exchange", a, exchange);
  });

  test("items bound what is touched; a minimum price, for what it leaves", async () => {
    const { client, a, b, items, project, units } = granting;
    const [one = "", two = "", three = ""] = items;
    const operations = [
      ...["mrc401sell", "mrc401unsell", "mrc401auction", "mrc401transfer", "mrc401melt"],
      ...["mrc401acceptoffer", "mrc402sell", "mrc402auction", "mrc402acceptoffer"],
      ...["mrc402transfer", "mrc400update", "mrc401create", "mrc402mint"],
    ];
    const minprice = { minprice: "100", token: "0" };
    const id = await granting.grant(operations, {
      ...{
        ...COINS,
        items: [
          { id: one, ...minprice },
          { id: units, ...minprice },
        ],
      },
    });
    const sell = (item: string, price: string, token = "0"): Promise<string> =>
      granting.by(id, "mrc401sell", { seller: a, itemdata: [{ id: item, price, token }] });
    assert.equal(await sell(one, "99"), "403 7004 grant");
    assert.equal(await sell(two, "100"), "403 7004 grant");
    assert.equal(await sell(one, "100"), "done");
    assert.equal(await granting.by(id, "mrc401unsell", { seller: a, itemdata: [one] }), "done");
    const give = { fromAddr: a, toAddr: b, mrc401id: one };
    assert.equal(await granting.by(id, "mrc401transfer", give), "403 7004 grant");
    assert.equal(
      await granting.by(id, "mrc401melt", { address: a, mrc401id: one }),
      "403 7004 grant",
    );
    const auction = { id: one, token: "0", bidding: "1" };
    for (const [start, buynow, reported] of [
      ["99", "0", "403 7004 grant"],
      ["100", "0", "done"],
    ] as const) {
      const itemdata = [{ ...auction, start, buynow }];
      assert.equal(await granting.by(id, "mrc401auction", { seller: a, itemdata }), reported);
    }
    await client.done("mrc401unauction", a, { seller: a, itemdata: [one] });
    const end = String(client.now + DAY);
    for (const [price, reported] of [
      ["99", "403 7004 grant"],
      ["100", "done"],
    ] as const) {
      const terms = { buyer: b, price, token: "0", end };
      const offerid = await client.make("mrc401offer", b, { ...terms, id: one });
      const accept = { offerid, seller: a, mrc401id: one };
      assert.equal(await granting.by(id, "mrc401acceptoffer", accept), reported);
      const ofUnits = await client.make("mrc402offer", b, { ...terms, id: units, amount: "3" });
      const some = { offerid: ofUnits, seller: a, amount: "2" };
      assert.equal(await granting.by(id, "mrc402acceptoffer", some), reported);
    }
    const units402 = { seller: a, id: units, amount: "3", token: "0" };
    const move = { fromAddr: a, toAddr: b, mrc402id: units, amount: "1" };
    const bids = { ...units402, auction_bidding_unit: "1" };
    for (const [op, params, reported] of [
      ["mrc402sell", { ...units402, price: "99" }, "403 7004 grant"],
      ["mrc402sell", { ...units402, price: "100" }, "done"],
      ["mrc402auction", { ...bids, auction_start_price: "299" }, "403 7004 grant"],
      ["mrc402auction", { ...bids, auction_start_price: "300" }, "done"],
      ["mrc402transfer", move, "403 7004 grant"],
      ["mrc402mint", { mrc402id: units, address: a, amount: "1" }, "done"],
      ["mrc400update", { mrc400id: project, name: "Other" }, "403 7004 grant"],
      ["mrc401create", { mrc400id: project, creator: a, itemdata: [{}] }, "403 7004 grant"],
    ] as const) {
      assert.equal(await granting.by(id, op, params), reported, `${op} ${JSON.stringify(params)}`);
    }
    const whole = await granting.grant(operations, { items: [{ id: project }] });
    const given = { fromAddr: a, toAddr: b, mrc401id: three };
    const precise = await granting.grant(operations, {
      items: [{ id: project }, { id: three, ...minprice }],
    });
    assert.equal(await granting.by(precise, "mrc401transfer", given), "403 7004 grant");
    assert.equal(await granting.by(whole, "mrc401transfer", given), "done");
    assert.equal(
      await granting.by(whole, "mrc400update", { mrc400id: project, name: "Other" }),
      "done",
    );
  });

  test("a bid excuses what it does to the item, and nothing after it", async () => {
    const { client, a, c, project } = granting;
    const [item = ""] = await createItems(client, project, a, {});
    await client.done("mrc401transfer", a, { fromAddr: a, toAddr: c, mrc401id: item });
    const itemdata = [{ id: item, token: "0", start: "10", bidding: "1" }];
    await client.done("mrc401auction", c, { seller: c, itemdata });
    const grant = await granting.grant(["mrc401bid", "mrc401update"], COINS);
    const bid = { mrc401id: item, amount: "10", buyer: a };
    assert.equal(await granting.by(grant, "mrc401bid", bid), "done");
    const update = {
      mrc400id: project,
      creator: a,
      itemdata: [{ id: item, groupid: "rare" }],
    };
    assert.equal(await granting.by(grant, "mrc401update", update), "403 7004 grant");
  });

  test("a bundle bounds each of its operations", async () => {
    const { client, a, b, c } = granting;
    const grant = await granting.grant(["transfer"], { ...COINS, payees: [b] });
    const bundle = (to: Address, count: number): Promise<string> => {
      const operations = Array.from({ length: count }, () => ({
        ...{ operation: "transfer", from: a, to, token: "0", amount: "2000" },
      }));
      const tkey = client.ledger.key(a);
      const body = JSON.stringify({ actor: a, tkey, grant, operations });
      return client.send("bundle", a, { body }).then(({ summary: reported }) => reported);
    };
    assert.equal(await bundle(b, 3), "403 7005 grant");
    assert.equal(await bundle(c, 1), "403 7004 grant");
    assert.equal(await bundle(b, 2), "done");
    assert.equal(await bundle(b, 1), "403 7005 grant");
  });

  test("a group bounds each of its operations, and what earlier ones have spent counts", async () => {
    const { client, a, b } = granting;
    const grant = await granting.grant(["transfer"], COINS);
    const pay = (amount: string): Params => ({ ...granting.pay(b, amount), grant });
    const refused = await client.group([
      ["transfer", a, pay("3000")],
      ["transfer", a, pay("3000")],
    ]);
    assert.equal(refused.summary, "1: 403 7005 grant");
    const done = await client.group([
      ["transfer", a, pay("3000")],
      ["transfer", a, pay("2000")],
    ]);
    assert.equal(done.summary, "done");
  });

  test("a grant is over after its time, its end, or other keys; it stays where those say so", async () => {
    const { client, a, b, c } = granting;
    const pay = (id: string): Promise<string> => granting.by(id, "transfer", granting.pay(b, "1"));
    const soon = await granting.grant(["transfer"], { ...COINS, until: String(client.now + 10) });
    client.now += 10;
    assert.equal(await pay(soon), "done");
    client.now += 1;
    assert.equal(await pay(soon), "409 7209 grant");
    const ended = await granting.grant(["transfer", "grantend"], COINS);
    const other = await granting.grant(["transfer"], COINS);
    assert.equal(await granting.by(ended, "grantend", { grantid: other }), "400 3005 grant");
    assert.equal(await granting.by(ended, "grantend", { grantid: ended }), "done");
    assert.equal(await pay(ended), "409 7209 grant");
    const keys = {
      ...{ address: a, keys: [{ publickey: AGENT }], threshold: "1", proof: "MAYCAQECAQE=" },
    };
    await client.done("addresskeys", a, { ...keys, version: "1", grants: "keep" });
    assert.equal(await pay(other), "done");
    await client.done("addresskeys", a, { ...keys, version: "2" });
    assert.equal(await pay(other), "409 7209 grant");
    const strange = await client.send("transfer", c, {
      ...{ from: c, to: b, token: "0", amount: "1", grant: other, signed: "full" },
    });
    assert.equal(strange.summary, "404 6014 grant");
    assert.equal(await pay("GRT_1"), "404 6014 grant");
    assert.equal(
      (await client.send("grantend", a, { grantid: "GRT_1" })).summary,
      "404 6004 grantid",
    );
  });
});

test("authority §5.1: an address has 100 open grants; a new one marks 10 that are over", async () => {
  using granting = await Granting.open();
  const { client, a } = granting;
  const until = String(client.now + DAY);
  const sent = { address: a, agent: AGENT, operations: ["transfer"], until };
  await client.block(Array.from({ length: 100 }, () => ["grant", a, sent] as const));
  assert.equal((await client.send("grant", a, sent)).summary, "409 7126 address");
  client.now += DAY + 1;
  const later = { ...sent, until: String(client.now + DAY) };
  await client.done("grant", a, later);
  assert.equal(openGrants(client.ledger.ledger.state, a).length, 91);
});
