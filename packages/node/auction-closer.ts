import { type DueAuction, type LedgerReader, RULES, type RuledOperation } from "@moneta/ledger";
import {
  type AnyOperation,
  mrc010Auctionfinish,
  mrc401Auctionfinish,
  mrc402Auctionfinish,
  RawParameters,
  Refused,
  readRequest,
} from "@moneta/protocol";
import type { Admission } from "./admission/admission.ts";

/** How often auctions are looked for. */
const INTERVAL_MS = 1000;
/** So many of each kind are closed at once, so that a thousand auctions of one hour do not stand before everybody else. */
const TOGETHER = 100;

const FINISH: Readonly<
  Record<DueAuction["kind"], { readonly operation: AnyOperation; readonly parameter: string }>
> = {
  "token listing": { operation: mrc010Auctionfinish, parameter: "dexid" },
  item: { operation: mrc401Auctionfinish, parameter: "mrc401id" },
  "unit listing": { operation: mrc402Auctionfinish, parameter: "id" },
};

/**
 * Closes auctions that are over, as anybody may, by the ordinary operation: what it does is in the blocks, and every node replays it alike. Of several nodes that close
 * one at the same time the first does it and the others are refused. Source: mrc401 §17, docs/decisions.md.
 */
export class AuctionCloser {
  readonly #reading: () => LedgerReader;
  readonly #admission: Admission;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: {
    readonly reading: () => LedgerReader;
    readonly admission: Admission;
    /** Told when the ledger could not be read; it is tried again a second later. */
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#reading = options.reading;
    this.#admission = options.admission;
    this.#onFailure = options.onFailure;
  }

  /** Looks every second from now on. */
  start(): void {
    this.#timer = setTimeout(async () => {
      await this.closeDue().catch(this.#onFailure);
      if (!this.#isClosed) {
        this.start();
      }
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Closes what is over now. */
  async closeDue(): Promise<void> {
    const reader = this.#reading();
    const due = reader.dueAuctions.list(reader.state.time, TOGETHER);
    await Promise.all(due.map((auction) => this.#finish(auction)));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  // A refusal is none of our business: somebody else was faster, or the service is busy and we come again.
  async #finish({ kind, id }: DueAuction): Promise<void> {
    const { operation, parameter } = FINISH[kind];
    const raw = new RawParameters();
    raw.add(parameter, id);
    const request = readRequest(operation, raw);
    if (!(request instanceof Refused)) {
      const ruled = RULES.get(operation.name) as RuledOperation;
      await this.#admission.submitUnsigned(ruled, request, { decided: {}, client: undefined });
    }
  }
}
