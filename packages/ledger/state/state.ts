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
import { BoundedCache } from "./bounded-cache.ts";
import {
  ADDRESS,
  ADDRESS_COUNT_KEY,
  type AddressEntry,
  addressKey,
  BALANCE,
  balanceKey,
  COUNT,
  type EntryKind,
  PROTOCOL,
  PROTOCOL_KEY,
  type ProtocolEntry,
  TOKEN,
  TOKEN_COUNT_KEY,
  type TokenEntry,
  tokenKey,
} from "./entries.ts";
import { StateTables } from "./tables.ts";

/** What a rule may ask before it knows whether the request is authorized; also asked on admission, by readers. */
export interface StateReader {
  address(address: Address): AddressEntry | undefined;
  token(token: TokenId): TokenEntry | undefined;
}

interface Change {
  readonly kind: EntryKind<unknown>;
  /** The value before the block, not before the operation. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Addresses and balances that are kept in memory, of each at least so many: some 100 MB when all are in use. */
const CACHE_SIZE = 100_000;

/**
 * What the rules read and write: the changes of the current operation over those of the current block over the database. Dropping the first
 * undoes a failed operation, dropping both a block that could not be stored. Source: design, state and storage; chain §4.6, §5.
 */
export class State implements StateReader {
  readonly #tables: StateTables;
  readonly #operation: Map<string, Change> = new Map();
  readonly #block: Map<string, Change> = new Map();
  // Values as the database has them, those among them that it does not have.
  readonly #stored: BoundedCache<{ readonly value: unknown }> = new BoundedCache(CACHE_SIZE);
  // Addresses stay while the rest is forgotten, because they never change.
  readonly #addresses: BoundedCache<AddressEntry> = new BoundedCache(CACHE_SIZE);
  /** Whose balances of which tokens the current operation has moved. */
  readonly #moved: Map<string, TokenId[]> = new Map();
  #time = 0;
  #transactionNumber = 0;

  constructor(database: Database) {
    this.#tables = new StateTables(database);
  }

  /** The ledger time of the current block, Unix seconds. */
  get time(): number {
    return this.#time;
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

  token(token: TokenId): TokenEntry | undefined {
    return this.#get(TOKEN, tokenKey(token));
  }

  get protocol(): ProtocolEntry | undefined {
    return this.#get(PROTOCOL, PROTOCOL_KEY);
  }

  /** How many addresses there are. */
  get addressCount(): number {
    return this.#get(COUNT, ADDRESS_COUNT_KEY) ?? 0;
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
    this.#put(ADDRESS, addressKey(entry.address), {
      ...entry,
      number: this.addressCount,
      transactionNumber: this.#transactionNumber,
    });
    this.#put(COUNT, ADDRESS_COUNT_KEY, this.addressCount + 1);
  }

  putToken(entry: TokenEntry): void {
    this.#put(TOKEN, tokenKey(entry.id), entry);
  }

  putTokenCount(highest: number): void {
    this.#put(COUNT, TOKEN_COUNT_KEY, highest);
  }

  putProtocol(entry: ProtocolEntry): void {
    this.#put(PROTOCOL, PROTOCOL_KEY, entry);
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

  /** The `values` of a record: what the address has now of the tokens that the operation moved there. Source: accounts §1.4. */
  movedBalances(address: string): { readonly [name: string]: Json } {
    const tokens = this.#moved.get(address);
    if (tokens === undefined) {
      return {};
    }
    const inOrder =
      tokens.length === 1 ? tokens : tokens.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    return {
      balance: inOrder.flatMap((token) =>
        balanceEntries(token, this.balance(address as Address, token)),
      ),
    };
  }

  /** Starts a block at a ledger time. */
  beginBlock(time: number): void {
    invariant(this.#block.size === 0 && this.#operation.size === 0, "the block before is done");
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
  }

  /** Forgets what the operation has changed. */
  undoOperation(): void {
    this.#operation.clear();
    this.#moved.clear();
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
      members.push(
        `${JSON.stringify(key)}:${after === undefined ? "null" : canonicalJson(kind.json(after))}`,
      );
    }
    return `{${members.join(",")}}`;
  }

  /** Writes the block's changes to the tables, inside a transaction of the caller's. */
  save(): void {
    const numberOf = (address: Address): number | undefined => this.address(address)?.number;
    for (const [key, { kind, after }] of this.#block) {
      this.#tables.save(kind, key, after, numberOf);
    }
  }

  /** The block's changes are stored: from here on the database has them. */
  acceptBlock(): void {
    for (const [key, { after }] of this.#block) {
      this.#stored.set(key, { value: after });
    }
    this.#block.clear();
  }

  /** The block could not be stored, or had no operation: the database is as it was. */
  undoBlock(): void {
    this.undoOperation();
    this.#block.clear();
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
    const value = this.#tables.load(kind, key, (address) => this.address(address)?.number);
    this.#stored.set(key, { value });
    return value;
  }

  #put<V>(kind: EntryKind<V>, key: string, value: V): void {
    this.#update(kind, key, () => value);
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

  #isChanged(key: string): boolean {
    return this.#operation.has(key) || this.#block.has(key);
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
