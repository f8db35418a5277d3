import {
  type Address,
  type Amount,
  canonicalJson,
  NO_BLOCK,
  OPEN_GRANTS_MAX,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import type { Database } from "../database.ts";
import { invariant } from "../invariant.ts";
import { sha256 } from "../sha256.ts";
import {
  BALANCE,
  type Balance,
  balanceKey,
  EMPTY,
  LOCK,
  LOCKS_MAX,
  type Lock,
  lockKey,
  MERGED_BY_CREDIT,
  MERGED_BY_DEBIT,
  MERGED_BY_DEBITS_MAX,
  sum,
  sumOf,
  whole,
  withFree,
  withLocked,
  withMerged,
  withoutFree,
} from "./balance.ts";
import { type AddressMoves, BlockChanges, type Change, Moves } from "./block-changes.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { bytesOf, documentBytes } from "./bytes-of.ts";
import type { JsonObject } from "./document.ts";
import type { StoredTexts } from "./earlier-entries.ts";
import {
  ADDRESS,
  type AddressEntry,
  addressKey,
  COUNT,
  type Count,
  type DocumentKind,
  documentKey,
  type EntryKind,
  type EntryReader,
} from "./entries.ts";
import { GRANT, type OpenGrant } from "./grant-entry.ts";
import { type HeldItem, HOLDING, type Holding, noHolding } from "./holding-entry.ts";
import { operationNumber } from "./ids/operation-number.ts";
import { holderOf, ITEM, type Item } from "./item-entry.ts";
import { KEY_SET, type KeySetEntry } from "./key-set-entry.ts";
import { hasOtherTexts } from "./long-texts.ts";
import {
  type BookSide,
  heldToken,
  LEVEL,
  lineOf,
  ORDER,
  type Order,
  PENDING,
  rankOf,
} from "./order-entry.ts";
import {
  type Cells,
  cellOf,
  compareCells,
  isInRange,
  kindOf,
  type NumberOf,
  type Query,
  restored,
  StateTables,
  textsOf,
} from "./tables.ts";
import { DRAFT, DRAFTS_MAX, type DraftHead, TOKEN, type TokenEntry } from "./token-entry.ts";
import { UNIT_FIRSTS, UNIT_ITEM, type UnitFirsts } from "./unit-item-entry.ts";
import { type ItemSide, openKey, UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";

/** Look-ups for a rule before the request is authorized; admission uses them, too, with readers. */
export interface StateReader extends EntryReader {
  /** The ledger time, Unix seconds. */
  readonly time: number;
  /** Number of the block that is being made, or would be. */
  readonly height: number;
  /** The id of block 0, which is unknown within block 0. */
  readonly ledgerId: string;
  address(address: Address): AddressEntry | undefined;
  addressNumber(address: Address): number | undefined;
  addressNumbered(number: number): Address | undefined;
  keySet(address: Address): KeySetEntry | undefined;
  token(token: TokenId): TokenEntry | undefined;
  tokenIdsOwnedBy(owner: Address, limit: number): readonly TokenId[];
  drafts(owner: Address): readonly DraftHead[];
  holding(address: Address, item: HeldItem): Holding;
  holderOf(item: string): Address | undefined;
  oldestUnitListing(of: ItemSide): UnitListing | undefined;
  firstEndingAuction(item: string): UnitListing | undefined;
  unitListingIdsBy(seller: Address, of: ItemSide, limit: number): readonly string[];
  unitListingIdsByOthers(seller: Address, of: ItemSide, limit: number): readonly string[];
}

/** An amount that an address gets. */
export interface Credit {
  readonly address: Address;
  readonly amount: Amount;
  /** Unix seconds; 0 or absent for an amount that is free at once. */
  readonly unlockDate?: number;
}

/** Why an address cannot spend an amount. */
export interface Shortage {
  readonly needed: Amount;
  /** The amount that it can spend at once. */
  readonly spendable: Amount;
  /** Whether more of it has matured than one operation merges. */
  readonly isMoreMatured: boolean;
}

/**
 * Documents that one operation may read: more than twice as many as the largest valid one, which
 * creates 100 multi-unit items with a sale and five tokens in reserve each (1,502 reads).
 */
export const READS_MAX = 4000;

/**
 * Bytes of the cache, and of a second one for addresses: at least so much of each is cached, at
 * most twice as much.
 */
const CACHE_BYTES = 40 * 2 ** 20;

/**
 * Numbers of addresses that are kept, up to twice as many: some 110 bytes each. An operation between
 * addresses of which nothing is kept reads a leaf of the index for each.
 */
const ADDRESS_NUMBERS = 200_000;

/**
 * Characters of a value from which on changes that wait for the state tree have its hash, of 64: it
 * costs less than writing the value to the disk twice.
 */
const LONG_VALUE = 200;

/** Addresses whose sets of keys are cached, up to twice as many. */
const KEY_SETS = 10_000;

/** Entries whose long texts' sizes are cached, up to twice as many. */
const TEXTS_SIZES = 4096;

/**
 * Bytes of an entry besides its key and its document: places in maps, a balance with its amounts.
 */
const ENTRY_BYTES = 250;

/**
 * An entry as the database has it, undefined where it has none, once it was read; the texts of a
 * document; and what it takes of the cache.
 */
interface Stored {
  readonly bytes: number;
  readonly isRead: boolean;
  readonly value?: unknown;
  readonly texts?: StoredTexts | undefined;
}

/** What a block has changed of a multi-unit item. */
interface ChangedUnits {
  hasOtherHoldings: boolean;
  /** One of the holdings that were changed and still exist. */
  holding: Holding | undefined;
  /** Listings that were opened or closed. */
  readonly listings: UnitListing[];
}

/**
 * The state for rules: the changes of the current operation over those of its group over those of
 * the current block over the database. Dropping the first undoes a failed operation, the first two
 * a failed group, all of them a block that could not be stored. Source: chain §4.6, §5; batches
 * §2.3.
 */
export class State implements StateReader {
  readonly #tables: StateTables;
  readonly #access: "read" | "write";
  readonly #operation: Map<string, Change> = new Map();
  /** Of the operations of the current group that have passed; empty outside of groups. */
  readonly #group: Map<string, Change> = new Map();
  readonly #block: BlockChanges = new BlockChanges();
  // Values as the database has them, those among them that it does not have.
  readonly #stored: BoundedCache<Stored>;
  // Addresses stay while the rest is forgotten, because they never change.
  readonly #addresses: BoundedCache<AddressEntry>;
  readonly #addressNumbers: BoundedCache<number> = new BoundedCache(ADDRESS_NUMBERS);
  /** Null for addresses without one. */
  readonly #keySets: BoundedCache<KeySetEntry | null> = new BoundedCache(KEY_SETS);
  /** Number of changes of keys when these were read. */
  #keySetsAt = 0;
  #hasChangedKeySets = false;
  /** Texts of the block's changes, while it is being closed. */
  readonly #texts: Map<string, string> = new Map();
  /** The members of the text of the block's changes, and the long values among them. */
  #members: string[] = [];
  /** Keys of the documents that the block has changed, as `changesText` has found them. */
  #sortedDocuments: string[] = [];
  readonly #longValues: {
    readonly place: number;
    readonly key: string;
    readonly text: string;
  }[] = [];
  /** Bytes of the long texts in the tables. */
  readonly #textsBytes: BoundedCache<number> = new BoundedCache(TEXTS_SIZES);
  /** Long texts that the block has replaced in the tables, by the keys of their entries. */
  readonly #replacedTexts: Map<string, JsonObject> = new Map();
  /** Texts of documents as the block has written them to the tables. */
  readonly #written: Map<string, StoredTexts> = new Map();
  readonly #moves: Moves = new Moves();
  /** Tokens in orders that the current operation has moved, by address. */
  readonly #movedPending: Map<string, Set<TokenId>> = new Map();
  #time = 0;
  #height = 0;
  #ledgerId = NO_BLOCK;
  #transactionNumber = 0;
  /** Place of the current operation in its bundle. */
  #index = 0;
  #documentsRead = 0;
  #isInOperation = false;
  #isInGroup = false;
  /** Locks that the debits of the current operation or group have merged. */
  #mergedByDebits = 0;
  #tradesMade = 0;
  #reservesMade = 0;
  /** These three before the current operation of a bundle. */
  #before: readonly [number, number, number] = [0, 0, 0];
  #bundledTexts = 0;

  /**
   * With `read` it writes nothing to the tables: its blocks are never stored. `tables` may load
   * entries as of an earlier block.
   */
  constructor(
    database: Database,
    cacheBytes: number = CACHE_BYTES,
    access: "read" | "write" = "write",
    tables: StateTables = new StateTables(database),
  ) {
    this.#tables = tables;
    this.#access = access;
    this.#stored = new BoundedCache(cacheBytes, (_key, { bytes }) => bytes);
    this.#addresses = new BoundedCache(cacheBytes, addressBytes);
  }

  /** The ledger time of the current block, Unix seconds. */
  get time(): number {
    return this.#time;
  }

  /** Number of the current block. */
  get height(): number {
    return this.#height;
  }

  /** The id of block 0. */
  get ledgerId(): string {
    return this.#ledgerId;
  }

  /** Number of addresses with a balance of a token after the last block. */
  holders(token: number): number {
    return this.#tables.holders(token);
  }

  /**
   * The number of an address, undefined if the ledger does not have it: all that most checks need,
   * from an index alone.
   */
  addressNumber(address: Address): number | undefined {
    const known = this.#addressNumbers.get(address);
    if (known !== undefined) {
      return known;
    }
    const change = this.#changeOf(addressKey(address));
    if (change !== undefined) {
      return (change.after as AddressEntry | undefined)?.number;
    }
    const number = this.#tables.addressNumber(address);
    if (number !== undefined) {
      this.#addressNumbers.set(address, number);
    }
    return number;
  }

  address(address: Address): AddressEntry | undefined {
    const known = this.#addresses.get(address);
    if (known !== undefined) {
      return known;
    }
    const found = this.#get(ADDRESS, addressKey(address));
    if (found !== undefined && !this.#isChanged(addressKey(address))) {
      this.#addresses.set(address, found);
    }
    return found;
  }

  /** The address that so many were made before. */
  addressNumbered(number: number): Address | undefined {
    const stored = this.#tables.addressNumbered(number);
    if (stored !== undefined) {
      return stored;
    }
    return this.#block.addressNumbered(number);
  }

  token(token: TokenId): TokenEntry | undefined {
    return this.find(TOKEN, token);
  }

  /**
   * Ids of the tokens of an owner, up to `limit` of them, in ascending order. Reads no token, so
   * that images cost nothing.
   */
  tokenIdsOwnedBy(owner: Address, limit: number): readonly TokenId[] {
    const value = this.#numberOf(owner);
    const keys =
      value === undefined ? [] : this.#keys(TOKEN, { index: ["owner"], equal: [value], limit });
    return keys.map((key) => key.slice(TOKEN.prefix.length) as TokenId);
  }

  /** Drafts of an owner without their content, the oldest first. */
  drafts(owner: Address): readonly DraftHead[] {
    const value = this.#numberOf(owner);
    if (value === undefined) {
      return [];
    }
    const query = { index: ["owner"], equal: [value], limit: DRAFTS_MAX };
    const rows = this.#rows(DRAFT, query, ["saved", "saved_by"]);
    return [...rows]
      .map(([key, cells]) => ({
        owner,
        name: key.slice(`${DRAFT.prefix}${owner}/`.length),
        saved: cells["saved"] as number,
        operationNumber: cells["saved_by"] as number,
      }))
      .toSorted((a, b) => a.operationNumber - b.operationNumber);
  }

  /** The units of a multi-unit item that an address holds. */
  holding(address: Address, item: HeldItem): Holding {
    return this.find(HOLDING, `${address}/${item.id}`) ?? noHolding(address, item);
  }

  /** The holder of all units of an item, where one address has them. */
  holderOf(item: string): Address | undefined {
    if (this.#tables.past !== undefined) {
      return this.find(UNIT_FIRSTS, item)?.holder || undefined;
    }
    for (const { kind, after } of this.#operation.values()) {
      const isHolding = kind === (HOLDING as EntryKind<unknown>) && after !== undefined;
      if (isHolding && (after as Holding).item === item) {
        return (after as Holding).address;
      }
    }
    const query = { index: ["item", "address"], equal: [item], limit: 1 };
    return this.#list(HOLDING, query)[0]?.address;
  }

  /** The oldest open listing of an item. */
  oldestUnitListing(of: ItemSide): UnitListing | undefined {
    if (this.#tables.past !== undefined) {
      const { sale = "", auction = "" } = this.find(UNIT_FIRSTS, of.mrc402) ?? {};
      return this.find(UNIT_LISTING, of.side === "sell" ? sale : auction);
    }
    const query = { index: ["open_of_item"], equal: [openKey(of)], limit: 1 };
    return this.#list(UNIT_LISTING, query)[0];
  }

  /** The open auction of an item that ends first, and of those that end then was listed first. */
  firstEndingAuction(item: string): UnitListing | undefined {
    const equal = [openKey({ mrc402: item, side: "auction" })];
    return this.#list(UNIT_LISTING, { index: ["open_of_item", "auction_end"], equal, limit: 1 })[0];
  }

  /** Ids of the open listings of an item by one seller, oldest first, up to `limit` of them. */
  unitListingIdsBy(seller: Address, of: ItemSide, limit: number): readonly string[] {
    const number = this.#numberOf(seller);
    return number === undefined
      ? []
      : this.#unitListingIds({ equal: [openKey(of), number], limit });
  }

  /**
   * Ids of open listings of an item by other sellers, up to `limit`. Reads none of this seller's,
   * however many there are.
   */
  unitListingIdsByOthers(seller: Address, of: ItemSide, limit: number): readonly string[] {
    const number = this.#numberOf(seller);
    invariant(number !== undefined, "who trades is known");
    const equal = [openKey(of)];
    const before = this.#unitListingIds({ equal, range: { below: number }, limit });
    const left = limit - before.length;
    return left === 0
      ? before
      : [...before, ...this.#unitListingIds({ equal, range: { above: number }, limit: left })];
  }

  #unitListingIds(query: Omit<Query, "index">): readonly string[] {
    const keys = this.#keys(UNIT_LISTING, { index: ["open_of_item", "seller"], ...query });
    return keys.map((key) => key.slice(UNIT_LISTING.prefix.length));
  }

  /**
   * Changes the units of a multi-unit item that an address holds, and notes the moved free units.
   */
  putHolding(holding: Holding): void {
    const { address, item, balance } = holding;
    this.#update(HOLDING, documentKey(HOLDING, HOLDING.id(holding)), (before) => {
      this.#moves.add(address, "mrc402id", item, balance - (before?.balance ?? ZERO));
      return holding;
    });
  }

  /** Changes an MRC401 item, and notes whether it passes from one holder to another. */
  putItem(item: Item): void {
    this.#update(ITEM, documentKey(ITEM, item.id), (before) => {
      const from = before === undefined ? "" : holderOf(before);
      const to = holderOf(item);
      if (from !== to) {
        this.#noteItem(from, item.id, -1n);
        this.#noteItem(to, item.id, 1n);
      }
      return item;
    });
  }

  #noteItem(holder: Address | "", item: string, moved: bigint): void {
    if (holder !== "") {
      this.#moves.add(holder, "mrc401id", item, moved);
    }
  }

  /**
   * The first orders in the line of a side, up to `limit` of them, the best price and then the
   * oldest first. Source: protocols §9.5.
   */
  ordersInLine(side: BookSide, limit: number): readonly Order[] {
    return this.#list(ORDER, { index: ["line", "rank"], equal: [lineOf(side)], limit });
  }

  /** Number of open orders of an address that hold a token. Source: protocols §9.8. */
  ordersHolding(address: Address, token: TokenId): number {
    return this.find(PENDING, `${address}/${token}`)?.orders ?? 0;
  }

  /**
   * Changes an order, and with it the sums of its level and of its owner's waiting orders.
   * Source: protocols §9.4, §10.
   */
  putOrder(order: Order): void {
    const before = this.find(ORDER, order.mrc040id);
    this.put(ORDER, order);
    const waited = before === undefined || before.held === 0n ? 0 : 1;
    const count = (order.held === 0n ? 0 : 1) - waited;
    const left = (of: Order | undefined): bigint =>
      of === undefined || of.held === 0n ? 0n : of.remainqtt;
    const line = lineOf(order);
    const level = this.find(LEVEL, `${line}/${order.price}`);
    const levelCount = (level?.orders ?? 0) + count;
    if (level !== undefined || levelCount > 0) {
      this.put(LEVEL, {
        line,
        rank: rankOf(order.side, order.price),
        price: order.price,
        qtt: ((level?.qtt ?? 0n) + left(order) - left(before)) as Amount,
        orders: levelCount,
      });
    }
    this.#addPending(order, { count, amount: order.held - (before?.held ?? 0n) });
  }

  #addPending(
    { owner, ...side }: Order,
    { count, amount }: { readonly count: number; readonly amount: bigint },
  ): void {
    if (count === 0 && amount === 0n) {
      return;
    }
    const token = heldToken(side);
    const before = this.find(PENDING, `${owner}/${token}`);
    this.put(PENDING, {
      address: owner,
      token,
      amount: ((before?.amount ?? 0n) + amount) as Amount,
      orders: (before?.orders ?? 0) + count,
    });
    const tokens = this.#movedPending.get(owner);
    if (tokens === undefined) {
      this.#movedPending.set(owner, new Set([token]));
    } else {
      tokens.add(token);
    }
  }

  /** Tokens of which the current operation has moved some in waiting orders of an address. */
  movedPending(address: string): Iterable<TokenId> {
    return this.#movedPending.get(address) ?? [];
  }

  /** The entry of a kind that has this id. */
  find<V>(kind: DocumentKind<V>, id: string): V | undefined {
    return this.#get(kind, documentKey(kind, id));
  }

  /** JCS of the value of the entry with a key, if it exists. Source: chain §5. */
  entryText(key: string): string | undefined {
    const kind = kindOf(key);
    const entry = kind && entryIn(kind, this.#get(kind, key));
    return entry === undefined ? undefined : this.#jsonText(kind as EntryKind<unknown>, entry);
  }

  /**
   * Yields every entry of the newest stored block's state with the JCS of its value, addresses
   * first. The caller keeps the connection's snapshot. Source: chain §5.
   */
  entries(): Generator<readonly [key: string, text: string]> {
    return this.#tables.entries();
  }

  /** An entry before the operation and now; undefined if it does not exist. */
  changeOf<V>(
    kind: DocumentKind<V>,
    id: string,
  ): { readonly before: V | undefined; readonly after: V | undefined } {
    const key = documentKey(kind, id);
    const earlier = this.#group.get(key) ?? this.#block.get(key);
    const before = earlier === undefined ? this.#load(kind, key) : (earlier.after as V | undefined);
    return { before, after: this.find(kind, id) };
  }

  /** Each entry changed by the current operation, before it and now. */
  *operationChanges(): Iterable<Change> {
    for (const [key, { kind, before, after }] of this.#operation) {
      const earlier = this.#group.get(key) ?? this.#block.get(key);
      yield { kind, before: earlier === undefined ? before : earlier.after, after };
    }
  }

  /** Adds an entry, or puts it in the place of the one with the same id. */
  put<V>(kind: DocumentKind<V>, value: V): void {
    this.#update(kind, documentKey(kind, kind.id(value)), () => value);
  }

  /** Adds a new entry of any kind. */
  add<V>(kind: EntryKind<V>, key: string, value: V): void {
    this.#update(kind, key, () => value);
  }

  remove<V>(kind: DocumentKind<V>, id: string): void {
    this.#update<V | undefined>(
      kind as EntryKind<V | undefined>,
      documentKey(kind, id),
      () => undefined,
    );
  }

  /**
   * Documents that the current or last operation has read from the tables or their cache, and keys
   * of documents from look-ups, each time.
   */
  get documentsRead(): number {
    return this.#documentsRead;
  }

  /** The number of the current operation, by which new entries are ordered. Source: bundles §6. */
  get operationNumber(): number {
    return operationNumber(this.#transactionNumber, this.#index);
  }

  /**
   * The key set of an address, unless it is only its first key. Few addresses have one, and every
   * signature needs it, so they are cached over blocks until a set changes. Source: authority §1.7.
   */
  keySet(address: Address): KeySetEntry | undefined {
    const changes = this.count("keys");
    if (changes === 0) {
      return undefined;
    }
    if (changes !== this.#keySetsAt) {
      this.#keySets.clear();
      this.#keySetsAt = changes;
    }
    const known = this.#keySets.get(address);
    if (known !== undefined) {
      return known ?? undefined;
    }
    const found = this.find(KEY_SET, address);
    if (!this.#isChanged(KEY_SET.prefix + address)) {
      this.#keySets.set(address, found ?? null);
    }
    return found;
  }

  putKeySet(entry: KeySetEntry): void {
    this.put(KEY_SET, entry);
    this.put(COUNT, { of: "keys", count: this.count("keys") + 1 });
    // The same count may belong to another change later, if this one is undone.
    this.#keySets.clear();
    this.#hasChangedKeySets = true;
  }

  /** The open grants of an address, the first to end first; reads no grant. */
  openGrants(address: Address): readonly OpenGrant[] {
    const number = this.#numberOf(address);
    if (number === undefined) {
      return [];
    }
    const query = { index: ["address", "open_until"], equal: [number], limit: OPEN_GRANTS_MAX };
    const rows = this.#rows(GRANT, query, ["version"]);
    return [...rows].map(([key, cells]) => ({
      grantid: key.slice(GRANT.prefix.length),
      until: cells["open_until"] as number,
      version: cells["version"] as number,
    }));
  }

  /** Number of addresses or changes of keys, or the highest id of a token. */
  count(of: Count["of"]): number {
    return this.find(COUNT, of)?.count ?? 0;
  }

  /** The balance of an address, free and locked, in the smallest unit; 0 without one. */
  held(address: Address, token: TokenId): Amount {
    return whole(this.#balance(address, token));
  }

  /**
   * The amount that the current operation can debit, in the smallest unit; 0 without a balance.
   * Source: accounts §8.4.
   */
  spendable(address: Address, token: TokenId): Amount {
    const balance = this.#balance(address, token);
    const mergeable = this.#matured(address, token, balance, this.#debitMergesLeft);
    return sum(balance.free, sumOf(mergeable));
  }

  /**
   * Why the current operation cannot debit an amount; undefined if it can.
   * Source: accounts §8.3, §8.4.
   */
  shortage(address: Address, token: TokenId, needed: Amount): Shortage | undefined {
    const balance = this.#balance(address, token);
    if (balance.free >= needed) {
      return undefined;
    }
    const limit = this.#debitMergesLeft;
    const matured = this.#matured(address, token, balance, limit + 1);
    const spendable = sum(balance.free, sumOf(matured.slice(0, limit)));
    return spendable >= needed
      ? undefined
      : { needed, spendable, isMoreMatured: matured.length > limit };
  }

  /**
   * The first of some credits, in order, that would exceed the number of locks.
   * Source: accounts §8.2.
   */
  creditWithoutRoom(token: TokenId, credits: readonly Credit[]): number | undefined {
    const earlier = new Map<Address, { count: number; readonly dates: Set<number> }>();
    for (const [index, { address, amount, unlockDate = 0 }] of credits.entries()) {
      const balance = this.#balance(address, token);
      if (amount === 0n || balance.locks + credits.length <= LOCKS_MAX) {
        continue;
      }
      const { count, dates } = earlier.get(address) ?? { count: 0, dates: new Set() };
      earlier.set(address, { count: count + 1, dates });
      const isNew =
        unlockDate > this.#time &&
        !dates.has(unlockDate) &&
        this.#get(LOCK, lockKey(address, token, unlockDate)) === undefined;
      if (!isNew) {
        continue;
      }
      // Each credit, this one too, merges some locks first.
      const limit = (count + 1) * MERGED_BY_CREDIT;
      const merged = this.#matured(address, token, balance, limit).length;
      if (balance.locks - merged + dates.size >= LOCKS_MAX) {
        return index;
      }
      dates.add(unlockDate);
    }
    return undefined;
  }

  /** Adds an address with the next number. */
  putAddress(entry: Omit<AddressEntry, "number" | "transactionNumber">): void {
    const number = this.count("address");
    this.#update(ADDRESS, addressKey(entry.address), () => ({
      ...entry,
      number,
      transactionNumber: this.#transactionNumber,
    }));
    this.put(COUNT, { of: "address", count: number + 1 });
  }

  /**
   * Adds an amount, locked until `unlockDate` if that is yet to come, and merges some matured locks
   * first. The caller has checked `creditWithoutRoom`. An amount of 0 changes nothing.
   * Source: accounts §8.2, §8.3.
   */
  credit(address: Address, token: TokenId, amount: Amount, unlockDate = 0): void {
    this.#moves.add(address, "token", token, amount);
    if (amount === 0n) {
      return;
    }
    const isLocked = unlockDate > this.#time;
    const isNew = isLocked && this.#addToLock({ address, token, amount, unlockDate });
    this.#update(BALANCE, balanceKey(address, token), (balance = EMPTY) => {
      const merged = this.#merge(address, token, balance, MERGED_BY_CREDIT);
      if (!isLocked) {
        return withFree(merged, amount);
      }
      const locked = withLocked(merged, { amount, unlockDate, isNew });
      invariant(locked.locks <= LOCKS_MAX, "room for the lock has been checked before");
      return locked;
    });
  }

  /** Adds a share of a payment that an entry of the state fixes. Source: authority §5.3. */
  creditShare(address: Address, token: TokenId, amount: Amount): void {
    this.#moves.noteShare(address, token, amount);
    this.credit(address, token, amount);
  }

  /**
   * Takes an amount from the free part, which together with the locks that it merges suffices: the
   * caller has checked `shortage`. An amount of 0 changes nothing. Source: accounts §8.3, §8.4.
   */
  debit(address: Address, token: TokenId, amount: Amount): void {
    this.#moves.add(address, "token", token, -amount);
    if (amount === 0n) {
      return;
    }
    this.#update(BALANCE, balanceKey(address, token), (balance = EMPTY) => {
      let merged = this.#mergeForDebit(address, token, balance);
      while (merged.free < amount) {
        const more = this.#mergeForDebit(address, token, merged, amount);
        invariant(more !== merged, "a debit has been checked before");
        merged = more;
      }
      return withoutFree(merged, amount);
    });
  }

  /**
   * The addresses that receive something by the operation, except shares that entries of the state
   * fix.
   */
  receivers(): Iterable<string> {
    return this.#moves.receivers();
  }

  /** The sum of the operation's moves of a token. */
  movedInAll(token: TokenId): bigint {
    return this.#moves.inAll(token);
  }

  /** Moves of the operation for an address so far. */
  movesOf(address: string): AddressMoves | undefined {
    return this.#moves.of(address);
  }

  /**
   * The free balance of an address in some tokens, and the amount locked until the unlock date of
   * `credit`, for records. Source: accounts §1.4.
   */
  balanceEntries(
    address: Address,
    tokens: readonly TokenId[],
    credit: { readonly token: TokenId; readonly unlockDate: number } | undefined,
  ): readonly BalanceEntry[] {
    const entries: BalanceEntry[] = [];
    for (const token of tokens) {
      entries.push(balanceEntry(token, this.#balance(address, token).free));
      const lock =
        credit?.token === token && credit.unlockDate > this.#time
          ? this.#get(LOCK, lockKey(address, token, credit.unlockDate))
          : undefined;
      if (lock !== undefined) {
        entries.push(balanceEntry(token, lock.amount, lock.unlockDate));
      }
    }
    return entries;
  }

  #balance(address: Address, token: TokenId): Balance {
    return this.#get(BALANCE, balanceKey(address, token)) ?? EMPTY;
  }

  /** Trades of the current operation, or its group. */
  get tradesMade(): number {
    return this.#tradesMade;
  }

  /** Notes trades of the current operation. */
  noteTrades(count: number): void {
    this.#tradesMade += count;
  }

  /** Entries in the reserves of tokens that the operation, or its group, has created. */
  get reservesMade(): number {
    return this.#reservesMade;
  }

  /** Notes the entries of a new token's reserve. */
  noteReserves(count: number): void {
    this.#reservesMade += count;
  }

  /** Locks that the debits of the current operation may still merge. */
  get #debitMergesLeft(): number {
    return MERGED_BY_DEBITS_MAX - this.#mergedByDebits;
  }

  /**
   * The earliest matured locks in the tables, up to `limit`. Only merging removes locks, the
   * earliest first; those that the block has merged are earlier than `unlocksFrom`, and those that
   * it has added unlock after the block's time.
   */
  #matured(
    address: Address,
    token: TokenId,
    { locks, unlocksFrom }: Balance,
    limit: number,
  ): readonly Lock[] {
    const number = this.#numberOf(address);
    return locks === 0 || unlocksFrom > this.#time || number === undefined
      ? []
      : this.#tables.locks(
          { address, token },
          { number, from: unlocksFrom, to: this.#time, limit },
        );
  }

  /**
   * The balance once up to `limit` matured locks are merged, or fewer if the free amount comes to
   * `enough` before.
   */
  #merge(
    address: Address,
    token: TokenId,
    balance: Balance,
    limit: number,
    enough?: Amount,
  ): Balance {
    const matured = this.#matured(address, token, balance, limit);
    let { free } = balance;
    const merged: Lock[] = [];
    for (const lock of matured) {
      if (enough !== undefined && free >= enough) {
        break;
      }
      free = sum(free, lock.amount);
      merged.push(lock);
      this.#operation.set(lockKey(address, token, lock.unlockDate), {
        kind: LOCK as EntryKind<unknown>,
        before: lock,
        after: undefined,
      });
    }
    const last = merged.at(-1)?.unlockDate;
    return last === undefined ? balance : withMerged(balance, merged, last + 1);
  }

  #mergeForDebit(address: Address, token: TokenId, balance: Balance, enough?: Amount): Balance {
    const limit = Math.min(MERGED_BY_DEBIT, this.#debitMergesLeft);
    const merged = this.#merge(address, token, balance, limit, enough);
    this.#mergedByDebits += balance.locks - merged.locks;
    return merged;
  }

  /** Whether it made a new entry. */
  #addToLock({ address, token, amount, unlockDate }: Lock): boolean {
    let isNew = false;
    this.#update<Lock>(LOCK, lockKey(address, token, unlockDate), (lock) => {
      isNew = lock === undefined;
      return { address, token, unlockDate, amount: sum(lock?.amount ?? ZERO, amount) };
    });
    return isNew;
  }

  /** Starts a block of a ledger at its time, Unix seconds. */
  beginBlock({
    height,
    time,
    ledgerId = NO_BLOCK,
  }: {
    readonly height: number;
    readonly time: number;
    readonly ledgerId?: string | undefined;
  }): void {
    invariant(
      this.#block.size + this.#group.size + this.#operation.size === 0,
      "the block before is done",
    );
    this.#height = height;
    this.#time = time;
    this.#ledgerId = ledgerId;
  }

  /** Starts an operation, which is or will be the transaction with this running number. */
  beginOperation(transactionNumber: number): void {
    this.#transactionNumber = transactionNumber;
    this.#index = 0;
    this.#documentsRead = 0;
    this.#isInOperation = true;
  }

  /**
   * Starts a bundle as the current operation. Changes of its operations become part of the block at
   * once, so that look-ups cost no more than in a block of as many operations. Source: bundles §4,
   * §8.
   */
  beginBundle(): void {
    this.#block.beginBundle();
    this.#bundledTexts = 0;
  }

  /** Starts the operation of a bundle at `index`. */
  beginBundled(index: number): void {
    this.#index = index;
    this.#documentsRead = 0;
    this.#before = [this.#mergedByDebits, this.#tradesMade, this.#reservesMade];
  }

  /** Drops the changes of a bundle's operation, and its counts. */
  undoBundled(): void {
    [this.#mergedByDebits, this.#tradesMade, this.#reservesMade] = this.#before;
    this.#clearOperation();
  }

  /** Accepts the changes of a bundle's operation into the bundle. */
  acceptBundled(): void {
    for (const [key, change] of this.#operation) {
      this.#block.set(key, change, this.#lengthOf(key, change));
      this.#bundledTexts += this.#textsLengthOf(key, change);
    }
    this.#clearOperation();
  }

  acceptBundle(): void {
    this.#block.acceptBundle();
    this.#index = 0;
  }

  /** Undoes all changes of the bundle so far. */
  undoBundle(): void {
    this.#clearOperation();
    this.#index = 0;
    for (const kind of this.#block.undoBundle()) {
      this.#writeChanged(kind);
    }
  }

  /** Characters of the long texts of all entries that the bundle has changed. */
  get bundledTexts(): number {
    return this.#bundledTexts;
  }

  /** Those of a changed entry that had long texts before. */
  #textsLengthOf(key: string, { kind, before }: Change): number {
    return before !== undefined && isDocument(kind) && kind.table.longTexts !== undefined
      ? this.#bytesOfTexts(kind, key)
      : 0;
  }

  #bytesOfTexts<V>(kind: DocumentKind<V>, key: string): number {
    let bytes = this.#textsBytes.get(key);
    if (bytes === undefined) {
      bytes = this.#tables.textsBytes(kind, key);
      this.#textsBytes.set(key, bytes);
    }
    return bytes;
  }

  /** Accepts the operation's changes into its group, or into the block. */
  acceptOperation(): void {
    for (const [key, change] of this.#operation) {
      if (this.#isInGroup) {
        this.#group.set(key, change);
      } else {
        this.#block.set(key, change, this.#lengthOf(key, change));
      }
    }
    this.#endOperation();
  }

  undoOperation(): void {
    this.#endOperation();
  }

  /**
   * Starts a group: until `acceptGroup` or `undoGroup`, the changes of its operations are not part
   * of a block. Together they merge no more locks, make no more trades and credit no more reserves
   * than one operation. Source: batches §2.3, §2.12.
   */
  beginGroup(): void {
    this.#isInGroup = true;
  }

  /** Whether the current operation is one of a group. */
  get isInGroup(): boolean {
    return this.#isInGroup;
  }

  /** Accepts the group's changes into the block. */
  acceptGroup(): void {
    for (const [key, change] of this.#group) {
      this.#block.set(key, change, this.#lengthOf(key, change));
    }
    this.#endGroup();
  }

  /** Drops the changes of the group, including the current operation's. */
  undoGroup(): void {
    this.#endGroup();
  }

  #endGroup(): void {
    this.#isInGroup = false;
    this.#group.clear();
    this.#endOperation();
  }

  #clearOperation(): void {
    this.#operation.clear();
    this.#moves.clear();
    this.#movedPending.clear();
  }

  #endOperation(): void {
    this.#clearOperation();
    this.#isInOperation = false;
    if (!this.#isInGroup) {
      this.#mergedByDebits = 0;
      this.#tradesMade = 0;
      this.#reservesMade = 0;
    }
  }

  /**
   * At least as many characters as the text of the block's changes has, and the long texts that it
   * has replaced.
   */
  get changesLength(): number {
    return this.#block.length;
  }

  /** The additional weight of a change: at least its characters in the changes' text. */
  #lengthOf(key: string, { kind, before, after }: Change): number {
    if (!isDocument(kind)) {
      return kind === ADDRESS ? documentBytes(after) : 0;
    }
    const { longTexts } = kind.table;
    if (longTexts === undefined || after === undefined) {
      return documentBytes(after);
    }
    if (before === undefined) {
      return documentBytes(after) + bytesOf(longTexts.of(after).read());
    }
    if (!hasOtherTexts(longTexts, before, after)) {
      return kind.isSame(before, after) ? 0 : documentBytes(after) + this.#bytesOfTexts(kind, key);
    }
    const replaced = this.#replacedTexts.get(key);
    return (
      documentBytes(after) +
      bytesOf(longTexts.of(after).read()) +
      (replaced === undefined ? this.#bytesOfTexts(kind, key) : bytesOf(replaced))
    );
  }

  /**
   * JCS of the object of changed entries, which the header's `changes` is the hash of; undefined if
   * it has more than `most` characters. Source: chain §4.6.
   */
  changesText(most: number = Infinity): string | undefined {
    this.#longValues.length = 0;
    const members: string[] = [];
    let length = "{}".length - ",".length;
    this.#sortedDocuments = [];
    for (const key of [...this.#block.keys()].sort()) {
      const change = this.#block.get(key) as Change;
      const { kind } = change;
      if (isDocument(kind)) {
        this.#sortedDocuments.push(key);
      }
      const [before, after] = [entryIn(kind, change.before), entryIn(kind, change.after)];
      if (before !== after && !isSame(kind, before, after)) {
        const text = this.#textOf(key, kind, after);
        const member = `${JSON.stringify(key)}:${text}`;
        length += member.length + ",".length;
        if (length > most) {
          return undefined;
        }
        if (text.length > LONG_VALUE) {
          this.#longValues.push({ place: members.length, key, text });
        }
        members.push(member);
      }
    }
    this.#members = members;
    return `{${members.join(",")}}`;
  }

  /**
   * The members of `changesText`, a line each, but with the SHA-256 of its JCS in hex, as a JSON
   * string, in place of each value of more than `LONG_VALUE` characters. No entry's value is a
   * string. A small request may change an entry with a long text.
   */
  shortenedChanges(): string {
    for (const { place, key, text } of this.#longValues) {
      this.#members[place] = `${JSON.stringify(key)}:"${sha256.hex(text)}"`;
    }
    return this.#members.join("\n");
  }

  /** Writes the block's changes to the tables after `changesText`, inside a transaction of the caller's. */
  save(): void {
    const firsts = this.#noteUnitFirsts();
    const height = this.#height;
    const { earlier } = this.#tables;
    const isKept = earlier.keepsBefore(height);
    this.#tables.keptFor = isKept ? height : undefined;
    if (isKept) {
      earlier.begin(height);
    }
    for (const [key, change] of this.#block.unwritten()) {
      if (isKept) {
        this.#keepReplacedTexts(key, change);
      }
      this.#write(key, change, (kind, after) => this.#textOf(key, kind, after));
    }
    if (isKept) {
      // In an order that does not follow from refused operations, which may have written documents.
      for (const key of [...this.#sortedDocuments, ...firsts.sort()]) {
        const { kind, before, after } = this.#block.get(key) as Change;
        if (before !== after && isDocument(kind) && kind.table.isCurrentOnly !== true) {
          const change = { before, after, height, numberOf: this.#numberOf };
          const was =
            before === undefined
              ? undefined
              : (this.#stored.get(key)?.texts ?? textsOf(kind, before));
          this.#tables.keepEarlier(kind, key, change, { was, is: this.#written.get(key) });
        }
      }
      earlier.end();
    }
  }

  /**
   * Notes the first holding and listings of each multi-unit item whose holdings or listings the
   * block changed. Looks for them in the tables only if the first one has gone. Returns the keys of
   * these notes.
   */
  #noteUnitFirsts(): string[] {
    const noted: string[] = [];
    for (const [item, changed] of this.#changedUnits()) {
      const key = documentKey(UNIT_FIRSTS, item);
      const before = this.#load(UNIT_FIRSTS, key);
      const firsts: UnitFirsts = {
        item,
        holder: changed.hasOtherHoldings
          ? this.#soleHolder(item, changed.holding)
          : (before?.holder ?? ""),
        sale: this.#firstListing("sell", before?.sale, changed),
        auction: this.#firstListing("auction", before?.auction, changed),
      };
      const after = UNIT_FIRSTS.isAbsent?.(firsts) === true ? undefined : firsts;
      if (before !== after && !isSame(UNIT_FIRSTS as EntryKind<unknown>, before, after)) {
        this.#block.set(key, { kind: UNIT_FIRSTS as EntryKind<unknown>, before, after });
        noted.push(key);
      }
    }
    return noted;
  }

  #changedUnits(): ReadonlyMap<string, ChangedUnits> {
    const items = new Map<string, ChangedUnits>();
    const of = (item: string): ChangedUnits =>
      items.getOrInsert(item, { hasOtherHoldings: false, holding: undefined, listings: [] });
    for (const [, { kind, before, after }] of this.#block.entries()) {
      const value = after ?? before;
      if (value !== undefined && kind === (HOLDING as EntryKind<unknown>)) {
        const changed = of((value as Holding).item);
        changed.hasOtherHoldings = true;
        changed.holding ??= after as Holding | undefined;
      } else if (kind === (UNIT_LISTING as EntryKind<unknown>)) {
        const [was, is] = [before, after] as (UnitListing | undefined)[];
        if ((was?.state === "open") !== (is?.state === "open")) {
          of((value as UnitListing).mrc402).listings.push(value as UnitListing);
        }
      }
    }
    return items;
  }

  /** The holder of all units, `""` if there are several; `holding` is one of them, if known. */
  #soleHolder(item: string, holding: Holding | undefined): Address | "" {
    const isOne = this.find(UNIT_ITEM, item)?.holders === 1;
    return (isOne && (holding?.address ?? this.holderOf(item))) || "";
  }

  /** The id of the oldest open listing of a side, `""` without one; `first` is that before the block. */
  #firstListing(side: ItemSide["side"], first = "", { listings }: ChangedUnits): string {
    const changed = listings.filter((listing) => listing.side === side);
    if (first === "") {
      // All that are open were opened by the block.
      const [oldest] = changed.sort((one, other) => one.order - other.order);
      return oldest?.dexid ?? "";
    }
    const ended = changed.find(({ dexid }) => dexid === first);
    if (ended === undefined) {
      return first;
    }
    const { mrc402 } = ended;
    const open = this.find(UNIT_ITEM, mrc402)?.[side === "sell" ? "openSales" : "openAuctions"];
    return open === 0 ? "" : (this.oldestUnitListing({ mrc402, side })?.dexid ?? "");
  }

  /** The block's changes are stored: from here on the database has them. */
  acceptBlock(): void {
    for (const [key, { kind, after }] of this.#block.entries()) {
      const texts = this.#written.get(key);
      if (kind.table === "balance") {
        this.#keep(key, after);
      } else if (texts !== undefined) {
        // Not its value: texts in it may be parts of the request that they came with, all of which
        // they would keep in memory.
        this.#stored.set(key, { bytes: entryBytes(key, texts), isRead: false, texts });
      } else {
        // Locks are not read again for long; an address was not there.
        this.#stored.delete(key);
      }
    }
    this.#endBlock();
  }

  /** The block could not be stored, or had no operation: the database is as it was. */
  undoBlock(): void {
    this.undoGroup();
    this.#textsBytes.clear();
    this.#endBlock();
  }

  #endBlock(): void {
    if (this.#hasChangedKeySets) {
      this.#keySets.clear();
      this.#hasChangedKeySets = false;
    }
    this.#block.clear();
    this.#texts.clear();
    this.#members = [];
    this.#sortedDocuments = [];
    this.#longValues.length = 0;
    this.#written.clear();
    this.#replacedTexts.clear();
  }

  /**
   * Drops cached entries, because another connection has written. Addresses stay, because they
   * never change.
   */
  forget(): void {
    this.#stored.clear();
    this.#textsBytes.clear();
  }

  /** Forgets everything, because the tables show another block from now on, or none as far. */
  forgetAll(): void {
    this.forget();
    this.#addresses.clear();
    this.#addressNumbers.clear();
    this.#keySets.clear();
  }

  #get<V>(kind: EntryKind<V>, key: string): V | undefined {
    const change = this.#changeOf(key);
    return change === undefined ? this.#load(kind, key) : (change.after as V | undefined);
  }

  #changeOf(key: string): Change | undefined {
    const ofGroup = this.#isInGroup ? this.#group.get(key) : undefined;
    return this.#operation.get(key) ?? ofGroup ?? this.#block.get(key);
  }

  #load<V>(kind: EntryKind<V>, key: string): V | undefined {
    if (typeof kind.table === "object") {
      this.#countReads(1);
    }
    const stored = this.#stored.get(key);
    if (stored?.isRead === true) {
      return stored.value as V | undefined;
    }
    const { table } = kind;
    if (typeof table === "string") {
      const value = this.#tables.load(table, key, this.#numberOf) as V | undefined;
      // A lock is read when it is made or added to, and then not again for long; addresses have a
      // cache of their own.
      if (table === "balance") {
        this.#keep(key, value);
      }
      return value;
    }
    const document = kind as DocumentKind<V>;
    const texts = stored?.texts ?? this.#tables.document(document, key);
    const value = texts && restored(document, texts, () => this.#textsOf(document, key));
    this.#keep(key, value, texts);
    return value;
  }

  /**
   * The long texts of an entry as the block found them: an entry that has others brings its own. They
   * are not kept, because one operation may read those of many entries.
   */
  #textsOf<V>(kind: DocumentKind<V>, key: string): JsonObject {
    this.#countReads(1);
    return this.#replacedTexts.get(key) ?? this.#tables.texts(kind, key);
  }

  #keep(key: string, value: unknown, texts?: StoredTexts): void {
    const bytes = entryBytes(key, texts) + (texts === undefined ? 0 : documentBytes(value));
    this.#stored.set(key, { bytes, isRead: true, value, texts });
  }

  /** The value's JSON, made once a block, as the changes have it and documents are stored. */
  #textOf(key: string, kind: EntryKind<unknown>, value: unknown): string {
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = this.#jsonText(kind, value);
      this.#texts.set(key, text);
    }
    return text;
  }

  #jsonText(kind: EntryKind<unknown>, value: unknown): string {
    return value === undefined ? "null" : canonicalJson(kind.entry?.(value) ?? kind.json(value));
  }

  /** Documents of a query after the changes so far, in the order of its index. Reads no others. */
  #list<V>(kind: DocumentKind<V>, query: Query): V[] {
    return this.#keys(kind, query).map((key) => this.#get(kind, key) as V);
  }

  #keys<V>(kind: DocumentKind<V>, query: Query): string[] {
    return [...this.#rows(kind, query, []).keys()];
  }

  /**
   * Keys of the documents of a query, in order, each with the named columns. Costs no more in a
   * block with many changes: changes are written first, each once, and found by the index.
   */
  #rows<V>(kind: DocumentKind<V>, query: Query, columns: readonly string[]): Map<string, Cells> {
    const { index, equal, limit } = query;
    const names = [...index, ...columns];
    const changes = this.#changesBeside(kind as EntryKind<unknown>);
    // Any of the changed documents may be stored with these values and have others now.
    const found = this.#tables.seek(kind, { ...query, limit: limit + changes.length }, names);
    for (const [key, { after }] of changes) {
      const cells = after === undefined ? undefined : this.#cells(kind, names, after as V);
      if (cells !== undefined && isInRange(cells, query)) {
        found.set(key, cells);
      } else {
        found.delete(key);
      }
    }
    const order = index.slice(equal.length);
    const rows = [...found];
    if (changes.length > 0 && order.length > 0) {
      rows.sort(([, one], [, other]) => compareCells(one, other, order));
    }
    const first = rows.slice(0, limit);
    // Cells beside them are not counted: they depend on earlier operations, not on the rule.
    this.#countReads(first.length);
    return new Map(first);
  }

  /**
   * The changes of a kind that the tables do not have: those of the operation and its group, and of
   * a reader's block.
   */
  #changesBeside(kind: EntryKind<unknown>): readonly [string, Change][] {
    if (this.#access === "read") {
      const all = new Map([...this.#block.entries(), ...this.#group, ...this.#operation]);
      return [...all].filter(([, change]) => change.kind === kind);
    }
    this.#writeChanged(kind);
    // Outside of groups nothing is copied.
    const changes =
      this.#group.size === 0 ? this.#operation : new Map([...this.#group, ...this.#operation]);
    return [...changes].filter(([, change]) => change.kind === kind);
  }

  /** Writes the block's changes of a kind to the tables. */
  #writeChanged(kind: EntryKind<unknown>): void {
    for (const [key, change] of this.#block.takeUnwritten(kind)) {
      this.#keepReplacedTexts(key, change);
      this.#write(key, change, (_, after) => this.#jsonText(kind, after));
    }
  }

  /**
   * The block's changes will be compared with them. They do not count as reads of the current
   * operation, because their number depends on earlier ones.
   */
  #keepReplacedTexts(key: string, { kind, before, after }: Change): void {
    const longTexts = isDocument(kind) ? kind.table.longTexts : undefined;
    if (
      longTexts &&
      before !== undefined &&
      !this.#replacedTexts.has(key) &&
      hasOtherTexts(longTexts, before, after)
    ) {
      this.#replacedTexts.set(key, this.#tables.texts(kind as DocumentKind<unknown>, key));
    }
  }

  #cells<V>({ table }: DocumentKind<V>, names: readonly string[], value: V): Cells {
    return Object.fromEntries(
      names.map((name) => [name, cellOf(table, name, value, this.#numberOf)]),
    );
  }

  /** `textOf` makes the text of a document that is stored as blocks commit to it. */
  #write(
    key: string,
    { kind, before, after }: Change,
    textOf: (kind: EntryKind<unknown>, value: unknown) => string,
  ): void {
    if (before !== after) {
      const longTexts = isDocument(kind) ? kind.table.longTexts : undefined;
      if (longTexts && (!before || !after || hasOtherTexts(longTexts, before, after))) {
        this.#textsBytes.delete(key);
      }
      const text = isDocument(kind) && !longTexts ? textOf(kind, after) : "";
      const stored = this.#tables.save(kind, key, {
        before,
        after,
        text,
        numberOf: this.#numberOf,
      });
      if (stored === undefined) {
        this.#written.delete(key);
      } else {
        this.#written.set(key, stored);
      }
    }
  }

  #countReads(count: number): void {
    this.#documentsRead += count;
    invariant(
      !this.#isInOperation || this.#documentsRead <= READS_MAX,
      "an operation reads a bounded number of documents",
    );
  }

  /** Changes an entry with one look-up: most of a transfer's time is spent here. */
  #update<V>(kind: EntryKind<V>, key: string, change: (value: V | undefined) => V): void {
    const earlier = this.#changeOf(key);
    const before = earlier === undefined ? this.#load(kind, key) : earlier.before;
    const value = change((earlier === undefined ? before : earlier.after) as V | undefined);
    this.#operation.set(key, {
      kind: kind as EntryKind<unknown>,
      before,
      after: kind.isAbsent?.(value) === true ? undefined : value,
    });
  }

  readonly #numberOf: NumberOf = (address) => this.addressNumber(address);

  #isChanged(key: string): boolean {
    return this.#changeOf(key) !== undefined;
  }
}

