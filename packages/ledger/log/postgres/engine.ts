/**
 * The shared log's interface to PostgreSQL: connections to the primary that send texts of the
 * simple protocol. The simulator has a second implementation. Source: cluster §3.
 */
export interface Engine {
  /**
   * Connects to the primary of the highest timeline. Rejects with `EngineUnavailable` if no host is
   * one, or none responds in time; with `EngineDenied` if none admits this node.
   */
  connect(options: ConnectOptions): Promise<EngineConnection>;
}

export interface ConnectOptions {
  /** Payloads of NOTIFY on the channels that the connection listens to; none behind a pooler. */
  readonly onNotification?: (payload: string) => void;
  readonly timeoutMs: number;
}

/** One connection. One text is one message; a query is sent after the reply to the previous one. */
export interface EngineConnection {
  /**
   * Sends statements, separated by semicolons, as one message; a result for each. Rejects with
   * `EngineRefusal` if the engine refuses one of them, and with `ConnectionLost` if the connection
   * ended before the whole reply.
   */
  query(text: string): Promise<readonly EngineResult[]>;
  readonly hasEnded: boolean;
  /**
   * Whether messages may go over several sessions of the engine, in which case LISTEN is not
   * allowed.
   */
  readonly isPooled?: boolean;
  /** Ends at once, without waiting for the engine: a query under way rejects. */
  end(): void;
}

/** The result of a statement. */
export interface EngineResult {
  /** Its tag without numbers: "SELECT", "INSERT", "COMMIT", "ROLLBACK", ... */
  readonly command: string;
  /** Rows that the tag counts. */
  readonly count: number;
  /** Values as the engine sent them. */
  readonly rows: readonly Readonly<Record<string, string | null>>[];
  /** Warnings that came before this result's tag and after the one before it. */
  readonly warnings: readonly EngineWarning[];
}

export interface EngineWarning {
  /** SQLSTATE, the same in every language. */
  readonly code: string;
  readonly message: string;
}

/** The engine has refused a statement; those before it in the same message have been executed. */
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

/**
 * The connection ended before the reply was complete: whether the query had an effect is unknown.
 */
export class ConnectionLost extends Error {
  override readonly name: string = "ConnectionLost";
}

/** No primary could be connected to, or it may not be used. Its message has no password. */
export class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
}

/**
 * Every host refuses the role, its password or the database: waiting does not mend it. Its message
 * has no password.
 */
export class EngineDenied extends EngineUnavailable {
  override readonly name: string = "EngineDenied";
}

/** The engine or its schema cannot be used by this node, in words for the operator. */
export class SchemaProblem extends Error {
  override readonly name: string = "SchemaProblem";
}

/**
 * Timelines that the log was certain on. A primary that was replaced by its standby has a lower one
 * than its successor. Source: cluster §6.
 */
export interface Timelines {
  /** 0 before the first. */
  readonly highest: number;
  /**
   * Notes that the log was certain on it, if it is higher. A failed write is retried by the next
   * call.
   */
  remember(timeline: number): void;
  /** Why the highest one is not on the disk yet; undefined if it is. */
  readonly unkept?: string | undefined;
}
