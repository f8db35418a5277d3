import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import { closeWhole, type Database, openForReading, openForWriting } from "./database.ts";
import { damagedIndex, indexesOf } from "./index-check.ts";
import { byLane } from "./testing/lane.ts";
import { rowsOf, TestLedger } from "./testing/test-ledger.ts";

/** All that lookups by indexes can come to: their entries, in their order. */
function readings(database: Database): unknown[] {
  return indexesOf(database).map(({ name, table, columns, key, where }) =>
    database
      .prepare(
        `SELECT ${[...columns, ...key].join(", ")} FROM "${table}" INDEXED BY "${name}" ${where}`,
      )
      .all(),
  );
}

/**
 * What verify notices: a damaged index, a read that fails, or other rows than the blocks come to.
 */
function isNoticed(database: Database, rows: unknown): boolean {
  try {
    assert.deepEqual(rowsOf(database), rows);
    return damagedIndex(database, () => undefined) !== undefined;
  } catch {
    return true;
  }
}

test("every flipped bit of an index that a lookup could notice is noticed", async () => {
  using ledger = await TestLedger.begin({ supply: "1000000" });
  const addresses = await ledger.createAddresses(60);
  for (const to of addresses as Address[]) {
    await ledger.done(ledger.transfer({ from: ledger.treasury, to, amount: "5" }));
  }
  const rows = rowsOf(ledger.database);
  ledger.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const sound = readings(ledger.database);
  assert.ok(sound.length > 5);
  assert.equal(
    damagedIndex(ledger.database, () => undefined),
    undefined,
  );
  const bytes = readFileSync(ledger.file);
  // Bytes of index pages, without empty space.
  const places = [...bytes.keys()].filter(
    (at) => at >= 4096 && [2, 10].includes(bytes[at - (at % 4096)] as number) && bytes[at] !== 0,
  );
  const copy = `${ledger.file}.flipped`;
  closeWhole(openForWriting(copy));
  let noticed = 0;
  fc.assert(
    fc.property(fc.nat(places.length - 1), fc.nat(7), (place, bit) => {
      const flipped = Buffer.from(bytes);
      const at = places[place] as number;
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      writeFileSync(copy, flipped);
      const database = openForReading(copy);
      try {
        if (isNoticed(database, rows)) {
          noticed += 1;
        } else {
          assert.deepEqual(readings(database), sound);
        }
      } finally {
        database.close();
      }
    }),
    { numRuns: byLane({ quick: 50, long: 1500 }) },
  );
  assert.ok(noticed > 10, `only ${noticed} flips were noticed`);
});
