import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { AUCTION } from "../../../../ledger/testing/trade/item-terms.ts";
import { ItemTrade } from "../../../testing/requests/item-trade.ts";
import { type Send, sendAtOnce } from "../../../testing/requests/races.ts";
import { type Answered, type KeyHolder, saidCode } from "../../../testing/test-node.ts";

// What happens when several want the same item at the same time: one gets it, the others are told why not, and nothing is lost.

const ROUNDS = 6;

let trade: ItemTrade;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open();
  ({ o, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

interface Race {
  readonly name: string;
  /** Two requests about an X, made ready. */
  readonly start: () => Promise<{ readonly x: string; readonly sends: readonly [Send, Send] }>;
  /** What the two may be answered together, then who has the item and what was paid. */
  readonly allowed: readonly string[];
}

const temporary = { transferable: "Temporary" };

const buying = (by: KeyHolder, mrc401id: string): Promise<Send> =>
  trade.collection.ready("buy", by, { mrc401id });
const bidding = (by: KeyHolder, mrc401id: string, amount: string): Promise<Send> =>
  trade.collection.ready("bid", by, { mrc401id, amount });
const melting = (by: KeyHolder, mrc401id: string): Promise<Send> =>
  trade.collection.ready("melt", by, { mrc401id });
const giving = (mrc401id: string, to: KeyHolder): Promise<Send> =>
  trade.collection.ready("transfer", a, { mrc401id, toAddr: to.address });
const selling = (...ids: readonly string[]): Promise<Send> => {
  const itemdata = ids.map((id) => ({ id, price: "300", token: "0" }));
  return trade.collection.ready("sell", a, { itemdata });
};
const auctioning = (id: string): Promise<Send> =>
  trade.collection.ready("auction", a, { itemdata: [{ id, ...AUCTION }] });
const undoing = (word: "unsell" | "unauction", ...ids: readonly string[]): Promise<Send> =>
  trade.collection.ready(word, a, { itemdata: ids });
const binding = (id: string): Promise<Send> => {
  const itemdata = [{ id, transferable: "Bound" }];
  return trade.collection.ready("update", o, { mrc400id: trade.cast.q, itemdata });
};

/** Two requests about an item that is in some state first. */
function about(
  make: () => Promise<string>,
  first: (x: string) => Promise<Send>,
  second: (x: string) => Promise<Send>,
): Race["start"] {
  return async () => {
    const x = await make();
    return { x, sends: [await first(x), await second(x)] };
  };
}

const idle = (): Promise<string> => trade.x({ initial_reserve: "40", melt_fee: "25" });
const onSale = (): Promise<string> => trade.onSale(temporary);
const open = (): Promise<string> => trade.onAuction(temporary);
const bid = (): Promise<string> => trade.onAuction(temporary, { bids: [[b, "100"]] });
/** The clock stands so many seconds before the end. */
const late =
  (make: () => Promise<string>, seconds = 0) =>
  async (): Promise<string> => {
    const x = await make();
    await trade.untilEnd(x);
    trade.node.now -= seconds;
    return x;
  };
const finishing = (x: string): Promise<Send> => Promise.resolve(() => trade.finish(x));

const SOLD = "o +30, a +270";

const RACES: readonly Race[] = [
  {
    name: "§18 row 50: two buyers",
    start: about(
      onSale,
      (x) => buying(b, x),
      (x) => buying(d, x),
    ),
    allowed: [`200, 409 7106: B idle; ${SOLD}, b -300`, `409 7106, 200: D idle; ${SOLD}, d -300`],
  },
  {
    name: "§12: two purchases of one buyer with two keys",
    start: about(
      onSale,
      (x) => buying(b, x),
      (x) => buying(b, x),
    ),
    allowed: [`200, 400 3004: B idle; ${SOLD}, b -300`, `400 3004, 200: B idle; ${SOLD}, b -300`],
  },
  {
    name: "§11: buy and unsell",
    start: about(
      onSale,
      (x) => buying(b, x),
      (x) => undoing("unsell", x),
    ),
    allowed: [`200, 403 7001: B idle; ${SOLD}, b -300`, "409 7106, 200: A idle; "],
  },
  {
    name: "§8: buy and update to Bound",
    start: about(onSale, (x) => buying(b, x), binding),
    allowed: [`200, 200: B idle; ${SOLD}, b -300`, "409 7109, 200: A on sale; "],
  },
  {
    name: "§9: transfer and sell",
    start: about(idle, (x) => giving(x, b), selling),
    allowed: ["200, 403 7001: B idle; ", "409 7108, 200: A on sale; "],
  },
  {
    name: "§9: two transfers",
    start: about(
      idle,
      (x) => giving(x, b),
      (x) => giving(x, d),
    ),
    allowed: ["200, 403 7001: B idle; ", "403 7001, 200: D idle; "],
  },
  {
    name: "§14: sell and auction",
    start: about(idle, selling, auctioning),
    allowed: ["200, 409 7108: A on sale; ", "409 7108, 200: A open; "],
  },
  {
    name: "§13: two melts",
    start: about(
      idle,
      (x) => melting(a, x),
      (x) => melting(a, x),
    ),
    allowed: ["200, 409 7110: melted; o +10, a +30", "409 7110, 200: melted; o +10, a +30"],
  },
  {
    name: "§13: melt and transfer",
    start: about(
      idle,
      (x) => melting(a, x),
      (x) => giving(x, b),
    ),
    allowed: ["200, 409 7110: melted; o +10, a +30", "403 7001, 200: B idle; "],
  },
  {
    name: "§13: melt and sell",
    start: about(idle, (x) => melting(a, x), selling),
    allowed: ["200, 409 7110: melted; o +10, a +30", "409 7108, 200: A on sale; "],
  },
  {
    name: "§13: melts by who sells and by who buys",
    start: about(
      onSale,
      (x) => buying(b, x),
      (x) => melting(a, x),
    ),
    allowed: [`200, 403 7001: B idle; ${SOLD}, b -300`, `200, 409 7108: B idle; ${SOLD}, b -300`],
  },
  {
    name: "§16: two bids of the same amount",
    start: about(
      open,
      (x) => bidding(b, x, "100"),
      (x) => bidding(d, x, "100"),
    ),
    allowed: ["200, 400 3004: A bid by B; b -100", "400 3004, 200: A bid by D; d -100"],
  },
  {
    name: "§16: two bids of one bidder",
    start: about(
      open,
      (x) => bidding(b, x, "100"),
      (x) => bidding(b, x, "105"),
    ),
    allowed: ["200, 409 7105: A bid by B; b -100", "409 7105, 200: A bid by B; b -105"],
  },
  {
    name: "§16: two bids of different amounts",
    start: about(
      open,
      (x) => bidding(b, x, "100"),
      (x) => bidding(d, x, "105"),
    ),
    allowed: ["200, 200: A bid by D; d -105", "400 3004, 200: A bid by D; d -105"],
  },
  {
    name: "§16: two bids of the buy-now price",
    start: about(
      bid,
      (x) => bidding(b, x, "502"),
      (x) => bidding(d, x, "502"),
    ),
    allowed: [
      "200, 409 7106: B idle; o +50, a +452, b -402",
      "409 7106, 200: D idle; o +50, a +452, b +100, d -502",
    ],
  },
  {
    name: "§15: bid and unauction",
    start: about(
      open,
      (x) => bidding(b, x, "100"),
      (x) => undoing("unauction", x),
    ),
    allowed: ["200, 409 7104: A bid by B; b -100", "409 7106, 200: A idle; "],
  },
  {
    name: "§16: bid and update to Bound",
    start: about(bid, (x) => bidding(d, x, "105"), binding),
    allowed: ["200, 200: A bid by D; b +100, d -105", "409 7109, 200: A bid by B; "],
  },
  {
    name: "§17: bid and auctionfinish at the end",
    start: about(late(bid), (x) => bidding(d, x, "105"), finishing),
    allowed: ["409 7202, 200: B idle; o +10, a +90", "409 7106, 200: B idle; o +10, a +90"],
  },
  {
    name: "§17: bid and auctionfinish in the last second",
    start: about(late(bid, 1), (x) => bidding(d, x, "105"), finishing),
    allowed: ["200, 409 7201: A bid by D; b +100, d -105"],
  },
  {
    name: "§17: a bid of the buy-now price and auctionfinish in the last second",
    start: about(late(bid, 1), (x) => bidding(d, x, "502"), finishing),
    allowed: [
      "200, 409 7201: D idle; o +50, a +452, b +100, d -502",
      "200, 409 7106: D idle; o +50, a +452, b +100, d -502",
    ],
  },
  {
    name: "§17: two auctionfinish, by GET and by POST",
    start: about(late(bid), finishing, (x) => Promise.resolve(() => trade.finish(x, "GET"))),
    allowed: ["200, 409 7106: B idle; o +10, a +90", "409 7106, 200: B idle; o +10, a +90"],
  },
  {
    name: "§17: auctionfinish and unauction without a bid",
    start: about(late(open), finishing, (x) => undoing("unauction", x)),
    allowed: ["200, 409 7106: A idle; ", "409 7106, 200: A idle; "],
  },
  {
    name: "§10: one key for sell and auction",
    async start() {
      const x = await idle();
      const tkey = await trade.node.key(a);
      const terms = [{ id: x, price: "300", ...AUCTION }];
      const ready = (word: "sell" | "auction") =>
        trade.collection.ready(word, a, { itemdata: terms, tkey });
      return { x, sends: [await ready("sell"), await ready("auction")] };
    },
    allowed: ["200, 409 2021: A on sale; ", "409 2021, 200: A open; "],
  },
];

/** Who holds an item and in which state, such as `A bid by D`. */
async function situation(x: string): Promise<string> {
  const item = await trade.record(x);
  const names = new Map(Object.entries({ O: o, A: a, B: b, D: d }).map(([n, h]) => [h.address, n]));
  if (item.melting_date > 0) {
    return "melted";
  }
  const listed = item.auction_date > 0 ? "open" : "idle";
  const state = item.sell_date > 0 ? "on sale" : listed;
  const bidder = item.auction_current_bidder;
  return `${names.get(item.holder)} ${bidder === "" ? state : `bid by ${names.get(bidder)}`}`;
}

for (const { name, start, allowed } of RACES) {
  test(`mrc401 ${name} at the same time: ${allowed.join(", or ")}`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { x, sends } = await start();
      let answers: readonly string[] = [];
      const moved = await trade.outcome(async () => {
        const sent = await sendAtOnce(sends, round);
        answers = sent.map(saidCode);
        return sent.find(({ status }) => status === 200) ?? (sent[0] as Answered);
      });
      const paid = moved.replace(/^200(: )?/, "");
      const result = `${answers.join(", ")}: ${await situation(x)}; ${paid}`;
      assert.ok(allowed.includes(result), result);
    }
  });
}

