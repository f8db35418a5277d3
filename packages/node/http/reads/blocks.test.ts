import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { NEWEST_VERSION } from "@moneta/ledger";
import { cursorText } from "@moneta/protocol";
import {
  type KeyHolder,
  parsed,
  publicPem,
  START,
  said,
  TestNode,
  transactionIdOf,
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

/** RFC 8785 for the values in blocks: strings, integers and objects of them. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

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

test("chain §8: the operations of block 0", async () => {
  const { operations } = await rawBlock(0);
  const [protocol, address, coin] = operations;
  assert.deepEqual(
    operations.map(({ op, actor, signatures }) => [op, actor, signatures]),
    [
      ["protocol", "", {}],
      ["address", "", {}],
      ["coin", "", {}],
    ],
  );
  assert.equal(protocol?.params["ledger"], "localhost/test");
  assert.equal(protocol?.params["version"], String(NEWEST_VERSION));
  assert.equal(protocol?.params["height"], "0");
  assert.equal(protocol?.params["auctionMin"], "3600");
  assert.equal(protocol?.params["auctionMax"], "1814400");
  assert.equal("operator" in (protocol?.params ?? {}), false);
  assert.deepEqual(address?.decided, { address: node.treasury.address });
  assert.deepEqual(address?.params, { publickey: publicPem(node.treasury.privateKey) });
  assert.deepEqual(coin?.decided, {});
  assert.deepEqual(Object.keys(coin?.params ?? {}).sort(), [
    "decimal",
    "name",
    "symbol",
    "totalsupply",
    "treasury",
  ]);
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
  assert.equal(said(await node.post("/transfer", params)), "400 5001");
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
    assert.match(said(await node.get(`/block/${name}`)), /^404 6001/);
    assert.match(said(await node.get(`/block/${name}/raw`)), /^404 6001/);
  });
}

test("chain §13 row 5: an id in upper case: 404 6001", async () => {
  const id = node.ledgerId.toUpperCase();
  assert.match(said(await node.get(`/block/${id}`)), /^404 6001/);
});

test("chain §13 row 6: a transaction by its id, and by what is none", async () => {
  const id = (await block(1)).transaction[0]?.id ?? "";
  assert.equal(said(await node.get(`/transaction/${id}`)), "200");
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
    assert.match(said(await node.get(`/transaction/${wrong}`)), /^404 6008/, wrong);
  }
});

test("chain §13 row 7: an id begins with the number of its block and its position", async () => {
  const key = await node.key(a);
  const keys = parsed<string[]>(await node.get(`/nonce/${a.address}?count=20`));
  const all = await Promise.all(
    keys.map((checkkey) => node.transfer(a, { to: b.address, amount: "1", checkkey })),
  );
  const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
  const ids = answers.map(transactionIdOf);
  for (const sn of new Set(ids.map((id) => Number.parseInt(id.slice(0, 16), 16)))) {
    const { transaction } = await block(sn);
    for (const [position, { id }] of transaction.entries()) {
      assert.equal(Number.parseInt(id.slice(0, 16), 16), sn);
      assert.equal(Number.parseInt(id.slice(16, 24), 16), position);
      const { db_sn } = await node.transaction(id);
      assert.equal(db_sn, String(sn));
    }
  }
  assert.notEqual(key, keys[0]);
});

/** Order of P-256. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

test("chain §13 row 9: with an n-s signature on a copy of the ledger: same id, other root and block id", async () => {
  await using one = await TestNode.start();
  await using other = await TestNode.start();
  const from = await one.holder({ coins: 10n });
  const params = await one.transfer(
    from,
    { to: one.treasury.address, amount: "1" },
    { form: "ieee-p1363" },
  );
  await one.stop();
  await other.stop();
  rmSync(other.data, { recursive: true });
  cpSync(one.data, other.data, { recursive: true });
  await one.resume();
  await other.resume();

  const bytes = Buffer.from(params.signature, "base64");
  const s = N - BigInt(`0x${bytes.toString("hex", 32)}`);
  bytes.write(s.toString(16).padStart(64, "0"), 32, "hex");
  const signature = bytes.toString("base64");
  const id = transactionIdOf(await one.post("/transfer", params));
  const otherId = transactionIdOf(await other.post("/transfer", { ...params, signature }));
  assert.equal(otherId, id);
  const height = await one.height();
  const [mine, theirs] = [await rawBlock(height, one), await rawBlock(height, other)];
  assert.notEqual(mine.header["root"], theirs.header["root"]);
  assert.notEqual(mine.id, theirs.id);
  assert.equal(mine.header["previous"], theirs.header["previous"]);
  assert.equal(mine.header["changes"], theirs.header["changes"]);
});

test("chain §4: every raw block hashes to its id, names the one before and holds what its ids say", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1", tags: "t".repeat(65) });
  await node.post("/transfer", params);
  let previous = NO_BLOCK;
  let size = 0;
  let latest = 0;
  const height = await node.height();
  for (let sn = 0; sn <= height; sn += 1) {
    const raw = await rawBlock(sn);
    const { id, timestamp, transaction } = await block(sn);
    assert.deepEqual(Object.keys(raw).sort(), ["header", "id", "operations"]);
    assert.deepEqual(Object.keys(raw.header).sort(), [
      "changes",
      "count",
      "previous",
      "protocol",
      "root",
      "size",
      "sn",
      "timestamp",
      "tree",
      "v",
    ]);
    size += raw.operations.length;
    assert.equal(raw.id, id);
    assert.equal(hash(canonical(raw.header)), id);
    const { v, protocol, count } = raw.header;
    assert.deepEqual([v, protocol, count], [1, NEWEST_VERSION, raw.operations.length]);
    assert.deepEqual([raw.header["sn"], raw.header["timestamp"]], [sn, timestamp]);
    assert.deepEqual([raw.header["previous"], raw.header["size"]], [previous, size]);
    for (const [position, operation] of raw.operations.entries()) {
      const { signatures: _, ...content } = operation;
      assert.equal(transaction[position]?.id.slice(24), hash(canonical(content)).slice(0, 40));
    }
    assert.ok(timestamp >= latest);
    previous = id;
    latest = timestamp;
  }

  const { operations } = await rawBlock(height);
  const { signature, tags: _, ...sent } = params;
  assert.deepEqual(operations, [
    {
      v: 1,
      op: "transfer",
      actor: a.address,
      params: { ...sent, tags: "t".repeat(64) },
      decided: {},
      signatures: { signature },
    },
  ]);
});

test("chain §4.1: params are texts as they were sent, under canonical names, without what is empty", async () => {
  const { checkkey, ...params } = await node.transfer(a, { to: b.address, amount: "1" });
  const sent = { ...params, amount: 1, token: 0, tkey: checkkey, tag: "x", memo: "", other: "y" };
  assert.equal(said(await node.postJson("/transfer", sent)), "200");
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
  assert.equal(said(await node.post("/transfer", params)), "200");
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

for (const { path, answer } of [
  { path: "/blocks?cursor=dex010.4", answer: "400 3005 cursor" },
  { path: `/blocks?cursor=${cursorText("blocks", 0, {})}`, answer: "400 3005 cursor" },
  { path: "/blocks/raw?limit=0", answer: "400 1101 limit" },
  { path: "/blocks/raw?limit=1001", answer: "400 1101 limit" },
  { path: "/blocks/raw?from=-1", answer: "400 1101 from" },
  { path: "/blocks/raw?from=01", answer: "400 1101 from" },
  { path: `/blocks/raw?from=1${"0".repeat(41)}`, answer: "400 1101 from" },
]) {
  test(`chain §13 row 16: ${path.slice(0, 40)}: ${answer}`, async () => {
    assert.equal(said(await node.get(path)), answer);
  });
}

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
    assert.equal(said(answer), "200");
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
  assert.equal(said(await large.postJson("/transfer", sent)), "200");
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
