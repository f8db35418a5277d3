import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  type AnyOperation,
  address,
  addressAround,
  type Block,
  encodeBase62Number,
  explain,
  type LedgerOperation,
  MerkleTree,
  multitransfer,
  NATIVE_COIN,
  operationText,
  parseAddress,
  parseAmount,
  parseTransactionId,
  protocol,
  Refused,
  readTexts,
  stateroot,
  type TokenId,
  type TransactionRecord,
  transfer,
  untaggedKey,
} from "@moneta/protocol";
import { genesisOperations, readGenesis } from "../chain/genesis.ts";
import {
  NEWEST_VERSION,
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
} from "../chain/protocol-version.ts";
import { type Database, openForWriting, type Row, wordsOf } from "../database.ts";
import type { Outcome, Unit } from "../executor.ts";
import { type Execution, Ledger } from "../ledger.ts";
import { ChangedEntries, changedHash } from "../log/changed-entries.ts";
import { LocalLog } from "../log/local-log.ts";
import { LedgerReader } from "../reader.ts";
import type { SignatureClaim } from "../replay.ts";
import { sha256 } from "../sha256.ts";
import type { BalanceEntry } from "../state/balances/balances.ts";
import { PROTOCOL } from "../state/entries.ts";
import { EARLIER_TABLES } from "../state/tables/earlier-entries.ts";
import { STATE_TABLES } from "../state/tables/tables.ts";
import { TOKEN } from "../state/token-entry.ts";
import { dropTables, ROWS_OF_TRANSACTIONS } from "../tables.ts";
import { TablesFromEntries } from "../tables-from-entries.ts";
import { entryOf } from "../views/history.ts";
import { BlockList } from "./block-list.ts";
import { assertForecast, forecast } from "./models/forecast.ts";

/** The ledger time of block 0, Unix seconds: T in the tables of the spec. */
export const T = 1767225600;

/**
 * The test key of accounts §2, which all addresses of a `TestLedger` have unless another is given.
 */
export const TEST_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

/** A file with empty tables, which takes longer to make than to copy. */
let emptyLedger: Buffer | undefined;

/** How long a temporary key is valid, seconds. */
export const KEY_SECONDS = 600;

export interface TransferSent {
  readonly from: Address;
  readonly to: Address;
  readonly amount: string;
  readonly token?: string;
  readonly key?: string;
  readonly tags?: string;
  readonly memo?: string;
  readonly unlockdate?: string;
  readonly signature?: string;
  readonly signed?: "full";
}

export interface MultitransferSent {
  readonly from: Address;
  /** The text of the list, or its entries, in which an absent unlock date is 0. */
  readonly list: string | readonly ListEntry[];
  readonly token?: string;
  readonly key?: string;
  readonly signature?: string;
  readonly signed?: "full";
}

interface ListEntry {
  readonly address: Address;
  readonly amount: string;
  readonly unlockdate?: string;
  readonly tag?: string;
  readonly memo?: string;
}

/**
 * A ledger over a SQLite file in a directory of its own, with a treasury that holds the whole
 * supply, and a clock that the test sets. It makes operations as admission would, and returns their
 * outcomes. The ledger does not check signatures, so they are any text.
 */
export class TestLedger implements Disposable {
  /** The node's clock, Unix seconds. */
  now = T;
  /** Whether a dry run of every fourth batch is compared with its execution. */
  isForecast = false;
  #batches = 0;
  readonly file: string;
  readonly #directory: string;
  #opened: { readonly database: Database; readonly ledger: Ledger; readonly reader: LedgerReader };
  #versions: ProtocolVersions;
  #addresses = 0;
  #keys = 0;
  // Blocks never change these.
  #treasury: Address | undefined;
  #id: string | undefined;
  readonly #numbers: Map<Address, number> = new Map();

