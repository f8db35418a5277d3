import type { TokenId, TransactionRecord } from "@moneta/protocol";
import { type Database, type Statement, Statements } from "../database.ts";
import type { OrderSide } from "../state/order-entry.ts";

/** An operation makes fewer trades: their numbers follow from its own. */
const TRADES_OF_TRANSACTION = 128;

/** How many trades a page reads at most, so that rare ones cost no more than others. */
const EXAMINED_MAX = 1000;

/** Parties are addresses and orders by their numbers. Source: protocols §10. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS order_trade (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    base INTEGER NOT NULL,
    target INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    requester INTEGER NOT NULL,
    exchange_order INTEGER NOT NULL,
    side TEXT NOT NULL,
    price TEXT NOT NULL,
    quantity TEXT NOT NULL,
    cost TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS order_trade_by_pair ON order_trade (target, base);
  CREATE INDEX IF NOT EXISTS order_trade_by_target ON order_trade (target);
  CREATE INDEX IF NOT EXISTS order_trade_by_base ON order_trade (base);
  CREATE INDEX IF NOT EXISTS order_trade_by_order ON order_trade (exchange_order);
  CREATE TABLE IF NOT EXISTS order_trade_party (
    address INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (address, number)
  ) STRICT, WITHOUT ROWID;
`;

/** A trade with an order. */
export interface StoredOrderTrade {
  readonly number: number;
  readonly id: string;
  /** Running number of its transaction. */
  readonly transaction: number;
  readonly base: string;
  readonly target: string;
  readonly order: string;
  readonly owner: string;
  readonly requester: string;
  /** What the requester did. */
  readonly side: OrderSide;
  readonly price: string;
  readonly quantity: string;
  readonly cost: string;
}

/** Which trades are wanted: those that pass all the filters that are given. */
export interface WantedOrderTrades {
  readonly base: TokenId | undefined;
  readonly target: TokenId | undefined;
  readonly addressNumber: number | undefined;
  /** `order` of an order. */
  readonly orderNumber: number | undefined;
}

