import type { Block } from "@moneta/protocol";
import type { Time } from "../../time.ts";
import {
  type Appended,
  BehindLog,
  type BlockPlace,
  Diverged,
  type EngineTrouble,
  LogUnavailable,
  ROW_DROPPED,
  type Turn,
  type TurnMeasured,
} from "../block-log.ts";
import { BARRIER, isCertain, TIMELINE, timelineOf } from "./barrier.ts";
import { BLOCK_COLUMNS, blocksOf, blockValues, readingBlocks } from "./block-rows.ts";
import { EngineRefusal, type EngineResult, EngineUnavailable, type Timelines } from "./engine.ts";
import type { EngineSession } from "./engine-session.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";
import { idAt } from "./row-bounds.ts";
import { literal } from "./sql-text.ts";

/** Under the append lock; a node that lags further catches up first. */
const BLOCKS_IN_TURN = 20;
const BYTES_IN_TURN = 4 << 20;

/**
 * SQLSTATEs after which a transaction certainly had no effect. All others are a doubt; 40003 itself
 * means unknown.
 */
const WITHOUT_EFFECT = /^(22|23|25|40(?!003)|42|53|55|57014)/;

/** Caused by another session. */
const OF_OTHERS = /^(23505|40001|40P01)$/;

export interface TurnOptions {
  /** SQL: `"moneta"."block"`. */
  readonly table: string;
  readonly time: Time;
  /** `--turn-seconds`, ms. */
  readonly turnMs: number;
  readonly timelines: Timelines;
  readonly hasTransactionTimeout: () => boolean;
  readonly onEnd: (ended: Omit<TurnMeasured, "waitMs">) => void;
}

/**
 * Rejects with `LogUnavailable`, `BehindLog` or `Diverged`; then the lock is not held.
 * Source: cluster §3.
 */
export async function takeTurn(
  session: EngineSession,
  {
    place,
    timeoutMs,
    ...options
  }: TurnOptions & { readonly place: () => BlockPlace; readonly timeoutMs: number },
): Promise<PostgresTurn> {
  const from = place();
  const { table, turnMs } = options;
  const results = await begun(
    session,
    `${beginTurn({ ...options, timeoutMs })}; ${clockAndOwn(table, from.height)}; ${newest(table, from.height)}`,
    timeoutMs + 2 * turnMs,
  );
  const [clock, rows] = results.slice(-2) as [EngineResult, EngineResult];
  const { now, timeline: text, own } = clock.rows[0] as Readonly<Record<string, string | null>>;
  const timeline = timelineOf(text);
  const turn = (blocks: readonly Block[]): PostgresTurn =>
    new PostgresTurn(session, options, { blocks, now: Math.floor(Number(now)), timeline });
  try {
    checkTimeline(timeline, options.timelines, session);
    if (from.height >= 0 && own !== from.id) {
      throw new Diverged({ height: from.height, ours: from.id, theirs: own ?? undefined });
    }
    return turn(blocksBehind(place(), blocksOf(rows).toReversed()));
  } catch (thrown) {
    await turn([]).giveBack();
    throw thrown;
  }
}

/**
 * Whether a block in doubt is in the log, with the barrier. In this turn no lost session can commit
 * any more. Source: cluster §3.
 */
export async function idInTurn(
  session: EngineSession,
  { height, timeoutMs, ...options }: TurnOptions & { height: number; timeoutMs: number },
): Promise<string | undefined> {
  const results = await begun(
    session,
    `${beginTurn({ ...options, timeoutMs })}; ${clockAndOwn(options.table, height)}`,
    timeoutMs + 2 * options.turnMs,
  );
  const row: Readonly<Record<string, string | null>> = results.at(-1)?.rows[0] ?? {};
  const { timeline: text, own } = row;
  const timeline = timelineOf(text);
  const turn = new PostgresTurn(session, options, { blocks: [], now: 0, timeline });
  try {
    checkTimeline(timeline, options.timelines, session);
  } catch (thrown) {
    await turn.giveBack();
    throw thrown;
  }
  if (!(await turn.end())) {
    throw new LogUnavailable("whether what the log has is certain could not be found out");
  }
  return own ?? undefined;
}

export class PostgresTurn implements Turn {
  readonly blocks: readonly Block[];
  readonly now: number;
  readonly #session: EngineSession;
  readonly #options: TurnOptions;
  readonly #timeline: number;
  readonly #beganMs: number;

