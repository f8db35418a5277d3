import {
  CANDLE_STEPS,
  DAY_HOURS,
  NATIVE_COIN,
  type OperationRecord,
  type RecordType,
  type TransactionRecord,
} from "@moneta/protocol";
import { type Database, Statements } from "../database.ts";
import { TradesTogether } from "./trades-together.ts";

const HOUR = CANDLE_STEPS.hour;

/**
 * What items and units of a project were traded for, in each hour with trades. `tokens` is the JSON
 * of `Tokens`: a page of projects reads a row an hour.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS project_market (
    project INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    tokens TEXT NOT NULL,
    PRIMARY KEY (project, hour)
  ) STRICT, WITHOUT ROWID;
`;

/** By the token that was paid. */
type Tokens = { [token: string]: readonly [trades: number, volume: string] };

/** Beside the coin. Trades for further tokens of an hour count without a volume. Source: mrc401 §5. */
const OTHER_TOKENS_MAX = 4;
/** Shown tokens of a day. */
const VOLUMES_MAX = 5;
const FURTHER_TOKENS = "";

/** By the type of the actor's record of a trade. Source: mrc401, mrc402, offers §6. */
const TRADES: ReadonlyMap<RecordType, ItemTrade["kind"]> = new Map([
  ["transfer_mrc401buy", "item"],
  ["transfer_mrc401bid", "item"],
  ["transfer_mrc401acceptoffer", "item"],
  ["mrc401_auctionwinning", "item"],
  ["transfer_mrc402buy", "unitItem"],
  ["transfer_mrc402bid", "unitItem"],
  ["transfer_mrc402acceptoffer", "unitItem"],
  ["receive_mrc402item", "unitItem"],
]);

/** Their amounts are together what was paid; a bid alone has none of them. */
const SHARES: ReadonlySet<RecordType> = new Set([
  ...["receive_mrc401fee", "receive_mrc401sell", "receive_mrc401auction"],
  ...["receive_mrc402fee", "receive_mrc402sell", "receive_mrc402auction"],
] as const);

export interface ItemTrade {
  readonly kind: "item" | "unitItem";
  readonly item: string;
  readonly payToken: string;
  readonly payment: bigint;
}

/** Undefined if nothing was traded. */
function itemTrade({ type, effects }: TransactionRecord): ItemTrade | undefined {
  const kind = TRADES.get(type);
  if (kind === undefined) {
    return undefined;
  }
  const shares = effects.filter((each) => SHARES.has(each.type));
  const [share] = shares;
  if (share === undefined) {
    return undefined;
  }
  const [, , , payToken, , , , item] = share.parameters;
  return {
    kind,
    item: item as string,
    payToken: payToken as string,
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

interface ProjectTrade extends Pick<ItemTrade, "payToken" | "payment"> {
  readonly project: number;
  readonly hour: number;
}

/** By the hour, like `TokenMarketView`: a day of a project is a bounded number of rows. */
export class ProjectMarketView extends TradesTogether<ProjectTrade> {
  readonly #statements: Statements;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database) {
    super();
    this.#statements = new Statements(database);
  }

  /** `projectOf` has the number of an item's project, if it has one. */
  insert(
    operations: readonly Pick<OperationRecord, "record">[],
    time: number,
    projectOf: (trade: ItemTrade) => number | undefined,
  ): void {
    for (const { record } of operations) {
      const trade = itemTrade(record);
      const project = trade && projectOf(trade);
      if (trade !== undefined && project !== undefined) {
        const { payToken, payment } = trade;
        this.add({ project, hour: time - (time % HOUR), payToken, payment });
      }
    }
  }

  protected override put(trades: readonly ProjectTrade[]): void {
    const hours = new Map<string, ProjectTrade & { readonly tokens: Tokens }>();
    for (const trade of trades) {
      const { project, hour } = trade;
      const { tokens } = hours.getOrInsertComputed(`${project} ${hour}`, () => ({
        ...trade,
        tokens: this.#tokens(project, hour),
      }));
      addTrade(tokens, trade);
    }
    for (const { project, hour, tokens } of hours.values()) {
      this.#statements
        .prepare("INSERT OR REPLACE INTO project_market VALUES (?, ?, ?)")
        .run(project, hour, JSON.stringify(tokens));
    }
  }

  #tokens(project: number, hour: number): Tokens {
    const row = this.#statements
      .prepare("SELECT tokens FROM project_market WHERE project = ? AND hour = ?")
      .get(project, hour);
    return row === undefined ? {} : JSON.parse(row["tokens"] as string);
  }

  /** Of the hour of `now` (Unix seconds) and the 23 before; the token with most trades first. */
  market(project: number, now: number): ProjectMarket {
    const rows = this.#statements
      .prepare("SELECT tokens FROM project_market WHERE project = ? AND hour BETWEEN ? AND ?")
      .all(project, now - (now % HOUR) - (DAY_HOURS - 1) * HOUR, now);
    const day = new Map<string, { trades: number; volume: bigint }>();
    for (const row of rows) {
      const tokens: Tokens = JSON.parse(row["tokens"] as string);
      for (const [token, [trades, volume]] of Object.entries(tokens)) {
        const of = day.getOrInsert(token, { trades: 0, volume: 0n });
        of.trades += trades;
        of.volume += BigInt(volume);
      }
    }
    return {
      day_trades: [...day.values()].reduce((sum, { trades }) => sum + trades, 0),
      day_volume: [...day]
        .filter(([token]) => token !== FURTHER_TOKENS)
        .sort(([a, one], [b, other]) => other.trades - one.trades || Number(a) - Number(b))
        .slice(0, VOLUMES_MAX)
        .map(([token, { trades, volume }]) => ({ token, volume: String(volume), trades })),
    };
  }
}

function addTrade(tokens: Tokens, { payToken, payment }: ProjectTrade): void {
  const others = Object.keys(tokens).filter(
    (each) => each !== NATIVE_COIN && each !== FURTHER_TOKENS,
  );
  const hasPlace =
    payToken === NATIVE_COIN || payToken in tokens || others.length < OTHER_TOKENS_MAX;
  const token = hasPlace ? payToken : FURTHER_TOKENS;
  const [trades, volume] = tokens[token] ?? [0, "0"];
  tokens[token] = [trades + 1, hasPlace ? String(BigInt(volume) + payment) : "0"];
}
