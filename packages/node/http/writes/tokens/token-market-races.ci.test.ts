import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../../../testing/requests/market.ts";
import { type Race, testRaces } from "../../../testing/requests/races.ts";
import { type KeyHolder, saidCode } from "../../../testing/test-node.ts";

// What happens when several want the same at the same time: one gets it, the others are told why not, and nothing is lost.

const DAY = 86_400;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

async function assertHeld(...expected: readonly (readonly [KeyHolder, string])[]): Promise<void> {
  for (const [holder, held] of expected) {
    assert.equal(await market.held(holder), held);
  }
}

async function sale(): Promise<Parties & { dexid: string }> {
  const parties = await market.parties();
  return { ...parties, dexid: await market.list("sell", parties.s, market.listing1(parties)) };
}

async function purchase(): Promise<Parties & { dexid: string }> {
  const parties = await market.parties();
  return { ...parties, dexid: await market.list("reqsell", parties.b, market.listing1(parties)) };
}

async function auction(): Promise<Parties & { dexid: string; b2: KeyHolder; end: number }> {
  const parties = await market.parties({ gold: 50n });
  const b2 = await market.holder({ coins: 1000n });
  const dexid = await market.list("auction", parties.s, market.listing3(parties));
  return { ...parties, b2, dexid, end: market.node.now + DAY };
}

const RACES: readonly Race[] = [
  {
    name: "two buyers of the last unit",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { s, b, dexid } = await sale();
      const b2 = await market.holder({ coins: 1000n });
      await market.send("buy", b2, { dexid, amount: "990" });
      const sends = [
        await market.ready("buy", b, { dexid, amount: "10" }),
        await market.ready("buy", b2, { dexid, amount: "10" }),
      ] as const;
      return {
        sends,
        async holds([first]) {
          const [won, lost] = ["997 coins, 10 gold", "1000 coins, 0 gold"];
          await assertHeld([b, first === "200" ? won : lost], [s, "293 coins, 0 gold"]);
        },
      };
    },
  },
  {
    name: "two buys of 500 while 600 remain",
    answers: [
      ["200", "400 3004"],
      ["400 3004", "200"],
    ],
    async start() {
      const { b, dexid } = await sale();
      await market.send("buy", b, { dexid, amount: "400" });
      const sends = [
        await market.ready("buy", b, { dexid, amount: "500" }),
        await market.ready("buy", b, { dexid, amount: "500" }),
      ] as const;
      return { sends, holds: () => assertHeld([b, "730 coins, 900 gold"]) };
    },
  },
  {
    name: "buy of all and unsell",
    answers: [
      ["200", "409 7102"],
      ["409 7101", "200"],
    ],
    async start() {
      const { s, b, dexid } = await sale();
      const sends = [
        await market.ready("buy", b, { dexid, amount: "1000" }),
        await market.ready("unsell", s, { dexid }),
      ] as const;
      return {
        sends,
        holds: ([bought]) =>
          bought === "200"
            ? assertHeld([b, "700 coins, 1000 gold"], [s, "293 coins, 0 gold"])
            : assertHeld([b, "1000 coins, 0 gold"], [s, "0 coins, 1000 gold"]),
      };
    },
  },
  {
    name: "two unsells",
    answers: [
      ["200", "409 7101"],
      ["409 7101", "200"],
    ],
    async start() {
      const { s, dexid } = await sale();
      const sends = [
        await market.ready("unsell", s, { dexid }),
        await market.ready("unsell", s, { dexid }),
      ] as const;
      return { sends, holds: () => assertHeld([s, "0 coins, 1000 gold"]) };
    },
  },
  {
    name: "acceptreqsell of all and unreqsell",
    answers: [
      ["200", "409 7102"],
      ["409 7101", "200"],
    ],
    async start() {
      const { s, b, dexid } = await purchase();
      const sends = [
        await market.ready("acceptreqsell", s, { dexid, amount: "1000" }),
        await market.ready("unreqsell", b, { dexid }),
      ] as const;
      return {
        sends,
        holds: ([accepted]) =>
          accepted === "200"
            ? assertHeld([b, "693 coins, 1000 gold"], [s, "300 coins, 0 gold"])
            : assertHeld([b, "1000 coins, 0 gold"], [s, "0 coins, 1000 gold"]),
      };
    },
  },
  {
    name: "two bids of the same amount",
    answers: [
      ["200", "400 3004"],
      ["400 3004", "200"],
    ],
    async start() {
      const { b, b2, dexid } = await auction();
      const sends = [
        await market.ready("bid", b, { dexid, amount: "100" }),
        await market.ready("bid", b2, { dexid, amount: "100" }),
      ] as const;
      return {
        sends,
        holds: ([first]) =>
          assertHeld(
            [b, first === "200" ? "900 coins, 0 gold" : "1000 coins, 0 gold"],
            [b2, first === "200" ? "1000 coins, 0 gold" : "900 coins, 0 gold"],
          ),
      };
    },
  },
  {
    name: "two bids of the buy-now price",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { s, b, b2, dexid } = await auction();
      const sends = [
        await market.ready("bid", b, { dexid, amount: "500" }),
        await market.ready("bid", b2, { dexid, amount: "500" }),
      ] as const;
      return { sends, holds: () => assertHeld([s, "495 coins, 0 gold"]) };
    },
  },
  {
    name: "bid and unauction",
    answers: [
      ["200", "409 7104"],
      ["409 7101", "200"],
    ],
    async start() {
      const { s, b, dexid } = await auction();
      const sends = [
        await market.ready("bid", b, { dexid, amount: "100" }),
        await market.ready("unauction", s, { dexid }),
      ] as const;
      return {
        sends,
        holds: ([bid]) =>
          bid === "200"
            ? assertHeld([b, "900 coins, 0 gold"], [s, "0 coins, 0 gold"])
            : assertHeld([b, "1000 coins, 0 gold"], [s, "0 coins, 50 gold"]),
      };
    },
  },
  {
    name: "bid and auctionfinish at the end",
    answers: [
      ["409 7202", "200"],
      ["409 7102", "200"],
    ],
    async start() {
      const { s, b, b2, dexid, end } = await auction();
      await market.send("bid", b, { dexid, amount: "100" });
      market.node.now = end;
      const sends = [
        await market.ready("bid", b2, { dexid, amount: "105" }),
        () => market.finish(dexid),
      ] as const;
      const holds = (): Promise<void> =>
        assertHeld([s, "99 coins, 0 gold"], [b, "900 coins, 50 gold"], [b2, "1000 coins, 0 gold"]);
      return { sends, holds };
    },
  },
  {
    name: "a bid that wins and auctionfinish in the last second",
    answers: [
      ["200", "409 7201"],
      ["200", "409 7102"],
    ],
    async start() {
      const { s, b, dexid, end } = await auction();
      market.node.now = end - 1;
      const sends = [
        await market.ready("bid", b, { dexid, amount: "500" }),
        () => market.finish(dexid),
      ] as const;
      return {
        sends,
        holds: () => assertHeld([s, "495 coins, 0 gold"], [b, "500 coins, 50 gold"]),
      };
    },
  },
  {
    name: "auctionfinish by GET and by POST",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { s, b, dexid, end } = await auction();
      await market.send("bid", b, { dexid, amount: "105" });
      market.node.now = end;
      const sends = [
        () => market.finish(dexid, "GET"),
        () => market.finish(dexid, "POST"),
      ] as const;
      return {
        sends,
        holds: () => assertHeld([s, "104 coins, 0 gold"], [b, "895 coins, 50 gold"]),
      };
    },
  },
  {
    name: "two sales of 600 by who has 1000",
    answers: [
      ["200", "400 5000"],
      ["400 5000", "200"],
    ],
    async start() {
      const parties = await market.parties();
      const params = market.listing1(parties, { amount: "600" });
      const sends = [
        await market.ready("sell", parties.s, params),
        await market.ready("sell", parties.s, params),
      ] as const;
      return { sends, holds: () => assertHeld([parties.s, "0 coins, 400 gold"]) };
    },
  },
  {
    name: "a sale and an auction with one temporary key",
    answers: [
      ["200", "409 2021"],
      ["409 2021", "200"],
    ],
    async start() {
      const parties = await market.parties();
      const tkey = await market.node.key(parties.s);
      const sends = [
        await market.ready("sell", parties.s, market.listing1(parties, { tkey, amount: "50" })),
        await market.ready("auction", parties.s, market.listing3(parties, { tkey })),
      ] as const;
      return { sends, holds: () => assertHeld([parties.s, "0 coins, 950 gold"]) };
    },
  },
];

