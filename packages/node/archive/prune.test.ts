import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { derivedId, LedgerReader, openForWriting } from "@moneta/ledger";
import { type Address, mrc400Create, mrc400Update } from "@moneta/protocol";
import { operationOf, TestLedger } from "../../ledger/testing/test-ledger.ts";
import { archive } from "../commands/archive.ts";
import { logCopy } from "../commands/log.ts";
import { prune } from "../commands/prune.ts";
import { verify } from "../commands/verify.ts";
import { dataDirectory, LEDGER_PART } from "../data-directory/data-directory.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { outputOf, printed } from "../testing/command-in-process.ts";
import { agedCopy, OLD, oldLedger } from "../testing/disks/old-ledger.ts";
import { filesIn, TemporaryDirectory } from "../testing/temporary-directory.ts";

let directory: TemporaryDirectory;
let ledger: TestLedger;
let data: string;
let folder: string;

before(async () => {
  directory = new TemporaryDirectory("prune");
  ({ ledger, data } = await oldLedger(directory.path));
  folder = join(directory.path, "archive");
  await archived(folder, OLD + 1);
});
after(() => {
  ledger?.[Symbol.dispose]();
  directory[Symbol.dispose]();
});

async function archived(to: string, height: number, from = data): Promise<void> {
  await outputOf(() => archive(from, to, height));
}

function copied(name: string): string {
  const path = join(directory.path, name);
  cpSync(data, path, { recursive: true });
  return path;
}

function run(path: string, height: number, from = folder): ReturnType<typeof printed> {
  return printed(() => prune(path, { before: height, archive: from, keys: [] }));
}

test("proofs §6: pruned again, the next blocks are removed; pruned no further, nothing is", async () => {
  const path = copied("again");
  const { ledger: file } = dataDirectory(path);
  const sizes = [statSync(file).size];
  // Within a tile of leaves, at its end, and within the next one.
  for (const height of [2, 3, 4, OLD]) {
    const { exitCode, output } = await run(path, height);
    assert.equal(exitCode, 0, output);
    sizes.push(statSync(file).size);
    const reader = new LedgerReader(file);
    reader.open(0);
    const { size } = reader;
    assert.equal(reader.firstKept, height);
    for (const index of [0, reader.firstTransactionOf(height) ?? 0, size - 1]) {
      assert.deepEqual(
        index === 0 ? reader.tree.root(size) : reader.tree.inclusionPath({ index, size }),
        ledger.reading(() =>
          index === 0
            ? ledger.reader.tree.root(size)
            : ledger.reader.tree.inclusionPath({ index, size }),
        ),
      );
    }
    reader.dispose();
  }
  assert.ok((sizes.at(-1) ?? 0) < 0.7 * (sizes[0] ?? 0), sizes.join());
  const kept = readFileSync(file);
  const { exitCode, output } = await run(path, 3);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`has block 0 and the blocks from ${OLD} on: nothing to remove`));
  assert.deepEqual(readFileSync(file), kept);
  const verified = await printed(() => verify(path));
  assert.equal(verified.exitCode, 2);
  assert.match(verified.output, /lacks the blocks from 1 to/);
  const options = { schema: "moneta", passwordFile: "" };
  await assert.rejects(
    logCopy(path, join(directory.path, "copied"), options),
    /lacks the blocks from 1 to .*: copy a ledger that has them/,
  );
});

test("proofs §6.5: while entries do not change in number, pruned directories have the same size", async () => {
  using flat = await TestLedger.begin();
  const people = await flat.createAddresses(20);
  const paid = people.map((to) => flat.transfer({ from: flat.treasury, to, amount: "10" }));
  await flat.done(...paid);
  const { treasury: owner } = flat;
  const itemUrls = { itemurl: "https://p.example/item", itemimageurl: "https://p.example/image" };
  const project = {
    ...{ owner, name: "P", category: "game", description: "d", data: "d", signature: "MEQ=" },
    ...{ url: "https://p.example/", imageurl: "https://p.example/i", ...itemUrls },
  };
  const keys = Array.from({ length: 5 }, () => flat.key(owner));
  await flat.done(...keys.map((tkey) => operationOf(mrc400Create, { ...project, tkey }, owner)));
  const sizes: number[] = [];
  const to = join(directory.path, "of flat");
  for (let round = 0; round < 3; round += 1) {
    for (let block = 0; block < 50; block += 1) {
      // Earlier states become larger than everything that a pruned directory keeps.
      const data = `${block % 10} `.repeat(2048);
      const updates = keys.map((key) => {
        const mrc400id = derivedId("MRC400", owner, key);
        const update = { mrc400id, data, tkey: flat.key(owner), signature: "MEQ=" };
        return operationOf(mrc400Update, update, owner);
      });
      const transfers = people.map((from, at) =>
        flat.transfer({ from, to: people[(at + 1) % people.length] as Address, amount: "1" }),
      );
      await flat.done(...updates, ...transfers);
    }
    const path = await agedCopy(flat, join(directory.path, `flat ${round}`));
    const height = flat.ledger.head.height - 12;
    await archived(to, height, path);
    assert.equal((await run(path, height, to)).exitCode, 0);
    sizes.push(statSync(dataDirectory(path).ledger).size);
  }
  assert.ok(Math.max(...sizes) <= 1.05 * Math.min(...sizes), sizes.join());
});

