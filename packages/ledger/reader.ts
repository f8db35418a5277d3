import {
  type Block,
  type BlockName,
  type Header,
  type LedgerOperation,
  leafText,
  parseTransactionId,
  type TemporaryKey,
  type TransactionName,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
import { type Database, openForReading } from "./database.ts";
import type { TransactionIds } from "./executor.ts";
import { invariant } from "./invariant.ts";
import type { StoredBlocks } from "./log/block-log.ts";
import { ChangedEntries } from "./log/changed-entries.ts";
import { LocalLog } from "./log/local-log.ts";
import { NotKept } from "./not-kept.ts";
import { sha256 } from "./sha256.ts";
import { EarlierEntries } from "./state/earlier-entries.ts";
import { State } from "./state/state.ts";
import { StateTables } from "./state/tables.ts";
import { AddressView } from "./views/addresses.ts";
import { BalanceView } from "./views/balances.ts";
import { type BlockSummary, BlockView, firstTransaction, placeIn } from "./views/blocks.ts";
import { DueAuctionView } from "./views/due-auctions.ts";
import { GroupView } from "./views/groups.ts";
import { HistoryView, typeNumber } from "./views/history.ts";
import { ListView } from "./views/lists/list-view.ts";
import type { PlacedTransaction } from "./views/lists/listed-ledger.ts";
import { OrderBook } from "./views/order-book.ts";
import { OrderTradeView } from "./views/order-trades.ts";
import { SearchView } from "./views/search.ts";
import { TokenMarketView } from "./views/token-markets.ts";
import { TotalView } from "./views/totals.ts";
import { type StoredTransaction, TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { UsedKeyView } from "./views/used-keys.ts";

/** A leaf of the ledger tree. Source: chain §4.4. */
export interface TransactionLeaf {
  readonly text: string;
  /** Its place in the tree, from 0. */
  readonly index: number;
  /** Of its block. */
  readonly header: Header;
  /** In canonical form. */
  readonly operation: string;
}

/** An earlier block is rarely asked for twice in a row. */
const PAST_CACHE_BYTES = 1 << 20;

/** A transaction that has served a temporary key. */
export interface KeyUse {
  readonly transactionId: string;
  readonly operation: LedgerOperation;
}

/**
 * Reads the ledger on a connection of its own, which never waits for the one that writes. Between
 * `open` and `close` it sees one block as the newest, however many are added meanwhile.
 * Source: ARCHITECTURE.md, the way of a write.
 */
export class LedgerReader {
  readonly #database: Database;
  readonly log: StoredBlocks;
  readonly state: State;
  readonly addresses: AddressView;
  readonly balances: BalanceView;
  readonly lists: ListView;
  readonly orderBook: OrderBook;
  readonly orderTrades: OrderTradeView;
  readonly dueAuctions: DueAuctionView;
  readonly transactions: TransactionView;
  readonly history: HistoryView;
  readonly search: SearchView;
  readonly tokenMarkets: TokenMarketView;
  readonly totals: TotalView;
  readonly tree: TreeView;
  /** Changes of blocks that the state tree does not have yet. */
  readonly changedEntries: ChangedEntries;
  readonly #blocks: BlockView;
  readonly #usedKeys: UsedKeyView;
  readonly #groups: GroupView;
  #height = -1;
  /** The id of block 0. */
  #ledgerId: string | undefined;
  /**
   * The block that was looked up last by one of its transactions: the next one is often in it too.
   */
  #lastBlock: BlockSummary | undefined;
  #newest: BlockSummary | undefined;
  readonly #earlier: EarlierEntries;
  /** Loads `#past`; undefined for a reader of the newest block. */
  readonly #tables: StateTables | undefined;
  #past: LedgerReader | undefined;

  /**
   * Over the file of a `Ledger`, or over the connection of another reader for earlier states;
   * `cacheBytes` bound the cache, up to twice as many, and once more for addresses.
   */
  constructor(over: string | Database, cacheBytes?: number) {
    const isPast = typeof over !== "string";
    this.#database = isPast ? over : openForReading(over);
    this.#tables = isPast ? new StateTables(over) : undefined;
    this.#earlier = new EarlierEntries(this.#database);
    this.log = new LocalLog(this.#database, "read");
    this.state = new State(this.#database, cacheBytes, "read", this.#tables);
    this.addresses = new AddressView(this.#database);
    this.balances = new BalanceView(this.#database, this.#tables);
    this.lists = new ListView(this.#database, this, {}, this.#tables);
    this.orderBook = new OrderBook(this.#database, this.#tables);
    this.orderTrades = new OrderTradeView(this.#database);
    this.dueAuctions = new DueAuctionView(this.#database);
    this.search = new SearchView(this.#database);
    this.tokenMarkets = new TokenMarketView(this.#database);
    this.totals = new TotalView(this.#database, "read");
    this.tree = new TreeView(this.#database, "read");
    this.changedEntries = new ChangedEntries(this.#database);
    this.#blocks = new BlockView(this.#database, "read");
    this.transactions = new TransactionView(this.#database, "read");
    this.history = new HistoryView(this.#database, "read");
    this.#usedKeys = new UsedKeyView(this.#database, "read");
    this.#groups = new GroupView(this.#database, "read");
  }

  get isOpen(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Number of the newest block that is seen since `open`. */
  get height(): number {
    return this.#height;
  }

  /** The newest block that is seen since `open`. */
  get newest(): BlockSummary {
    invariant(this.#newest !== undefined, "a node has block 0 before it answers");
    return this.#newest;
  }

  /** Number of transactions up to that block. */
  get size(): number {
    return this.newest.header.size;
  }

  /** The ledger time that a block made at `now` would get. Source: accounts §1.5. */
  timeAt(now: number): number {
    return Math.max(now, this.#newest?.header.timestamp ?? 0);
  }

  /** See `StoredBlocks.firstKept`. */
  get firstKept(): number {
    return this.log.firstKept;
  }

  /** Begins a snapshot. After a failure there is none, and the next `open` begins one. */
  open(now: number): void {
    this.#database.exec("BEGIN");
    try {
      const height = this.#blocks.height();
      if (height !== this.#height) {
        this.state.forget();
        this.#newest = this.#blocks.atHeight(height);
        // Last, so that a failed read is repeated.
        this.#height = height;
      }
      this.#ledgerId ??= this.#blocks.atHeight(0)?.id;
      const ledgerId = this.#ledgerId;
      this.state.beginBlock({ height: height + 1, time: this.timeAt(now), ledgerId });
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /**
   * Yields every entry of the state with the JCS of its value, addresses first, while the reader is
   * open. Source: chain §5.
   */
  entries(): Iterable<readonly [key: string, text: string]> {
    return this.state.entries();
  }

  /** The first block as of which the state is kept. */
  get keptSince(): number {
    const { kept } = this.#earlier;
    return kept === "none" ? this.#height : Math.min(kept, this.#height);
  }

  /**
   * This ledger as it was right after a block from `keptSince` on, at that block's time: its state,
   * balances and lists of holders and items. The reader that is returned is open as long as this one
   * is, and shows that block until `asOf` is called again. Source: proofs §1.
   */
  asOf(height: number): LedgerReader {
    if (this.#tables !== undefined) {
      this.#showBlock(height, this.#ledgerId);
      return this;
    }
    invariant(height >= this.keptSince, "the state as of the block is kept");
    this.#past ??= new LedgerReader(this.#database, PAST_CACHE_BYTES);
    this.#past.#showBlock(height, this.#ledgerId);
    return this.#past;
  }

  #showBlock(height: number, ledgerId: string | undefined): void {
    const tables = this.#tables as StateTables;
    const block = this.#blocks.atHeight(height);
    invariant(block !== undefined, "the state is asked for as of a block that there is");
    this.state.forgetAll();
    this.#newest = block;
    this.#height = height;
    this.#ledgerId = ledgerId;
    tables.past = { height, size: block.header.size };
    this.state.beginBlock({ height: height + 1, time: block.header.timestamp, ledgerId });
  }

  /** The newest block whose timestamp is not later than `at`, Unix seconds. */
  heightAt(at: number): number | undefined {
    return this.#blocks.heightAt(at);
  }

  /** The newest state root that a transaction before a running number claims. Source: proofs §2.2. */
  claimedRoot(
    before: number,
  ): { readonly height: number; readonly root: string; readonly transaction: number } | undefined {
    const types = [typeNumber("StateRoot") as number];
    const [transaction] = this.transactions.page({ types, token: undefined, from: 0, before }, 1);
    const record =
      transaction === undefined ? undefined : this.transactions.at(transaction)?.record;
    if (transaction === undefined || record === undefined) {
      return undefined;
    }
    const [height = "", root = ""] = (JSON.parse(record) as TransactionRecord).parameters;
    return { height: Number(height), root, transaction };
  }

  /** Ends the snapshot; a reader that stays open for long prevents reuse of the WAL. */
  close(): void {
    this.#database.exec("COMMIT");
  }

  dispose(): void {
    if (this.isOpen) {
      this.close();
    }
    this.#database.close();
  }

  /** The ledger's name: `ledger` of block 0. Source: chain §8. */
  ledgerName(): string {
    const first = this.log.operation(0, 0);
    return first === undefined
      ? ""
      : ((JSON.parse(first) as LedgerOperation).params["ledger"] ?? "");
  }

  /** Throws `NotKept` for a number of a block that is not stored any more. */
  block(name: BlockName): BlockSummary | undefined {
    if ("id" in name) {
      return this.#blocks.withId(name.id);
    }
    this.assertKept(name.height);
    return this.#blocks.atHeight(name.height);
  }

  /** Throws `NotKept` if the block at a height is not stored any more. */
  assertKept(height: number): void {
    if (height > 0 && height < this.firstKept) {
      throw this.#notKept();
    }
  }

  /** Throws `NotKept` if older blocks are not stored: one of them may have what has this id. */
  assertNotOlder(given: { readonly parameter: string; readonly given: string }): void {
    if (this.firstKept > 1) {
      throw this.#notKept(given);
    }
  }

  #notKept(given?: { readonly parameter: string; readonly given: string }): NotKept {
    const { firstKept: since } = this;
    const first = this.#blocks.atHeight(since);
    const oldest = first && this.transactionIdOf(firstTransaction(first.header));
    return new NotKept({ since, oldest, ...given });
  }

  /**
   * Throws `NotKept` unless everything is stored that proofs of a tree of this size are made of.
   * Tiles of its leaves may be incomplete.
   */
  assertTreeKept(size: number): void {
    const { firstKept } = this;
    if (firstKept > 1 && size < (this.firstTransactionOf(firstKept) ?? 0)) {
      throw this.#notKept();
    }
  }

  /**
   * The block that holds the transaction with this running number; the newest one for numbers that
   * are yet to come.
   */
  blockWithTransaction(number: number): BlockSummary | undefined {
    return this.#blocks.withTransaction(number);
  }

  /** Ids of the transactions of a block, in its order. */
  transactionIds({ header }: BlockSummary): string[] {
    const first = firstTransaction(header);
    return this.transactions
      .contentHashes(first, first + header.count)
      .map((contentHash, position) => transactionId({ height: header.sn, position, contentHash }));
  }

  /**
   * A transaction with its block, if its whole id is right. Throws `NotKept`. Source: chain §4.3.
   */
  transaction(
    name: TransactionName,
  ): { readonly block: BlockSummary; readonly transaction: StoredTransaction } | undefined {
    const block = this.block({ height: name.height });
    if (block === undefined || name.position >= block.header.count) {
      return undefined;
    }
    const transaction = this.transactions.at(firstTransaction(block.header) + name.position);
    return transaction !== undefined && name.id.endsWith(transaction.contentHash)
      ? { block, transaction }
      : undefined;
  }

  /** Throws `NotKept`. */
  transactionNumbered(number: number): PlacedTransaction {
    this.#assertStored(number);
    const stored = this.transactions.at(number);
    const block = this.#blockWith(number);
    invariant(stored !== undefined && block !== undefined, "there is such a transaction");
    return placed(number, block, stored);
  }

  /** Leaf texts of the existing transactions in a range of running numbers. Source: chain §4.4. */
  leafTexts(from: number, to: number): string[] {
    const texts: string[] = [];
    for (let number = from; number < to; number = from + texts.length) {
      const block = this.blockHolding(number);
      if (block === undefined) {
        break;
      }
      texts.push(...this.leafTextsOf(block, { from: number, to }).texts);
    }
    return texts;
  }

  /** The block with the transaction of this running number, if it exists. */
  blockHolding(number: number): Block | undefined {
    const found = this.#blocks.withTransaction(number);
    if (found !== undefined && number < found.header.size) {
      return this.log.block(found.header.sn);
    }
    this.#assertStored(number);
    return undefined;
  }

  /**
   * Leaf texts of a block's transactions in a range of running numbers; fewer, but at least one,
   * once `lengthMax` characters of operations and records have been hashed for them. `length` is
   * the number of hashed characters.
   */
  leafTextsOf(
    block: Block,
    { from, to, lengthMax = Infinity }: { from: number; to: number; lengthMax?: number },
  ): { readonly texts: readonly string[]; readonly length: number } {
    const first = firstTransaction(block.header);
    const texts: string[] = [];
    let length = 0;
    for (const stored of this.transactions.range(from, Math.min(to, block.header.size))) {
      const position = from - first + texts.length;
      const operation = block.operations[position];
      invariant(operation !== undefined, "every transaction has an operation");
      texts.push(leafOf(block.header, { ...stored, position, operation }));
      length += stored.record.length + operation.length;
      if (length >= lengthMax) {
        break;
      }
    }
    return { texts, length };
  }

  /** The leaf of a transaction with its contents, if its whole id is right. Source: chain §4.4. */
  leaf(name: TransactionName): TransactionLeaf | undefined {
    const found = this.transaction(name);
    const operation = found && this.log.operation(name.height, name.position);
    if (found === undefined || operation === undefined) {
      return undefined;
    }
    const { header } = found.block;
    return {
      header,
      operation,
      index: firstTransaction(header) + name.position,
      text: leafOf(header, { ...found.transaction, position: name.position, operation }),
    };
  }

  /** The stored transactions in a range of running numbers, in order, read one by one. */
  *transactionsFrom(from: number, to: number): Iterable<PlacedTransaction> {
    let number = this.#firstStored(from);
    let block = this.#blocks.withTransaction(number);
    for (const stored of this.transactions.range(number, to)) {
      if (block !== undefined && number >= block.header.size) {
        number = this.#firstStored(number);
        block = this.#blocks.withTransaction(number);
      }
      invariant(block !== undefined, "every transaction is in a block");
      yield placed(number, block, stored);
      number += 1;
    }
  }

  /** The first transaction from a running number on that is stored. */
  #firstStored(from: number): number {
    const { firstKept } = this;
    const first = firstKept > 1 ? this.#blocks.atHeight(firstKept)?.header : undefined;
    const isOfBlock0 = from >= 0 && from < (this.#blocks.atHeight(0)?.header.size ?? 0);
    return first === undefined || isOfBlock0 ? from : Math.max(from, firstTransaction(first));
  }

  #assertStored(number: number): void {
    if (this.#firstStored(number) !== number) {
      throw this.#notKept();
    }
  }

  /**
   * Running number of a transaction, given its whole id; undefined if there is none.
   * Source: chain §4.3.
   */
  transactionNumber(name: TransactionName): number | undefined {
    const found = this.transaction(name);
    return found && firstTransaction(found.block.header) + name.position;
  }

  /**
   * Running number of a block's first transaction; for the block after the newest, the next number.
   * Undefined for later blocks.
   */
  firstTransactionOf(height: number): number | undefined {
    if (height === this.#height + 1) {
      return this.size;
    }
    const block = this.block({ height });
    return block && firstTransaction(block.header);
  }

  /**
   * The id and block number of the transaction with this running number; without an id, and -1, if
   * it does not exist.
   */
  placeOf(number: number): { readonly id: string | undefined; readonly height: number } {
    const id = this.transactionIdOf(number);
    return { id, height: id === undefined ? -1 : (parseTransactionId(id)?.height ?? -1) };
  }

  transactionIdOf(number: number): string | undefined {
    const block = this.#blocks.withTransaction(number);
    const contentHash = this.transactions.at(number)?.contentHash;
    return block && contentHash !== undefined
      ? transactionId({ ...placeIn(block.header, number), contentHash })
      : undefined;
  }

  /**
   * Running numbers of the transactions in a range of ledger time, Unix seconds, both ends
   * included: from the first number to the one after the last.
   */
  numbersBetween(
    since: number | undefined,
    until: number | undefined,
  ): { readonly from: number; readonly before: number } {
    const beyond = Number.MAX_SAFE_INTEGER;
    return {
      from: since === undefined ? 0 : (this.#blocks.firstTransactionSince(since) ?? beyond),
      before:
        until === undefined ? beyond : (this.#blocks.firstTransactionSince(until + 1) ?? beyond),
    };
  }

  /** Ids of the transactions of a group, in their order; undefined if it is not done. */
  groupTransactions(id: string): TransactionIds | undefined {
    const group = this.#groups.get(id);
    if (group === undefined) {
      return undefined;
    }
    const { first, count } = group;
    const ids = Array.from({ length: count }, (_, index) => this.transactionIdOf(first + index));
    return ids as [string, ...string[]];
  }

  #blockWith(number: number): BlockSummary | undefined {
    const last = this.#lastBlock?.header;
    if (last === undefined || number < firstTransaction(last) || number >= last.size) {
      this.#lastBlock = this.#blocks.withTransaction(number);
    }
    return this.#lastBlock;
  }

  /** The use of a temporary key, unless it was too long ago to be recognized. */
  keyUse(key: TemporaryKey): KeyUse | undefined {
    const number = this.#usedKeys.usedBy(key, this.state.time);
    if (number === undefined) {
      return undefined;
    }
    const id = this.transactionIdOf(number);
    const block = this.#blocks.withTransaction(number);
    const text =
      block && this.log.operation(block.header.sn, placeIn(block.header, number).position);
    return id !== undefined && text !== undefined
      ? { transactionId: id, operation: JSON.parse(text) as LedgerOperation }
      : undefined;
  }
}

function placed(
  number: number,
  block: BlockSummary,
  { contentHash, record }: StoredTransaction,
): PlacedTransaction {
  const id = transactionId({ ...placeIn(block.header, number), contentHash });
  return { number, id, block, record };
}

function leafOf(
  { sn: height, timestamp }: Header,
  {
    contentHash,
    record,
    position,
    operation,
  }: StoredTransaction & { readonly position: number; readonly operation: string },
): string {
  return leafText({
    id: transactionId({ height, position, contentHash }),
    operationHash: sha256.hex(operation),
    recordHash: sha256.hex(record),
    timestamp,
  });
}
