import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../../../testing/requests/market.ts";
import {
  addressed,
  MARKET_OPERATIONS,
  MARKET_WORDS,
  type MarketRequest,
  type MarketWord,
} from "../../../testing/requests/market-requests.ts";
import { runMoneta } from "../../../testing/service-process.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// What blocks hold of trades, and that a ledger with trades in it can be checked, made anew and started again.

let market: Market;
let parties: Parties;
let x: string;
before(async () => {
  market = await Market.open();
  x = market.gold;
  parties = await market.parties({ gold: 100_000n, coins: 100_000n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** One request of each operation that can be accepted, in their order; those that need a listing have one made for them. */
async function requests(
  signed: "short" | "full",
): Promise<{ word: MarketWord; by: KeyHolder; request: MarketRequest }[]> {
  const { s, b } = parties;
  const sale = (): Promise<string> => market.list("sell", s, market.listing1(parties));
  const purchase = (): Promise<string> => market.list("reqsell", b, market.listing1(parties));
  const auction = (): Promise<string> => market.list("auction", s, market.listing3(parties));
  const all: Readonly<Record<MarketWord, readonly [KeyHolder, Params]>> = {
    sell: [s, market.listing1(parties, { platform_name: 'é"\\😀', min_trade_unit: "" })],
    reqsell: [b, market.listing1(parties, { platform_commission: "2.50" })],
    unsell: [s, { dexid: await sale() }],
    unreqsell: [b, { dexid: await purchase() }],
    buy: [b, { dexid: await sale(), amount: "400" }],
    acceptreqsell: [s, { dexid: await purchase(), amount: "400" }],
    auction: [s, market.listing3(parties, { auction_start_date: "0" })],
    unauction: [s, { dexid: await auction() }],
    bid: [b, { dexid: await auction(), amount: "100" }],
  };
  return Promise.all(
    MARKET_WORDS.map(async (word) => {
      const [by, params] = all[word];
      return { word, by, request: await market.request(word, by, params, { signed }) };
    }),
  );
}

interface RawOperation {
  readonly op: string;
  readonly actor: string;
  readonly params: object;
  readonly decided: object;
  readonly signatures: object;
  readonly v: number;
}

/** The operation as the block has it, whose hash is in the id. Source: chain §4.1 to §4.3. */
async function operation(id: string): Promise<RawOperation> {
  const [sn, position] = [id.slice(0, 16), id.slice(16, 24)].map((digits) => parseInt(digits, 16));
  const raw = parsed<{ operations: RawOperation[] }>(await market.node.get(`/block/${sn}/raw`));
  const found = raw.operations[position ?? 0] as RawOperation;
  const { signatures: _, ...content } = found;
  const hash = createHash("sha256").update(sorted(content)).digest("hex");
  assert.equal(id.slice(24), hash.slice(0, 40));
  return found;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

for (const signed of ["short", "full"] as const) {
  test(`chain §4.1: a block has each operation as it was sent, what is absent or empty left out, signed ${signed}`, async () => {
    for (const { word, by, request } of await requests(signed)) {
      const id = transactionIdOf(await market.post(word, request));
      const { signature, ...sent } = request as Params;
      assert.deepEqual(await operation(id), {
        v: 1,
        op: MARKET_OPERATIONS[word].name,
        actor: by.address,
        params: Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== "")),
        decided: {},
        signatures: { signature },
      });
    }
  });
}

test("chain §4.1: a block has auctionfinish without actor and signature, by GET as by POST", async () => {
  for (const method of ["GET", "POST"] as const) {
    const dexid = await market.list("auction", parties.s, market.listing3(parties));
    market.node.now += 86_400;
    const id = transactionIdOf(await market.finish(dexid, method));
    assert.deepEqual(await operation(id), {
      v: 1,
      op: "mrc010auctionfinish",
      actor: "",
      params: { dexid },
      decided: {},
      signatures: {},
    });
  }
});

test("conventions §5.3: after a restart every operation sent again is answered as the first time, and done once", async () => {
  const all = await requests("short");
  const answers = [];
  for (const { word, request } of all) {
    answers.push((await market.post(word, request)).text);
  }
  const height = await market.node.height();
  const lists = await market.listings({ token: x, state: "all" });
  await market.node.restart();
  for (const [index, { word, request }] of all.entries()) {
    const { path, body } = addressed(word, request);
    assert.equal((await market.node.post(path, body)).text, answers[index], word);
  }
  assert.equal(await market.node.height(), height);
  assert.deepEqual(await market.listings({ token: x, state: "all" }), lists);
});

test("chain §6.5: a ledger with trades of every kind verifies, and is the same when it is made anew", async () => {
  const lists = await market.listings({ state: "all" }, 7);
  await market.node.stop();
  for (const command of ["verify", "rebuild", "verify"]) {
    const { exitCode, output } = await runMoneta(command, market.node.data);
    assert.equal(exitCode, 0, output);
  }
  await market.node.resume();
  assert.deepEqual(await market.listings({ state: "all" }), lists);
});
