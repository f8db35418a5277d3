import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A block as the table has it. */
export interface BlockRow {
  readonly height: number;
  readonly id: string;
  readonly header: string;
  readonly operations: string;
}

/** How long things take at a server, ms. */
export interface ServerPace {
  /** A statement, a write to the disk, and a message to or from the standby. */
  readonly statementMs: () => number;
  readonly flushMs: () => number;
  readonly replicationMs: () => number;
}

/** A session, as its server and other sessions see it. */
export interface HostedSession {
  readonly name: string;
  /** The height of a block that it has inserted and not committed. */
  readonly insertedHeight: number | undefined;
  /** Gives it the turn. */
  grantTurn(): void;
  /** Gives it a notification, if it listens. */
  notify(payload: string): void;
  /** Ends it: a commit that waits for the standby becomes visible. */
  terminate(why: string): void;
  /** Ends it as a crash does, without notice to its client. */
  vanish(): void;
}

/** The part of a server that a session uses. */
export interface SessionHost {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly pace: ServerPace;
  readonly sessions: ReadonlySet<HostedSession>;
  /** Whom the turn is given to, in order; the first one has it. */
  readonly turnQueue: HostedSession[];
  /** Rows visible to all sessions. */
  readonly rows: ReadonlyMap<number, BlockRow>;
  readonly timeline: number;
  /** Offset of its clock from the true time, ms. */
  readonly clockOffsetMs: number;
  /** Settings of role, database and server. */
  readonly settings: ReadonlyMap<string, string>;
  /** Whether its disk has no space for another row. */
  readonly isFull: boolean;
  /** Called on actions that no client of a server may do. */
  readonly onMisuse: (what: string) => void;
  /** Waits, unless the server crashes meanwhile: then it never resolves. */
  wait(ms: number): Promise<void>;
  /**
   * Writes a commit to the disk and, if it `waits`, to the standby's. Resolves when it is visible:
   * "cancelled" if the wait was given up.
   */
  commit(
    row: BlockRow | undefined,
    session: HostedSession,
    waits: boolean,
  ): Promise<"replicated" | "cancelled">;
  /** Whether a session's commit waits for the standby. */
  isWaitingForStandby(session: HostedSession): boolean;
  /** Gives up a session's wait for the standby: its commit becomes visible. */
  cancelWait(session: HostedSession): void;
}
