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
import { State } from "./state/state.ts";
import { EarlierEntries } from "./state/tables/earlier-entries.ts";
import { StateTables } from "./state/tables/tables.ts";
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
import { ProjectMarketView } from "./views/project-markets.ts";
import { SearchView } from "./views/search.ts";
import { TokenMarketView } from "./views/token-markets.ts";
import { TotalView } from "./views/totals.ts";
import { type StoredTransaction, TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { UsedKeyView } from "./views/used-keys.ts";

export interface TransactionLeaf {
  readonly text: string;
  readonly index: number;
  readonly header: Header;
  readonly operation: string;
}

const PAST_CACHE_BYTES = 1 << 20;

export interface KeyUse {
  readonly transactionId: string;
  readonly operation: LedgerOperation;
}

/**
 * Never waits for the connection that writes. Between `open` and `close` it sees one block as the
 * newest. Source: ARCHITECTURE.md, the way of a write.
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
  readonly projectMarkets: ProjectMarketView;
  readonly tokenMarkets: TokenMarketView;
  readonly totals: TotalView;
  readonly tree: TreeView;
  readonly changedEntries: ChangedEntries;
  readonly #blocks: BlockView;
  readonly #usedKeys: UsedKeyView;
  readonly #groups: GroupView;
  #height = -1;
  #ledgerId: string | undefined;
  /** Of the last look-up: the next transaction is often in it too. */
  #lastBlock: BlockSummary | undefined;
  #newest: BlockSummary | undefined;
  readonly #earlier: EarlierEntries;
  /** Undefined for a reader of the newest block. */
  readonly #tables: StateTables | undefined;
  #past: LedgerReader | undefined;

  /**
   * Over a `Ledger`'s file, or another reader's connection for earlier states; `cacheBytes` bound
   * the cache, up to twice as many, and once more for addresses.
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
    this.projectMarkets = new ProjectMarketView(this.#database);
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

  /** Newest block, as of `open`. */
  get height(): number {
    return this.#height;
  }

  get newest(): BlockSummary {
    invariant(this.#newest !== undefined, "a node has block 0 before it answers");
    return this.#newest;
  }

  get size(): number {
    return this.newest.header.size;
  }

  /** For a block made at `now`. Source: accounts §1.5. */
  timeAt(now: number): number {
    return Math.max(now, this.#newest?.header.timestamp ?? 0);
  }

  get firstKept(): number {
    return this.log.firstKept;
  }

  /** After a failure there is no snapshot. */
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
   * Entries with the JCS of values, addresses first, while the reader is open. Source: chain §5.
   */
  entries(): Iterable<readonly [key: string, text: string]> {
    return this.state.entries();
  }

  get keptSince(): number {
    const { kept } = this.#earlier;
    return kept === "none" ? this.#height : Math.min(kept, this.#height);
  }

  /**
   * The ledger right after a block from `keptSince` on. The returned reader is open as long as this
   * one, until the next `asOf`. Source: proofs §1.
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
    invariant(block !== undefined, "the block of an earlier state exists");
    this.state.forgetAll();
    this.#newest = block;
    this.#height = height;
    this.#ledgerId = ledgerId;
    tables.earlier.past = { height, size: block.header.size };
    this.state.beginBlock({ height: height + 1, time: block.header.timestamp, ledgerId });
  }

  /** `at` in Unix seconds. */
  heightAt(at: number): number | undefined {
    return this.#blocks.heightAt(at);
  }

  /** The newest, by running number. Source: proofs §2.2. */
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

  /** A snapshot that stays open for long prevents reuse of the WAL. */
  close(): void {
    this.#database.exec("COMMIT");
  }

  dispose(): void {
    if (this.isOpen) {
      this.close();
    }
    this.#database.close();
  }

  /** `ledger` of block 0. Source: chain §8. */
  ledgerName(): string {
    const first = this.log.operation(0, 0);
    return first === undefined
      ? ""
      : ((JSON.parse(first) as LedgerOperation).params["ledger"] ?? "");
  }

  /** Throws `NotKept`. */
  block(name: BlockName): BlockSummary | undefined {
    if ("id" in name) {
      return this.#blocks.withId(name.id);
    }
    this.assertKept(name.height);
    return this.#blocks.atHeight(name.height);
  }

  /** Throws `NotKept`. */
  assertKept(height: number): void {
    if (height > 0 && height < this.firstKept) {
      throw this.#notKept();
    }
  }

  /** Throws `NotKept` if older blocks, which may have this id, are not stored. */
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
   * Throws `NotKept` unless the data of a proof at this size is stored. Tiles of leaves may be
   * incomplete.
   */
  assertTreeKept(size: number): void {
    const { firstKept } = this;
    if (firstKept > 1 && size < (this.firstTransactionOf(firstKept) ?? 0)) {
      throw this.#notKept();
    }
  }

  /** The newest one for later numbers. */
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

  /** Only by its whole id. Throws `NotKept`. Source: chain §4.3. */
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

  /** Source: chain §4.4. */
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

  blockHolding(number: number): Block | undefined {
    const found = this.#blocks.withTransaction(number);
    if (found !== undefined && number < found.header.size) {
      return this.log.block(found.header.sn);
    }
    this.#assertStored(number);
    return undefined;
  }

  /**
   * At least one text, and no more after `lengthMax` hashed characters of operations and records;
   * `length` is their number.
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

  /** Only by its whole id. Source: chain §4.4. */
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

  /** Only by its whole id. Source: chain §4.3. */
  transactionNumber(name: TransactionName): number | undefined {
    const found = this.transaction(name);
    return found && firstTransaction(found.block.header) + name.position;
  }

  /** The next number for the block after the newest; undefined for later blocks. */
  firstTransactionOf(height: number): number | undefined {
    if (height === this.#height + 1) {
      return this.size;
    }
    const block = this.block({ height });
    return block && firstTransaction(block.header);
  }

  /** No id, and -1, if it does not exist. */
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
   * Ledger time in Unix seconds, both ends included: the first number and the one after the last.
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

  /** In order; undefined if it is not done. */
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

  /** Unless it was too long ago. */
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
