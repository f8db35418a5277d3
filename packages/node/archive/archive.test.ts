import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { copyLedger, LedgerReader } from "@moneta/ledger";
import {
  parseCheckpoint,
  parseTransactionId,
  TILE_WIDTH,
  type TransactionName,
} from "@moneta/protocol";
import { TestLedger } from "../../ledger/testing/test-ledger.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { archive } from "../commands/archive.ts";
import {
  dataDirectory,
  makeDataDirectory,
  readCheckpointKeys,
} from "../data-directory/data-directory.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { outputOf } from "../testing/command-in-process.ts";
import { filesIn, TemporaryDirectory } from "../testing/temporary-directory.ts";
import { ArchiveReader } from "./archive-reader.ts";
import { lengthAndText } from "./growing-tiles.ts";
import { chunkFiles, type Manifest, tileFile, tileLevels } from "./layout.ts";

/** Blocks 0 to 1209: block 0, then one of 700 addresses, then blocks of one, which have no signatures. */
const BLOCKS = 1210;
const LARGE = 700;

let directory: TemporaryDirectory;
let data: string;
let reader: LedgerReader;
let keys: CheckpointKeys;

before(async () => {
  directory = new TemporaryDirectory("archive");
  data = join(directory.path, "data");
  const { ledger: file, signedTree } = makeDataDirectory(data);
  using ledger = await TestLedger.begin();
  await ledger.createAddresses(LARGE);
  while (ledger.ledger.head.height < BLOCKS - 1) {
    await ledger.createAddresses(1);
  }
  ledger.ledger.flush();
  await copyLedger(ledger.file, file, () => undefined);
  reader = new LedgerReader(file);
  reader.open(0);
  keys = new CheckpointKeys("localhost/test", readCheckpointKeys(dataDirectory(data)));
  const { size, tree } = reader.newest.header;
  new SignedTreeFile(signedTree).write({ size, tree });
});
after(() => {
  reader.dispose();
  directory[Symbol.dispose]();
});

/** Runs the command for the blocks before a height. Returns what it prints. */
function archived(folder: string, height: number, from = data): Promise<string> {
  return outputOf(() => archive(from, folder, height));
}

function folderOf(name: string): string {
  return join(directory.path, name);
}

