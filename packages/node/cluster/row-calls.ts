import type { MessagePort } from "node:worker_threads";
import type { SharedRows } from "@moneta/ledger/postgres";

/**
 * What the main thread asks of the rows that a cluster shares, and of its engine. The ledger thread
 * does it over its connection for reading, so that a node has no third. Source: cluster §3.
 */
export interface ClusterRows
  extends Pick<
    SharedRows,
    | "secrets"
    | "beginSecrets"
    | "checkpoint"
    | "advanceCheckpoint"
    | "takeLeases"
    | "giveUpLeases"
    | "webhook"
    | "beginWebhook"
    | "moveWebhook"
    | "noteNode"
    | "forgetNode"
    | "nodesWithout"
  > {
  /** What to tell the operator of the engine's settings; rejects with `SchemaProblem`. */
  checkEngine(): Promise<readonly string[]>;
}

type Method = keyof ClusterRows;

interface Call {
  readonly call: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

interface Answered {
  readonly call: number;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly failure?: { readonly name: string; readonly message: string };
}

/** The rows cannot be reached or used now. */
export class RowsUnavailable extends Error {
  override readonly name: string = "RowsUnavailable";
}

/**
 * Whether a call has failed in a way that may pass: the rows are away, or this node may not use the
 * schema, which the check of the engine every minute reports to the operator.
 */
export function isOfRows(thrown: unknown): thrown is Error {
  return (
    thrown instanceof RowsUnavailable || (thrown instanceof Error && thrown.name === SCHEMA_PROBLEM)
  );
}

/** The name of the error, which crosses threads by it. */
const SCHEMA_PROBLEM = "SchemaProblem";

/** How long a node that ends waits for its rows, ms. */
const CLOSING_MS = 10_000;

/** Answers calls that come through a port. */
export function serveRows(port: MessagePort, rows: ClusterRows): void {
  port.on("message", ({ call, method, args }: Call) => {
    const run = rows[method] as (...all: unknown[]) => Promise<unknown>;
    const answer = (answered: Omit<Answered, "call">): void => {
      port.postMessage({ call, ...answered } satisfies Answered);
    };
    run.apply(rows, [...args]).then(
      (value) => answer({ value }),
      ({ name, message }: Error) => answer({ failure: { name, message } }),
    );
  });
}

/** The other side of the port. */
export class RemoteRows {
  readonly #port: MessagePort;
  readonly #pending: Map<number, PromiseWithResolvers<unknown>> = new Map();
  #calls = 0;
  #isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", ({ call, value, failure }: Answered) => {
      const pending = this.#pending.get(call);
      this.#pending.delete(call);
      if (failure === undefined) {
        pending?.resolve(value);
      } else {
        pending?.reject(
          failure.name === SCHEMA_PROBLEM
            ? Object.assign(new Error(failure.message), { name: failure.name })
            : new RowsUnavailable(failure.message),
        );
      }
    });
    port.on("close", () => this.close());
  }

  /**
   * Rejects with `RowsUnavailable`, or with an error of the name `SchemaProblem` if this node may
   * not use the schema or the engine.
   */
  call<M extends Method>(
    method: M,
    ...args: Parameters<ClusterRows[M]>
  ): ReturnType<ClusterRows[M]> {
    if (this.#isClosed) {
      return Promise.reject(new RowsUnavailable("the node is closing its log")) as ReturnType<
        ClusterRows[M]
      >;
    }
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(this.#calls, pending);
    this.#port.postMessage({ call: this.#calls, method, args } satisfies Call);
    this.#calls += 1;
    return pending.promise as ReturnType<ClusterRows[M]>;
  }

  /**
   * Closes once what the node still has to say has had its time: behind a barrier that waits for the
   * standby it would wait for minutes.
   */
  closeSoon(): void {
    setTimeout(() => this.close(), CLOSING_MS).unref();
  }

  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#port.close();
      for (const pending of this.#pending.values()) {
        pending.reject(new RowsUnavailable("the node is closing its log"));
      }
    }
  }
}
