import type { Address, Fault } from "@moneta/protocol";

const HOUR_MS = 3_600_000;
/** Clients and actors that are remembered, about 15 MB of each; of more, those are forgotten that have not written for longest. */
const KEYS_MAX = 100_000;

/** Who writes something. */
export interface Writer {
  /** As `clientOf` names it; undefined: the node itself. */
  readonly client: string | undefined;
  /** `""` where nobody signs. */
  readonly actor: Address | "";
}

/**
 * Limits how many bytes of operations, as blocks store them, each client and each actor has written, so that nobody fills the disk with what costs him nothing. The
 * counts are this node's own, and start anew with it.
 */
export class WriteQuota {
  readonly #clients: Allowance;
  readonly #actors: Allowance;

  /** 0 is no limit. `clockMs` never runs backwards. */
  constructor(options: {
    readonly clientBytesPerHour: number;
    readonly actorBytesPerHour: number;
    readonly clockMs?: () => number;
  }) {
    const { clientBytesPerHour, actorBytesPerHour, clockMs = () => performance.now() } = options;
    this.#clients = new Allowance(clientBytesPerHour, clockMs);
    this.#actors = new Allowance(actorBytesPerHour, clockMs);
  }

  /** Refuses a client that has used up what it may write, before its request costs anything. */
  check(client: string | undefined): Fault | undefined {
    return this.#clients.check(client, 1, "client");
  }

  /** Takes what an operation is about to write, or says why it must wait. */
  take(bytes: number, { client, actor }: Writer): Fault | undefined {
    const fault =
      this.#clients.check(client, bytes, "client") ?? this.#actors.check(actor, bytes, "actor");
    if (fault === undefined) {
      this.#clients.add(client, bytes);
      this.#actors.add(actor, bytes);
    }
    return fault;
  }

  /** Gives back what was taken for an operation that has not been written. */
  giveBack(bytes: number, { client, actor }: Writer): void {
    this.#clients.add(client, -bytes);
    this.#actors.add(actor, -bytes);
  }
}

/** A leaky bucket for each key: so many bytes at once, and as many again in the course of an hour. */
class Allowance {
  readonly #max: number;
  readonly #clockMs: () => number;
  /** Those that have written last at the end. */
  readonly #used: Map<string, { readonly bytes: number; readonly atMs: number }> = new Map();

  constructor(bytesPerHour: number, clockMs: () => number) {
    this.#max = bytesPerHour;
    this.#clockMs = clockMs;
  }

  /** An operation always fits where nothing else has been written, however large it is. */
  check(key: string | undefined, bytes: number, who: string): Fault | undefined {
    const used = this.#usedBy(key);
    const excess = used + Math.min(bytes, this.#max) - this.#max;
    if (used === 0 || excess <= 0) {
      return undefined;
    }
    const retryAfter = Math.ceil((excess * HOUR_MS) / this.#max / 1000);
    return { code: "9001", retryAfter, limit: `${this.#max} bytes an hour from one ${who}` };
  }

  add(key: string | undefined, bytes: number): void {
    if (key === undefined || key === "" || this.#max === 0) {
      return;
    }
    const used = Math.max(0, this.#usedBy(key) + bytes);
    this.#used.delete(key);
    if (used > 0) {
      this.#used.set(key, { bytes: used, atMs: this.#clockMs() });
    }
    if (this.#used.size > KEYS_MAX) {
      const [longest] = this.#used.keys();
      this.#used.delete(longest as string);
    }
  }

  #usedBy(key: string | undefined): number {
    const used = key === undefined || this.#max === 0 ? undefined : this.#used.get(key);
    return used === undefined
      ? 0
      : Math.max(0, used.bytes - ((this.#clockMs() - used.atMs) * this.#max) / HOUR_MS);
  }
}
