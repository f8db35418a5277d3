import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import fc from "fast-check";
import { sha256 } from "../ledger/sha256.ts";
import { byLane } from "../ledger/testing/lane.ts";
import { ForwardingProxy } from "../node/testing/forwarding-proxy.ts";
import { Market, tradeAll } from "../node/testing/requests/market.ts";
import { type KeyHolder, summaryOf, TestNode } from "../node/testing/test-node.ts";
import { canonicalJson, type Header, type Json } from "../protocol/proof.ts";
import { everyItem, Moneta, type Transaction } from "./index.ts";
import {
  type CheckedCheckpoint,
  type CheckName,
  compareKeys,
  type ProofReport,
  verifyBlock,
  verifyEntry,
  verifyGrowth,
  verifyTransaction,
} from "./proof.ts";

let market: Market;
let node: TestNode;
let proxy: ForwardingProxy;
let alice: KeyHolder;
let bob: KeyHolder;
/** Reads through the proxy. */
let moneta: Moneta;
/** The verifier key of the node's checkpoints. */
let key: string;

before(async () => {
  market = await Market.open({ tokens: 1 });
  node = market.node;
  alice = await market.holder(1_000_000n, { tokens: { "1": 1000n } });
  bob = await market.holder(1_000_000n);
  await tradeAll(market, alice, bob);
  await pay(node, "97");
  proxy = await ForwardingProxy.to(node.url);
  moneta = new Moneta(proxy.url, { retries: 0 });
  key = (await moneta.checkpointKey()).trim();
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await market?.[Symbol.asyncDispose]();
});
afterEach(() => {
  proxy.target = node.url;
  proxy.change = (_path, body) => body;
  proxy.answer = () => false;
});

async function pay(on: TestNode, amount: string): Promise<void> {
  const params = await on.transfer(alice, { to: bob.address, amount, memo: "кофе ☕" });
  assert.equal(summaryOf(await on.post("/transfer", params)), "200");
}

function failed({ checks }: ProofReport): CheckName[] {
  return checks.filter(({ result }) => result === "fails").map(({ name }) => name);
}

async function listed(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of everyItem((cursor) => moneta.transactions({ cursor, limit: 100 }))) {
    ids.push(id);
  }
  return ids;
}

/** The newest transaction with effects on others: the purchase of an item. */
async function purchase(): Promise<Transaction> {
  for (const id of await listed()) {
    const transaction = await moneta.transaction({ transaction_id: id });
    if (transaction.effects.length > 1) {
      return transaction;
    }
  }
  assert.fail("no transaction has effects");
}

test("every transaction of a ledger is verified, by one request if the key is known", async () => {
  const ids = await listed();
  assert.ok(ids.length > 15, `${ids.length} transactions`);
  for (const id of ids) {
    const transaction = await moneta.transaction({ transaction_id: id });
    proxy.asked.length = 0;
    const report = await verifyTransaction(moneta, transaction, { keys: [key] });
    assert.equal(report.verdict, "verified", JSON.stringify(report, null, 1));
    assert.deepEqual(proxy.asked, [`/transaction/${id}/proof`]);
  }
});

test("a report says which ledger signed with which key at which size, and what was compared", async () => {
  const [id = ""] = await listed();
  const first = await verifyTransaction(moneta, id);
  const { note, origin, size, root, keyId, ...about } = first.checkpoint as CheckedCheckpoint;
  assert.equal(note, await moneta.checkpoint());
  assert.deepEqual([origin, String(size), root], note.split("\n").slice(0, 3));
  assert.ok(key.startsWith(`${origin}+${keyId}+`), key);
  assert.deepEqual(about, { key, isKeyKnown: false });
  const names: CheckName[] = ["answer", "id", "time", "record", "operation", "leaf", "block"];
  names.push("inclusion", "tree", "checkpoint", "origin", "key", "signature");
  assert.deepEqual(
    first.checks.map(({ name, result }) => `${name} ${result}`),
    names.map((name) => `${name} holds`),
  );
  const record = first.checks.find(({ name }) => name === "record");
  assert.ok(record?.expected !== "" && record?.expected === record?.found);
  const again = await verifyTransaction(moneta, id, { keys: [first.checkpoint?.key ?? ""] });
  assert.equal(again.checkpoint?.isKeyKnown, true);
});

