import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { canonicalJson, explain, operationText, protocol } from "@moneta/protocol";
import { sha256 } from "../../sha256.ts";
import { PROTOCOL } from "../../state/entries.ts";
import { operationOf, replay, TestLedger } from "../../testing/test-ledger.ts";

let ledger: TestLedger;
before(async () => {
  ledger = await TestLedger.begin({ hasOperator: true });
});
after(() => ledger[Symbol.dispose]());

function next(): number {
  return ledger.ledger.head.height + 1;
}

test("chain §8: the operator is who block 0 says, and has an address of its own there", () => {
  assert.deepEqual(
    ledger.blocks[0]?.operations.map((text) => JSON.parse(text).op),
    ["protocol", "address", "address", "coin"],
  );
  const { params } = JSON.parse(ledger.blocks[0]?.operations[0] as string);
  assert.equal(params.operator, ledger.operator);
  assert.notEqual(ledger.operator, ledger.treasury);
});

test("chain §7.2: an announcement is in the state, in the changes and in the record as it was made", async () => {
  const [id = ""] = await ledger.done(
    ledger.announcement({ version: "2", height: "300", note: "fees are rounded up" }),
  );
  assert.deepEqual(ledger.record(id), {
    type: "Chaincode Install or Update",
    address: ledger.operator,
    token: 0,
    parameters: ["2", "300", "fees are rounded up"],
    values: {},
    effects: [],
  });
  const value = {
    ...{ version: 1, next: 2, height: 300, note: "fees are rounded up" },
    ...{ operator: ledger.operator, auctionMin: 3600, auctionMax: 1_814_400 },
    // Block 1 is the first whose state has the id of block 0.
    ledgerId: ledger.id,
  };
  const changes = sha256.hex(canonicalJson({ protocol: value }));
  assert.equal(ledger.newestBlock.header.changes, changes);
});

test("chain §7.2: a later announcement before that height replaces it", async () => {
  await ledger.done(ledger.announcement({ version: "2", height: "400", note: "later" }));
  const entry = ledger.ledger.state.find(PROTOCOL, "");
  assert.deepEqual([entry?.version, entry?.next, entry?.height, entry?.note], [1, 2, 400, "later"]);
});

/** Takes the place of what a test has announced, before a block with unknown rules. */
function replacement(): string {
  return ledger.announcement({ version: "2", height: String(next() + 1000) });
}

const HUGE = `1${"0".repeat(40)}`;

for (const { what, version = "2", height, ahead = 300, answer } of [
  { what: "the version in force", version: "1", answer: "3005 version" },
  { what: "the version after the next", version: "3", answer: "3005 version" },
  { what: "version 0", version: "0", answer: "3005 version" },
  { what: "a huge version", version: HUGE, answer: "3005 version" },
  { what: "the newest block", ahead: 0, answer: "3005 height" },
  { what: "the block that it would be in", ahead: 1, answer: "3005 height" },
  { what: "the block behind that", ahead: 2, answer: "done" },
  { what: "the newest block + 10000000", ahead: 10_000_000, answer: "done" },
  { what: "the newest block + 10000001", ahead: 10_000_001, answer: "3005 height" },
  { what: "block 0", height: "0", answer: "3005 height" },
  { what: "a huge height", height: HUGE, answer: "3005 height" },
]) {
  test(`chain §7.2: announced for ${what}: ${answer}`, async () => {
    const at = height ?? String(ledger.ledger.head.height + ahead);
    const operation = ledger.announcement({ version, height: at });
    const given =
      answer === "done"
        ? (await ledger.outcomes(operation, replacement()))[0]
        : await ledger.refusal(operation);
    assert.equal(given, answer);
  });
}

test("chain §7.2: a refusal says which version and which heights can be announced", async () => {
  const { outcomes } = await ledger.execute(
    ledger.announcement({ version: "3", height: "500" }),
    ledger.announcement({ version: "2", height: "0" }),
  );
  const [version = "", height = ""] = outcomes.map((outcome) =>
    outcome.kind === "refused" ? explain(outcome.fault).detail : outcome.kind,
  );
  assert.match(version, /must be 2: version 1 is in force/);
  const last = ledger.ledger.head.height + 10_000_000;
  assert.match(height, new RegExp(`must be from ${next() + 1}, .* to ${last}`));
});

test("chain §7.2: height and version are checked before the key, and a key of another address is 2020", async () => {
  const tkey = ledger.key(ledger.treasury);
  const far = { version: "2", height: "20000000" };
  assert.equal(await ledger.refusal(ledger.announcement({ ...far, tkey })), "3005 height");
  const right = { version: "2", height: "500" };
  assert.equal(await ledger.refusal(ledger.announcement({ ...right, tkey })), "2020 tkey");
});

test("chain §7.2: several announcements in one block: the last one holds", async () => {
  await ledger.done(
    ledger.announcement({ version: "2", height: "600" }),
    ledger.announcement({ version: "2", height: "700", note: "last" }),
  );
  assert.equal(ledger.ledger.state.find(PROTOCOL, "")?.height, 700);
});

test("conventions §5.3: an announcement that is sent again is answered as the first time, though it would be refused by now", async () => {
  const operation = ledger.announcement({ version: "2", height: String(next() + 1) });
  const [first] = await ledger.done(operation, replacement());
  const { outcomes } = await ledger.execute(operation);
  assert.deepEqual(outcomes, [{ kind: "repeat", transactionIds: [first] }]);
});

test("chain §7.2: on a ledger without an operator rules cannot be announced", async () => {
  using none = await TestLedger.begin();
  const key = none.key(none.treasury);
  const params = { version: "2", height: "300", note: "x", tkey: key, signed: "full" };
  const operation = operationOf(protocol, { ...params, signature: "MEQ=" }, none.treasury);
  assert.equal(await none.refusal(operation), "9404");
});

test("chain §6: announcements replay, and one that the rules refuse makes its block invalid", async () => {
  const { blocks } = ledger;
  const replayed = replay(blocks);
  assert.deepEqual(replayed.ledger.head, ledger.ledger.head);
  const announced = blocks.findIndex(({ operations }) => operations[0]?.includes('"height":"400"'));
  const forged = blocks.slice(0, announced + 1).map((block, height) => {
    if (height !== announced) {
      return block;
    }
    const operation = JSON.parse(block.operations[0] as string);
    operation.params.height = "1";
    return { ...block, operations: [operationText(operation)] };
  });
  assert.throws(() => replay(forged), { name: "InvalidBlock", height: announced, position: 0 });
});