test("proofs §6.2: the archive of a pruned ledger grows as that of the whole one", async () => {
  const other = await oldLedger(join(directory.path, "long"));
  using long = other.ledger;
  while (long.ledger.head.height < 1100) {
    await long.createAddresses(1);
  }
  const pruned = await agedCopy(long, join(directory.path, "long pruned"));
  const whole = await agedCopy(long, join(directory.path, "long whole"));
  const [to, wanted] = ["grown", "wanted"].map((name) => join(directory.path, name)) as [
    string,
    string,
  ];
  // Within a file of blocks; at its end; in the next one, twice.
  for (const height of [400, 1000, 1003, 1090]) {
    await archived(to, height, pruned);
    const { exitCode, output } = await run(pruned, height, to);
    assert.equal(exitCode, 0, output);
  }
  await archived(wanted, 1090, whole);
  assert.deepEqual(filesIn(to, /^\./), filesIn(wanted, /^\./));
  await assert.rejects(
    printed(() => archive(pruned, join(directory.path, "other"), 1095)),
    /has no blocks from 1 to 1089, and \S+ has no archive: name the folder of an archive/,
  );
});

test("proofs §6: a prune is refused while a table is not known, of which all or some rows may have to stay", async () => {
  const path = copied("unknown table");
  const { ledger: file } = dataDirectory(path);
  for (const { made, says } of [
    { made: "TABLE unknown (a INTEGER)", says: /it is known which rows of unknown a pruned/ },
    { made: "VIRTUAL TABLE unknown USING fts5 (a)", says: /it is known what a pruned .* unknown/ },
  ]) {
    const database = openForWriting(file);
    database.exec(`CREATE ${made}`);
    database.close();
    const { size } = statSync(file);
    await assert.rejects(run(path, OLD), says, made);
    assert.equal(statSync(file).size, size);
    const again = openForWriting(file);
    again.exec("DROP TABLE unknown");
    again.close();
  }
});

for (const { what, change, says } of [
  {
    what: "a record",
    change: (to: string) =>
      changed(join(to, "blocks/000.p", String(OLD + 1)), (bytes) =>
        gzipSync(gunzipSync(bytes).toString("utf8").replace('"values":{', '"values":{"a":1,')),
      ),
    says: /shorter than its index|damaged|its transactions are not those/,
  },
  {
    what: "an index",
    change: (to: string) =>
      changed(join(to, "index/000.p", String(OLD + 1)), (bytes) =>
        Buffer.from(bytes.toString().replace("[[0,0,", "[[0,1,")),
      ),
    says: /its index names block 0, line 1 in place of 0, 0/,
  },
  {
    what: "a tile of hashes",
    change: (to: string) => changed(join(to, "tlog/tile/0/001"), flipped),
    says: /tile\/0\/001 differs from the ledger/,
  },
  {
    what: "a tile of leaves",
    change: (to: string) => changed(join(to, "tlog/tile/entries/000"), flipped),
    says: /tile\/entries\/000 differs from the ledger/,
  },
]) {
  test(`proofs §6.2: with ${what} of the archive changed, nothing is removed`, async () => {
    const path = copied(`changed ${what}`);
    const to = join(directory.path, `archive with ${what}`);
    cpSync(folder, to, { recursive: true });
    change(to);
    const { ledger: file } = dataDirectory(path);
    const { size } = statSync(file);
    const { exitCode, output } = await run(path, OLD, to);
    assert.equal(exitCode, 1, output);
    assert.match(output, says);
    assert.equal(statSync(file).size, size);
    assert.ok(!readdirSync(path).includes(LEDGER_PART));
  });
}

function changed(file: string, change: (bytes: Buffer) => Buffer): void {
  const bytes = readFileSync(file);
  const other = change(bytes);
  assert.notDeepEqual(other, bytes);
  writeFileSync(file, other);
}

function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other[40] = (other[40] ?? 0) ^ 1;
  return other;
}

test("proofs §6.3: a height that something needs is refused", async () => {
  const path = copied("needed");
  const named = dataDirectory(path);
  const refused = async (height: number, says: RegExp, from = folder): Promise<void> => {
    await assert.rejects(run(path, height, from), (thrown: Error) => {
      assert.equal(thrown.name, "SettingProblem");
      assert.match(thrown.message, says);
      return true;
    });
  };
  await refused(OLD + 1, new RegExp(`--before ${OLD + 1}: must be at most ${OLD}, because`));
  const short = join(directory.path, "short");
  await archived(short, OLD - 1);
  await refused(OLD, /has the blocks before [0-9]+ only: run moneta archive/, short);
  const longer = join(directory.path, "longer");
  cpSync(folder, longer, { recursive: true });
  changed(join(longer, "archive.json"), (bytes) =>
    Buffer.from(bytes.toString().replace(`"before": ${OLD + 1}`, '"before": 100')),
  );
  await refused(
    OLD,
    /an archive whose block 99 is [0-9a-f]{64}, and this ledger's is not there/,
    longer,
  );
  mkdirSync(named.webhooks);
  const webhook = join(named.webhooks, "one.json");
  const idAt = (height: number): string =>
    ledger.reading(() =>
      ledger.reader.transactionIdOf(ledger.reader.firstTransactionOf(height) ?? 0),
    ) ?? "";
  writeFileSync(webhook, JSON.stringify({ url: "https://example.com", after: idAt(3) }));
  await refused(4, /one\.json has delivered the blocks up to 3 only/);
  writeFileSync(webhook, JSON.stringify({ url: "https://example.com", after: idAt(4) }));
  assert.equal((await run(path, 4)).exitCode, 0);
  const root = ledger.reading(() => Buffer.from(ledger.reader.tree.root(3)).toString("hex"));
  new SignedTreeFile(named.signedTree).write({ size: 3, tree: root });
  await refused(OLD, /no checkpoint covers a state root of a later block/);
});
