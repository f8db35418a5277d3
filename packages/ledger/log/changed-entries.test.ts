import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { openScratch } from "../database.ts";
import { sha256 } from "../sha256.ts";
import { TestClient } from "../testing/test-client.ts";
import { TestLedger } from "../testing/test-ledger.ts";
import { createProject } from "../testing/trade/creations.ts";
import { ChangedEntries, changedHash } from "./changed-entries.ts";

/** Compares the kept hashes with the entries, and returns the heights of the kept blocks. */
function keptHeights(ledger: TestLedger): readonly number[] {
  return ledger.reading(() => {
    const kept = [...ledger.reader.changedEntries.after(-1)];
    for (const [key, value] of new Map(kept.flatMap(({ changes }) => changes))) {
      const text = ledger.reader.state.entryText(key);
      assert.equal(hex(changedHash(value)), text && sha256.hex(text), key);
    }
    assert.ok(kept.every(({ changes }) => changes.some(([key]) => key.startsWith("balance/"))));
    return kept.map(({ height }) => height);
  });
}

test("proofs §2: changes of blocks are kept for the state tree and deleted a few rows per block", async () => {
  using ledger = await TestLedger.begin();
  const [alice] = (await ledger.createAddresses(1)) as [Address];
  const pay = (): Promise<unknown> =>
    ledger.done(ledger.transfer({ from: ledger.treasury, to: alice, amount: "1" }));
  await pay();
  assert.deepEqual(keptHeights(ledger), []);
  ledger.ledger.keepChanges(true);
  const first = ledger.ledger.head.height + 1;
  for (let count = 0; count < 6; count += 1) {
    await pay();
  }
  assert.deepEqual(
    keptHeights(ledger),
    [0, 1, 2, 3, 4, 5].map((more) => first + more),
  );
  ledger.ledger.noteInTree(first + 5);
  await pay();
  assert.deepEqual(
    keptHeights(ledger),
    [4, 5, 6].map((more) => first + more),
  );
  await pay();
  assert.deepEqual(
    keptHeights(ledger),
    [6, 7].map((more) => first + more),
  );
  ledger.ledger.keepChanges(true);
  await pay();
  assert.deepEqual(
    keptHeights(ledger),
    [8].map((more) => first + more - 2).concat(first + 7, first + 8),
  );
  ledger.ledger.keepChanges(false);
  await pay();
  assert.deepEqual(keptHeights(ledger), []);
});

test("proofs §2: if the tree is too far behind, all changes are dropped, and later ones are kept", () => {
  const database = openScratch(":memory:");
  ChangedEntries.create(database);
  const entries = new ChangedEntries(database, 20);
  entries.keep(true);
  const put = (height: number): readonly number[] => {
    entries.put(height, () => '"a":null');
    return [...entries.after(-1)].map((row) => row.height);
  };
  assert.deepEqual([put(0), put(1), put(2), put(3)], [[0], [0, 1], [], [3]]);
  // Also after a restart.
  const later = new ChangedEntries(database, 20);
  for (const height of [4, 5, 6]) {
    later.put(height, () => '"a":null');
  }
  assert.deepEqual([...later.after(-1)], []);
  database.close();
});

test("proofs §2: the text of a value is read as it was put, whatever is in it and in its key", () => {
  const database = openScratch(":memory:");
  ChangedEntries.create(database);
  const entries = new ChangedEntries(database);
  entries.keep(true);
  const values = [
    ['a":"\\', '{"b":"\\n\\":1,"}'],
    ["c", "1"],
    ["d", "null"],
  ] as const;
  entries.put(0, () => values.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join("\n"));
  entries.put(1, () => "");
  assert.deepEqual(
    [...entries.after(-1)].map(({ changes }) => changes),
    [values, []],
  );
  database.close();
});

test("proofs §2: a long value is kept as its hash, in a few bytes", async () => {
  using client = await TestClient.open();
  const { ledger } = client;
  ledger.ledger.keepChanges(true);
  const description = "x".repeat(4000);
  const project = await createProject(client, ledger.treasury, {}, { description });
  const changes = ledger.reading(() =>
    [...ledger.reader.changedEntries.after(-1)].flatMap((block) => block.changes),
  );
  const value = new Map(changes).get(`mrc400/${project}`);
  assert.match(value ?? "", /^"[0-9a-f]{64}"$/);
  const text = ledger.reading(() => ledger.reader.state.entryText(`mrc400/${project}`));
  assert.equal(hex(changedHash(value ?? "")), sha256.hex(text ?? ""));
});

function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString("hex");
}
