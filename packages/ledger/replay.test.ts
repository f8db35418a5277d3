import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import {
  type Address,
  type Block,
  type LedgerOperation,
  operationText,
  signedStrings,
  transfer,
} from "@moneta/protocol";
import fc from "fast-check";
import { InvalidBlock } from "./chain/invalid-block.ts";
import { VerifyingKey } from "./chain/signature-check.ts";
import { Ledger } from "./ledger.ts";
import type { SignatureClaim } from "./replay.ts";
import { sha256 } from "./sha256.ts";
import { BlockList } from "./testing/block-list.ts";
import { byLane } from "./testing/lane.ts";
import { replay, rowsOf, T, TestLedger } from "./testing/test-ledger.ts";

async function sample(): Promise<TestLedger> {
  const ledger = await TestLedger.begin({ supply: "100000" });
  const a = ledger.treasury;
  const [b, c] = (await ledger.createAddresses(2)) as [Address, Address];
  ledger.now += 10;
  await ledger.done(
    ledger.transfer({ from: a, to: b, amount: "300", tags: "rent", memo: "Mäi\n" }),
    ledger.transfer({ from: b, to: c, amount: "100", unlockdate: String(T + 50) }),
  );
  ledger.now += 100;
  await ledger.done(
    ledger.multitransfer({
      from: a,
      list: [
        { address: b, amount: "10" },
        { address: c, amount: "0", memo: "hi" },
        { address: b, amount: "5", unlockdate: String(T + 500) },
      ],
    }),
  );
  const created = ledger.drawAddress();
  await ledger.done(
    ledger.addressOperation(created, { addinfo: "info", signed: "full" }),
    ledger.transfer({ from: c, to: created, amount: "100", signed: "full" }),
  );
  return ledger;
}

test("chain §6: replay on another machine comes to the same ids, changes, roots, records and state", async () => {
  using ledger = await sample();
  const replayed = replay(ledger.blocks);
  assert.deepEqual(replayed.ledger.head, ledger.ledger.head);
  assert.deepEqual(rowsOf(replayed.database), rowsOf(ledger.database));
});

test("issue 2 §5: views made anew from the blocks are the same, and the ledger continues", async () => {
  using ledger = await sample();
  const rows = rowsOf(ledger.database);
  const { head } = ledger.ledger;
  ledger.rebuild();
  assert.deepEqual(ledger.ledger.head, head);
  assert.deepEqual(rowsOf(ledger.database), rows);
  await ledger.done(ledger.addressOperation(ledger.drawAddress()));
  assert.equal(replay(ledger.blocks).ledger.head.id, ledger.ledger.head.id);
});

test("an interrupted replay continues where it ended", async () => {
  using ledger = await sample();
  const { blocks } = ledger;
  const half = replay(blocks.slice(0, 2));
  assert.equal(half.ledger.head.height, 1);
  const seen: number[] = [];
  const rest = new Ledger(half.database, new BlockList(blocks));
  rest.catchUp({ onBlock: (height) => seen.push(height) });
  assert.deepEqual(
    seen,
    blocks.slice(2).map(({ header }) => header.sn),
  );
  assert.equal(rest.head.id, ledger.ledger.head.id);
});

/** The height and position that a replay stops at; undefined if it does not. */
function stopsAt(
  blocks: readonly Block[],
): { height: number; position: number | undefined } | undefined {
  try {
    replay(blocks).database.close();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof InvalidBlock) {
      assert(thrown.message.startsWith(`block ${thrown.height}`));
      return { height: thrown.height, position: thrown.position };
    }
    throw thrown;
  }
}

function withBlock(blocks: readonly Block[], height: number, change: Partial<Block>): Block[] {
  return blocks.map((block) => (block.header.sn === height ? { ...block, ...change } : block));
}

