import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sha256 } from "@moneta/ledger";
import {
  parseVerifierKey,
  type SignedCheckpoint,
  type VerifierKey,
  verifierKeyText,
  verifyCheckpoint,
  verifyConsistency,
} from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { verifyEd25519 } from "../follower/served-checkpoint.ts";
import { ClusterWrites } from "../testing/cluster/cluster-writes.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { lightFetch } from "../testing/light-fetch.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

let engine: PostgresServer;
let directory: TemporaryDirectory;
/** A and B have the key, C has none. */
let a: ServiceProcess;
let b: ServiceProcess;
let c: ServiceProcess;
let key: VerifierKey;
before(async () => {
  engine = await PostgresServer.start();
  directory = new TemporaryDirectory("checkpoints");
  const more = ["--log", engine.url];
  a = await ServiceProcess.start({ more });
  const ofB = join(directory.path, "b");
  mkdirSync(ofB);
  cpSync(join(a.dataDirectory, "checkpoint.pem"), join(ofB, "checkpoint.pem"));
  b = await ServiceProcess.start({ data: ofB, more });
  c = await ServiceProcess.start({ more });
  const text = await (await lightFetch(`${a.url}/checkpoint/key`)).text();
  key = parseVerifierKey(sha256, text.trimEnd()) as VerifierKey;
});
after(async () => {
  for (const one of [c, b, a, engine]) {
    await one[Symbol.asyncDispose]();
  }
  directory[Symbol.dispose]();
});

interface Shown extends SignedCheckpoint {
  readonly note: string;
  readonly height: number;
}

/** A node's checkpoint; the request is repeated while the node reports a lag. */
async function checkpointOf(
  node: { readonly url: string },
  { withinMs = 60_000 }: { readonly withinMs?: number } = {},
): Promise<Shown> {
  let answer = await lightFetch(`${node.url}/checkpoint`);
  for (const end = Date.now() + withinMs; answer.status === 503 && Date.now() < end; ) {
    await delay(100);
    answer = await lightFetch(`${node.url}/checkpoint`);
  }
  const note = await answer.text();
  assert.equal(answer.status, 200, note);
  const parsed = await verifyCheckpoint(note, [key], verifyEd25519);
  assert.ok(parsed !== undefined, "it is signed");
  return { ...parsed, note, height: Number(answer.headers.get("ledger-height")) };
}

/** The checkpoint of the newest block: no node signs another one while nothing is written. */
async function newestCheckpoint(): Promise<Shown> {
  const height = Number((await lightFetch(`${a.url}/block`)).headers.get("ledger-height"));
  assert.ok(height > 0);
  for (;;) {
    const shown = await checkpointOf(a);
    if (shown.height >= height) {
      return shown;
    }
    await delay(200);
  }
}

const ROUNDS = byLane({ quick: 25, long: 100 });
/** There is one signature a second: on a fast machine the rounds end before this number. */
const SHOWN_MIN = 4;

test(`row 21: two nodes with the checkpoint key asked at once for a signature, ${ROUNDS} times`, async (t) => {
  await checkpointOf(a);
  // The signers' writes, as the engine sees them.
  await engine.sql(
    `CREATE TABLE moneta.signed AS SELECT size, note, signed_at FROM moneta.checkpoint;
    CREATE FUNCTION moneta.note_signed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO moneta.signed VALUES (NEW.size, NEW.note, NEW.signed_at); RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE UPDATE ON moneta.checkpoint FOR EACH ROW EXECUTE FUNCTION moneta.note_signed()`,
  );
  await using writes = new ClusterWrites(() => [a, b, c]);
  const shown = new Map<number, Shown>();
  const newest = new Map<ServiceProcess, number>();
  for (let round = 0; round < ROUNDS || shown.size < SHOWN_MIN; round += 1) {
    const nodes = [a, b, ...(round % 10 === 0 ? [c] : [])];
    // Each node is compared only with itself: without the engine for 5 s, as on a busy machine, it
    // shows what it has.
    const least = nodes.map((node) => newest.get(node) ?? 0);
    const together = await Promise.all(nodes.map((node) => checkpointOf(node)));
    for (const [index, one] of together.entries()) {
      assert.ok(one.size >= (least[index] as number), "none is smaller than one shown before");
      newest.set(nodes[index] as ServiceProcess, one.size);
      assert.equal(shown.get(one.size)?.note ?? one.note, one.note, "one note for each size");
      shown.set(one.size, one);
    }
    await delay(50);
  }
  await writes.end();

  const signed = await engine.sql(
    "SELECT size, note, signed_at - lag(signed_at) OVER (ORDER BY size) >= interval '1 second' AS is_apart FROM moneta.signed ORDER BY signed_at",
  );
  const sizes = signed.map(({ size }) => Number(size));
  assert.deepEqual(sizes, [...new Set(sizes)].toSorted(byNumber), "signed sizes never fall");
  assert.ok(signed.slice(1).every(({ is_apart: isApart }) => isApart));
  const stored = new Set(signed.map(({ note }) => note));
  assert.ok([...shown.values()].every(({ note }) => stored.has(note)));
  t.diagnostic(`${sizes.length} were signed, ${writes.ids.length} transactions written`);

  const inOrder = [...shown.values()].toSorted((one, other) => one.size - other.size);
  for (const [index, from] of inOrder.entries()) {
    for (const to of inOrder.slice(index + 1)) {
      assert.ok(await isConsistent(from, to), `${from.size} with ${to.size}`);
    }
  }
});

