import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface BlockRow {
  readonly height: number;
  readonly id: string;
  readonly header: string;
  readonly operations: string;
}

export interface ServerPace {
  /** The last is a message to or from the standby. */
  readonly statementMs: () => number;
  readonly flushMs: () => number;
  readonly replicationMs: () => number;
}

export interface HostedSession {
  readonly name: string;
  readonly insertedHeight: number | undefined;
  grantTurn(): void;
  notify(payload: string): void;
  /** A commit that waits for the standby becomes visible. */
  terminate(why: string): void;
  /** As in a crash, without notice to its client. */
  vanish(): void;
}

export interface SessionHost {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly pace: ServerPace;
  readonly sessions: ReadonlySet<HostedSession>;
  /** In order; the first one has the turn. */
  readonly turnQueue: HostedSession[];
  /** Visible to all sessions. */
  readonly rows: ReadonlyMap<number, BlockRow>;
  readonly timeline: number;
  readonly clockOffsetMs: number;
  /** Of role, database and server. */
  readonly settings: ReadonlyMap<string, string>;
  readonly isFull: boolean;
  /** No client of a server may do this. */
  readonly onMisuse: (what: string) => void;
  /** After a crash it never resolves. */
  wait(ms: number): Promise<void>;
  commit(
    row: BlockRow | undefined,
    session: HostedSession,
    waits: boolean,
  ): Promise<"replicated" | "cancelled">;
  isWaitingForStandby(session: HostedSession): boolean;
  /** Its commit becomes visible. */
  cancelWait(session: HostedSession): void;
}
