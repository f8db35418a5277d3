import type { Digest, SignatureVerdict } from "@moneta/ledger";
import { SignatureHandle } from "./signature-handle.ts";
import type { SearchStep, SentClaim, Verified } from "./signature-messages.ts";

/** A signature to be checked. */
export interface Claim {
  /** Canonical body of the signer's public key. */
  readonly publicKey: string;
  /** What may have been signed. */
  readonly texts: readonly string[];
  /** As it was sent. */
  readonly signature: string;
  readonly search?: SearchStep | undefined;
}

interface Waiting extends Claim {
  readonly resolve: (verdict: SignatureVerdict) => void;
  readonly reject: (failure: Error) => void;
}

interface Thread {
  readonly handle: SignatureHandle;
  /** What it has been sent and has not answered, a list for each message, oldest first. */
  readonly sent: (readonly Waiting[])[];
}

/** Texts in one message: enough to make its cost small beside theirs, few enough that the threads end at about the same time. */
const TEXTS_TOGETHER = 16;
/** Messages that a thread is sent ahead, so that it need not wait for the next while the main thread is busy with answers. */
const MESSAGES_AHEAD = 4;
/** Signers whose digest is remembered because it is not that of their curve. */
const DIGESTS_MAX = 10_000;

/**
 * Verifies signatures on threads of its own. Compared with the asynchronous `crypto.verify`, whose every call wakes a thread, threads that are handed several at a time
 * cost the calling thread a fraction. Source: ARCHITECTURE.md, third idea.
 */
export class SignaturePool {
  readonly #threads: readonly Thread[];
  readonly #onFailure: (error: Error) => void;
  readonly #onVerified: (count: number) => void;
  readonly #waiting: Waiting[] = [];
  #waitingTexts = 0;
  /** By public key, the one that was noted first in front. */
  readonly #digests: Map<string, Digest> = new Map();
  #isScheduled = false;
  /** Why nothing is checked any more. */
  #ended: Error | undefined;

  /** With `count` threads. They do not keep the process alive. */
  constructor(
    count: number,
    options: {
      /** Called if a thread fails: all checks that are under way reject, and so do later ones. */
      readonly onFailure?: (error: Error) => void;
      /** Told how many signatures have been verified. */
      readonly onVerified?: (count: number) => void;
    } = {},
  ) {
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#onVerified = options.onVerified ?? (() => undefined);
    this.#threads = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  get threadCount(): number {
    return this.#threads.length;
  }

  /** The digest that a signer last used, undefined for that of the curve's own size. */
  digestOf(publicKey: string): Digest | undefined {
    return this.#digests.get(publicKey);
  }

  /** What the signature is; resolves when a thread has checked it, rejects if none will. */
  check(claim: Claim): Promise<SignatureVerdict> {
    if (this.#ended !== undefined) {
      return Promise.reject(this.#ended);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...claim, resolve, reject });
      this.#waitingTexts += claim.texts.length;
      if (!this.#isScheduled) {
        // When the events at hand have been dealt with, so that what arrived together goes together.
        this.#isScheduled = true;
        setImmediate(() => {
          this.#isScheduled = false;
          this.#send();
        });
      }
    });
  }

  /** Ends the threads. Checks that are under way reject. */
  async close(): Promise<void> {
    this.#end(new Error("signatures are not checked any more"));
    await Promise.all(this.#threads.map(({ handle }) => handle.close()));
  }

  #start(index: number): Thread {
    const thread: Thread = {
      handle: new SignatureHandle(index, {
        onMessage: (verified) => this.#take(thread, verified),
        onFailure: (error) => this.#fail(error),
      }),
      sent: [],
    };
    return thread;
  }

  #take(thread: Thread, { verdicts, digests, verifications }: Verified): void {
    const answered = thread.sent.shift() ?? [];
    this.#send();
    this.#onVerified(verifications);
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
    this.#waitingTexts = 0;
    for (const { reject } of [...left, ...this.#waiting.splice(0)]) {
      reject(this.#ended);
    }
  }

  /** Gives every thread something to do, what there is spread evenly over those that can take more. */
  #send(): void {
    for (;;) {
      const thread = this.#freest();
      if (thread === undefined || this.#waiting.length === 0) {
        return;
      }
      const claims = this.#nextClaims();
      thread.sent.push(claims);
      thread.handle.post(
        claims.map(({ publicKey, signature, texts, search }): SentClaim => {
          const likely = search === undefined ? this.#digests.get(publicKey) : search.likely;
          return [publicKey, signature, texts, likely, search];
        }),
      );
    }
  }

  /** Takes a thread's share of the claims that wait: at least one, each counted as its texts. */
  #nextClaims(): Waiting[] {
    const share = Math.ceil(this.#waitingTexts / this.#threads.length);
    let count = 0;
    let texts = 0;
    for (const claim of this.#waiting) {
      if (count > 0 && texts + claim.texts.length > Math.min(share, TEXTS_TOGETHER)) {
        break;
      }
      count += 1;
      texts += claim.texts.length;
    }
    this.#waitingTexts -= texts;
    return this.#waiting.splice(0, count);
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
