import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { dataDirectory, readCheckpointKeys } from "../../data-directory/data-directory.ts";
import { SignedTreeFile } from "../../data-directory/signed-tree-file.ts";
import { runInProcess } from "../../testing/command-in-process.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import {
  type Answered,
  newKey,
  parsed,
  problemOf,
  publicPem,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

const HASH = /^[0-9A-Za-z+/]{43}=$/;

let node: TestNode;
/** Ids of transactions of the newest block before any test, and of block 0. */
let first: string;
let last: string;

before(async () => {
  node = await TestNode.start();
  await node.holder();
  await node.holder();
  first = await idIn(node, 0, 0);
  last = await idIn(node, await node.height(), 0);
});
after(() => node[Symbol.asyncDispose]());

async function idIn(on: TestNode, height: number, position: number): Promise<string> {
  const block = parsed<{ transaction: { id: string }[] }>(await on.get(`/block/${height}`));
  return block.transaction[position]?.id as string;
}

/** The parts of a checkpoint, and whether each signature is the key's of the text. */
function partsOf(note: string): {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly text: string;
} {
  const [text = "", lines = ""] = note.split("\n\n");
  const [origin = "", size = "", root = "", ...more] = text.split("\n");
  assert.deepEqual(more, []);
  assert.match(root, HASH);
  const signatures = lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [dash, name = "", encoded = ""] = line.split(" ");
      assert.equal(dash, "\u2014");
      return { name, bytes: Buffer.from(encoded, "base64") };
    });
  return { origin, size: Number(size), root, signatures, text: `${text}\n` };
}

/** Whether a signature of a checkpoint is that of a verifier key, made from chain §12 alone. */
function isSignedBy(note: string, verifierKey: string, at = 0): boolean {
  const { text, signatures } = partsOf(note);
  const [name = "", id = "", encoded = ""] = verifierKey.split("+", 3);
  const typed = Buffer.from(verifierKey.slice(name.length + id.length + 2), "base64");
  assert.ok(encoded.length > 0);
  assert.equal(typed[0], 1);
  const hash = createHash("sha256").update(`${name}\n`).update(typed).digest("hex");
  assert.equal(hash.slice(0, 8), id);
  const signature = signatures[at];
  assert.equal(signature?.name, name);
  const x = typed.subarray(1).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return (
    signature.bytes.subarray(0, 4).toString("hex") === id &&
    verify(null, Buffer.from(text), publicKey, signature.bytes.subarray(4))
  );
}

async function checkpoint(on: TestNode = node): Promise<string> {
  const answer = await on.get("/checkpoint");
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
}

async function keys(on: TestNode = node): Promise<string[]> {
  const answer = await on.get("/checkpoint/key");
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.text.endsWith("\n"));
  return answer.text.trimEnd().split("\n");
}

describe("GET /checkpoint", () => {
  test("chain §12: has the size and the root of the header of block Ledger-Height", async () => {
    const answer = await node.get("/checkpoint");
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const height = answer.headers.get("ledger-height");
    const { header } = parsed<{ header: { size: number; tree: string } }>(
      await node.get(`/block/${height}/raw`),
    );
    const { origin, size, root } = partsOf(answer.text);
    assert.deepEqual(
      { origin, size, tree: Buffer.from(root, "base64").toString("hex") },
      { origin: "localhost/test", size: header.size, tree: header.tree },
    );
  });

  test("is signed by the key that GET /checkpoint/key and GET / name", async () => {
    const named = await keys();
    assert.equal(named.length, 1);
    assert.ok(isSignedBy(await checkpoint(), named[0] as string));
    const shown = parsed<{ checkpoint_keys: string[] }>(await node.get("/"));
    assert.deepEqual(shown.checkpoint_keys, named);
  });

  test("of one block is one text, of the next another, and 304 to whoever has it", async () => {
    const before = await node.get("/checkpoint");
    const etag = before.headers.get("etag") ?? "";
    const known = { "If-None-Match": etag };
    assert.equal((await node.get("/checkpoint", known)).status, 304);
    assert.equal((await node.get("/tlog/checkpoint", known)).status, 304);
    await node.holder();
    const after = await node.get("/checkpoint", known);
    assert.equal(after.status, 200);
    assert.equal(partsOf(after.text).size, partsOf(before.text).size + 1);
    assert.equal((await node.get("/tlog/checkpoint")).text, after.text);
  });

  test("proofs §3.4: a node without a state tree proves no read", async () => {
    const path = `/balance/${node.treasury.address}/0?proof=1`;
    assert.equal(summaryOf(await node.get(path)), "404 9404");
  });

  test("answers HEAD, and nothing else but GET", async () => {
    for (const path of ["/checkpoint", "/checkpoint/key", "/tlog/tile/0/000.p/1"]) {
      const head = await node.request(path, { method: "HEAD" });
      assert.deepEqual([head.status, head.text], [200, ""]);
      assert.equal(summaryOf(await node.post(path, {})), "405 9405");
    }
  });
});

