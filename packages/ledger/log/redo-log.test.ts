import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Address, NATIVE_COIN, NO_BLOCK } from "@moneta/protocol";
import { openForWriting, StorageFailure } from "../database.ts";
import { Ledger } from "../ledger.ts";
import { codeOf, replay, TestLedger } from "../testing/test-ledger.ts";
import { LocalLog } from "./local-log.ts";
import { RedoLog } from "./redo-log.ts";

const HEADER = {
  ...{ v: 1, protocol: 1, timestamp: 1, count: 1, size: 1 },
  ...{ root: NO_BLOCK, tree: NO_BLOCK, changes: NO_BLOCK },
};

/** A ledger with transfers that can be logged. */
class LoggedTransfers implements Disposable {
  readonly on: TestLedger;
  readonly payee: Address;
  readonly folder: string = mkdtempSync(join(tmpdir(), "moneta-redo-"));
  #images = 0;

  private constructor(on: TestLedger, payee: Address) {
    this.on = on;
    this.payee = payee;
  }

  static async begin(): Promise<LoggedTransfers> {
    const on = await TestLedger.begin({ supply: "1000000" });
    const [payee] = (await on.createAddresses(1)) as [Address];
    return new LoggedTransfers(on, payee);
  }

  get redoFile(): string {
    return `${this.on.file}-redo`;
  }

  transfer(amount: string, memo = ""): string {
    return this.on.transfer({ from: this.on.treasury, to: this.payee, amount, memo });
  }

  /** Makes a block of transfers of 1 that may be logged. */
  log(count = 1, memo = ""): ReturnType<Ledger["execute"]> {
    const units = Array.from({ length: count }, () => [this.transfer("1", memo)]);
    return this.on.ledger.execute(units, this.on.now, { mayLog: true });
  }

  /** The balance of the payee as readers see it. */
  get held(): string {
    return this.on.held(this.payee);
  }

  /** Opens a copy of the files as they are now, as a start after a kill does. */
  async killed<T>(
    look: (ledger: Ledger, file: string) => T,
    damage: (redoFile: string) => void = () => undefined,
  ): Promise<T> {
    this.#images += 1;
    const file = join(this.folder, `image${this.#images}.db`);
    for (const suffix of ["", "-wal", "-redo"]) {
      if (existsSync(this.on.file + suffix)) {
        copyFileSync(this.on.file + suffix, file + suffix);
      }
    }
    damage(`${file}-redo`);
    using database = openForWriting(file);
    const ledger = new Ledger(database, new LocalLog(database));
    ledger.catchUp();
    ledger.checkLinks();
    return look(ledger, file);
  }

  [Symbol.dispose](): void {
    this.on[Symbol.dispose]();
    rmSync(this.folder, { recursive: true });
  }
}

test("a logged block is durable at once, and readers see it after a flush", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on } = transfers;
  const before = on.ledger.head.height;
  const first = transfers.log(2);
  assert.deepEqual([first.loggedHeight, first.height], [before + 1, before]);
  transfers.log();
  assert.equal(transfers.held, "0");
  assert.deepEqual([on.ledger.loggedHeight, on.ledger.stored.height], [before + 2, before]);
  await transfers.killed((ledger) => {
    assert.equal(ledger.head.id, on.ledger.head.id);
    assert.equal(ledger.state.balances.spendable(transfers.payee, NATIVE_COIN), 3n);
  });
  on.ledger.flush();
  assert.equal(transfers.held, "3");
  assert.equal(on.ledger.stored.height, before + 2);
  assert.equal(replay(on.blocks).ledger.head.id, on.ledger.head.id);
});

test("a block that is committed commits the logged blocks before it", async () => {
  using transfers = await LoggedTransfers.begin();
  transfers.log();
  await transfers.on.done(transfers.transfer("5"));
  assert.equal(transfers.held, "6");
  assert.equal(transfers.on.ledger.loggedHeight, undefined);
});

test("repeats and refusals are answered by logged blocks, and change nothing", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on, payee } = transfers;
  const sent = transfers.transfer("7");
  const spent = on.transfer({ from: payee, to: on.treasury, amount: "8" });
  const run = (units: readonly string[]) =>
    on.ledger
      .execute(
        units.map((unit) => [unit]),
        on.now,
        { mayLog: true },
      )
      .outcomes.map(codeOf);
  assert.deepEqual(run([sent]), ["done"]);
  const { head } = on.ledger;
  assert.deepEqual(run([sent, spent]), ["repeat", "5001"]);
  assert.equal(on.ledger.head, head);
  const unspent = on.transfer({ from: payee, to: on.treasury, amount: "7" });
  assert.deepEqual(run([unspent]), ["done"]);
  await transfers.killed((ledger) => {
    assert.equal(ledger.head.id, on.ledger.head.id);
  });
});

test("a block that fails leaves the logged blocks before it", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on } = transfers;
  transfers.log(3);
  const { head } = on.ledger;
  const pages = on.database.prepare("PRAGMA page_count").get()?.["page_count"] as number;
  on.database.exec(`PRAGMA max_page_count = ${pages}`);
  assert.throws(() => transfers.log(100, "y".repeat(2048)), StorageFailure);
  await transfers.killed((ledger) => assert.equal(ledger.head.id, head.id));
  on.database.exec("PRAGMA max_page_count = 1073741823");
  transfers.log();
  on.ledger.flush();
  assert.equal(transfers.held, "4");
  assert.equal(replay(on.blocks).ledger.head.id, on.ledger.head.id);
});

