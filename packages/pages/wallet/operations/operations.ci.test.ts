import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import {
  type Actor,
  type ForecastWrite,
  Moneta,
  ProblemError,
  ProposalForecast,
  SigningKey,
} from "@moneta/sdk";
import { TestNode } from "../../../node/testing/test-node.ts";
import { initialTexts, type Reading } from "./fields.ts";
import {
  type Acting,
  formFields,
  membersOf,
  type OperationForm,
  powersOf,
  readForm,
  requestOf,
} from "./operation-form.ts";
import { openOperations, operationAt } from "./operations.ts";
import { readSubject, type SubjectPlace } from "./subject.ts";

// Each form is filled in and sent to a real node. Its forecast is compared with the later holdings
// of every address.

const COIN = 10n ** 8n;

let node: TestNode;
let moneta: Moneta;
let owner: Actor;
let artist: Actor;
let buyer: Actor;
let rival: Actor;
let platform: Actor;
let gold = "";
let project = "";
const tried = new Set<string>();
const decimals: Record<string, number> = { "0": 8 };

/** Of the last reading; they change only with blocks. */
let seen = { of: "", has: new Map<string, bigint>() };

/** `address token`, and `address item` for units, without zeros. */
async function holdings(units: string | undefined): Promise<Map<string, bigint>> {
  const of = `${units} at ${await moneta.height()}`;
  if (of === seen.of) {
    return new Map(seen.has);
  }
  const has = new Map<string, bigint>();
  for (const { address } of [owner, artist, buyer, rival, platform]) {
    for (const { token, balance } of await moneta.balance({ address })) {
      has.set(`${address} ${token}`, (has.get(`${address} ${token}`) ?? 0n) + balance);
    }
    if (units !== undefined) {
      const { items } = await moneta.mrc402Holdings({ address });
      const held = items.find(({ mrc402 }) => mrc402 === units);
      if (held !== undefined) {
        has.set(`${address} ${units}`, held.balance);
      }
    }
  }
  seen = { of, has: new Map(has) };
  return has;
}

function announced(forecast: ProposalForecast): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  for (const address of forecast.addresses) {
    const { gives, gets } = forecast.of(address);
    for (const [things, sign] of [
      [gives, -1n],
      [gets, 1n],
    ] as const) {
      for (const thing of things) {
        if (thing.is !== "item") {
          const of = thing.is === "token" ? thing.token : thing.item;
          changes.set(`${address} ${of}`, thing.amount * sign);
        }
      }
    }
  }
  return changes;
}

const changed = (entries: ReadonlyMap<string, bigint>): Record<string, bigint> =>
  Object.fromEntries([...entries].filter(([, amount]) => amount !== 0n).sort());

interface Deed {
  readonly place: SubjectPlace;
  readonly id: string;
  readonly action: string;
  readonly texts?: Readonly<Record<string, string>>;
  /** To accept an offer for a project with. */
  readonly item?: string;
}

async function filledIn(actor: Actor, { place, id, action, texts = {}, item }: Deed) {
  const { address } = actor;
  const subject = await readSubject(moneta, { place, id, address, item }, {});
  const balance = new Map<string, bigint>();
  for (const { token, balance: amount } of await moneta.balance({ address })) {
    balance.set(token, (balance.get(token) ?? 0n) + amount);
  }
  const by: Acting = { address, now: node.now, spendable: (token) => balance.get(token) ?? 0n };
  const form = operationAt(subject, action) as OperationForm;
  assert.ok(form !== undefined, `${subject.kind} has ${action}`);
  const fields = formFields(form, subject, by);
  const unknown = Object.keys(texts).filter((name) => !(name in fields));
  assert.deepEqual(unknown, []);
  const initial = initialTexts(fields, "en");
  const reading: Reading = {
    texts: { ...initial, ...texts },
    decimals: (token) => ({ ...decimals, [gold]: 2 })[token],
    locale: "en",
  };
  const read = readForm(form, { subject, fields, initial, reading });
  const members = "values" in read ? membersOf(form, read.values, subject) : {};
  const request = requestOf(form, members, subject);
  const isOffered = openOperations(subject, by).includes(form);
  return { subject, by, form, fields, read, members, request, isOffered };
}

/** Throws the ProblemError that would refuse the operation. */
async function forecastFor(
  actor: Actor,
  { form, request }: { readonly form: OperationForm; readonly request: object },
): Promise<ProposalForecast> {
  const write =
    form.isUnsigned === true
      ? { operation: form.name, params: request as Record<string, string> }
      : await draftOf(actor, form.name, request);
  const forecast = ProposalForecast.of(await moneta.dryRun([write]));
  if (forecast.problem !== undefined) {
    throw forecast.problem;
  }
  return forecast;
}

/** With a new temporary key, because time has passed. */
async function draftOf(actor: Actor, name: string, request: object): Promise<ForecastWrite> {
  actor.keepKey(String(await moneta.nonce({ address: actor.address })));
  return await actor.draft(name, request);
}

