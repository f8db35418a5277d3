import type { MessagePort } from "node:worker_threads";
import type { SharedRows } from "@moneta/ledger/postgres";

/** Over the ledger thread's connection for reading. Source: cluster §3. */
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
  /** Warnings about the engine's settings; rejects with `SchemaProblem`. */
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
  readonly failure?: { readonly name: string; readonly message: string };
}

export class RowsUnavailable extends Error {
  override readonly name: string = "RowsUnavailable";
}

/** Unreachable rows, or a schema that this node may not use: a retry may succeed. */
export function isOfRows(thrown: unknown): thrown is Error {
  return (
    thrown instanceof RowsUnavailable || (thrown instanceof Error && thrown.name === SCHEMA_PROBLEM)
  );
}

/** The name by which the error crosses threads. */
const SCHEMA_PROBLEM = "SchemaProblem";

const CLOSING_MS = 10_000;

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

  /** Rejects with `RowsUnavailable`, or an error of the name `SchemaProblem`. */
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

  /** Later: a barrier that waits for the standby would take minutes. */
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
