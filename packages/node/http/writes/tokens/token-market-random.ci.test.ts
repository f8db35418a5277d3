import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market } from "../../../testing/requests/market.ts";
import type { Listing, MarketWord } from "../../../testing/requests/market-requests.ts";
import { SeededRandom } from "../../../testing/seeded-random.ts";
import { runMoneta } from "../../../testing/service-process.ts";
import { type Answered, type KeyHolder, parsed, saidCode } from "../../../testing/test-node.ts";

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

type Send = () => Promise<Answered>;

const BATCHES = 60;
const BATCH = 10;
/** What a well-formed and rightly signed request may be refused with. Source: tokens §9 to §12. */
const REFUSALS = /^(200|400 (3004|3005|5000)|409 (7101|7102|7103|7104|7105|7201|7202|7203))$/;

/** Requests of a few traders, as a seed has them: any operation on any listing, and some on the right one. */
class Traders {
  readonly random = new SeededRandom();
  readonly #all: readonly KeyHolder[];
  readonly #tokens: readonly string[];
  #listings: Listing[] = [];

  constructor(all: readonly KeyHolder[], tokens: readonly string[]) {
    this.#all = all;
    this.#tokens = tokens;
  }

  async look(): Promise<void> {
    this.#listings = await market.listings({ state: "all", token: this.#tokens[0] as string });
    this.#listings.push(...(await market.listings({ token: this.#tokens[1] as string })));
  }

  /** A request, signed. */
  next(): Promise<Send> {
    const { random } = this;
    const creating = (["sell", "reqsell", "auction"] as const)[random.integer({ min: 0, max: 7 })];
    const listing = random.pick(this.#listings.length === 0 ? [undefined] : this.#listings);
    if (creating !== undefined || listing === undefined) {
      return this.#create(creating ?? "sell");
    }
    const { dexid, side, seller, buyer } = listing;
    const isWrong = random.integer({ min: 0, max: 9 }) === 0;
    const fitting = { sell: ["buy", "unsell"], buy: ["acceptreqsell", "unreqsell"] }[side];
    const words = fitting ?? ["bid", "bid", "bid", "unauction", "finish"];
    const word = random.pick(isWrong ? ["buy", "bid", "acceptreqsell"] : words);
    if (word === "finish") {
      return Promise.resolve(() => market.finish(dexid));
    }
    if (word.startsWith("un")) {
      const creator = side === "buy" ? buyer : seller;
      const by = this.#all.find(({ address }) => address === creator) as KeyHolder;
      return market.ready(word as MarketWord, by, { dexid });
    }
    const unit = Number(listing.min_trade_unit);
    const quantity = random.integer({ min: 1, max: 12 }) * unit;
    const bid =
      Number(listing.auction_current_price || listing.auction_start_price) +
      random.integer({ min: 0, max: 9 });
    const amount = String(side === "auction" ? bid : quantity);
    return market.ready(word as MarketWord, random.pick(this.#all), { dexid, amount });
  }

  #create(word: "sell" | "reqsell" | "auction"): Promise<Send> {
    const { random } = this;
    const mrc010id = random.pick(this.#tokens);
    const token = random.pick(this.#tokens.filter((id) => id !== mrc010id));
    const unit = random.pick(["1", "10"]);
    const units = random.integer({ min: 1, max: 30 });
    const price = String(random.integer({ min: 1, max: 20 }));
    const platform = random.pick([undefined, ...this.#all]);
    const common = {
      mrc010id,
      token,
      amount: String(word === "auction" ? units : units * Number(unit)),
      platform_commission: random.pick(["", "0.01", "2.5", "9.99", "10"]),
      platform_address: platform?.address ?? "",
    };
    const terms =
      word === "auction"
        ? {
            auction_start_price: price,
            auction_bidding_unit: random.pick(["", "2"]),
            auction_buynow_price: random.pick(["", "30"]),
            auction_end_date: String(market.node.now + 3600 + random.integer({ min: 0, max: 900 })),
          }
        : { price, min_trade_unit: unit };
    return market.ready(word, random.pick(this.#all), { ...common, ...terms });
  }
}

test(`tokens §13 row 36: of ${BATCH * BATCHES} random requests, ${BATCH} at a time, none creates or loses a unit, and the blocks verify`, async () => {
  const x = await market.issue(market.issuer, "1000000");
  const all = await Promise.all(
    Array.from({ length: 5 }, () => market.holder({ coins: 2000n, gold: 2000n })),
  );
  for (const holder of all) {
    await market.pay(market.issuer, holder, 2000n, { token: x });
  }
  const traders = new Traders(all, [x, market.gold, "0"]);
  const { random } = traders;
  const counts = new Map<string, number>();
  try {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await traders.look();
      const sends = await Promise.all(Array.from({ length: BATCH }, () => traders.next()));
      for (const answer of await Promise.all(sends.map((send) => send()))) {
        const said = saidCode(answer);
        assert.match(said, REFUSALS);
        const of =
          answer.status === 200
            ? (await market.node.transaction(parsed<{ txid: string }>(answer).txid)).type
            : said;
        counts.set(of, (counts.get(of) ?? 0) + 1);
      }
      await market.assertConserved();
      market.node.now += random.integer({ min: 0, max: 300 });
    }
    await market.node.stop();
    const { exitCode, output } = await runMoneta("verify", market.node.data);
    await market.node.resume();
    assert.equal(exitCode, 0, output);
    assert.ok(counts.size > 12, JSON.stringify(Object.fromEntries(counts)));
  } catch (thrown) {
    console.error(`seed: TEST_SEED=${random.seed}`);
    throw thrown;
  }
});
