import type { Database, Statement } from "../database.ts";

const HOUR = 3600;
/** Hours of which the trades of a day are made: the current one and those before it. */
const HOURS_OF_DAY = 24;

/**
 * The traded amount of a token in each hour of ledger time with trades, and its last price in that
 * hour: `price` units of `price_token` for `price_of` units of the token.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS token_market (
    token INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    trades INTEGER NOT NULL,
    volume TEXT NOT NULL,
    price TEXT NOT NULL,
    price_of TEXT NOT NULL,
    price_token INTEGER NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (token, hour)
  ) STRICT, WITHOUT ROWID;
`;

/** A price of tokens: `price` units of `priceToken` for `priceOf` units of the token that is traded. */
export interface TradedPrice {
  readonly price: string;
  readonly priceOf: string;
  readonly priceToken: string;
}

/** The market of a token as the list of tokens shows it. Source: tokens §2. */
export interface TokenMarket {
  readonly day_trades: number;
  readonly day_volume: string;
  readonly price: string;
  readonly price_of: string;
  readonly price_token: string;
  readonly price_date: number;
}

const NEVER_TRADED: TokenMarket = {
  ...{ day_trades: 0, day_volume: "0" },
  ...{ price: "", price_of: "", price_token: "", price_date: 0 },
};

/** Adds up trades of tokens by the hour, so that a page of tokens reads a bounded number of rows. */
export class TokenMarketView {
  readonly #newest: Statement;
  readonly #write: { readonly hour: Statement; readonly put: Statement } | undefined;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#newest = database.prepare(
      "SELECT * FROM token_market WHERE token = ? AND hour <= ? ORDER BY hour DESC LIMIT ?",
    );
    this.#write =
      access === "write"
        ? {
            hour: database.prepare(
              "SELECT trades, volume FROM token_market WHERE token = ? AND hour = ?",
            ),
            put: database.prepare(
              "INSERT OR REPLACE INTO token_market VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ),
          }
        : undefined;
  }

  /** Adds a trade of `amount` units of a token, the newest so far. */
  add(token: number, timestamp: number, amount: string, traded: TradedPrice): void {
    const hour = timestamp - (timestamp % HOUR);
    const before = this.#write?.hour.get(token, hour);
    const trades = ((before?.["trades"] as number | undefined) ?? 0) + 1;
    const volume = BigInt((before?.["volume"] as string | undefined) ?? 0) + BigInt(amount);
    const { price, priceOf, priceToken } = traded;
    const sum = [trades, String(volume)];
    this.#write?.put.run(token, hour, ...sum, price, priceOf, Number(priceToken), timestamp);
  }

  /** Trades of the hour of `now`, Unix seconds, and the 23 hours before it, and the last price. */
  market(token: number, now: number): TokenMarket {
    const rows = this.#newest.all(token, now, HOURS_OF_DAY);
    const [last] = rows;
    if (last === undefined) {
      return NEVER_TRADED;
    }
    const since = now - (now % HOUR) - (HOURS_OF_DAY - 1) * HOUR;
    const ofDay = rows.filter(({ hour }) => (hour as number) >= since);
    return {
      day_trades: ofDay.reduce((sum, { trades }) => sum + (trades as number), 0),
      day_volume: String(ofDay.reduce((sum, { volume }) => sum + BigInt(volume as string), 0n)),
      price: last["price"] as string,
      price_of: last["price_of"] as string,
      price_token: String(last["price_token"]),
      price_date: last["time"] as number,
    };
  }
}
