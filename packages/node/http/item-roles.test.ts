import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Cast,
  Collection,
  type Element,
  type ItemParams,
  type ItemWord,
  numberOf,
  type Role,
} from "../testing/item-requests.ts";
import { type Answered, said } from "../testing/test-node.ts";

// Who may do what to projects and items: every cell of the table of mrc401 §2.5, but for those of transfer, melt, buy, bid and auctionfinish.

// biome-ignore format: the table of the chapter; several operations and items in one cell are tried one by one
const TABLE = `
| Operation                              | Item                             | MRC400 owner | partner | seller | creator | holder | anybody | else     |
|----------------------------------------|----------------------------------|--------------|---------|--------|---------|--------|---------|----------|
| update the project                     |                                  | yes          |         |        |         |        |         | 401 2020 |
| create                                 | idle                             | yes          | yes     |        | yes     |        |         | 403 7002 |
| create                                 | on sale, on auction              | yes          | yes     | yes    |         |        |         | 403 7002 |
| item_url, item_image_url, groupid      | own fresh, own traded            | yes          | yes     |        | yes     |        |         | 403 7002 |
| item_url, item_image_url, groupid      | another's fresh, another's traded| yes          |         |        |         |        |         | 403 7002 |
| sell_fee, melt_fee, transferable       | own fresh, own traded            | yes          |         |        |         |        |         | 403 7002 |
| sell_fee, melt_fee, transferable       | another's fresh, another's traded| yes          |         |        |         |        |         | 403 7002 |
| sell, unsell, auction, unauction       | own fresh, another's fresh       | yes          | yes     | yes    |         | yes    |         | 403 7001 |
| sell, unsell, auction, unauction       | own traded, another's traded     |              |         |        |         | yes    |         | 403 7001 |
`;

const COLUMNS: Readonly<Record<string, Role>> = {
  "MRC400 owner": "o",
  partner: "p",
  seller: "s",
  creator: "c",
  holder: "a",
  anybody: "b",
};

interface Cell {
  readonly operation: string;
  readonly item: string;
  readonly column: string;
  readonly answer: string;
}

function cells(): Cell[] {
  const [header = [], , ...rows] = TABLE.trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([operations = "", items = "", ...may]) =>
    operations.split(", ").flatMap((operation) =>
      items.split(", ").flatMap((item) =>
        header.slice(2, -1).map((column, n): Cell => {
          const answer = may[n] === "yes" ? "200" : (may.at(-1) as string);
          return { operation, item, column, answer };
        }),
      ),
    ),
  );
}

let collection: Collection;
let cast: Cast;
let partner: Readonly<Record<string, string>>;
before(async () => {
  collection = await Collection.open();
  cast = await collection.cast();
  ({ partner } = await collection.project(cast.q));
  const held = await collection.item(cast.q, cast.o);
  await collection.give(held, cast.o, cast.a);
});
after(() => collection[Symbol.asyncDispose]());

let used = 0;

/** An item that somebody has created; who has no role for it had one at that time. */
async function createdBy(role: Role, element: Element): Promise<string> {
  const { q, o, [role]: by } = cast;
  const isWithout = !["o", "p", "c"].includes(role);
  if (isWithout) {
    const more = { ...partner, [by.address]: "creator" };
    await collection.done("updateProject", o, { mrc400id: q, partner: more });
  }
  const id = await collection.item(q, by, element);
  if (isWithout) {
    await collection.done("updateProject", o, { mrc400id: q, partner });
  }
  return id;
}

/** The item of a cell: created by who acts, or by another; held by its MRC400 owner, or, if it is traded, by A. */
async function itemFor({ operation, item, column }: Cell): Promise<string> {
  const role = COLUMNS[column] as Role;
  const another = role === "p" ? "c" : "p";
  const id = await createdBy(item.startsWith("own ") ? role : another, {
    transferable: "Temporary",
    item_url: "https://a.example/",
  });
  const isTraded = item.endsWith("traded");
  const { o, a } = cast;
  if (isTraded) {
    await collection.give(id, o, a);
  }
  const listing = { unsell: "sell", unauction: "auction" }[operation];
  if (listing !== undefined) {
    await list(listing as ItemWord, isTraded ? "a" : "o", id);
  }
  return id;
}

function list(word: ItemWord, role: Role, id: string): Promise<Answered> {
  const { [role]: by } = cast;
  const element = { id, price: "300", start: "100", token: "0" };
  return collection.done(word, by, { itemdata: [element] });
}

const LISTINGS: Readonly<Record<string, Element>> = {
  idle: {},
  "on sale": { sell_price: "300" },
  "on auction": { auction_start_price: "100" },
};

const CHANGES: Readonly<Record<string, string>> = {
  item_url: "",
  item_image_url: "ipfs://b",
  groupid: "b",
  sell_fee: "5",
  melt_fee: "5",
  transferable: "Bound",
};

/** What is asked for in a cell, and where it shows whether it was done. */
async function deedOf(
  cell: Cell,
): Promise<{ word: ItemWord; params: ItemParams; actor: string; shownAt: string }> {
  const { operation, item } = cell;
  const mrc400id = cast.q;
  if (operation === "update the project") {
    const params = { mrc400id, name: `Name ${used++}` };
    return { word: "updateProject", params, actor: "", shownAt: `/mrc400/${mrc400id}` };
  }
  if (operation === "create") {
    const item_id = numberOf(used++);
    const params = { mrc400id, itemdata: [{ item_id, ...LISTINGS[item] }] };
    return { word: "create", params, actor: "creator", shownAt: `/mrc401/${mrc400id}_${item_id}` };
  }
  const id = await itemFor(cell);
  const shownAt = `/mrc401/${id}`;
  const to = CHANGES[operation];
  if (to !== undefined) {
    const params = { mrc400id, itemdata: [{ id, [operation]: to }] };
    return { word: "update", params, actor: "creator", shownAt };
  }
  const element = { id, price: "300", start: "100", token: "0" };
  const itemdata = [operation.startsWith("un") ? id : element];
  return { word: operation as ItemWord, params: { itemdata }, actor: "seller", shownAt };
}

for (const cell of cells()) {
  const { operation, item, column, answer } = cell;
  const name = [operation, ...(item === "" ? [] : [`(${item})`])].join(" ");
  test(`mrc401 §2.5: ${name} by ${column}: ${answer}`, async () => {
    const isFresh = item.endsWith("fresh");
    const isListed = answer === "200" && isFresh && column === "holder";
    // The holder of a fresh item is the MRC400 owner.
    const by = cast[isListed ? "o" : (COLUMNS[column] as Role)];
    const { word, params, actor, shownAt } = await deedOf(cell);
    const earlier = await collection.node.get(shownAt);
    if (answer !== "200" && actor !== "") {
      const byKey = await collection.send(word, by, { ...params, [actor]: "" });
      assert.equal(said(byKey).slice(0, 8), answer, "by key");
    }
    const got = said(await collection.send(word, by, params));
    assert.equal(answer === "200" ? got : got.slice(0, 8), answer);
    const later = await collection.node.get(shownAt);
    if (answer === "200") {
      assert.notEqual(later.text, earlier.text);
    } else {
      assert.equal(later.text, earlier.text);
    }
  });
}

test("mrc401 §18 row 80: none of the above has created or lost a unit", () =>
  collection.assertConserved());