test("every block of a ledger is verified, also of one with many transactions in a block", async () => {
  const { height, checkpoint_keys } = await moneta.service();
  assert.deepEqual(checkpoint_keys, [key]);
  for (let sn = 0; sn <= height; sn += 1) {
    const report = await verifyBlock(moneta, await moneta.block({ block: String(sn) }));
    assert.equal(report.verdict, "verified", JSON.stringify(report, null, 1));
  }
  await using large = await TestNode.start("--block-operations-max", "700");
  const other = new Moneta(large.url);
  const { privateKey } = await large.holder();
  const addresses = Array.from({ length: 300 }, () => large.holder({ privateKey }));
  await Promise.all(addresses);
  const blocks = await Promise.all(
    Array.from({ length: (await large.height()) + 1 }, (_, sn) =>
      other.block({ block: String(sn) }),
    ),
  );
  for (const block of blocks) {
    const report = await verifyBlock(other, block);
    assert.equal(report.verdict, "verified", JSON.stringify(report, null, 1));
  }
  assert.ok(blocks.some(({ transaction }) => transaction.length > 1));
});

test("every entry of a history is verified, and one that is not of its transaction is not", async () => {
  for (const { address } of [alice, bob]) {
    const { items } = await moneta.addressTransactions({ address, limit: 100 });
    assert.ok(items.length > 2);
    for (const entry of items) {
      const report = await verifyEntry(moneta, entry, { keys: [key], address });
      assert.equal(report.verdict, "verified", JSON.stringify(report, null, 1));
    }
  }
  const { items } = await moneta.addressTransactions({ address: bob.address, limit: 2 });
  const [entry, other] = items as [(typeof items)[0], (typeof items)[0]];
  const verified = async (change: object): Promise<CheckName[]> =>
    failed(await verifyEntry(moneta, { ...entry, ...change }, { address: bob.address }));
  assert.deepEqual(await verified({}), []);
  assert.deepEqual(await verified({ parameters: ["1000000"] }), ["entry"]);
  assert.deepEqual(await verified({ values: { balance: [] } }), ["entry"]);
  assert.deepEqual(await verified({ token: 1 }), ["entry"]);
  assert.deepEqual(await verified({ type: "transfer" }), ["entry"]);
  assert.deepEqual(await verified({ timestamp: entry.timestamp + 1 }), ["entry"]);
  assert.deepEqual(await verified({ db_id: other.db_id }), ["entry"]);
  assert.deepEqual(await verified({ id: other.id }), ["entry"]);
  assert.deepEqual(await verified({ id: "f".repeat(64) }), ["answer"]);
  assert.deepEqual(await verified({ id: "../block" }), ["id"]);
  // A record of the same transaction in the history of an address that it does not concern.
  const foreign = await verifyEntry(moneta, entry, { address: alice.address });
  assert.deepEqual(failed(foreign), ["entry"]);
});

test("every entry of the history of an item is verified, and one of another item is not", async () => {
  const items = (await moneta.mrc401Items({ limit: 10 })).items;
  assert.ok(items.length > 0);
  for (const { id } of items) {
    const history = await moneta.itemTransactions({ id, limit: 100 });
    assert.ok(history.items.length > 2);
    for (const entry of history.items) {
      const report = await verifyEntry(moneta, entry, { keys: [key] });
      assert.equal(report.verdict, "verified", JSON.stringify(report, null, 1));
      const other = { ...entry, item: `${entry.item}x` };
      assert.deepEqual(failed(await verifyEntry(moneta, other)), ["entry"]);
    }
  }
});

type Path = readonly (string | number)[];

