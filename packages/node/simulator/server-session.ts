import type { EngineResult, EngineWarning } from "@moneta/ledger/postgres";
import { BASE_TIME } from "./base-ledger.ts";
import type { BlockRow, HostedSession, SessionHost } from "./session-host.ts";
import { statementsOf } from "./statements.ts";

export type Reply =
  | { readonly kind: "results"; readonly results: readonly EngineResult[] }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

interface Transaction {
  isAborted: boolean;
  row: BlockRow | undefined;
  hasBarrier: boolean;
  readonly settings: Map<string, string>;
}

/** Later statements of its message are not executed. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

class SessionEnded extends Error {}

/** Executes the statements of its messages, one after the other. */
export class ServerSession implements HostedSession {
  readonly name: string;
  readonly client: string;
  readonly #server: SessionHost;
  readonly #onEnd: () => void;
  #transaction: Transaction | undefined;
  #isEnded = false;
  #isListening = false;
  #onNotification: (payload: string) => void = () => undefined;
  #last: Promise<void> = Promise.resolve();
  #idleTimer: { cancel(): void } | undefined;
  #interrupt: ((code: string) => void) | undefined;
  #isCommitting = false;

  constructor(
    server: SessionHost,
    options: { readonly name: string; readonly client: string; readonly onEnd: () => void },
  ) {
    this.#server = server;
    this.name = options.name;
    this.client = options.client;
    this.#onEnd = options.onEnd;
  }

  onNotification(call: (payload: string) => void): void {
    this.#onNotification = call;
  }

  /** The one that reads, of a node's two. */
  get isListening(): boolean {
    return this.#isListening;
  }

  notify(payload: string): void {
    if (this.#isListening && !this.#isEnded) {
      this.#onNotification(payload);
    }
  }

