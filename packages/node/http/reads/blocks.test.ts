import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cursorText } from "@moneta/protocol";
import { type KeyHolder, parsed, START, summaryOf, TestNode } from "../../testing/test-node.ts";

interface Block {
  readonly sn: number;
  readonly id: string;
  readonly timestamp: number;
  readonly transaction: readonly { readonly id: string; readonly timestamp: number }[];
}

let node: TestNode;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

async function block(name: number | string, on: TestNode = node): Promise<Block> {
  const answer = await on.get(`/block/${name}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<Block>(answer);
}

test("chain §2.2: then one POST /address and nothing else for an hour: block 1", async () => {
  a = await node.holder();
  node.now += 3600;
  assert.equal((await node.get("/block")).text, "1");
});

test("chain §2: a block has exactly the contract's fields", async () => {
  const first = await block(1);
  assert.deepEqual(Object.keys(first).sort(), ["id", "sn", "timestamp", "transaction"]);
  assert.equal(first.sn, 1);
  assert.equal(first.timestamp, START);
  assert.deepEqual(
    first.transaction.map((each) => [Object.keys(each).sort(), each.timestamp]),
    [[["id", "timestamp"], START]],
  );
});

interface Page {
  readonly items: readonly { readonly sn: number; readonly id: string }[];
  readonly cursor?: string;
}

test("chain §2, §10: the list of blocks has all of them, newest first, whatever is added meanwhile", async () => {
  for (let count = 0; count < 8; count += 1) {
    await node.pay(a, 1n);
  }
  const height = await node.height();
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: "7", ...(cursor === undefined ? {} : { cursor }) });
    const answer = await node.get(`/blocks?${query}`);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const page = parsed<Page>(answer);
    for (const item of page.items) {
      const { id, timestamp, transaction } = await block(item.sn);
      const size = Buffer.byteLength((await node.get(`/block/${item.sn}/raw`)).text);
      assert.deepEqual(item, { sn: item.sn, id, timestamp, count: transaction.length, size });
      seen.push(item.sn);
    }
    cursor = page.cursor;
    if (seen.length === 7) {
      await node.pay(a, 1n);
    }
  } while (cursor !== undefined);
  assert.deepEqual(
    seen,
    Array.from({ length: height + 1 }, (_, i) => height - i),
  );
  const last = cursorText("blocks", 1, {});
  assert.equal(parsed<Page>(await node.get(`/blocks?cursor=${last}`)).items[0]?.sn, 0);
  assert.equal(
    parsed<Page>(await node.get("/blocks")).items.length,
    Math.min(50, (await node.height()) + 1),
  );
});

test("chain §2: raw blocks from one on are those of /block/{block}/raw, oldest first, one a line", async () => {
  const height = await node.height();
  const answer = await node.get(`/blocks/raw?from=2&limit=1000`);
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("ledger-height"), String(height));
  const lines = answer.text.split("\n");
  assert.equal(lines.pop(), "");
  assert.equal(lines.length, height - 1);
  for (const [i, line] of lines.entries()) {
    assert.equal(line, (await node.get(`/block/${i + 2}/raw`)).text);
  }
  const first = await node.get("/blocks/raw?limit=1");
  assert.equal(first.text, `${(await node.get("/block/0/raw")).text}\n`);
  const standard = (await node.get("/blocks/raw")).text.split("\n").length - 1;
  assert.equal(standard, Math.min(100, height + 1));
});

for (const from of ["999999", `1${"0".repeat(40)}`]) {
  test(`chain §2: raw blocks from ${from.slice(0, 8)} on, above the newest: an empty body`, async () => {
    const answer = await node.get(`/blocks/raw?from=${from}`);
    assert.equal(summaryOf(answer), "200");
    assert.equal(answer.text, "");
  });
}

test("HEAD of raw blocks has their headers and no body", async () => {
  const answer = await node.request("/blocks/raw", { method: "HEAD" });
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson");
  assert.equal(answer.text, "");
});

test("chain §2: a page of raw blocks ends after 16 MiB, but never before one block", async () => {
  const mib = 1 << 20;
  await using large = await TestNode.start(
    ...["--body-bytes-max", String(20 * mib), "--block-bytes-max", String(32 * mib)],
  );
  const from = await large.holder({ coins: 10n });
  const sent = await large.fullTransfer(from, {
    to: large.treasury.address,
    amount: "1",
    memo: "m".repeat(17 * mib),
  });
  assert.equal(summaryOf(await large.postJson("/transfer", sent)), "200");
  await large.pay(from, 1n);
  const height = await large.height();
  const numbersFrom = async (first: number): Promise<number[]> => {
    const { text } = await large.get(`/blocks/raw?from=${first}`);
    const lines = text.split("\n").slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { header: { sn: number } }).header.sn);
  };
  assert.deepEqual(await numbersFrom(height - 2), [height - 2]);
  assert.deepEqual(await numbersFrom(height - 1), [height - 1]);
  assert.deepEqual(await numbersFrom(height), [height]);

  // A client that disconnects in the middle does no harm.
  const leaving = new AbortController();
  const answer = await fetch(`${large.url}/blocks/raw?from=${height - 1}`, {
    signal: leaving.signal,
  });
  await answer.body?.getReader().read();
  leaving.abort();
  assert.equal(await large.height(), height);
});
