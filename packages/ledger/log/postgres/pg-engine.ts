import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { Client, type Connection, type Submittable } from "pg";
import type { Time } from "../../time.ts";
import { TIMELINE, timelineOf } from "./barrier.ts";
import {
  ConnectionLost,
  type ConnectOptions,
  type Engine,
  type EngineConnection,
  EngineDenied,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
  type EngineWarning,
  type Timelines,
} from "./engine.ts";
import { type EngineHost, type EngineUrl, hostText } from "./engine-url.ts";

/** How long the first responding primary waits for the other hosts. */
const OTHERS_MS = 1000;
const KEEP_ALIVE_MS = 2000;

/** SQLSTATEs that an operator has to fix: role, password, database, right to connect. */
const DENIED: ReadonlySet<string> = new Set(["28000", "28P01", "3D000", "42501"]);

/** A refusal by `hostssl` in pg_hba.conf has the code of a role refused from here. */
const TLS_HINT =
  ": if the server lets in encrypted connections alone, add ?sslmode=verify-full to the URL, with &sslrootcert=FILE for an authority of your own";

/** Standbys have no timeline of their own to write on. */
const LOOK = `SELECT pg_is_in_recovery() AS is_standby, pg_backend_pid() AS pid,
  CASE WHEN NOT pg_is_in_recovery() THEN ${TIMELINE} END AS timeline`;

/**
 * PostgreSQL over `pg`. It sets no startup parameters and prepares nothing, so it works behind a
 * pooler in transaction mode. Source: cluster §3, §6.
 */
export class PgEngine implements Engine {
  readonly #url: EngineUrl;
  readonly #timelines: Pick<Timelines, "highest">;
  readonly #time: Time;

  constructor(
    url: EngineUrl,
    options: { readonly timelines: Pick<Timelines, "highest">; readonly time: Time },
  ) {
    this.#url = url;
    this.#timelines = options.timelines;
    this.#time = options.time;
  }

  /**
   * Takes the primary of the highest timeline, but none lower than the highest on which the log was
   * certain.
   */
  async connect(options: ConnectOptions): Promise<EngineConnection> {
    const primaries: Primary[] = [];
    const problems: string[] = [];
    let isDenied = true;
    let cause: unknown;
    const firstPrimary = Promise.withResolvers<void>();
    let isDecided = false;
    const all = this.#url.hosts.map(async (host) => {
      try {
        const primary = await this.#primary(host, options);
        if (isDecided) {
          primary.connection.end();
          return;
        }
        primaries.push(primary);
        firstPrimary.resolve();
      } catch (thrown) {
        isDenied &&= thrown instanceof EngineDenied;
        cause ??= (thrown as Error).cause;
        problems.push(`${hostText(host.host, host.port)}: ${(thrown as Error).message}`);
      }
    });
    await Promise.race([Promise.all(all), this.#after(firstPrimary.promise, OTHERS_MS)]);
    isDecided = true;
    const [best, ...others] = primaries.sort((a, b) => b.timeline - a.timeline);
    for (const { connection } of others) {
      connection.end();
    }
    if (best === undefined) {
      throw isDenied && problems.length === this.#url.hosts.length
        ? new EngineDenied(problems.join("; "), { cause })
        : new EngineUnavailable(`no primary answers: ${problems.join("; ")}`);
    }
    return best.connection;
  }

  /** Rejects if the host is not a primary, or a replaced one. */
  async #primary(host: EngineHost, options: ConnectOptions): Promise<Primary> {
    const connection = await PgConnection.open(this.#url, host, options);
    const timer = this.#time.after(options.timeoutMs, () => connection.end());
    try {
      const row = (await connection.query(LOOK))[0]?.rows[0];
      if (row?.["is_standby"] !== "f") {
        throw new EngineUnavailable("it is a standby");
      }
      connection.isPooled = !connection.isSession(Number(row["pid"]));
      const timeline = timelineOf(row["timeline"]);
      const { highest } = this.#timelines;
      if (timeline < highest) {
        throw new EngineUnavailable(
          `it is on timeline ${timeline}, but the log was certain on timeline ${highest}: another primary has replaced it`,
        );
      }
      return { connection, timeline };
    } catch (thrown) {
      connection.end();
      throw thrown;
    } finally {
      timer.cancel();
    }
  }

  async #after(event: Promise<void>, ms: number): Promise<void> {
    await event;
    await new Promise<void>((resolve) => void this.#time.after(ms, resolve));
  }
}

interface Primary {
  readonly connection: PgConnection;
  readonly timeline: number;
}

