import type { TransactionRecord } from "@moneta/protocol";
import { type Database, type Statement, Statements } from "../database.ts";
import type { OrderSide } from "../state/order-entry.ts";
import type { BlockSummary } from "./blocks.ts";
import type { Columns } from "./lists/indexed-rows.ts";
import type { Place } from "./lists/list-page.ts";
import type { TokenMarketView } from "./token-markets.ts";

/** More than a transaction makes: numbers of trades follow from its own. */
export const TRADES_OF_TRANSACTION = 128;

/** By a page, so that rare ones cost no more. */
const EXAMINED_MAX = 1000;

/** Parties are numbers of addresses and orders. Source: protocols §10. */
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

export interface StoredOrderTrade {
  readonly number: number;
  readonly id: string;
  readonly transaction: number;
  readonly base: string;
  readonly target: string;
  readonly order: string;
  readonly owner: string;
  readonly requester: string;
  readonly side: OrderSide;
  readonly price: string;
  readonly quantity: string;
  readonly cost: string;
}

export class OrderTradeView {
  readonly #markets: TokenMarketView | undefined;
  readonly #statements: Statements;
  readonly #withId: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, markets?: TokenMarketView) {
    this.#markets = markets;
    this.#statements = new Statements(database);
    this.#withId = database.prepare(
      `${SELECT} FROM order_trade AS trade ${NAMES} WHERE trade.id = ?`,
    );
  }

  insert(
    transaction: number,
    { effects }: TransactionRecord,
    timestamp: number,
    numberOf: {
      readonly address: (address: string) => number | undefined;
      readonly order: (id: string) => number | undefined;
      readonly whole: (token: string) => string;
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
      this.#statements
        .prepare("INSERT INTO order_trade VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(number, ...row, side, price, quantity, cost);
      for (const party of parties) {
        this.#statements.prepare("INSERT INTO order_trade_party VALUES (?, ?)").run(party, number);
      }
      this.#markets?.add({
        ...{ token: Number(target), time: timestamp, amount: quantity },
        ...{ price, priceOf: numberOf.whole(target), priceToken: base },
      });
      number += 1;
    }
  }

  get(id: string): StoredOrderTrade | undefined {
    const row = this.#withId.get(id);
    return row && tradeIn(row);
  }

  /** Newest first. One index finds them; others are passed over, up to a bound. */
  *places(columns: Columns, before: number): Generator<Place<StoredOrderTrade>> {
    let examined = 0;
    let last = before;
    for (const number of this.#numbers(columns, before)) {
      if (examined === EXAMINED_MAX) {
        yield { at: last, entry: undefined, endsPage: true };
        return;
      }
      const row = this.#statements
        .prepare(`${SELECT} FROM order_trade AS trade ${NAMES} WHERE trade.number = ?`)
        .get(number);
      const passes = row !== undefined && matches(row, columns);
      yield { at: number, entry: passes ? tradeIn(row) : undefined };
      examined += 1;
      last = number;
    }
  }

  *#numbers(columns: Columns, before: number): Generator<number> {
    const [index, names] = INDEXES.find(([, of]) =>
      of.every((name) => columns[name] !== undefined),
    ) as (typeof INDEXES)[number];
    const where = [...names.map((name) => `${COLUMNS[name] ?? name} = ?`), "number < ?"];
    const rows = this.#statements
      .prepare(
        `SELECT number FROM ${index} WHERE ${where.join(" AND ")} ORDER BY number DESC LIMIT ?`,
      )
      .all(...names.map((name) => columns[name]?.[0] ?? 0), before, EXAMINED_MAX + 1);
    for (const row of rows) {
      yield row["number"] as number;
    }
  }
}

/** The first one whose columns are all given is used. */
const INDEXES: readonly (readonly [index: string, names: readonly string[]])[] = [
  ["order_trade INDEXED BY order_trade_by_order", ["exchange_order"]],
  ["order_trade_party", ["party"]],
  ["order_trade INDEXED BY order_trade_by_pair", ["target", "base"]],
  ["order_trade INDEXED BY order_trade_by_target", ["target"]],
  ["order_trade INDEXED BY order_trade_by_base", ["base"]],
  ["order_trade", []],
];

const COLUMNS: Readonly<Record<string, string>> = { party: "address" };

const SELECT = `SELECT trade.number, trade.id, trade.base, trade.target, trade.owner AS owner_number,
  trade.requester AS requester_number, trade.exchange_order, trade.side, trade.price, trade.quantity,
  trade.cost, owner.address AS owner, requester.address AS requester, waited.key AS order_key`;
const NAMES = `JOIN address AS owner ON owner.number = trade.owner
  JOIN address AS requester ON requester.number = trade.requester
  JOIN exchange_order AS waited ON waited.number = trade.exchange_order`;

type Row = Readonly<Record<string, unknown>>;

function matches(row: Row, { party, ...columns }: Columns): boolean {
  const parties = [row["owner_number"], row["requester_number"]];
  return (
    (party === undefined || party.some((number) => parties.includes(number))) &&
    Object.entries(columns).every(([name, values]) => values.includes(row[name] as number))
  );
}

/** A trade as the interface shows it. Source: protocols §10. */
export function orderTradeJson(
  reader: {
    readonly transactionIdOf: (number: number) => string | undefined;
    readonly blockWithTransaction: (number: number) => BlockSummary | undefined;
  },
  trade: StoredOrderTrade,
): object {
  return {
    id: trade.id,
    transaction_id: reader.transactionIdOf(trade.transaction),
    timestamp: reader.blockWithTransaction(trade.transaction)?.header.timestamp,
    basetoken: trade.base,
    targettoken: trade.target,
    mrc040id: trade.order,
    owner: trade.owner,
    requester: trade.requester,
    side: trade.side,
    price: trade.price,
    qtt: trade.quantity,
    amount: trade.cost,
  };
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
