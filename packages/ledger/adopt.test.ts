import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, Block } from "@moneta/protocol";
import { InvalidBlock } from "./chain/invalid-block.ts";
import { NEWEST_VERSION, PROTOCOL_VERSIONS, UnknownRules } from "./chain/protocol-version.ts";
import { openForWriting } from "./database.ts";
import { Ledger } from "./ledger.ts";
import { LocalLog } from "./log/local-log.ts";
import { RULES } from "./rules/registry.ts";
import { rowsOf, TestLedger } from "./testing/test-ledger.ts";

function follower(): {
  readonly ledger: Ledger;
  readonly rows: () => object;
  readonly adopt: (blocks: readonly Block[], confirm?: () => Promise<void>) => Promise<void>;
} {
  const database = openForWriting(":memory:");
  const ledger = new Ledger(database, new LocalLog(database));
  return {
    ledger,
    rows: () => rowsOf(database),
    adopt: (blocks, confirm = async () => undefined) =>
      ledger.adopt(blocks, {
        onBlock: async () => undefined,
        confirm,
      }),
  };
}

async function transfers(): Promise<TestLedger> {
  const ledger = await TestLedger.begin({ hasOperator: true });
  const [a] = (await ledger.createAddresses(1)) as [Address];
  for (const amount of ["1", "2", "3"]) {
    await ledger.done(ledger.transfer({ from: ledger.treasury, to: a, amount }));
  }
  return ledger;
}

test("blocks of another ledger are taken in a few at a time, and come to the same", async () => {
  using source = await transfers();
  const { ledger, rows, adopt } = follower();
  await adopt(source.blocks.slice(0, 2));
  await adopt(source.blocks.slice(2));
  assert.deepEqual(ledger.head, source.ledger.head);
  assert.deepEqual(rows(), rowsOf(source.database));
});

test("of blocks of which one is invalid none is stored", async () => {
  using source = await transfers();
  const { rows, adopt } = follower();
  await adopt(source.blocks.slice(0, 1));
  const before = rows();
  const [one, two, three] = source.blocks.slice(1) as [Block, Block, Block];
  const forged = { ...three, header: { ...three.header, changes: "0".repeat(64) } };
  await assert.rejects(adopt([one, two, forged]), (thrown) => {
    assert.ok(thrown instanceof InvalidBlock);
    assert.match(thrown.message, /^block 3: its header's changes is 0{64}, but .* [0-9a-f]{64}$/);
    return true;
  });
  assert.deepEqual(rows(), before);
});

/**
 * A follower takes in all blocks but the newest, which is invalid, and is left as it was before
 * that one.
 */
async function assertNewestRefused(source: TestLedger, message: RegExp): Promise<void> {
  const { sn } = source.newestBlock.header;
  const { rows, adopt } = follower();
  await adopt(source.blocks.slice(0, sn));
  const before = rows();
  await assert.rejects(adopt(source.blocks.slice(sn)), {
    name: "InvalidBlock",
    height: sn,
    message,
  });
  assert.deepEqual(rows(), before);
}

test("chain §4.7: a block of a time after 2^31 - 1 is not taken in", async () => {
  using source = await transfers();
  source.now = 2 ** 31;
  await source.createAddresses(1);
  await assertNewestRefused(source, /its time lies behind 2147483647/);
});

test("chain §2.3: a block whose time runs backwards is not taken in", async () => {
  using source = await transfers();
  source.now += 100;
  await source.createAddresses(1);
  await source.doneEarlier(1, source.addressOperation(source.drawAddress()));
  await assertNewestRefused(source, /its time lies before/);
});

test("blocks that are not confirmed are not stored", async () => {
  using source = await transfers();
  const { rows, adopt } = follower();
  const before = rows();
  await assert.rejects(
    adopt(source.blocks, async () => {
      throw new Error("a signature does not fit");
    }),
    /a signature does not fit/,
  );
  assert.deepEqual(rows(), before);
});

test("chain §7.3: blocks before those of an unknown version are taken in", async () => {
  using source = await transfers();
  const first = source.ledger.head.height + 2;
  const next = NEWEST_VERSION + 1;
  await source.done(source.announcement({ version: String(next), height: String(first) }));
  source.restart(new Map([...PROTOCOL_VERSIONS, [next, { rules: RULES }]]));
  await source.createAddresses(2);
  const { ledger, adopt } = follower();
  await assert.rejects(adopt(source.blocks), UnknownRules);
  assert.equal(ledger.head.height, first - 1);
  assert.equal(ledger.head.id, source.blocks[first - 1]?.id);
});
