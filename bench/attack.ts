import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface AttackData {
  readonly port: number;
  readonly connections: number;
  /** Whether each connection comes from an address of its own. */
  readonly areClients: boolean;
  readonly requests: readonly Uint8Array[];
  /** Whether the attack is over after the last request, instead of going on with the first one. */
  readonly isSentOnce: boolean;
}

export interface Attacked {
  /** By status, and `closed` for connections that were closed without a response. */
  readonly answers: Readonly<Record<string, number>>;
  /** The first response's body. */
  readonly first: string;
}

/**
 * Sends costly requests until it is ended, on a thread of its own, so that it does not keep the
 * bystander waiting.
 */
export class Attack {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves when the first request is about to be sent. */
  static async begin(data: AttackData): Promise<Attack> {
    const worker = new Worker(new URL("./attack-thread.ts", import.meta.url), {
      workerData: data,
      name: "attack",
    });
    await once(worker, "message");
    return new Attack(worker);
  }

  async end(): Promise<Attacked> {
    const attacked = once(this.#worker, "message");
    this.#worker.postMessage("end");
    const [answer] = (await attacked) as [Attacked];
    await this.#worker.terminate();
    return answer;
  }
}
