import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, mock, test } from "node:test";
import { StorageFailure, SyncFailure } from "@moneta/ledger";
import { startNode } from "../node.ts";
import { readSettings } from "../settings.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { type KeyHolder, summaryOf, TestNode } from "../testing/test-node.ts";
import { NewestBlockFile, type RememberedBlock, readNewestBlock } from "./newest-block-file.ts";

const ID = "ab".repeat(32);

let node: TestNode;
let from: KeyHolder;
/** Copies of its ledger at blocks 2 and 3, and its directory as of then. */
let older: string;
let whole: string;
before(async () => {
  node = await TestNode.start();
  from = await node.holder({ coins: 1000n });
  await node.stop();
  older = join(node.data, "..", "older");
  cpSync(node.data, older, { recursive: true });
  await node.resume();
  await pay(node, from);
  const height = await node.height();
  const { id } = JSON.parse((await node.get(`/block/${height}`)).text) as { id: string };
  newest = { height, id, timestamp: node.now, clock: node.now };
  await node.stop();
  whole = join(node.data, "..", "whole");
  cpSync(node.data, whole, { recursive: true });
});
after(() => node[Symbol.asyncDispose]());

let newest: RememberedBlock;

async function pay(node: TestNode, from: KeyHolder): Promise<void> {
  const params = await node.transfer(from, { to: node.treasury.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
}

/** Why a node does not start on a directory. With the flag it starts; then returns its height. */
async function started(data: string, ...flags: string[]): Promise<string | number> {
  const settings = readSettings(
    ["--data", data, "--port", "0", "--log-level", "silent", ...flags],
    {},
  );
  try {
    const running = await startNode(settings);
    const { height } = running.service.queue;
    await running.close();
    return height;
  } catch (thrown) {
    assert(thrown instanceof Error);
    assert.equal(thrown.name, "SettingProblem");
    assert.doesNotMatch(thrown.message, /\n/);
    return thrown.message;
  }
}

test("a clean stop records the newest block beside the ledger", () =>
  assert.deepEqual(readNewestBlock(join(whole, "newest-block.json")), newest));

for (const { what, change, says } of [
  {
    what: "is gone",
    change: (data: string) => rmSync(join(data, "ledger.db")),
    says: /ledger\.db is gone or empty, but .*newest-block\.json says .* it had block 3, /,
  },
  {
    what: "is empty",
    change: (data: string) => writeFileSync(join(data, "ledger.db"), ""),
    says: /ledger\.db is gone or empty/,
  },
  {
    what: "is an older copy",
    change: (data: string) => cpSync(join(older, "ledger.db"), join(data, "ledger.db")),
    says: /ledger\.db ends with block 2, but .* it had block 3, /,
  },
]) {
  test(`a node whose ledger ${what} does not start without --accept-older-ledger: block 0 is made only where no height is remembered`, async () => {
    const data = join(node.data, "..", what);
    cpSync(whole, data, { recursive: true });
    change(data);
    const refused = await started(data);
    assert.match(String(refused), says);
    assert.match(String(refused), /restore the newest copy.*--accept-older-ledger yes/);
    const height = await started(data, "--accept-older-ledger", "yes", "--checkpoints", "no");
    assert.equal(height, what === "is an older copy" ? 2 : 0);
    assert.equal(await started(data, "--checkpoints", "no"), height);
  });
}

test("a ledger that diverged from an older copy is refused as well", async () => {
  cpSync(join(older, "ledger.db"), join(node.data, "ledger.db"));
  rmSync(join(node.data, "newest-block.json"));
  await node.resume();
  node.now += 5;
  await pay(node, from);
  await node.stop();
  cpSync(join(whole, "newest-block.json"), join(node.data, "newest-block.json"));
  assert.match(String(await started(node.data)), /ledger\.db has another block 3, but /);
});

for (const content of [
  "",
  "{",
  "[]",
  '{"height":1}',
  `{"height":1.5,"id":"${ID}","timestamp":1,"clock":1}`,
]) {
  test(`a newest-block.json with ${JSON.stringify(content)} is refused with a message`, () => {
    using directory = new TemporaryDirectory("newest-block");
    const path = join(directory.path, "newest-block.json");
    writeFileSync(path, content);
    assert.throws(() => readNewestBlock(path), {
      name: "SettingProblem",
      message: /must hold the newest block/,
    });
  });
}

test("the newest block is written at the start, every 4 s if there is a new one, and at the end", async () => {
  using directory = new TemporaryDirectory("newest-block");
  const path = join(directory.path, "newest-block.json");
  let newest: RememberedBlock = { height: 0, id: ID, timestamp: 5, clock: 6 };
  const written = Promise.withResolvers<void>();
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const file = new NewestBlockFile(path, {
      newest: () => newest,
      onProblem: written.reject,
      onWritten: written.resolve,
    });
    file.begin();
    assert.deepEqual(readNewestBlock(path), newest);
    newest = { ...newest, height: 7 };
    mock.timers.tick(4000);
    await written.promise;
    assert.deepEqual(readNewestBlock(path), newest);
    newest = { ...newest, height: 8 };
    await file.end();
    assert.deepEqual(readNewestBlock(path), newest);
  } finally {
    mock.timers.reset();
  }
});

for (const problem of [new SyncFailure("the disk has lost it"), new StorageFailure("EIO")]) {
  test(`at the end nothing is thrown, and a ${problem.name} over the newest block is reported`, async () => {
    using directory = new TemporaryDirectory("newest-block");
    const path = join(directory.path, "newest-block.json");
    const newest: RememberedBlock = { height: 0, id: ID, timestamp: 5, clock: 6 };
    const problems: Error[] = [];
    let isFailing = false;
    const file = new NewestBlockFile(path, {
      newest() {
        if (isFailing) {
          throw problem;
        }
        return newest;
      },
      onProblem: (found) => problems.push(found),
    });
    file.begin();
    isFailing = true;
    await file.end();
    assert.deepEqual(problems, [problem]);
    assert.deepEqual(readNewestBlock(path), newest);
  });
}
