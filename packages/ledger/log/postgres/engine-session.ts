import type { Time } from "../../time.ts";
import {
  ConnectionLost,
  type Engine,
  type EngineConnection,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
} from "./engine.ts";

/** Limit of connecting, and of each preparing message, ms. */
const CONNECT_MS = 5000;

/** Connects before a message, and drops a connection whose state is uncertain. */
export class EngineSession {
  readonly #engine: Engine;
  readonly #time: Time;
  readonly #onNotification: ((payload: string) => void) | undefined;
  readonly #onConnected: (connection: EngineConnection) => Promise<number>;
  readonly #onAnswer: () => void;
  #connecting: Promise<EngineConnection> | undefined;
  #connection: EngineConnection | undefined;
  #timeline = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: {
    readonly engine: Engine;
    readonly time: Time;
    readonly onNotification?: ((payload: string) => void) | undefined;
    /** Resolves to the engine's timeline. If it rejects, the connection is not used. */
    readonly onConnected: (connection: EngineConnection) => Promise<number>;
    readonly onAnswer: () => void;
  }) {
    this.#engine = options.engine;
    this.#time = options.time;
    this.#onNotification = options.onNotification;
    this.#onConnected = options.onConnected;
    this.#onAnswer = options.onAnswer;
  }

  /**
   * Sends one message after those before it. Rejects with `EngineUnavailable` if nothing was sent,
   * with `EngineRefusal` or `ConnectionLost`: then the connection is dropped, as without a reply in
   * `timeoutMs`. `onSend` is called when it is sent.
   */
  query(text: string, timeoutMs: number, onSend?: () => void): Promise<readonly EngineResult[]> {
    return this.#behindOthers(async () => {
      return await this.#send(() => this.#connected(), text, { timeoutMs, onSend });
    });
  }

  /** In the transaction that the last query left open; if that has ended, nothing is sent. */
  queryInTransaction(text: string, timeoutMs: number): Promise<readonly EngineResult[]> {
    const same = async (): Promise<EngineConnection> => {
      if (this.#connection?.hasEnded !== false) {
        throw new EngineUnavailable("the connection has ended, and its transaction with it");
      }
      return this.#connection;
    };
    return this.#behindOthers(() => this.#send(same, text, { timeoutMs }));
  }

  #behindOthers(send: () => Promise<readonly EngineResult[]>): Promise<readonly EngineResult[]> {
    const answered = this.#last.then(send, send);
    this.#last = answered;
    return answered;
  }

  /** 0 if it is not connected. */
  get timeline(): number {
    return this.#connection?.hasEnded === false ? this.#timeline : 0;
  }

  drop(): void {
    this.#connection?.end();
    this.#connection = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  async #send(
    connect: () => Promise<EngineConnection>,
    text: string,
    {
      timeoutMs,
      onSend,
    }: { readonly timeoutMs: number; readonly onSend?: (() => void) | undefined },
  ): Promise<readonly EngineResult[]> {
    let connection: EngineConnection;
    try {
      connection = await connect();
    } catch (thrown) {
      throw notSent(thrown);
    }
    const timer = this.#time.after(timeoutMs, () => connection.end());
    onSend?.();
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
    let timeline: number;
    try {
      timeline = await this.#onConnected(this.#limited(connection));
      this.#onAnswer();
    } catch (thrown) {
      connection.end();
      throw thrown;
    }
    if (this.#isClosed) {
      connection.end();
      throw new EngineUnavailable("the node is closing its log");
    }
    this.#connection = connection;
    this.#timeline = timeline;
    return connection;
  }

  /** Limits each message by itself: over a slow network all together take long. */
  #limited(connection: EngineConnection): EngineConnection {
    return {
      query: async (text) => {
        const timer = this.#time.after(CONNECT_MS, () => connection.end());
        try {
          return await connection.query(text);
        } finally {
          timer.cancel();
        }
      },
      get hasEnded() {
        return connection.hasEnded;
      },
      ...(connection.isPooled === undefined ? {} : { isPooled: connection.isPooled }),
      end: () => connection.end(),
    };
  }
}

/** A failure to connect, as the failure of a query that was not sent. */
function notSent(thrown: unknown): unknown {
  return thrown instanceof ConnectionLost || thrown instanceof EngineRefusal
    ? new EngineUnavailable(thrown.message, { cause: thrown })
    : thrown;
}
