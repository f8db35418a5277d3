import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { closeWhole, Ledger, LedgerReader, LocalLog, openScratch } from "@moneta/ledger";
import { addressAround, operationText } from "@moneta/protocol";
import { readingPerTurn } from "./reading-per-turn.ts";
import { newKey, publicPem, START, TestNode } from "./testing/test-node.ts";

test("conventions §2.3: the requests of a turn share a snapshot, but none has less than what was reported or shown before it", async () => {
  await using node = await TestNode.start();
  await node.stop();
  const file = join(node.data, "ledger.db");
  const database = openScratch(file);
  const ledger = new Ledger(database, new LocalLog(database));
  const reader = new LedgerReader(file);
  const publickey = publicPem(newKey());
  let made = 0;
  /** In this turn: nothing here waits for the event loop. */
  const addBlock = async (): Promise<void> => {
    made += 1;
    const address = addressAround(String(made).padStart(30, "0"));
    const operation = operationText({
      ...{ op: "address", actor: "", params: { publickey }, decided: { address } },
      signatures: {},
    });
    const { outcomes } = await ledger.execute([[operation]], START);
    assert.equal(outcomes[0]?.kind, "done");
  };

  let reported = ledger.head.height;
  const before = reported;
  const { reading, readingNewest, height } = readingPerTurn(
    reader,
    () => START,
    () => reported,
  );
  assert.equal(height(), before);
  assert.equal(reading().height, before);
  await addBlock();
  assert.equal(reading().height, before, "the snapshot of this turn");
  assert.equal(height(), before);
  reported += 1;
  assert.equal(height(), before + 1);
  assert.equal(reading().height, before + 1, "what was reported in the same turn");

  await addBlock();
  assert.equal(readingNewest().height, before + 2);
  assert.equal(height(), before + 2, "an answer may have it, although it is not reported yet");
  assert.equal(reading().height, before + 2);
  await nextTurn();
  assert.equal(reader.isOpen, false, "no snapshot outlives its turn");
  assert.equal(height(), before + 2);
  assert.equal(reading().height, before + 2);

  await nextTurn();
  reader.dispose();
  closeWhole(database);
});
