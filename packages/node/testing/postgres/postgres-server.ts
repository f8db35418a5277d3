import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type QueryResultRow } from "pg";
import { cleanUpAtExit, ended } from "../exit-cleanup.ts";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { postgresProgram, postgresVersion, unprivileged } from "./postgres-binaries.ts";

const as = unprivileged();

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/", import.meta.url));

/**
 * For tests: a small server that starts quickly, syncs as a production one does, and keeps its
 * shared memory in its folder. The folder is removed if the server is killed.
 */
const SMALL = {
  dynamic_shared_memory_type: "mmap",
  max_connections: "40",
  shared_buffers: "16MB",
  wal_sender_timeout: "5s",
  wal_receiver_timeout: "5s",
  wal_retrieve_retry_interval: "100ms",
};

/** Of `postmaster.pid`: the key and the id of the segment, from 0. */
const MEMORY_LINE = 6;

export type PostgresSettings = Readonly<Record<string, string>>;

export interface PostgresOptions {
  readonly settings?: PostgresSettings;
  /** Password of the user `postgres`; without it the server requires none. */
  readonly password?: string;
  /** Encoding of its databases, `UTF8` by default. */
  readonly encoding?: string;
  readonly folder?: string;
  /** MB; 16 by default. */
  readonly walSegmentMb?: number;
}

/** A copy of all that a server stores, to go back to. */
export interface PostgresCopy {
  readonly folder: string;
}

