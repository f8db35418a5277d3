import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LedgerReader } from "@moneta/ledger";
import { readingPerTurn } from "../../reading-per-turn.ts";
import { START, TestNode, transactionIdOf } from "../../testing/test-node.ts";
import { EntryBundles } from "./entry-bundles.ts";

test("other requests are answered while leaf texts of large operations are made, and bundles are made one after the other", async () => {
  await using node = await TestNode.start();
  const [a, b] = [await node.holder({ coins: 1000n }), await node.holder()];
  const payment = { address: b.address, amount: "0", unlockdate: "0", memo: "m".repeat(2048) };
  const list = Array.from({ length: 100 }, () => payment);
  for (let count = 0; count < 24; count += 1) {
    transactionIdOf(await node.post("/multitransfer", await node.multitransfer(a, list)));
  }
  const reader = new LedgerReader(join(node.data, "ledger.db"));
  try {
    const { reading } = readingPerTurn(reader, () => START);
    const { size } = reading().newest.header;
    assert.ok(size > 24);
    const expected = reading().leafTexts(0, size);
    await nextTurn();

    const bundles = new EntryBundles(reading);
    const making = [bundles.leafTexts(0, size), bundles.leafTexts(3, size - 1)] as const;
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
  } finally {
    await nextTurn();
    reader.dispose();
  }
});
