import type { Block } from "@moneta/protocol";
import { InvalidBlock } from "../../chain/invalid-block.ts";
import type { Time } from "../../time.ts";
import {
  type BlockLog,
  type BlockPlace,
  Diverged,
  type LogStatus,
  LogUnavailable,
  type SharedLog,
  type Turn,
  type TurnMeasured,
} from "../block-log.ts";
import type { StoredBlock } from "../stored-block.ts";
import { TIMELINE, timelineOf } from "./barrier.ts";
import { blocksOf, readingBlocks } from "./block-rows.ts";
import { Certain } from "./certain.ts";
import { divergence } from "./divergence.ts";
import { resolveDoubt } from "./doubt.ts";
import {
  type Engine,
  type EngineConnection,
  type EngineResult,
  EngineUnavailable,
  type Timelines,
} from "./engine.ts";
import { EngineSession } from "./engine-session.ts";
import { beginRead, type EngineState, engineProblem, stateColumns } from "./engine-settings.ts";
import { limitedRead } from "./limited-read.ts";
import { ID_READ, idAt } from "./row-bounds.ts";
import { SharedRows } from "./shared-rows.ts";
import { identifier, literal } from "./sql-text.ts";
import { StuckHolder } from "./stuck-holder.ts";
import { checkTimeline, type TurnOptions, takeTurn } from "./turn.ts";

const BLOCKS_IN_STEP = 100;
/** Less is read after a step that did not come in time. */
const BYTES_IN_STEP = { most: 4 << 20, least: 1 << 16 } as const;

const ANSWER_MS = 10_000;

/** A notice takes a lock of the whole engine, which another application may hold for long. */
const NOTICE_WAITS = "SET LOCAL lock_timeout = 100";
const NOTICE_PAUSE_MS = 1000;

const TRANSACTION_TIMEOUT_SINCE = 170_000;

export interface PostgresLogOptions {
  readonly copy: BlockLog;
  readonly engine: Engine;
  readonly time: Time;
  readonly timelines: Timelines;
  /** `--log-schema`. */
  readonly schema: string;
  /** `--turn-seconds`, ms. */
  readonly turnMs: number;
  readonly deployment?: "test" | "production";
  /** Checks a new connection; rejects if the node may not use it. */
  readonly checkConnection?: (connection: EngineConnection) => Promise<void>;
}

export class PostgresLog implements SharedLog {
  readonly #copy: BlockLog;
  readonly #engine: Engine;
  readonly #time: Time;
  readonly #timelines: Timelines;
  readonly #remembered: Timelines;
  readonly #table: string;
  readonly #channel: string;
  readonly #turnSession: EngineSession;
  readonly #readSession: EngineSession;
  readonly rows: SharedRows;
  readonly #turnOptions: TurnOptions;
  readonly #holder: StuckHolder;
  readonly #certain: Certain;
  #unsaid: BlockPlace | undefined;
  #isSaying = false;
  #isClosed = false;
  #onNews: () => void = () => undefined;
  #heardMs: number | undefined;
  #clockOffsetMs: number | undefined;
  #engineMs: number | undefined;
  #turns: TurnMeasured[] = [];
  #waitMs = 0;
  #version = 0;
  readonly #stateColumns: string;
  readonly #deployment: "test" | "production";
  #unfit: string | undefined;
  #stepBytes: number = BYTES_IN_STEP.most;