  constructor(
    session: EngineSession,
    options: TurnOptions,
    read: { readonly blocks: readonly Block[]; readonly now: number; readonly timeline: number },
  ) {
    this.#session = session;
    this.#options = options;
    this.blocks = read.blocks;
    this.now = read.now;
    this.#timeline = read.timeline;
    this.#beganMs = options.time.nowMs();
  }

  async append(block: Block): Promise<Appended> {
    const { table, time, turnMs } = this.#options;
    if (time.nowMs() - this.#beganMs >= turnMs) {
      await this.giveBack();
      return { kind: "conflict", reason: "the turn's time was up before the block was sent" };
    }
    const appended = await this.#append(`${inserting(table, block)}; COMMIT`);
    const ended =
      appended === "no row"
        ? await this.#withoutRow({ height: block.header.sn - 1, id: block.header.previous })
        : appended.kind === "certain"
          ? this.#certain()
          : appended;
    this.#note(ended.kind);
    return ended;
  }

  async end(): Promise<boolean> {
    let isEnded = false;
    try {
      isEnded = isCertain(await this.#session.queryInTransaction(BARRIER, this.#patienceMs));
    } catch {
      // The barrier makes nothing certain.
    }
    if (isEnded) {
      isEnded = this.#certain().kind === "certain";
    } else {
      this.#session.drop();
    }
    this.#note(isEnded ? "barrier" : "uncertain");
    return isEnded;
  }

  async giveBack(): Promise<void> {
    try {
      await this.#session.queryInTransaction("ROLLBACK", this.#options.turnMs);
    } catch {
      // The session has ended.
    }
    this.#note("givenBack");
  }

  async probe(block: Block): Promise<EngineTrouble | undefined> {
    const { table, turnMs } = this.#options;
    // Constraints that wait for COMMIT are checked as well.
    const text = `${inserting(table, block)}; SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK`;
    try {
      const [inserted] = await this.#session.queryInTransaction(text, 2 * turnMs);
      return inserted?.count === 0 ? NOT_KEPT : undefined;
    } catch (thrown) {
      const ended = failed(thrown as Error);
      if (ended.kind === "refused") {
        return ended;
      }
      throw new LogUnavailable((thrown as Error).message, { cause: thrown });
    } finally {
      this.#note("givenBack");
    }
  }

  /**
   * A conflict if the log has grown after `before`; otherwise the engine dropped the row, as by a
   * trigger or a rule.
   */
  async #withoutRow(before: BlockPlace): Promise<Appended> {
    const { table, turnMs } = this.#options;
    const read = `SELECT ${idAt(table, before.height)} AS before, ${idAt(table, before.height + 1)} AS own`;
    try {
      const [found] = await this.#session.query(read, turnMs);
      const { before: id, own } = found?.rows[0] ?? {};
      if (own === null && (id === before.id || before.height < 0)) {
        return { kind: "refused", ...NOT_KEPT };
      }
    } catch {}
    return { kind: "conflict", reason: "another block is the newest one of the log" };
  }

  /**
   * A replaced engine that waits for no standby acknowledges commits that its successor never gets.
   */
  #certain(): Appended {
    const { timelines } = this.#options;
    try {
      checkTimeline(this.#timeline, timelines, this.#session);
    } catch (thrown) {
      return { kind: "doubt", reason: (thrown as Error).message };
    }
    timelines.remember(this.#timeline);
    return { kind: "certain" };
  }

  async #append(text: string): Promise<Appended | "no row"> {
    let results: readonly EngineResult[];
    try {
      results = await this.#session.queryInTransaction(text, this.#patienceMs);
    } catch (thrown) {
      return failed(thrown as Error);
    }
    const [inserted, committed] = results;
    if (inserted?.command !== "INSERT" || committed === undefined || results.length !== 2) {
      this.#session.drop();
      return { kind: "doubt", reason: "the engine's answer is not that to INSERT and COMMIT" };
    }
    if (committed.command === "ROLLBACK") {
      return { kind: "conflict", reason: "the engine has rolled the transaction back" };
    }
    if (!isCertain(results)) {
      this.#session.drop();
      const warning = results.flatMap(({ warnings }) => warnings)[0];
      return { kind: "doubt", reason: warning?.message ?? `COMMIT has ${committed.command}` };
    }
    return inserted.count === 1 ? { kind: "certain" } : "no row";
  }

  /** COMMIT waits as long as its standby is away. */
  get #patienceMs(): number {
    return PATIENCE_TURNS * this.#options.turnMs;
  }

  #note(kind: TurnMeasured["kind"]): void {
    this.#options.onEnd({ kind, lengthMs: this.#options.time.nowMs() - this.#beganMs });
  }
}

