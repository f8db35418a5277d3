import {
  type Amount,
  CANDLE_STEPS,
  type CandleStep,
  DAY_HOURS,
  decimalText,
} from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";

const HOUR = CANDLE_STEPS.hour;

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
  -- Trades of a token for another one in a minute or an hour, and their prices times 10^48.
  CREATE TABLE IF NOT EXISTS token_candle (
    token INTEGER NOT NULL,
    price_token INTEGER NOT NULL,
    step INTEGER NOT NULL,
    time INTEGER NOT NULL,
    trades INTEGER NOT NULL,
    volume TEXT NOT NULL,
    open TEXT NOT NULL,
    high TEXT NOT NULL,
    low TEXT NOT NULL,
    close TEXT NOT NULL,
    PRIMARY KEY (token, price_token, step, time)
  ) STRICT, WITHOUT ROWID;
`;

/** The steps of which candles are stored; those of a day are made of hours. */
const STORED_STEPS = [CANDLE_STEPS.minute, CANDLE_STEPS.hour];

/** Decimals of a stored price, that of the smallest unit: 10^40 units may cost one. */
const PRICE_DECIMALS = 48;
const PRICE_SCALE = 10n ** BigInt(PRICE_DECIMALS);
/** Significant digits of a price that is shown. */
const PRICE_DIGITS = 20;

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

/** What was traded of a token for another one in a step, and its prices. Source: tokens §2. */
interface Candle {
  readonly trades: number;
  readonly volume: bigint;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
}

/** A candle as it is shown. */
export interface ShownCandle {
  readonly time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly trades: number;
}

const NEVER_TRADED: TokenMarket = {
  ...{ day_trades: 0, day_volume: "0" },
  ...{ price: "", price_of: "", price_token: "", price_date: 0 },
};

/** Adds up trades of tokens by the hour, so that a page of tokens reads a bounded number of rows. */
export class TokenMarketView {
  readonly #newest: Statement;
  readonly #candles: Statement;
  readonly #write:
    | {
        readonly hour: Statement;
        readonly put: Statement;
        readonly candle: Statement;
        readonly putCandle: Statement;
      }
    | undefined;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#newest = database.prepare(
      "SELECT * FROM token_market WHERE token = ? AND hour <= ? ORDER BY hour DESC LIMIT ?",
    );
    this.#candles = database.prepare(
      "SELECT * FROM token_candle WHERE token = ? AND price_token = ? AND step = ? AND time BETWEEN ? AND ? ORDER BY time",
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
            candle: database.prepare(
              "SELECT * FROM token_candle WHERE token = ? AND price_token = ? AND step = ? AND time = ?",
            ),
            putCandle: database.prepare(
              "INSERT OR REPLACE INTO token_candle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
    const unitPrice = (BigInt(price) * PRICE_SCALE) / BigInt(priceOf);
    this.#addToCandles([token, Number(priceToken)], timestamp, {
      ...{ trades: 1, volume: BigInt(amount) },
      ...{ open: unitPrice, high: unitPrice, low: unitPrice, close: unitPrice },
    });
  }

  #addToCandles(pair: readonly [number, number], timestamp: number, trade: Candle): void {
    for (const step of STORED_STEPS) {
      const at = [...pair, step, timestamp - (timestamp % step)];
      const row = this.#write?.candle.get(...at);
      const { trades, volume, ...prices } =
        row === undefined ? trade : joined(candleIn(row), trade);
      this.#write?.putCandle.run(
        ...at,
        trades,
        String(volume),
        ...Object.values(prices).map(String),
      );
    }
  }

  /**
   * Candles of a token for another one, the oldest first: steps with trades that begin between two
   * times, Unix seconds, both included. The decimals are those of both tokens. Reads a row for each
   * minute or hour.
   */
  candles({
    token,
    priceToken,
    step,
    since,
    until,
    decimals,
  }: {
    readonly token: number;
    readonly priceToken: number;
    readonly step: CandleStep;
    readonly since: number;
    readonly until: number;
    readonly decimals: { readonly token: number; readonly priceToken: number };
  }): readonly ShownCandle[] {
    const seconds = CANDLE_STEPS[step];
    const first = Math.ceil(since / seconds) * seconds;
    const end = (Math.floor(until / seconds) + 1) * seconds - 1;
    const found = new Map<number, Candle>();
    const rows = this.#candles.iterate(token, priceToken, Math.min(seconds, HOUR), first, end);
    for (const row of rows) {
      const time = Math.floor((row["time"] as number) / seconds) * seconds;
      const earlier = found.get(time);
      const candle = candleIn(row);
      found.set(time, earlier === undefined ? candle : joined(earlier, candle));
    }
    const shift = PRICE_DECIMALS + decimals.priceToken - decimals.token;
    return [...found].map(([time, { trades, volume, open, high, low, close }]) => ({
      time,
      open: priceText(open, shift),
      high: priceText(high, shift),
      low: priceText(low, shift),
      close: priceText(close, shift),
      volume: String(volume),
      trades,
    }));
  }

  /** Trades of the hour of `now`, Unix seconds, and the 23 hours before it, and the last price. */
  market(token: number, now: number): TokenMarket {
    const rows = this.#newest.all(token, now, DAY_HOURS);
    const [last] = rows;
    if (last === undefined) {
      return NEVER_TRADED;
    }
    const since = now - (now % HOUR) - (DAY_HOURS - 1) * HOUR;
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

function candleIn(row: Readonly<Record<string, unknown>>): Candle {
  const number = (name: string): bigint => BigInt(row[name] as string);
  return {
    ...{ trades: row["trades"] as number, volume: number("volume") },
    ...{ open: number("open"), high: number("high"), low: number("low"), close: number("close") },
  };
}

function joined(earlier: Candle, later: Candle): Candle {
  return {
    trades: earlier.trades + later.trades,
    volume: earlier.volume + later.volume,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
  };
}

/** A number with so many decimals as decimal text, of which the least significant are left out. */
function priceText(price: bigint, decimals: number): string {
  const cut = Math.min(Math.max(String(price).length - PRICE_DIGITS, 0), decimals);
  return decimalText((price / 10n ** BigInt(cut)) as Amount, decimals - cut);
}