/** The trades with orders, which follow from the transactions. Source: protocols §10. */
export class OrderTradeView {
  readonly #insert: { readonly trade: Statement; readonly party: Statement } | undefined;
  readonly #statements: Statements;
  readonly #withId: Statement;
  readonly #examinedMax: number;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write", examinedMax: number = EXAMINED_MAX) {
    this.#insert =
      access === "write"
        ? {
            trade: database.prepare(
              "INSERT INTO order_trade VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ),
            party: database.prepare("INSERT INTO order_trade_party VALUES (?, ?)"),
          }
        : undefined;
    this.#statements = new Statements(database);
    this.#withId = database.prepare(
      `${SELECT} FROM order_trade AS trade ${NAMES} WHERE trade.id = ?`,
    );
    this.#examinedMax = examinedMax;
  }

  /** Files the trades of a transaction. */
  insert(
    transaction: number,
    { effects }: TransactionRecord,
    numberOf: {
      readonly address: (address: string) => number | undefined;
      readonly order: (id: string) => number | undefined;
    },
  ): void {
    let number = transaction * TRADES_OF_TRANSACTION;
    for (const { type, parameters } of effects) {
      if (type !== "stodexExchangeRequest") {
        continue;
      }
      const [owner, requester, side, base, target, price, quantity, , order, id, cost] =
        parameters as readonly [
          ...[string, string, string, string, string, string, string],
          ...[string, string, string, string],
        ];
      const parties = [numberOf.address(owner) as number, numberOf.address(requester) as number];
      const row = [id, Number(base), Number(target), ...parties, numberOf.order(order) as number];
      this.#insert?.trade.run(number, ...row, side, price, quantity, cost);
      for (const party of parties) {
        this.#insert?.party.run(party, number);
      }
      number += 1;
    }
  }

  /** The trade with an id. */
  get(id: string): StoredOrderTrade | undefined {
    const row = this.#withId.get(id);
    return row && tradeIn(row);
  }

  /**
   * A page of trades, the newest first. `next` is the last that was read where there may be
   * more: one index finds them, and what passes no other filter is passed over, up to a bound.
   */
  page(
    wanted: WantedOrderTrades,
    before: number | undefined,
    limit: number,
  ): { readonly items: readonly StoredOrderTrade[]; readonly next: number | undefined } {
    const items: StoredOrderTrade[] = [];
    let examined = 0;
    let last: number | undefined;
    for (const number of this.#numbers(wanted, before ?? Number.MAX_SAFE_INTEGER)) {
      if (items.length === limit || examined === this.#examinedMax) {
        return { items, next: last };
      }
      const row = this.#statements
        .prepare(`${SELECT} FROM order_trade AS trade ${NAMES} WHERE trade.number = ?`)
        .get(number);
      if (row !== undefined && passes(row, wanted)) {
        items.push(tradeIn(row));
      }
      examined += 1;
      last = number;
    }
    return { items, next: undefined };
  }

  *#numbers(wanted: WantedOrderTrades, before: number): Generator<number> {
    const { base, target, addressNumber, orderNumber } = wanted;
    const [from, values] =
      orderNumber !== undefined
        ? ["order_trade INDEXED BY order_trade_by_order WHERE exchange_order = ?", [orderNumber]]
        : addressNumber !== undefined
          ? ["order_trade_party WHERE address = ?", [addressNumber]]
          : base !== undefined && target !== undefined
            ? [
                "order_trade INDEXED BY order_trade_by_pair WHERE target = ? AND base = ?",
                [Number(target), Number(base)],
              ]
            : target !== undefined
              ? ["order_trade INDEXED BY order_trade_by_target WHERE target = ?", [Number(target)]]
              : base !== undefined
                ? ["order_trade INDEXED BY order_trade_by_base WHERE base = ?", [Number(base)]]
                : ["order_trade WHERE 1 = ?", [1]];
    const rows = this.#statements
      .prepare(`SELECT number FROM ${from} AND number < ? ORDER BY number DESC LIMIT ?`)
      .all(...(values as readonly number[]), before, this.#examinedMax + 1);
    for (const row of rows) {
      yield row["number"] as number;
    }
  }
}

const SELECT = `SELECT trade.number, trade.id, trade.base, trade.target, trade.owner AS owner_number,
  trade.requester AS requester_number, trade.exchange_order, trade.side, trade.price, trade.quantity,
  trade.cost, owner.address AS owner, requester.address AS requester, waited.key AS order_key`;
const NAMES = `JOIN address AS owner ON owner.number = trade.owner
  JOIN address AS requester ON requester.number = trade.requester
  JOIN exchange_order AS waited ON waited.number = trade.exchange_order`;

type Row = Readonly<Record<string, unknown>>;

function passes(
  row: Row,
  { base, target, addressNumber, orderNumber }: WantedOrderTrades,
): boolean {
  const parties = [row["owner_number"], row["requester_number"]];
  return (
    (base === undefined || row["base"] === Number(base)) &&
    (target === undefined || row["target"] === Number(target)) &&
    (addressNumber === undefined || parties.includes(addressNumber)) &&
    (orderNumber === undefined || row["exchange_order"] === orderNumber)
  );
}

function tradeIn(row: Row): StoredOrderTrade {
  const number = row["number"] as number;
  const key = row["order_key"] as string;
  return {
    number,
    id: row["id"] as string,
    transaction: Math.floor(number / TRADES_OF_TRANSACTION),
    base: String(row["base"]),
    target: String(row["target"]),
    order: key.slice(key.indexOf("/") + 1),
    owner: row["owner"] as string,
    requester: row["requester"] as string,
    side: row["side"] as OrderSide,
    price: row["price"] as string,
    quantity: row["quantity"] as string,
    cost: row["cost"] as string,
  };
}