test("chain §6: a block with one changed character is refused, and named", async () => {
  using ledger = await sample();
  const { blocks } = ledger;
  const character = fc.oneof(
    fc.constantFrom(...'0123456789abcdef{}[]",:\\ \n'),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  );
  const changedText = (text: string, at: number, to: string): string => {
    const position = at % text.length;
    const changed = text.slice(0, position) + to + text.slice(position + 1);
    fc.pre(changed !== text);
    return changed;
  };
  fc.assert(
    fc.property(
      fc.nat(blocks.length - 1),
      fc.constantFrom("operation", "header", "id"),
      fc.nat(),
      fc.nat(),
      character,
      (height, part, which, at, to) => {
        const { header, id, operations } = blocks[height] as Block;
        let change: Partial<Block>;
        switch (part) {
          case "operation": {
            const index = which % operations.length;
            change = {
              operations: operations.map((text, i) =>
                i === index ? changedText(text, at, to) : text,
              ),
            };
            break;
          }
          case "header": {
            const [name, value] = Object.entries(header)[which % 10] as [string, string | number];
            const changed = changedText(String(value), at, to);
            const number = Number(changed);
            change = {
              header: { ...header, [name]: typeof value === "string" ? changed : number },
            };
            fc.pre(typeof value === "string" || (Number.isSafeInteger(number) && number !== value));
            break;
          }
          default:
            change = { id: changedText(id, at, to) };
        }
        const stopped = stopsAt(withBlock(blocks.slice(0, height + 1), height, change));
        assert.equal(stopped?.height, height);
      },
    ),
    { numRuns: byLane({ quick: 100, long: 1000 }) },
  );
});

test("a character changed in the file itself is found, and the block named", async () => {
  using ledger = await sample();
  const { height } = ledger.ledger.head;
  const rows = ledger.database.prepare("SELECT header FROM block_log WHERE height = ?");
  const header = rows.get(height)?.["header"] as string;
  ledger.database
    .prepare("UPDATE block_log SET header = ? WHERE height = ?")
    .run(header.replace('"v"', '"v'), height);
  assert.throws(() => ledger.rebuild(), { name: "InvalidBlock", height });
});

/**
 * The blocks of a ledger up to a height, the last of them with another header and the id that fits
 * it.
 */
function withForgedHeader(ledger: TestLedger, height: number, change: object): Block[] {
  const { header, operations } = ledger.blocks[height] as Block;
  const forged = { ...header, ...change } as Block["header"];
  const id = sha256.hex(JSON.stringify(Object.fromEntries(Object.entries(forged).sort())));
  return [...ledger.blocks.slice(0, height), { header: forged, id, operations }];
}

for (const { what, change } of [
  { what: "a later time", change: { timestamp: T + 200 } },
  { what: "another protocol", change: { protocol: 2 } },
  { what: "a member more", change: { more: 1 } },
  { what: "another root", change: { root: "0".repeat(64) } },
  { what: "another tree", change: { tree: "0".repeat(64) } },
  { what: "other changes", change: { changes: sha256.hex("{}") } },
  { what: "another count", change: { count: 1 } },
  { what: "another size", change: { size: 1 } },
  { what: "another block before it", change: { previous: "0".repeat(64) } },
  { what: "another number", change: { sn: 17 } },
  { what: "a time before that of the block before it", change: { timestamp: T + 109 } },
]) {
  test(`chain §2.3, §6.5: a header with ${what} is refused although its id fits`, async () => {
    using ledger = await sample();
    const { sn } = ledger.newestBlock.header;
    assert.deepEqual(stopsAt(withForgedHeader(ledger, sn, change)), {
      height: sn,
      position: undefined,
    });
  });
}

test("chain §2.3: a block that nothing but its time speaks against is refused when time runs backwards", async () => {
  using ledger = await sample();
  const { sn, timestamp } = ledger.newestBlock.header;
  await ledger.doneEarlier(1, ledger.addressOperation(ledger.drawAddress()));
  assert.deepEqual(stopsAt(ledger.blocks), { height: sn + 1, position: undefined });
  assert.throws(() => replay(ledger.blocks), /its time lies before that of the block before it$/);
  assert.throws(() => ledger.rebuild(), { name: "InvalidBlock", height: sn + 1 });
  assert.equal(timestamp, T + 110);
});

for (const timestamp of [null, T - 0.5, T + 110.5, String(T + 110), [T + 110], 2 ** 60]) {
  test(`chain §4.7: a header with the time ${JSON.stringify(timestamp)} is refused`, async () => {
    using ledger = await sample();
    // A block whose records have no time in them.
    assert.equal(stopsAt(withForgedHeader(ledger, 3, { timestamp }))?.height, 3);
  });
}

test("chain §4.7: a header with a time that no record can hold is refused, and the block named", async () => {
  using ledger = await sample();
  assert.equal(stopsAt(withForgedHeader(ledger, 4, { timestamp: T + 200.5 }))?.height, 4);
});