/** Where texts and numbers are in a JSON value. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [path];
}

/** The JSON value with one character of a text changed, or a number that is another one. */
function changedAt(value: unknown, [name, ...rest]: Path, at: number): unknown {
  if (name !== undefined) {
    const inner = (value as Record<string, unknown>)[name];
    const changed = changedAt(inner, rest, at);
    return Array.isArray(value)
      ? value.with(Number(name), changed)
      : { ...(value as object), [name]: changed };
  }
  if (typeof value !== "string") {
    return Number(value) + 1;
  }
  const characters = [...value];
  const place = at % Math.max(1, characters.length);
  characters[place] = characters[place] === "1" ? "2" : "1";
  return characters.join("");
}

/** The checks that may fail for a changed member of a proof. */
const PROOF_CHECKS: Readonly<Record<string, readonly CheckName[]>> = {
  id: ["id"],
  leaf: ["leaf", "id", "record", "operation", "time", "inclusion"],
  leaf_index: ["block", "inclusion"],
  tree_size: ["tree"],
  root: ["tree"],
  proof: ["inclusion", "answer"],
  operation: ["operation"],
  block: ["block", "answer"],
  checkpoint: ["checkpoint", "origin", "key", "signature"],
};

test("a changed character anywhere in a proof fails, by the check that it concerns", async () => {
  const transaction = await purchase();
  const path = `/transaction/${transaction.id}/proof`;
  const proof = JSON.parse((await node.get(path)).text) as object;
  const places = leavesOf(proof);
  const isMet = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.nat(), async (place, at) => {
      const changed = changedAt(proof, place, at);
      proxy.change = (asked, body) =>
        asked === path ? Buffer.from(JSON.stringify(changed)).toString("latin1") : body;
      const report = await verifyTransaction(moneta, transaction, { keys: [key] });
      const [member = ""] = place as string[];
      isMet.add(member);
      assert.equal(report.verdict, "wrong", place.join("."));
      const fitting = failed(report).filter((name) => PROOF_CHECKS[member]?.includes(name));
      assert.ok(fitting.length > 0, `${place.join(".")}: ${failed(report)}`);
    }),
    {
      numRuns: byLane({ quick: places.length, long: 1000 }),
      examples: places.map((place): [Path, number] => [place, 7]),
    },
  );
  assert.deepEqual([...isMet].sort(), Object.keys(PROOF_CHECKS).sort());
});

test("a hash of 8 million digits fails a check like any other wrong one", async () => {
  const transaction = await purchase();
  const path = `/transaction/${transaction.id}/proof`;
  const proof = JSON.parse((await node.get(path)).text) as { readonly proof: readonly string[] };
  const changed = JSON.stringify({ ...proof, proof: ["A".repeat(8e6), ...proof.proof.slice(1)] });
  proxy.change = (asked, body) => (asked === path ? Buffer.from(changed).toString("latin1") : body);
  assert.deepEqual(failed(await verifyTransaction(moneta, transaction, { keys: [key] })), [
    "answer",
  ]);
});

/** The checks that fail for a changed member of a transaction. */
const SHOWN_CHECKS: Readonly<Record<string, readonly CheckName[]>> = {
  id: ["id", "answer"],
  db_sn: ["id"],
  db_id: ["block"],
  timestamp: ["time"],
  type: ["record"],
  address: ["record"],
  token: ["record"],
  parameters: ["record"],
  values: ["record"],
  validationCode: ["record"],
  effects: ["record"],
};

test("a changed character anywhere in a shown transaction fails, by the check that it concerns", async () => {
  const transaction = await purchase();
  const places = leavesOf(transaction);
  const isMet = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.nat(), async (place, at) => {
      const changed = changedAt(transaction, place, at) as Transaction;
      const report = await verifyTransaction(moneta, changed, { keys: [key] });
      const [member = ""] = place as string[];
      isMet.add(member);
      const names = failed(report);
      assert.ok(names.length > 0, place.join("."));
      assert.ok(
        names.every((name) => SHOWN_CHECKS[member]?.includes(name)),
        `${place.join(".")}: ${names}`,
      );
    }),
    {
      numRuns: byLane({ quick: places.length, long: 1000 }),
      examples: places.map((place): [Path, number] => [place, 7]),
    },
  );
  assert.deepEqual([...isMet].sort(), Object.keys(SHOWN_CHECKS).sort());
});

