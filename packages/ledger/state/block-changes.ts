import { type Address, addMove, type Move, type MoveKind, type TokenId } from "@moneta/protocol";
import { ADDRESS, type AddressEntry, type EntryKind } from "./entries.ts";

const CHANGE_LENGTH = 256;

/** A value is undefined where there is no entry. */
export interface Change {
  readonly kind: EntryKind<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Changes may be written to the tables before the block is closed, so that look-ups use indexes.
 */
export class BlockChanges {
  readonly #changes: Map<string, Change> = new Map();
  readonly #addresses: Map<number, Address> = new Map();
  /** Values of entries that were written before the block is closed. */
  readonly #written: Map<string, unknown> = new Map();
  /** Of kinds that are written before the block is closed. */
  readonly #unwritten: Map<EntryKind<unknown>, Set<string>> = new Map();
  readonly #lengths: Map<string, number> = new Map();
  #lengthsSum = 0;
  #before:
    | Map<string, { readonly change: Change | undefined; readonly length: number }>
    | undefined;

  get size(): number {
    return this.#changes.size;
  }

  get length(): number {
    return CHANGE_LENGTH * this.#changes.size + this.#lengthsSum;
  }

  get(key: string): Change | undefined {
    return this.#changes.get(key);
  }

  keys(): Iterable<string> {
    return this.#changes.keys();
  }

  entries(): Iterable<[string, Change]> {
    return this.#changes;
  }

  set(key: string, change: Change, length: number = 0): void {
    if (this.#before?.has(key) === false) {
      const earlier = { change: this.#changes.get(key), length: this.#lengths.get(key) ?? 0 };
      this.#before.set(key, earlier);
    }
    this.#changes.set(key, change);
    this.#setLength(key, length);
    this.#unwritten.get(change.kind)?.add(key);
    if (change.kind === ADDRESS) {
      const { number, address } = change.after as AddressEntry;
      this.#addresses.set(number, address);
    }
  }

  beginBundle(): void {
    this.#before = new Map();
  }

  acceptBundle(): void {
    this.#before = undefined;
  }

  /** Returns the kinds of written ones, which must be written again. */
  undoBundle(): ReadonlySet<EntryKind<unknown>> {
    const changed = this.#before ?? new Map<string, never>();
    this.#before = undefined;
    const kinds = new Set<EntryKind<unknown>>();
    for (const [key, { change, length }] of changed) {
      const { kind, before } = this.#changes.get(key) as Change;
      if (change === undefined && !this.#written.has(key)) {
        this.#changes.delete(key);
        this.#setLength(key, 0);
        this.#unwritten.get(kind)?.delete(key);
      } else {
        this.set(key, change ?? { kind, before, after: before }, length);
        if (this.#written.has(key)) {
          kinds.add(kind);
        }
      }
    }
    return kinds;
  }

  #setLength(key: string, length: number): void {
    const before = this.#lengths.get(key) ?? 0;
    if (length !== before) {
      this.#lengths.set(key, length);
      this.#lengthsSum += length - before;
    }
  }

  clear(): void {
    this.#changes.clear();
    this.#lengths.clear();
    this.#lengthsSum = 0;
    this.#addresses.clear();
    this.#written.clear();
    this.#unwritten.clear();
    this.#before = undefined;
  }

  /** The address with a number that the block has made. */
  addressNumbered(number: number): Address | undefined {
    return this.#addresses.get(number);
  }

  /** With the tables' content in `before`. The caller writes them. */
  *takeUnwritten(kind: EntryKind<unknown>): Iterable<[string, Change]> {
    const keys = this.#unwritten.get(kind) ?? this.#keysOf(kind);
    this.#unwritten.set(kind, new Set());
    for (const key of keys) {
      const change = this.#unwrittenChange(key, this.#changes.get(key) as Change);
      this.#written.set(key, change.after);
      yield [key, change];
    }
  }

  *unwritten(): Iterable<[string, Change]> {
    for (const [key, change] of this.#changes) {
      yield [key, this.#unwrittenChange(key, change)];
    }
  }

  #unwrittenChange(key: string, change: Change): Change {
    return this.#written.has(key) ? { ...change, before: this.#written.get(key) } : change;
  }

  #keysOf(kind: EntryKind<unknown>): string[] {
    return [...this.#changes].filter(([, change]) => change.kind === kind).map(([key]) => key);
  }
}

export interface AddressMoves {
  readonly moves: Move[];
  firstRecord: number | undefined;
}

export class Moves {
  readonly #of: Map<string, AddressMoves> = new Map();
  /** Token amounts by address that an entry of the state fixes. */
  readonly #shares: Map<string, bigint> = new Map();
  readonly #pending: Map<string, Set<TokenId>> = new Map();

  /** An amount of 0 counts as a move. */
  add(address: string, kind: MoveKind, id: string, amount: bigint): void {
    const earlier = this.#of.get(address);
    if (earlier === undefined) {
      this.#of.set(address, { moves: [{ kind, id, amount }], firstRecord: undefined });
    } else {
      addMove(earlier.moves, kind, id, amount);
    }
  }

  /** Notes that an amount is a share that an entry of the state fixes. */
  noteShare(address: string, token: string, amount: bigint): void {
    const key = `${address} ${token}`;
    this.#shares.set(key, (this.#shares.get(key) ?? 0n) + amount);
  }

  /** Notes that open orders of an address hold more or less of a token. */
  notePending(address: string, token: TokenId): void {
    this.#pending.getOrInsertComputed(address, noTokens).add(token);
  }

  pendingOf(address: string): Iterable<TokenId> {
    return this.#pending.get(address) ?? [];
  }

  of(address: string): AddressMoves | undefined {
    return this.#of.get(address);
  }

  /** The addresses that get more of something than such shares. */
  *receivers(): Iterable<string> {
    for (const [address, { moves }] of this.#of) {
      const shareOf = ({ kind, id }: Move): bigint =>
        kind === "token" ? (this.#shares.get(`${address} ${id}`) ?? 0n) : 0n;
      if (moves.some((move) => move.amount > shareOf(move))) {
        yield address;
      }
    }
  }

  inAll(token: string): bigint {
    let sum = 0n;
    for (const { moves } of this.#of.values()) {
      for (const { kind, id, amount } of moves) {
        sum += kind === "token" && id === token ? amount : 0n;
      }
    }
    return sum;
  }

  clear(): void {
    this.#shares.clear();
    this.#pending.clear();
    this.#of.clear();
  }
}

function noTokens(): Set<TokenId> {
  return new Set();
}