test("chain §4.7: the last second that a block may be of is 2^31 - 1: a later one, which nothing else speaks against, is refused", async () => {
  using ledger = await TestLedger.begin();
  ledger.now = 2 ** 31 - 1;
  await ledger.done(ledger.addressOperation(ledger.drawAddress()));
  assert.equal(stopsAt(ledger.blocks), undefined);
  ledger.now += 1;
  await ledger.done(ledger.addressOperation(ledger.drawAddress()));
  assert.deepEqual(stopsAt(ledger.blocks), { height: 2, position: undefined });
  assert.throws(() => replay(ledger.blocks), /its time lies behind 2147483647, the last one/);
  assert.throws(() => ledger.rebuild(), { name: "InvalidBlock", height: 2 });
});

test("chain §2.2: a block without transactions is refused", async () => {
  using ledger = await sample();
  const height = ledger.ledger.head.height;
  const blocks = withBlock(ledger.blocks, height, { operations: [] });
  assert.deepEqual(stopsAt(blocks), { height, position: undefined });
  assert.throws(() => replay(blocks), /it has no transaction$/);
});

test("chain §2.1: a block that is missing, doubled or out of order is refused", async () => {
  using ledger = await sample();
  const [zero, one, two, ...rest] = ledger.blocks as [Block, Block, Block, ...Block[]];
  for (const { blocks, height } of [
    { blocks: [one, two], height: 0 },
    { blocks: [zero, two], height: 1 },
    { blocks: [zero, one, one], height: 2 },
    { blocks: [zero, two, one, ...rest], height: 1 },
  ]) {
    assert.deepEqual(stopsAt(blocks), { height, position: undefined });
  }
});

/** Replays the sample with one operation of block 2 made anew, and says where it stops. */
async function stopsWithOperation(
  change: (operation: LedgerOperation, ledger: TestLedger) => LedgerOperation | string,
): Promise<{ height: number; position: number | undefined } | undefined> {
  using ledger = await sample();
  const { operations } = ledger.blocks[2] as Block;
  const changed = change(JSON.parse(operations[1] as string) as LedgerOperation, ledger);
  const text = typeof changed === "string" ? changed : operationText(changed);
  return stopsAt(
    withBlock(ledger.blocks.slice(0, 3), 2, { operations: [operations[0] as string, text] }),
  );
}

for (const { what, change } of [
  {
    what: "an operation that no rule knows",
    change: (operation: LedgerOperation) => ({ ...operation, op: "mint" }),
  },
  {
    what: "an operation of block 0",
    change: (operation: LedgerOperation) => ({ ...operation, op: "coin" }),
  },
  {
    what: "a parameter that the description does not know",
    change: (operation: LedgerOperation) => ({
      ...operation,
      params: { ...operation.params, x: "1" },
    }),
  },
  {
    what: "an empty parameter, which admission leaves out",
    change: (operation: LedgerOperation) => ({
      ...operation,
      params: { ...operation.params, memo: "" },
    }),
  },
  {
    what: "an alias",
    change: ({ params: { checkkey, ...params }, ...operation }: LedgerOperation) => ({
      ...operation,
      params: { ...params, tkey: checkkey as string },
    }),
  },
  {
    what: "a text that admission would have cut",
    change: (operation: LedgerOperation) => ({
      ...operation,
      params: { ...operation.params, tags: "t".repeat(65) },
    }),
  },
  {
    what: "a malformed amount",
    change: (operation: LedgerOperation) => ({
      ...operation,
      params: { ...operation.params, amount: "01" },
    }),
  },
  {
    what: "no signature",
    change: (operation: LedgerOperation) => ({ ...operation, signatures: {} }),
  },
  {
    what: "two signatures",
    change: (operation: LedgerOperation) => ({
      ...operation,
      signatures: { ...operation.signatures, other: "s" },
    }),
  },
  {
    what: "another actor",
    change: (operation: LedgerOperation) => ({ ...operation, actor: "" as const }),
  },
  {
    what: "more than the actor has",
    change: (operation: LedgerOperation) => ({
      ...operation,
      params: { ...operation.params, amount: "100001" },
    }),
  },
  {
    what: "a key of another address",
    change: (operation: LedgerOperation, ledger: TestLedger) => ({
      ...operation,
      params: { ...operation.params, checkkey: ledger.key(ledger.treasury) },
    }),
  },
  {
    what: "a key that has expired",
    change: (operation: LedgerOperation, ledger: TestLedger) => ({
      ...operation,
      params: { ...operation.params, checkkey: ledger.key(operation.actor as Address, T + 9) },
    }),
  },
  {
    what: "a key that expires more than a day later",
    change: (operation: LedgerOperation, ledger: TestLedger) => ({
      ...operation,
      params: { ...operation.params, checkkey: ledger.key(operation.actor as Address, T + 86_411) },
    }),
  },
  {
    what: "the operation before it again",
    change: (_: LedgerOperation, ledger: TestLedger) =>
      (ledger.blocks[2] as Block).operations[0] as string,
  },
  {
    what: "an address that exists",
    change: (_: LedgerOperation, ledger: TestLedger) =>
      ledger.addressOperation(ledger.treasury, { addinfo: "mine" }),
  },
  {
    what: "a malformed new address",
    change: (_: LedgerOperation, ledger: TestLedger) => ledger.addressOperation("MT" as Address),
  },
  { what: "no JSON", change: () => "{" },
]) {
  test(`chain §6.4: ${what} makes the block invalid, and the transaction is named`, async () =>
    assert.deepEqual(await stopsWithOperation(change), { height: 2, position: 1 }));
}

