import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { copyLedger, type Database, NotYet, openForReading, sha256 } from "@moneta/ledger";
import {
  type Block,
  blockId,
  contentText,
  NO_BLOCK,
  parseTransactionId,
  type TransactionName,
  transactionId,
} from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { TestLedger } from "../../ledger/testing/test-ledger.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { archive } from "../commands/archive.ts";
import { rebuild } from "../commands/rebuild.ts";
import { rebuildFromArchive } from "../commands/rebuild-from-archive.ts";
import { verifyArchive } from "../commands/verify-archive.ts";
import {
  dataDirectory,
  makeDataDirectory,
  readCheckpointKeys,
} from "../data-directory/data-directory.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { outputOf, printed } from "../testing/command-in-process.ts";
import { type HostileAnswer, HostileNode } from "../testing/hostile-node.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { openArchive } from "./archive-files.ts";
import { ArchiveReader } from "./archive-reader.ts";
import type { ProvenTransaction } from "./archived-transaction.ts";
import { tileLevels, WrongArchive } from "./layout.ts";

/** Blocks of new addresses, which have no signatures. */
const BLOCKS = 1010;
/** Of bytes that are changed, one after the other. */
const STEP = byLane({ quick: 7, long: 1 });

let directory: TemporaryDirectory;
let data: string;
let folder: string;
/** The archive of the first three blocks. */
let small: string;
let verifierKey: string;

before(async () => {
  directory = new TemporaryDirectory("archive-reader");
  data = folderOf("data");
  folder = folderOf("archive");
  small = folderOf("small");
  const { ledger: file, signedTree } = makeDataDirectory(data);
  using ledger = await TestLedger.begin();
  while (ledger.ledger.head.height < BLOCKS - 1) {
    await ledger.createAddresses(1);
  }
  ledger.ledger.flush();
  await copyLedger(ledger.file, file, () => undefined);
  [verifierKey = ""] = new CheckpointKeys(
    "localhost/test",
    readCheckpointKeys(dataDirectory(data)),
  ).verifierKeys;
  const { header } = ledger.newestBlock;
  new SignedTreeFile(signedTree).write({ size: header.size, tree: header.tree });
  await archived(folder, BLOCKS);
  await archived(small, 3);
});
after(() => directory[Symbol.dispose]());

function folderOf(name: string): string {
  return join(directory.path, name);
}

async function archived(to: string, height: number): Promise<void> {
  await outputOf(() => archive(data, to, height));
}

/** A copy of an archive in which one file differs. */
function changedArchive(name: string, file: string, content: Buffer | string): string {
  const changed = folderOf(name);
  cpSync(small, changed, { recursive: true });
  writeFileSync(join(changed, file), content);
  return changed;
}

/** Serves the files of a folder as web servers do. */
function serving(of: string, { ranges }: { readonly ranges: boolean }): HostileAnswer {
  return (response, { url = "", headers }) => {
    const file = join(of, url);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const content = readFileSync(file);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (!ranges || from === undefined) {
      response.end(content);
      return;
    }
    const part = content.subarray(Number(from), Number(to) + 1);
    const last = Number(from) + part.length - 1;
    response.writeHead(206, { "Content-Range": `bytes ${from}-${last}/${content.length}` });
    response.end(part);
  };
}

async function blocksOf(where: string): Promise<readonly Block[]> {
  const reader = await ArchiveReader.open(where, []);
  return await Array.fromAsync(reader.blocks(0, NO_BLOCK));
}

/** The rows of blocks and records of a data directory. */
function rowsOf(path: string): unknown {
  const database: Database = openForReading(dataDirectory(path).ledger);
  try {
    return ["block_log", "transaction_record", "subtree"].map((table) =>
      database.prepare(`SELECT * FROM ${table}`).all(),
    );
  } finally {
    database.close();
  }
}