/** Returns the ledger's response. */
async function act(actor: Actor, deed: Deed): Promise<Record<string, unknown>> {
  const filled = await filledIn(actor, deed);
  const { subject, form, read, request, isOffered } = filled;
  assert.ok(isOffered, `${deed.action} is offered`);
  assert.ok("values" in read, inspect(read));
  const units =
    subject.kind === "units" || subject.kind === "unitListing" ? subject.item.id : undefined;
  const before = await holdings(units);
  const forecast = await forecastFor(actor, filled);
  const { body } =
    form.isUnsigned === true
      ? await moneta.request(form.name, request)
      : await actor.request(form.name, request);
  const actual = await holdings(units);
  for (const [of, amount] of before) {
    actual.set(of, (actual.get(of) ?? 0n) - amount);
  }
  const known = new Set([...before.keys(), ...actual.keys()]);
  const expected = [...announced(forecast)].filter(([of]) => known.has(of));
  assert.deepEqual(changed(actual), changed(new Map(expected)));
  tried.add(`${form.name} ${form.action}`);
  return typeof body === "string" ? { id: body } : (body as Record<string, unknown>);
}

/** By field: the fault, or the node's code. */
async function faults(actor: Actor, deed: Deed): Promise<Record<string, string>> {
  const filled = await filledIn(actor, deed);
  if ("faults" in filled.read) {
    const found = Object.entries(filled.read.faults);
    return Object.fromEntries(found.map(([name, { what }]) => [name, what]));
  }
  try {
    await forecastFor(actor, filled);
    return {};
  } catch (error) {
    assert.ok(error instanceof ProblemError);
    return { [error.parameter?.replace(/^.*\./, "") ?? "form"]: error.code };
  }
}

async function offered(actor: Actor, place: SubjectPlace, id: string): Promise<string[]> {
  const { address } = actor;
  const subject = await readSubject(moneta, { place, id, address }, {});
  const by: Acting = { address, now: node.now, spendable: () => 1n };
  return openOperations(subject, by).map(({ action }) => action);
}

const inSeconds = (seconds: number): string => new Date((node.now + seconds) * 1000).toISOString();
const inAnHour = (): string => inSeconds(3700);

async function newItem(texts: Record<string, string> = {}): Promise<string> {
  const answer = await act(owner, {
    place: "project",
    id: project,
    action: "new-item",
    texts: { item_image_url: "https://rpg.example/sword.png", sell_fee: "2.5", ...texts },
  });
  return (answer["mrc401ids"] as string[])[0] ?? "";
}

const ROLES = (): Record<string, string> => ({
  name: "Meta-RPG",
  category: "game",
  description: "Items of a game",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/logo.png",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "ipfs://bafy/{id}",
  partner: `${artist.address} creator\n\n${platform.address}, seller`,
  socialmedia: "forum https://forum.example/",
  data: "{}",
});

before(async () => {
  node = await TestNode.start();
  moneta = new Moneta(node.url);
  const actors: Actor[] = [];
  for (let count = 0; count < 5; count += 1) {
    const actor = await moneta.createAddress(await SigningKey.generate());
    await node.pay({ address: actor.address } as never, 1000n * COIN);
    actors.push(actor);
  }
  [owner, artist, buyer, rival, platform] = actors as [Actor, Actor, Actor, Actor, Actor];
  await owner.tokensave({ symbol: "GLD", name: "Gold", decimal: 2, totalsupply: 100_000n });
  gold = (await owner.tokencreate()).token;
  const { id } = await act(owner, { place: "new", id: "", action: "project", texts: ROLES() });
  project = String(id);
});

after(async () => {
  await node?.[Symbol.asyncDispose]();
});

