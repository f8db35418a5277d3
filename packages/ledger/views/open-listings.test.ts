import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { ITEM } from "../state/item-entry.ts";
import { TestClient } from "../testing/test-client.ts";
import { T } from "../testing/test-ledger.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnits,
  type Element,
} from "../testing/trade/creations.ts";
import { type ListingPage, OpenListings, type WantedListings } from "./open-listings.ts";

const COINS = { coins: 1_000_000n };
const NO_FILTERS = {
  project: undefined,
  holderNumber: undefined,
  group: undefined,
  askedToken: undefined,
};

type After = WantedListings["after"];

/** Every page, one behind the other. */
function pagesOf(page: (after: After) => ListingPage): string[][] {
  const pages: string[][] = [];
  let after: After;
  do {
    const { items, next } = page(after);
    pages.push([...items]);
    after = next;
  } while (after !== undefined);
  return pages;
}

/** Ends so many seconds behind T. */
function lot(seconds: number, groupid = ""): Element {
  const terms = { auction_start_price: "5", auction_end: String(T + seconds) };
  return groupid === "" ? terms : { ...terms, groupid };
}

test("chain §10: a page by the ends of auctions looks at 1,000 of them, and then ends with a cursor", async () => {
  using client = await TestClient.open();
  const { ledger } = client;
  const { s } = await client.people(["s"], COINS);
  const project = await createProject(client, s);
  // The first 600 end at one time, so that a page begins in the middle of them.
  const common = Array.from({ length: 1000 }, (_, at) => lot(at < 600 ? 5000 : 6000, "common"));
  for (let from = 0; from < common.length; from += 100) {
    await createItems(client, project, s, ...common.slice(from, from + 100));
  }
  const rare = await createItems(client, project, s, lot(9000, "rare"), lot(7000, "rare"));
  const first = await createItems(client, project, s, lot(4000, "first"));

  const pages = (group: string | undefined, limit: number): string[][] =>
    ledger.reading(() =>
      pagesOf((after) =>
        ledger.reader.items.open({
          ...NO_FILTERS,
          show: ({ id }) => id,
          group,
          wanted: { order: "end", bidderNumber: undefined, after, limit },
        }),
      ),
    );
  assert.deepEqual(pages("rare", 100), [[], rare.toReversed()]);
  assert.deepEqual(pages("first", 100), [[...first], []]);
  assert.deepEqual(
    pages("common", 400).map(({ length }) => length),
    [400, 400, 200],
  );
  assert.deepEqual(
    pages(undefined, 2000).map(({ length }) => length),
    [1000, 3],
  );
});

/** Items on auction, in which B and D bid, and a seller S. */
async function bids(): Promise<{
  readonly client: TestClient;
  readonly people: Readonly<Record<"s" | "b" | "d", Address>>;
  readonly items: readonly string[];
}> {
  const client = await TestClient.open();
  const people = await client.people(["s", "b", "d"], COINS);
  const project = await createProject(client, people.s);
  const ends = [9000, 5000, 7000, 5000, 8000, 6000];
  const items = await createItems(
    client,
    project,
    people.s,
    ...ends.map((end, at) => lot(end, at % 2 === 0 ? "even" : "odd")),
  );
  for (const mrc401id of items) {
    await client.done("mrc401bid", people.b, { mrc401id, amount: "5" });
  }
  return { client, people, items };
}

function numberOf({ ledger }: TestClient, address: Address): number | undefined {
  return ledger.reading(() => ledger.reader.state.address(address)?.number);
}

for (const { order, expected } of [
  { order: "new", expected: [[5], [3], [1], []] },
  { order: "end", expected: [[1, 3], [5], [], []] },
] as const) {
  test(`chain §10: a page of a bidder with order=${order} looks at so many auctions, whatever the other filters let pass`, async () => {
    const { client, people, items } = await bids();
    using _ = client;
    const auctions = new OpenListings(client.ledger.database, 2);
    const bidderNumber = numberOf(client, people.b);
    const pages = (group: string | undefined, limit: number): string[][] =>
      pagesOf((after) =>
        auctions.page({
          table: ITEM.table,
          columns: { groupid: group },
          show: (text) => (JSON.parse(text) as { readonly id: string }).id,
          wanted: { order, bidderNumber, after, limit },
        }),
      );
    assert.deepEqual(
      pages("odd", 100).map((page) => page.map((id) => items.indexOf(id))),
      expected,
    );
    const all = order === "new" ? [5, 4, 3, 2, 1, 0] : [1, 3, 5, 2, 4, 0];
    for (const limit of [1, 2, 3]) {
      assert.deepEqual(
        pages(undefined, limit)
          .flat()
          .map((id) => items.indexOf(id)),
        all,
      );
    }
  });
}

