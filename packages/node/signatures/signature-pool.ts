import { Worker } from "node:worker_threads";
import {
  type Digest,
  InvalidBlock,
  type SignatureClaim,
  type SignatureVerdict,
} from "@moneta/ledger";
import { FairQueue, type Turn } from "../fair-queue.ts";
import { type ChosenVerifier, PLATFORM_VERIFIER } from "./chosen-verifier.ts";
import { ConfirmedKeys } from "./confirmed-keys.ts";
import type { SearchStep, SentClaim, SignatureThreadData, Verified } from "./signature-messages.ts";

export interface Claim extends Turn {
  readonly publicKey: string;
  readonly texts: readonly string[];
  readonly signature: string;
  readonly search?: SearchStep | undefined;
  /** See `Trial`. */
  readonly exact?: "utf8" | "latin1" | undefined;
  /** The verdict is not needed then. */
  readonly isAbandoned?: (() => boolean) | undefined;
}

/** `abandoned`: its client disconnected before it was verified. */
export type ClaimVerdict = SignatureVerdict | "abandoned";

interface Waiting extends Claim {
  readonly resolve: (verdict: ClaimVerdict) => void;
  readonly reject: (failure: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Unanswered, a list for each message, oldest first. */
  readonly sent: (readonly Waiting[])[];
}

/** In verifications with P-256: outweighs a message, and other clients get their turn soon. */
export const COST_TOGETHER = 16;
/** By key length: between the platform's (13, 30) and the native verifier's (4, 8). */
const COSTS: { readonly [length: number]: number } = { 124: 1, 160: 8, 212: 16 };
/** So that a thread need not wait for a busy main thread. */
const MESSAGES_AHEAD = 4;
const DIGESTS_MAX = 10_000;

/** Costs a fraction of asynchronous `crypto.verify`. Source: ARCHITECTURE.md, third idea. */
export class SignaturePool {
  readonly #threads: readonly Thread[];
  readonly #onFailure: (error: Error) => void;
  readonly #onVerified: (count: number, again: number) => void;
  readonly #verifier: ChosenVerifier;
  readonly #confirmed: SharedArrayBuffer | undefined;
  /** A turn is one claim with P-521, or cheaper ones that cost the same. */
  readonly #waiting: FairQueue<Waiting> = new FairQueue<Waiting>({
    costOf,
    turnCost: COST_TOGETHER,
  });
  #waitingCost = 0;
  readonly #digests: Map<string, Digest> = new Map();
  #isScheduled = false;
  #ended: Error | undefined;

  /** The threads keep the process alive until `close`. */
  constructor(
    count: number,
    options: {
      /** A thread fails. All pending and later checks reject. */
      readonly onFailure?: (error: Error) => void;
      /** `again`: repeated by the platform. */
      readonly onVerified?: (count: number, again: number) => void;
      readonly verifier?: ChosenVerifier;
    } = {},
  ) {
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#onVerified = options.onVerified ?? (() => undefined);
    this.#verifier = options.verifier ?? PLATFORM_VERIFIER;
    this.#confirmed = this.#verifier.name === "native" ? ConfirmedKeys.memory() : undefined;
    this.#threads = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  get verifierName(): ChosenVerifier["name"] {
    return this.#verifier.name;
  }

  get threadCount(): number {
    return this.#threads.length;
  }

  /** The last one; undefined for that of the curve's own size. */
  digestOf(publicKey: string): Digest | undefined {
    return this.#digests.get(publicKey);
  }

  /** Resolves to the fault of the block if the signature is invalid. Source: chain §6.5. */
  async checkBlock(claim: SignatureClaim): Promise<InvalidBlock | undefined> {
    const { publicKey, signedTexts: texts, signature, exact } = claim;
    return typeof (await this.check({ publicKey, texts, signature, exact })) === "number"
      ? undefined
      : new InvalidBlock(claim, "its signature does not fit the signed string and its actor's key");
  }

  /** Rejects if no thread will verify it. */
  check(claim: Claim): Promise<ClaimVerdict> {
    if (this.#ended !== undefined) {
      return Promise.reject(this.#ended);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...claim, resolve, reject }, claim);
      this.#waitingCost += costOf(claim);
      if (!this.#isScheduled) {
        // After pending events: claims that arrive together go together.
        this.#isScheduled = true;
        setImmediate(() => {
          this.#isScheduled = false;
          this.#send();
        });
      }
    });
  }

  /** Pending checks reject. */
  async close(): Promise<void> {
    this.#end(new Error("signatures are not checked any more"));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(index: number): Thread {
    const data: SignatureThreadData = { verifier: this.#verifier, confirmed: this.#confirmed };
    const worker = new Worker(new URL("./signature-thread.ts", import.meta.url), {
      name: `signatures-${index}`,
      workerData: data,
    });
    const thread: Thread = { worker, sent: [] };
    worker.on("message", (verified: Verified) => this.#take(thread, verified));
    worker.on("error", (error) => this.#fail(error as Error));
    worker.on("exit", (code) => this.#fail(new Error(`a signature thread ended with ${code}`)));
    return thread;
  }

  #take(thread: Thread, { verdicts, digests, verifications, again }: Verified): void {
    const answered = thread.sent.shift() ?? [];
    this.#send();
    this.#onVerified(verifications, again);
    for (const [position, { publicKey, resolve }] of answered.entries()) {
      const verdict = verdicts[position] as SignatureVerdict;
      if (typeof verdict === "number") {
        this.#noteDigest(publicKey, digests[position]);
      }
      resolve(verdict);
    }
  }

  #noteDigest(publicKey: string, digest: Digest | undefined): void {
    if (digest === undefined) {
      this.#digests.delete(publicKey);
      return;
    }
    this.#digests.set(publicKey, digest);
    if (this.#digests.size > DIGESTS_MAX) {
      this.#digests.delete(this.#digests.keys().next().value as string);
    }
  }

  #fail(error: Error): void {
    if (this.#ended === undefined) {
      this.#end(error);
      this.#onFailure(error);
    }
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    const left = this.#threads.flatMap(({ sent }) => sent.splice(0).flat());
    this.#waitingCost = 0;
    for (const { reject } of [...left, ...this.#waiting.takeAll()]) {
      reject(this.#ended);
    }
  }

  /** Evenly over the threads that can take more. */
  #send(): void {
    for (;;) {
      const thread = this.#freest();
      if (thread === undefined || this.#waiting.length === 0) {
        return;
      }
      const claims = this.#nextClaims();
      if (claims.length === 0) {
        continue; // all of them were abandoned
      }
      thread.sent.push(claims);
      thread.worker.postMessage(
        claims.map(({ publicKey, signature, texts, search, exact }): SentClaim => {
          const likely = search === undefined ? this.#digests.get(publicKey) : search.likely;
          return [publicKey, signature, texts, likely, search, exact];
        }),
      );
    }
  }

  /** At least one claim; drops abandoned ones. */
  #nextClaims(): Waiting[] {
    const share = Math.ceil(this.#waitingCost / this.#threads.length);
    const claims: Waiting[] = [];
    let cost = 0;
    this.#waiting.takeWhile((claim) => {
      const own = costOf(claim);
      const isAbandoned = claim.isAbandoned?.() === true;
      if (!isAbandoned) {
        if (claims.length > 0 && cost + own > Math.min(share, COST_TOGETHER)) {
          return false;
        }
        claims.push(claim);
        cost += own;
      } else {
        claim.resolve("abandoned");
      }
      this.#waitingCost -= own;
      return true;
    });
    return claims;
  }

  #freest(): Thread | undefined {
    let freest: Thread | undefined;
    for (const thread of this.#threads) {
      if (thread.sent.length < (freest?.sent.length ?? MESSAGES_AHEAD)) {
        freest = thread;
      }
    }
    return freest;
  }
}

function costOf({ publicKey, texts }: Claim): number {
  return texts.length * (COSTS[publicKey.length] ?? 1);
}