test("mrc401 §2.6: before a purchase, bid or transfer a form says what the project's owner may still change, and signs the terms that it shows", async () => {
  const terms = { initial_reserve: 1_000_000n, melt_fee: "5", transferable: "Temporary" } as const;
  const more = { mrc400id: project, itemdata: [terms, terms, terms] };
  const {
    mrc401ids: [sale = "", lot = "", gift = ""],
  } = await owner.mrc401create(more);
  const units = { ...terms, totalsupply: 9n, creatorcommission: "10" };
  const { mrc402ids: [unit = ""] = [] } = await owner.mrc402create({
    ...{ mrc400id: project, itemdata: [units] },
  });
  await owner.mrc401sell({ itemdata: [{ id: sale, price: 5n, token: 0 }] });
  await owner.mrc401auction({ itemdata: [{ id: lot, start: 5n, token: 0 }] });
  const listed = { id: unit, amount: 2n, token: 0 };
  const { mrc402dexid: offer = "" } = await owner.mrc402sell({ ...listed, price: 5n });
  const { mrc402dexid: auction = "" } = await owner.mrc402auction({
    ...{ ...listed, auction_start_price: 5n },
  });
  await owner.mrc401transfer({ mrc401id: gift, toAddr: buyer.address });
  await owner.mrc402transfer({ mrc402id: unit, toAddr: buyer.address, amount: 1n });
  const powers = { meltFee: "99.9999", sellFee: "99.9999", mayBind: true };
  const guards = { maxmeltfee: "5", maxsellfee: "0", transferable: "Temporary" };
  for (const [deed, wanted, signed] of [
    [{ place: "item", id: sale, action: "buy" }, powers, guards],
    [{ place: "item", id: lot, action: "bid", texts: { amount: "0.00000005" } }, powers, guards],
    [{ place: "item", id: gift, action: "transfer", texts: { toAddr: rival.address } }, powers, {}],
    [{ place: "listing", id: offer, action: "buy" }, { ...powers, sellFee: "90" }, guards],
    [
      { place: "listing", id: auction, action: "bid", texts: { amount: "0.00000005" } },
      { ...powers, sellFee: "90" },
      guards,
    ],
    [
      { place: "item", id: unit, action: "transfer", texts: { toAddr: rival.address } },
      { ...powers, sellFee: "90" },
      {},
    ],
  ] as const) {
    const { form, subject, read, members, request } = await filledIn(buyer, deed);
    assert.ok("values" in read, inspect(read));
    assert.deepEqual(powersOf(form, { members, subject, own: buyer.address }), wanted, deed.action);
    assert.deepEqual({ ...request, ...signed }, request);
    // No warning of the owner to itself.
    const isGift = deed.action === "transfer";
    const own = powersOf(form, { members, subject, own: owner.address });
    assert.deepEqual(own, isGift ? wanted : undefined);
  }
});

