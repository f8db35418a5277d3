import { LedgerReader } from "@moneta/ledger";
import { Refused, refuse } from "@moneta/protocol";
import { OneAtATime } from "../../one-at-a-time.ts";
import type { Answer } from "../responses/answer.ts";
import type { Asking } from "./asking.ts";
import type { ReadContext } from "./read-handler.ts";

const RETRY_AFTER = 1;

/** Bytes kept of what was read: nearly every page is of other entries than the one before. */
const CACHE_BYTES = 1 << 20;

/** Makes a page of a list. Where it yields, it may go on in a later event-loop turn. */
type PageMaker = (reader: LedgerReader) => Generator<undefined, Answer | Refused>;

/**
 * Pages of lists that must ask so many ranges of an index that it takes several event-loop turns.
 * One page at a time, on a snapshot that it keeps to its end: so a quick read waits for one step of
 * one page, however many there are. Source: adr 4, adr 9.
 */
export class LongPages {
  readonly #file: string;
  readonly #clock: () => number;
  readonly #pages = new OneAtATime("pages of long lists");
  /** Its snapshot lasts for longer than a turn, which is as long as that of all others. */
  #reader: LedgerReader | undefined;

  /** Over the file that a `Ledger` has made. */
  constructor(file: string, clock: () => number) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Makes a page: at once if it is made without yielding on `reader`, the snapshot of this turn, else
   * in later turns. Refused with 9002 if too many pages wait, in all or of a client.
   */
  answer(
    make: PageMaker,
    reader: LedgerReader,
    { client, socket, later }: Pick<ReadContext, "client" | "socket" | "later">,
  ): Answer | Refused | Promise<Answer | Refused> {
    const { done, value } = make(reader).next();
    return done === true
      ? value
      : this.#pages.run(client(), () => this.#inTurns(make, { socket, later }));
  }

  /** Ends the connection. */
  dispose(): void {
    this.#reader?.dispose();
  }

  async #inTurns(
    make: PageMaker,
    { socket, later }: Omit<Asking, "client">,
  ): Promise<Answer | Refused> {
    this.#reader ??= new LedgerReader(this.#file, CACHE_BYTES);
    const reader = this.#reader;
    const making = make(reader);
    try {
      for (;;) {
        if (socket.destroyed) {
          const reason = "The client has disconnected";
          return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
        }
        const { done, value } = await later(() => {
          if (!reader.isOpen) {
            reader.open(this.#clock());
          }
          return making.next();
        });
        if (done === true) {
          return value instanceof Refused ? value : { ...value, height: reader.height };
        }
      }
    } finally {
      if (reader.isOpen) {
        reader.close();
      }
    }
  }
}
