import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, blockText, NO_BLOCK } from "@moneta/protocol";
import { type Database, openForWriting } from "../database.ts";
import { BlockList } from "../testing/block-list.ts";
import type { BlockLog } from "./block-log.ts";
import { LocalLog } from "./local-log.ts";

function blockAt(sn: number): Block {
  const header = {
    v: 1,
    protocol: 1,
    sn,
    timestamp: sn,
    previous: NO_BLOCK,
    count: 2,
    root: NO_BLOCK,
    size: 2,
    tree: NO_BLOCK,
    changes: NO_BLOCK,
  } as const;
  return { header, id: `id ${sn}`, operations: [`{"n":"${sn}\\n"}`, '{"é":"𝄞\u2028"}'] };
}

/** What every log promises, whatever its engine. */
for (const { name, open } of [
  {
    name: "the local log",
    open: (): { log: BlockLog; database: Database | undefined } => {
      const database = openForWriting(":memory:");
      return { log: new LocalLog(database), database };
    },
  },
  {
    name: "the log of the tests",
    open: (): { log: BlockLog; database: Database | undefined } => ({
      log: new BlockList(),
      database: undefined,
    }),
  },
]) {
  test(`${name} is empty at first`, () => {
    const { log } = open();
    assert.equal(log.height(), -1);
    assert.equal(log.block(0), undefined);
    assert.deepEqual([...log.read(0)], []);
  });

  test(`${name} gives back what was appended, from any height on`, () => {
    const { log } = open();
    for (const height of [0, 1, 2]) {
      log.append(blockAt(height));
    }
    assert.equal(log.height(), 2);
    assert.deepEqual(log.block(1), blockAt(1));
    for (const position of [0, 1, 2]) {
      assert.equal(log.operation(1, position), blockAt(1).operations[position]);
    }
    assert.equal(log.operation(3, 0), undefined);
    assert.equal(log.size(1), Buffer.byteLength(blockText(blockAt(1))));
    assert.equal(log.size(3), undefined);
    assert.deepEqual([...log.read(0)], [0, 1, 2].map(blockAt));
    assert.deepEqual([...log.read(2)], [blockAt(2)]);
    assert.deepEqual([...log.read(3)], []);
  });

  test(`${name} refuses a block at a height that is taken or too far`, () => {
    const { log } = open();
    log.append(blockAt(0));
    for (const height of [0, 2]) {
      const another = { ...blockAt(height), id: "another" };
      assert.throws(() => log.append(another), /blocks are appended in their order/);
    }
    assert.deepEqual([...log.read(0)], [blockAt(0)]);
  });

  test(`${name} reads what is appended while it reads`, () => {
    const { log } = open();
    log.append(blockAt(0));
    const seen: number[] = [];
    for (const { header } of log.read(0)) {
      seen.push(header.sn);
      if (header.sn < 2) {
        log.append(blockAt(header.sn + 1));
      }
    }
    assert.deepEqual(seen, [0, 1, 2]);
  });
}

for (const { what, header, reason } of [
  { what: "no JSON", header: "{", reason: "its header is not JSON" },
  { what: "no header", header: "null", reason: "its header does not have the form of one" },
  {
    what: "that of another block",
    header: JSON.stringify(blockAt(1).header),
    reason: "its header is that of block 1",
  },
]) {
  test(`a row whose header is ${what} is an invalid block`, () => {
    const database = openForWriting(":memory:");
    const log = new LocalLog(database);
    log.append(blockAt(0));
    database.prepare("UPDATE block_log SET header = ?").run(header);
    assert.throws(() => log.block(0), { name: "InvalidBlock", height: 0, reason });
  });
}

test("the local log says which block is missing before later ones", () => {
  const database = openForWriting(":memory:");
  const log = new LocalLog(database);
  assert.equal(log.firstMissing(), undefined);
  for (const height of [0, 1, 2, 3, 4]) {
    log.append(blockAt(height));
  }
  assert.equal(log.firstMissing(), undefined);
  database.exec("DELETE FROM block_log WHERE height IN (1, 3)");
  assert.equal(log.firstMissing(), 1);
  const read: number[] = [];
  assert.throws(
    () => {
      for (const { header } of log.read(0)) {
        read.push(header.sn);
      }
    },
    { name: "InvalidBlock", height: 1 },
  );
  assert.deepEqual(read, [0]);
  database.exec("DELETE FROM block_log WHERE height = 0");
  assert.equal(log.firstMissing(), 0);
});
