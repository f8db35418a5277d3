import type { OperationRecord, RecordType, TransactionRecord } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { operationNumber } from "../state/ids/operation-number.ts";
import type { TokenListing } from "../state/token-listing-entry.ts";
import type { TokenMarketView } from "./token-markets.ts";

/** An operation makes at most one: both have its number. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS token_trade (
    number INTEGER PRIMARY KEY,
    token INTEGER NOT NULL,
    pay_token INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS token_trade_by_token ON token_trade (token);
  CREATE INDEX IF NOT EXISTS token_trade_by_token_pay_token ON token_trade (token, pay_token);
`;

export const TOKEN_TRADE_TABLE = {
  name: "token_trade",
  indexes: [["token"], ["token", "pay_token"]],
} as const;

/** By the type of its record of a trade. Source: tokens §11, §12. */
const SIDES: ReadonlyMap<RecordType, TokenListing["side"]> = new Map([
  ["mrc010_buy", "sell"],
  ["mrc010_acceptreqsell", "buy"],
  ["mrc010_auctionbuynow", "auction"],
  ["mrc010_auctionwinning", "auction"],
]);

export interface TokenTrade {
  readonly dexid: string;
  readonly side: TokenListing["side"];
  readonly seller: string;
  readonly buyer: string;
  /** The payment is without the additional costs of a buyer's request. */
  readonly amount: string;
  readonly payment: string;
  readonly payToken: string;
}

/** Undefined if it was none. Source: tokens §8. */
export function tokenTrade(record: TransactionRecord): TokenTrade | undefined {
  const { parameters, effects } = record;
  // The record of the listing is the last one.
  const listed = effects.at(-1);
  const side = listed && SIDES.get(listed.type);
  if (listed === undefined || side === undefined) {
    return undefined;
  }
  const [dexid, creator, taker] = listed.parameters as [string, string, string];
  const [, , paid, payToken, , , amount] = parameters;
  return {
    dexid,
    side,
    ...(side === "buy" ? { seller: taker, buyer: creator } : { seller: creator, buyer: taker }),
    amount: amount as string,
    payment: record.type === "receive_mrc010item" ? shared(effects) : (paid as string),
    payToken: payToken as string,
  };
}

/** Paid earlier by the winner, received by seller and platform. */
function shared(effects: TransactionRecord["effects"]): string {
  const parts = effects.slice(0, -1).map(({ parameters }) => BigInt(parameters[2] as string));
  return String(parts.reduce((sum, part) => sum + part, 0n));
}

export class TokenTradeView {
  readonly #insert: Statement;
  readonly #markets: TokenMarketView;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, markets: TokenMarketView) {
    this.#insert = database.prepare("INSERT INTO token_trade VALUES (?, ?, ?)");
    this.#markets = markets;
  }

  insert(transaction: number, operations: readonly OperationRecord[], timestamp: number): void {
    for (const { index, record: own } of operations) {
      const trade = tokenTrade(own);
      if (trade !== undefined) {
        const number = operationNumber(transaction, index);
        this.#insert.run(number, own.token, Number(trade.payToken));
        const { amount, payment: price, payToken: priceToken } = trade;
        this.#markets.add({
          ...{ token: own.token, time: timestamp, amount },
          ...{ price, priceOf: amount, priceToken },
        });
      }
    }
  }
}