describe("a form announces what the ledger does", () => {
  test("a token is created with a supply for its owner and for others", async () => {
    const { id: key } = await act(owner, {
      place: "new",
      id: "",
      action: "token",
      texts: {
        symbol: "PTS",
        name: "Points",
        decimal: "3",
        totalsupply: "12.5",
        url: "https://points.example/",
        reserve: `${artist.address} 1.5\n${artist.address}, 1, 2037-01-01T00:00:00Z`,
      },
    });
    assert.equal(typeof key, "string");
    const { token } = await owner.tokencreate();
    const { totalsupply, decimal, remainamount } = await moneta.token({ token });
    assert.deepEqual([totalsupply, decimal, remainamount], [12_500n, 3, 10_000n]);
    const entries = await moneta.balanceOfToken({ address: artist.address, token });
    assert.deepEqual(
      entries.map(({ balance, unlockdate }) => [balance, unlockdate]),
      [
        [1_500n, 0],
        [1_000n, Date.UTC(2037, 0) / 1000],
      ],
    );
  });

  test("a token is increased, burned, described", async () => {
    const on = { place: "token", id: gold } as const;
    await act(owner, { ...on, action: "increase", texts: { amount: "50.25" } });
    await act(owner, { ...on, action: "burn", texts: { amount: "0.25", memo: "a|b" } });
    const texts = { url: "https://gold.example/", info: "Gold", image: "ipfs://gold" };
    await act(owner, { ...on, action: "update", texts });
    assert.equal((await moneta.token({ token: gold })).information, "Gold");
    assert.deepEqual(await faults(owner, { ...on, action: "update", texts }), { form: "4900" });
    assert.deepEqual(await offered(buyer, "token", gold), ["sell", "request", "auction"]);
  });

  test("tokens are offered in steps that their price allows, bought in parts, taken back", async () => {
    const on = { place: "token", id: gold, action: "sell" } as const;
    const texts = {
      amount: "100",
      token: "0",
      price: "0.00000003",
      platform_address: platform.address,
      platform_commission: "2.5",
    };
    assert.deepEqual(await faults(owner, { ...on, texts: { ...texts, amount: "0.5" } }), {
      amount: "3005",
    });
    assert.deepEqual(await faults(owner, { ...on, texts: { ...texts, token: gold, price: "1" } }), {
      token: "3005",
    });
    const { mrc010dexid: id } = await act(owner, { ...on, texts: { ...texts, price: "3" } });
    const listing = { place: "listing", id: String(id) } as const;
    const { min_trade_unit, sell_price } = await moneta.tokenListing({ dexid: listing.id });
    assert.deepEqual([min_trade_unit, sell_price], [1n, 3_000_000n]);
    assert.deepEqual(await offered(owner, "listing", listing.id), ["take-back"]);
    await act(buyer, { ...listing, action: "buy", texts: { amount: "33.33" } });
    assert.deepEqual(await faults(buyer, { ...listing, action: "buy", texts: { amount: "99" } }), {
      amount: "3004",
    });
    await act(owner, { ...listing, action: "take-back" });
    assert.deepEqual(await offered(buyer, "listing", listing.id), []);
  });

  test("a request is served in parts, its rest comes back with the last one", async () => {
    const texts = {
      amount: "10",
      token: "0",
      price: "0.00000333",
      platform_address: platform.address,
      platform_commission: "10",
    };
    const deed = { place: "token", id: gold, action: "request", texts } as const;
    const { mrc010dexid: id } = await act(buyer, deed);
    const listing = { place: "listing", id: String(id) } as const;
    await act(owner, { ...listing, action: "accept", texts: { amount: "3" } });
    await act(owner, { ...listing, action: "accept", texts: { amount: "7" } });
    const { mrc010dexid: other } = await act(buyer, deed);
    await act(buyer, { place: "listing", id: String(other), action: "withdraw" });
  });

  test("a lot of tokens is bid for, outbid, won at once; another one closed at its end", async () => {
    const deed = {
      place: "token",
      id: gold,
      action: "auction",
      texts: {
        amount: "50",
        token: "0",
        auction_start_price: "100",
        auction_bidding_unit: "5",
        auction_buynow_price: "502",
        auction_end_date: inAnHour(),
        platform_address: platform.address,
        platform_commission: "1",
      },
    } as const;
    const dexids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      dexids.push(String((await act(owner, deed))["mrc010dexid"]));
    }
    const [won = "", ended = "", unsold = ""] = dexids;
    const bid = (id: string, amount: string): Deed => ({
      place: "listing",
      id,
      action: "bid",
      texts: { amount },
    });
    assert.deepEqual(await faults(buyer, bid(won, "102")), { amount: "3004" });
    await act(buyer, bid(won, "100"));
    assert.deepEqual(await faults(rival, bid(won, "100")), { amount: "3004" });
    await act(rival, bid(won, "110"));
    await act(buyer, bid(won, "502"));
    await act(rival, bid(ended, "105"));
    await act(owner, { place: "listing", id: unsold, action: "cancel-auction" });
    const { mrc010dexid } = await act(owner, deed);
    node.now += 3700;
    assert.deepEqual(await offered(buyer, "listing", ended), ["finish"]);
    await act(buyer, { place: "listing", id: ended, action: "finish" });
    await act(buyer, { place: "listing", id: String(mrc010dexid), action: "finish" });
  });

  test("an auction of tokens or units begins when it says, and not after its end", async () => {
    const { mrc402id } = await artist.mrc402create({
      name: "Ticket",
      url: "https://tickets.example/",
      imageurl: "https://tickets.example/t.png",
      totalsupply: 3n,
    });
    const deeds = [
      [owner, { place: "token", id: gold }],
      [artist, { place: "item", id: mrc402id }],
    ] as const;
    const dexids: string[] = [];
    for (const [seller, of] of deeds) {
      const texts = {
        amount: "2",
        auction_start_price: "1",
        auction_start_date: inSeconds(600),
        auction_end_date: inSeconds(600),
      };
      const deed = { ...of, action: "auction", texts } as const;
      assert.deepEqual(await faults(seller, deed), { auction_end_date: "1102" });
      const answer = await act(seller, {
        ...deed,
        texts: { ...texts, auction_end_date: inSeconds(4300) },
      });
      dexids.push(String(answer["mrc010dexid"] ?? answer["mrc402dexid"]));
    }
    for (const id of dexids) {
      assert.deepEqual(await offered(buyer, "listing", id), []);
    }
    node.now += 600;
    for (const id of dexids) {
      await act(buyer, { place: "listing", id, action: "bid", texts: { amount: "1" } });
    }
  });

  test("a project's roles are replaced, the rest stays", async () => {
    const on = { place: "project", id: project, action: "update" } as const;
    const partner = `${artist.address} creator\n${platform.address} partner`;
    await act(owner, { ...on, texts: { partner, description: "Swords" } });
    const now = await moneta.mrc400({ mrc400id: project });
    assert.deepEqual(
      [now.partner[platform.address], now.description, now.socialmedia["forum"]],
      ["partner", "Swords", "https://forum.example/"],
    );
    assert.deepEqual(await faults(owner, on), { name: "nothing" });
    assert.deepEqual(await faults(owner, { ...on, texts: { partner: "MTx creator" } }), {
      partner: "line",
    });
    assert.deepEqual(await offered(buyer, "project", project), ["offer"]);
    assert.deepEqual(await offered(artist, "project", project), ["new-item", "new-units", "offer"]);
  });

  test("policies §1: a project's policy is fields of their own, and a change keeps its other members", async () => {
    const opens = "2026-05-01T00:00:00Z";
    const closes = "2026-05-12T18:30:00Z";
    const { id: tickets } = await act(owner, {
      place: "new",
      id: "",
      action: "project",
      texts: { ...ROLES(), transfers: "market", maxprice: "110", opens, closes },
    });
    const on = { place: "project", id: String(tickets), action: "update" } as const;
    const before = { transfers: "market", maxprice: "110" };
    const at = (time: string): number => Date.parse(time) / 1000;
    const policyNow = async () => (await moneta.mrc400({ mrc400id: String(tickets) })).policy;
    assert.deepEqual(await policyNow(), { ...before, opens: at(opens), closes: at(closes) });
    await act(owner, { ...on, texts: { opens: "", cooldown: "3600", terms: "fixed" } });
    const after = { ...before, closes: at(closes), cooldown: 3600, terms: "fixed" };
    assert.deepEqual(await policyNow(), after);
    assert.deepEqual(await faults(owner, { ...on, texts: { maxprice: "0" } }), {
      maxprice: "3005",
    });
    const ticket = { place: "project", id: String(tickets), action: "new-item" } as const;
    assert.deepEqual(await faults(owner, ticket), { face_price: "missing" });
    const texts = { face_price: "100", to: buyer.address, attributes: "seat: 7\nrow: left wing" };
    const { form, members, subject } = await filledIn(owner, { ...ticket, texts });
    assert.deepEqual(form.policy?.(members, subject), {
      policy: after,
      face_price: 100n * COIN,
      face_token: "0",
    });
    const { mrc401ids } = await act(owner, { ...ticket, texts });
    const item = await moneta.mrc401({ mrc401id: (mrc401ids as string[])[0] ?? "" });
    assert.deepEqual(
      [item.holder, item.attributes, item.face_price],
      [buyer.address, { seat: 7, row: "left wing" }, 100n * COIN],
    );
    const update = { place: "item", id: item.id, action: "update" } as const;
    await act(owner, { ...update, texts: { attributes: "seat: 8" } });
    assert.deepEqual((await moneta.mrc401({ mrc401id: item.id })).attributes, { seat: 8 });
    const none = { transfers: "free", maxprice: "", closes: "", cooldown: "", terms: "changeable" };
    await act(owner, { ...on, texts: none });
    assert.deepEqual(await policyNow(), {});
  });

  test("offers §2 to §5: an offer is accepted with the amount after fees, withdrawn, or closed at its end", async () => {
    const end = inAnHour();
    const make = async (
      by: Actor,
      deed: Omit<Deed, "action">,
    ): Promise<{ readonly place: "offer"; readonly id: string }> => {
      const made = await act(by, { ...deed, action: "offer" });
      return { place: "offer", id: String(made["offerid"]) };
    };
    const id = await newItem({ groupid: "Shields", sell_fee: "10", to: rival.address });
    assert.deepEqual(await offered(rival, "item", id), ["sell", "auction", "transfer", "melt"]);
    const on = await make(buyer, { place: "item", id, texts: { price: "50", end } });
    const { maxsellfee, transferable } = await moneta.mrc401Offer({ offerid: on.id });
    assert.deepEqual([maxsellfee, transferable], ["10", "Permanent"]);
    assert.deepEqual(await offered(buyer, "offer", on.id), ["withdraw-offer"]);
    assert.deepEqual(await offered(owner, "offer", on.id), []);
    const accept = { ...on, action: "accept-offer" } as const;
    assert.equal((await filledIn(rival, accept)).members["atleast"], 45n * COIN);
    await act(rival, accept);
    assert.equal((await moneta.mrc401({ mrc401id: id })).holder, buyer.address);

    // For a group the holder names an item.
    const wanted = { groupid: "Shields", price: "20", end, maxsellfee: "12" };
    node.now += 1;
    const any = await make(rival, { place: "project", id: project, texts: wanted });
    assert.deepEqual(await offered(buyer, "offer", any.id), []);
    const { subject, form, by, request } = await filledIn(buyer, {
      ...{ ...any, action: "accept-offer", item: id },
    });
    assert.ok(form.isOffered(subject, by));
    await buyer.request("mrc401acceptoffer", request);
    assert.equal((await moneta.mrc401({ mrc401id: id })).holder, rival.address);

    const withdrawn = await make(buyer, { place: "item", id, texts: { price: "1", end } });
    await act(buyer, { ...withdrawn, action: "withdraw-offer" });
    const over = await make(buyer, { place: "item", id, texts: { price: "1", end } });

    const { mrc402id = "" } = await artist.mrc402create({
      ...{ name: "Poster", url: "https://p.example/", imageurl: "https://p.example/p.png" },
      ...{ totalsupply: 5n, creatorcommission: "10" },
    });
    await artist.mrc402transfer({ mrc402id, toAddr: rival.address, amount: 3n });
    const texts = { amount: "4", price: "10", end };
    const units = await make(buyer, { place: "item", id: mrc402id, texts });
    assert.deepEqual(await offered(rival, "offer", units.id), ["accept-offer"]);
    const sold = { ...units, action: "accept-offer", texts: { amount: "3" } } as const;
    assert.equal((await filledIn(rival, sold)).members["atleast"], 27n * COIN);
    await act(rival, sold);
    assert.equal((await moneta.mrc402Offer({ offerid: units.id })).remain_amount, 1n);
    await act(buyer, { ...units, action: "withdraw-offer" });
    const unsold = await make(buyer, { place: "item", id: mrc402id, texts });

    node.now += 3700;
    for (const one of [over, unsold]) {
      for (const anybody of [rival, buyer]) {
        assert.deepEqual(await offered(anybody, "offer", one.id), ["finish-offer"]);
      }
      await act(rival, { ...one, action: "finish-offer" });
    }
  });

  test("mrc401 §10: buying is offered from the beginning of a sale until its end", async () => {
    const id = await newItem({});
    const window = { sell_start: node.now + 100, sell_end: node.now + 200 };
    await owner.mrc401sell({ itemdata: [{ id, price: COIN, token: 0, ...window }] });
    const { mrc402id } = await artist.mrc402create({
      ...{ name: "Ticket", url: "https://t.example/", imageurl: "https://t.example/t.png" },
      totalsupply: 5n,
    });
    const sale = { id: mrc402id, amount: 5n, price: COIN, token: 0, ...window };
    const { mrc402dexid } = await artist.mrc402sell(sale);
    for (const expected of [[], ["buy"], []]) {
      assert.deepEqual(await offered(buyer, "item", id), [...expected, "offer"]);
      assert.deepEqual(await offered(buyer, "listing", String(mrc402dexid)), expected);
      node.now += 100;
    }
  });

  test("an item is sold, resold with a fee, given away, melted", async () => {
    const id = await newItem({
      initial_reserve: "10",
      melt_fee: "12.5",
      sell_price: "7",
    });
    const on = { place: "item", id } as const;
    assert.deepEqual(await offered(owner, "item", id), ["take-back", "update"]);
    await act(buyer, { ...on, action: "buy" });
    await act(buyer, { ...on, action: "sell", texts: { price: "0.00000399" } });
    await act(rival, { ...on, action: "buy" });
    await act(rival, { ...on, action: "sell", texts: { price: "1" } });
    await act(rival, { ...on, action: "take-back" });
    await act(rival, { ...on, action: "transfer", texts: { toAddr: buyer.address } });
    assert.equal((await moneta.mrc401({ mrc401id: id })).holder, buyer.address);
    assert.deepEqual(await offered(rival, "item", id), ["offer"]);
    await act(buyer, { ...on, action: "melt" });
    assert.deepEqual(await offered(buyer, "item", id), []);
  });

  test("an item is bid for, outbid, won at once; others are closed at their end", async () => {
    const auction = (id: string): Deed => ({
      place: "item",
      id,
      action: "auction",
      texts: { start: "10", bidding: "1", buynow: "20.5", end: inAnHour() },
    });
    const [won, ended, unsold] = [await newItem(), await newItem(), await newItem()];
    for (const id of [won, ended, unsold]) {
      await act(owner, auction(id));
    }
    await act(owner, { place: "item", id: won, action: "cancel-auction" });
    await act(owner, auction(won));
    const bid = (id: string, amount: string): Deed => ({
      place: "item",
      id,
      action: "bid",
      texts: { amount },
    });
    assert.deepEqual(await faults(buyer, bid(won, "9")), { amount: "3004" });
    await act(buyer, bid(won, "10"));
    await act(rival, bid(won, "12"));
    await act(rival, bid(won, "20.5"));
    assert.equal((await moneta.mrc401({ mrc401id: won })).holder, rival.address);
    await act(rival, { place: "item", id: won, action: "auction", texts: { start: "1" } });
    await act(buyer, bid(ended, "11"));
    node.now += 3700;
    assert.deepEqual(await offered(rival, "item", ended), ["finish", "offer"]);
    await act(rival, { place: "item", id: ended, action: "finish" });
    await act(rival, { place: "item", id: unsold, action: "finish" });
    assert.equal((await moneta.mrc401({ mrc401id: ended })).holder, buyer.address);
  });

  test("items are changed as far as a role allows", async () => {
    const id = await newItem({ transferable: "Temporary" });
    const on = { place: "item", id, action: "update" } as const;
    await act(owner, { ...on, texts: { sell_fee: "5", transferable: "Bound", groupid: "Badges" } });
    const { sell_fee, transferable, groupid } = await moneta.mrc401({ mrc401id: id });
    assert.deepEqual([sell_fee, transferable, groupid], ["5", "Bound", "Badges"]);
    const metadatahash = "0f".repeat(32);
    const frozen = { frozen: "2026-05-12T18:30:00Z", item_url: "ipfs://bafy/1", metadatahash };
    await act(owner, { ...on, texts: frozen });
    const shown = await moneta.mrc401({ mrc401id: id });
    assert.deepEqual(
      [shown.metadatahash, shown.frozen],
      [metadatahash, Date.parse(frozen.frozen) / 1000],
    );
    assert.deepEqual(await faults(owner, on), { item_image_url: "nothing" });
    assert.deepEqual(await offered(owner, "item", id), ["update", "melt"]);
    const { mrc401ids } = await artist.mrc401create({ mrc400id: project, itemdata: [{}] });
    assert.deepEqual(await offered(artist, "item", mrc401ids[0] ?? ""), ["update", "offer"]);
  });

  test("units are created, minted, given, sold in parts, burned, melted", async () => {
    await owner.transfer({ to: artist.address, token: gold, amount: 10_000n });
    const created = await act(artist, {
      place: "project",
      id: project,
      action: "new-units",
      texts: {
        name: "Potion",
        totalsupply: "100",
        initialreserve: `0 0.00000333\n${gold} 0.07`,
        creatorcommission: "5",
        shareholder: `${rival.address} 3`,
        item_url: "https://rpg.example/potion",
        data: "{}",
        socialmedia: "forum https://forum.example/potion",
        copyright_registrar: "Office",
        expiredate: new Date(node.now * 1000).toISOString(),
      },
    });
    const id = (created["mrc402ids"] as string[])[0] ?? "";
    const on = { place: "item", id } as const;
    const terms = { ...on, action: "terms" } as const;
    await act(owner, { ...terms, texts: { sell_fee: "2.5", melt_fee: "33.3333" } });
    assert.deepEqual(await faults(owner, { ...terms, texts: { sell_fee: "92.1" } }), {
      sell_fee: "3005",
    });
    assert.deepEqual(await faults(owner, terms), { item_image_url: "nothing" });
    await act(artist, { ...terms, texts: { groupid: "Potions" } });
    await act(artist, { ...on, action: "mint", texts: { amount: "3" } });
    await act(artist, { ...on, action: "burn", texts: { amount: "2" } });
    const update = { ...on, action: "update" } as const;
    const country = { copyright_registration_country: "KR" };
    assert.deepEqual(
      await faults(artist, { ...update, texts: { copyright_registration_country: "XX" } }),
      { copyright_registration_country: "3005" },
    );
    await act(artist, { ...update, texts: { information: "Drink me", ...country } });
    await act(artist, { ...update, texts: { socialmedia: "" } });
    assert.deepEqual(await faults(artist, update), { url: "nothing" });
    const shown = await moneta.mrc402({ mrc402id: id });
    assert.deepEqual(
      [shown.information, shown.data, shown.socialmedia, shown.item_url, shown.groupid],
      ["Drink me", "{}", {}, "https://rpg.example/potion", "Potions"],
    );
    assert.deepEqual(
      [shown.copyright_registration_country, shown.copyright_registrar, shown.sell_fee],
      ["KR", "Office", "2.5"],
    );
    await act(artist, { ...on, action: "transfer", texts: { toAddr: buyer.address, amount: "4" } });
    assert.deepEqual(await offered(rival, "item", id), ["offer"]);
    await act(buyer, { ...on, action: "melt", texts: { amount: "3" } });
    const { mrc402dexid } = await act(artist, {
      ...on,
      action: "sell",
      texts: {
        amount: "10",
        price: "0.00000999",
        platform_address: platform.address,
        platform_commission: "1.25",
      },
    });
    const listing = { place: "listing", id: String(mrc402dexid) } as const;
    await act(buyer, { ...listing, action: "buy", texts: { amount: "7" } });
    await act(artist, { ...listing, action: "take-back" });
  });

  test("a lot of units that stand alone is bid for, won at once, closed at its end", async () => {
    const { mrc402id } = await act(artist, {
      place: "new",
      id: "",
      action: "units",
      texts: {
        name: "Print",
        url: "https://print.example/",
        imageurl: "https://print.example/p.png",
        totalsupply: "20",
        creatorcommission: "2.5",
        platform_address: platform.address,
        platform_commission: "1",
      },
    });
    const auction = {
      place: "item",
      id: String(mrc402id),
      action: "auction",
      texts: {
        amount: "5",
        auction_start_price: "1",
        auction_buynow_price: "3",
        auction_end_date: inAnHour(),
      },
    } as const;
    const dexids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      dexids.push(String((await act(artist, auction))["mrc402dexid"]));
    }
    const [won = "", ended = "", unsold = ""] = dexids;
    const bid = (id: string, amount: string): Deed => ({
      place: "listing",
      id,
      action: "bid",
      texts: { amount },
    });
    await act(buyer, bid(won, "1"));
    await act(rival, bid(won, "3"));
    await act(buyer, bid(ended, "2"));
    await act(artist, { place: "listing", id: unsold, action: "cancel-auction" });
    const { mrc402dexid } = await act(artist, auction);
    node.now += 3700;
    await act(rival, { place: "listing", id: ended, action: "finish" });
    await act(rival, { place: "listing", id: String(mrc402dexid), action: "finish" });
  });

  test("an order waits with what it holds, is traded in parts, exactly, and cancelled", async () => {
    const pair = { place: "pair", id: `0-${gold}`, action: "order" } as const;
    // Parts of it cost fractions of the smallest unit.
    const texts = { side: "SELL", qtt: "10", price: "0.00000123" };
    assert.deepEqual(await faults(owner, { ...pair, texts: { ...texts, qtt: "0.1" } }), {
      qtt: "3005",
    });
    const { mrc040id } = await act(owner, { ...pair, texts });
    const on = { place: "order", id: String(mrc040id) } as const;
    assert.deepEqual(await offered(owner, "order", on.id), ["cancel-order"]);
    assert.deepEqual(await offered(buyer, "order", on.id), ["take"]);
    for (const [who, qtt] of [
      [buyer, "3.33"],
      [rival, "0.01"],
      [buyer, "4"],
    ] as const) {
      await act(who, { ...on, action: "take", texts: { qtt } });
    }
    assert.deepEqual(await faults(buyer, { ...on, action: "take", texts: { qtt: "3" } }), {
      qtt: "3004",
    });
    await act(owner, { ...on, action: "cancel-order" });
    assert.deepEqual(await offered(owner, "order", on.id), []);
    assert.deepEqual(await offered(buyer, "order", on.id), []);

    const bid = { ...texts, side: "BUY" };
    const poor = { ...bid, price: "5000" };
    assert.deepEqual(await faults(buyer, { ...pair, texts: poor }), { form: "5000" });
    const large = { ...bid, qtt: "1".padEnd(38, "0"), price: "1".padEnd(32, "0") };
    assert.deepEqual(await faults(buyer, { ...pair, texts: large }), { price: "1101" });
    const { mrc040id: ofBuyer } = await act(buyer, { ...pair, texts: bid });
    const wanted = { place: "order", id: String(ofBuyer) } as const;
    await act(owner, { ...wanted, action: "take", texts: { qtt: "3.33" } });
    await act(buyer, { ...wanted, action: "cancel-order" });
  });

  test("an order or a request trades what waits, the best first, and says so before", async () => {
    const pair = { place: "pair", id: `0-${gold}` } as const;
    const order = { ...pair, action: "order" } as const;
    const request = { ...pair, action: "trade" } as const;
    const wish = (side: string, qtt: string, price: string) => ({ side, qtt, price });
    assert.deepEqual(await offered(buyer, "pair", pair.id), ["order"]);
    assert.deepEqual(await faults(buyer, { ...request, texts: wish("BUY", "1", "1") }), {
      qtt: "7117",
    });
    for (const [seller, qtt, price] of [
      [owner, "1", "1"],
      [artist, "2", "1"],
      [owner, "1", "1.1"],
    ] as const) {
      await act(seller, { ...order, texts: wish("SELL", qtt, price) });
    }
    assert.deepEqual(await offered(buyer, "pair", pair.id), ["order", "trade"]);
    assert.deepEqual(await faults(buyer, { ...request, texts: wish("BUY", "1", "0.9") }), {
      qtt: "7117",
    });
    const atLeast = { ...wish("BUY", "5", "1"), minqtt: "3.5" };
    assert.deepEqual(await faults(buyer, { ...request, texts: atLeast }), { qtt: "7117" });
    await act(buyer, { ...request, texts: { ...atLeast, qtt: "1", minqtt: "1" } });
    await act(buyer, { ...order, texts: wish("BUY", "5", "1.1") });
    const [waiting] = (await moneta.orders({ owner: buyer.address })).items;
    assert.deepEqual([waiting?.remainqtt, waiting?.status], [200n, "TRADING"]);
    await act(owner, { ...request, texts: wish("SELL", "0.5", "1.1") });
    await act(owner, { ...order, texts: wish("SELL", "3", "1") });
    await act(buyer, { ...order, texts: wish("BUY", "0.01", "0.00000100") });
    const [dust = "", rest] = (await moneta.orders({})).items.map(({ mrc040id }) => mrc040id);
    await act(buyer, { place: "order", id: dust, action: "cancel-order" });
    await act(owner, { place: "order", id: String(rest), action: "cancel-order" });
  });

  test("owners open an order book together, and either closes it", async () => {
    await buyer.tokensave({ symbol: "SLV", name: "Silver", decimal: 2, totalsupply: 1000n });
    const { token: silver } = await buyer.tokencreate();
    const [base, target] = [
      { place: "token", id: gold },
      { place: "token", id: silver },
    ] as const;
    decimals[silver] = 2;
    const admit = { ...base, action: "add-target", texts: { targetToken: silver } } as const;
    await act(owner, admit);
    assert.deepEqual(await faults(owner, admit), { form: "4900" });
    const setBase = { ...target, action: "set-base" } as const;
    assert.deepEqual(await faults(buyer, setBase), { form: "4900" });
    const isOpen = async () => {
      const book = await moneta.orderBook({ basetoken: gold, targettoken: silver });
      return "open" in book && book.open;
    };
    assert.equal(await isOpen(), false);
    await act(buyer, { ...setBase, texts: { baseToken: gold } });
    assert.equal(await isOpen(), true);
    assert.deepEqual(
      await faults(owner, { ...base, action: "set-base", texts: { baseToken: silver } }),
      { baseToken: "3005" },
    );
    assert.deepEqual(
      await faults(buyer, { ...target, action: "add-target", texts: { targetToken: gold } }),
      { targetToken: "3005" },
    );
    await act(owner, { ...base, action: "remove-target", texts: { targetToken: silver } });
    assert.equal(await isOpen(), false);
    assert.deepEqual(await offered(owner, "pair", `${gold}-${silver}`), []);
  });

  test("every form was tried", async () => {
    const { OPERATIONS } = await import("./operations.ts");
    const all = OPERATIONS.map(({ name, action }) => `${name} ${action}`);
    assert.deepEqual(
      all.filter((one) => !tried.has(one)),
      [],
    );
  });
});
