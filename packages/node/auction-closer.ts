import { type DueAuction, type LedgerReader, RULES, type RuledOperation } from "@moneta/ledger";
import {
  type AnyOperation,
  addressRecoverFinish,
  mrc010Auctionfinish,
  mrc401Auctionfinish,
  mrc401Offerfinish,
  mrc402Auctionfinish,
  mrc402Offerfinish,
  Refused,
  readTexts,
} from "@moneta/protocol";
import type { Admission } from "./admission/admission.ts";

const INTERVAL_MS = 1000;
/** A thousand that end together must not delay other writes. */
const TOGETHER = 100;

const FINISH: Readonly<
  Record<DueAuction["kind"], { readonly operation: AnyOperation; readonly parameter: string }>
> = {
  "token listing": { operation: mrc010Auctionfinish, parameter: "dexid" },
  item: { operation: mrc401Auctionfinish, parameter: "mrc401id" },
  "unit listing": { operation: mrc402Auctionfinish, parameter: "id" },
  "item offer": { operation: mrc401Offerfinish, parameter: "offerid" },
  "unit offer": { operation: mrc402Offerfinish, parameter: "offerid" },
  recovery: { operation: addressRecoverFinish, parameter: "address" },
};

/** By ordinary operations of any node. Source: mrc401 §2.3, offers §5, authority §4.4. */
export class AuctionCloser {
  readonly #reading: () => LedgerReader;
  readonly #admission: Admission;
  readonly #isMine: () => boolean;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: {
    readonly reading: () => LedgerReader;
    readonly admission: Admission;
    /** Source: cluster §7. */
    readonly isMine?: () => boolean;
    /** The next attempt follows a second later. */
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#reading = options.reading;
    this.#admission = options.admission;
    this.#isMine = options.isMine ?? (() => true);
    this.#onFailure = options.onFailure;
  }

  start(): void {
    this.#timer = setTimeout(async () => {
      await this.closeDue().catch(this.#onFailure);
      if (!this.#isClosed) {
        this.start();
      }
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  async closeDue(): Promise<void> {
    if (!this.#isMine()) {
      return;
    }
    const reader = this.#reading();
    const due = reader.dueAuctions.list(reader.state.time, TOGETHER);
    await Promise.all(due.map((auction) => this.#finish(auction)));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  // Refusals are ignored: another node was faster, or the next round retries.
  async #finish({ kind, id }: DueAuction): Promise<void> {
    const { operation, parameter } = FINISH[kind];
    const request = readTexts(operation, { [parameter]: id });
    if (!(request instanceof Refused)) {
      const ruled = RULES.get(operation.name) as RuledOperation;
      await this.#admission.submit([{ ruled, request }], { client: undefined });
    }
  }
}
