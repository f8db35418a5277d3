import { ServerSession } from "./server-session.ts";
import type { BlockRow, HostedSession, ServerPace, SessionHost } from "./session-host.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A barrier has no row. */
export interface WalRecord {
  readonly row: BlockRow | undefined;
}

/** Its COMMIT is on the primary's disk and waits for the standby. */
interface SyncWaiter {
  readonly position: number;
  /** "cancelled": it is visible all the same, and the engine warns. */
  readonly finish: (outcome: "replicated" | "cancelled") => void;
  readonly session: HostedSession;
}

/** A PostgreSQL server whose disk outlives a crash. Source: cluster §3, §10. */
export class EngineServer implements SessionHost {
  readonly name: string;
  readonly pace: ServerPace;
  /** No client of a server may do this. */
  readonly onMisuse: (what: string) => void;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly sessions: Set<ServerSession> = new Set();
  /** In order; the first one has the turn. */
  readonly turnQueue: HostedSession[] = [];
  readonly wal: WalRecord[] = [];
  /** Visible to all sessions. */
  readonly rows: Map<number, BlockRow> = new Map();
  timeline = 1;
  role: "primary" | "standby" = "primary";
  isRunning = true;
  clockOffsetMs = 0;
  isFull = false;
  /** Of role, database and server; changed at once, as after a reload. */
  settings: ReadonlyMap<string, string> = new Map();
  /** COMMIT waits for it; for ever if there is none, unless the server stands alone. */
  standby: EngineServer | undefined;
  standsAlone = false;
  isStreaming = true;
  readonly #syncWaiters: Set<SyncWaiter> = new Set();
  /** Distinguishes it from incarnations before a crash. */
  #incarnation = 0;
  #sessionsMade = 0;

  constructor(name: string, parts: Pick<EngineServer, "time" | "trace" | "pace" | "onMisuse">) {
    this.name = name;
    this.onMisuse = parts.onMisuse;
    this.time = parts.time;
    this.trace = parts.trace;
    this.pace = parts.pace;
  }

  has({ height, id }: Pick<BlockRow, "height" | "id">): boolean {
    return this.wal.some(({ row }) => row?.height === height && row.id === id);
  }

  get newest(): BlockRow | undefined {
    return this.rows.get(this.rows.size - 1);
  }

  /** `onEnd`: the session ends by itself. */
  open(client: string, onEnd: () => void): ServerSession {
    this.#sessionsMade += 1;
    const session = new ServerSession(this, {
      client,
      name: `${this.name}#${this.#sessionsMade}`,
      onEnd: () => {
        this.sessions.delete(session);
        onEnd();
      },
    });
    this.sessions.add(session);
    return session;
  }

  /** After a crash it never resolves. */
  async wait(ms: number): Promise<void> {
    const incarnation = this.#incarnation;
    await new Promise<void>((resolve) => {
      this.time.after(ms, () => {
        if (incarnation === this.#incarnation) {
          resolve();
        }
      });
    });
  }

  /** Resolves when it is visible: "cancelled" if the wait for the standby was given up. */
  async commit(
    row: BlockRow | undefined,
    session: HostedSession,
    waits: boolean,
  ): Promise<"replicated" | "cancelled"> {
    await this.wait(this.pace.flushMs());
    this.wal.push({ row });
    const position = this.wal.length;
    if (this.standsAlone || !waits) {
      this.#show(row);
      if (!this.standsAlone) {
        this.replicate();
      }
      return "replicated";
    }
    const outcome = await new Promise<"replicated" | "cancelled">((finish) => {
      this.#syncWaiters.add({ position, session, finish });
      this.replicate();
    });
    this.#show(row);
    return outcome;
  }

  isWaitingForStandby(session: HostedSession): boolean {
    return [...this.#syncWaiters].some((waiter) => waiter.session === session);
  }

  /** Its commit becomes visible. */
  cancelWait(session: HostedSession): void {
    for (const waiter of this.#syncWaiters) {
      if (waiter.session === session) {
        this.#syncWaiters.delete(waiter);
        waiter.finish("cancelled");
      }
    }
  }

  replicate(): void {
    const { standby } = this;
    if (standby === undefined || !this.#reaches(standby)) {
      return;
    }
    const position = this.wal.length;
    const incarnation = this.#incarnation;
    this.time.after(this.pace.replicationMs(), () => {
      if (
        incarnation !== this.#incarnation ||
        this.standby !== standby ||
        !this.#reaches(standby)
      ) {
        return;
      }
      standby.receive(this.wal.slice(standby.wal.length, position));
      this.time.after(this.pace.replicationMs(), () => {
        if (incarnation === this.#incarnation && this.standby === standby) {
          this.#acknowledged(position);
        }
      });
    });
  }

  receive(records: readonly WalRecord[]): void {
    for (const record of records) {
      this.wal.push(record);
      this.#show(record.row);
    }
  }

  #reaches(standby: EngineServer): boolean {
    return this.isRunning && this.isStreaming && standby.isRunning && standby.role === "standby";
  }

  #acknowledged(position: number): void {
    for (const waiter of this.#syncWaiters) {
      if (waiter.position <= position) {
        this.#syncWaiters.delete(waiter);
        waiter.finish("replicated");
      }
    }
  }

  #show(row: BlockRow | undefined): void {
    if (row !== undefined) {
      this.rows.set(row.height, row);
    }
  }

  /** Records that are not on the disk are lost. */
  crash(): void {
    this.trace.add(this.name, "crashes");
    this.isRunning = false;
    this.#endSessions();
  }

  /** Without notice to their clients. */
  #endSessions(): void {
    this.#incarnation += 1;
    this.#syncWaiters.clear();
    this.turnQueue.length = 0;
    for (const session of this.sessions) {
      session.vanish();
    }
    this.sessions.clear();
  }

  /** Recovery makes all records on the disk visible, whether or not the standby has them. */
  restart(): void {
    this.trace.add(this.name, "starts again");
    this.isRunning = true;
    for (const { row } of this.wal) {
      this.#show(row);
    }
    this.replicate();
  }

  /** On the same timeline. Returns the lost blocks. */
  restoreTo(height: number): readonly BlockRow[] {
    this.crash();
    const first = this.wal.findIndex(({ row }) => row !== undefined && row.height > height);
    const gone = first === -1 ? [] : this.wal.splice(first);
    this.rows.clear();
    this.trace.add(this.name, `is restored to block ${height}`);
    this.restart();
    return gone.flatMap(({ row }) => row ?? []);
  }

  /** Waiting commits succeed, without a warning. */
  standAlone(): void {
    this.trace.add(this.name, "waits for no standby");
    this.standsAlone = true;
    this.#acknowledged(this.wal.length);
  }

  promote(): void {
    this.timeline += 1;
    this.role = "primary";
    this.trace.add(this.name, `is promoted to timeline ${this.timeline}`);
  }

  cloneFrom(primary: EngineServer): void {
    this.trace.add(this.name, `is a new standby of ${primary.name}`);
    this.#endSessions();
    this.wal.length = 0;
    this.rows.clear();
    this.standby = undefined;
    this.standsAlone = false;
    this.role = "standby";
    this.timeline = primary.timeline;
    this.isRunning = true;
    this.receive(primary.wal);
    primary.standby = this;
    primary.standsAlone = false;
    primary.isStreaming = true;
    primary.replicate();
  }
}
