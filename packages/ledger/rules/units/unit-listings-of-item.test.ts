import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { firstEndingAuction } from "../../state/units/unit-listings.ts";
import type { Params, Request } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createUnits } from "../../testing/trade/creations.ts";

/** More listings of each side than a rule looks at. */
const MANY = 1001;

/** Most documents that any of these operations needs. */
const FEW_READS = 30;

describe("mrc402 §2.7: what an item id means, of an item with more than 1,000 open listings of each side", () => {
  let client: TestClient;
  let id: string;
  let busy: Address;
  let rare: Address;
  let buyer: Address;
  const sales: string[] = [];
  const lots: string[] = [];
  const sale = { amount: "1", token: "0", price: "50" };
  const auction = { amount: "1", token: "0", auction_start_price: "5" };

  before(async () => {
    client = await TestClient.open();
    ({ busy, rare, buyer } = await client.people(["busy", "rare", "buyer"], { coins: 1000n }));
    id = await createUnits(client, busy, { totalsupply: "5000" });
    await client.done("mrc402transfer", busy, { mrc402id: id, toAddr: rare, amount: "10" });
    for (let made = 0; made < MANY; made += 77) {
      const ends = Array.from({ length: 77 }, (_, n) => String(client.now + 90_000 + made + n));
      const answers = await client.block(
        ends.flatMap((auction_end_date): Request[] => [
          ["mrc402sell", busy, { id, ...sale }],
          ["mrc402auction", busy, { id, ...auction, auction_end_date }],
        ]),
      );
      for (const { record } of answers) {
        const [dexid = ""] = record.parameters;
        (record.type === "mrc402sell" ? sales : lots).push(dexid);
      }
    }
    assert.deepEqual([sales.length, lots.length], [MANY, MANY]);
  });
  after(() => client[Symbol.dispose]());

  /** Sends what reads few documents, besides listings that a refusal names. */
  async function send(op: string, by: Address | "", params: Params): Promise<Answer> {
    const answer = await client.send(op, by, params);
    const named = answer.problem === undefined ? 0 : 100;
    assert.ok(client.ledger.ledger.state.documentsRead <= named + FEW_READS);
    return answer;
  }

  const buy = (by: Address): Promise<Answer> => send("mrc402buy", by, { id });
  const bid = (by: Address): Promise<Answer> => send("mrc402bid", by, { id, amount: "5" });
  const finish = (): Promise<Answer> => send("mrc402auctionfinish", "", { id });

  /** The listing that an operation was about. */
  function listingOf({ effects }: Answer): string | undefined {
    return effects.find(({ item }) => item !== undefined)?.item;
  }

  test("buy and bid: 3004 for the address that has made all of them", async () => {
    assert.deepEqual([(await buy(busy)).code, (await bid(busy)).code], ["400 3004", "400 3004"]);
  });

  test("buy and bid: 7107 with 100 of them for another address", async () => {
    for (const [answer, all] of [
      [await buy(buyer), sales],
      [await bid(buyer), lots],
    ] as const) {
      const named = answer.problem?.listings ?? [];
      assert.deepEqual([answer.code, named.length], ["409 7107", 100]);
      assert.ok(named.every((one) => all.includes(one)));
    }
  });

  test("unsell and unauction: 7107 with 100 of them, also as the last of many elements", async () => {
    for (const [word, all] of [
      ["unsell", sales],
      ["unauction", lots],
    ] as const) {
      const itemdata = [...all.slice(0, 40), id];
      const { summary, problem } = await client.send(`mrc402${word}`, busy, { itemdata });
      assert.deepEqual([summary, problem?.listings?.length], ["409 7107 itemdata[40]", 100]);
    }
  });

  test("auctionfinish: 7201 while all of them are running", async () =>
    assert.equal((await finish()).code, "409 7201"));

  test("buy and bid by the address that has made 1,001 listings mean the only one of another", async () => {
    const other = await client.make("mrc402sell", rare, { id, ...sale, price: "5" });
    assert.equal(listingOf(await buy(busy)), other);
    const lot = await client.make("mrc402auction", rare, { id, ...auction });
    assert.equal(listingOf(await bid(busy)), lot);
    assert.equal((await send("mrc402unsell", rare, { itemdata: [id] })).code, "409 7106");
  });

  test("auctionfinish means an ended auction behind 1,001 running ones, then the next to end", async () => {
    const end = client.now + 3600;
    const ending = { id, ...auction, auction_end_date: String(end) };
    const short = await client.make("mrc402auction", rare, ending);
    client.now = end;
    assert.equal(listingOf(await finish()), short);
    assert.equal((await finish()).code, "409 7201");
    client.now = end + 100_000;
    const { ledger } = client;
    const next = ledger.reading(() => firstEndingAuction(ledger.reader.state, id)?.dexid);
    assert.equal(listingOf(await finish()), next);
  });
});
