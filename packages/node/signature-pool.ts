import { Worker } from "node:worker_threads";
import type { SignatureVerdict } from "@moneta/ledger";

/** A signature to be checked. */
export interface Claim {
  /** Canonical body of the signer's public key. */
  readonly publicKey: string;
  /** What may have been signed. */
  readonly texts: readonly string[];
  /** As it was sent. */
  readonly signature: string;
}

interface Waiting extends Claim {
  readonly resolve: (verdict: SignatureVerdict) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it has been sent and has not answered, a list for each message, oldest first. */
  readonly sent: (readonly Waiting[])[];
}

/** Claims in one message: enough to make its cost small beside theirs, few enough that the threads end at about the same time. */
const CLAIMS_TOGETHER = 16;
/** Messages that a thread is sent ahead, so that it need not wait for the next while the main thread is busy with answers. */
const MESSAGES_AHEAD = 4;

/**
 * Verifies signatures on threads of its own. Compared with the asynchronous `crypto.verify`, whose every call wakes a thread, threads that are handed several at a time
 * cost the calling thread a fraction. Source: ARCHITECTURE.md, third idea.
 */
export class SignaturePool {
  readonly #threads: readonly Thread[];
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;

  /** With `count` threads. They do not keep the process alive. */
  constructor(count: number) {
    this.#threads = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  /** What the signature is; resolves when a thread has looked at it. */
  check(claim: Claim): Promise<SignatureVerdict> {
    return new Promise((resolve) => {
      this.#waiting.push({ ...claim, resolve });
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

  /** Ends the threads, and whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(index: number): Thread {
    const worker = new Worker(new URL("./signature-thread.ts", import.meta.url), {
      name: `signatures-${index}`,
    });
    worker.unref();
    const thread: Thread = { worker, sent: [] };
    worker.on("message", (verdicts: readonly SignatureVerdict[]) => {
      const answered = thread.sent.shift() ?? [];
      this.#send();
      for (const [position, { resolve }] of answered.entries()) {
        resolve(verdicts[position] as SignatureVerdict);
      }
    });
    return thread;
  }

  /** Gives every thread something to do, what there is spread evenly over those that can take more. */
  #send(): void {
    for (;;) {
      const thread = this.#freest();
      if (thread === undefined || this.#waiting.length === 0) {
        return;
      }
      const share = Math.ceil(this.#waiting.length / this.#threads.length);
      const claims = this.#waiting.splice(0, Math.min(share, CLAIMS_TOGETHER));
      thread.sent.push(claims);
      thread.worker.postMessage(
        claims.flatMap(({ publicKey, texts, signature }) => [publicKey, signature, texts]),
      );
    }
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
