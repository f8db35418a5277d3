import type { Actor } from "../actor.ts";
import { SignedOperations } from "../api.ts";
import type { Call, CallOptions } from "../call.ts";
import type { Ledger } from "../ledger.ts";
import { ProblemError } from "../nodes/errors.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import { type BundledOperation, isBundleable } from "./bundle.ts";

/** Source: bundles §8.1. */
const WEIGHT_MAX = 500;
/** Bytes of their texts: the 1 MiB of a body also has the actor of each, and the key. */
const BYTES_MAX = 1_000_000;
/** Too much together, by size or rate: half of it may succeed. */
const TOO_MUCH = /^(3002|9413|9001)$/;

interface Waiting {
  readonly operation: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly weight: number;
  readonly options: CallOptions | undefined;
  readonly isAlone: boolean;
  readonly resolve: (answer: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** See `Moneta.pipeline`. */
export class Pipeline extends SignedOperations {
  readonly #ledger: Ledger;
  readonly #actor: Actor;
  readonly #waiting: Waiting[] = [];
  #isSending = false;

  constructor(ledger: Ledger, actor: Actor) {
    super();
    this.#ledger = ledger;
    this.#actor = actor;
  }

  get address(): string {
    return this.#actor.address;
  }

  protected write<A>(operation: string, request: object, options?: CallOptions): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      const call = this.#ledger.callOf(operation);
      refuseUnknown(operation, call.parameters, request);
      const texts = wireTexts({ ...request }, true);
      const bytes = new TextEncoder().encode(JSON.stringify(texts)).length;
      // Without a named token, only the signature of the lone operation decides.
      const isOpen = operation === "tokenupdate" && texts["token"] === undefined;
      const isAlone = options !== undefined || isOpen || !isBundleable(operation, call);
      const weight = weightOf(call, request);
      this.#waiting.push({ operation, texts, bytes, weight, options, isAlone, resolve, reject });
      if (!this.#isSending) {
        this.#isSending = true;
        void this.#sendAll();
      }
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Callers that just got their results may call again first.
      await nextTurn();
      await this.#send(this.#take());
    }
    this.#isSending = false;
  }

  #take(): readonly Waiting[] {
    let bytes = 0;
    let weight = 0;
    const end = this.#waiting.findIndex((one, index) => {
      bytes += one.bytes;
      weight += one.weight;
      const isFull = weight > WEIGHT_MAX || bytes > BYTES_MAX;
      return index > 0 && (isFull || one.isAlone || this.#waiting[0]?.isAlone);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #send(calls: readonly Waiting[]): Promise<void> {
    const [first] = calls;
    try {
      if (first !== undefined && calls.length === 1) {
        const { operation, texts, options } = first;
        const answer = await this.#actor.request(operation, texts, options);
        first.resolve(this.#ledger.answerOf<never>(operation, answer));
        return;
      }
      const operations = calls.map(({ operation, texts }) => ({ operation, ...texts }));
      const results = await this.#actor.bundle(operations as unknown as BundledOperation[], {
        skip: ["*"],
      });
      for (const [index, { resolve, reject }] of calls.entries()) {
        const result = results[index];
        if (result instanceof ProblemError) {
          reject(result);
        } else {
          resolve(result as never);
        }
      }
    } catch (error) {
      const parts = calls.length > 1 ? partsAfter(error, calls) : [];
      for (const part of parts) {
        await this.#send(part);
      }
      if (parts.length === 0) {
        for (const { reject } of calls) {
          reject(error);
        }
      }
    }
  }
}

/** The weight of a call in a bundle, by the entries of its lists. Source: bundles §8.1. */
function weightOf({ weight = 1 }: Call, request: object): number {
  const entries = Object.values(request).flatMap((value) => (Array.isArray(value) ? value : []));
  return weight * Math.max(1, entries.length);
}

/** The refused call alone, others in halves; none if the refusal is about the actor or the node. */
function partsAfter(error: unknown, calls: readonly Waiting[]): readonly (readonly Waiting[])[] {
  if (!(error instanceof ProblemError)) {
    return [];
  }
  const { index, code } = error;
  // Problems of keys, signatures and nodes concern all calls.
  if ((index === undefined || /^[29]/.test(code)) && !TOO_MUCH.test(code)) {
    return [];
  }
  const at = index ?? 0;
  const from = index === undefined ? 0 : at + 1;
  const ends = [0, at, from, (from + calls.length + 1) >> 1, calls.length];
  return ends
    .map((end, part) => calls.slice(ends[part - 1], end))
    .filter(({ length }) => length > 0);
}

/** After everything that is ready to run: immediate in Node, a timer in browsers. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as {
    readonly setImmediate?: (resolve: () => void) => unknown;
  };
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