test("cluster §7: a node without the key passes on the newest checkpoint, its keys and proofs", async () => {
  const { note, height, size } = await newestCheckpoint();
  const passed = await checkpointOf(c);
  assert.deepEqual([passed.note, passed.height], [note, height]);
  const [block] = await engine.sql(
    `SELECT (header::json->>'size')::int AS size FROM moneta.block WHERE height = ${height}`,
  );
  assert.equal(block?.["size"], size, "Ledger-Height is that of its block");
  for (const path of ["/checkpoint/key", "/tlog/checkpoint"]) {
    const [own, others] = await Promise.all(
      [a, c].map(async ({ url }) => (await lightFetch(url + path)).text()),
    );
    assert.equal(others, own);
  }
  const root = (await (await lightFetch(c.url)).json()) as { checkpoint_keys: string[] };
  assert.deepEqual(root.checkpoint_keys, [
    (await (await lightFetch(`${a.url}/checkpoint/key`)).text()).trimEnd(),
  ]);
  const proof = (await (
    await lightFetch(`${c.url}/transaction/${await firstId()}/proof`)
  ).json()) as {
    tree_size: number;
    checkpoint: string;
  };
  assert.deepEqual([proof.tree_size, proof.checkpoint], [size, note]);
});

test("cluster §7, §8: a follower of a node without the key has each block soon, without requests for a checkpoint", async () => {
  await using follower = await TestNode.start("--log", c.url);
  const heightOf = async (node: { readonly url: string }): Promise<number> =>
    Number((await lightFetch(`${node.url}/block`)).headers.get("ledger-height"));
  const writes = new ClusterWrites(() => [c]);
  for (const height = await heightOf(c); (await heightOf(c)) < height + 3; ) {
    await delay(50);
  }
  await writes.end();
  const wanted = await heightOf(c);
  await until(
    async () => (await heightOf(follower)) >= wanted,
    "it comes without a request to A or B",
  );
});

test("cluster §8: a follower shows how old its blocks are while newer ones are unsigned", async () => {
  await using follower = await ServiceProcess.start({ more: ["--log", c.url] });
  for (const node of [a, b]) {
    process.kill(node.pid, "SIGSTOP");
  }
  const writes = new ClusterWrites(() => [c]);
  const aged = async (): Promise<boolean> =>
    (await lightFetch(`${follower.url}/block`)).headers.has("ledger-age");
  await until(async () => await aged(), "Ledger-Age comes");
  assert.match(
    follower.output(),
    /GET \/checkpoint: its newest one ends with block \d+, and it has/,
  );
  await writes.end();
  for (const node of [a, b]) {
    process.kill(node.pid, "SIGCONT");
  }
  await until(async () => !(await aged()), "and ends once a node signs");
});

