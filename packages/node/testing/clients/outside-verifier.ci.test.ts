// An independent program, which shares no code with ours, verifies all that the ledger publishes,
// and finds any change.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type GroupMember, signedGroup } from "../requests/batch-requests.ts";
import { exchangeRequest, sendExchange } from "../requests/exchange-requests.ts";
import { issued } from "../requests/token-requests.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { newKey, parsed, publicPem, START, summaryOf, TestNode } from "../test-node.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("outside_verifier.py", import.meta.url));

const missing = ["python3", "openssl"].filter((command) => spawnSync(command, ["--version"]).error);
const skip = missing.length > 0 ? `not on this machine: ${missing.join(", ")}` : false;

interface Proof {
  readonly id: string;
  readonly leaf: string;
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly root: string;
  readonly proof: readonly string[];
  readonly operation: { readonly params: Readonly<Record<string, string>> };
  readonly block: Readonly<Record<string, unknown>>;
  readonly checkpoint: string;
}

interface Consistency {
  readonly from: number;
  readonly to: number;
  readonly from_root: string;
  readonly to_root: string;
  readonly proof: readonly string[];
}

let node: TestNode;
/** The operator's key, from the operator directly. */
let key: string;
let ids: string[];

// More than one full tile, and a part of the next.
const ADDRESSES = 290;
const AT_ONCE = 30;

before(async () => {
  node = await TestNode.start();
  key = node.running.service.checkpoints?.verifierKeys[0] as string;
  const publickey = publicPem(newKey());
  for (let made = 0; made < ADDRESSES; made += AT_ONCE) {
    node.now = START + made;
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, ADDRESSES - made) }, (_, at) =>
        node.post("/address", { publickey, addinfo: `„${made + at}“ \u{1f600}\t\u007f` }),
      ),
    );
  }
  await node.pay(await node.holder(), 5n);
  await exchangeOnce();
  await payInGroup();
  ids = [];
  for (let height = 0; height <= (await node.height()); height += 1) {
    const block = parsed<{ transaction: { id: string }[] }>(await node.get(`/block/${height}`));
    ids.push(...block.transaction.map(({ id }) => id));
  }
  assert.ok(ids.length > 256 + 30);
});
after(() => node[Symbol.asyncDispose]());

async function exchangeOnce(): Promise<void> {
  const from = await node.holder({ coins: 10n });
  const to = await node.holder();
  const toToken = await issued(node, to);
  const terms = { fromAmount: "2", fromToken: "0", toAmount: "1", toToken };
  const request = await exchangeRequest(node, terms, { from, to });
  assert.equal(summaryOf(await sendExchange(node, request)), "200");
}

async function payInGroup(): Promise<void> {
  const people = [await node.holder({ coins: 10n }), await node.holder({ coins: 10n })];
  const members = people.map(async (from, at): Promise<GroupMember> => {
    const to = people[1 - at]?.address ?? "";
    const checkkey = await node.key(from);
    const params = { from: from.address, to, token: "0", amount: "1", checkkey };
    return { by: [from], operation: "transfer", params };
  });
  const operations = signedGroup(node, await Promise.all(members));
  assert.equal(summaryOf(await node.postJson("/group", { operations })), "200");
}

async function verifier(...command: string[]): Promise<{ isContent: boolean; reported: string }> {
  try {
    const { stdout } = await run("python3", [SCRIPT, ...command]);
    return { isContent: true, reported: stdout.trim() };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^wrong: /, stderr);
    return { isContent: false, reported: stdout.trim() };
  }
}

async function verdicts(answers: readonly unknown[], ...keys: string[]): Promise<string[]> {
  const child = spawn("python3", [SCRIPT, "judge", ...keys], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  let summaryOf = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    summaryOf += chunk;
  }
  const lines = summaryOf.trimEnd().split("\n");
  assert.equal(lines.length, answers.length);
  return lines;
}

async function proofOf(id: string, size?: number): Promise<Proof> {
  const query = size === undefined ? "" : `?size=${size}`;
  const answer = await node.get(`/transaction/${id}/proof${query}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<Proof>(answer);
}

async function consistency(from: number, to?: number): Promise<Consistency> {
  const more = to === undefined ? "" : `&to=${to}`;
  const answer = await node.get(`/checkpoint/consistency?from=${from}${more}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<Consistency>(answer);
}

async function inGroups<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map((one) => ask(one)))));
  }
  return answers;
}

/** Text of base64 with one bit of its bytes changed. */
function changedHash(text: string): string {
  const bytes = Buffer.from(text, "base64");
  bytes[7] = (bytes[7] as number) ^ 1;
  return bytes.toString("base64");
}