test("at most 4,096 records are logged alone, of which a transfer has two", async () => {
  using transfers = await LoggedTransfers.begin();
  assert(transfers.log(2000).loggedHeight !== undefined);
  assert(transfers.log(48).loggedHeight !== undefined);
  assert.equal(transfers.log(1).loggedHeight, undefined);
  assert.equal(transfers.held, "2049");
});

test("a block that the file has no room for is not logged", () => {
  const folder = mkdtempSync(join(tmpdir(), "moneta-redo-"));
  try {
    const redo = new RedoLog(join(folder, "redo"));
    const block = { height: 1, id: "id", header: "{}", operations: "x".repeat(3 << 20) };
    assert.equal(redo.append(block), true);
    assert.equal(redo.append(block), false);
    redo.reset();
    assert.equal(redo.append(block), true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that cannot be removed is a failure of the disk, which a start explains", () => {
  const folder = mkdtempSync(join(tmpdir(), "moneta-redo-"));
  try {
    // A folder is none: it is not removed as a file.
    assert.throws(() => RedoLog.remove(folder), StorageFailure);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that could not be allocated is not tried again with every block", () => {
  const folder = mkdtempSync(join(tmpdir(), "moneta-redo-"));
  try {
    const block = { height: 1, id: "id", header: "{}", operations: "x" };
    const redo = new RedoLog(join(folder, "absent", "redo"));
    assert.equal(redo.append(block), false);
    mkdirSync(join(folder, "absent"));
    assert.equal(redo.append(block), false);
    assert.equal(new RedoLog(join(folder, "absent", "redo")).append(block), true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that was given back to a full disk keeps its blocks when it is allocated again", () => {
  const folder = mkdtempSync(join(tmpdir(), "moneta-redo-"));
  try {
    const file = join(folder, "redo");
    const redo = new RedoLog(file);
    const idOf = (height: number): string => String(height).padStart(64, "0");
    const append = (height: number): boolean => {
      const header = { ...HEADER, sn: height, previous: idOf(height - 1) };
      return redo.append({
        ...{ height, id: idOf(height), header: JSON.stringify(header), operations: "{}" },
      });
    };
    const heights = (): number[] => {
      const blocks = RedoLog.blocksAfter(file, { height: 6, id: idOf(6) });
      return [...blocks].map(({ header }) => header.sn);
    };
    assert.equal(append(7), true);
    assert.equal(redo.shrink(), true);
    assert.equal(redo.shrink(), false);
    assert.deepEqual(heights(), [7]);
    assert.equal(append(8), true);
    assert.deepEqual(heights(), [7, 8]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a frame that is damaged or cut off at any byte is not taken in, and those before it are", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on } = transfers;
  transfers.log();
  const { id: first } = on.ledger.head;
  const begin = readFileSync(transfers.redoFile).indexOf("\0\0\0\0\0\0\0\0\0\0\0\0");
  transfers.log();
  const { id: second } = on.ledger.head;
  const whole = readFileSync(transfers.redoFile);
  const end = whole.indexOf("\0\0\0\0\0\0\0\0\0\0\0\0", begin + 12);
  assert(begin > 0 && end > begin);
  assert.equal(await transfers.killed(({ head }) => head.id), second);
  for (let at = begin; at < end; at += at < begin + 8 ? 1 : 37) {
    const damaged = await transfers.killed(
      ({ head }) => head.id,
      (file) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] as number) ^ 0x41;
        writeFileSync(file, bytes);
      },
    );
    assert.equal(damaged, first, `byte ${at}`);
    const cut = await transfers.killed(
      ({ head }) => head.id,
      (file) => truncateSync(file, at),
    );
    assert.equal(cut, first, `cut at ${at}`);
  }
});

test("blocks of an earlier use, and those of another ledger, are not taken in", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on } = transfers;
  for (const count of [1, 1, 1]) {
    transfers.log(count);
  }
  on.ledger.flush();
  transfers.log();
  const { id } = on.ledger.head;
  assert.equal(await transfers.killed(({ head }) => head.id), id);
  using others = await LoggedTransfers.begin();
  for (const count of [1, 1, 1, 1, 1]) {
    others.log(count, "others");
  }
  const stored = on.ledger.stored.id;
  const foreign = await transfers.killed(
    ({ head }) => head.id,
    (file) => copyFileSync(others.redoFile, file),
  );
  assert.equal(foreign, stored);
});

test("a start takes the blocks in once, and the file is gone after it and after a clean end", async () => {
  using transfers = await LoggedTransfers.begin();
  const { on } = transfers;
  transfers.log();
  await transfers.killed((ledger, file) => {
    assert.equal(existsSync(`${file}-redo`), false);
    using database = openForWriting(file);
    assert.equal(new Ledger(database, new LocalLog(database)).head.id, ledger.head.id);
  });
  on.ledger.end();
  assert.equal(existsSync(transfers.redoFile), false);
  assert.equal(transfers.held, "1");
});