test("cluster §7: nodes without the key report that no checkpoint is signed yet, until one is", async () => {
  const more = ["--log", engine.url, "--log-schema", "unsigned"];
  await using passing = await TestNode.start(...more, "--checkpoints", "no");
  const asked = async (path: string): Promise<string> => {
    const answer = await lightFetch(passing.url + path);
    const { code, title, detail } = (await answer.json()) as Readonly<Record<string, string>>;
    return `${answer.status} ${code} ${title}: ${detail}`;
  };
  const none =
    "404 9404 Nothing at this path: This node passes on the checkpoints of its cluster, where no node that has the key has signed one yet.";
  for (const path of ["/checkpoint", "/tlog/checkpoint", "/checkpoint/key"]) {
    assert.equal(await asked(path), none);
  }
  const withKey = join(directory.path, "unsigned");
  mkdirSync(withKey);
  cpSync(join(a.dataDirectory, "checkpoint.pem"), join(withKey, "checkpoint.pem"));
  await using signing = await TestNode.start(...more, "--data", withKey);
  assert.equal((await lightFetch(`${signing.url}/checkpoint`)).status, 200);
  assert.equal((await lightFetch(`${passing.url}/checkpoint`)).status, 200);
});

test("cluster §7: a row that has no checkpoint of this ledger is passed on by no node, with or without the key, and each says so", async () => {
  const last = await newestCheckpoint();
  assert.equal((await checkpointOf(c)).note, last.note);
  await engine.sql("CREATE TABLE moneta.kept AS SELECT * FROM moneta.checkpoint");
  const restore = (): Promise<unknown> =>
    engine.sql(
      "UPDATE moneta.checkpoint SET (size, root, height, note, keys) = (SELECT size, root, height, note, keys FROM moneta.kept)",
    );
  const refusedAt = async (node: ServiceProcess, refused: 0 | 1): Promise<void> => {
    const wanted = new RegExp(`^moneta_checkpoint_refused ${refused}$`, "m");
    await until(async () => {
      const shown = await checkpointOf(node);
      assert.deepEqual([shown.note, shown.height], [last.note, last.height]);
      return wanted.test(await (await lightFetch(`${node.url}/metrics`)).text());
    }, `moneta_checkpoint_refused ${refused}`);
  };
  const signer = (name: string): CheckpointKeys =>
    new CheckpointKeys(name, [
      createPrivateKey(readFileSync(join(a.dataDirectory, "checkpoint.pem"))),
    ]);
  const tree = Buffer.from(last.root).toString("hex");
  const foreign = signer("elsewhere/ledger");
  for (const [change, says] of [
    ["note = 'x'", "its note is no checkpoint that one of its keys has signed"],
    ["note = note || repeat('x', 2000000)", "its note is no checkpoint that"],
    ["note = replace(note, E'\\n\\n', E'\\nmore\\n\\n')", "its note is no checkpoint that"],
    [
      `note = '${signer(key.name).sign({ size: 1, tree })}'`,
      "its note is the checkpoint of another ledger or another block",
    ],
    [
      `note = '${foreign.sign({ size: last.size, tree })}', keys = '${foreign.verifierKeys}'`,
      `its keys are not keys of the ledger ${key.name}`,
    ],
    ["keys = keys || 'x'", "its keys are not keys of the ledger"],
    ["root = repeat('0', 64)", `and the root ${tree}, the row says ${last.size} and 000`],
    ["size = size + 1000", `the row says ${last.size + 1000}`],
    ["height = 1::bigint << 61, size = 1::bigint << 61", "the log has no block at its height"],
  ] as const) {
    await engine.sql(`UPDATE moneta.checkpoint SET ${change}`);
    for (const node of [a, c]) {
      await refusedAt(node, 1);
      assert.ok(node.output().includes(says), `${change}: ${says}`);
    }
    await restore();
    for (const node of [a, c]) {
      await refusedAt(node, 0);
    }
  }
  const reported = "the newest checkpoint in the log is not one of this ledger";
  assert.equal(c.output().split(reported).length - 1, 9, "once for each");

  await engine.sql("UPDATE moneta.checkpoint SET note = 'x'");
  await using started = await TestNode.start("--log", engine.url);
  for (const path of ["/checkpoint", "/checkpoint/key"]) {
    const answer = await lightFetch(started.url + path);
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { readonly code: string }).code],
      [503, "9002"],
    );
  }
  await restore();
  assert.equal((await checkpointOf(started)).note, last.note);
});

