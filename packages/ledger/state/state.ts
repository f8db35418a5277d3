import { type Address, NO_BLOCK, type TokenId, ZERO } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { invariant } from "../invariant.ts";
import type { Lock } from "./balances/balance.ts";
import { Balances } from "./balances/balances.ts";
import { BlockChanges, type Change, Moves } from "./block-changes.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { bytesOf, documentBytes } from "./bytes-of.ts";
import { ChangesText, entryIn } from "./changes-text.ts";
import type { JsonObject } from "./document.ts";
import {
  ADDRESS,
  type AddressEntry,
  addressKey,
  COUNT,
  type Count,
  type DocumentKind,
  documentKey,
  type EntryKind,
  isDocument,
  jsonText,
  type NumberOf,
} from "./entries.ts";
import { operationNumber } from "./ids/operation-number.ts";
import {
  type Cells,
  compareCells,
  type IndexReader,
  isInRange,
  type Query,
} from "./index-reader.ts";
import { holderOf, ITEM, type Item } from "./item-entry.ts";
import { KEY_SET, type KeySetEntry } from "./key-set-entry.ts";
import { kindOf } from "./kinds.ts";
import { hasOtherTexts } from "./long-texts.ts";
import { ENTRY_BYTES, StoredEntries } from "./stored-entries.ts";
import { cellOf } from "./tables/document-tables.ts";
import { StateTables } from "./tables/tables.ts";
import { TOKEN, type TokenEntry } from "./token-entry.ts";
import { type HeldItem, HOLDING, type Holding, noHolding } from "./units/holding-entry.ts";
import { UNIT_FIRSTS } from "./units/unit-item-entry.ts";
import { changesOfUnitFirsts } from "./units/unit-listings.ts";

/** Look-ups before the request is authorized, also of admission. */
export interface StateReader extends IndexReader {
  /** Unix seconds. */
  readonly time: number;
  /** Of the block that is or would be made. */
  readonly height: number;
  readonly ledgerId: string;
  address(address: Address): AddressEntry | undefined;
  addressNumbered(number: number): Address | undefined;
  /** Reads the entry; undefined if it does not exist. */
  finder<V>(kind: DocumentKind<V>, id: string): (() => V) | undefined;
  keySet(address: Address): KeySetEntry | undefined;
  token(token: TokenId): TokenEntry | undefined;
  holding(address: Address, item: HeldItem): Holding;
  holderOf(item: string): Address | undefined;
}

/**
 * By one operation: twice as many as the largest valid one, which creates 100 multi-unit items with
 * sales and reserves (1,502 reads).
 */
export const READS_MAX = 4000;

/** Bytes, also of the cache of addresses: at least so much, at most twice. */
const CACHE_BYTES = 40 * 2 ** 20;

/** Up to twice as many, 110 bytes each. Others cost a leaf of the index. */
const ADDRESS_NUMBERS = 200_000;

/** More than the operations of a block need. */
const FOUND_NUMBERS_MAX = 20_000;

const KEY_SETS = 10_000;

/**
 * The current operation over its group, the current block and the database. Dropping the first
 * undoes a failed operation, two a group, three a block. Source: chain §4.6, §5; batches §2.3.
 */
export class State implements StateReader {
  readonly #tables: StateTables;
  readonly #access: "read" | "write";
  readonly #operation: Map<string, Change> = new Map();
  /** Empty outside of groups. */
  readonly #group: Map<string, Change> = new Map();
  readonly #block: BlockChanges = new BlockChanges();
  readonly #changesText: ChangesText = new ChangesText();
  readonly #stored: StoredEntries;
  // Addresses stay, because they never change.
  readonly #addresses: BoundedCache<AddressEntry>;
  readonly #addressNumbers: BoundedCache<number> = new BoundedCache(ADDRESS_NUMBERS);
  #foundNumbers: Map<Address, number> = new Map();
  readonly #keySets: BoundedCache<KeySetEntry | null> = new BoundedCache(KEY_SETS);
  /** Number of changes of keys when these were read. */
  #keySetsAt = 0;
  #hasChangedKeySets = false;
  /** By the current operation. */
  readonly moves: Moves = new Moves();
  readonly balances: Balances = new Balances(this, this.moves);
  #time = 0;
  #height = 0;
  #ledgerId = NO_BLOCK;
  #transactionNumber = 0;
  #index = 0;
  #documentsRead = 0;
  #isInOperation = false;
  #isInGroup = false;
  #tradesMade = 0;
  #reservesMade = 0;
  #before: readonly [number, number, number] = [0, 0, 0];
  #bundledTexts = 0;