test("a changed byte of any answer is never verified, and never throws", async () => {
  const { id } = await purchase();
  const sn = String(Number.parseInt(id.slice(0, 16), 16));
  const shown = await moneta.block({ block: sn });
  const { leaf } = await moneta.transactionProof({ transaction_id: id });
  assert.equal(shown.transaction.length, 1);
  const verified = {
    transaction: () => verifyTransaction(moneta, id),
    block: () => verifyBlock(moneta, shown),
  };
  for (const [what, verify] of Object.entries(verified)) {
    proxy.change = (_path, body) => body;
    proxy.asked.length = 0;
    assert.equal((await verify()).verdict, "verified");
    const paths = [...proxy.asked];
    assert.ok(paths.length >= 3, paths.join(" "));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (path, place, difference) => {
          let isSame = true;
          proxy.change = (asked, body) => {
            if (asked !== path) {
              return body;
            }
            const bytes = Buffer.from(body, "latin1");
            const at = place % bytes.length;
            bytes[at] = (bytes[at] as number) ^ difference;
            const changed = bytes.toString("latin1");
            // Of a bundle only the block's own leaves count.
            isSame = path.startsWith("/tlog/")
              ? changed.includes(leaf)
              : isSameJson(body, changed, what === "block");
            return bytes.toString("latin1");
          };
          const report = await verify();
          assert.ok(isSame || report.verdict === "wrong", `${what}: ${path}: byte ${place}`);
        },
      ),
      { numRuns: byLane({ quick: 30, long: 1000 }) },
    );
  }
});

/** Whether two answers are one JSON value; for a block but for the operation, which it does not show. */
function isSameJson(a: string, b: string, isOfBlock: boolean): boolean {
  const known = (name: string, value: unknown): unknown =>
    isOfBlock && name === "operation" ? undefined : value;
  try {
    return JSON.stringify(JSON.parse(a), known) === JSON.stringify(JSON.parse(b), known);
  } catch {
    return false;
  }
}

test("a proof without the operation is no proof, of a block neither", async () => {
  const { id } = await purchase();
  const shown = await moneta.block({ block: String(Number.parseInt(id.slice(0, 16), 16)) });
  proxy.change = (path, body) =>
    path.endsWith("/proof") ? body.replace('"operation":', '"nperation":') : body;
  const reports = [await verifyTransaction(moneta, id), await verifyBlock(moneta, shown)];
  proxy.change = (_path, body) => body;
  assert.deepEqual(
    reports.map(({ verdict }) => verdict),
    ["wrong", "wrong"],
  );
});

test("a changed character anywhere in a shown block fails", async () => {
  const { id } = await purchase();
  const block = await moneta.block({ block: String(Number.parseInt(id.slice(0, 16), 16)) });
  for (const place of leavesOf(block)) {
    for (const at of [0, 20, 40]) {
      const changed = changedAt(block, place, at) as typeof block;
      const report = await verifyBlock(moneta, changed, { keys: [key] });
      assert.equal(report.verdict, "wrong", place.join("."));
    }
  }
  const [first] = block.transaction;
  for (const transaction of [[], [first, first], [...block.transaction, first]]) {
    const report = await verifyBlock(moneta, { ...block, transaction } as typeof block);
    assert.equal(report.verdict, "wrong", `${transaction.length} transactions`);
  }
});

test("a block of which the node leaves the last transactions out is not verified", async () => {
  const { sn, timestamp, transaction } = await moneta.block({ block: "0" });
  for (let count = 1; count < transaction.length; count += 1) {
    const shown = transaction.slice(0, count);
    const path = `/transaction/${shown[0]?.id}/proof`;
    const answer = JSON.parse((await node.get(path)).text) as { readonly block: Header };
    // Those of the tree when the ledger had so few leaves: both are in the signed tree.
    const smaller = JSON.parse((await node.get(`${path}?size=${count}`)).text) as { root: string };
    const root = Buffer.from(smaller.root, "base64").toString("hex");
    const block = { ...answer.block, count, size: count, root, tree: root };
    proxy.change = (asked, body) =>
      asked === path ? JSON.stringify({ ...JSON.parse(body), block }) : body;
    const id = sha256.hex(canonicalJson(block as unknown as Json));
    const report = await verifyBlock(moneta, { sn, id, timestamp, transaction: shown });
    assert.deepEqual(failed(report), ["leaves"], JSON.stringify(report, null, 1));
  }
});