/** The content of an archive's files, by name. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  return filesIn(folder, /^\.moneta-lock/);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "archive.json"), "utf8"));
}

test("an archive has the tree as the node serves it, and a manifest with its root", async () => {
  const folder = folderOf("tree");
  assert.match(await archived(folder, BLOCKS), /has the blocks before 1210 .*: 1210 added;/);
  const { size, tree } = reader.newest.header;
  const { checkpoint, ...manifest } = manifestOf(folder);
  assert.deepEqual(manifest, {
    archive: 1,
    ledger: "localhost/test",
    ledger_id: reader.block({ height: 0 })?.id,
    before: BLOCKS,
    last: reader.newest.id,
    size,
    root: tree,
  });
  assert.equal(checkpoint, keys.sign({ size, tree }));
  assert.equal(readFileSync(join(folder, "tlog/checkpoint"), "utf8"), checkpoint);
  const found = [...filesOf(folder).keys()].filter((name) => name.startsWith("tlog/tile/"));
  const wanted: string[] = [];
  for (const [level, count] of tileLevels(size).entries()) {
    for (let index = 0; index * TILE_WIDTH < count; index += 1) {
      const from = index * TILE_WIDTH;
      const to = Math.min(count, from + TILE_WIDTH);
      const name = { index, width: to - from };
      wanted.push(tileFile(level, name));
      assert.deepEqual(
        readFileSync(join(folder, tileFile(level, name))),
        reader.tree.hashes(level, from, to),
      );
      if (level === 0) {
        wanted.push(tileFile("entries", name));
        assert.deepEqual(
          readFileSync(join(folder, tileFile("entries", name))),
          Buffer.concat(reader.leafTexts(from, to).map(lengthAndText)),
        );
      }
    }
  }
  assert.deepEqual(found, wanted.toSorted());
});

test("each transaction is found with its proof, from few files", async () => {
  const folder = folderOf("tree");
  const archive = await ArchiveReader.open(folder, keys.verifierKeys);
  const { size } = archive.manifest;
  // Of the first and the last block of a thousand, of a large one, at both ends of tiles.
  const numbers = [0, 1, 2, 3, 255, 256, 300, 3 + LARGE - 1, 3 + LARGE, 1023, 1700, 1701, size - 1];
  for (const index of numbers) {
    const id = reader.transactionIdOf(index) ?? "";
    const name = parseTransactionId(id) as TransactionName;
    const found = await archive.transaction(name);
    const leaf = reader.leaf(name);
    const hex = (path: readonly Uint8Array[] = []): string[] => path.map((hash) => hash.toHex());
    assert.deepEqual(
      { ...found, path: hex(found?.path) },
      {
        ...{ operation: leaf?.operation, leaf: leaf?.text, index },
        record: reader.transaction(name)?.transaction.record,
        block: { header: leaf?.header, id: reader.block({ height: name.height })?.id },
        path: hex(reader.tree.inclusionPath({ index, size })),
      },
    );
    const others = [
      `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`,
      id.replace(/^.{6}/, "00000f"),
    ];
    for (const other of others) {
      assert.equal(
        await archive.transaction(parseTransactionId(other) as TransactionName),
        undefined,
      );
    }
  }
});

test("an extended archive equals one made in one run, and no complete file is rewritten", async () => {
  const [folder, whole] = [folderOf("grown"), folderOf("tree-2")];
  await archived(whole, BLOCKS);
  const inodes = (): ReadonlyMap<string, number> =>
    new Map([...filesOf(folder).keys()].map((name) => [name, statSync(join(folder, name)).ino]));
  let known: ReadonlyMap<string, number> = new Map();
  for (const height of [1, 2, 3, 700, 1000, 1001, BLOCKS]) {
    await archived(folder, height);
    const now = inodes();
    for (const [name, inode] of known) {
      if (name !== "archive.json" && name !== "tlog/checkpoint") {
        assert([inode, undefined].includes(now.get(name)), `${name} was written again`);
      }
    }
    known = now;
    const { blocks, index } = chunkFiles(0, height);
    const chunk = [...now.keys()].filter((name) => /^(blocks|index)\/000/.test(name));
    assert.deepEqual(chunk, [blocks, index]);
  }
  assert.deepEqual(filesOf(folder), filesOf(whole));
  assert.match(await archived(folder, 5), /: 0 added;/);
  assert.deepEqual(inodes(), known);
});

test("an archive has no checkpoint if the node has not signed its tree", async () => {
  const other = folderOf("unsigned-data");
  cpSync(data, other, { recursive: true });
  const { size, tree } = reader.block({ height: 4 })?.header ?? { size: 0, tree: "" };
  new SignedTreeFile(dataDirectory(other).signedTree).write({ size, tree });
  const folder = folderOf("unsigned");
  await archived(folder, 5, other);
  assert.equal(parseCheckpoint(manifestOf(folder).checkpoint)?.size, size);
  assert.match(await archived(folder, 6, other), new RegExp(`no checkpoint: .* ${size} transact`));
  assert.equal(manifestOf(folder).checkpoint, "");
  assert(!filesOf(folder).has("tlog/checkpoint"));
});

for (const { what, folder, height, says } of [
  { what: "no block", folder: "refused", height: 0, says: /must be from 1 to 1210/ },
  { what: "a block to come", folder: "refused", height: BLOCKS + 1, says: /from 0 to 1209/ },
  { what: "a folder of others", folder: "data", height: 5, says: /would be lost with/ },
  { what: "a folder with something else", folder: ".", height: 5, says: /not part of an archive/ },
]) {
  test(`archive refuses ${what}`, async () => {
    await assert.rejects(archived(folderOf(folder), height), says);
  });
}

test("archive refuses an archive of another ledger, and a ledger with a changed record", async () => {
  using ledger = await TestLedger.begin();
  await ledger.createAddresses(3);
  const [other, folder] = [folderOf("other-data"), folderOf("other")];
  const { ledger: file } = makeDataDirectory(other);
  await copyLedger(ledger.file, file, () => undefined);
  await archived(folder, 3);
  await assert.rejects(archived(folder, 2, other), /an archive whose block 2 is/);
  writeFileSync(join(folder, "archive.json"), "x");
  await assert.rejects(archived(folder, 2, other), {
    name: "SettingProblem",
    message: /archive\.json is not JSON: name a new folder$/,
  });
  ledger.database.exec(
    "UPDATE transaction_record SET record = replace(record, 'NewWallet', 'OldWallet') WHERE number = 4",
  );
  rmSync(file);
  await copyLedger(ledger.file, file, () => undefined);
  await assert.rejects(
    archived(folderOf("changed"), 2, other),
    /block 1: its transactions are not those that its header commits to/,
  );
});
