import type { NotKept } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { OneAtATime } from "../one-at-a-time.ts";
import { ThreadCalls } from "../thread-calls.ts";
import type {
  ArchivedRead,
  ArchivedReads,
  ArchiveThreadData,
  FromArchive,
  ToArchive,
} from "./archive-read-messages.ts";

const READ_MS = 10_000;
const PAUSE_MS = 2000;
const WAITING_MAX = 32;
const OF_ONE_MAX = 4;

/** Reads missing blocks from an archive on a thread of its own. Source: proofs §6. */
export class ArchiveReads {
  readonly url: string | undefined;
  readonly #thread: ThreadCalls<ToArchive, FromArchive>;
  readonly #runs = new OneAtATime("reads of the archive", WAITING_MAX, OF_ONE_MAX);
  readonly #readMs: number;
  readonly #onResult: (wrong: string | undefined) => void;
  #pausedUntilMs = 0;
  #isClosed = false;

  /** `onResult` gets why a read has failed, if it has. */
  constructor(
    data: ArchiveThreadData,
    onResult: (wrong: string | undefined) => void,
    readMs = READ_MS,
  ) {
    this.#onResult = onResult;
    this.#readMs = readMs;
    this.url = /^https?:/i.test(data.archive) ? data.archive : undefined;
    this.#thread = new ThreadCalls({
      file: new URL("./archive-read-thread.ts", import.meta.url),
      name: "archive",
      data,
    });
  }

  /** `notKept` if the archive fails or is wrong, 9002 if too many reads wait. */
  async read<R extends ArchivedRead>(
    message: ToArchive<R>,
    { client, notKept }: { readonly client: () => string; readonly notKept: NotKept },
  ): Promise<{ readonly found: ArchivedReads[R][1] } | Refused> {
    return await this.#runs.run(client(), async () => {
      const answer = await this.#answer(message);
      return "found" in answer
        ? (answer as { readonly found: ArchivedReads[R][1] })
        : refuse({ ...notKept.fault, archive: this.url, isArchiveAway: true });
    });
  }

  async #answer(message: ToArchive): Promise<FromArchive> {
    if (performance.now() < this.#pausedUntilMs) {
      return { wrong: "" };
    }
    // Ends the thread, which may wait for a folder on another machine.
    let late: string | undefined;
    const timer = setTimeout(() => {
      late = `it did not respond within ${this.#readMs} ms`;
      void this.#thread.close();
    }, this.#readMs);
    const answer = await this.#thread
      .call(message)
      .catch((thrown: Error): FromArchive => ({ wrong: late ?? thrown.message }))
      .finally(() => clearTimeout(timer));
    const wrong = "wrong" in answer ? answer.wrong : undefined;
    if (wrong !== undefined) {
      this.#pausedUntilMs = performance.now() + PAUSE_MS;
    }
    if (!this.#isClosed) {
      this.#onResult(wrong);
    }
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }
}
