import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PostgresServer } from "../../packages/node/testing/postgres/postgres-server.ts";
import { DemoNode, DemoProblem, type Running } from "./demo-node.ts";

/** How long a node that has ended stays away, so that the others can be seen without it. */
const AWAY_MS = 5_000;

/**
 * Equal nodes over one PostgreSQL with a standby that its commits wait for. Kill any process: a
 * node is started again, and the standby takes over from its primary.
 */
export class DemoCluster implements Running {
  readonly data: string;
  readonly ended: Promise<number | null>;
  readonly #engines: readonly [PostgresServer, PostgresServer];
  readonly #nodes: DemoNode[];
  readonly #tell: (line: string) => void;
  readonly #stopping = new AbortController();

  private constructor(
    { data, engines, nodes }: Started,
    { tell, fail }: { tell: (line: string) => void; fail: PromiseWithResolvers<number | null> },
  ) {
    this.data = data;
    this.#engines = engines;
    this.#nodes = nodes;
    this.#tell = tell;
    this.ended = fail.promise;
    for (const index of nodes.keys()) {
      this.#keepUp(index).catch(() => fail.resolve(null));
    }
    this.#failOver().catch(() => fail.resolve(null));
  }

  /** Starts `count` nodes, at `port` and those after it, or at free ones if it is 0. */
  static async start(options: {
    readonly count: number;
    readonly port: string;
    readonly tell: (line: string) => void;
  }): Promise<DemoCluster> {
    const data = mkdtempSync(join(tmpdir(), "moneta-demo-"));
    const started: { stop(): Promise<void> }[] = [];
    try {
      const password = randomBytes(16).toString("base64url");
      const primary = await startEngine(password);
      started.push(ended(primary));
      const standby = await primary.standby();
      started.push(ended(standby));
      const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join();
      const log = { url: `postgres://postgres@${hosts}/postgres`, password };
      const portOf = (index: number): string =>
        options.port === "0" ? "0" : String(Number(options.port) + index);
      const first = await DemoNode.start({ port: portOf(0), data: join(data, "node1"), log });
      const nodes = [first];
      started.push(first);
      for (let index = 1; index < options.count; index += 1) {
        const place = { port: portOf(index), data: join(data, `node${index + 1}`) };
        const node = await first.join(place);
        started.push(node);
        nodes.push(node);
      }
      const fail = Promise.withResolvers<number | null>();
      return new DemoCluster(
        { data, engines: [primary, standby], nodes },
        { tell: options.tell, fail },
      );
    } catch (error) {
      for (const one of started.reverse()) {
        await one.stop();
      }
      rmSync(data, { recursive: true, force: true });
      throw error;
    }
  }

  get urls(): readonly string[] {
    return this.#nodes.map(({ url }) => url);
  }

  /** The processes, for a user who wants to kill one. */
  get pids(): { readonly nodes: readonly number[]; readonly primary: number } {
    return { nodes: this.#nodes.map(({ pid }) => pid), primary: this.#engines[0].pid };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    for (const engine of [...this.#engines].reverse()) {
      await engine[Symbol.asyncDispose]();
    }
  }

  remove(): void {
    rmSync(this.data, { recursive: true, force: true });
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Starts a node again whenever it has ended. */
  async #keepUp(index: number): Promise<void> {
    for (;;) {
      await this.#nodes[index]?.ended;
      if (this.#isStopping) {
        return;
      }
      const name = `node ${index + 1}`;
      this.#tell(`${name} has ended. The others go on; it starts again in ${AWAY_MS / 1000} s.`);
      await delay(AWAY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#isStopping) {
        return;
      }
      const node = await (this.#nodes[index] as DemoNode).again();
      this.#nodes[index] = node;
      if (this.#isStopping) {
        await node.stop();
        return;
      }
      this.#tell(`${name} is back: process ${node.pid}.`);
    }
  }

  /** As Patroni does in deploy/cluster: promotes the standby when the primary is gone. */
  async #failOver(): Promise<void> {
    const [primary, standby] = this.#engines;
    await primary.ended();
    if (this.#isStopping) {
      return;
    }
    this.#tell("PostgreSQL's primary has ended: its standby takes over, and commits alone now.");
    standby.promote();
  }
}

interface Started {
  readonly data: string;
  readonly engines: readonly [PostgresServer, PostgresServer];
  readonly nodes: DemoNode[];
}

async function startEngine(password: string): Promise<PostgresServer> {
  try {
    return await PostgresServer.start({ password });
  } catch (error) {
    throw new DemoProblem(
      `PostgreSQL does not start here, without which there is no cluster: ${(error as Error).message}`,
    );
  }
}

function ended(engine: PostgresServer): { stop(): Promise<void> } {
  return { stop: () => engine[Symbol.asyncDispose]() };
}
