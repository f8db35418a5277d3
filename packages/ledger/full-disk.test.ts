import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, NATIVE_COIN } from "@moneta/protocol";
import { StorageFailure, storageFailure } from "./database.ts";
import { replay, rowsOf, TestLedger } from "./testing/test-ledger.ts";

/** Lets the database grow by so many pages only, as if the disk were full then. */
function leaveSpaceFor(ledger: TestLedger, pages: number): void {
  const count = ledger.database.prepare("PRAGMA page_count").get()?.["page_count"] as number;
  ledger.database.exec(`PRAGMA max_page_count = ${count + pages}`);
}

function liftLimit(ledger: TestLedger): void {
  ledger.database.exec("PRAGMA max_page_count = 1073741823");
}

for (const pages of [0, 1, 2, 5, 20]) {
  test(`conventions §2.6: with ${pages} pages left nothing has happened, and with more the same operations succeed`, async () => {
    using ledger = await TestLedger.begin({ supply: "1000000" });
    using untroubled = await TestLedger.begin({ supply: "1000000" });
    const a = ledger.treasury;
    const [b] = (await ledger.createAddresses(1)) as [Address];
    await untroubled.createAddresses(1);
    const created = ledger.drawAddress();
    const operations = [
      ledger.transfer({ from: a, to: b, amount: "10" }),
      ledger.addressOperation(created, { addinfo: "x".repeat(2048) }),
      ...Array.from({ length: 60 }, () =>
        ledger.transfer({ from: a, to: created, amount: "3", memo: "y".repeat(2048) }),
      ),
    ];
    const { head } = ledger.ledger;
    const rows = rowsOf(ledger.database);

    leaveSpaceFor(ledger, pages);
    for (const _ of [1, 2]) {
      await assert.rejects(ledger.execute(...operations), StorageFailure);
      assert.equal(ledger.ledger.head, head);
      assert.deepEqual(rowsOf(ledger.database), rows);
      assert.equal(ledger.newestBlock.id, head.id);
      assert.deepEqual([ledger.held(a), ledger.held(b)], ["1000000", "0"]);
      const { state } = ledger.ledger;
      assert.equal(state.address(created), undefined);
      assert.equal(state.count("address"), 2);
      assert.equal(state.balances.spendable(a, NATIVE_COIN), 1000000n);
    }

    liftLimit(ledger);
    await ledger.done(...operations);
    await untroubled.done(...operations);
    assert.equal(ledger.ledger.head.id, untroubled.ledger.head.id);
    assert.equal(replay(ledger.blocks).ledger.head.id, ledger.ledger.head.id);
  });
}

test("after a failure the ledger can be opened again as it was", async () => {
  using ledger = await TestLedger.begin();
  const { head } = ledger.ledger;
  const created = Array.from({ length: 100 }, () =>
    ledger.addressOperation(ledger.drawAddress(), { addinfo: "x".repeat(2048) }),
  );
  leaveSpaceFor(ledger, 3);
  await assert.rejects(ledger.execute(...created), StorageFailure);
  ledger.restart();
  assert.equal(ledger.ledger.head.id, head.id);
  await ledger.done(...created);
});

test("what is no failure of the machine is passed on as it is", async () => {
  using ledger = await TestLedger.begin();
  await assert.rejects(ledger.execute("{"), SyntaxError);
  assert.equal(storageFailure(new Error("a bug")), undefined);
  const { head } = ledger.ledger;
  await ledger.createAddresses(1);
  assert.equal(ledger.ledger.head.height, head.height + 1);
});
