import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address, Texts } from "@moneta/protocol";
import { ItemDesk } from "../../testing/item-operations.ts";
import { TestLedger } from "../../testing/test-ledger.ts";

const COLUMNS = ["owner", "partner", "seller", "creator", "holder", "anybody"] as const;
type Column = (typeof COLUMNS)[number];

/** The table of mrc401 §2.5 as it stands there. */
const MATRIX = `
| update the project |                              | yes | | | | | | 2020 |
| create | without sale or auction                  | yes | yes | | yes | | | 7002 |
| create | with sale or auction                     | yes | yes | yes | | | | 7002 |
| change item_url, item_image_url, groupid | created by the actor | yes | yes | | yes | | | 7002 |
| the same | created by another                     | yes | | | | | | 7002 |
| change sell_fee, melt_fee, transferable | any     | yes | | | | | | 7002 |
| sell, unsell, auction, unauction | fresh          | as holder | yes | yes | | yes | | 7001 |
| the same | not fresh                              | | | | | yes | | 7001 |
| transfer, melt | any                              | | | | | yes | | 7001 |
| buy, bid | listed                                 | | | | | | everybody but the holder | 3004 |
| auctionfinish | any                               | | | | | | everybody | |`;

/** What is done to an item, and what is done with it before: who created it, whether it has changed hands, and what it is in. */
interface Deed {
  readonly op: string;
  readonly created?: "by the actor" | "by another";
  readonly isTraded?: boolean;
  readonly at?: "sale" | "auction";
  params(place: Place): Readonly<Record<string, string | object>>;
}

interface Place {
  readonly project: string;
  readonly item: string;
  readonly actor: Address;
}

const create = (element: Texts): Deed => ({
  op: "mrc401create",
  params: ({ project, actor }) => ({ mrc400id: project, creator: actor, itemdata: [element] }),
});
const change = (created: Deed["created"], element: Texts): Deed => ({
  op: "mrc401update",
  ...(created && { created }),
  params: ({ project, item }) => ({ mrc400id: project, itemdata: [{ id: item, ...element }] }),
});
const describing = (created: Deed["created"]): readonly Deed[] => [
  change(created, { item_url: "https://a.example/" }),
  change(created, { item_image_url: "ipfs://a/1" }),
  change(created, { groupid: "sword" }),
];
const sale = { price: "5", token: "0" };
const auction = { start: "5", token: "0" };
const listing = (isTraded: boolean): readonly Deed[] => [
  { op: "mrc401sell", isTraded, params: ({ item }) => ({ itemdata: [{ id: item, ...sale }] }) },
  { op: "mrc401unsell", isTraded, at: "sale", params: ({ item }) => ({ itemdata: [item] }) },
  {
    op: "mrc401auction",
    isTraded,
    params: ({ item }) => ({ itemdata: [{ id: item, ...auction }] }),
  },
  { op: "mrc401unauction", isTraded, at: "auction", params: ({ item }) => ({ itemdata: [item] }) },
];
const trading = (isTraded: boolean): readonly Deed[] => [
  { op: "mrc401buy", isTraded, at: "sale", params: ({ item }) => ({ mrc401id: item }) },
  {
    op: "mrc401bid",
    isTraded,
    at: "auction",
    params: ({ item }) => ({ mrc401id: item, amount: "5" }),
  },
];

/** The operations of each row. */
const DEEDS: readonly (readonly Deed[])[] = [
  [{ op: "mrc400update", params: ({ project }) => ({ mrc400id: project, name: "New" }) }],
  [create({})],
  [create({ sell_price: "5" }), create({ auction_start_price: "5" })],
  describing("by the actor"),
  describing("by another"),
  (["by the actor", "by another"] as const).flatMap((created) => [
    change(created, { sell_fee: "5" }),
    change(created, { melt_fee: "5" }),
    change(created, { transferable: "Bound" }),
  ]),
  listing(false),
  listing(true),
  [
    {
      op: "mrc401transfer",
      isTraded: true,
      params: ({ item, actor }) => ({ mrc401id: item, fromAddr: actor, toAddr: ledger.treasury }),
    },
    { op: "mrc401melt", isTraded: true, params: ({ item }) => ({ mrc401id: item }) },
  ],
  trading(true),
  [{ op: "mrc401auctionfinish", at: "auction", params: ({ item }) => ({ mrc401id: item }) }],
];

let ledger: TestLedger;
let desk: ItemDesk;
let cast: Readonly<Record<Column, Address>>;
let roles: Texts;

before(async () => {
  ledger = await TestLedger.begin({ supply: "1000000" });
  desk = new ItemDesk(ledger);
  const created = await ledger.createAddresses(COLUMNS.length);
  const named = COLUMNS.map((column, index) => [column, created[index]]);
  cast = Object.fromEntries(named) as typeof cast;
  roles = { [cast.partner]: "partner", [cast.seller]: "seller", [cast.creator]: "creator" };
  const from = ledger.treasury;
  await ledger.done(...created.map((to) => ledger.transfer({ from, to, amount: "1000" })));
});
after(() => ledger[Symbol.dispose]());