test("chain §12: an independent program verifies a whole ledger: tiles, entries, blocks, inclusion at two sizes, consistency from every block", {
  skip,
}, async () => {
  const blocks = (await node.height()) + 1;
  assert.deepEqual(await verifier("audit", node.url, key), {
    isContent: true,
    reported: `sound: ${ids.length} transactions in ${blocks} blocks`,
  });
});

test("what cannot be checked is a sentence and exit code 2, without a traceback", {
  skip,
}, async () => {
  const nobody = "http://127.0.0.1:1";
  for (const { command, says } of [
    { command: ["audit", nobody, key], says: /^http:.*checkpoint cannot be read: .*\n$/ },
    { command: ["audit", "localhost", key], says: /^'localhost' is not a URL of a node\n$/ },
    { command: ["audit", node.url, "foo"], says: /^'foo' is not a verifier key.*<name>.*\n$/ },
    { command: ["audit", node.url, "a+b+YQ"], says: /^'a\+b\+YQ' is not a verifier key.*\n$/ },
    { command: ["audit", node.url, `x${key}`], says: /is not a verifier key of Ed25519.*\n$/ },
    { command: ["audit", node.url], says: /outside_verifier.py audit URL KEY/ },
    { command: [], says: /outside_verifier.py audit URL KEY/ },
  ]) {
    await assert.rejects(run("python3", [SCRIPT, ...command]), (thrown) => {
      const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, stderr);
      assert.match(stderr, says);
      return true;
    });
  }
});

/** Sizes from one on: small ones, those around the first tile, and the newest. */
function sizesFrom(first: number): readonly number[] {
  const sizes = Array.from({ length: ids.length - first + 1 }, (_, more) => first + more);
  return sizes.filter(
    (size) => size < 10 || (size > 253 && size < 260) || size % 48 === 0 || size > ids.length - 2,
  );
}

// Sizes of all kinds: packages/protocol/tree.
test("a transaction is proved at sizes from its own on", { skip }, async () => {
  const asked = [0, 255, 256].flatMap((index) =>
    sizesFrom(index + 1).map((size) => [index, size] as const),
  );
  const proofs = await inGroups(asked, ([index, at]) => proofOf(ids[index] as string, at));
  assert.deepEqual(new Set(await verdicts(proofs, key)), new Set(["sound"]));
});

test("consistency is proved from any size to the newest", { skip }, async () => {
  const proofs = await inGroups(sizesFrom(1), (from) => consistency(from));
  assert.deepEqual(new Set(await verdicts(proofs, key)), new Set(["sound"]));
  assert.deepEqual(proofs.at(-1)?.proof, []);
});

test("an independent program finds any change to an inclusion proof", { skip }, async () => {
  const id = ids[100] as string;
  const proof = await proofOf(id);
  const record = parsed<object>(await node.get(`/transaction/${id}`));
  const [first = "", ...rest] = proof.proof;
  const { params } = proof.operation;
  const other = await proofOf(ids[101] as string);
  const changed: Record<string, unknown> = {
    "the path": { ...proof, proof: [changedHash(first), ...rest] },
    "the length of the path": { ...proof, proof: rest },
    "the root": { ...proof, root: changedHash(proof.root) },
    "the leaf": { ...proof, leaf: proof.leaf.replace(/[0-9]}$/, "x}") },
    "the leaf for that of another": { ...proof, leaf: other.leaf },
    "the place": { ...proof, leaf_index: proof.leaf_index + 1 },
    "the size": { ...proof, tree_size: proof.tree_size - 1 },
    "the operation": {
      ...proof,
      operation: { ...proof.operation, params: { ...params, addinfo: "x" } },
    },
    "the operation's signature": {
      ...proof,
      operation: { ...proof.operation, signatures: { signature: "MEQ=" } },
    },
    "the block": { ...proof, block: { ...proof.block, sn: 0 } },
    "the id": { ...proof, id: other.id },
    "the record": { ...proof, record: { ...record, token: 1 } },
    "the checkpoint's size": {
      ...proof,
      checkpoint: proof.checkpoint.replace(`\n${ids.length}\n`, `\n${ids.length + 1}\n`),
    },
    "the checkpoint's signature": {
      ...proof,
      checkpoint: proof.checkpoint.replace(/(?<= )[^ ]+(?=\n$)/, (text) => {
        const bytes = Buffer.from(text, "base64");
        bytes[40] = (bytes[40] as number) ^ 1;
        return bytes.toString("base64");
      }),
    },
  };
  const [sound, soundRecord, ...wrong] = await verdicts(
    [proof, { ...proof, record }, ...Object.values(changed)],
    key,
  );
  assert.deepEqual([sound, soundRecord], ["sound", "sound"]);
  for (const [at, what] of Object.keys(changed).entries()) {
    assert.match(wrong[at] ?? "", /^wrong: /, what);
  }
});

