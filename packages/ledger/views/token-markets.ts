import {
  type Amount,
  CANDLE_STEPS,
  type CandleStep,
  DAY_HOURS,
  decimalText,
} from "@moneta/protocol";
import { type Database, type Row, Statements } from "../database.ts";
import { TradesTogether } from "./trades-together.ts";

const HOUR = CANDLE_STEPS.hour;

/**
 * Amount in each hour with trades, and the last price: `price` units of `price_token` for
 * `price_of` units of the token.
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

/** Candles of a day are made of hours. */
const STORED_STEPS = [CANDLE_STEPS.minute, CANDLE_STEPS.hour];

/** Of the smallest unit: 10^40 units may cost one. */
const PRICE_DECIMALS = 48;
const PRICE_SCALE = 10n ** BigInt(PRICE_DECIMALS);
const PRICE_DIGITS = 20;

/** `price` units of `priceToken` for `priceOf` units of the traded token. */
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

interface MarketTrade extends TradedPrice {
  readonly token: number;
  readonly time: number;
  readonly amount: string;
}

interface Hour extends MarketTrade {
  readonly trades: number;
  readonly volume: bigint;
}

/** Trades and prices of a token for another one in a step. Source: tokens §2. */
interface Candle {
  readonly trades: number;
  readonly volume: bigint;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
}

export interface ShownCandle {
  readonly time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly trades: number;
}

export const NEVER_TRADED: TokenMarket = {
  ...{ day_trades: 0, day_volume: "0" },
  ...{ price: "", price_of: "", price_token: "", price_date: 0 },
};

/** By the hour, so that a page of tokens reads a bounded number of rows. */
export class TokenMarketView extends TradesTogether<MarketTrade> {
  readonly #statements: Statements;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database) {
    super();
    this.#statements = new Statements(database);
  }

  protected override put(trades: readonly MarketTrade[]): void {
    const hours = new Map<string, Hour>();
    const candles = new Map<string, { readonly at: readonly number[]; candle: Candle }>();
    for (const trade of trades) {
      const { token, time, amount, price, priceOf, priceToken } = trade;
      const volume = BigInt(amount);
      const hour = `${token} ${time - (time % HOUR)}`;
      const earlier = hours.get(hour);
      hours.set(hour, {
        ...trade,
        trades: (earlier?.trades ?? 0) + 1,
        volume: (earlier?.volume ?? 0n) + volume,
      });
      const unitPrice = (BigInt(price) * PRICE_SCALE) / BigInt(priceOf);
      const one = {
        ...{ trades: 1, volume },
        ...{ open: unitPrice, high: unitPrice, low: unitPrice, close: unitPrice },
      };
      for (const step of STORED_STEPS) {
        const begin = time - (time % step);
        const key = `${token} ${priceToken} ${step} ${begin}`;
        const before = candles.get(key);
        if (before === undefined) {
          candles.set(key, { at: [token, Number(priceToken), step, begin], candle: one });
        } else {
          before.candle = joined(before.candle, one);
        }
      }
    }
    for (const hour of hours.values()) {
      this.#putHour(hour);
    }
    for (const { at, candle } of candles.values()) {
      this.#putCandle(at, candle);
    }
  }

  #putHour({ token, time, trades, volume, price, priceOf, priceToken }: Hour): void {
    const hour = time - (time % HOUR);
    const before = this.#statements
      .prepare("SELECT trades, volume FROM token_market WHERE token = ? AND hour = ?")
      .get(token, hour);
    const all = ((before?.["trades"] as number | undefined) ?? 0) + trades;
    const sum = BigInt((before?.["volume"] as string | undefined) ?? 0) + volume;
    this.#statements
      .prepare("INSERT OR REPLACE INTO token_market VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(token, hour, all, String(sum), price, priceOf, Number(priceToken), time);
  }

  #putCandle(at: readonly number[], candle: Candle): void {
    const row = this.#statements
      .prepare(
        "SELECT * FROM token_candle WHERE token = ? AND price_token = ? AND step = ? AND time = ?",
      )
      .get(...at);
    const { trades, volume, open, high, low, close } =
      row === undefined ? candle : joined(candleIn(row), candle);
    this.#statements
      .prepare("INSERT OR REPLACE INTO token_candle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(...at, trades, ...[volume, open, high, low, close].map(String));
  }

  /**
   * The oldest first, from time to time in Unix seconds, both included. Reads a row for each minute
   * or hour.
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
    const rows = this.#statements
      .prepare(
        "SELECT * FROM token_candle WHERE token = ? AND price_token = ? AND step = ? AND time BETWEEN ? AND ? ORDER BY time",
      )
      .iterate(token, priceToken, Math.min(seconds, HOUR), first, end);
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

  /** Of the hour of `now` (Unix seconds) and the 23 before, with the last price. */
  market(token: number, now: number): TokenMarket {
    const rows = this.#statements
      .prepare(
        "SELECT * FROM token_market WHERE token = ? AND hour <= ? ORDER BY hour DESC LIMIT ?",
      )
      .all(token, now, DAY_HOURS);
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

function candleIn(row: Row): Candle {
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

/** The least significant decimals are left out. */
function priceText(price: bigint, decimals: number): string {
  const cut = Math.min(Math.max(String(price).length - PRICE_DIGITS, 0), decimals);
  return decimalText((price / 10n ** BigInt(cut)) as Amount, decimals - cut);
}
