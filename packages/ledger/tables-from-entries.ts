import type { Address, Amount, Json, JsonRecord, TokenId } from "@moneta/protocol";
import { commit, type Database } from "./database.ts";
import { invariant } from "./invariant.ts";
import { BALANCE, LOCK } from "./state/balances/balance.ts";
import { ADDRESS, type AddressEntry, type DocumentKind } from "./state/entries.ts";
import { KEY_SET, KEY_USE, type KeySetEntry, usesOf } from "./state/key-set-entry.ts";
import { entryOrder, kindOf } from "./state/kinds.ts";
import { ORDER, type Order } from "./state/order-entry.ts";
import { putOrder } from "./state/orders.ts";
import { State } from "./state/state.ts";
import { EarlierEntries } from "./state/tables/earlier-entries.ts";
import { HOLDING, type Holding } from "./state/units/holding-entry.ts";
import { UNIT_ITEM, type UnitItem } from "./state/units/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "./state/units/unit-listing-entry.ts";
import { beginTables, endTables } from "./tables.ts";
import { type Head, HeadView } from "./views/head.ts";
import { type Subtree, TreeView } from "./views/tree.ts";

/** Number of entries, and of characters, that end a batch. */
const ENTRIES_TOGETHER = 10_000;
const LENGTH_TOGETHER = 2 ** 24;

const BEFORE_THE_TABLES = -1;

/**
 * Makes the state's tables from entries in the order of `LedgerReader.entries`, in little memory.
 * Rules read nothing else, so later blocks are the same. Source: proofs §2.6.
 */
export class TablesFromEntries {
  readonly #database: Database;
  readonly #state: State;
  readonly #tree: TreeView;
  readonly #block: Pick<Head, "height" | "timestamp">;
  #count = 0;
  #order = 0;

  /** Recreates all tables; the state after `block` has these entries. */
  constructor(database: Database, block: Pick<Head, "height" | "timestamp">) {
    beginTables(database);
    this.#database = database;
    this.#block = block;
    new EarlierEntries(database).keep(block.height, block.height);
    this.#state = new State(database);
    this.#tree = new TreeView(database, "write");
    this.#begin();
  }

  add(key: string, text: string): void {
    const state = this.#state;
    const kind = kindOf(key);
    const order = kind === undefined ? -1 : entryOrder(kind);
    invariant(order >= this.#order, "entries follow those that they refer to");
    this.#order = order;
    state.beginOperation(BEFORE_THE_TABLES);
    addEntry(state, key, text);
    state.acceptOperation();
    this.#count += 1;
    if (this.#count >= ENTRIES_TOGETHER || state.changesLength > LENGTH_TOGETHER) {
      this.#commit();
      this.#begin();
    }
  }

  /** Before the first stored transaction. */
  addSubtree(subtree: Subtree): void {
    this.#tree.insert(subtree);
  }

  /** Views have only later blocks. */
  end(head: Head): void {
    new HeadView(this.#database, "write").put(head);
    this.#commit();
    endTables(this.#database);
  }

  #begin(): void {
    const { height, timestamp: time } = this.#block;
    this.#database.exec("BEGIN IMMEDIATE");
    this.#state.beginBlock({ height, time });
    this.#count = 0;
  }

  #commit(): void {
    this.#state.save();
    commit(this.#database);
    this.#state.acceptBlock();
  }
}

function addEntry(state: State, key: string, text: string): void {
  const value = JSON.parse(text) as Json;
  const kind = kindOf(key);
  invariant(kind !== undefined && kind.hasNoEntry !== true, `the state has entries like ${key}`);
  const [, address = "", token = "", unlockDate] = key.split("/");
  switch (kind.table) {
    case "address":
      state.add(ADDRESS, key, {
        ...(value as unknown as Omit<AddressEntry, "address" | "transactionNumber">),
        ...{ address: address as Address, transactionNumber: BEFORE_THE_TABLES },
      });
      break;
    case "balance": {
      const {
        free,
        locked = "0",
        locks = 0,
      } = value as { readonly [name: string]: string | number };
      state.add(BALANCE, key, {
        ...{ free: BigInt(free as string) as Amount, locked: BigInt(locked) as Amount },
        ...{ locks: locks as number, unlocksFrom: 0 },
      });
      break;
    }
    case "lock":
      state.add(LOCK, key, {
        ...{ address: address as Address, token: token as TokenId, unlockDate: Number(unlockDate) },
        amount: BigInt((value as { readonly amount: string }).amount) as Amount,
      });
      break;
    default:
      addDocument(state, kind as DocumentKind<unknown>, { key, text, value });
  }
}

function addDocument(
  state: State,
  kind: DocumentKind<unknown>,
  { key, text, value }: { readonly key: string; readonly text: string; readonly value: Json },
): void {
  const beside = kind.follows?.(key.slice(kind.prefix.length), value as JsonRecord, state) ?? null;
  const document = isOf(kind, UNIT_ITEM) ? withShareholdersInOrder(value as JsonRecord) : value;
  const entry = kind.restore(document, beside, () => JSON.parse(text) as JsonRecord);
  if (isOf(kind, ORDER)) {
    putOrder(state, entry as Order);
    return;
  }
  state.add(kind, key, entry);
  if (isOf(kind, KEY_SET)) {
    for (const use of usesOf(entry as KeySetEntry).values()) {
      state.put(KEY_USE, use);
    }
  } else if (isOf(kind, HOLDING)) {
    const item = itemOf(state, (entry as Holding).item);
    state.put(UNIT_ITEM, { ...item, holders: item.holders + 1 });
  } else if (isOf(kind, UNIT_LISTING) && (entry as UnitListing).state === "open") {
    const item = itemOf(state, (entry as UnitListing).mrc402);
    const isSale = (entry as UnitListing).side === "sell";
    const opened = isSale
      ? { openSales: item.openSales + 1 }
      : { openAuctions: item.openAuctions + 1 };
    state.put(UNIT_ITEM, { ...item, ...opened });
  }
}

function withShareholdersInOrder(item: JsonRecord): JsonRecord {
  const { shareholder, shareholderOrder: order } = item;
  return order === undefined
    ? item
    : {
        ...item,
        shareholder: Object.fromEntries(
          (order as string)
            .split(",")
            .map((address) => [address, (shareholder as JsonRecord)[address] as Json]),
        ),
      };
}

function isOf<V>(kind: DocumentKind<unknown>, other: DocumentKind<V>): boolean {
  return kind === (other as DocumentKind<unknown>);
}

function itemOf(state: State, id: string): UnitItem {
  const item = state.find(UNIT_ITEM, id);
  invariant(item !== undefined, "an item precedes its holdings and listings");
  return item;
}