test("an independent program finds any change to a consistency proof", { skip }, async () => {
  const proof = await consistency(100, 270);
  const [first = "", ...rest] = proof.proof;
  const [sound, ...wrong] = await verdicts(
    [
      proof,
      { ...proof, proof: [changedHash(first), ...rest] },
      { ...proof, proof: rest },
      { ...proof, proof: [...proof.proof, first] },
      { ...proof, from_root: changedHash(proof.from_root) },
      { ...proof, to_root: changedHash(proof.to_root) },
      { ...proof, from: 101 },
      { ...proof, to: 256 },
    ],
    key,
  );
  assert.equal(sound, "sound");
  for (const verdict of wrong) {
    assert.match(verdict, /^wrong: /);
  }
});

test("another key verifies nothing", { skip }, async () => {
  const [name = ""] = key.split("+");
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const bytes = Buffer.concat([Buffer.of(1), Buffer.from(x, "base64url")]);
  const id = createHash("sha256").update(`${name}\n`).update(bytes).digest("hex").slice(0, 8);
  const strange = `${name}+${id}+${bytes.toString("base64")}`;
  const { text: checkpoint } = await node.get("/checkpoint");
  const ask = (...keys: string[]): Promise<string[]> => verdicts([{ checkpoint }], ...keys);
  assert.deepEqual(await ask(key), ["sound"]);
  assert.deepEqual(await ask(strange), ["wrong: no known key has signed it"]);
});

test("the static files of the log are valid, and any change to one of them is found", {
  skip,
}, async () => {
  using directory = new TemporaryDirectory("tiles");
  const size = ids.length;
  const width = size - 256;
  const paths = [
    "checkpoint",
    "tile/0/000",
    `tile/0/001.p/${width}`,
    "tile/1/000.p/1",
    "tile/entries/000",
    `tile/entries/001.p/${width}`,
  ];
  const sound = join(directory.path, "sound");
  for (const path of paths) {
    const response = await fetch(`${node.url}/tlog/${path}`);
    assert.equal(response.status, 200, path);
    mkdirSync(dirname(join(sound, path)), { recursive: true });
    writeFileSync(join(sound, path), await response.bytes());
  }
  const changes: { path: string; wrong: Buffer }[] = paths.flatMap((path) => {
    const content = readFileSync(join(sound, path));
    const changed = Buffer.from(content);
    const at = Math.floor(content.length / 2);
    changed[at] = (changed[at] as number) ^ 1;
    return [changed, content.subarray(0, -1)].map((wrong) => ({ path, wrong }));
  });
  const folders = changes.map(({ path, wrong }, number) => {
    const folder = join(directory.path, String(number));
    cpSync(sound, folder, { recursive: true });
    writeFileSync(join(folder, path), wrong);
    return folder;
  });
  const { reported: summaryOf } = await verifier("tiles", sound, key);
  assert.match(summaryOf, new RegExp(`^sound: ${size} leaves`));
  assert.ok(!(await verifier("tiles", folders[0] as string, key)).isContent);
  const [first, ...others] = await verdicts(
    [sound, ...folders].map((prefix) => ({ prefix })),
    key,
  );
  assert.equal(first, "sound");
  for (const [at, verdict] of others.entries()) {
    assert.match(verdict, /^wrong: /, String(changes[at]?.path));
  }
});

test("while blocks are made, a proof and its checkpoint have one size, and each size is consistent with those before", {
  skip,
}, async () => {
  const publickey = publicPem(newKey());
  const answers: unknown[] = [];
  const sizes = new Set<number>();
  let isMade = false;
  const made = (async () => {
    for (let block = 0; block < 8; block += 1) {
      await node.post("/address", { publickey });
    }
    isMade = true;
  })();
  while (!isMade) {
    const proof = await proofOf(ids[(answers.length * 7) % ids.length] as string);
    assert.equal(Number(proof.checkpoint.split("\n")[1]), proof.tree_size);
    answers.push(proof);
    sizes.add(proof.tree_size);
    const answer = await node.get("/checkpoint");
    const [, size = "", root = ""] = answer.text.split("\n");
    const height = answer.headers.get("ledger-height");
    const raw = parsed<{ header: { size: number; tree: string } }>(
      await node.get(`/block/${height}/raw`),
    );
    assert.deepEqual(
      { size: Number(size), tree: Buffer.from(root, "base64").toString("hex") },
      { size: raw.header.size, tree: raw.header.tree },
    );
    answers.push({ checkpoint: answer.text });
    sizes.add(raw.header.size);
  }
  await made;
  assert.ok(sizes.size > 1, "blocks were made meanwhile");
  const all = [...sizes];
  for (const [at, from] of all.slice(0, -1).entries()) {
    answers.push(await consistency(from, all[at + 1]));
  }
  assert.deepEqual(new Set(await verdicts(answers, key)), new Set(["sound"]));
});
