import { type PostgresOptions, PostgresServer } from "../postgres/postgres-server.ts";

/**
 * A PostgreSQL primary with its synchronous standby. After each fail-over they change their ports,
 * so a list of hosts that was given once stays right.
 */
export class EnginePair implements AsyncDisposable {
  #primary: PostgresServer;
  #standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.#primary = primary;
    this.#standby = standby;
  }

  /** `options` are the primary's. */
  static async start(options: PostgresOptions = {}): Promise<EnginePair> {
    const primary = await PostgresServer.start(options);
    try {
      return new EnginePair(primary, await primary.standby());
    } catch (thrown) {
      await primary[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer {
    return this.#standby;
  }

  /** Both, in an order that stays. */
  get hosts(): string {
    const ports = [this.#primary.port, this.#standby.port].sort((a, b) => a - b);
    return ports.map((port) => `127.0.0.1:${port}`).join(",");
  }

  /** For `--log`. */
  get url(): string {
    return this.#primary.urlAt(this.hosts);
  }

  /** Kills the primary and promotes the standby, which commits alone until `attachStandby`. */
  async failOver(): Promise<void> {
    await this.#primary.kill();
    this.promote();
  }

  /** The previous primary must have been killed. */
  promote(): void {
    this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
  }

  /** Makes a new synchronous standby in place of the primary that was killed. */
  async attachStandby(): Promise<void> {
    const { port } = this.#standby;
    await this.#standby[Symbol.asyncDispose]();
    this.#standby = await this.#primary.standby({ port });
    await this.standbyIsBack();
  }

  /** Waits until commits wait for the standby, and it responds. */
  async standbyIsBack(): Promise<void> {
    await this.#primary.waitFor(
      "SELECT count(*)::int AS synchronous FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'",
      ({ synchronous }) => synchronous === 1,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#standby[Symbol.asyncDispose]();
    await this.#primary[Symbol.asyncDispose]();
  }
}
