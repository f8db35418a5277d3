import { type BlockPlace, LogUnavailable } from "../block-log.ts";
import { barrierText, isCertain, TIMELINE, timelineOf, timelineText } from "./barrier.ts";
import type { EngineResult } from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";
import { limitedRead } from "./limited-read.ts";
import {
  HEADER_READ,
  hashRead,
  idAt,
  NOTE_LENGTH_READ,
  POSITION_LENGTH_READ,
  SECRET_LENGTH_READ,
} from "./row-bounds.ts";
import { identifier, literal } from "./sql-text.ts";

/** Rejects as `EngineSession.query`. */
export type SendQuery = (text: string, timeoutMs: number) => Promise<readonly EngineResult[]>;

export interface SharedSecret {
  /** Hex. */
  readonly secret: string;
  /** All nodes have had the time to read it: keys may be issued under it. */
  readonly isRipe: boolean;
}

export interface SharedCheckpoint {
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly height: number;
  readonly note: string;
  /** A line each, newest first. */
  readonly keys: string;
}

export interface SeenCheckpoint {
  /** Certain; undefined before the first. */
  readonly newest: SharedCheckpoint | undefined;
  /** Of the log's block at its height, JSON. */
  readonly header: string | undefined;
  readonly isDue: boolean;
}

export interface Lease {
  readonly name: string;
  /** Another one whenever another node takes it. */
  readonly number: number;
}

export interface LeaseState {
  readonly name: string;
  /** Undefined if another node has it. */
  readonly number: number | undefined;
  /** Ms. */
  readonly leftMs: number;
}

export interface LeaseStates {
  readonly timeline: number;
  readonly states: readonly LeaseState[];
}

/** `url` is for operators. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
}

export interface SharedWebhook {
  /**
   * The newest transaction that was delivered or not meant for it; `""` before the first, undefined
   * before it begins.
   */
  readonly after: string | undefined;
  readonly logHeight: number;
}

export interface WebhookMove {
  readonly from: string;
  readonly to: string;
  readonly block: BlockPlace | undefined;
  readonly lease: Lease;
}

export interface KnownNode {
  readonly id: string;
  /** Newest version of the rules. */
  readonly rules: number;
}

/** All nodes read secrets every minute. */
const RIPE_AFTER = "interval '2 minutes'";
const SIGNED_APART = "interval '1 second'";
const LEASE_LASTS = "interval '30 seconds'";
/** Nodes not seen for so long have ended. */
const GONE_AFTER = "interval '5 minutes'";
const FORGOTTEN_AFTER = "interval '1 day'";
/** A later lease or checkpoint does not come from this clock and is ignored. */
const AHEAD_MOST = "interval '1 minute'";
/** Numbers of leases are exact in JavaScript below it, until 2255. */
const LEASE_NUMBER_END = "9007199254740992";
const NODES_READ = 100;
const NODE_ID_LENGTH_READ = 64;

const IS_DUE = `signed_at NOT BETWEEN clock_timestamp() - ${SIGNED_APART} AND clock_timestamp() + ${AHEAD_MOST}`;

/** Of a message without a wait, ms; and of one that waits for the standby. */
const ANSWER_MS = 5000;
const COMMIT_MS = 15_000;
/** After so long a wait of a commit, the standby is away. */
const LONG_WAIT = "interval '10 seconds'";
/**
 * An abandoned wait for the standby holds its row: waiting no longer leaves only one session at the
 * engine.
 */
const ROW_WAITS = "SET LOCAL lock_timeout = 1000";

export interface RowTimelines {
  /** Throws `LogUnavailable` if this node knows the engine's successor. */
  check(timeline: number): void;
  remember(timeline: number): void;
}

const ANY_TIMELINE: RowTimelines = { check: () => undefined, remember: () => undefined };

/**
 * Rows that all nodes share beside the blocks, in the engine's time. Methods reject while no engine
 * can be reached. Source: cluster §2, §7.
 */
export class SharedRows {
  readonly #send: SendQuery;
  readonly #schema: string;
  readonly #timelines: RowTimelines;