  /**
   * Begins a ledger whose treasury holds `supply`; equal options make equal ledgers, byte for byte.
   */
  static async begin(
    options: {
      readonly supply?: string;
      readonly publicKey?: string;
      /** Whether there is an operator, who announces new versions of the rules. */
      readonly hasOperator?: boolean;
      /** The version that it begins with, the newest one if absent. */
      readonly protocol?: number;
      readonly versions?: ProtocolVersions;
    } = {},
  ): Promise<TestLedger> {
    const { supply = "1000", publicKey = TEST_KEY, hasOperator = false } = options;
    const { protocol: version = NEWEST_VERSION, versions = PROTOCOL_VERSIONS } = options;
    const genesis = readGenesis(
      {
        ledger: "localhost/test",
        ...(hasOperator ? { operator: { publickey: publicKey } } : {}),
        coin: {
          name: "Test Coin",
          symbol: "TST",
          decimal: 8,
          totalsupply: supply,
          treasury: [{ publickey: publicKey, amount: supply }],
        },
      },
      T,
    );
    const begun = new TestLedger(versions);
    // A genesis file cannot name a version that a test defines.
    await begun.ledger.begin(genesisOperations({ ...genesis, protocol: version }), T);
    return begun;
  }

  private constructor(versions: ProtocolVersions) {
    this.#versions = versions;
    this.#directory = mkdtempSync(join(tmpdir(), "moneta-ledger-"));
    this.file = join(this.#directory, "ledger.sqlite");
    if (emptyLedger !== undefined) {
      writeFileSync(this.file, emptyLedger);
    }
    this.#opened = this.#open();
    if (emptyLedger === undefined) {
      this.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      emptyLedger = readFileSync(this.file);
    }
  }

  get ledger(): Ledger {
    return this.#opened.ledger;
  }

  get database(): Database {
    return this.#opened.database;
  }

  get reader(): LedgerReader {
    return this.#opened.reader;
  }

  /** The address that block 0 pays the supply to. */
  get treasury(): Address {
    if (this.#treasury === undefined) {
      const row = this.database.prepare("SELECT address FROM address WHERE number = 0").get();
      this.#treasury = row?.["address"] as Address;
    }
    return this.#treasury;
  }

  /** The id of block 0. */
  get id(): string {
    this.#id ??= this.reader.log.block(0)?.id as string;
    return this.#id;
  }

  /** The operator, if the ledger has one. */
  get operator(): Address {
    const operator = this.ledger.state.find(PROTOCOL, "")?.operator;
    assert(operator, "this ledger was begun with an operator");
    return operator;
  }

  /** Every block, from block 0 on. */
  get blocks(): readonly Block[] {
    return [...this.reader.log.read(0)];
  }

  get newestBlock(): Block {
    const { log } = this.reader;
    return log.block(log.height()) as Block;
  }

  /**
   * Closes the file and opens it again, as after a restart of the process, with software that
   * supports these versions of the rules.
   */
  restart(versions: ProtocolVersions = this.#versions): void {
    this.#close();
    this.#versions = versions;
    this.#opened = this.#open();
    this.ledger.catchUp();
  }

  /**
   * Rebuilds everything that follows from the blocks, with software that supports these versions of
   * the rules.
   */
  rebuild(versions: ProtocolVersions = this.#versions): void {
    this.#close();
    this.#versions = versions;
    const database = openForWriting(this.file);
    database.exec("PRAGMA synchronous = OFF; BEGIN");
    dropTables(database);
    database.exec("COMMIT");
    database.close();
    this.#opened = this.#open();
    this.ledger.catchUp();
  }

  /** Runs `read`, also within another `read`, while the reader sees one block as the newest. */
  reading<R>(read: () => R): R {
    if (this.reader.isOpen) {
      return read();
    }
    this.reader.open(this.now);
    try {
      return read();
    } finally {
      this.reader.close();
    }
  }

  /** Executes a batch of operations and groups at `now`. */
  async execute(...batch: readonly (string | Unit)[]): Promise<Execution> {
    this.#batches += 1;
    const units = batch.map((unit) => (typeof unit === "string" ? [unit] : unit));
    if (!this.isForecast || this.#batches % 4 > 0 || units.some(({ length }) => length > 1)) {
      return await this.ledger.execute(units, this.now);
    }
    const operations = units.flat();
    const forecasted = forecast(this, operations);
    const execution = await this.ledger.execute(units, this.now);
    assertForecast(this, operations, { forecast: forecasted, outcomes: execution.outcomes });
    return execution;
  }

  /** The outcome of each operation of a batch: `done`, `repeat`, or the code that refused it. */
  async outcomes(...operations: readonly string[]): Promise<string[]> {
    const { outcomes } = await this.execute(...operations);
    return outcomes.map(codeOf);
  }

  async refusal(operation: string): Promise<string> {
    const { outcomes } = await this.execute(operation);
    const [outcome] = outcomes;
    assert(outcome?.kind === "refused", `expected a refusal but it is ${outcome?.kind}`);
    const { code, parameter } = explain(outcome.fault);
    return parameter === undefined ? code : `${code} ${parameter}`;
  }

  /** Executes a batch of which nothing is refused; ids of the transactions. */
  async done(...operations: readonly string[]): Promise<string[]> {
    const { outcomes } = await this.execute(...operations);
    assert.deepEqual(
      outcomes.map(codeOf),
      outcomes.map(() => "done"),
    );
    return outcomes.map((outcome) => (outcome.kind === "refused" ? "" : outcome.transactionIds[0]));
  }

  /** Creates so many addresses in one block. */
  async createAddresses(count: number): Promise<Address[]> {
    const created = Array.from({ length: count }, () => this.drawAddress());
    await this.done(...created.map((drawn) => this.addressOperation(drawn)));
    return created;
  }

  /** An address that the ledger does not have. */
  drawAddress(): Address {
    this.#addresses += 1;
    return addressAround(`x${String(this.#addresses).padStart(29, "0")}`);
  }

  /** A new temporary key of an address, issued now or with another expiry. */
  key(of: Address, expiry: number = this.now + KEY_SECONDS): string {
    this.#keys += 1;
    const addressNumber =
      this.#numbers.get(of) ?? this.reading(() => this.reader.state.address(of)?.number);
    assert(addressNumber !== undefined, "only an address on the ledger gets keys");
    this.#numbers.set(of, addressNumber);
    const random = encodeBase62Number(this.#keys, 10);
    return `${untaggedKey({ addressNumber, expiry, random })}${"0".repeat(22)}`;
  }

  addressOperation(
    created: Address,
    sent: { readonly publickey?: string; readonly addinfo?: string; readonly signed?: "full" } = {},
  ): string {
    return operationOf(address, { publickey: TEST_KEY, ...sent }, "", { address: created });
  }

  transfer({ key, ...sent }: TransferSent): string {
    const checkkey = key ?? this.key(sent.from);
    const whole = { token: "0", signature: "MEQ=", ...sent, checkkey };
    return operationOf(transfer, whole, sent.from);
  }

  multitransfer({ key, list, ...sent }: MultitransferSent): string {
    const checkkey = key ?? this.key(sent.from);
    const transferlist =
      typeof list === "string"
        ? list
        : JSON.stringify(list.map((entry) => ({ unlockdate: "0", ...entry })));
    const whole = { token: "0", signature: "MEQ=", ...sent, transferlist, checkkey };
    return operationOf(multitransfer, whole, sent.from);
  }

  announcement(sent: {
    readonly version: string;
    readonly height: string;
    readonly note?: string;
    readonly tkey?: string;
  }): string {
    const { tkey = this.key(this.operator) } = sent;
    const whole = { note: "to come", signature: "MEQ=", ...sent, tkey, signed: "full" };
    return operationOf(protocol, whole, this.operator);
  }

  /** Balances as they are listed at `now`. */
  balances(of: Address, token: string = NATIVE_COIN): readonly BalanceEntry[] {
    return this.reading(() => {
      const addressNumber = this.reader.state.address(of)?.number as number;
      const at = this.reader.timeAt(this.now);
      const options = { addressNumber, token: token as TokenId, after: undefined, limit: 100, at };
      return this.reader.balances.list(options).items;
    });
  }

  /** Balances in short: the free amount, then `amount at +seconds` after T for each locked one. */
  held(by: Address, token: string = NATIVE_COIN): string {
    return this.balances(by, token)
      .map(({ balance, unlockdate }) =>
        unlockdate === 0 ? balance : `${balance} at +${unlockdate - T}`,
      )
      .join(", ");
  }

  record(id: string): TransactionRecord {
    return this.reading(() => {
      const name = parseTransactionId(id);
      const found = name && this.reader.transaction(name);
      assert(found !== undefined, `there is no transaction ${id}`);
      return JSON.parse(found.transaction.record) as TransactionRecord;
    });
  }

  /** The records of all transactions, in the order of the ledger. */
  records(): readonly TransactionRecord[] {
    return this.reading(() =>
      this.blocks.flatMap(({ header }) => {
        const block = this.reader.block({ height: header.sn });
        assert(block !== undefined);
        return this.reader.transactionIds(block).map((id) => this.record(id));
      }),
    );
  }

  /**
   * Makes a block `seconds` before the time of the newest one, which nothing but its time speaks
   * against: for the ledger that makes it, the newest block is as old as that.
   */
  async doneEarlier(seconds: number, ...operations: readonly string[]): Promise<void> {
    const { timestamp } = this.newestBlock.header;
    this.database.prepare("UPDATE head SET timestamp = ?").run(timestamp - seconds);
    this.restart();
    this.now = timestamp - seconds;
    await this.done(...operations);
    assert.equal(this.newestBlock.header.timestamp, timestamp - seconds);
  }

  /**
   * Gives an address amounts of a token that no operation makes yet, and makes the token if need
   * be. Such a ledger cannot be replayed.
   */
  give(
    to: Address,
    token: string,
    amounts: readonly { readonly amount: string; readonly unlockDate?: number }[],
  ): void {
    const { state } = this.ledger;
    const id = token as TokenId;
    // Earlier entries begin with block 0.
    state.beginBlock({ height: 0, time: T });
    const coin = state.token(NATIVE_COIN);
    assert(coin !== undefined);
    state.put(TOKEN, { ...coin, id, token: Number(id) });
    for (const { amount, unlockDate = 0 } of amounts) {
      const parsed = parseAmount(amount);
      assert(parsed !== undefined);
      state.balances.credit(to, id, parsed, unlockDate);
    }
    state.acceptOperation();
    state.save();
    state.acceptBlock();
    this.restart();
  }

  [Symbol.dispose](): void {
    this.#close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #open(): { database: Database; ledger: Ledger; reader: LedgerReader } {
    const database = openForWriting(this.file);
    // These tests end with their process, not with the machine, so they need no syncs.
    database.exec("PRAGMA synchronous = OFF");
    const log = new LocalLog(database);
    const ledger = new Ledger(database, log, this.#versions);
    return { database, ledger, reader: new LedgerReader(this.file) };
  }

  #close(): void {
    this.#opened.reader.dispose();
    this.#opened.database.close();
  }
}

/** The canonical text of an operation, from the parameters that a request would have. */
export function operationOf(
  description: AnyOperation,
  sent: { readonly [name: string]: string },
  actor: Address | "",
  decided: LedgerOperation["decided"] = {},
): string {
  const request = readTexts(description, sent);
  assert(!(request instanceof Refused), "the test sends what admission lets through");
  const { params, signatures } = request;
  return operationText({ op: description.name, actor, params, decided, signatures });
}

/** The operation that claims a state root as of a block. */
export function rootOperation(height: number, root: string = "0".repeat(64)): string {
  return operationOf(stateroot, { height: String(height), root }, "");
}

export function codeOf(outcome: Outcome): string {
  return outcome.kind === "refused" ? outcome.fault.code : outcome.kind;
}

/** Replays blocks into a new database in memory; throws `InvalidBlock` as `catchUp` does. */
export function replay(
  blocks: readonly Block[],
  onSignature?: (claim: SignatureClaim) => void,
  versions: ProtocolVersions = PROTOCOL_VERSIONS,
): { readonly ledger: Ledger; readonly database: Database } {
  const database = openForWriting(":memory:");
  const ledger = new Ledger(database, new BlockList(blocks), versions);
  ledger.keepChanges(true);
  try {
    ledger.catchUp(onSignature === undefined ? {} : { onSignature });
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  return { ledger, database };
}

export function assertLocksSummedUp(database: Database): void {
  const locks = new Map<string, { count: number; sum: bigint; first: number }>();
  for (const row of database.prepare("SELECT * FROM lock ORDER BY unlock_date").all()) {
    const of = `${row["address"]} ${row["token"]}`;
    const first = row["unlock_date"] as number;
    const { count, sum } = locks.get(of) ?? { count: 0, sum: 0n };
    assert.match(row["amount"] as string, /^[1-9][0-9]*$/);
    locks.set(of, {
      count: count + 1,
      sum: sum + BigInt(row["amount"] as string),
      first: locks.get(of)?.first ?? first,
    });
  }
  for (const row of database.prepare("SELECT * FROM balance").all()) {
    const of = `${row["address"]} ${row["token"]}`;
    const { count, sum, first } = locks.get(of) ?? { count: 0, sum: 0n, first: 0 };
    assert.deepEqual([row["locks"], row["locked"]], [count, String(sum)], of);
    assert((row["unlocks_from"] as number) <= first, of);
    locks.delete(of);
  }
  assert.deepEqual([...locks.keys()], []);
}

/**
 * Checks a ledger that keeps the changes of all its blocks: applying these changes gives its
 * entries, and each entry is found by its key.
 */
function assertEntries({ ledger, database }: ReturnType<typeof replay>): void {
  const left = new Map<string, string>();
  for (const { changes } of new ChangedEntries(database).after(-1)) {
    for (const [key, value] of changes) {
      const hash = changedHash(value);
      if (hash === undefined) {
        left.delete(key);
      } else {
        left.set(key, Buffer.from(hash).toString("hex"));
      }
    }
  }
  const { state } = ledger;
  const entries = new Map(state.entries());
  const hashes = [...entries].map(([key, text]): [string, string] => [key, sha256.hex(text)]);
  assert.deepEqual(new Map(hashes), left);
  for (const [key, text] of entries) {
    assert.equal(state.entryText(key), text, key);
  }
  assert.equal(state.entryText("balance/nobody/0"), undefined);
}

/**
 * Checks a ledger whose tables are made from its state entries half-way, and whose log begins a
 * third of the way. It reaches the same blocks, state and later rows of views as the whole one,
 * which still shows these entries at its end. Source: proofs §2.6, §5.
 */
function assertGoesOn(whole: TestLedger, wanted: ReturnType<typeof rowsOf>): void {
  const { blocks } = whole;
  const first = replay(blocks.slice(0, Math.ceil(blocks.length / 2)));
  const entries = whole.reading(() =>
    sortedEntries(whole.reader.asOf(first.ledger.head.height).entries()),
  );
  assert.deepEqual(entries, sortedEntries(first.ledger.state.entries()));
  const database = openForWriting(":memory:");
  const log = new LocalLog(database);
  const tables = new TablesFromEntries(database, first.ledger.head);
  for (const [key, text] of first.ledger.state.entries()) {
    tables.add(key, text);
  }
  tables.end(first.ledger.head);
  first.database.close();
  const ledger = new Ledger(database, log, PROTOCOL_VERSIONS);
  const { height } = ledger.head;
  const begins = Math.max(1, Math.ceil(height / 2));
  const [before, leaves] = whole.reading(() => {
    const size = whole.reader.firstTransactionOf(begins) as number;
    return [size, whole.reader.tree.hashes(0, 0, size)];
  });
  const tree = new MerkleTree(sha256);
  for (let leaf = 0; leaf < before; leaf += 1) {
    tree.appendHash(Uint8Array.from(leaves.subarray(32 * leaf, 32 * leaf + 32)));
  }
  const recorded = ({ header, ...block }: Block) => {
    const range = [header.size - header.count, header.size] as const;
    const records = [...whole.reader.transactions.range(...range)].map(({ record }) => record);
    return { ...block, header, records };
  };
  whole.reading(() => {
    ledger.addEarlier(blocks.slice(0, 1).map(recorded), new MerkleTree(sha256));
    log.keepFrom(begins);
    ledger.addEarlier(blocks.slice(begins, height + 1).map(recorded), tree);
  });
  for (const block of blocks.slice(height + 1)) {
    log.append(block);
  }
  ledger.catchUp();
  assert.equal(ledger.head.id, blocks.at(-1)?.id);
  assert.equal(log.firstMissing(), undefined);
  const rows = rowsOf(database);
  // The history, and columns that only support lookups, do not follow from the entries.
  const others = ["transaction_number", "unlocks_from"];
  for (const { table } of STATE_TABLES) {
    if (!EARLIER_TABLES.some((earlier) => earlier.table === table)) {
      const compared = (of: typeof rows) =>
        of[table]?.map((row) =>
          Object.entries(row as object).flatMap(([column, cell]) =>
            // Members of stored documents may have another order than those of entries.
            others.includes(column) ? [] : [[column, isJson(cell) ? JSON.parse(cell) : cell]],
          ),
        );
      assert.deepEqual(compared(rows), compared(wanted), table);
    }
  }
  for (const { table, column, first } of ROWS_OF_TRANSACTIONS) {
    const later = (of: typeof rows) =>
      of[table]?.filter(
        (row) =>
          ((row as Row)[column] as number) >= first(before) &&
          // Older keys may have been discarded.
          (table !== "used_key" || ((row as Row)["expiry"] as number) >= ledger.head.timestamp),
      );
    assert.deepEqual(later(rows), later(wanted), table);
  }
  const laterWords = (of: typeof rows) =>
    of["history"]?.filter((row) => entryOf((row as Row)["doc"] as number).transaction >= before);
  assert.deepEqual(laterWords(rows), laterWords(wanted), "history");
  database.close();
}

function sortedEntries(entries: ReturnType<LedgerReader["entries"]>): readonly unknown[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isJson(cell: unknown): cell is string {
  return typeof cell === "string" && cell.startsWith("{");
}

/** Tables that do not follow from the blocks. */
const OTHER_TABLES: readonly string[] = [
  "block_log",
  "pruned_log",
  "changed_entries",
  "keeps_changes",
];

/** All that follows from the blocks: each table, in the order of its primary key. */
export function rowsOf(database: Database): { readonly [table: string]: unknown[] } {
  const namesIn = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => row["name"] as string);
  const primaryKeyOf = (table: string): string =>
    namesIn(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`).join();
  // Indexes of full-text search have rows that depend on the number of blocks in a transaction: of
  // histories their words are here, and the index of earlier entries is left out.
  const tables = namesIn(
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'",
  );
  const rows = Object.fromEntries(
    tables
      .filter((table) => !OTHER_TABLES.includes(table))
      .map((table) => {
        const ofState = STATE_TABLES.find((state) => state.table === table);
        const { key, columns } = ofState ?? { key: primaryKeyOf(table), columns: "*" };
        return [table, database.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${key}`).all()];
      }),
  );
  return { ...rows, history: [...wordsOf(database, "history")] };
}

/**
 * Replay of the blocks, a restart and a rebuild lead to the same rows and ids. With
 * `goesOnFromEntries`, so do later blocks on tables that are made from entries.
 */
export function assertReplaysAlike(ledger: TestLedger, goesOnFromEntries = true): void {
  const rows = rowsOf(ledger.database);
  const ids = ledger.blocks.map(({ id }) => id);
  const replayed = replay(ledger.blocks);
  assert.equal(replayed.ledger.head.id, ids.at(-1));
  assert.deepEqual(rowsOf(replayed.database), rows);
  assertEntries(replayed);
  replayed.database.close();
  if (goesOnFromEntries) {
    assertGoesOn(ledger, rows);
  }
  ledger.restart();
  assert.equal(ledger.ledger.head.id, ids.at(-1));
  ledger.rebuild();
  assert.deepEqual(rowsOf(ledger.database), rows);
  assert.deepEqual(
    ledger.blocks.map(({ id }) => id),
    ids,
  );
}

/** `parseAddress` of a valid address. */
export function addressOf(text: string): Address {
  const parsed = parseAddress(text);
  assert(parsed !== undefined);
  return parsed;
}
