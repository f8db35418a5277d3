import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUpAtExit, ended } from "../exit-cleanup.ts";
import { freePort } from "../free-port.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { until } from "../until.ts";
import { unprivileged } from "./postgres-binaries.ts";

const PROGRAM_PATH = `${process.env["PATH"]}:/usr/sbin`;
const ENVIRONMENT = { ...process.env, PATH: PROGRAM_PATH };

/**
 * PgBouncer in transaction mode before a server: a session of the engine's belongs to a client for
 * one transaction only. It ends with the scope.
 */
export class Pooler implements AsyncDisposable {
  readonly port: number;
  readonly #directory: TemporaryDirectory;
  readonly #forget: () => void;
  readonly #process: ChildProcess;
  #output = "";

  private constructor(port: number, directory: TemporaryDirectory) {
    this.port = port;
    this.#directory = directory;
    this.#process = spawn("pgbouncer", [join(directory.path, "pgbouncer.ini")], {
      ...unprivileged(),
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#output = (this.#output + String(chunk)).slice(-20_000);
    });
    this.#forget = cleanUpAtExit(() => this.#process.kill("SIGKILL"));
  }

  static missing(): string | undefined {
    const { error } = spawnSync("pgbouncer", ["--version"], { env: ENVIRONMENT });
    return error === undefined ? undefined : `pgbouncer is not installed: ${error.message}`;
  }

  static async before(server: { readonly port: number }): Promise<Pooler> {
    const directory = new TemporaryDirectory("pooler");
    const port = await freePort();
    const users = join(directory.path, "users.txt");
    writeFileSync(users, '"postgres" ""\n');
    writeFileSync(
      join(directory.path, "pgbouncer.ini"),
      `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 10
server_login_retry = 1
`,
    );
    chmodSync(directory.path, 0o755);
    const pooler = new Pooler(port, directory);
    const failure = (): string => `pgbouncer did not start: ${pooler.#output}`;
    await until(() => {
      assert.equal(pooler.#process.exitCode, null, failure());
      return pooler.#output.includes("process up");
    }, failure);
    return pooler;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill("SIGKILL");
      await ended(this.#process);
    }
    this.#directory[Symbol.dispose]();
  }
}
