import type { Time } from "../../time.ts";
import type { EngineSession } from "./engine-session.ts";
import { literal } from "./sql-text.ts";
import { turnNumber } from "./turn.ts";

/**
 * Terminates a session that holds the append lock at the end of two waits, unless it waits for the
 * standby. Its node resolves the outcome of its COMMIT like any doubt. Source: cluster §3.
 */
export class StuckHolder {
  readonly #session: EngineSession;
  readonly #time: Time;
  readonly #turnMs: number;
  readonly #holder: string;

  constructor(options: {
    readonly session: EngineSession;
    readonly time: Time;
    readonly turnMs: number;
    readonly table: string;
  }) {
    this.#session = options.session;
    this.#time = options.time;
    this.#turnMs = options.turnMs;
    const number = turnNumber(options.table);
    this.#holder = `pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (l.classid::bigint << 32 | l.objid::bigint) = ${number} AND l.objsubid = 1 AND a.wait_event IS DISTINCT FROM 'SyncRep'`;
  }

  watch(): { end(): void } {
    let hasEnded = false;
    let timer: { cancel(): void } | undefined;
    const look = (seen: string | undefined): void => {
      timer = this.#time.after(this.#turnMs, () => {
        this.#look(seen).then(
          (now) => hasEnded || look(now),
          () => hasEnded || look(undefined),
        );
      });
    };
    look(undefined);
    return {
      end() {
        hasEnded = true;
        timer?.cancel();
      },
    };
  }

  /** Terminates the holder if it is `seen`; returns the current one. */
  async #look(seen: string | undefined): Promise<string | undefined> {
    const who = "a.pid || ' ' || a.xact_start";
    const isSeen = seen === undefined ? "false" : `${who} = ${literal(seen)}`;
    const text = `SELECT ${who} AS who, CASE WHEN ${isSeen} THEN pg_terminate_backend(a.pid) END AS ended FROM ${this.#holder}`;
    const results = await this.#session.query(text, this.#turnMs);
    return results[0]?.rows[0]?.["who"] ?? undefined;
  }
}