/** However it ends, only promises reject. */
class PgConnection implements EngineConnection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #underWay: Set<SimpleQuery> = new Set();
  #hasEnded = false;
  isPooled = false;

  private constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    client.on("error", () => this.#lose());
    client.on("end", () => this.#lose());
    client.on("notice", (notice) => {
      const warning = warningOf(notice);
      if (warning !== undefined) {
        // One query is sent at a time.
        this.#underWay.values().next().value?.noteWarning(warning);
      }
    });
  }

  static async open(
    url: EngineUrl,
    { host, port }: EngineHost,
    { onNotification, timeoutMs }: ConnectOptions,
  ): Promise<PgConnection> {
    const socket = new Socket();
    const { password = "" } = url.partsWithPassword();
    let lacksPassword = false;
    const client = new Client({
      host,
      port,
      user: url.user,
      database: url.database,
      // Otherwise the library looks in the environment and in files.
      password: () => {
        lacksPassword = password === "";
        return password;
      },
      ssl: sslOptions(url),
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream: () => socket,
    });
    const connection = new PgConnection(client, socket);
    if (onNotification !== undefined) {
      client.on("notification", ({ payload }) => onNotification(payload ?? ""));
    }
    try {
      await client.connect();
    } catch (thrown) {
      connection.end();
      if (lacksPassword) {
        throw new EngineDenied("it asks for a password, and none is given");
      }
      const { message, code = "" } = thrown as Error & { readonly code?: string };
      const mayWantTls = code === "28000" && url.sslMode === "disable";
      throw DENIED.has(code)
        ? new EngineDenied(`${message} (${code})${mayWantTls ? TLS_HINT : ""}`, { cause: thrown })
        : new EngineUnavailable(message || "it could not be connected to", { cause: thrown });
    }
    return connection;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Poolers make up their process ids. */
  isSession(pid: number): boolean {
    return (this.#client as unknown as { readonly processID: unknown }).processID === pid;
  }

  query(text: string): Promise<readonly EngineResult[]> {
    if (this.#hasEnded) {
      return Promise.reject(new ConnectionLost("the connection to PostgreSQL has ended"));
    }
    return new Promise((resolve, reject) => {
      const query = new SimpleQuery(text, {
        onEnd: (outcome) => {
          this.#underWay.delete(query);
          if (outcome instanceof EngineRefusal && outcome.isFatal) {
            this.end();
          }
          return outcome instanceof Error ? reject(outcome) : resolve(outcome);
        },
      });
      this.#underWay.add(query);
      this.#client.query(query);
    });
  }

  end(): void {
    this.#lose();
    this.#socket.destroy();
  }

  #lose(): void {
    this.#hasEnded = true;
    for (const query of [...this.#underWay]) {
      query.lose();
    }
  }
}

/** The methods of a query that the client library calls. */
class SimpleQuery implements Submittable {
  readonly #text: string;
  readonly #onEnd: (outcome: readonly EngineResult[] | Error) => void;
  readonly #results: EngineResult[] = [];
  #columns: readonly string[] = [];
  #rows: Readonly<Record<string, string | null>>[] = [];
  #warnings: EngineWarning[] = [];
  #hasEnded = false;

  constructor(
    text: string,
    options: {
      /** Called once. */
      readonly onEnd: (outcome: readonly EngineResult[] | Error) => void;
    },
  ) {
    this.#text = text;
    this.#onEnd = options.onEnd;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  noteWarning(warning: EngineWarning): void {
    this.#warnings.push(warning);
  }

  lose(): void {
    this.#end(new ConnectionLost("the connection to PostgreSQL ended before its answer was whole"));
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string }[];
  }): void {
    this.#columns = fields.map(({ name }) => name);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows.push(
      Object.fromEntries(this.#columns.map((name, index) => [name, fields[index] ?? null])),
    );
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [, command = text, count = "0"] = /^([A-Z ]+?)(?: \d+)*?(?: (\d+))?$/.exec(text) ?? [];
    this.#results.push({
      command,
      count: Number(count),
      rows: this.#rows,
      warnings: this.#warnings,
    });
    this.#columns = [];
    this.#rows = [];
    this.#warnings = [];
  }

  handleEmptyQuery(): void {}

  handleError(error: Error & { readonly code?: string; readonly severity?: string }): void {
    this.#end(
      typeof error.severity === "string" && error.code !== undefined
        ? new EngineRefusal(error.message, { code: error.code, isFatal: isFatal(error) })
        : new ConnectionLost(error.message),
    );
  }

  handleReadyForQuery(): void {
    this.#end(this.#results);
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail("nothing is copied in");
  }

  handleCopyData(): void {}

  #end(outcome: readonly EngineResult[] | Error): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#onEnd(outcome);
    }
  }
}

/**
 * Undefined for mere information. The severity may be translated, so unknown codes count as
 * warnings.
 */
function warningOf(notice: {
  readonly code: string | undefined;
  readonly severity: string | undefined;
  readonly message: string | undefined;
}): EngineWarning | undefined {
  const { code = "", severity = "", message = "" } = notice;
  const informs = code === "00000" || /^(NOTICE|INFO|LOG|DEBUG)/.test(severity);
  return informs ? undefined : { code, message };
}

/** The severity may be translated: then codes that end a session decide. */
function isFatal({ code = "", severity = "" }: { code?: string; severity?: string }): boolean {
  return /^(FATAL|PANIC)/.test(severity) || /^(57P0|08|25P0[345]|28|53300)/.test(code);
}

function sslOptions(url: EngineUrl): false | ConnectionOptions {
  const { sslMode, sslAuthorities } = url.partsWithPassword();
  const ca = sslAuthorities === undefined ? {} : { ca: sslAuthorities };
  switch (sslMode) {
    case "disable":
      return false;
    case "require":
      return { rejectUnauthorized: false };
    case "verify-ca":
      return { ...ca, checkServerIdentity: () => undefined };
    case "verify-full":
      return ca;
  }
}