describe("GET /transaction/{transaction_id}/proof", () => {
  interface Proof {
    readonly id: string;
    readonly leaf: string;
    readonly leaf_index: number;
    readonly tree_size: number;
    readonly root: string;
    readonly proof: readonly string[];
    readonly operation: object;
    readonly block: { readonly size: number; readonly count: number };
    readonly checkpoint: string;
  }

  const ask = async (id: string, query = ""): Promise<Answered> =>
    node.get(`/transaction/${id}/proof${query}`);

  test("has the members of the table, and a checkpoint of its size", async () => {
    const answer = await ask(last);
    const proof = parsed<Proof>(answer);
    assert.deepEqual(
      Object.keys(proof),
      "id leaf leaf_index tree_size root proof operation block checkpoint".split(" "),
    );
    const { size, root } = partsOf(proof.checkpoint);
    assert.deepEqual([proof.tree_size, proof.root], [size, root]);
    assert.equal(proof.checkpoint, await checkpoint());
    assert.equal(proof.leaf_index, proof.block.size - proof.block.count);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
    assert.equal((await node.get(`/transaction/${last}/proof`, known)).status, 304);
    const { operations } = parsed<{ operations: object[] }>(
      await node.get(`/block/${Number(`0x${last.slice(0, 16)}`)}/raw`),
    );
    assert.deepEqual(proof.operation, operations[0]);
  });

  test("chain §12: size may be from index + 1 to the newest", async () => {
    const { leaf_index: index, tree_size: newest } = parsed<Proof>(await ask(last));
    const smallest = parsed<Proof>(await ask(last, `?size=${index + 1}`));
    assert.deepEqual([smallest.tree_size, smallest.checkpoint], [index + 1, ""]);
    const largest = parsed<Proof>(await ask(last, `?size=${newest}`));
    assert.equal(largest.checkpoint, await checkpoint());
    for (const size of [index, newest + 1, 0]) {
      assert.equal(summaryOf(await ask(last, `?size=${size}`)), "400 1101 size");
    }
    assert.equal(parsed<Proof>(await ask(first, "?size=")).tree_size, newest);
    assert.deepEqual(parsed<Proof>(await ask(first, "?size=1")).proof, []);
  });

  for (const size of ["01", "-1", "+1", "1.0", "1e1", "x", "9".repeat(41), "9007199254740993"]) {
    test(`size=${size}: 1101, which says what would be right`, async () => {
      const answer = await ask(last, `?size=${encodeURIComponent(size)}`);
      assert.equal(summaryOf(answer), "400 1101 size");
      assert.match(problemOf(answer).detail, /from \d+ to \d+/);
    });
  }

  test("an id of nothing is 6008, whatever the size is", async () => {
    const changed = `${last.slice(0, -1)}${last.endsWith("0") ? "1" : "0"}`;
    const elsewhere = `${last.slice(0, 23)}7${last.slice(24)}`;
    for (const id of [changed, elsewhere, last.slice(1), "0".repeat(64), "f".repeat(64), "x"]) {
      assert.equal(summaryOf(await ask(id)), "404 6008 transaction_id");
      assert.equal(summaryOf(await ask(id, "?size=x")), "404 6008 transaction_id");
    }
  });
});