test("cluster §7: a node with the ledger's key as a setting passes on nothing that another key has signed", async () => {
  const last = await newestCheckpoint();
  const more = ["--log", engine.url, "--log-key", verifierKeyText(key)];
  await using bound = await ServiceProcess.start({ more });
  assert.equal((await checkpointOf(bound)).note, last.note);
  await engine.sql("CREATE TABLE moneta.former AS SELECT * FROM moneta.checkpoint");
  const { privateKey } = generateKeyPairSync("ed25519");
  const stranger = new CheckpointKeys(key.name, [privateKey]);
  const tree = Buffer.from(last.root).toString("hex");
  await engine.sql(
    `UPDATE moneta.checkpoint SET note = '${stranger.sign({ size: last.size, tree })}', keys = '${stranger.verifierKeys}'`,
  );
  const says = "its note is no checkpoint that a key of --log-key has signed";
  await until(async () => {
    assert.equal((await checkpointOf(bound)).note, last.note);
    return bound.output().includes(says);
  }, says);
  await engine.sql(
    "UPDATE moneta.checkpoint SET (note, keys) = (SELECT note, keys FROM moneta.former)",
  );

  const signing = join(directory.path, "stranger");
  mkdirSync(signing);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(join(signing, "checkpoint.pem"), pem);
  const { exitCode, output } = await runInProcess(
    "serve",
    "--data",
    signing,
    "--port",
    "0",
    ...more,
  );
  assert.equal(exitCode, 2, output);
  assert.match(output, /^moneta: --log-key does not name the key that this node signs with, /m);
});

test("cluster §7: while no engine can be reached the last checkpoint is still shown", async () => {
  const last = await checkpointOf(a);
  assert.equal((await checkpointOf(c)).note, last.note);
  await engine.kill();
  for (const node of [a, c]) {
    for (let round = 0; round < 3; round += 1) {
      const asked = await checkpointOf(node, { withinMs: 0 });
      assert.deepEqual([asked.note, asked.height], [last.note, last.height]);
    }
  }
  await engine.resume();
  const more = new ClusterWrites(() => [b]);
  while ((await checkpointOf(c)).size === last.size) {
    await checkpointOf(a);
    await delay(200);
  }
  await more.end();
});

test("cluster §7: a node that lacks the block of the newest checkpoint says so after 5 s", async () => {
  await checkpointOf(b);
  const [newest] = await engine.sql(
    "SELECT height::int, (header::jsonb->>'size')::int AS size, header::jsonb->>'tree' AS tree FROM moneta.block ORDER BY block.height DESC LIMIT 1",
  );
  const { height, size, tree } = newest as { height: number; size: number; tree: string };
  const pem = readFileSync(join(a.dataDirectory, "checkpoint.pem"));
  const note = new CheckpointKeys(key.name, [createPrivateKey(pem)]).sign({ size: size + 1, tree });
  // The node's rules do not come to the block, so it never has it.
  await engine.sql(
    `WITH appended AS (INSERT INTO moneta.block (height, id, header, operations)
      SELECT height + 1, repeat('ab', 32), (header::jsonb || '{"sn": ${height + 1}, "size": ${size + 1}}')::text, operations FROM moneta.block WHERE height = ${height})
    UPDATE moneta.checkpoint SET size = ${size + 1}, root = '${tree}', height = ${height + 1}, note = '${note}'`,
  );
  const answer = await lightFetch(`${b.url}/checkpoint`);
  const problem = (await answer.json()) as { code: string; detail: string };
  assert.deepEqual([answer.status, problem.code], [503, "9003"]);
  assert.match(problem.detail, new RegExp(`${height + 1}`));
});

async function firstId(): Promise<string> {
  const block = (await (await lightFetch(`${c.url}/block/0`)).json()) as {
    transaction: { id: string }[];
  };
  return block.transaction[0]?.id ?? "";
}

async function isConsistent(from: Shown, to: Shown): Promise<boolean> {
  const answer = await lightFetch(
    `${b.url}/checkpoint/consistency?from=${from.size}&to=${to.size}`,
  );
  const { proof } = (await answer.json()) as { proof: string[] };
  return verifyConsistency(sha256, {
    ...{ from: from.size, to: to.size, fromRoot: from.root, toRoot: to.root },
    path: proof.map((hash) => Buffer.from(hash, "base64")),
  });
}

function byNumber(one: number, other: number): number {
  return one - other;
}
