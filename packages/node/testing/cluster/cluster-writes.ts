import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "../service-process.ts";
import { newKey, publicPem } from "../test-node.ts";

/** Addresses that are made at nodes, one after the other, until the end of the scope. */
export class ClusterWrites implements AsyncDisposable {
  /** Acknowledged transactions, in their order. */
  readonly ids: string[] = [];
  readonly #done: Promise<void>;
  #isEnded = false;

  /** `nodes` are those that run now. */
  constructor(nodes: () => readonly ServiceProcess[]) {
    this.#done = this.#write(nodes);
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#done;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #write(nodes: () => readonly ServiceProcess[]): Promise<void> {
    for (let index = 0; !this.#isEnded; index += 1) {
      const url = nodes()[index % nodes().length]?.url;
      const body = new URLSearchParams({ publickey: publicPem(newKey()) });
      // A node that ends or is stopped leaves its client without a response.
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(`${url}/address`, { method: "POST", body, signal }).catch(
        () => undefined,
      );
      const id = answer?.status === 200 ? answer.headers.get("transaction-id") : null;
      if (id !== null && id !== undefined) {
        this.ids.push(id);
      }
      await delay(100);
    }
  }
}
