import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { NEWEST_VERSION } from "@moneta/ledger";
import { cursorText } from "@moneta/protocol";
import {
  type KeyHolder,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

interface Block {
  readonly sn: number;
  readonly id: string;
  readonly timestamp: number;
  readonly transaction: readonly { readonly id: string; readonly timestamp: number }[];
}

interface RawBlock {
  readonly header: Readonly<Record<string, string | number>>;
  readonly id: string;
  readonly operations: readonly {
    readonly v: number;
    readonly op: string;
    readonly actor: string;
    readonly params: Readonly<Record<string, string>>;
    readonly decided: Readonly<Record<string, string>>;
    readonly signatures: Readonly<Record<string, string>>;
  }[];
}

const HASH = /^[0-9a-f]{64}$/;
const NO_BLOCK = "0".repeat(64);

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

async function block(name: number | string, on: TestNode = node): Promise<Block> {
  const answer = await on.get(`/block/${name}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<Block>(answer);
}

async function rawBlock(name: number | string, on: TestNode = node): Promise<RawBlock> {
  const answer = await on.get(`/block/${name}/raw`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<RawBlock>(answer);
}

test("chain §13 row 1: a new deployment has block 0 with three transactions", async () => {
  const answer = await node.get("/block");
  assert.equal(answer.text, "0");
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");

  const first = await block(0);
  assert.equal(first.sn, 0);
  assert.equal(first.timestamp, START);
  assert.equal(first.id, node.ledgerId);
  assert.equal(first.transaction.length, 3);
  const { header } = await rawBlock(0);
  assert.equal(header["previous"], NO_BLOCK);

  const records = await Promise.all(first.transaction.map(({ id }) => node.transaction(id)));
  assert.deepEqual(
    records.map(({ type }) => type),
    ["Chaincode Install or Update", "NewWallet", "tokenRegister"],
  );
  const { address, privateKey } = node.treasury;
  const supply = "1000000000000000000";
  const list = JSON.stringify([{ address, value: supply, unlockdate: 0 }]);
  const shown = records.map(({ id: _, db_sn, db_id, timestamp, ...record }) => {
    assert.deepEqual([db_sn, db_id, timestamp], ["0", first.id, START]);
    return record;
  });
  const [install, wallet, register] = shown;
  assert.equal(install?.parameters[0], String(NEWEST_VERSION));
  assert.equal(install?.parameters[1], "0");
  assert.equal(install?.parameters.length, 3);
  assert.deepEqual(install, {
    type: "Chaincode Install or Update",
    address: "",
    token: 0,
    parameters: install?.parameters,
    values: {},
    validationCode: "0",
    effects: [],
  });
  assert.deepEqual(wallet?.parameters, [address, publicPem(privateKey), ""]);
  assert.equal(wallet?.address, address);
  assert.deepEqual(
    [register?.address, register?.token, register?.parameters],
    ["", 0, ["0", "", "TST", "Test Coin", "", supply, "8", "", list, "", ""]],
  );
  assert.deepEqual(
    register?.effects.map(({ type, address, token, parameters }) => ({
      type,
      address,
      token,
      parameters,
    })),
    [{ type: "token_reserve", address, token: 0, parameters: ["", address, supply, "0"] }],
  );
});

test("chain §13 row 2: then one POST /address and nothing else for an hour: block 1", async () => {
  a = await node.holder();
  node.now += 3600;
  assert.equal((await node.get("/block")).text, "1");
});

test("chain §13 row 3: a failed transfer makes no block", async () => {
  b = await node.holder();
  const height = await node.height();
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", params)), "400 5001");
  assert.equal(await node.height(), height);
  await node.pay(a, 1000n);
});

test("chain §13 row 4: a block by its number and by its id has the same body", async () => {
  for (const tail of ["", "/raw"]) {
    const byNumber = await node.get(`/block/1${tail}`);
    const { id } = parsed<{ id: string }>(byNumber);
    assert.match(id, HASH);
    const byId = await node.get(`/block/${id}${tail}`);
    assert.equal(byId.text, byNumber.text);
    assert.equal(byNumber.headers.get("content-type"), "application/json");
  }
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

for (const name of [
  "01",
  "-1",
  "+1",
  "x",
  "999999",
  "1.0",
  "%201",
  "99999999999999999999",
  NO_BLOCK,
  "f".repeat(63),
]) {
  test(`chain §13 row 5: /block/${name.slice(0, 10)}: 404 6001`, async () => {
    assert.match(summaryOf(await node.get(`/block/${name}`)), /^404 6001/);
    assert.match(summaryOf(await node.get(`/block/${name}/raw`)), /^404 6001/);
  });
}

test("chain §13 row 5: an id in upper case: 404 6001", async () => {
  const id = node.ledgerId.toUpperCase();
  assert.match(summaryOf(await node.get(`/block/${id}`)), /^404 6001/);
});

test("chain §13 row 6: a transaction by its id, and by what is none", async () => {
  const id = (await block(1)).transaction[0]?.id ?? "";
  assert.equal(summaryOf(await node.get(`/transaction/${id}`)), "200");
  const last = id.endsWith("0") ? "1" : "0";
  for (const wrong of [
    id.slice(0, -1) + last,
    `${id.slice(0, 16)}00000001${id.slice(24)}`,
    `00000000000fffff${id.slice(16)}`,
    `ffffffffffffffff${id.slice(16)}`,
    id.slice(1),
    `${id}0`,
    id.replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
    "x",
  ]) {
    assert.match(summaryOf(await node.get(`/transaction/${wrong}`)), /^404 6008/, wrong);
  }
});

test("chain §4.1: params are texts as they were sent, under canonical names, without what is empty", async () => {
  const { checkkey, ...params } = await node.transfer(a, { to: b.address, amount: "1" });
  const sent = { ...params, amount: 1, token: 0, tkey: checkkey, tag: "x", memo: "", other: "y" };
  assert.equal(summaryOf(await node.postJson("/transfer", sent)), "200");
  const { operations } = await rawBlock(await node.height());
  const { from, to } = params;
  assert.deepEqual(operations[0]?.params, {
    from,
    to,
    token: "0",
    amount: "1",
    checkkey,
    tags: "x",
  });
});

test("chain §4.1: texts that a full signature covers are stored whole", async () => {
  const params = await node.fullTransfer(a, {
    to: b.address,
    amount: "1",
    memo: "m".repeat(3000),
    unlockdate: "0",
  });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  const { operations } = await rawBlock(await node.height());
  const { signature: _, ...covered } = params;
  assert.deepEqual(operations[0]?.params, covered);
});

interface Page {
  readonly items: readonly { readonly sn: number; readonly id: string }[];
  readonly cursor?: string;
}

test("chain §2, §10: the list of blocks has all of them, newest first, whatever is added meanwhile", async () => {
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
