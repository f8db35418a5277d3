import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address, Texts } from "@moneta/protocol";
import { type Params, ruled } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createItems, createProject } from "../../testing/trade/creations.ts";

const COLUMNS = ["owner", "partner", "seller", "creator", "holder", "anybody"] as const;
type Column = (typeof COLUMNS)[number];

/** The table of mrc401 §2.5, with a column for each role. */
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

/**
 * What is done to an item, and what is done with it before: who created it, whether it has changed
 * hands, and what it is in.
 */
interface Deed {
  readonly op: string;
  readonly created?: "by the actor" | "by another";
  readonly isTraded?: boolean;
  readonly at?: "sale" | "auction";
  params(place: Place): Params;
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
const CREATED = ["by the actor", "by another"] as const;
const freshAndTraded = (deeds: readonly Deed[]): readonly Deed[] =>
  deeds.flatMap((deed) => [deed, { ...deed, isTraded: true }]);
const describing = (created: Deed["created"]): readonly Deed[] =>
  freshAndTraded([
    change(created, { item_url: "https://a.example/" }),
    change(created, { item_image_url: "ipfs://a/1" }),
    change(created, { groupid: "sword" }),
  ]);
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

const DEEDS: readonly (readonly Deed[])[] = [
  [{ op: "mrc400update", params: ({ project }) => ({ mrc400id: project, name: "New" }) }],
  [create({})],
  [create({ sell_price: "5" }), create({ auction_start_price: "5" })],
  describing("by the actor"),
  describing("by another"),
  CREATED.flatMap((created) =>
    freshAndTraded([
      change(created, { sell_fee: "5" }),
      change(created, { melt_fee: "5" }),
      change(created, { transferable: "Bound" }),
    ]),
  ),
  CREATED.flatMap((created) => listing(false).map((deed) => ({ ...deed, created }))),
  CREATED.flatMap((created) => listing(true).map((deed) => ({ ...deed, created }))),
  [
    {
      op: "mrc401transfer",
      isTraded: true,
      params: ({ item, actor }) => ({
        mrc401id: item,
        fromAddr: actor,
        toAddr: client.ledger.treasury,
      }),
    },
    { op: "mrc401melt", isTraded: true, params: ({ item }) => ({ mrc401id: item }) },
  ],
  trading(true),
  [{ op: "mrc401auctionfinish", at: "auction", params: ({ item }) => ({ mrc401id: item }) }],
];

let client: TestClient;
let cast: Readonly<Record<Column, Address>>;
let roles: Texts;

before(async () => {
  client = await TestClient.open();
  cast = await client.people(COLUMNS, { coins: 1000n });
  roles = { [cast.partner]: "partner", [cast.seller]: "seller", [cast.creator]: "creator" };
});
after(() => client[Symbol.dispose]());

/**
 * An item as a deed asks for, in a project of its own in which everybody has just the role of his
 * column.
 */
async function place(deed: Deed, actor: Address): Promise<Place> {
  const { owner, partner, holder } = cast;
  const { created, at } = deed;
  const isTraded = deed.isTraded === true || actor === holder;
  const another = actor === owner ? partner : owner;
  const creator = created === "by the actor" ? actor : created === "by another" ? another : owner;
  // Whoever creates it may do so then; what counts is the role when the deed is done.
  const project = await createProject(client, owner, { partner: [creator] });
  const element = { transferable: "Temporary" };
  const [item = ""] = await createItems(client, project, creator, element);
  await client.done("mrc400update", owner, { mrc400id: project, partner: roles });
  if (isTraded) {
    await client.done("mrc401transfer", owner, { mrc401id: item, fromAddr: owner, toAddr: holder });
  }
  if (at !== undefined) {
    const terms = at === "sale" ? sale : auction;
    const itemdata = [{ id: item, ...terms }];
    await client.done(at === "sale" ? "mrc401sell" : "mrc401auction", isTraded ? holder : owner, {
      itemdata,
    });
  }
  return { project, item, actor };
}

/**
 * What a deed is answered: `done` or a code; the same to an actor who is named by its key alone.
 */
async function answerTo(deed: Deed, actor: Address): Promise<string> {
  const params = deed.params(await place(deed, actor));
  if (deed.op === "mrc401auctionfinish") {
    client.now += 3600;
    return (await client.send(deed.op, "", params)).summary;
  }
  const { summary: reported, code, before, after } = await client.send(deed.op, actor, params);
  if (reported === "done") {
    assert.notDeepEqual(after, before);
    return reported;
  }
  const name = ruled(deed.op).operation.signers[0]?.address ?? "fromAddr";
  const unnamed = { ...params, ...(name !== "fromAddr" && { [name]: "" }) };
  assert.equal((await client.send(deed.op, actor, unnamed)).code, code, "by key");
  return code.slice(-4);
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
