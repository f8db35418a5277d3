import {
  type BlockName,
  type LedgerOperation,
  type TemporaryKey,
  type TransactionName,
  transactionId,
} from "@moneta/protocol";
import { type Database, openForReading } from "./database.ts";
import type { BlockLog } from "./log/block-log.ts";
import { LocalLog } from "./log/local-log.ts";
import { State } from "./state/state.ts";
import { AddressView } from "./views/addresses.ts";
import { BalanceView } from "./views/balances.ts";
import { type BlockSummary, BlockView, firstTransaction, placeIn } from "./views/blocks.ts";
import { DueAuctionView } from "./views/due-auctions.ts";
import { MultiUnitItemView } from "./views/multi-unit-items.ts";
import { TokenListingView } from "./views/token-listings.ts";
import { type StoredTransaction, TransactionView } from "./views/transactions.ts";
import { UsedKeyView } from "./views/used-keys.ts";

/** A transaction that has served a temporary key. */
export interface KeyUse {
  readonly transactionId: string;
  readonly operation: LedgerOperation;
}

/**
 * Reads the ledger on a connection of its own, which never waits for the one that writes. Between `open` and `close` it sees one block as the
 * newest, however many are added meanwhile. Source: design, "the way of a write".
 */
export class LedgerReader {
  readonly #database: Database;
  readonly log: BlockLog;
  readonly state: State;
  readonly addresses: AddressView;
  readonly balances: BalanceView;
  readonly tokenListings: TokenListingView;
  readonly multiUnitItems: MultiUnitItemView;
  readonly dueAuctions: DueAuctionView;
  readonly #blocks: BlockView;
  readonly #transactions: TransactionView;
  readonly #usedKeys: UsedKeyView;
  #height = -1;
  #timestamp = 0;

  /** Over the file that a `Ledger` has made. */
  constructor(file: string) {
    this.#database = openForReading(file);
    this.log = new LocalLog(this.#database, "read");
    this.state = new State(this.#database);
    this.addresses = new AddressView(this.#database);
    this.balances = new BalanceView(this.#database);
    this.tokenListings = new TokenListingView(this.#database);
    this.multiUnitItems = new MultiUnitItemView(this.#database);
    this.dueAuctions = new DueAuctionView(this.#database);
    this.#blocks = new BlockView(this.#database, "read");
    this.#transactions = new TransactionView(this.#database, "read");
    this.#usedKeys = new UsedKeyView(this.#database, "read");
  }

  get isOpen(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Number of the newest block that is seen since `open`. */
  get height(): number {
    return this.#height;
  }

  /** The ledger time that a block made at `now` would get. Source: accounts §1.5. */
  timeAt(now: number): number {
    return Math.max(now, this.#timestamp);
  }

  /** Fixes what is seen. */
  open(now: number): void {
    this.#database.exec("BEGIN");
    const height = this.#blocks.height();
    if (height !== this.#height) {
      this.#height = height;
      this.#timestamp = this.#blocks.atHeight(height)?.header.timestamp ?? 0;
      this.state.forget();
    }
    this.state.beginBlock(this.timeAt(now));
  }

  /** Ends what `open` began; a reader that stays open for long keeps the log of changes from being reused. */
  close(): void {
    this.#database.exec("COMMIT");
  }

  /** Looks at what is the newest now, in the middle of what `open` has fixed. */
  latest<T>(look: () => T): T {
    if (this.isOpen) {
      this.close();
    }
    return look();
  }

  /** Ends the connection. */
  dispose(): void {
    if (this.isOpen) {
      this.close();
    }
    this.#database.close();
  }

  /** What the ledger calls itself: `ledger` of block 0. Source: chain §8. */
  ledgerName(): string {
    const first = this.log.block(0)?.operations[0];
    return first === undefined
      ? ""
      : ((JSON.parse(first) as LedgerOperation).params["ledger"] ?? "");
  }

  block(name: BlockName): BlockSummary | undefined {
    return "height" in name ? this.#blocks.atHeight(name.height) : this.#blocks.withId(name.id);
  }

  /** A page of blocks, newest first: those before a height, or the newest of all. */
  blocks(before: number | undefined, limit: number): BlockSummary[] {
    return this.#blocks.before(before ?? this.#height + 1, limit);
  }

  /** Ids of the transactions of a block, in its order. */
  transactionIds({ header }: BlockSummary): string[] {
    const first = firstTransaction(header);
    return this.#transactions
      .contentHashes(first, first + header.count)
      .map((contentHash, position) => transactionId({ height: header.sn, position, contentHash }));
  }

  /** A transaction with its block, if its whole id is right. Source: chain §4.3. */
  transaction(
    name: TransactionName,
  ): { readonly block: BlockSummary; readonly transaction: StoredTransaction } | undefined {
    const block = this.#blocks.atHeight(name.height);
    if (block === undefined || name.position >= block.header.count) {
      return undefined;
    }
    const transaction = this.#transactions.at(firstTransaction(block.header) + name.position);
    return transaction !== undefined && name.id.endsWith(transaction.contentHash)
      ? { block, transaction }
      : undefined;
  }

  /** Id of the transaction with this running number. */
  transactionIdOf(number: number): string | undefined {
    const block = this.#blocks.withTransaction(number);
    const contentHash = this.#transactions.at(number)?.contentHash;
    return block && contentHash !== undefined
      ? transactionId({ ...placeIn(block.header, number), contentHash })
      : undefined;
  }

  /** What a temporary key has served, undefined if nothing, or so long ago that it is not recognised any more. */
  keyUse(key: TemporaryKey): KeyUse | undefined {
    const number = this.#usedKeys.usedBy(key, this.state.time);
    if (number === undefined) {
      return undefined;
    }
    const id = this.transactionIdOf(number);
    const block = this.#blocks.withTransaction(number);
    const stored = block && this.log.block(block.header.sn);
    const text = stored?.operations[placeIn(stored.header, number).position];
    return id !== undefined && text !== undefined
      ? { transactionId: id, operation: JSON.parse(text) as LedgerOperation }
      : undefined;
  }
}