/**
 * A PostgreSQL server from the embedded binaries, run as a user without rights if this is root. It
 * ends with the scope, and with this process however that ends.
 */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #password: string | undefined;
  readonly #forget: () => void;
  #process: ChildProcess | undefined;
  #guard: ChildProcess | undefined;
  #output = "";

  private constructor(port: number, { password, folder }: PostgresOptions) {
    this.port = port;
    this.#password = password;
    this.#folder = mkdtempSync(join(folder ?? tmpdir(), "moneta-postgres-data-"));
    this.#forget = cleanUpAtExit(() => {
      this.#killAll();
      this.#remove();
    });
    if (as) {
      chownSync(this.#folder, as.uid, as.gid);
    }
  }

  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), options);
    server.#initialize(options);
    server.configure({ ...SMALL, ...options.settings });
    await server.resume();
    return server;
  }

  /** Fills its folder with a copy of a stored one: `initdb` takes a second of CPU. */
  #initialize({ password, encoding = "UTF8", walSegmentMb = 16 }: PostgresOptions): void {
    const all = [
      ...["-U", "postgres", "--auth", password === undefined ? "trust" : "scram-sha-256"],
      ...["--wal-segsize", String(walSegmentMb), "--encoding", encoding, "--locale", "C"],
    ];
    const made = createHash("sha256").update([postgresVersion(), ...all, password].join("\n"));
    const template = join(CACHE, `postgres-${made.digest("hex").slice(0, 16)}`);
    if (existsSync(template)) {
      cpSync(template, this.data, { recursive: true });
      chmodSync(this.data, 0o700);
      giveTo(this.data);
      return;
    }
    const passwordFile = join(this.#folder, "password");
    writeFileSync(passwordFile, `${password ?? "unused"}\n`);
    const also = ["--pwfile", passwordFile, "--no-sync", "--no-instructions"];
    execFileSync(postgresProgram("initdb", as), ["-D", this.data, ...all, ...also], {
      ...as,
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    mkdirSync(CACHE, { recursive: true });
    const part = mkdtempSync(`${template}-`);
    try {
      cpSync(this.data, part, { recursive: true });
      renameSync(part, template);
    } catch {
      // Another process was first.
      rmSync(part, { recursive: true, force: true });
    }
  }

  get data(): string {
    return join(this.#folder, "data");
  }

  /** For `--log`; with the password, if it has one. */
  get url(): string {
    return this.urlAt(`127.0.0.1:${this.port}`);
  }

  /** The same over other hosts with their ports, such as a proxy's, or several with commas. */
  urlAt(hosts: string): string {
    const secret = this.#password === undefined ? "" : `:${encodeURIComponent(this.#password)}`;
    return `postgres://postgres${secret}@${hosts}/postgres`;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  get pid(): number {
    return this.#process?.pid ?? Number.NaN;
  }

  /** The id of its segment of shared memory, also after a kill; undefined after an end in order. */
  get memorySegment(): string | undefined {
    const file = join(this.data, "postmaster.pid");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    return lines[MEMORY_LINE]?.trim().split(/\s+/)[1];
  }

  async ended(): Promise<void> {
    if (this.#process !== undefined && this.isRunning) {
      await ended(this.#process);
    }
  }

  /** Adds settings to its file, for the next start or `reload`. */
  configure(settings: PostgresSettings): void {
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
    );
    appendFileSync(join(this.data, "postgresql.conf"), lines.join(""));
  }

  async reload(): Promise<void> {
    await this.sql("SELECT pg_reload_conf()");
  }

  async resume(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await this.#launch();
      // Sessions of a killed server may hold its memory for a moment longer.
      if (failure === undefined) {
        return;
      }
      if (attempt === 50 || !/shared memory block|lock file/.test(failure)) {
        throw new Error(`postgres did not start: ${failure}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Stops it in order, as for maintenance; sessions are ended. */
  async stop(): Promise<void> {
    await this.#end(() => this.#process?.kill("SIGINT"));
  }

  /** Ends all its processes at once (SIGKILL), as a power cut of its machine would. */
  async kill(): Promise<void> {
    await this.#end(() => this.#killAll());
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of this.#pids()) {
      process.kill(pid, signal);
    }
  }

  /** Makes a standby a primary, on a timeline of its own. */
  promote(): void {
    execFileSync(postgresProgram("pg_ctl", as), ["promote", "-D", this.data, "-w"], {
      ...as,
      cwd: this.#folder,
      stdio: "ignore",
    });
  }

  /**
   * A running standby of this server, made from a base backup, and from then on the one that its
   * commits wait for, if `isSynchronous`. Once promoted, it commits alone.
   */
  async standby(
    options: {
      readonly name?: string;
      readonly isSynchronous?: boolean;
      readonly port?: number;
    } = {},
  ): Promise<PostgresServer> {
    const { name = "standby", isSynchronous = true } = options;
    const other = new PostgresServer(
      options.port ?? (await freePort()),
      this.#password === undefined ? {} : { password: this.#password },
    );
    await using client = await this.connect();
    await client.query("SELECT pg_backup_start('base', true)");
    cpSync(this.data, other.data, {
      recursive: true,
      filter: (path) =>
        // Temporary files of a running server may vanish before they are copied.
        !/\/(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_dynshmem)\/.+|pg_internal\.init[^/]*|pgsql_tmp.*)$/.test(
          path,
        ),
    });
    const backup = await client.query<{ labelfile: string }>(
      "SELECT labelfile FROM pg_backup_stop(false)",
    );
    mkdirSync(join(other.data, "pg_wal", "archive_status"), { recursive: true });
    writeFileSync(join(other.data, "backup_label"), backup.rows[0]?.labelfile ?? "");
    writeFileSync(join(other.data, "standby.signal"), "");
    const secret = this.#password === undefined ? "" : ` password='${this.#password}'`;
    other.configure({
      primary_conninfo: `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}${secret}`,
      synchronous_standby_names: "",
    });
    chmodSync(other.data, 0o700);
    giveTo(other.data);
    await other.resume();
    if (isSynchronous) {
      await this.commitWith(name);
    }
    return other;
  }

  /** Makes it wait for standbys of these names from now on, `""` for none. */
  async commitWith(names: string): Promise<void> {
    if (names !== "") {
      await this.#setStandbyNames("nobody");
      await this.#commitsWait();
    }
    await this.#setStandbyNames(names);
  }

  async #setStandbyNames(names: string): Promise<void> {
    this.configure({ synchronous_standby_names: names });
    await this.reload();
    await this.waitFor(
      "SHOW synchronous_standby_names",
      ({ synchronous_standby_names: now }) => now === names,
    );
  }

  /**
   * Waits until commits wait. They do once the checkpointer has read the setting, which no session
   * sees, and which a standby that is there would hide.
   */
  async #commitsWait(): Promise<void> {
    const commit = "SELECT pg_logical_emit_message(true, 'probe', '')";
    const cancel = `SELECT count(pg_cancel_backend(pid))::int AS cancelled FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = $$${commit}$$`;
    for (let isWaiting = false; !isWaiting; ) {
      let hasCommitted = false;
      const committed = this.sql(commit).finally(() => {
        hasCommitted = true;
      });
      while (!hasCommitted && !isWaiting) {
        isWaiting = (await this.sql(cancel))[0]?.["cancelled"] === 1;
      }
      await committed;
    }
  }

  /** Makes a stopped server wait for no standby when it is started again. */
  commitsAloneFromNowOn(): void {
    this.configure({ synchronous_standby_names: "" });
  }

  /** Repeats a query until its first row is as wanted. */
  async waitFor(query: string, isWanted: (row: QueryResultRow) => boolean): Promise<void> {
    await until(async () => {
      const [row] = await this.sql(query);
      return row !== undefined && isWanted(row);
    }, `still not as wanted: ${query}`);
  }

  copy(): PostgresCopy {
    if (this.isRunning) {
      throw new Error("stop the server before its data are copied");
    }
    const folder = mkdtempSync(join(this.#folder, "copy-"));
    cpSync(this.data, folder, { recursive: true });
    return { folder };
  }

  restore({ folder }: PostgresCopy): void {
    if (this.isRunning) {
      throw new Error("stop the server before its data are replaced");
    }
    this.#freeMemory();
    rmSync(this.data, { recursive: true });
    cpSync(folder, this.data, { recursive: true });
    chmodSync(this.data, 0o700);
    giveTo(this.data);
  }

  async connect(): Promise<PostgresSession> {
    return await PostgresSession.open(this.url);
  }

  /** The rows of one statement, in a session of its own. */
  async sql(text: string): Promise<QueryResultRow[]> {
    await using client = await this.connect();
    return (await client.query(text)).rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#forget();
    this.#remove();
  }

  /** Resolves with its output if it ended instead of starting. */
  async #launch(): Promise<string | undefined> {
    // A new attempt must not end by the log of an earlier one.
    this.#output = "";
    const child = spawn(
      postgresProgram("postgres", as),
      ["-D", this.data, "-p", String(this.port), "-h", "127.0.0.1", "-k", ""],
      { ...as, cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"], detached: true },
    );
    this.#process = child;
    this.#guard = guardOf(child, this.#folder);
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      // Not at its exit, which may come before its output.
      child.once("close", () => resolve(this.#output));
      child.stderr.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + String(chunk)).slice(-20_000);
        if (/ready to accept (read-only )?connections/.test(this.#output)) {
          resolve(undefined);
        }
      });
    });
  }

  async #end(askToEnd: () => void): Promise<void> {
    const child = this.#process;
    if (child !== undefined && this.isRunning) {
      askToEnd();
      await ended(child);
    }
    this.#guard?.stdin?.end("done\n");
    this.#guard = undefined;
  }

  #remove(): void {
    this.#freeMemory();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Frees the segment of shared memory by which a server keeps a second one from its data. Of a
   * killed server the system keeps it, and 4,096 at most of all on Linux: then none starts any more.
   */
  #freeMemory(): void {
    const segment = this.memorySegment;
    if (segment !== undefined) {
      spawnSync("ipcrm", ["-m", segment], { stdio: "ignore" });
    }
  }

  #killAll(): void {
    if (!this.isRunning) {
      return;
    }
    for (const pid of this.#pids()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has just ended.
      }
    }
  }

  /** Of the server and its sessions; it is stopped first, so that it starts no more of them. */
  #pids(): readonly number[] {
    process.kill(this.pid, "SIGSTOP");
    const children = `/proc/${this.pid}/task/${this.pid}/children`;
    const listed = existsSync(children)
      ? readFileSync(children, "utf8")
      : spawnSync("pgrep", ["-P", String(this.pid)], { encoding: "utf8" }).stdout;
    return [this.pid, ...listed.split(/\s+/).filter(Boolean).map(Number)];
  }
}

/** One session with a server, for tests that look at it or act as an operator. */
export class PostgresSession implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<PostgresSession> {
    const client = new Client({ connectionString: url });
    // A running query rejects; an error between two queries has no receiver.
    client.on("error", () => undefined);
    await client.connect();
    return new PostgresSession(client);
  }

  get client(): Client {
    return this.#client;
  }

  async query<R extends QueryResultRow = QueryResultRow>(text: string): Promise<{ rows: R[] }> {
    return await this.#client.query<R>(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/**
 * A process that ends the server and removes its folder when ours has ended in a way that leaves it
 * no time to: then the pipe between them closes without a line.
 */
function guardOf(server: ChildProcess, folder: string): ChildProcess {
  const script = `read -r _ && exit
    kill -QUIT "$0"
    kill -CONT "$0"
    while kill -0 "$0"; do sleep 0.1; done
    rm -rf "$1"`;
  const guard = spawn("/bin/sh", ["-c", script, String(server.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return guard;
}

function giveTo(folder: string): void {
  if (as) {
    execFileSync("chown", ["-R", `${as.uid}:${as.gid}`, folder]);
  }
}
