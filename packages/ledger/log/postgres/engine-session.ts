import type { Time } from "../../time.ts";
import {
  ConnectionLost,
  type Engine,
  type EngineConnection,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
} from "./engine.ts";

/** How long connecting may take, ms. */
const CONNECT_MS = 5000;

/**
 * One connection after the other: connects when something is to be sent, and drops a connection
 * whose state is not certain. Nothing that it does depends on knowing that a connection is new.
 */
export class EngineSession {
  readonly #engine: Engine;
  readonly #time: Time;
  readonly #onNotification: ((payload: string) => void) | undefined;
  readonly #onConnected: (connection: EngineConnection) => Promise<void>;
  readonly #onAnswer: () => void;
  #connecting: Promise<EngineConnection> | undefined;
  #connection: EngineConnection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: {
    readonly engine: Engine;
    readonly time: Time;
    readonly onNotification?: ((payload: string) => void) | undefined;
    /** Prepares a new connection. If it rejects, the connection is not used. */
    readonly onConnected: (connection: EngineConnection) => Promise<void>;
    /** Called when the engine has answered. */
    readonly onAnswer: () => void;
  }) {
    this.#engine = options.engine;
    this.#time = options.time;
    this.#onNotification = options.onNotification;
    this.#onConnected = options.onConnected;
    this.#onAnswer = options.onAnswer;
  }

  /**
   * Sends one message, after those before it; connects first if need be. Rejects with
   * `EngineUnavailable` if nothing was sent, and with `EngineRefusal` or `ConnectionLost`: then the
   * connection is dropped, as it is when no answer comes within `timeoutMs`.
   */
  query(text: string, timeoutMs: number): Promise<readonly EngineResult[]> {
    return this.#queue(() => this.#send(text, timeoutMs));
  }

  /**
   * Sends the first of several messages that have to go over one connection, and returns how to send
   * the others: if the connection has ended meanwhile, nothing is sent (`EngineUnavailable`).
   */
  async begin(
    text: string,
    timeoutMs: number,
  ): Promise<{ readonly results: readonly EngineResult[]; readonly send: EngineSession["query"] }> {
    const results = await this.query(text, timeoutMs);
    const connection = this.#connection;
    const send: EngineSession["query"] = (more, ms) =>
      this.#queue(() => this.#sendBy(connection, more, ms));
    return { results, send };
  }

  /** Drops the connection. The next query makes another. */
  drop(): void {
    this.#connection?.end();
    this.#connection = undefined;
  }

  /** Drops the connection for good. */
  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  #queue<T>(send: () => Promise<T>): Promise<T> {
    const answered = this.#last.then(send, send);
    this.#last = answered;
    return answered;
  }

  async #send(text: string, timeoutMs: number): Promise<readonly EngineResult[]> {
    let connection: EngineConnection;
    try {
      connection = await this.#connected();
    } catch (thrown) {
      throw notSent(thrown);
    }
    return await this.#sendBy(connection, text, timeoutMs);
  }

  async #sendBy(
    connection: EngineConnection | undefined,
    text: string,
    timeoutMs: number,
  ): Promise<readonly EngineResult[]> {
    if (connection === undefined || connection !== this.#connection || connection.hasEnded) {
      throw new EngineUnavailable("the session ended before it was sent");
    }
    const timer = this.#time.after(timeoutMs, () => connection.end());
    try {
      const results = await connection.query(text);
      this.#onAnswer();
      return results;
    } catch (thrown) {
      connection.end();
      if (this.#connection === connection) {
        this.#connection = undefined;
      }
      throw thrown;
    } finally {
      timer.cancel();
    }
  }

  async #connected(): Promise<EngineConnection> {
    if (this.#connection?.hasEnded === false) {
      return this.#connection;
    }
    this.#connection = undefined;
    this.#connecting ??= this.#connect();
    try {
      return await this.#connecting;
    } finally {
      this.#connecting = undefined;
    }
  }

  async #connect(): Promise<EngineConnection> {
    if (this.#isClosed) {
      throw new EngineUnavailable("the node is closing its log");
    }
    const connection = await this.#engine.connect({
      timeoutMs: CONNECT_MS,
      ...(this.#onNotification === undefined ? {} : { onNotification: this.#onNotification }),
    });
    const timer = this.#time.after(CONNECT_MS, () => connection.end());
    try {
      await this.#onConnected(connection);
      this.#onAnswer();
    } catch (thrown) {
      connection.end();
      throw thrown;
    } finally {
      timer.cancel();
    }
    if (this.#isClosed) {
      connection.end();
      throw new EngineUnavailable("the node is closing its log");
    }
    this.#connection = connection;
    return connection;
  }
}

/** What connecting has failed with, as the failure of a query that was not sent. */
function notSent(thrown: unknown): unknown {
  return thrown instanceof ConnectionLost || thrown instanceof EngineRefusal
    ? new EngineUnavailable(thrown.message, { cause: thrown })
    : thrown;
}
