import {
  CANDLE_STEPS,
  DAY_HOURS,
  NATIVE_COIN,
  operationRecords,
  type RecordType,
  type TransactionRecord,
} from "@moneta/protocol";
import { type Database, Statements } from "../database.ts";

const HOUR = CANDLE_STEPS.hour;

/** What items and units of a project were traded for, in each hour with trades. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS project_market (
    project INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    pay_token INTEGER NOT NULL,
    trades INTEGER NOT NULL,
    volume TEXT NOT NULL,
    PRIMARY KEY (project, hour, pay_token)
  ) STRICT, WITHOUT ROWID;
`;

/** Beside the coin. Trades for further tokens of an hour count without a volume. Source: mrc401 §5. */
const OTHER_TOKENS_MAX = 4;
/** Shown tokens of a day. */
const VOLUMES_MAX = 5;
const FURTHER_TOKENS = -1;

/** By the type of the actor's record of a trade. Source: mrc401, mrc402, offers §6. */
const TRADES: ReadonlySet<RecordType> = new Set([
  ...["transfer_mrc401buy", "transfer_mrc401bid", "mrc401_auctionwinning"],
  ...["transfer_mrc402buy", "transfer_mrc402bid", "receive_mrc402item"],
  ...["transfer_mrc401acceptoffer", "transfer_mrc402acceptoffer"],
] as const);

/** Their amounts are together what was paid; a bid alone has none of them. */
const SHARES: ReadonlySet<RecordType> = new Set([
  ...["receive_mrc401fee", "receive_mrc401sell", "receive_mrc401auction"],
  ...["receive_mrc402fee", "receive_mrc402sell", "receive_mrc402auction"],
] as const);

export interface ItemTrade {
  readonly item: string;
  readonly payToken: number;
  readonly payment: bigint;
}

/** Undefined if nothing was traded. */
export function itemTrade({ type, effects }: TransactionRecord): ItemTrade | undefined {
  if (!TRADES.has(type)) {
    return undefined;
  }
  const shares = effects.filter((each) => SHARES.has(each.type));
  const [share] = shares;
  if (share === undefined) {
    return undefined;
  }
  const [, , , payToken, , , , item] = share.parameters;
  return {
    item: item as string,
    payToken: Number(payToken),
    payment: shares.reduce((sum, { parameters }) => sum + BigInt(parameters[2] as string), 0n),
  };
}

/** Source: mrc401 §5. */
export interface ProjectMarket {
  readonly day_trades: number;
  readonly day_volume: readonly {
    readonly token: string;
    readonly volume: string;
    readonly trades: number;
  }[];
}

interface Hour {
  readonly project: number;
  readonly hour: number;
  readonly payToken: number;
  trades: number;
  volume: bigint;
}

/** By the hour, like `TokenMarketView`: a day of a project is a bounded number of rows. */
export class ProjectMarketView {
  readonly #statements: Statements;
  /** Not in the table yet; how many are in stored blocks. */
  #trades: Hour[] = [];
  #stored = 0;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** `projectOf` has the number of an item's project, if it has one. */
  insert(
    record: TransactionRecord,
    time: number,
    projectOf: (item: string) => number | undefined,
  ): void {
    for (const { record: own } of operationRecords(record)) {
      const trade = itemTrade(own);
      const project = trade && projectOf(trade.item);
      if (trade !== undefined && project !== undefined) {
        const { payToken, payment: volume } = trade;
        this.#trades.push({ project, hour: time - (time % HOUR), payToken, trades: 1, volume });
      }
    }
  }

  accept(): void {
    this.#stored = this.#trades.length;
  }

  undo(): void {
    this.#trades.length = this.#stored;
  }

  /** Writes the trades if there are at least so many, before their transaction is committed. */
  write(least: number): void {
    if (this.#trades.length < least) {
      return;
    }
    const hours = new Map<string, Hour>();
    for (const trade of this.#trades) {
      const key = `${trade.project} ${trade.hour} ${trade.payToken}`;
      const earlier = hours.get(key);
      if (earlier === undefined) {
        hours.set(key, trade);
      } else {
        earlier.trades += 1;
        earlier.volume += trade.volume;
      }
    }
    this.#trades = [];
    this.#stored = 0;
    for (const hour of hours.values()) {
      this.#put(hour);
    }
  }

  #put({ project, hour, payToken, trades, volume }: Hour): void {
    const select = this.#statements.prepare(
      "SELECT trades, volume FROM project_market WHERE project = ? AND hour = ? AND pay_token = ?",
    );
    let token = payToken;
    let before = select.get(project, hour, token);
    if (before === undefined && !this.#hasPlace(project, hour, token)) {
      token = FURTHER_TOKENS;
      before = select.get(project, hour, token);
    }
    const all = ((before?.["trades"] as number | undefined) ?? 0) + trades;
    const sum = BigInt((before?.["volume"] as string | undefined) ?? 0) + volume;
    this.#statements
      .prepare("INSERT OR REPLACE INTO project_market VALUES (?, ?, ?, ?, ?)")
      .run(project, hour, token, all, token === FURTHER_TOKENS ? "0" : String(sum));
  }

  #hasPlace(project: number, hour: number, payToken: number): boolean {
    const { count } = this.#statements
      .prepare(
        `SELECT count(*) AS count FROM project_market
         WHERE project = ? AND hour = ? AND pay_token > ${NATIVE_COIN}`,
      )
      .get(project, hour) as { count: number };
    return payToken === Number(NATIVE_COIN) || count < OTHER_TOKENS_MAX;
  }

  /** Of the hour of `now` (Unix seconds) and the 23 before; the token with most trades first. */
  market(project: number, now: number): ProjectMarket {
    const rows = this.#statements
      .prepare(
        "SELECT pay_token, trades, volume FROM project_market WHERE project = ? AND hour BETWEEN ? AND ?",
      )
      .all(project, now - (now % HOUR) - (DAY_HOURS - 1) * HOUR, now) as {
      pay_token: number;
      trades: number;
      volume: string;
    }[];
    const tokens = new Map<number, { trades: number; volume: bigint }>();
    for (const { pay_token: token, trades, volume } of rows) {
      const of = tokens.get(token) ?? { trades: 0, volume: 0n };
      tokens.set(token, { trades: of.trades + trades, volume: of.volume + BigInt(volume) });
    }
    return {
      day_trades: rows.reduce((sum, { trades }) => sum + trades, 0),
      day_volume: [...tokens]
        .filter(([token]) => token !== FURTHER_TOKENS)
        .sort(([a, one], [b, other]) => other.trades - one.trades || a - b)
        .slice(0, VOLUMES_MAX)
        .map(([token, { trades, volume }]) => ({
          ...{ token: String(token), volume: String(volume), trades },
        })),
    };
  }
}