  /** After earlier ones; `reply` is not called if the session ends. */
  receive(text: string, reply: (reply: Reply) => void): void {
    this.#last = this.#last.then(async () => {
      if (this.#isEnded) {
        return;
      }
      this.#idleTimer?.cancel();
      try {
        const answer = await this.#execute(text);
        if (!this.#isEnded) {
          reply(answer);
          this.#watchIdle();
        }
      } catch (thrown) {
        if (!(thrown instanceof SessionEnded)) {
          throw thrown;
        }
      }
    });
  }

  /** By the client; the server notices it after the running messages. */
  close(): void {
    this.#last = this.#last.then(() => this.#end());
  }

  /** `pg_terminate_backend`, or a limit: a commit that waits becomes visible. */
  terminate(why = "terminated"): void {
    if (this.#isEnded) {
      return;
    }
    this.#server.trace.add(this.name, `is ended: ${why}`);
    this.#server.cancelWait(this);
    this.#end();
  }

  /** `pg_cancel_backend`. */
  cancel(): void {
    this.#server.trace.add(this.name, "is cancelled");
    if (this.#isCommitting) {
      this.#server.cancelWait(this);
    } else {
      this.#interrupt?.("57014");
    }
  }

  /** The server has crashed, without notice to its clients. */
  vanish(): void {
    this.#isEnded = true;
    this.#idleTimer?.cancel();
    this.#onEnd();
  }

  #end(): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#idleTimer?.cancel();
    this.#transaction = undefined;
    this.#interrupt?.("57P01");
    this.#releaseTurn();
    this.#onEnd();
  }

  #watchIdle(): void {
    const limit = Number(this.#setting("idle_in_transaction_session_timeout"));
    if (this.#transaction !== undefined && limit > 0) {
      this.#idleTimer = this.#server.time.after(limit, () => this.terminate("idle in transaction"));
    }
  }

  async #execute(text: string): Promise<Reply> {
    const results: EngineResult[] = [];
    for (const statement of statementsOf(text)) {
      // A limit of one message takes no time.
      if (statement.kind !== "set" || this.#transaction !== undefined) {
        await this.#wait(this.#server.pace.statementMs());
      }
      try {
        if (this.#transaction?.isAborted === true && statement.kind !== "commit") {
          if (statement.kind !== "rollback") {
            throw new Refusal("25P02", "current transaction is aborted");
          }
        }
        results.push(await this.#executeOne(statement));
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) {
          throw thrown;
        }
        if (this.#transaction !== undefined) {
          this.#transaction.isAborted = true;
          this.#transaction.row = undefined;
        }
        this.#releaseTurnIfNoTransaction();
        return { kind: "refused", code: thrown.code, message: thrown.message };
      }
    }
    return { kind: "results", results };
  }

  async #executeOne(statement: ReturnType<typeof statementsOf>[number]): Promise<EngineResult> {
    const server = this.#server;
    switch (statement.kind) {
      case "begin": {
        const warnings = this.#transaction === undefined ? [] : [warning("25001")];
        this.#transaction ??= {
          isAborted: false,
          row: undefined,
          hasBarrier: false,
          settings: new Map(),
        };
        return result("BEGIN", { warnings: this.#shown(warnings) });
      }
      case "set":
        for (const [name, value] of statement.values) {
          this.#transaction?.settings.set(name, value);
        }
        return result("SET");
      case "constant":
        return result("SELECT", { rows: [statement.row] });
      case "turn":
        await this.#takeTurn();
        return result("SELECT", { rows: [{ pg_advisory_xact_lock: "" }] });
      case "read": {
        const rows = statement.read({
          rows: server.rows,
          nowMs: BASE_TIME * 1000 + server.time.nowMs + server.clockOffsetMs,
          timeline: server.timeline,
          setting: (name) => this.#setting(name),
        });
        return result("SELECT", { rows });
      }
      case "holder": {
        const holder = server.turnQueue[0];
        if (holder === undefined || server.isWaitingForStandby(holder)) {
          return result("SELECT");
        }
        const isSame = statement.seen === holder.name;
        if (isSame) {
          holder.terminate("it sat on the turn");
        }
        return result("SELECT", { rows: [{ who: holder.name, ended: isSame ? "t" : "f" }] });
      }
      case "insert":
        return await this.#insert(statement);
      case "barrier": {
        if (this.#transaction !== undefined) {
          this.#transaction.hasBarrier = true;
        }
        return result("SELECT", { rows: [{}] });
      }
      case "notify":
        for (const session of server.sessions) {
          server.time.after(server.pace.statementMs(), () => session.notify(statement.payload));
        }
        return result(statement.command, { rows: statement.command === "SELECT" ? [{}] : [] });
      case "listen":
        this.#isListening = true;
        return result("LISTEN");
      case "commit":
        return await this.#commit();
      case "rollback":
        this.#transaction = undefined;
        this.#releaseTurn();
        return result("ROLLBACK");
    }
  }

  async #takeTurn(): Promise<void> {
    const { turnQueue } = this.#server;
    if (turnQueue.includes(this)) {
      return;
    }
    turnQueue.push(this);
    if (turnQueue[0] === this) {
      return;
    }
    const limit = Number(this.#setting("lock_timeout"));
    const timer =
      limit === 0 ? undefined : this.#server.time.after(limit, () => this.#interrupt?.("55P03"));
    const interrupted = await this.#until((done) => {
      this.#granted = done;
    });
    timer?.cancel();
    if (interrupted !== undefined) {
      const place = turnQueue.indexOf(this);
      if (place !== -1) {
        turnQueue.splice(place, 1);
      }
      if (this.#isEnded) {
        throw new SessionEnded();
      }
      throw new Refusal(interrupted, "the wait for the turn was given up");
    }
  }

  #granted: (() => void) | undefined;

  /** Returns the code of an interruption. */
  async #until(begin: (done: () => void) => void): Promise<string | undefined> {
    return await new Promise<string | undefined>((resolve) => {
      const settle = (code: string | undefined): void => {
        this.#interrupt = undefined;
        resolve(code);
      };
      this.#interrupt = settle;
      begin(() => settle(undefined));
    });
  }

  async #insert(statement: {
    readonly row: BlockRow;
    readonly follows: (rows: ReadonlyMap<number, BlockRow>) => boolean;
  }): Promise<EngineResult> {
    const { row, follows } = statement;
    const server = this.#server;
    if (!follows(server.rows)) {
      return result("INSERT", { count: 0 });
    }
    if (this.#setting("transaction_read_only") === "on") {
      throw new Refusal("25006", "cannot execute INSERT in a read-only transaction");
    }
    if (server.isFull) {
      throw new Refusal("53100", "could not extend the file: no space left on device");
    }
    // An INSERT waits for the end of another session that inserted the same key.
    for (;;) {
      if (server.rows.has(row.height)) {
        throw new Refusal("23505", "duplicate key value violates unique constraint");
      }
      const other = [...server.sessions].find(
        (session) => session !== this && session.insertedHeight === row.height,
      );
      if (other === undefined) {
        break;
      }
      await this.#wait(1);
    }
    if (this.#transaction === undefined) {
      server.onMisuse(`${this.name} gets a block outside of a transaction`);
      throw new SessionEnded();
    }
    this.#transaction.row = row;
    return result("INSERT", { count: 1 });
  }

  get insertedHeight(): number | undefined {
    return this.#transaction?.row?.height;
  }

  async #commit(): Promise<EngineResult> {
    const transaction = this.#transaction;
    if (transaction === undefined) {
      return result("COMMIT", { warnings: this.#shown([warning("25P01")]) });
    }
    let warnings: readonly EngineWarning[] = [];
    const { isAborted, row, hasBarrier } = transaction;
    if (!isAborted && (row !== undefined || hasBarrier)) {
      this.#isCommitting = true;
      const limit = Number(this.#setting("statement_timeout"));
      const timer =
        limit === 0
          ? undefined
          : this.#server.time.after(limit, () => this.#server.cancelWait(this));
      const waits = !["off", "local"].includes(this.#setting("synchronous_commit"));
      const outcome = await this.#server.commit(row, this, waits);
      timer?.cancel();
      this.#isCommitting = false;
      if (outcome === "cancelled") {
        warnings = this.#shown([warning("01000")]);
      }
    }
    this.#transaction = undefined;
    if (row !== undefined && !isAborted) {
      this.#server.trace.add(this.name, `block ${row.height} is visible`);
    }
    this.#releaseTurn();
    return result(isAborted ? "ROLLBACK" : "COMMIT", { warnings });
  }

  /** Of the transaction, or else of role, database and server. */
  #setting(name: string): string {
    const own = this.#transaction?.settings.get(name);
    // A transaction's computed value is never weaker.
    return (own === "" ? "on" : own) ?? this.#server.settings.get(name) ?? SETTINGS[name] ?? "off";
  }

  #shown(warnings: readonly EngineWarning[]): readonly EngineWarning[] {
    return this.#setting("client_min_messages") === "error" ? [] : warnings;
  }

  #releaseTurnIfNoTransaction(): void {
    if (this.#transaction === undefined) {
      this.#releaseTurn();
    }
  }

  #releaseTurn(): void {
    const { turnQueue } = this.#server;
    const place = turnQueue.indexOf(this);
    if (place === -1) {
      return;
    }
    turnQueue.splice(place, 1);
    if (place === 0) {
      turnQueue[0]?.grantTurn();
    }
  }

  grantTurn(): void {
    this.#granted?.();
  }

  async #wait(ms: number): Promise<void> {
    await this.#server.wait(ms);
    if (this.#isEnded) {
      throw new SessionEnded();
    }
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  server_version_num: "180004",
  client_encoding: "UTF8",
  synchronous_standby_names: "standby",
  synchronous_commit: "on",
  client_min_messages: "notice",
  fsync: "on",
  full_page_writes: "on",
  session_replication_role: "origin",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
};

function result(
  command: string,
  particulars: Partial<Pick<EngineResult, "count" | "rows" | "warnings">> = {},
): EngineResult {
  const { rows = [], count = rows.length, warnings = [] } = particulars;
  return { command, count, rows, warnings };
}

function warning(code: string): EngineWarning {
  return { code, message: `a warning of the simulated engine, ${code}` };
}