test("mrc401 §12: with coins for one item, of two bought at once one is 5000", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const e = await trade.newcomer("e", 300n);
    const ids = [await onSale(), await onSale()];
    const sends = await Promise.all(ids.map((x) => buying(e, x)));
    const answers = (await Promise.all(sends.map((send) => send()))).map(saidCode);
    assert.deepEqual(answers.toSorted(), ["200", "400 5000"]);
    assert.equal(await trade.collection.held(e), "0");
    const owners = await Promise.all(ids.map(async (x) => (await trade.record(x)).owner));
    assert.deepEqual(
      owners,
      answers.map((answer) => (answer === "200" ? e.address : a.address)),
    );
  }
});

test("mrc401 §10: of two sales at once that share an item one is done whole, the other not at all: 7108", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, shared, two] = [await idle(), await idle(), await idle()];
    const sends = [await selling(one, shared), await selling(shared, two)];
    const answers = (await Promise.all(sends.map((send) => send()))).map(saidCode);
    assert.deepEqual(answers.toSorted(), ["200", "409 7108"]);
    const [first, both, second] = await Promise.all([one, shared, two].map(situation));
    const isFirst = answers[0] === "200";
    assert.deepEqual(
      [first, both, second],
      [isFirst ? "A on sale" : "A idle", "A on sale", isFirst ? "A idle" : "A on sale"],
    );
  }
});

