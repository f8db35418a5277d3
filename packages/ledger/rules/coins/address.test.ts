import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  ADDRESS_MIDDLE_LENGTH,
  type Address,
  addressAround,
  canonicalJson,
  littleEndianBase62,
  publicKeyText,
} from "@moneta/protocol";
import { T, TEST_KEY, TestLedger } from "../../testing/test-ledger.ts";

const PEM = publicKeyText(TEST_KEY);

for (const { sent, addinfo, signed } of [
  { sent: {}, addinfo: "", signed: undefined },
  { sent: { addinfo: "hello" }, addinfo: "hello", signed: undefined },
  { sent: { addinfo: "é".repeat(2049) }, addinfo: "é".repeat(2048), signed: undefined },
  { sent: { signed: "full" }, addinfo: "", signed: "full" },
] as const) {
  test(`accounts §4: the record of an address with ${JSON.stringify(sent).slice(0, 40)}`, async () => {
    using ledger = await TestLedger.begin();
    ledger.now = T + 5;
    const created = ledger.drawAddress();
    const [id] = await ledger.done(ledger.addressOperation(created, sent));
    assert.deepEqual(ledger.record(id as string), {
      type: "NewWallet",
      address: created,
      token: 0,
      parameters: [created, PEM, addinfo],
      values: {
        addinfo,
        balance: [{ token: "0", balance: "0", unlockdate: 0 }],
        password: PEM,
        regdate: T + 5,
        ...(signed === undefined ? {} : { signed }),
      },
      effects: [],
    });
    ledger.restart();
    assert.deepEqual(ledger.ledger.state.address(created), {
      address: created,
      number: 1,
      publickey: TEST_KEY,
      addinfo,
      createdate: T + 5,
      signed: signed ?? "",
      transactionNumber: 3,
    });
  });
}

test("accounts §3.3: an address has a number: how many were made before it, also within a block", async () => {
  using ledger = await TestLedger.begin();
  const created = [...(await ledger.createAddresses(3)), ...(await ledger.createAddresses(2))];
  const numbers = created.map((address) => ledger.ledger.state.address(address)?.number);
  assert.deepEqual(numbers, [1, 2, 3, 4, 5]);
});

test("accounts §4: a new address has no balance entry", async () => {
  using ledger = await TestLedger.begin();
  const [created] = (await ledger.createAddresses(1)) as [Address];
  assert.equal(ledger.held(created), "0");
  assert.equal(ledger.database.prepare("SELECT count(*) AS rows FROM balance").get()?.["rows"], 1);
});

test("accounts §3.2, §4 row 2: one key has any number of addresses, however it was sent", async () => {
  using ledger = await TestLedger.begin();
  const forms = [PEM, PEM.replaceAll("\n", "\r\n"), PEM.replaceAll("\n", "\\n"), TEST_KEY];
  const created = forms.map(() => ledger.drawAddress());
  await ledger.done(
    ...forms.map((publickey, index) =>
      ledger.addressOperation(created[index] as Address, { publickey }),
    ),
  );
  const all = [ledger.treasury, ...created];
  const { addresses } = ledger.reader;
  ledger.reading(() => {
    assert.deepEqual(addresses.withKey(TEST_KEY, -1, 1000).addresses, all);
    assert.deepEqual(addresses.withKey(TEST_KEY, -1, 2).addresses, all.slice(0, 2));
    assert.deepEqual(addresses.withKey(TEST_KEY, 1, 1000).addresses, all.slice(2));
    assert.deepEqual(addresses.withKey(TEST_KEY, 4, 1000).addresses, []);
    assert.deepEqual(addresses.withKey("another", -1, 1000).addresses, []);
  });
});

test("accounts §4 row 8: the same decided address again is the first one's answer, without a block", async () => {
  using ledger = await TestLedger.begin();
  const text = canonicalJson(["address", TEST_KEY, "hello", "", "key-1"]);
  const digest = createHash("sha256").update(text).digest();
  const created = addressAround(littleEndianBase62(digest, ADDRESS_MIDDLE_LENGTH));
  assert.equal(created, "MT2YyT9pX3MtYpLmKuLBg5SlK4480aQg5ab5089f");

  const operation = ledger.addressOperation(created, { publickey: PEM, addinfo: "hello" });
  const first = await ledger.execute(operation, operation);
  const [done, sameBlock] = first.outcomes;
  assert(done?.kind === "done");
  assert.deepEqual(sameBlock, { kind: "repeat", transactionIds: done.transactionIds });
  assert.equal(ledger.newestBlock.header.count, 1);

  ledger.now += 1_000_000;
  for (const restarts of [false, true]) {
    if (restarts) {
      ledger.restart();
    }
    const other = ledger.addressOperation(created, { publickey: TEST_KEY, addinfo: "hello" });
    const { outcomes, height } = await ledger.execute(other);
    assert.deepEqual(outcomes, [{ kind: "repeat", transactionIds: done.transactionIds }]);
    assert.equal(height, first.height);
  }
});
