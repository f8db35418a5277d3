import assert from "node:assert/strict";
import { byLane } from "../../../ledger/testing/lane.ts";
import { verify } from "../../commands/verify.ts";
import { printed } from "../command-in-process.ts";
import { lightFetch } from "../light-fetch.ts";
import type { PostgresOptions } from "../postgres/postgres-server.ts";
import { SeededRandom } from "../seeded-random.ts";
import { until } from "../until.ts";
import { ClusterClients } from "./cluster-clients.ts";
import { ClusterNode } from "./cluster-node.ts";
import { EnginePair } from "./engine-pair.ts";

export interface StageOptions {
  /** The engine for node `index`, for `--log`; the pair itself without it. */
  readonly logOf?: (index: number, engines: EnginePair) => string | Promise<string>;
  readonly more?: readonly string[];
  /** The data directory of B, by default a new one. */
  readonly dataOfB?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly engine?: PostgresOptions;
}

/**
 * The stage for tests of a cluster: nodes A, B and C as processes, over an engine with a
 * synchronous standby, and clients with books. Source: cluster §9.
 */
export class ClusterStage implements AsyncDisposable {
  readonly engines: EnginePair;
  readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
  readonly clients: ClusterClients;
  readonly random: SeededRandom;
  readonly #owned: AsyncDisposableStack;

  private constructor(parts: {
    readonly engines: EnginePair;
    readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
    readonly clients: ClusterClients;
    readonly random: SeededRandom;
    readonly owned: AsyncDisposableStack;
  }) {
    this.engines = parts.engines;
    this.nodes = parts.nodes;
    this.clients = parts.clients;
    this.random = parts.random;
    this.#owned = parts.owned;
  }

  static async start(options: StageOptions = {}): Promise<ClusterStage> {
    const random = new SeededRandom();
    await using stack = new AsyncDisposableStack();
    const engines = stack.use(await EnginePair.start(options.engine));
    const start = async (index: number): Promise<ClusterNode> => {
      const log = (await options.logOf?.(index, engines)) ?? engines.url;
      const more = ["--log", log, ...(options.more ?? [])];
      const { environment = {}, dataOfB } = options;
      const data = index === 1 && dataOfB !== undefined ? { data: dataOfB } : {};
      const name = "ABC".charAt(index);
      return stack.use(await ClusterNode.start(name, { more, environment, ...data }));
    };
    // The first one makes the ledger, so it has the faucet.
    const a = await start(0);
    const [b, c] = await Promise.all([start(1), start(2)]);
    const clients = await ClusterClients.prepare([a, b, c], random);
    const owned = stack.move();
    return new ClusterStage({ engines, nodes: [a, b, c], clients, random, owned });
  }

  /**
   * The check after each row, with the clients at rest: all nodes have one chain, and an order of
   * what was sent explains all responses.
   */
  async check(): Promise<void> {
    await this.clients.rest();
    await this.atRest();
    await this.clients.check();
    await this.atRest();
  }

  /**
   * `moneta verify`: views follow from the blocks. Once after the last row, because damage of any
   * row stays. Before the last lane of one node.
   */
  async verify(): Promise<void> {
    const nodes = byLane<readonly ClusterNode[]>({
      quick: [this.random.pick(this.nodes)],
      long: this.nodes,
    });
    for (const { name, data } of nodes) {
      const { exitCode, output } = await printed(() => verify(data));
      assert.equal(exitCode, 0, `moneta verify, node ${name}: ${output}`);
    }
  }

  async atRest(): Promise<void> {
    let heads: readonly string[] = [];
    await until(
      async () => {
        heads = await Promise.all(this.nodes.map(({ url }) => newestBlock(url)));
        return new Set(heads).size === 1;
      },
      () => `the nodes have different newest blocks: ${heads.join(", ")}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clients.abandon();
    await this.#owned.disposeAsync();
  }
}

async function newestBlock(url: string): Promise<string> {
  const height = await (await lightFetch(`${url}/block`)).text();
  return await (await lightFetch(`${url}/block/${height}`)).text();
}
