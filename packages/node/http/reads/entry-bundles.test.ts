import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LedgerReader } from "@moneta/ledger";
import { Refused } from "@moneta/protocol";
import { type ReadingPerTurn, readingPerTurn } from "../../reading-per-turn.ts";
import { START, TestNode, transactionIdOf } from "../../testing/test-node.ts";
import { EntryBundles } from "./entry-bundles.ts";

let node: TestNode;
let reader: LedgerReader;
let reading: ReadingPerTurn["reading"];
/** Transactions of the ledger, and their leaf texts. */
let size: number;
let expected: readonly string[];
before(async () => {
  node = await TestNode.start();
  const [a, b] = [await node.holder({ coins: 1000n }), await node.holder()];
  const payment = { address: b.address, amount: "0", unlockdate: "0", memo: "m".repeat(2048) };
  const list = Array.from({ length: 100 }, () => payment);
  for (let count = 0; count < 24; count += 1) {
    transactionIdOf(await node.post("/multitransfer", await node.multitransfer(a, list)));
  }
  reader = new LedgerReader(join(node.data, "ledger.db"));
  ({ reading } = readingPerTurn(
    reader,
    () => START,
    () => -1,
  ));
  size = reading().newest.header.size;
  assert.ok(size > 24);
  expected = reading().leafTexts(0, size);
});
after(async () => {
  await nextTurn();
  reader.dispose();
  await node[Symbol.asyncDispose]();
});

class Request {
  readonly client: () => string;
  readonly socket = { destroyed: false };
  pieces = 0;

  constructor(client = "a") {
    this.client = () => client;
  }

  readonly later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
    this.pieces += 1;
    await nextTurn();
    return part(reading());
  };
}

test("other requests are answered while leaf texts of large operations are made, and bundles are made one after the other", async () => {
  const bundles = new EntryBundles();
  const making = [
    bundles.leafTexts(0, size, new Request()),
    bundles.leafTexts(3, size - 1, new Request()),
  ] as const;
  let turns = 0;
  let turnsOfFirst = 0;
  let isMaking = true;
  void making[0].then(() => {
    turnsOfFirst = turns;
  });
  void Promise.allSettled(making).then(() => {
    isMaking = false;
  });
  while (isMaking) {
    await nextTurn();
    turns += 1;
  }
  assert.ok(turnsOfFirst >= 8, `${turnsOfFirst} turns for the first`);
  assert.ok(turns >= turnsOfFirst + 8, `${turns - turnsOfFirst} turns for the second`);
  assert.deepEqual(await making[0], expected);
  assert.deepEqual(await making[1], expected.slice(3, -1));
});

test("one bundle is made at a time, eight wait, more are 9002, as are more than four of one client", async () => {
  const bundles = new EntryBundles();
  const results = await Promise.all(
    [..."aaaaabbbbcdd"].map((client, index) =>
      bundles.leafTexts(index, index + 1, new Request(client)),
    ),
  );
  const codes = results.map((result) => (result instanceof Refused ? result.fault.code : "made"));
  const [made, refused] = [Array(4).fill("made"), "9002"];
  assert.deepEqual(codes, [...made, refused, ...made, "made", refused, refused]);
  assert.deepEqual(await bundles.leafTexts(0, 1, new Request()), expected.slice(0, 1));
});

test("one bundle is made for all who ask for it meanwhile", async () => {
  const bundles = new EntryBundles();
  const requests = Array.from({ length: 20 }, () => new Request());
  const results = await Promise.all(requests.map((each) => bundles.leafTexts(0, size, each)));
  for (const result of results) {
    assert.deepEqual(result, expected);
  }
  assert.deepEqual(
    requests.slice(1).map(({ pieces }) => pieces),
    Array(19).fill(0),
  );
  const again = new Request();
  await bundles.leafTexts(0, size, again);
  assert.ok(again.pieces > 0, "nothing is kept");
});

test("nothing more of a bundle is made once all its clients have disconnected", async () => {
  const bundles = new EntryBundles();
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => new Request()) as [
    Request,
    Request,
    Request,
    Request,
  ];
  const [broken, skipped, made, shared] = [
    bundles.leafTexts(0, size, first),
    bundles.leafTexts(1, size, second),
    bundles.leafTexts(2, size, third),
    bundles.leafTexts(2, size, fourth),
  ];
  while (first.pieces < 2) {
    await nextTurn();
  }
  for (const { socket } of [first, second, third]) {
    socket.destroyed = true;
  }
  assert.ok((await broken) instanceof Refused);
  assert.ok((await skipped) instanceof Refused);
  assert.ok(first.pieces <= 3, `${first.pieces} pieces`);
  assert.equal(second.pieces, 0);
  assert.deepEqual(await made, expected.slice(2), "another one still wants it");
  assert.deepEqual(await shared, expected.slice(2));
});