test("a ledger that has only grown is distinguished from one that was rewritten with the same key", async () => {
  const [id = ""] = await listed();
  const { checkpoint: earlier } = await verifyTransaction(moneta, id);
  assert.ok(earlier !== undefined);
  await using fork = await TestNode.copyOf(node);
  await pay(fork, "1");
  await pay(fork, "2");
  await pay(node, "3");

  const newest = async (url: string): Promise<CheckedCheckpoint> => {
    const ledger = new Moneta(url);
    const [item] = (await ledger.transactions({ limit: 1 })).items;
    const { checkpoint } = await verifyTransaction(ledger, item?.id ?? "", { keys: [key] });
    assert.ok(checkpoint !== undefined);
    return checkpoint;
  };
  const later = await newest(proxy.url);
  proxy.asked.length = 0;
  const grown = await verifyGrowth(moneta, { earlier, later }, { keys: [key] });
  assert.equal(grown.verdict, "verified", JSON.stringify(grown, null, 1));
  assert.deepEqual(proxy.asked, [
    `/checkpoint/consistency?from=${earlier.size}&to=${earlier.size + 1}`,
  ]);
  const same = await verifyGrowth(moneta, { earlier: later, later });
  assert.equal(same.verdict, "verified", JSON.stringify(same, null, 1));

  const shrunk = await verifyGrowth(moneta, { earlier: later, later: earlier });
  assert.deepEqual(failed(shrunk), ["growth"]);
  const forked = await newest(fork.url);
  const rewritten = await verifyGrowth(new Moneta(fork.url), { earlier: later, later: forked });
  assert.deepEqual(failed(rewritten), ["growth"]);

  const path = `/checkpoint/consistency?from=${earlier.size}&to=${later.size}`;
  const proof = JSON.parse((await node.get(path)).text) as object;
  for (const place of leavesOf(proof)) {
    const changed = changedAt(proof, place, 5);
    proxy.change = () => JSON.stringify(changed);
    const report = await verifyGrowth(moneta, { earlier, later });
    assert.equal(report.verdict, "wrong", place.join("."));
  }
  for (const note of [later.note.replace(/^\d+$/m, "7"), "", "x", `${later.note}x`]) {
    const report = await verifyGrowth(moneta, { earlier: { ...later, note }, later });
    assert.ok(failed(report).includes("earlier"), note);
    const reversed = await verifyGrowth(moneta, { earlier, later: { note } });
    assert.equal(reversed.verdict, "wrong", note);
  }
});

test("another key than the known one, and another ledger than the expected one, are reported", async () => {
  await using other = await TestNode.start();
  const otherKey = (await other.get("/checkpoint/key")).text.trim();
  const [id = ""] = await listed();
  const stranger = await verifyTransaction(moneta, id, { keys: [otherKey] });
  assert.deepEqual(failed(stranger), ["key"]);
  assert.equal(stranger.checkpoint, undefined);
  const both = await verifyTransaction(moneta, id, { keys: [otherKey, key] });
  assert.equal(both.verdict, "verified");
  assert.equal(both.checkpoint?.key, key);
  const elsewhere = await verifyTransaction(moneta, id, { origin: "ledger.example/main" });
  assert.deepEqual(failed(elsewhere), ["origin"]);
  await assert.rejects(verifyTransaction(moneta, id, { keys: ["x"] }), {
    name: "TypeError",
    message: 'keys has verifier keys, <name>+<key id>+<base64>, and not "x"',
  });
  // On first contact a node may show no keys, or such that have not signed.
  for (const shown of ["", "x\n", `${otherKey}\n`]) {
    proxy.change = (path, body) => (path === "/checkpoint/key" ? shown : body);
    assert.deepEqual(failed(await verifyTransaction(moneta, id)), ["key"]);
  }
});

