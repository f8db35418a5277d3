/**
 * The shared log's interface to PostgreSQL: connections to the primary that send texts of the
 * simple protocol. Source: cluster §3.
 */
export interface Engine {
  /**
   * Rejects with `EngineUnavailable` if no host is the primary in time, with `EngineDenied` if none
   * admits this node.
   */
  connect(options: ConnectOptions): Promise<EngineConnection>;
}

export interface ConnectOptions {
  /** Payloads of NOTIFY on the channels that the connection listens to; none behind a pooler. */
  readonly onNotification?: (payload: string) => void;
  readonly timeoutMs: number;
}

/** One text is one message, sent after the previous reply. */
export interface EngineConnection {
  /**
   * A result for each statement. Rejects with `EngineRefusal`, or `ConnectionLost` before the whole
   * reply.
   */
  query(text: string): Promise<readonly EngineResult[]>;
  readonly hasEnded: boolean;
  /** Whether messages may go over several sessions, where LISTEN is not allowed. */
  readonly isPooled?: boolean;
  end(): void;
}

export interface EngineResult {
  /** Its tag without numbers: "SELECT", "INSERT", "COMMIT". */
  readonly command: string;
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, string | null>>[];
  /** Since the previous result. */
  readonly warnings: readonly EngineWarning[];
}

export interface EngineWarning {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** Those before it in the same message have been executed. */
export class EngineRefusal extends Error {
  override readonly name: string = "EngineRefusal";
  readonly code: string;
  /** Whether it has ended the connection with it. */
  readonly isFatal: boolean;

  constructor(message: string, refused: { readonly code: string; readonly isFatal: boolean }) {
    super(message);
    this.code = refused.code;
    this.isFatal = refused.isFatal;
  }
}

/** Whether the query had an effect is unknown. */
export class ConnectionLost extends Error {
  override readonly name: string = "ConnectionLost";
}

/** Its message has no password. */
export class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
}

/** Waiting does not mend it. Its message has no password. */
export class EngineDenied extends EngineUnavailable {
  override readonly name: string = "EngineDenied";
}

/** In words for the operator. */
export class SchemaProblem extends Error {
  override readonly name: string = "SchemaProblem";
}

/**
 * A primary that was replaced by its standby has a lower timeline than its successor.
 * Source: cluster §6.
 */
export interface Timelines {
  readonly highest: number;
  /** Notes that the log was certain on it, if higher. The next call retries a failed write. */
  remember(timeline: number): void;
  /** Why the highest is not on the disk yet. */
  readonly unkept?: string | undefined;
}