testRaces("tokens §8", RACES, { rounds: 6, said: saidCode });

test("conventions §5.3: the same buy ten times at once is done once, and answered alike", async () => {
  const { b, dexid } = await sale();
  const send = await market.ready("buy", b, { dexid, amount: "100" });
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  assert.deepEqual(new Set(answers.map(saidCode)), new Set(["200"]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(await market.held(b), "970 coins, 100 gold");
});

test("tokens §8: of 30 buyers at once of 100 parts of a tenth, ten get one, the others 7102", async () => {
  const { s, p, dexid } = await sale();
  const buyers = await Promise.all(
    Array.from({ length: 30 }, () => market.holder({ coins: 100n })),
  );
  const sends = await Promise.all(
    buyers.map((b) => market.ready("buy", b, { dexid, amount: "100" })),
  );
  const answers = (await Promise.all(sends.map((send) => send()))).map(saidCode);
  assert.deepEqual(
    answers.toSorted(),
    Array.from({ length: 30 }, (_, index) => (index < 10 ? "200" : "409 7102")),
  );
  for (const [index, buyer] of buyers.entries()) {
    const won = answers[index] === "200";
    assert.equal(await market.held(buyer), won ? "70 coins, 100 gold" : "100 coins, 0 gold");
  }
  assert.equal(await market.held(s), "300 coins, 0 gold");
  assert.equal(await market.held(p), "0 coins, 0 gold");
});

test("tokens §12: of 20 bids at once the highest leads at the end, and everybody else has its coins back", async () => {
  const { s, p, dexid, end } = await auction();
  const bidders = await Promise.all(
    Array.from({ length: 20 }, () => market.holder({ coins: 1000n })),
  );
  const sends = await Promise.all(
    bidders.map((bidder, index) =>
      market.ready("bid", bidder, { dexid, amount: String(100 + 5 * index) }),
    ),
  );
  const answers = (await Promise.all(sends.toReversed().map((send) => send()))).map(saidCode);
  assert.ok(
    answers.every((answer) => ["200", "400 3004"].includes(answer)),
    answers.join(),
  );
  market.node.now = end;
  assert.equal(saidCode(await market.finish(dexid)), "200");
  const held = await Promise.all(bidders.map((bidder) => market.held(bidder)));
  const expected = bidders.map((_, i) => (i === 19 ? "805 coins, 50 gold" : "1000 coins, 0 gold"));
  assert.deepEqual(held, expected);
  assert.equal(await market.held(s), "194 coins, 0 gold");
  assert.equal(await market.held(p), "1 coins, 0 gold");
});