test("a ledger is rebuilt from an archive, and continued from a later one", async () => {
  const path = folderOf("rebuilt");
  const growing = folderOf("growing");
  await archived(growing, 700);
  const first = await outputOf(() => rebuildFromArchive(path, growing, [verifierKey]));
  assert.match(first, /has the 700 blocks of the archive, 700 of them new/);
  await archived(growing, BLOCKS);
  const second = await printed(() => rebuildFromArchive(path, growing, [verifierKey]));
  assert.match(second.output, /has the 1010 blocks of the archive, 310 of them new/);
  assert.deepEqual(rowsOf(path), rowsOf(data));
  // Another node may have later blocks.
  assert.throws(() => rebuild(path), /has the blocks of the archive .*: take these from it/);
  const third = await printed(() => rebuildFromArchive(path, small, []));
  assert.match(third.output, /has the 3 blocks of the archive, 0 of them new/);
});

test("an archive that the key has not signed is refused", async () => {
  const [other = ""] = new CheckpointKeys(
    "localhost/test",
    readCheckpointKeys(makeDataDirectory(folderOf("key"))),
  ).verifierKeys;
  await assert.rejects(ArchiveReader.open(small, [other]), /signed by .* believed are only/);
  const manifest = JSON.parse(readFileSync(join(small, "archive.json"), "utf8"));
  for (const [member, value] of [
    ["size", 4],
    ["root", "0".repeat(64)],
    ["ledger", "localhost/other"],
    ["checkpoint", ""],
  ]) {
    const changed = changedArchive(
      `unsigned-${member}`,
      "archive.json",
      JSON.stringify({ ...manifest, [member as string]: value }),
    );
    await assert.rejects(
      ArchiveReader.open(changed, [verifierKey]),
      /its checkpoint is not of the tree/,
    );
  }
});

test("a changed byte anywhere in manifest or blocks is refused, or changes no block", async () => {
  const blocks = await blocksOf(small);
  const forged = folderOf("flipped");
  cpSync(small, forged, { recursive: true });
  let refused = 0;
  let irrelevant = 0;
  for (const file of ["archive.json", "blocks/000.p/3"]) {
    const content = readFileSync(join(small, file));
    for (let at = 0; at < content.length; at += STEP) {
      const changed = Buffer.from(content);
      changed[at] = (content[at] as number) ^ (1 << (at % 8));
      writeFileSync(join(forged, file), changed);
      try {
        assert.deepEqual(await blocksOf(forged), blocks);
        irrelevant += 1;
      } catch (thrown) {
        assert(thrown instanceof WrongArchive, `${file}, byte ${at}: ${thrown}`);
        refused += 1;
      }
    }
    writeFileSync(join(forged, file), content);
  }
  // Those of the checkpoint and the ledger's name, which a key covers, and of gzip's header.
  const found = `${refused} refused, ${irrelevant} irrelevant`;
  assert(STEP * refused > 1000 && STEP * irrelevant < 700, found);
});

test("moneta verify --archive finds a change in any file of an archive", async () => {
  const { exitCode, output } = await printed(() => verifyArchive(folder, [verifierKey]));
  assert.equal(exitCode, 0, output);
  assert.match(output, /^valid: blocks 0 to 1009 of the ledger [0-9a-f]{64}; [0-9]+ transactions/);
  assert.match(output, /its checkpoint is signed by localhost\/test\+/);
  assert.match((await printed(() => verifyArchive(small, []))).output, /--key was not given/);
  const files = readdirSync(small, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith(".") && statSync(join(small, name)).isFile(),
  );
  // Manifest, checkpoint, blocks, their index, hashes and leaf texts.
  assert.equal(files.length, 6);
  for (const [number, file] of files.entries()) {
    const content = readFileSync(join(small, file));
    const at = content.length >> 1;
    content[at] = (content[at] as number) ^ 1;
    const changed = changedArchive(`verified-${number}`, file, content);
    const refused = await printed(() => verifyArchive(changed, [verifierKey]));
    assert.equal(refused.exitCode, 1, `${file}: ${refused.output}`);
    assert.match(refused.output, /^invalid: /);
  }
});