  constructor(send: SendQuery, schema: string, timelines: RowTimelines = ANY_TIMELINE) {
    this.#send = send;
    this.#schema = identifier(schema);
    this.#timelines = timelines;
  }

  /** Newest first. The very first needs no time to ripen. Source: cluster §2. */
  async secrets(): Promise<readonly SharedSecret[]> {
    const rows = await this.#rows(
      `SELECT left(secret, ${SECRET_LENGTH_READ}) AS secret, made_at + ${RIPE_AFTER} <= clock_timestamp() OR number = (SELECT min(number) FROM ${this.#schema}.secret) AS is_ripe FROM ${this.#schema}.secret ORDER BY number DESC LIMIT 3`,
    );
    return rows.map(({ secret, is_ripe: isRipe }) => ({
      secret: secret ?? "",
      isRipe: isRipe === "t",
    }));
  }

  /**
   * Stores the first secret of a copied chain. Nodes wait for each other, because none sees
   * another's before its commit.
   */
  async beginSecrets(secret: string): Promise<void> {
    await this.#send(
      [
        ...[BEGIN_DURABLE, ROW_WAITS],
        `LOCK TABLE ${this.#schema}.secret IN SHARE ROW EXCLUSIVE MODE`,
        `INSERT INTO ${this.#schema}.secret (secret) SELECT ${literal(secret)} WHERE NOT EXISTS (SELECT FROM ${this.#schema}.secret)`,
        "COMMIT",
      ].join("; "),
      COMMIT_MS,
    );
  }

  /**
   * Unchecked. If its size differs from the caller's (0 for none), it is made certain first.
   * Source: cluster §7.
   */
  async checkpoint(knownSize: number): Promise<SeenCheckpoint> {
    const [row] = await this.#rows(
      `SELECT size, ${hashRead("root")} AS root, height, left(note, ${NOTE_LENGTH_READ}) AS note, left(keys, ${NOTE_LENGTH_READ}) AS keys, ${IS_DUE} AS is_due, (SELECT ${HEADER_READ} FROM ${this.#schema}.block WHERE height = signed.height) AS header FROM ${this.#schema}.checkpoint AS signed`,
    );
    if (row === undefined) {
      return { newest: undefined, header: undefined, isDue: true };
    }
    const newest: SharedCheckpoint = {
      size: Number(row["size"]),
      root: row["root"] ?? "",
      height: Number(row["height"]),
      note: row["note"] ?? "",
      keys: row["keys"] ?? "",
    };
    if (newest.size !== knownSize) {
      await this.#refuseWithoutStandby();
      const results = await this.#send(barrierText(), COMMIT_MS);
      this.#timelines.check(timelineOf(results.at(-3)?.rows[0]?.["timeline"]));
      if (!isCertain(results)) {
        throw new LogUnavailable("whether the newest checkpoint lasts is not certain");
      }
    }
    return { newest, header: row["header"] ?? undefined, isDue: row["is_due"] === "t" };
  }

  /**
   * Replaces the checkpoint if its size is still `from` (0 for none), it is a second old, and the
   * log, which may have been restored, has the new one's block. The note may leave the process only
   * on true. Source: cluster §7.
   */
  async advanceCheckpoint(from: number, to: SharedCheckpoint, blockId: string): Promise<boolean> {
    const isInLog = `EXISTS (SELECT FROM ${this.#schema}.block WHERE height = ${to.height} AND id = ${literal(blockId)})`;
    const texts = [to.note, to.keys].map(literal).join(", ");
    const values = `${to.size}, ${literal(to.root)}, ${to.height}, ${texts}, clock_timestamp()`;
    const table = `${this.#schema}.checkpoint`;
    const columns = "(size, root, height, note, keys, signed_at)";
    return await this.#change(
      from === 0
        ? `INSERT INTO ${table} ${columns} SELECT ${values} WHERE ${isInLog} ON CONFLICT DO NOTHING`
        : `UPDATE ${table} SET ${columns} = (${values}) WHERE size = ${from} AND size < ${to.size} AND ${IS_DUE} AND ${isInLog}`,
    );
  }

  /**
   * Takes or renews leases that are free or this node's own, certainly. On another timeline than
   * `settled`, only `held` leases are renewed: the engine's data may be outdated.
   * Source: cluster §7.
   */
  async takeLeases(
    node: string,
    names: readonly string[],
    { settled, held }: { readonly settled: number; readonly held: readonly Lease[] },
  ): Promise<LeaseStates> {
    const holder = literal(node);
    const numbers = held.map(({ number }) => number).join(", ");
    const mayTake = `(${TIMELINE} = ${literal(timelineText(settled))} OR known.holder = ${holder} AND known.number = ANY (ARRAY[${numbers}]::bigint[]))`;
    const table = `${this.#schema}.lease`;
    // By time: no number occurs twice after a failover.
    const next = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";
    // In one order, against deadlocks.
    const list = names.toSorted().map(literal).join(", ");
    const committed = await this.#synchronously(ANSWER_MS, [
      `INSERT INTO ${table} AS held (name, number, holder, until) SELECT name, ${next}, ${holder}, clock_timestamp() + ${LEASE_LASTS} FROM unnest(ARRAY[${list}]::text[]) AS wanted (name) LEFT JOIN ${table} AS known USING (name) WHERE ${mayTake} ON CONFLICT (name) DO UPDATE SET number = CASE WHEN held.number >= ${LEASE_NUMBER_END} THEN ${next} WHEN held.holder = ${holder} THEN held.number ELSE greatest(held.number + 1, ${next}) END, holder = ${holder}, until = excluded.until WHERE held.holder = ${holder} OR held.until NOT BETWEEN clock_timestamp() AND clock_timestamp() + ${AHEAD_MOST}`,
      `SELECT name, number, holder = ${holder} AND ${mayTake} AS is_own, extract(epoch from least(greatest(until, clock_timestamp()), clock_timestamp() + ${LEASE_LASTS}) - clock_timestamp()) * 1000 AS left_ms FROM ${table} AS known WHERE name IN (${list}) ORDER BY name COLLATE "C"`,
    ]);
    if (!committed.isCertain) {
      throw new LogUnavailable("who has the leases is not certain");
    }
    return {
      timeline: committed.timeline,
      states: (committed.results.at(-2)?.rows ?? []).map((row) => ({
        name: row["name"] ?? "",
        number: row["is_own"] === "t" ? Number(row["number"]) : undefined,
        leftMs: Math.max(0, Number(row["left_ms"])),
      })),
    };
  }

  async giveUpLeases(node: string): Promise<void> {
    await this.#locally(
      `UPDATE ${this.#schema}.lease SET until = clock_timestamp() - interval '1 second' WHERE holder = ${literal(node)}`,
    );
  }

  /** The position of a webhook, and the newest block of the log. */
  async webhook(id: string): Promise<SharedWebhook> {
    const [row] = await this.#rows(
      `SELECT (SELECT left(after, ${POSITION_LENGTH_READ}) FROM ${this.#schema}.webhook WHERE id = ${literal(id)}) AS after, (SELECT max(height) FROM ${this.#schema}.block) AS height`,
    );
    return { after: row?.["after"] ?? undefined, logHeight: Number(row?.["height"] ?? -1) };
  }

  /**
   * Stores a webhook's first position, certainly: a failover that lost it would skip transactions.
   * Source: cluster §7.
   */
  async beginWebhook({ id, url }: WebhookRow, after: string): Promise<void> {
    const committed = await this.#synchronously(COMMIT_MS, [
      `INSERT INTO ${this.#schema}.webhook (id, url, after) VALUES (${[id, url, after].map(literal).join(", ")}) ON CONFLICT DO NOTHING`,
    ]);
    if (!committed.isCertain) {
      throw new LogUnavailable("where a webhook begins is not certain");
    }
  }

  /**
   * Moves a webhook's position if this node has its lease with that number, `from` is current, and
   * the log, which may have been restored, has the new block. Source: cluster §7.
   */
  async moveWebhook({ id, url }: WebhookRow, move: WebhookMove): Promise<boolean> {
    const { block, lease } = move;
    const { name, number } = lease;
    const isInLog =
      block === undefined
        ? "true"
        : `${idAt(`${this.#schema}.block`, block.height)} = ${literal(block.id)}`;
    const hasLease = `EXISTS (SELECT FROM ${this.#schema}.lease WHERE name = ${literal(name)} AND number = ${number})`;
    const results = await this.#locally(
      `UPDATE ${this.#schema}.webhook SET url = ${literal(url)}, after = ${literal(move.to)} WHERE id = ${literal(id)} AND left(after, ${POSITION_LENGTH_READ}) = ${literal(move.from)} AND ${hasLease} AND ${isInLog}`,
    );
    return results.at(-2)?.count === 1;
  }

  /** To be repeated every minute. Source: cluster §2. */
  async noteNode({ id, rules }: KnownNode): Promise<void> {
    const table = `${this.#schema}.node`;
    await this.#locally(
      `INSERT INTO ${table} (id, rules, seen_at) VALUES (${literal(id)}, ${rules}, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, seen_at = excluded.seen_at`,
      `DELETE FROM ${table} WHERE seen_at NOT BETWEEN clock_timestamp() - ${FORGOTTEN_AFTER} AND clock_timestamp() + ${FORGOTTEN_AFTER}`,
    );
  }

  async forgetNode(id: string): Promise<void> {
    await this.#locally(`DELETE FROM ${this.#schema}.node WHERE id = ${literal(id)}`);
  }

  /**
   * Nodes seen within 5 minutes without a version of the rules, at most 100. Source: cluster §2.
   */
  async nodesWithout(version: number): Promise<readonly KnownNode[]> {
    const rows = await this.#rows(
      `SELECT left(id, ${NODE_ID_LENGTH_READ}) AS id, rules FROM ${this.#schema}.node WHERE seen_at > clock_timestamp() - ${GONE_AFTER} AND rules < ${version} ORDER BY id LIMIT ${NODES_READ}`,
    );
    return rows.map(({ id, rules }) => ({ id: id ?? "", rules: Number(rules) }));
  }

  /** For rows that a failover may set back without harm: does not wait for the standby. */
  async #locally(...statements: readonly string[]): Promise<readonly EngineResult[]> {
    const local = "SET LOCAL synchronous_commit = local";
    return await this.#send(
      [BEGIN_DURABLE, local, ROW_WAITS, ...statements, "COMMIT"].join("; "),
      ANSWER_MS,
    );
  }

  async #rows(text: string): Promise<EngineResult["rows"]> {
    return (await limitedRead(this.#send, text, ANSWER_MS))[0]?.rows ?? [];
  }

  /**
   * Rejects while commits wait for the standby: each given-up wait leaves a session at the engine.
   */
  async #refuseWithoutStandby(): Promise<void> {
    const [row] = await this.#rows(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep' AND query_start < clock_timestamp() - ${LONG_WAIT}) AS is_away`,
    );
    if (row?.["is_away"] === "t") {
      throw new LogUnavailable("commits wait for a standby that does not answer");
    }
  }

  async #change(statement: string): Promise<boolean> {
    const committed = await this.#synchronously(COMMIT_MS, [statement]);
    return committed.isCertain && committed.results.at(-2)?.count === 1;
  }

  /** As blocks are committed. Rejects if the engine has been replaced. Source: cluster §3. */
  async #synchronously(timeoutMs: number, statements: readonly string[]): Promise<Committed> {
    const begun = [BEGIN_DURABLE, ROW_WAITS, `SELECT ${TIMELINE} AS timeline`];
    const results = await this.#send([...begun, ...statements, "COMMIT"].join("; "), timeoutMs);
    const [known] = results.slice(-2 - statements.length);
    const timeline = timelineOf(known?.rows[0]?.["timeline"]);
    this.#timelines.check(timeline);
    if (isCertain(results)) {
      this.#timelines.remember(timeline);
    }
    return { results, timeline, isCertain: isCertain(results) };
  }
}

interface Committed {
  /** Those of the statements, then that of COMMIT. */
  readonly results: readonly EngineResult[];
  readonly timeline: number;
  readonly isCertain: boolean;
}