test("mrc401 §18 row 50: of 20 buyers at once one gets X, the others 7106", async () => {
  const x = await onSale();
  const buyers = await Promise.all(Array.from({ length: 20 }, () => trade.collection.holder(300n)));
  const sends = await Promise.all(buyers.map((buyer) => buying(buyer, x)));
  const answers: string[] = [];
  const outcome = await trade.outcome(async () => {
    const sent = await Promise.all(sends.map((send) => send()));
    answers.push(...sent.map(saidCode));
    return sent.find(({ status }) => status === 200) as Answered;
  });
  assert.equal(outcome, `200: ${SOLD}`);
  assert.deepEqual(answers.toSorted(), ["200", ...Array(19).fill("409 7106")]);
  const winner = buyers[answers.indexOf("200")];
  assert.equal((await trade.record(x)).owner, winner?.address);
  const held = await Promise.all(buyers.map((buyer) => trade.collection.held(buyer)));
  assert.deepEqual(
    held,
    answers.map((answer) => (answer === "200" ? "0" : "300")),
  );
});

test("mrc401 §16: of 20 bids at once the highest leads at the end, and everybody else has its coins back", async () => {
  const x = await open();
  const bidders = await Promise.all(
    Array.from({ length: 20 }, () => trade.collection.holder(300n)),
  );
  const sends = await Promise.all(bidders.map((by, n) => bidding(by, x, String(100 + 5 * n))));
  const sent = await Promise.all(sends.toReversed().map((send) => send()));
  const answers = new Set(sent.map(saidCode));
  assert.deepEqual([...answers.difference(new Set(["200", "400 3004"]))], []);
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +19, a +176");
  const held = await Promise.all(bidders.map((bidder) => trade.collection.held(bidder)));
  assert.deepEqual(held, [...Array(19).fill("300"), "105"]);
});

test("conventions §5.3: the same buy ten times at once is done once, and answered alike", async () => {
  const send = await buying(b, await onSale());
  const texts = new Set<string>();
  const outcome = await trade.outcome(async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    for (const { text } of answers) {
      texts.add(text);
    }
    return answers[0] as Answered;
  });
  assert.equal(outcome, `200: ${SOLD}, b -300`);
  assert.equal(texts.size, 1);
});