test("a change in the first tile of an archive is reported although many blocks follow", async () => {
  const changed = folderOf("first-tile");
  cpSync(folder, changed, { recursive: true });
  const tile = join(changed, "tlog/tile/0/000");
  const content = readFileSync(tile);
  content[40] = (content[40] as number) ^ 1;
  writeFileSync(tile, content);
  const { exitCode, output } = await printed(() => verifyArchive(changed, [verifierKey]));
  assert.equal(exitCode, 1, output);
  assert.match(output, /^invalid: \S+: tlog\/tile\/0\/000 differs from the ledger/);
});

test("a changed byte anywhere in a transaction's proof is refused, or changes nothing", async () => {
  // In one partial tile, and in the tree of a thousand blocks.
  for (const [from, number] of [
    [small, 1],
    [folder, 500],
  ] as const) {
    const files = tileLevels(number === 1 ? 5 : BLOCKS + 2).length;
    const archive = await ArchiveReader.open(from, []);
    const block = (await Array.fromAsync(archive.blocks(0, NO_BLOCK)))[number];
    const id = transactionId({
      ...{ height: number, position: 0 },
      contentHash: sha256.hex(contentText(block?.operations[0] ?? "")),
    });
    const name = parseTransactionId(id) as TransactionName;
    const found = await archive.transaction(name);
    assert.equal(found?.leaf.slice(7, 71), id);
    const forged = folderOf(`flipped-${number}`);
    cpSync(from, forged, { recursive: true });
    const names = readdirSync(forged, { recursive: true, encoding: "utf8" });
    const read = names.filter(
      (file) => /^(index|tlog\/tile\/\d)/.test(file) && statSync(join(forged, file)).isFile(),
    );
    assert(read.length > files);
    for (const file of read) {
      const content = readFileSync(join(forged, file));
      const step = Math.ceil(content.length / byLane({ quick: 30, long: 400 }));
      for (let at = 0; at < content.length; at += step) {
        const changed = Buffer.from(content);
        changed[at] = (content[at] as number) ^ (1 << (at % 8));
        writeFileSync(join(forged, file), changed);
        const again: ProvenTransaction | undefined = await (await ArchiveReader.open(forged, []))
          .transaction(name)
          .catch((thrown) => {
            assert(thrown instanceof WrongArchive, `${file}, byte ${at}: ${thrown}`);
            return found;
          });
        assert.deepEqual(again, found, `${file}, byte ${at}`);
      }
      writeFileSync(join(forged, file), content);
    }
  }
});

for (const { what, change, says } of [
  {
    what: "another record",
    change: (text: string) => text.replace('"type":"NewWallet"', '"type":"OldWallet"'),
    says: /block 0: its transactions are not those that its header commits to/,
  },
  {
    what: "another time",
    change: (text: string) => text.replace(/"timestamp":(\d+)/, '"timestamp":1$1'),
    says: /block 0: its id is not the hash of its header/,
  },
  {
    what: "no last block",
    change: (text: string) => text.slice(0, text.lastIndexOf('{"header":')),
    says: /ends before its last block/,
  },
  {
    what: "one block more",
    change: (text: string) => text + text.slice(text.lastIndexOf('{"header":')),
    says: /has more than its blocks/,
  },
  {
    what: "an end within a line",
    change: (text: string) => text.slice(0, -1),
    says: /does not end with a whole line/,
  },
  { what: "no line of a block", change: () => "{}\n", says: /does not begin with header and id/ },
  { what: "nothing", change: () => "", says: /ends before its last block/ },
]) {
  test(`an archive with ${what} is refused, and the error names the fault`, async () => {
    const file = "blocks/000.p/3";
    const text = gunzipSync(readFileSync(join(small, file))).toString("utf8");
    const changed = changedArchive(what.replaceAll(" ", "-"), file, gzipSync(change(text)));
    await assert.rejects(blocksOf(changed), (thrown: Error) => {
      assert.ok(thrown instanceof WrongArchive, String(thrown));
      assert.match(thrown.message, says);
      return true;
    });
  });
}