/** An item as a deed asks for, in a project of its own in which everybody has just the role of his column. */
async function place(deed: Deed, actor: Address): Promise<Place> {
  const { owner, partner, holder } = cast;
  const { created, at } = deed;
  const isTraded = deed.isTraded === true || actor === holder;
  const another = actor === owner ? partner : owner;
  const creator = created === "by the actor" ? actor : created === "by another" ? another : owner;
  // Whoever creates it may do so then; what counts is the role when the deed is done.
  const project = await desk.project(owner, { [creator]: "partner" });
  const element = { transferable: "Temporary" };
  const item = await desk.item(project, creator, element);
  await desk.done("mrc400update", owner, { mrc400id: project, partner: roles });
  if (isTraded) {
    await desk.done("mrc401transfer", owner, { mrc401id: item, fromAddr: owner, toAddr: holder });
  }
  if (at !== undefined) {
    const terms = at === "sale" ? sale : auction;
    const itemdata = [{ id: item, ...terms }];
    await desk.done(at === "sale" ? "mrc401sell" : "mrc401auction", isTraded ? holder : owner, {
      itemdata,
    });
  }
  return { project, item, actor };
}

/** What somebody is told who does it. */
async function answerTo(deed: Deed, actor: Address): Promise<string> {
  const where = await place(deed, actor);
  const params = deed.params(where);
  switch (deed.op) {
    case "mrc400update":
      // A stranger's key is all that tells him from the owner.
      return desk.try(deed.op, cast.owner, params, desk.key(actor));
    case "mrc401auctionfinish":
      ledger.now += 3600;
      return desk.try(deed.op, "", params);
    default:
      return desk.try(deed.op, actor, params);
  }
}

const rows = MATRIX.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
assert.equal(rows.length, DEEDS.length);

for (const [index, [, name, item, ...cells]] of rows.entries()) {
  const operation = name === "the same" ? rows[index - 1]?.[1] : name;
  const code = cells[COLUMNS.length];
  const everybody = cells[COLUMNS.indexOf("anybody")] ?? "";
  for (const [at, column] of COLUMNS.entries()) {
    const isAllowed =
      everybody === "" ? cells[at] !== "" : !(everybody.includes("but") && column === "holder");
    const wanted = isAllowed ? "done" : code;
    test(`mrc401 §2.5: ${operation}${item && `, ${item}`}: ${column}: ${wanted}`, async () => {
      for (const deed of DEEDS[index] as readonly Deed[]) {
        // Of what is fresh the owner of the project is the holder.
        const isOwners = column === "holder" && item === "fresh";
        const actor = cast[isOwners ? "owner" : column];
        assert.equal(await answerTo(deed, actor), wanted, deed.op);
      }
    });
  }
}

const MELTING: Deed = { op: "mrc401melt", params: ({ item }) => ({ mrc401id: item }) };

for (const { deed, column, wanted } of [
  ...trading(false).map((deed) => ({ deed, column: "owner" as const, wanted: "3004" })),
  { deed: MELTING, column: "owner", wanted: "done" },
  { deed: MELTING, column: "partner", wanted: "7001" },
] as const) {
  test(`mrc401 §2.2: the owner of a project holds what is fresh: ${deed.op} by the ${column}: ${wanted}`, async () =>
    assert.equal(await answerTo(deed, cast[column]), wanted));
}

test("mrc401 §2.5: an address that stands in several columns has the rights of all of them", async () => {
  const { owner, partner, seller } = cast;
  const project = await desk.project(owner, { [partner]: "creator", [seller]: "seller" });
  const item = await desk.item(project, partner);
  const sell = (by: Address): Promise<string> =>
    desk.try("mrc401sell", by, { itemdata: [{ id: item, ...sale }] });
  const describe = (by: Address): Promise<string> =>
    desk.try("mrc401update", by, { mrc400id: project, itemdata: [{ id: item, groupid: by }] });
  assert.deepEqual([await sell(partner), await describe(partner)], ["7001", "done"]);
  const holding = { mrc401id: item, fromAddr: owner, toAddr: partner };
  await desk.done("mrc401transfer", owner, holding);
  assert.deepEqual([await describe(partner), await sell(partner)], ["4900", "done"]);
  assert.equal(await sell(seller), "7001");
});

test("mrc401 §18 row 54: what counts is the role when the operation is applied, and sales made by role stay", async () => {
  const { owner, partner } = cast;
  const project = await desk.project(owner, roles);
  const item = await desk.item(project, owner);
  await desk.done("mrc401sell", partner, { itemdata: [{ id: item, ...sale }] });
  await desk.done("mrc400update", owner, { mrc400id: project, partner: {} });
  assert.equal(await desk.try("mrc401unsell", partner, { itemdata: [item] }), "7001");
  await desk.done("mrc401buy", partner, { mrc401id: item });
});

test("mrc401 §2.5: each element of a batch must be permitted", async () => {
  const { owner, partner, holder } = cast;
  const project = await desk.project(owner, roles);
  const items = [await desk.item(project, owner), await desk.item(project, owner)] as const;
  const given = { mrc401id: items[1], fromAddr: owner, toAddr: holder };
  await desk.done("mrc401transfer", owner, given);
  const itemdata = items.map((id) => ({ id, ...sale }));
  assert.equal(await desk.try("mrc401sell", partner, { itemdata }), "7001");
  await desk.done("mrc401sell", partner, { itemdata: itemdata.slice(0, 1) });
});
