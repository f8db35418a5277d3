import {
  type Address,
  type Amount,
  canonicalJson,
  type Json,
  NATIVE_COIN,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import type { Database } from "../database.ts";
import { invariant } from "../invariant.ts";
import { type Balance, credited, debited, EMPTY, matured } from "./balance.ts";
import { BlockChanges, type Change } from "./block-changes.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { DRAFT, DRAFTS_MAX, type DraftHead } from "./draft-entry.ts";
import {
  ADDRESS,
  type AddressEntry,
  addressKey,
  BALANCE,
  balanceKey,
  COUNT,
  type Count,
  type DocumentKind,
  type EntryKind,
} from "./entries.ts";
import {
  type HeldItem,
  HOLDING,
  type Holding,
  NO_UNITS,
  noHolding,
  unitsJson,
} from "./holding-entry.ts";
import { cellOf, type NumberOf, StateTables } from "./tables.ts";
import { TOKEN, type TokenEntry } from "./token-entry.ts";
import { openKey, UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";

/** What a rule may ask before it knows whether the request is authorized; also asked on admission, by readers. */
export interface StateReader {
  /** The ledger time, Unix seconds. */
  readonly time: number;
  /** Number of the block that is being made, or would be. */
  readonly height: number;
  address(address: Address): AddressEntry | undefined;
  addressNumbered(number: number): Address | undefined;
  token(token: TokenId): TokenEntry | undefined;
  tokenIdsOwnedBy(owner: Address, limit: number): readonly TokenId[];
  drafts(owner: Address): readonly DraftHead[];
  holding(address: Address, item: HeldItem): Holding;
  holderOf(item: string): Address | undefined;
  openUnitListings(
    of: Pick<UnitListing, "item" | "side">,
    options: { readonly seller?: Address; readonly limit: number },
  ): readonly UnitListing[];
  find<V>(kind: DocumentKind<V>, id: string): V | undefined;
}

/** Which documents are asked for: those of which a column has a value, up to `limit` of them. */
interface Query {
  readonly column: string;
  readonly value: string | number;
  readonly limit: number;
}

type Cells = Readonly<Record<string, string | number | null>>;

/** Addresses and balances that are kept in memory, of each at least so many: some 100 MB when all are in use. */
const CACHE_SIZE = 100_000;

/**
 * What the rules read and write: the changes of the current operation over those of the current block over the database. Dropping the first
 * undoes a failed operation, dropping both a block that could not be stored. Source: ARCHITECTURE.md, State; chain §4.6, §5.
 */
export class State implements StateReader {
  readonly #tables: StateTables;
  readonly #operation: Map<string, Change> = new Map();
  readonly #block: BlockChanges = new BlockChanges((address) => this.#numberOf(address));
  // Values as the database has them, those among them that it does not have.
  readonly #stored: BoundedCache<{ readonly value: unknown }> = new BoundedCache(CACHE_SIZE);
  // Addresses stay while the rest is forgotten, because they never change.
  readonly #addresses: BoundedCache<AddressEntry> = new BoundedCache(CACHE_SIZE);
  /** Texts of the block's changes, while it is being closed. */
  readonly #texts: Map<string, string> = new Map();
  /** Whose balances of which tokens the current operation has moved. */
  readonly #moved: Map<string, TokenId[]> = new Map();
  /** Whose units of which items the current operation has moved. */
  readonly #movedUnits: Map<string, Set<string>> = new Map();
  #time = 0;
  #height = 0;
  #transactionNumber = 0;

  constructor(database: Database) {
    this.#tables = new StateTables(database);
  }

  /** The ledger time of the current block, Unix seconds. */
  get time(): number {
    return this.#time;
  }

  /** Number of the current block. */
  get height(): number {
    return this.#height;
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

  /** Ids of the tokens of an owner, up to `limit` of them, in ascending order. Reads no token, so that images cost nothing. */
  tokenIdsOwnedBy(owner: Address, limit: number): readonly TokenId[] {
    const value = this.#numberOf(owner);
    const keys = value === undefined ? [] : this.#keys(TOKEN, { column: "owner", value, limit });
    return keys.map((key) => key.slice(TOKEN.prefix.length) as TokenId);
  }

  /** Drafts of an owner without their content, the oldest first. */
  drafts(owner: Address): readonly DraftHead[] {
    const value = this.#numberOf(owner);
    if (value === undefined) {
      return [];
    }
    const query = { column: "owner", value, limit: DRAFTS_MAX };
    const rows = this.#rows(DRAFT, query, ["saved", "saved_by"]);
    return [...rows]
      .map(([key, cells]) => ({
        owner,
        name: key.slice(`${DRAFT.prefix}${owner}/`.length),
        saved: cells["saved"] as number,
        transactionNumber: cells["saved_by"] as number,
      }))
      .toSorted((a, b) => a.transactionNumber - b.transactionNumber);
  }

  /** What an address has of a multi-unit item. */
  holding(address: Address, item: HeldItem): Holding {
    return this.find(HOLDING, `${address}/${item.id}`) ?? noHolding(address, item);
  }

  /** Somebody who has units of an item. */
  holderOf(item: string): Address | undefined {
    return this.#list(HOLDING, { column: "item", value: item, limit: 1 })[0]?.address;
  }

  /** Open listings of an item, oldest first, of one seller or of all, up to `limit` of them. */
  openUnitListings(
    of: Pick<UnitListing, "item" | "side">,
    { seller, limit }: { readonly seller?: Address; readonly limit: number },
  ): readonly UnitListing[] {
    const column = seller === undefined ? "open_of_item" : "open_of_seller";
    return this.#list(UNIT_LISTING, { column, value: openKey(of, seller), limit });
  }

  /** Changes what an address has of a multi-unit item, and notes it for the records. */
  putHolding(holding: Holding): void {
    this.put(HOLDING, holding);
    const items = this.#movedUnits.get(holding.address);
    if (items === undefined) {
      this.#movedUnits.set(holding.address, new Set([holding.item]));
    } else {
      items.add(holding.item);
    }
  }

  /** The entry of a kind that has this id. */
  find<V>(kind: DocumentKind<V>, id: string): V | undefined {
    return this.#get(kind, kind.prefix + id);
  }

  /** An entry before the operation and as it is now; undefined where there is or was none. */
  changeOf<V>(
    kind: DocumentKind<V>,
    id: string,
  ): { readonly before: V | undefined; readonly after: V | undefined } {
    const key = kind.prefix + id;
    const earlier = this.#block.get(key);
    const before = earlier === undefined ? this.#load(kind, key) : (earlier.after as V | undefined);
    return { before, after: this.find(kind, id) };
  }

  /** Adds an entry, or puts it in the place of the one with the same id. */
  put<V>(kind: DocumentKind<V>, value: V): void {
    this.#update(kind, kind.prefix + kind.id(value), () => value);
  }

  /** Takes an entry out. */
  remove<V>(kind: DocumentKind<V>, id: string): void {
    this.#update<V | undefined>(
      kind as EntryKind<V | undefined>,
      kind.prefix + id,
      () => undefined,
    );
  }

  /** Running number of the transaction that the current operation is or will be. */
  get transactionNumber(): number {
    return this.#transactionNumber;
  }

  /** How many addresses there are, or what the highest id of a token is. */
  count(of: Count["of"]): number {
    return this.find(COUNT, of)?.count ?? 0;
  }

  /** The balance at the ledger time. Source: accounts §8.3. */
  balance(address: Address, token: TokenId): Balance {
    return matured(this.#get(BALANCE, balanceKey(address, token)) ?? EMPTY, this.#time);
  }

  /** What can be debited, in the smallest unit; 0 for who never held the token. Source: accounts §8.4. */
  spendable(address: Address, token: TokenId): Amount {
    return this.balance(address, token).free;
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

  /** Adds an amount, locked until `unlockDate` if that is yet to come. An amount of 0 changes nothing. Source: accounts §8.2. */
  credit(address: Address, token: TokenId, amount: Amount, unlockDate = 0): void {
    this.#noteMove(address, token);
    if (amount > 0n) {
      this.#update(BALANCE, balanceKey(address, token), (balance = EMPTY) =>
        credited(balance, amount, unlockDate, this.#time),
      );
    }
  }

  /** Takes an amount from the free part, which the caller has checked to suffice. An amount of 0 changes nothing. Source: accounts §8.4. */
  debit(address: Address, token: TokenId, amount: Amount): void {
    this.#noteMove(address, token);
    if (amount > 0n) {
      this.#update(BALANCE, balanceKey(address, token), (balance = EMPTY) => {
        const left = debited(balance, amount, this.#time);
        invariant(left.free >= 0n, "a debit has been checked before");
        return left;
      });
    }
  }

  /** The `values` of a record: what the address has now of the tokens and items that the operation moved there. Source: accounts §1.4, mrc402 §1.9. */
  movedBalances(address: string): { readonly [name: string]: Json } {
    const tokens = this.#moved.get(address);
    const items = this.#movedUnits.get(address);
    const balance =
      tokens === undefined ? {} : { balance: this.#balancesIn(tokens, address as Address) };
    if (items === undefined) {
      return balance;
    }
    const units = [...items].map((item): [string, Json] => [
      item,
      unitsJson(this.find(HOLDING, `${address}/${item}`) ?? NO_UNITS),
    ]);
    return { ...balance, mrc402: Object.fromEntries(units) };
  }

  #balancesIn(tokens: readonly TokenId[], address: Address): Json {
    const inOrder =
      tokens.length === 1 ? tokens : tokens.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    return inOrder.flatMap((token) => balanceEntries(token, this.balance(address, token)));
  }

  /** Starts a block at a ledger time, Unix seconds. */
  beginBlock({ height, time }: { readonly height: number; readonly time: number }): void {
    invariant(this.#block.size === 0 && this.#operation.size === 0, "the block before is done");
    this.#height = height;
    this.#time = time;
  }

  /** Starts an operation, which is or will be the transaction with this running number. */
  beginOperation(transactionNumber: number): void {
    this.#transactionNumber = transactionNumber;
  }

  /** Makes what the operation has changed part of the block. */
  acceptOperation(): void {
    for (const [key, change] of this.#operation) {
      this.#block.set(key, change);
    }
    this.#operation.clear();
    this.#moved.clear();
    this.#movedUnits.clear();
  }

  /** Forgets what the operation has changed. */
  undoOperation(): void {
    this.#operation.clear();
    this.#moved.clear();
    this.#movedUnits.clear();
  }

  /** JCS of the object of changed entries, which the header's `changes` is the hash of. Source: chain §4.6. */
  changesText(): string {
    const members: string[] = [];
    for (const key of [...this.#block.keys()].sort()) {
      const { kind, before, after } = this.#block.get(key) as Change;
      if (
        before === after ||
        (before !== undefined && after !== undefined && kind.isSame(before, after))
      ) {
        continue;
      }
      members.push(`${JSON.stringify(key)}:${this.#textOf(key, kind, after)}`);
    }
    return `{${members.join(",")}}`;
  }

  /** Writes the block's changes to the tables, inside a transaction of the caller's. */
  save(): void {
    for (const [key, { kind, before, after }] of this.#block.entries()) {
      if (before !== after) {
        const isDocument = typeof kind.table === "object";
        const text = isDocument ? this.#textOf(key, kind, after) : "";
        this.#tables.save(kind, key, { before, after, text, numberOf: this.#numberOf });
      }
    }
  }

  /** The block's changes are stored: from here on the database has them. */
  acceptBlock(): void {
    for (const [key, { after }] of this.#block.entries()) {
      this.#stored.set(key, { value: after });
    }
    this.#block.clear();
    this.#texts.clear();
  }

  /** The block could not be stored, or had no operation: the database is as it was. */
  undoBlock(): void {
    this.undoOperation();
    this.#block.clear();
    this.#texts.clear();
  }

  /** Forgets what was read, because another connection has written since. Addresses stay: they never change. */
  forget(): void {
    this.#stored.clear();
  }

  #get<V>(kind: EntryKind<V>, key: string): V | undefined {
    const change = this.#operation.get(key) ?? this.#block.get(key);
    return change === undefined ? this.#load(kind, key) : (change.after as V | undefined);
  }

  #load<V>(kind: EntryKind<V>, key: string): V | undefined {
    const stored = this.#stored.get(key);
    if (stored !== undefined) {
      return stored.value as V | undefined;
    }
    const value = this.#tables.load(kind, key, this.#numberOf);
    this.#stored.set(key, { value });
    return value;
  }

  /** The value's JSON, made once a block, as the changes have it and documents are stored. */
  #textOf(key: string, kind: EntryKind<unknown>, value: unknown): string {
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = value === undefined ? "null" : canonicalJson(kind.json(value));
      this.#texts.set(key, text);
    }
    return text;
  }

  /** Documents that a query asks for, as they are after the changes so far, in the order in which they came to be. Reads no others. */
  #list<V>(kind: DocumentKind<V>, query: Query): V[] {
    return this.#keys(kind, query).map((key) => this.#get(kind, key) as V);
  }

  #keys<V>(kind: DocumentKind<V>, query: Query): string[] {
    return [...this.#rows(kind, query, []).keys()];
  }

  /** Keys of the documents that a query asks for, as `#list`, each with what stands in the named columns. */
  #rows<V>(kind: DocumentKind<V>, query: Query, columns: readonly string[]): Map<string, Cells> {
    const { column, value, limit } = query;
    const inBlock = this.#block.about(kind, column, value);
    // Any of the changed documents may be stored with this value and have another one now.
    const enough = limit + inBlock.length + this.#operation.size;
    const found = this.#tables.listRows(kind, { column, value, limit: enough }, columns);
    for (const changes of [inBlock, this.#operation]) {
      for (const [key, { kind: changed, after }] of changes) {
        if (changed !== (kind as EntryKind<unknown>)) {
          continue;
        }
        const cell = (name: string): string | number | null =>
          cellOf(kind, name, after as V, this.#numberOf);
        if (after !== undefined && cell(column) === value) {
          found.set(key, Object.fromEntries(columns.map((name) => [name, cell(name)])));
        } else {
          found.delete(key);
        }
      }
    }
    return new Map([...found].slice(0, limit));
  }

  /** Changes an entry, and looks it up once: this is where most of the time of a transfer goes. */
  #update<V>(kind: EntryKind<V>, key: string, change: (value: V | undefined) => V): void {
    const earlier = this.#operation.get(key) ?? this.#block.get(key);
    const before = earlier === undefined ? this.#load(kind, key) : earlier.before;
    const value = change((earlier === undefined ? before : earlier.after) as V | undefined);
    this.#operation.set(key, {
      kind: kind as EntryKind<unknown>,
      before,
      after: kind.isAbsent?.(value) === true ? undefined : value,
    });
  }

  readonly #numberOf: NumberOf = (address) => this.address(address)?.number;

  #isChanged(key: string): boolean {
    return this.#operation.has(key) || this.#block.get(key) !== undefined;
  }

  #noteMove(address: Address, token: TokenId): void {
    const tokens = this.#moved.get(address);
    if (tokens === undefined) {
      this.#moved.set(address, [token]);
    } else if (!tokens.includes(token)) {
      tokens.push(token);
    }
  }
}

/**
 * A balance as the interface lists it: the free amount, then the locked ones by date. The free amount of the native coin is always there,
 * that of another token only above 0, unless `always` asks for it. Source: accounts §9.
 */
export function balanceEntries(
  token: TokenId,
  balance: Balance,
  always = false,
): { token: string; balance: string; unlockdate: number }[] {
  const entries = balance.locked.map(({ amount, unlockDate }) => ({
    balance: String(amount),
    token,
    unlockdate: unlockDate,
  }));
  if (balance.free > ZERO || token === NATIVE_COIN || always) {
    entries.unshift({ balance: String(balance.free), token, unlockdate: 0 });
  }
  return entries;
}