/** Turns without a reply to COMMIT. */
const PATIENCE_TURNS = 6;

function failed(thrown: Error): Appended {
  const isWithoutEffect =
    // The session had ended before.
    thrown instanceof EngineUnavailable ||
    (thrown instanceof EngineRefusal && !thrown.isFatal && WITHOUT_EFFECT.test(thrown.code));
  if (isWithoutEffect && thrown instanceof EngineRefusal && !OF_OTHERS.test(thrown.code)) {
    return { kind: "refused", code: thrown.code, reason: thrown.message };
  }
  return { kind: isWithoutEffect ? "conflict" : "doubt", reason: thrown.message };
}

const NOT_KEPT: EngineTrouble = {
  code: ROW_DROPPED,
  reason:
    "the engine has reported no error, but has not kept the row: remove the triggers and rules of the table block",
};

/** Only if the previous block is there. */
function inserting(table: string, block: Block): string {
  const { sn: height, previous } = block.header;
  const follows =
    height === 0
      ? `NOT EXISTS (SELECT FROM ${table})`
      : `EXISTS (SELECT FROM ${table} WHERE height = ${height} - 1 AND id = ${literal(previous)})`;
  return `INSERT INTO ${table} (${BLOCK_COLUMNS}) SELECT ${blockValues(block)} WHERE ${follows}`;
}

/** The lock in a statement of its own: otherwise later ones would not see the holder's commit. */
function beginTurn({
  table,
  turnMs,
  timeoutMs,
  hasTransactionTimeout,
}: TurnOptions & { readonly timeoutMs: number }): string {
  const ms = (name: string, value: number): string => `SET LOCAL ${name} = ${Math.ceil(value)}`;
  return [
    BEGIN_DURABLE,
    ms("lock_timeout", Math.max(timeoutMs, 1)),
    ms("idle_in_transaction_session_timeout", turnMs),
    ms("tcp_user_timeout", turnMs),
    ...(hasTransactionTimeout() ? [ms("transaction_timeout", timeoutMs + turnMs)] : []),
    `SELECT pg_advisory_xact_lock(${turnNumber(table)})`,
  ].join("; ");
}

/** Two schemas in one database have two turns. */
export function turnNumber(table: string): string {
  return `${literal(table)}::regclass::oid::bigint`;
}

/** The engine's clock and timeline, and the id of the log's block at a height. */
function clockAndOwn(table: string, height: number): string {
  return `SELECT extract(epoch from clock_timestamp()) AS now, ${TIMELINE} AS timeline, ${idAt(table, height)} AS own`;
}

/** The node continues to follow while it waits for the append lock. */
function newest(table: string, height: number): string {
  return readingBlocks(table, {
    where: `height > ${height}`,
    order: "newest first",
    rowsMax: BLOCKS_IN_TURN,
    bytesMax: BYTES_IN_TURN,
  });
}

async function begun(
  session: EngineSession,
  text: string,
  timeoutMs: number,
): Promise<readonly EngineResult[]> {
  let results: readonly EngineResult[];
  try {
    results = await session.query(text, timeoutMs);
  } catch (thrown) {
    throw new LogUnavailable((thrown as Error).message, { cause: thrown });
  }
  if (results.some(({ warnings }) => warnings.length > 0)) {
    session.drop();
    throw new LogUnavailable("the engine has begun the turn with a warning");
  }
  return results;
}

/**
 * Rejects an engine older than the newest known one, and drops its connection. Source: cluster §6.
 */
export function checkTimeline(
  timeline: number,
  { highest }: Pick<Timelines, "highest">,
  session: Pick<EngineSession, "drop">,
): void {
  if (timeline < highest) {
    session.drop();
    throw new LogUnavailable(
      `the engine is on timeline ${timeline}, but the log continues on timeline ${highest}: it is a primary that was replaced`,
    );
  }
}

function blocksBehind(place: BlockPlace, blocks: readonly Block[]): readonly Block[] {
  const known = blocks.find(({ header }) => header.sn === place.height);
  if (known !== undefined && known.id !== place.id) {
    throw new Diverged({ height: place.height, ours: place.id, theirs: known.id });
  }
  const behind = blocks.filter(({ header }) => header.sn > place.height);
  const first = behind[0];
  if (first !== undefined && first.header.sn !== place.height + 1) {
    throw new BehindLog(`the log continues at ${first.header.sn}, this node is at ${place.height}`);
  }
  return behind;
}