test("chain §10: a page by price looks at so many offers, and goes on in the middle of those of one price", async () => {
  using client = await TestClient.open();
  const { s, b } = await client.people(["s", "b"], COINS);
  const project = await createProject(client, s);
  const prices = ["9", "20", "9", "100", "9", "9"];
  const items = await createItems(
    client,
    project,
    s,
    ...prices.map((sell_price, at) => ({ sell_price, groupid: at % 2 === 0 ? "even" : "odd" })),
  );
  const listings = new OpenListings(client.ledger.database, 2);
  const pages = (groupid: string | undefined, limit: number): number[][] =>
    pagesOf((after) =>
      listings.page({
        table: ITEM.table,
        columns: { asked_token: 0, groupid },
        priced: ["asked_token"],
        show: (text) => (JSON.parse(text) as { readonly id: string }).id,
        wanted: { order: "price", bidderNumber: undefined, after, limit },
      }),
    ).map((page) => page.map((id) => items.indexOf(id)));
  assert.deepEqual(pages("odd", 100), [[], [5], [1, 3], []]);
  for (const limit of [1, 2, 3]) {
    assert.deepEqual(pages(undefined, limit).flat(), [0, 2, 4, 5, 1, 3]);
  }
  await client.done("mrc401buy", b, { mrc401id: items[2] as string });
  assert.deepEqual(pages(undefined, 2).flat(), [0, 4, 5, 1, 3]);
});

test("chain §10: an auction is found by its highest bidder until it is closed, and by nobody else", async () => {
  const { client, people, items } = await bids();
  using _ = client;
  const { s, b, d } = people;
  const found = (bidder: Address): string => {
    const { reader } = client.ledger;
    const wanted = {
      order: "new",
      bidderNumber: numberOf(client, bidder),
      after: undefined,
      limit: 100,
    } as const;
    return client.ledger.reading(() =>
      reader.items
        .open({ ...NO_FILTERS, show: ({ id }) => String(items.indexOf(id)), wanted })
        .items.join(" "),
    );
  };
  const bid = (by: Address, at: number, amount: string) =>
    client.done("mrc401bid", by, { mrc401id: items[at] as string, amount });
  assert.deepEqual([found(b), found(d), found(s)], ["5 4 3 2 1 0", "", ""]);
  await bid(d, 2, "6");
  await bid(d, 4, "6");
  await bid(b, 4, "7");
  assert.deepEqual([found(b), found(d)], ["5 4 3 1 0", "2"]);
  // Over, and not closed yet.
  client.now = T + 5000;
  assert.equal(found(b), "5 4 3 1 0");
  await client.done("mrc401auctionfinish", "", { mrc401id: items[1] as string });
  assert.equal(found(b), "5 4 3 0");
  client.ledger.rebuild();
  assert.deepEqual([found(b), found(d)], ["5 4 3 0", "2"]);
});

test("tokens §8, mrc402 §3: listings are found by the highest bidders of their open auctions, too", async () => {
  using client = await TestClient.open();
  const { ledger } = client;
  const { s, b, d } = await client.people(["s", "b", "d"], COINS);
  const gold = await createToken(client, s);
  const units = await createUnits(client, s, { totalsupply: "9" });
  const terms = { amount: "1", token: "0", auction_start_price: "5", auction_bidding_unit: "1" };
  const of = {
    mrc010: () => client.make("mrc010auction", s, { ...terms, mrc010id: gold }),
    mrc402: () => client.make("mrc402auction", s, { ...terms, id: units }),
  };
  for (const kind of ["mrc010", "mrc402"] as const) {
    const ids = [await of[kind](), await of[kind](), await of[kind]()];
    const name = kind === "mrc010" ? "dexid" : "id";
    const bid = (by: Address, at: number, amount: string) =>
      client.done(`${kind}bid`, by, { [name]: ids[at] as string, amount });
    const found = (bidder: Address): string => {
      const bidderNumber = numberOf(client, bidder);
      const wanted = { order: "new", bidderNumber, after: undefined, limit: 100 } as const;
      const { tokenListings, unitItems } = ledger.reader;
      const { items } = ledger.reading(() =>
        kind === "mrc010"
          ? tokenListings.open({
              ...{ token: undefined, payToken: undefined, creatorNumber: undefined },
              wanted,
            })
          : unitItems.open({
              ...{ item: undefined, project: undefined, sellerNumber: undefined },
              payToken: undefined,
              show: ({ id }) => JSON.stringify({ dexid: id }),
              wanted,
            }),
      );
      return items
        .map((text) => ids.indexOf((JSON.parse(text) as { readonly dexid: string }).dexid))
        .join(" ");
    };
    assert.deepEqual([found(b), found(d)], ["", ""]);
    await bid(b, 0, "5");
    await bid(b, 1, "5");
    await bid(b, 2, "5");
    await bid(d, 1, "6");
    assert.deepEqual([found(b), found(d)], ["2 0", "1"], kind);
    client.now += 2_000_000;
    await client.done(`${kind}auctionfinish`, "", { [name]: ids[2] as string });
    assert.deepEqual([found(b), found(d)], ["0", "1"], kind);
  }
});