describe("GET /checkpoint/consistency", () => {
  const ask = async (query: string): Promise<Answered> =>
    node.get(`/checkpoint/consistency${query}`);

  test("has both sizes and roots; nothing is to prove if they are one", async () => {
    const { size, root } = partsOf(await checkpoint());
    const grown = parsed<{ proof: string[] } & Record<string, unknown>>(await ask("?from=1"));
    assert.deepEqual(Object.keys(grown), ["from", "to", "from_root", "to_root", "proof"]);
    assert.deepEqual([grown["from"], grown["to"], grown["to_root"]], [1, size, root]);
    assert.ok(grown.proof.length > 0 && grown.proof.every((hash) => HASH.test(hash)));
    assert.deepEqual(parsed(await ask(`?from=${size}&to=${size}`)), {
      from: size,
      to: size,
      from_root: root,
      to_root: root,
      proof: [],
    });
  });

  for (const { query, answer } of [
    { query: "", answer: "400 1000 from" },
    { query: "?from=", answer: "400 1000 from" },
    { query: "?from=0", answer: "400 1101 from" },
    { query: "?from=2&to=1", answer: "400 1101 to" },
    { query: "?from=1&to=0", answer: "400 1101 to" },
    { query: "?from=1&to=1000000", answer: "400 1101 to" },
    { query: "?from=1000000", answer: "400 1101 from" },
    { query: "?from=1000000&to=1000000", answer: "400 1101 from" },
    { query: "?from=x", answer: "400 1101 from" },
    { query: "?from=1&to=x", answer: "400 1101 to" },
    { query: "?from=01", answer: "400 1101 from" },
    { query: "?from=1&from=2", answer: "400 1005 from" },
  ]) {
    test(`chain §12: ${query || "nothing"}: ${answer}`, async () =>
      assert.equal(summaryOf(await ask(query)), answer));
  }
});

