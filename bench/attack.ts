import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface AttackData {
  readonly port: number;
  readonly requests: readonly Uint8Array[];
  readonly isSentOnce: boolean;
}

export interface Attacked {
  /** Counts by status; `closed` counts connections closed without a response. */
  readonly answers: Readonly<Record<string, number>>;
  readonly first: string;
}

/** Sends costly requests on one connection until it is ended, on a thread of its own. */
export class Attack {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

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