  constructor(options: PostgresLogOptions) {
    const { engine, time, turnMs, schema } = options;
    this.#copy = options.copy;
    this.#engine = engine;
    this.#time = time;
    const log = this;
    const timelines: Timelines = {
      // A primary that one connection has met counts for the other: an idle one does not notice
      // that its engine was replaced.
      get highest() {
        const sessions = [log.#turnSession, log.#readSession];
        return Math.max(options.timelines.highest, ...sessions.map(({ timeline }) => timeline));
      },
      remember: (timeline) => options.timelines.remember(timeline),
    };
    this.#timelines = timelines;
    this.#remembered = options.timelines;
    this.#table = `${identifier(schema)}.${identifier("block")}`;
    this.#channel = identifier(`${schema}.block`);
    const onAnswer = (): void => {
      this.#heardMs = time.nowMs();
    };
    this.#stateColumns = stateColumns(schema);
    this.#deployment = options.deployment ?? "test";
    const check = async (
      connection: EngineConnection,
    ): Promise<{ readonly timeline: number; readonly problem: string | undefined }> => {
      const [, known, newest] = await connection.query(
        `${beginRead(ANSWER_MS)}; SELECT ${this.#stateColumns}; SELECT ${TIMELINE} AS timeline`,
      );
      const state = known?.rows[0] ?? {};
      this.#version = Number(state["server_version_num"]);
      await options.checkConnection?.(connection);
      return {
        timeline: timelineOf(newest?.rows[0]?.["timeline"]),
        problem: engineProblem(state, this.#deployment),
      };
    };
    this.#turnSession = new EngineSession({
      engine,
      time,
      onAnswer,
      onConnected: async (connection) => {
        const { timeline, problem } = await check(connection);
        if (problem !== undefined) {
          // A session keeps the settings that its role had when it began.
          this.#unfit = problem;
          this.#readSession.drop();
          throw new EngineUnavailable(problem);
        }
        // At an older one a barrier may wait for minutes.
        this.#leaveOlder(timeline);
        return timeline;
      },
    });
    this.#readSession = new EngineSession({
      engine,
      time,
      onAnswer,
      onConnected: async (connection) => {
        const { timeline } = await check(connection);
        // Behind a pooler another client would get this session's notices.
        if (connection.isPooled !== true) {
          await connection.query(`LISTEN ${this.#channel}`);
        }
        return timeline;
      },
      onNotification: (payload) => this.#takeNotice(payload),
    });
    this.#turnOptions = {
      table: this.#table,
      time,
      turnMs,
      timelines,
      hasTransactionTimeout: () => this.#version >= TRANSACTION_TIMEOUT_SINCE,
      onEnd: ({ kind, lengthMs }) => {
        this.#turns.push({ waitMs: this.#waitMs, lengthMs, kind });
      },
    };
    const session = this.#readSession;
    this.rows = new SharedRows((text, timeoutMs) => session.query(text, timeoutMs), schema, {
      check: (timeline) => checkTimeline(timeline, timelines, session),
      remember: (timeline) => timelines.remember(timeline),
    });
    this.#holder = new StuckHolder({ session, time, turnMs, table: this.#table });
    this.#certain = new Certain({ session, time, timelines });
  }

  /** `look` gets the connection. Rejects while no engine can be reached. */
  async check<T>(look: (connection: Pick<EngineConnection, "query">) => Promise<T>): Promise<T> {
    await this.#leaveReplaced();
    return await look({ query: (text) => this.#readSession.query(text, ANSWER_MS) });
  }

  /**
   * Drops connections if a reachable primary has a higher timeline. Nothing is sent over them: a
   * barrier may wait there for long. Source: cluster §6.
   */
  async #leaveReplaced(): Promise<void> {
    const best = await this.#engine.connect({ timeoutMs: ANSWER_MS }).catch(unlessUnavailable);
    if (best === undefined) {
      return;
    }
    const timer = this.#time.after(ANSWER_MS, () => best.end());
    try {
      const [found] = await best.query(`SELECT ${TIMELINE} AS timeline`);
      this.#leaveOlder(timelineOf(found?.rows[0]?.["timeline"]));
    } finally {
      timer.cancel();
      best.end();
    }
  }

  #leaveOlder(timeline: number): void {
    for (const session of [this.#readSession, this.#turnSession]) {
      if (session.timeline > 0 && session.timeline < timeline) {
        session.drop();
      }
    }
  }

  get status(): LogStatus {
    const { highest: timeline, unkept } = this.#remembered;
    return {
      ...{ heardMs: this.#heardMs, clockOffsetMs: this.#clockOffsetMs, engineMs: this.#engineMs },
      ...{ timeline, unkept, unfit: this.#unfit },
    };
  }

  takeTurns(): readonly TurnMeasured[] {
    const turns = this.#turns;
    this.#turns = [];
    return turns;
  }

  onNews(call: () => void): void {
    this.#onNews = call;
  }

  async turn(options: {
    readonly place: () => BlockPlace;
    readonly timeoutMs: number;
  }): Promise<Turn> {
    const turn = await this.#waiting(() =>
      takeTurn(this.#turnSession, { ...this.#turnOptions, ...options }),
    ).catch(async (thrown: unknown) => {
      if (thrown instanceof Diverged) {
        // The two connections may be at different engines.
        this.#turnSession.drop();
        // Blocks read under the append lock are not certain.
        await this.#checkOwn(options.place(), undefined);
      }
      throw thrown;
    });
    return {
      blocks: turn.blocks,
      now: turn.now,
      append: async (block) => {
        const appended = await turn.append(block);
        if (appended.kind === "certain") {
          this.#publish({ height: block.header.sn, id: block.id });
        }
        return appended;
      },
      end: async () => {
        const isEnded = await turn.end();
        const newest = turn.blocks.at(-1);
        if (isEnded && newest !== undefined) {
          this.#certain.note({ height: newest.header.sn, id: newest.id });
        }
        return isEnded;
      },
      giveBack: () => turn.giveBack(),
      probe: (block) => turn.probe(block),
    };
  }

  async settle(doubted: BlockPlace): Promise<"appended" | "absent"> {
    const timeoutMs = ANSWER_MS;
    const settled = await this.#waiting(() =>
      resolveDoubt(this.#turnSession, doubted, { ...this.#turnOptions, timeoutMs }),
    );
    if (settled === "appended") {
      this.#publish(doubted);
    }
    return settled;
  }

  async next(place: BlockPlace): Promise<readonly Block[]> {
    const certain = this.#certain.newest;
    if (certain === undefined || certain.height <= place.height) {
      return [];
    }
    const [known, rows] = await this.#readStep(
      `SELECT ${TIMELINE} AS timeline, ${this.#idAt(place.height)} AS own, ${this.#idAt(certain.height)} AS certain`,
      { behind: place.height, upTo: certain.height },
    );
    const { timeline: text, own, certain: id } = known.rows[0] as Row;
    const timeline = timelineOf(text);
    checkTimeline(timeline, this.#timelines, this.#readSession);
    await this.#checkOwn(place, own);
    if (id !== certain.id) {
      this.#certain.forget();
      throw new LogUnavailable(`the log lacks the block ${certain.id}, which was certain`);
    }
    this.#timelines.remember(timeline);
    return blocksOf(rows);
  }

  async look(place: BlockPlace): Promise<BlockPlace> {
    let sent = { wallMs: 0, nowMs: 0 };
    const [known] = (await this.#read(
      `SELECT extract(epoch from clock_timestamp()) AS now, ${TIMELINE} AS timeline, ${this.#idAt(place.height)} AS own, newest.height, newest.id, state.* FROM (SELECT 1) AS one LEFT JOIN (SELECT height, ${ID_READ} AS id FROM ${this.#table} ORDER BY height DESC LIMIT 1) AS newest ON true, (SELECT ${this.#stateColumns}) AS state`,
      () => {
        sent = { wallMs: this.#time.wallMs(), nowMs: this.#time.nowMs() };
      },
    )) as [EngineResult];
    const row = known.rows[0] as Row;
    const { now, timeline, own, height, id } = row;
    this.#noteState(row);
    checkTimeline(timelineOf(timeline), this.#timelines, this.#readSession);
    this.#clockOffsetMs = Number(now) * 1000 - (sent.wallMs + this.#time.wallMs()) / 2;
    this.#engineMs = Number(now) * 1000 - (sent.nowMs + this.#time.nowMs()) / 2;
    await this.#checkOwn(place, own);
    if (height === null || height === undefined) {
      return place;
    }
    const newest: BlockPlace = { height: Number(height), id: id as string };
    if (!Number.isSafeInteger(newest.height)) {
      throw new InvalidBlock({ height: place.height + 1 }, `the log continues at ${height}`);
    }
    if (newest.height > place.height) {
      await this.#certain.confirm(newest);
      this.#onNews();
    }
    return newest;
  }

  close(): void {
    this.#isClosed = true;
    this.#turnSession.close();
    this.#readSession.close();
  }

  append(block: Block): StoredBlock {
    return this.#copy.append(block);
  }

  block(height: number): Block | undefined {
    return this.#copy.block(height);
  }

  operation(height: number, position: number): string | undefined {
    return this.#copy.operation(height, position);
  }

  get firstKept(): number {
    return this.#copy.firstKept;
  }

  size(height: number): number | undefined {
    return this.#copy.size(height);
  }

  read(fromHeight: number): Iterable<Block> {
    return this.#copy.read(fromHeight);
  }

  height(): number {
    return this.#copy.height();
  }

  /** Ends a session that holds the turn too long. */
  async #waiting<T>(take: () => Promise<T>): Promise<T> {
    const watch = this.#holder.watch();
    const since = this.#time.nowMs();
    try {
      return await take();
    } finally {
      this.#waitMs = this.#time.nowMs() - since;
      watch.end();
    }
  }

  /** Nodes that miss it look once a second. */
  #publish(place: BlockPlace): void {
    this.#certain.note(place);
    this.#unsaid = place;
    if (!this.#isSaying) {
      this.#isSaying = true;
      void this.#sayAll();
    }
  }

  /** Only the newest, so that none gather while they take long. */
  async #sayAll(): Promise<void> {
    while (this.#unsaid !== undefined && !this.#isClosed) {
      const { height, id } = this.#unsaid;
      this.#unsaid = undefined;
      // Outside of any transaction. Source: cluster §3.
      const notify = `NOTIFY ${this.#channel}, ${literal(`${height} ${id}`)}`;
      try {
        await this.#readSession.query(`${NOTICE_WAITS}; ${notify}`, ANSWER_MS);
      } catch {
        if (!this.#isClosed) {
          await new Promise<void>((resolve) => void this.#time.after(NOTICE_PAUSE_MS, resolve));
        }
      }
    }
    this.#isSaying = false;
  }

  #takeNotice(payload: string): void {
    const [height, id] = payload.split(" ");
    if (height !== undefined && id !== undefined && /^(0|[1-9][0-9]{0,14})$/.test(height)) {
      this.#certain.note({ height: Number(height), id });
      this.#onNews();
    }
  }

  async #read(text: string, onSend?: () => void): Promise<readonly EngineResult[]> {
    try {
      const session = this.#readSession;
      return await limitedRead((sent, ms) => session.query(sent, ms, onSend), text, ANSWER_MS);
    } catch (thrown) {
      throw new LogUnavailable((thrown as Error).message, { cause: thrown });
    }
  }

  /** Rejects with `Diverged` if the log, certainly, has another block than this node. */
  async #checkOwn(place: BlockPlace, own: string | null | undefined): Promise<void> {
    if (place.height < 0 || own === place.id) {
      return;
    }
    const diverged = await divergence(this.#copy, place, {
      ids: async (heights) => {
        const results = await this.#read(
          heights.map((height) => `SELECT ${this.#idAt(height)} AS id`).join("; "),
        );
        return results.map(({ rows }) => rows[0]?.["id"] ?? undefined);
      },
      barrier: () => this.#certain.barrier(),
    });
    this.#certain.forget();
    throw diverged ?? new LogUnavailable("the log had another block for a moment");
  }

  /**
   * If the engine is unfit, the next look uses a new connection with the role's new permissions.
   * Source: cluster §2.
   */
  #noteState(state: EngineState): void {
    this.#unfit = engineProblem(state, this.#deployment);
    if (this.#unfit !== undefined) {
      this.#turnSession.drop();
      this.#readSession.drop();
    }
  }

  #idAt(height: number): string {
    return idAt(this.#table, height);
  }

  async #readStep(
    known: string,
    { behind, upTo }: { readonly behind: number; readonly upTo: number },
  ): Promise<[EngineResult, EngineResult]> {
    const step = readingBlocks(this.#table, {
      where: `height > ${behind} AND height <= ${upTo}`,
      order: "oldest first",
      rowsMax: BLOCKS_IN_STEP,
      bytesMax: this.#stepBytes,
    });
    const { least, most } = BYTES_IN_STEP;
    try {
      const results = await this.#read(`${known}; ${step}`);
      this.#stepBytes = Math.min(2 * this.#stepBytes, most);
      return results as [EngineResult, EngineResult];
    } catch (thrown) {
      this.#stepBytes = Math.max(this.#stepBytes / 4, least);
      throw thrown;
    }
  }
}

/** Other connections stay if one cannot be had. */
function unlessUnavailable(thrown: unknown): undefined {
  if (!(thrown instanceof EngineUnavailable)) {
    throw thrown;
  }
}

type Row = Readonly<Record<string, string | null>>;
