import { setTimeout as delay } from "node:timers/promises";
import { LedgerReader } from "@moneta/ledger";
import { Refused } from "@moneta/protocol";
import { OneAtATime } from "../../one-at-a-time.ts";
import { type ReadContext, refuseUnawaited } from "./read-context.ts";

/** Small: nearly every page has other entries than the one before. */
const CACHE_BYTES = 1 << 20;

/** Most are made in some 10 ms. */
const WAITING_MAX = 32;

interface OfBlock {
  readonly height?: number;
}

type PageMaker<A extends OfBlock> = (reader: LedgerReader) => Generator<undefined, A | Refused>;

interface AskedPage {
  readonly list: string;
  readonly values: object;
}

interface Waiting {
  readonly page: Promise<OfBlock | Refused>;
  readonly sockets: ReadContext["socket"][];
}

/** One page at a time, on one snapshot: a quick read waits for one step. Source: ADR 4. */
export class LongPages {
  readonly #file: string;
  readonly #clock: () => number;
  readonly #pages = new OneAtATime("pages of long lists", WAITING_MAX);
  readonly #waiting: Map<string, Waiting> = new Map();
  /** Its snapshot lasts for longer than a turn, unlike all others. */
  #reader: LedgerReader | undefined;
  /** By the monotonic clock. */
  #restUntilMs = 0;

  constructor(file: string, clock: () => number) {
    this.#file = file;
    this.#clock = clock;
  }

  /** In later turns unless it is made without yielding. 9002 if too many pages wait. */
  answer<A extends OfBlock>(
    asked: AskedPage,
    make: PageMaker<A>,
    reader: LedgerReader,
    { client, socket, later }: Omit<ReadContext, "header">,
  ): A | Refused | Promise<A | Refused> {
    const same = this.#waiting.size === 0 ? undefined : this.#waiting.get(nameOf(asked));
    if (same !== undefined) {
      same.sockets.push(socket);
      return same.page as Promise<A | Refused>;
    }
    const { done, value } = make(reader).next();
    if (done === true) {
      return value;
    }
    const name = nameOf(asked);
    const sockets = [socket];
    const page = this.#pages.run(client(), () => {
      // Later requests may need a newer state.
      this.#waiting.delete(name);
      return this.#inTurns(make, sockets, later);
    });
    if (!(page instanceof Refused)) {
      this.#waiting.set(name, { page, sockets });
    }
    return page;
  }

  dispose(): void {
    this.#reader?.dispose();
  }

  async #inTurns<A extends OfBlock>(
    make: PageMaker<A>,
    sockets: Waiting["sockets"],
    later: ReadContext["later"],
  ): Promise<A | Refused> {
    this.#reader ??= new LedgerReader(this.#file, CACHE_BYTES);
    const reader = this.#reader;
    const making = make(reader);
    await this.#rest();
    const beganMs = performance.now();
    try {
      for (;;) {
        const unawaited = refuseUnawaited(sockets, "page");
        if (unawaited !== undefined) {
          return unawaited;
        }
        const { done, value } = await later(() => {
          if (!reader.isOpen) {
            reader.open(this.#clock());
          }
          return making.next();
        });
        if (done === true) {
          return value instanceof Refused ? value : { height: reader.height, ...value };
        }
      }
    } finally {
      if (reader.isOpen) {
        reader.close();
      }
      const endedMs = performance.now();
      this.#restUntilMs = endedMs + (endedMs - beganMs);
    }
  }

  /** As long as the previous page took: the WAL would grow without a bound. */
  async #rest(): Promise<void> {
    const restMs = this.#restUntilMs - performance.now();
    if (restMs > 0) {
      await delay(restMs, undefined, { ref: false });
    }
  }
}

function nameOf({ list, values }: AskedPage): string {
  return `${list} ${JSON.stringify(values)}`;
}