describe("GET /tlog/tile", () => {
  const bytes = async (path: string): Promise<{ headers: Headers; body: Buffer }> => {
    const response = await fetch(`${node.url}/tlog/tile/${path}`);
    assert.equal(response.status, 200, path);
    return { headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };

  test("a partial tile of any width that the tree has or had is there, and never changes", async () => {
    const { size } = partsOf(await checkpoint());
    const { headers, body: all } = await bytes(`0/000.p/${size}`);
    assert.equal(headers.get("content-type"), "application/octet-stream");
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(all.length, 32 * size);
    for (let width = 1; width < size; width += 1) {
      assert.deepEqual((await bytes(`0/000.p/${width}`)).body, all.subarray(0, 32 * width));
    }
    const known = { "If-None-Match": headers.get("etag") ?? "" };
    assert.equal((await node.get(`/tlog/tile/0/000.p/${size}`, known)).status, 304);
  });

  test("a refusal of a level or of a name states the valid ones", async () => {
    const level = problemOf(await node.get("/tlog/tile/64/000"));
    assert.match(level.detail, /^A level of tiles is an integer from 0 to 63, or "entries"/);
    const name = problemOf(await node.get("/tlog/tile/0/0"));
    assert.match(name.detail, /^Names of tiles are 000, .* with \.p\/ and a width/);
  });

  test("an entry bundle has each leaf text after its length", async () => {
    const { headers, body } = await bytes("entries/000.p/2");
    assert.equal(headers.get("content-type"), "application/octet-stream");
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    const length = body.readUInt16BE(0);
    const { leaf } = parsed<{ leaf: string }>(await node.get(`/transaction/${first}/proof`));
    assert.equal(body.subarray(2, 2 + length).toString(), leaf);
    assert.equal(body.readUInt16BE(2 + length), body.length - length - 4);
  });

  for (const path of [
    ..."tile/0/000 tile/1/000 tile/1/000.p/1 tile/63/000 tile/0/001 tile/0/000.p/255".split(" "),
    ..."tile/entries/000 tile/entries/000.p/200 tile/entries/001.p/1".split(" "),
    ..."tile/64/000 tile/00/000.p/1 tile/-1/000.p/1 tile/x/000.p/1 tile/0 tile/0/".split(" "),
    ..."tile/0/0 tile/0/000.p tile/0/000.p/0 tile/0/000.p/01 tile/0/000.p/256".split(" "),
    ..."tile/0/x000/000.p/1 tile/0/000.p/1/1 tile/entries tile/entries/x tile".split(" "),
    ..."tile/0/x999/x999/x999/x999/999 tile/0/../../checkpoint2 tile/0/000%00.p/1".split(" "),
    "",
  ]) {
    test(`/tlog/${path} is not there: 404, which may not be cached`, async () => {
      const answer = await node.get(`/tlog/${path}`);
      assert.equal(summaryOf(answer), "404 9404");
      assert.equal(answer.headers.get("cache-control"), "no-store");
    });
  }
});

describe("the key and what it has signed", () => {
  let own: TestNode;
  before(async () => {
    own = await TestNode.start();
  });
  after(() => own[Symbol.asyncDispose]());

  const fileOf = (of: TestNode, name: string): string => join(of.data, name);

  test("the first start makes checkpoint.pem, which no other user can read; restart and rebuild change nothing", async () => {
    assert.equal(statSync(fileOf(own, "checkpoint.pem")).mode & 0o777, 0o600);
    await own.holder();
    const id = await idIn(own, 1, 0);
    const proof = await own.get(`/transaction/${id}/proof`);
    const [note, named] = [await checkpoint(own), await keys(own)];
    await own.restart();
    assert.equal(await checkpoint(own), note);
    assert.deepEqual(await keys(own), named);
    await own.stop();
    assert.equal((await runInProcess("rebuild", own.data)).exitCode, 0);
    const { exitCode, output } = await runInProcess("verify", own.data);
    assert.equal(exitCode, 0, output);
    await own.resume();
    assert.equal(await checkpoint(own), note);
    assert.equal((await own.get(`/transaction/${id}/proof`)).text, proof.text);
  });

  test("with two keys checkpoints carry both signatures, the newest first", async () => {
    const [old = ""] = await keys(own);
    await checkpoint(own);
    await own.stop();
    const pem = generateKeyPairSync("ed25519")
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    const file = fileOf(own, "checkpoint.pem");
    writeFileSync(file, `${pem}${readFileSync(file, "utf8")}`);
    await own.resume();
    const [newest = "", older = "", ...more] = await keys(own);
    assert.deepEqual([older, more], [old, []]);
    assert.notEqual(newest, old);
    const note = await checkpoint(own);
    assert.ok(isSignedBy(note, newest, 0));
    assert.ok(isSignedBy(note, old, 1));
    assert.equal(partsOf(note).signatures.length, 2);
  });

  test("a disk that does not take checkpoint.signed: 503 9002 for what needs a new signature, and the right one when it does again", async () => {
    const id = await idIn(own, 1, 0);
    const { size } = partsOf(await checkpoint(own));
    const signed = fileOf(own, "checkpoint.signed");
    const kept = readFileSync(signed);
    rmSync(signed);
    mkdirSync(signed); // which cannot be written as a file
    await own.holder();
    for (const path of [
      "/checkpoint",
      "/checkpoint",
      "/tlog/checkpoint",
      `/transaction/${id}/proof`,
    ]) {
      const answer = await own.get(path);
      assert.equal(summaryOf(answer), "503 9002", `${path}: ${answer.text}`);
      assert.match(problemOf(answer).detail, /cannot sign checkpoints/);
      assert.ok(!answer.text.includes(own.data));
      assert.equal(answer.headers.get("retry-after"), "10");
    }
    assert.equal((await own.get(`/transaction/${id}/proof?size=${size}`)).status, 200);
    rmSync(signed, { recursive: true });
    writeFileSync(signed, kept);
    assert.equal(partsOf(await checkpoint(own)).size, size + 1);
  });

  test("a node without a key has no checkpoint, but proofs and tiles", async () => {
    await using other = await TestNode.start("--checkpoints", "no");
    for (const path of ["/checkpoint", "/checkpoint/key", "/tlog/checkpoint"]) {
      const answer = await other.get(path);
      assert.equal(summaryOf(answer), "404 9404");
      assert.match(problemOf(answer).detail, /no key/);
    }
    assert.ok(!("checkpoint_keys" in parsed<object>(await other.get("/"))));
    const id = await idIn(other, 0, 0);
    const proof = parsed<{ checkpoint: string }>(await other.get(`/transaction/${id}/proof`));
    assert.equal(proof.checkpoint, "");
    assert.equal((await other.get("/tlog/tile/0/000.p/3")).status, 200);
    assert.equal((await other.get("/checkpoint/consistency?from=1")).status, 200);
    assert.throws(() => statSync(fileOf(other, "checkpoint.pem")));
  });

  test("a key never signs two histories: on an older copy of the ledger, and on another one, the node does not start", async () => {
    using directory = new TemporaryDirectory("copy");
    await own.holder();
    await own.stop();
    const older = join(directory.path, "ledger.db");
    copyFileSync(fileOf(own, "ledger.db"), older);
    await own.resume();
    await own.holder();
    const signed = await checkpoint(own);
    await own.stop();
    const newest = join(directory.path, "newest.db");
    copyFileSync(fileOf(own, "ledger.db"), newest);

    // The directory would refuse it; the key's own memory must, too.
    rmSync(fileOf(own, "newest-block.json"));
    copyFileSync(older, fileOf(own, "ledger.db"));
    await assert.rejects(own.resume(), /older copy/);

    // As large as the signed one, but different.
    const without = await TestNode.start("--checkpoints", "no");
    while (sizeOf(without) < partsOf(signed).size) {
      await without.holder();
    }
    await without.stop();
    copyFileSync(join(without.data, "ledger.db"), fileOf(own, "ledger.db"));
    copyFileSync(join(without.data, "genesis.json"), fileOf(own, "genesis.json"));
    await without[Symbol.asyncDispose]();
    await assert.rejects(own.resume(), /another ledger/);

    copyFileSync(newest, fileOf(own, "ledger.db"));
    rmSync(fileOf(own, "genesis.json"));
    await own.resume();
    assert.equal(await checkpoint(own), signed);
  });

  test("a node does not start with files that it does not understand, and says what they must hold", async () => {
    await checkpoint(own);
    await own.stop();
    const ed25519 = keyPem(generateKeyPairSync("ed25519").privateKey);
    const read = (name: string): unknown =>
      name === "checkpoint.pem"
        ? readCheckpointKeys(dataDirectory(own.data))
        : new SignedTreeFile(fileOf(own, name)).read();
    for (const [name, ...contents] of [
      [
        "checkpoint.pem",
        ...[keyPem(newKey()), publicPem(newKey()), "", ed25519.slice(0, 60), ed25519.repeat(3)],
      ],
      ["checkpoint.signed", "1001\n", ""],
    ] as const) {
      const file = fileOf(own, name);
      const had = readFileSync(file);
      for (const content of contents) {
        writeFileSync(file, content);
        assert.throws(() => read(name), new RegExp(`${name} must hold`));
      }
      await assert.rejects(own.resume(), new RegExp(`${name} must hold`));
      rmSync(file);
      mkdirSync(file); // the superuser, too, cannot read that
      const message = new RegExp(`^[^\n]*${name} cannot be read: `);
      assert.throws(() => read(name), { message });
      rmSync(file, { recursive: true });
      writeFileSync(file, had);
    }
    await own.resume();
  });

  const sizeOf = (of: TestNode): number => of.running.service.reading().newest.header.size;

  function keyPem(key: ReturnType<typeof newKey>): string {
    return key.export({ type: "pkcs8", format: "pem" }).toString();
  }
});