function isDocument<V>(kind: EntryKind<V>): kind is DocumentKind<V> {
  return typeof kind.table === "object";
}

function entryBytes(key: string, texts: StoredTexts | undefined): number {
  const length = (texts?.value.length ?? 0) + (texts?.beside?.length ?? 0);
  return ENTRY_BYTES + 2 * (key.length + length);
}

function addressBytes(key: string, { publickey: publicKey, addinfo }: AddressEntry): number {
  return ENTRY_BYTES + 2 * (2 * key.length + publicKey.length + addinfo.length);
}

/** The value, if the state has an entry for it. */
function entryIn(kind: EntryKind<unknown>, value: unknown): unknown {
  return kind.hasNoEntry === true ? undefined : value;
}

function isSame(kind: EntryKind<unknown>, before: unknown, after: unknown): boolean {
  return before !== undefined && after !== undefined && kind.isSame(before, after);
}

/** A balance as the interface lists it. Source: accounts §9. */
export type BalanceEntry = {
  readonly balance: string;
  readonly token: string;
  /** Unix seconds; 0 for the free part. */
  readonly unlockdate: number;
};

/** An entry of a balance, free unless an unlock date is given. */
export function balanceEntry(token: TokenId, balance: Amount, unlockDate = 0): BalanceEntry {
  return { balance: String(balance), token, unlockdate: unlockDate };
}
