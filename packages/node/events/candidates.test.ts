import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LedgerReader, type PlacedTransaction } from "@moneta/ledger";
import { TestNode, transactionIdOf } from "../testing/test-node.ts";
import { FileProgress } from "../webhooks/file-progress.ts";
import { WebhookPosition } from "../webhooks/webhook-position.ts";
import { WebhookSender } from "../webhooks/webhook-sender.ts";
import { CHARACTERS_TOGETHER, candidates } from "./candidates.ts";
import { EventFeed } from "./event-feed.ts";
import { type EventFilter, RecordMatcher } from "./event-filter.ts";
import type { FromEvents } from "./events-messages.ts";
import { itemNames } from "./item-names.ts";
import { snapshotsOf } from "./read-snapshot.ts";

// A selective filter makes the service examine all transactions: few at a time, and few characters.

let node: TestNode;
let reader: LedgerReader;
let payer: string;
before(async () => {
  node = await TestNode.start();
  reader = new LedgerReader(join(node.data, "ledger.db"));
  const from = await node.holder({ coins: 1n });
  payer = from.address;
  const { address } = await node.holder();
  // The record repeats the list with twice the backslashes: 1.2 million characters each.
  const payment = { address, amount: "0", unlockdate: "0", memo: '"'.repeat(2048) };
  const list = Array.from({ length: 100 }, () => payment);
  for (let count = 0; count < 10; count += 1) {
    transactionIdOf(await node.post("/multitransfer", await node.multitransfer(from, list)));
  }
});
after(async () => {
  reader.dispose();
  await node[Symbol.asyncDispose]();
});

const NOTHING: EventFilter = { type: ["tokenBurning"] };

/** How many characters of records are read for a piece. */
function charactersOf(piece: readonly PlacedTransaction[]): number {
  return piece.reduce((sum, { record }) => sum + record.length, 0);
}

for (const by of ["nothing", "a type", "an address"] as const) {
  test(`chain §11: filtered by ${by}, the past is examined in pieces of 4 MiB of records, each record once`, () => {
    const filters = { nothing: {}, "a type": NOTHING, "an address": { address: [payer] } };
    const matcher = new RecordMatcher(filters[by]);
    const pieces: PlacedTransaction[][] = [];
    const size = snapshotsOf(reader)((ledger) => {
      for (let from = 0; from < ledger.size; ) {
        const { transactions, end } = candidates(ledger, matcher, { from, to: ledger.size });
        pieces.push([...transactions]);
        assert.ok(end() > from);
        from = end();
      }
      return ledger.size;
    });
    assert.ok(pieces.length > 2, `${pieces.length} pieces`);
    for (const piece of pieces) {
      assert.ok(charactersOf(piece.slice(0, -1)) < CHARACTERS_TOGETHER);
    }
    const numbers = pieces.flat().map(({ number }) => number);
    const all = Array.from({ length: size }, (_, number) => number);
    assert.deepEqual(
      by === "an address" ? numbers.slice(-10) : numbers,
      by === "an address" ? all.slice(-10) : all,
    );
  });
}

/** A reader of the ledger that notes what is read through it, in the newest of the pieces. */
function notingReader(pieces: PlacedTransaction[][]): LedgerReader {
  const noting = new LedgerReader(join(node.data, "ledger.db"));
  const transactionsFrom = noting.transactionsFrom.bind(noting);
  noting.transactionsFrom = function* (from, to) {
    for (const placed of transactionsFrom(from, to)) {
      pieces.at(-1)?.push(placed);
      yield placed;
    }
  };
  return noting;
}

/**
 * The pieces hold all transactions from 1 on, in their order, and none more than may be read at a
 * time.
 */
function assertBounded(pieces: readonly PlacedTransaction[][]): void {
  assert.ok(pieces.length > 3, `${pieces.length} pieces`);
  for (const piece of pieces) {
    assert.ok(charactersOf(piece.slice(0, -1)) < CHARACTERS_TOGETHER);
  }
  const count = snapshotsOf(reader)(({ size }) => size) - 1;
  assert.deepEqual(
    pieces.flat().map(({ number }) => number),
    Array.from({ length: count }, (_, index) => index + 1),
  );
}

test("chain §11: new records are examined in turns of 4 MiB, however few match a stream", () => {
  const turns: PlacedTransaction[][] = [];
  const noting = notingReader(turns);
  try {
    const posted: FromEvents[] = [];
    let size = 1;
    const feed = new EventFeed({
      readSnapshot: (read) =>
        snapshotsOf(noting)((ledger) =>
          read(Object.create(ledger, { size: { get: () => Math.min(size, ledger.size) } })),
        ),
      namesOf: itemNames(noting),
      post: (message) => posted.push(message),
      schedule: () => undefined,
      heightAfterMs: 15_000,
    });
    feed.open(1, NOTHING, 1);
    feed.turn();
    // The stream is live before all the rest is read.
    size = Number.MAX_SAFE_INTEGER;
    do {
      turns.push([]);
      feed.turn();
    } while (turns.at(-1)?.length !== 0);
    assertBounded(turns);
    assert.deepEqual(posted, []);
  } finally {
    noting.dispose();
  }
});

test("records are examined for a webhook in pieces of 4 MiB, however few match it", async () => {
  const looks: PlacedTransaction[][] = [];
  const noting = notingReader(looks);
  const file = join(node.data, "webhook.json");
  const sender = new WebhookSender(
    {
      name: "receiver",
      url: "http://127.0.0.1:1/",
      keys: [],
      filter: NOTHING,
      from: undefined,
      isInOrder: false,
    },
    {
      progress: new FileProgress(new WebhookPosition(file), {
        ...{ position: 1, url: "http://127.0.0.1:1/", onFailure: assert.fail },
      }),
      readSnapshot(read) {
        looks.push([]);
        return snapshotsOf(noting)(read);
      },
      namesOf: itemNames(noting),
      retryMs: 1,
      onNews: () => assert.fail("nothing is delivered"),
      onFailure: assert.fail,
      onLeft: assert.fail,
    },
  );
  const run = sender.run();
  try {
    // It keeps its position once it has come to the end of the ledger.
    const newest = snapshotsOf(reader)((ledger) => ledger.transactionIdOf(ledger.size - 1));
    while (!existsSync(file) || !readFileSync(file, "utf8").includes(`"${newest}"`)) {
      await nextTurn();
    }
    assertBounded(looks);
  } finally {
    sender.end();
    await run;
    noting.dispose();
  }
});