  /** With `read` nothing is stored. `tables` may be as of an earlier block. */
  constructor(
    database: Database,
    cacheBytes: number = CACHE_BYTES,
    access: "read" | "write" = "write",
    tables: StateTables = new StateTables(database),
  ) {
    this.#tables = tables;
    this.#access = access;
    this.#stored = new StoredEntries(tables, cacheBytes, this.#numberOf);
    this.#addresses = new BoundedCache(cacheBytes, addressBytes);
  }

  get time(): number {
    return this.#time;
  }

  get height(): number {
    return this.#height;
  }

  get isPast(): boolean {
    return this.#tables.earlier.past !== undefined;
  }

  get ledgerId(): string {
    return this.#ledgerId;
  }

  holders(token: number): number {
    return this.#tables.balances.holders(token);
  }

  /** Undefined if unknown. Most checks need no more, from an index alone. */
  addressNumber(address: Address): number | undefined {
    const known = this.#addressNumbers.get(address);
    if (known !== undefined) {
      return known;
    }
    const change = this.#changeOf(addressKey(address));
    if (change !== undefined) {
      return (change.after as AddressEntry | undefined)?.number;
    }
    const number = this.#tables.addresses.numberOf(address);
    if (number !== undefined) {
      this.#addressNumbers.set(address, number);
      if (this.#access === "read" && this.#foundNumbers.size < FOUND_NUMBERS_MAX) {
        this.#foundNumbers.set(address, number);
      }
    }
    return number;
  }

  /**
   * Of a reader: looked up in the tables since the last call, for `noteAddressNumbers`. Undefined if
   * none; not all if they are many.
   */
  takeFoundNumbers(): ReadonlyMap<Address, number> | undefined {
    const found = this.#foundNumbers;
    if (found.size === 0) {
      return undefined;
    }
    this.#foundNumbers = new Map();
    return found;
  }

  /** Found by a reader of this ledger, which sees only committed blocks: they never change. */
  noteAddressNumbers(numbers: ReadonlyMap<Address, number>): void {
    for (const [address, number] of numbers) {
      this.#addressNumbers.set(address, number);
    }
  }

  address(address: Address): AddressEntry | undefined {
    const known = this.#addresses.get(address);
    if (known !== undefined) {
      return known;
    }
    const found = this.entry(ADDRESS, addressKey(address));
    if (found !== undefined && !this.#isChanged(addressKey(address))) {
      this.#addresses.set(address, found);
    }
    return found;
  }

  addressNumbered(number: number): Address | undefined {
    const stored = this.#tables.addresses.numbered(number);
    if (stored !== undefined) {
      return stored;
    }
    return this.#block.addressNumbered(number);
  }

  token(token: TokenId): TokenEntry | undefined {
    return this.find(TOKEN, token);
  }

  /** The units of a multi-unit item that an address holds. */
  holding(address: Address, item: HeldItem): Holding {
    return this.find(HOLDING, `${address}/${item.id}`) ?? noHolding(address, item);
  }

  holderOf(item: string): Address | undefined {
    if (this.isPast) {
      return this.find(UNIT_FIRSTS, item)?.holder || undefined;
    }
    for (const { kind, after } of this.#operation.values()) {
      const isHolding = kind === (HOLDING as EntryKind<unknown>) && after !== undefined;
      if (isHolding && (after as Holding).item === item) {
        return (after as Holding).address;
      }
    }
    const query = { index: ["item", "address"], equal: [item], limit: 1 };
    return this.list(HOLDING, query)[0]?.address;
  }