test("chain §4.1: something decided where nothing is to be decided makes the block invalid", async () => {
  using ledger = await TestLedger.begin();
  const [to] = (await ledger.createAddresses(1)) as [Address];
  const text = ledger.transfer({ from: ledger.treasury, to, amount: "1" });
  await ledger.done(operationText({ ...JSON.parse(text), decided: { x: "1" } }));
  assert.deepEqual(stopsAt(ledger.blocks), { height: 2, position: 0 });
});

function signedTransfer(
  ledger: TestLedger,
  privateKey: KeyObject,
  sent: { readonly from: Address; readonly to: Address; readonly signed?: "full" },
): LedgerOperation {
  const unsigned = JSON.parse(
    ledger.transfer({ ...sent, amount: "1", memo: "é" }),
  ) as LedgerOperation;
  const [text = ""] = signedStrings(transfer.signers[0], unsigned.params, {
    ledgerId: (ledger.blocks[0] as Block).id,
    actor: sent.from,
    decided: {},
  });
  const raw = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return { ...unsigned, signatures: { signature: raw.toString("base64") } };
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function withOtherS(operation: LedgerOperation): LedgerOperation {
  const raw = Buffer.from(operation.signatures["signature"] as string, "base64");
  const s = P256_ORDER - BigInt(`0x${raw.subarray(32).toString("hex")}`);
  const other = Buffer.from(s.toString(16).padStart(64, "0"), "hex");
  const signature = Buffer.concat([raw.subarray(0, 32), other]).toString("base64");
  return { ...operation, signatures: { signature } };
}

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const KEY_BODY = publicKey.export({ type: "spki", format: "der" }).toString("base64");

function claimsOf(blocks: readonly Block[]): (SignatureClaim & { fits: boolean })[] {
  const claims: SignatureClaim[] = [];
  replay(blocks, (claim) => claims.push(claim));
  return claims.map((claim) => {
    const verdict = new VerifyingKey(claim.publicKey).check(claim.signedTexts, claim.signature);
    return { ...claim, fits: typeof verdict === "number" };
  });
}

test("conventions §4.4: the same operation with an n-s signature on a copy: same id, other root and block id", async () => {
  using ledger = await TestLedger.begin({ publicKey: KEY_BODY });
  using copy = await TestLedger.begin({ publicKey: KEY_BODY });
  const [to] = (await ledger.createAddresses(1)) as [Address];
  await copy.createAddresses(1);
  assert.equal(copy.ledger.head.id, ledger.ledger.head.id);

  const operation = signedTransfer(ledger, privateKey, { from: ledger.treasury, to });
  const [id] = await ledger.done(operationText(operation));
  const [idOnCopy] = await copy.done(operationText(withOtherS(operation)));
  assert.equal(idOnCopy, id);
  const { header } = ledger.newestBlock;
  const { header: headerOnCopy } = copy.newestBlock;
  assert.notEqual(headerOnCopy.root, header.root);
  assert.notEqual(headerOnCopy.tree, header.tree);
  assert.notEqual(copy.newestBlock.id, ledger.newestBlock.id);
  assert.equal(headerOnCopy.changes, header.changes);

  for (const blocks of [ledger.blocks, copy.blocks]) {
    assert.deepEqual(
      claimsOf(blocks).map(({ fits }) => fits),
      [true],
    );
  }
});

test("chain §6.5: replay hands out every signature with its place, key and signed string", async () => {
  using ledger = await TestLedger.begin({ publicKey: KEY_BODY });
  const from = ledger.treasury;
  const [to] = (await ledger.createAddresses(1)) as [Address];
  const short = signedTransfer(ledger, privateKey, { from, to });
  const full = signedTransfer(ledger, privateKey, { from, to, signed: "full" });
  const wrong = { ...short, ...JSON.parse(ledger.transfer({ from, to, amount: "2" })) };
  wrong.signatures = short.signatures;
  await ledger.done(operationText(short), operationText(full));
  await ledger.done(ledger.addressOperation(ledger.drawAddress()), operationText(wrong));
  const claims = claimsOf(ledger.blocks);
  assert.deepEqual(
    claims.map(({ height, position, publicKey: body, fits }) => ({ height, position, body, fits })),
    [
      { height: 2, position: 0, body: KEY_BODY, fits: true },
      { height: 2, position: 1, body: KEY_BODY, fits: true },
      { height: 3, position: 1, body: KEY_BODY, fits: false },
    ],
  );
});

test("chain §6.5: what claims to be a signature and is none makes the block invalid where signatures are checked", async () => {
  using ledger = await TestLedger.begin();
  const [to] = (await ledger.createAddresses(1)) as [Address];
  const sent = { from: ledger.treasury, to, amount: "1", signature: "abc!" };
  await ledger.done(ledger.transfer(sent));
  assert.throws(() => replay(ledger.blocks, () => {}), {
    name: "InvalidBlock",
    height: 2,
    position: 0,
  });
});

test("conventions §4.5: a short signature of an address that takes full ones only makes the block invalid", async () => {
  using ledger = await TestLedger.begin();
  const created = ledger.drawAddress();
  await ledger.done(ledger.addressOperation(created, { signed: "full" }));
  const signature = Buffer.alloc(64, 1).toString("base64");
  const to = ledger.treasury;
  await ledger.done(
    ledger.transfer({ from: to, to: created, amount: "2", signature }),
    ledger.transfer({ from: created, to, amount: "1", signature, signed: "full" }),
    ledger.transfer({ from: created, to, amount: "1", signature }),
  );
  assert.throws(() => replay(ledger.blocks, () => {}), {
    name: "InvalidBlock",
    height: 2,
    position: 2,
  });
});

for (const { sql, height } of [
  { sql: "UPDATE block SET id = 'x' WHERE height = 2", height: 2 },
  {
    sql: `UPDATE block SET header = replace(header, '"count":2', '"count":3') WHERE height = 1`,
    height: 1,
  },
  { sql: `UPDATE block SET header = replace(header, '"sn":3', '"sn":4')`, height: 3 },
  { sql: "DELETE FROM block WHERE height = 1", height: 1 },
  { sql: "UPDATE block_log SET operations = replace(operations, 'info', 'inf0')", height: 4 },
  { sql: "UPDATE transaction_record SET record = replace(record, 'info', 'inf0')", height: 4 },
]) {
  test(`chain §6.5: the check at a start finds what is changed by ${sql.slice(0, 60)}`, async () => {
    using ledger = await sample();
    ledger.ledger.checkLinks();
    ledger.database.exec(sql);
    assert.throws(() => ledger.ledger.checkLinks(), { name: "InvalidBlock", height });
  });
}

test("chain §6.5: of a longer chain a start checks block 0 and the last links", async () => {
  using ledger = await sample();
  const { height } = ledger.ledger.head;
  ledger.database.exec("UPDATE block SET id = 'x' WHERE height = 1");
  ledger.ledger.checkLinks(height - 1);
  assert.throws(() => ledger.ledger.checkLinks(height), { name: "InvalidBlock", height: 1 });
});

test("chain §8: a ledger knows the operations that it began with, and its name", async () => {
  using ledger = await sample();
  const { operations } = ledger.blocks[0] as Block;
  assert(ledger.ledger.beganWith(operations));
  assert(!ledger.ledger.beganWith(operations.slice(1)));
  assert(!ledger.ledger.beganWith(operations.toReversed()));
  assert.equal(
    ledger.reading(() => ledger.reader.ledgerName()),
    "localhost/test",
  );
});