test("a block that its operations do not produce is refused, although all hashes match", async () => {
  const file = "blocks/000.p/3";
  const lines = gunzipSync(readFileSync(join(small, file)))
    .toString("utf8")
    .split("\n");
  const at = lines.findLastIndex((line) => line.startsWith('{"header":'));
  const { header } = JSON.parse(lines[at] ?? "") as Block;
  const forged = { ...header, changes: "0".repeat(64) };
  const id = blockId(forged, sha256);
  lines[at] = JSON.stringify({ header: forged, id });
  const changed = changedArchive("changes", file, gzipSync(lines.join("\n")));
  const manifest = JSON.parse(readFileSync(join(small, "archive.json"), "utf8"));
  writeFileSync(join(changed, "archive.json"), JSON.stringify({ ...manifest, last: id }));
  const { exitCode, output } = await printed(() =>
    rebuildFromArchive(folderOf("of-changes"), changed, [verifierKey]),
  );
  assert.equal(exitCode, 1, output);
  assert.match(output, /block 2: its header's changes is 0+, but its operations come to/);
});

test("a folder and servers with and without ranges give the same blocks", async () => {
  for (const ranges of [true, false]) {
    await using server = await HostileNode.that(serving(folder, { ranges }));
    const [local, served] = [openArchive(folder), openArchive(server.url)];
    const file = "blocks/000";
    const { size } = statSync(join(folder, file));
    for (const range of [
      { offset: 0, bytes: 10 },
      { offset: 1000, bytes: size - 1000 },
    ]) {
      assert.deepEqual(await served.range(file, range), await local.range(file, range));
    }
    for (const files of [local, served]) {
      const beyond = files.range(file, { offset: size - 1, bytes: 2 });
      await assert.rejects(beyond, /blocks\/000 is shorter than its index says/);
      await assert.rejects(files.range("blocks/001", { offset: 0, bytes: 1 }), /is missing/);
    }
    assert.equal((await blocksOf(server.url)).length, BLOCKS);
  }
});

test("a server that is silent or sends single bytes ends the read; slow reading of its bytes does not", async () => {
  await using silent = await HostileNode.that((response) => response.writeHead(200).write("a"));
  await using dripping = await HostileNode.that((response) => {
    let left = 100;
    const timer = setInterval(() => {
      left -= 1;
      response[left === 0 ? "end" : "write"]("a");
    }, 20);
    response.once("close", () => clearInterval(timer));
  });
  for (const { url, silenceMs } of [
    { url: silent.url, silenceMs: 50 },
    { url: dripping.url, silenceMs: 500 },
  ]) {
    await assert.rejects(Array.fromAsync(openArchive(url, silenceMs).stream("x")), (thrown) => {
      assert(thrown instanceof NotYet, String(thrown));
      assert.match(thrown.message, /too few bytes in time/);
      return true;
    });
  }
  // More than the buffers in between can hold.
  const bytes = 16 << 20;
  await using quick = await HostileNode.that((response) => response.end(Buffer.alloc(bytes)));
  let read = 0;
  for await (const part of openArchive(quick.url, 4000).stream("x")) {
    if (read === 0) {
      await delay(4500);
    }
    read += part.length;
  }
  assert.equal(read, bytes);
});

test("a folder or URL without an archive is refused", async () => {
  await assert.rejects(ArchiveReader.open(folderOf("nowhere"), []), /is not a folder/);
  await assert.rejects(ArchiveReader.open(data, []), /archive.json is missing/);
  await assert.rejects(ArchiveReader.open("ftp://host/a", []), /must be an http or https URL/);
  await assert.rejects(ArchiveReader.open("http://127.0.0.1:1", []), NotYet);
  for (const { status = 200, headers, says } of [
    { headers: { "Content-Encoding": "gzip" }, says: /Content-Encoding "gzip": serve/ },
    { status: 302, headers: { Location: "http://x/" }, says: /names "http:\/\/x\/", which is not/ },
    { status: 503, headers: {}, says: /the server answers 503/ },
    { headers: {}, says: /archive.json has more than 65536 bytes/ },
  ]) {
    await using server = await HostileNode.that((response) =>
      response.writeHead(status, headers).end(gzipSync(Buffer.alloc(70_000), { level: 0 })),
    );
    await assert.rejects(ArchiveReader.open(server.url, []), says);
  }
});
