import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestLedger } from "./testing/test-ledger.ts";

for (const { what, damage, repair } of [
  {
    what: "the height of the newest block",
    damage: "ALTER TABLE block RENAME TO away",
    repair: "ALTER TABLE away RENAME TO block",
  },
  {
    what: "the newest block itself",
    damage:
      "UPDATE block SET header = '!' || header WHERE height = (SELECT max(height) FROM block)",
    repair: "UPDATE block SET header = substr(header, 2) WHERE header LIKE '!%'",
  },
]) {
  test(`a reader that fails to read ${what} sees nothing, keeps no old snapshot, and sees the newest block once it can`, async () => {
    using ledger = await TestLedger.begin();
    const [b] = (await ledger.createAddresses(1)) as [Address];
    const { reader, database } = ledger;
    ledger.reading(() => undefined);
    await ledger.done(ledger.transfer({ from: ledger.treasury, to: b, amount: "10" }));
    database.exec(damage);
    for (const _ of [1, 2]) {
      assert.throws(() => reader.open(ledger.now));
      assert.equal(reader.isOpen, false);
    }
    database.exec(repair);
    await ledger.done(ledger.transfer({ from: ledger.treasury, to: b, amount: "10" }));
    reader.open(ledger.now);
    const { height } = ledger.ledger.head;
    assert.equal(reader.newest.header.sn, height);
    assert.equal(reader.height, height);
    reader.close();
    // A snapshot that a reader holds would keep part of the log of changes from being copied.
    assert.deepEqual(
      { ...database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() },
      { busy: 0, log: 0, checkpointed: 0 },
    );
  });
}