test("kept keys are compared with shown ones", () => {
  const other = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
  assert.equal(compareKeys([], [key]), "first");
  assert.equal(compareKeys([key], [key]), "same");
  assert.equal(compareKeys([key, other], [key]), "same");
  assert.equal(compareKeys([key], [other, key]), "more");
  assert.equal(compareKeys([key], [other]), "other");
  assert.equal(compareKeys([key], []), "other");
  assert.equal(compareKeys(["x"], ["x"]), "other");
});

test("without a checkpoint a proof is not verified, and wrong where one was known to be signed", async () => {
  const [id = ""] = await listed();
  proxy.change = (path, body) =>
    path.endsWith("/proof") ? JSON.stringify({ ...JSON.parse(body), checkpoint: "" }) : body;
  const unsigned = await verifyTransaction(moneta, id);
  assert.equal(unsigned.verdict, "unchecked");
  assert.deepEqual(
    unsigned.checks.filter(({ result }) => result === "unchecked").map(({ name }) => name),
    ["tree", "checkpoint", "origin", "key", "signature"],
  );
  assert.deepEqual(failed(await verifyTransaction(moneta, id, { keys: [key] })), ["checkpoint"]);
});

test("what is no answer, too much of one, or a refusal fails; a node that is not there throws", async () => {
  const [id = ""] = await listed();
  const transaction = await moneta.transaction({ transaction_id: id });
  const block = await moneta.block({ block: transaction.db_sn });
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  for (const body of ["", "x", "null", "[]", "7", '"x"', "{}", deep, '{"proof":[[]]}']) {
    proxy.change = (path, answer) => (path.endsWith("/proof") ? body : answer);
    assert.deepEqual(failed(await verifyTransaction(moneta, transaction)), ["answer"], body);
    assert.deepEqual(failed(await verifyBlock(moneta, block)), ["answer"], body);
  }
  for (const change of [
    { operation: undefined },
    { operation: null },
    { operation: { memo: "\ud800" } },
    { operation: { amount: 1.5 } },
  ]) {
    proxy.change = (path, body) =>
      path.endsWith("/proof") ? JSON.stringify({ ...JSON.parse(body), ...change }) : body;
    const names = failed(await verifyTransaction(moneta, transaction));
    assert.ok(names.includes("operation"), JSON.stringify(change));
  }
  proxy.change = (_path, body) => body;
  const bare = { ...transaction, effects: undefined } as never;
  assert.deepEqual(failed(await verifyTransaction(moneta, bare)), ["record"]);
  for (const shown of [null, {}, { id }] as never[]) {
    assert.equal((await verifyTransaction(moneta, shown)).verdict, "wrong");
    assert.equal((await verifyEntry(moneta, shown)).verdict, "wrong");
    assert.equal((await verifyBlock(moneta, shown)).verdict, "wrong");
  }
  // A list of keys without an end, as only a hostile node sends it.
  let isClosed = false;
  proxy.answer = ({ url }, response) => {
    if (url !== "/checkpoint/key") {
      return false;
    }
    response.writeHead(200, { "content-type": "text/plain", "ledger-height": "1" });
    response.on("close", () => {
      isClosed = true;
    });
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536))) {}
    };
    response.on("drain", more);
    more();
    return true;
  };
  assert.deepEqual(failed(await verifyTransaction(moneta, id)), ["key"]);
  while (!isClosed) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  proxy.answer = () => false;
  proxy.target = undefined;
  await assert.rejects(verifyTransaction(moneta, transaction), { name: "UnansweredError" });
});

test("nothing of it needs WebCrypto, which pages over plain HTTP do not have", async () => {
  const [id = ""] = await listed();
  const crypto = Object.getOwnPropertyDescriptor(globalThis, "crypto") as PropertyDescriptor;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.equal((await verifyTransaction(moneta, id)).verdict, "verified");
  } finally {
    Object.defineProperty(globalThis, "crypto", crypto);
  }
});