  putHolding(holding: Holding): void {
    const { address, item, balance } = holding;
    this.update(HOLDING, documentKey(HOLDING, HOLDING.id(holding)), (before) => {
      this.moves.add(address, "mrc402id", item, balance - (before?.balance ?? ZERO));
      return holding;
    });
  }

  putItem(item: Item): void {
    this.update(ITEM, documentKey(ITEM, item.id), (before) => {
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
      this.moves.add(holder, "mrc401id", item, moved);
    }
  }

  find<V>(kind: DocumentKind<V>, id: string): V | undefined {
    return this.entry(kind, documentKey(kind, id));
  }

  /** A reader looks at nothing but the index of keys before the call. */
  finder<V>(kind: DocumentKind<V>, id: string): (() => V) | undefined {
    const key = documentKey(kind, id);
    if (this.#access === "read" && !this.#isChanged(key)) {
      return this.#tables.documents.has(kind, key) ? () => this.find(kind, id) as V : undefined;
    }
    const found = this.find(kind, id);
    return found && (() => found);
  }

  /** JCS of the value of the entry with a key, if it exists. Source: chain §5. */
  entryText(key: string): string | undefined {
    const kind = kindOf(key);
    const entry = kind && entryIn(kind, this.entry(kind, key));
    return entry === undefined ? undefined : jsonText(kind as EntryKind<unknown>, entry);
  }

  /**
   * Entries with the JCS of values, addresses first. The caller keeps the snapshot.
   * Source: chain §5.
   */
  entries(): Generator<readonly [key: string, text: string]> {
    return this.#tables.entries();
  }

  changeOf<V>(
    kind: DocumentKind<V>,
    id: string,
  ): { readonly before: V | undefined; readonly after: V | undefined } {
    const key = documentKey(kind, id);
    const earlier = this.#group.get(key) ?? this.#block.get(key);
    const before = earlier === undefined ? this.#load(kind, key) : (earlier.after as V | undefined);
    return { before, after: this.find(kind, id) };
  }

  *operationChanges(): Iterable<Change> {
    for (const [key, { kind, before, after }] of this.#operation) {
      const earlier = this.#group.get(key) ?? this.#block.get(key);
      yield { kind, before: earlier === undefined ? before : earlier.after, after };
    }
  }

  put<V>(kind: DocumentKind<V>, value: V): void {
    this.update(kind, documentKey(kind, kind.id(value)), () => value);
  }

  add<V>(kind: EntryKind<V>, key: string, value: V): void {
    this.update(kind, key, () => value);
  }

  /** `stored` is the value of the tables, which the block has not changed. */
  removeStored<V>(kind: EntryKind<V>, key: string, stored: V): void {
    this.#operation.set(key, {
      kind: kind as EntryKind<unknown>,
      before: stored,
      after: undefined,
    });
  }

  /** Up to `limit` that unlock at `from` or later and have matured, the earliest first. */
  maturedLocks(
    { address, token }: Pick<Lock, "address" | "token">,
    from: number,
    limit: number,
  ): readonly Lock[] {
    const number = this.#numberOf(address);
    return number === undefined
      ? []
      : this.#tables.balances.locks({ address, token }, { number, from, to: this.#time, limit });
  }

  remove<V>(kind: DocumentKind<V>, id: string): void {
    this.update<V | undefined>(
      kind as EntryKind<V | undefined>,
      documentKey(kind, id),
      () => undefined,
    );
  }

  /** By the current or last operation, from tables or cache; and keys from look-ups, each time. */
  get documentsRead(): number {
    return this.#documentsRead;
  }

  /** New entries are ordered by it. Source: bundles §6. */
  get operationNumber(): number {
    return operationNumber(this.#transactionNumber, this.#index);
  }

  /**
   * Undefined for a first key alone. Every signature needs it and few addresses have one, so they
   * are cached until a set changes. Source: authority §1.7.
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
    // An undone change's count may belong to another change later.
    this.#keySets.clear();
    this.#hasChangedKeySets = true;
  }

  /** Addresses, changes of keys, or the highest id of a token. */
  count(of: Count["of"]): number {
    return this.find(COUNT, of)?.count ?? 0;
  }

  putAddress(entry: Omit<AddressEntry, "number" | "transactionNumber">): void {
    const number = this.count("address");
    this.update(ADDRESS, addressKey(entry.address), () => ({
      ...entry,
      number,
      transactionNumber: this.#transactionNumber,
    }));
    this.put(COUNT, { of: "address", count: number + 1 });
  }

  get tradesMade(): number {
    return this.#tradesMade;
  }

  noteTrades(count: number): void {
    this.#tradesMade += count;
  }

  /** Of tokens that the operation or its group has created. */
  get reservesMade(): number {
    return this.#reservesMade;
  }

  noteReserves(count: number): void {
    this.#reservesMade += count;
  }

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

  beginOperation(transactionNumber: number): void {
    this.#transactionNumber = transactionNumber;
    this.#index = 0;
    this.#documentsRead = 0;
    this.#isInOperation = true;
  }

  /**
   * Changes become part of the block at once, so that look-ups stay cheap. Source: bundles §4, §8.
   */
  beginBundle(): void {
    this.#block.beginBundle();
    this.#bundledTexts = 0;
  }

  beginBundled(index: number): void {
    this.#index = index;
    this.#documentsRead = 0;
    this.#before = [this.balances.mergedByDebits, this.#tradesMade, this.#reservesMade];
  }

  undoBundled(): void {
    const [merged, trades, reserves] = this.#before;
    this.balances.resetMerged(merged);
    this.#tradesMade = trades;
    this.#reservesMade = reserves;
    this.#clearOperation();
  }

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

  undoBundle(): void {
    this.#clearOperation();
    this.#index = 0;
    for (const kind of this.#block.undoBundle()) {
      this.#writeChanged(kind);
    }
  }

  get bundledTexts(): number {
    return this.#bundledTexts;
  }

  /** Those of a changed entry that had long texts before. */
  #textsLengthOf(key: string, { kind, before }: Change): number {
    return before !== undefined && isDocument(kind) && kind.table.longTexts !== undefined
      ? this.#stored.textsBytes(kind, key)
      : 0;
  }

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
   * Changes are not part of a block until `acceptGroup`. Together its operations have the bounds of
   * one. Source: batches §2.3, §2.12.
   */
  beginGroup(): void {
    this.#isInGroup = true;
  }

  get isInGroup(): boolean {
    return this.#isInGroup;
  }

  acceptGroup(): void {
    for (const [key, change] of this.#group) {
      this.#block.set(key, change, this.#lengthOf(key, change));
    }
    this.#endGroup();
  }

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
    this.moves.clear();
  }

  #endOperation(): void {
    this.#clearOperation();
    this.#isInOperation = false;
    if (!this.#isInGroup) {
      this.balances.resetMerged(0);
      this.#tradesMade = 0;
      this.#reservesMade = 0;
    }
  }

  /** Characters of the changes' text at most, with the replaced long texts. */
  get changesLength(): number {
    return this.#block.length;
  }

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
      return kind.isSame(before, after)
        ? 0
        : documentBytes(after) + this.#stored.textsBytes(kind, key);
    }
    const replaced = this.#stored.replacedTexts(key);
    return (
      documentBytes(after) +
      bytesOf(longTexts.of(after).read()) +
      (replaced === undefined ? this.#stored.textsBytes(kind, key) : bytesOf(replaced))
    );
  }

  /** JCS of changed entries; undefined above `most` characters. Source: chain §4.6. */
  changesText(most: number = Infinity): string | undefined {
    return this.#changesText.of(this.#block, most);
  }

  /** Source: `ChangesText.shortened`. */
  shortenedChanges(): string {
    return this.#changesText.shortened();
  }

  /** After `changesText`, in the caller's transaction. */
  save(): void {
    const firsts = [...changesOfUnitFirsts(this, this.#block.entries())];
    for (const [key, change] of firsts) {
      this.#block.set(key, change);
    }
    const { earlier } = this.#tables;
    earlier.begin(this.#height);
    for (const [key, change] of this.#block.unwritten()) {
      if (earlier.isKeeping) {
        this.#stored.keepReplacedTexts(key, change);
      }
      this.#stored.write(key, change, (kind, after) => this.#changesText.textOf(key, kind, after));
    }
    if (earlier.isKeeping) {
      // Independent of refused operations, which may have written documents.
      const { sortedDocuments } = this.#changesText;
      for (const key of [...sortedDocuments, ...firsts.map(([key]) => key).sort()]) {
        this.#stored.keepEarlier(key, this.#block.get(key) as Change);
      }
      earlier.end();
    }
  }

  acceptBlock(): void {
    this.#stored.acceptBlock(this.#block.entries());
    this.#endBlock();
  }

  /** The database is unchanged. */
  undoBlock(): void {
    this.undoGroup();
    this.#stored.undoBlock();
    this.#endBlock();
  }

  #endBlock(): void {
    if (this.#hasChangedKeySets) {
      this.#keySets.clear();
      this.#hasChangedKeySets = false;
    }
    this.#block.clear();
    this.#changesText.clear();
  }

  /** Another connection has written. Addresses never change. */
  forget(): void {
    this.#stored.forget();
  }

  forgetAll(): void {
    this.forget();
    this.#addresses.clear();
    this.#addressNumbers.clear();
    this.#keySets.clear();
  }

  entry<V>(kind: EntryKind<V>, key: string): V | undefined {
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
    return this.#stored.load(kind, key, this.#readTexts);
  }

  readonly #readTexts = <V>(kind: DocumentKind<V>, key: string): JsonObject => {
    this.#countReads(1);
    return this.#stored.texts(kind, key);
  };

  list<V>(kind: DocumentKind<V>, query: Query): V[] {
    return this.#found(kind, query, []).map(([key]) => this.entry(kind, key) as V);
  }

  ids<V>(kind: DocumentKind<V>, query: Query): string[] {
    return this.#found(kind, query, []).map(([key]) => key.slice(kind.prefix.length));
  }

  rows<V>(kind: DocumentKind<V>, query: Query, columns: readonly string[]): [string, Cells][] {
    return this.#found(kind, query, columns).map(([key, cells]) => [
      key.slice(kind.prefix.length),
      cells,
    ]);
  }

  /**
   * In order, with the named columns. Changes are written first, each once, so a block with many
   * costs no more.
   */
  #found<V>(kind: DocumentKind<V>, query: Query, columns: readonly string[]): [string, Cells][] {
    const { index, equal, limit } = query;
    const names = [...index, ...columns];
    const changes = this.#changesBeside(kind as EntryKind<unknown>);
    // Changed documents may have other values now.
    const found = this.#tables.documents.seek(
      kind,
      { ...query, limit: limit + changes.length },
      names,
    );
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
    // Others depend on earlier operations, not on the rule.
    this.#countReads(first.length);
    return first;
  }

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

  #writeChanged(kind: EntryKind<unknown>): void {
    for (const [key, change] of this.#block.takeUnwritten(kind)) {
      this.#stored.keepReplacedTexts(key, change);
      this.#stored.write(key, change, (_, after) => jsonText(kind, after));
    }
  }

  #cells<V>({ table }: DocumentKind<V>, names: readonly string[], value: V): Cells {
    return Object.fromEntries(
      names.map((name) => [name, cellOf(table, name, value, this.#numberOf)]),
    );
  }

  #countReads(count: number): void {
    this.#documentsRead += count;
    invariant(
      !this.#isInOperation || this.#documentsRead <= READS_MAX,
      "an operation reads a bounded number of documents",
    );
  }

  /** With one look-up: most of a transfer's time is spent here. */
  update<V>(kind: EntryKind<V>, key: string, change: (value: V | undefined) => V): void {
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

function addressBytes(key: string, { publickey: publicKey, addinfo }: AddressEntry): number {
  return ENTRY_BYTES + 2 * (2 * key.length + publicKey.length + addinfo.length);
}
