import { setTimeout as delay } from "node:timers/promises";
import { type BlockPlace, type LedgerReader, SYSTEM_TIME } from "@moneta/ledger";
import type { Lease, WebhookRow } from "@moneta/ledger/postgres";
import { parseTransactionId } from "@moneta/protocol";
import type { ReadSnapshot } from "../events/read-snapshot.ts";
import type { WebhookProgress } from "../webhooks/webhook-progress.ts";
import type { HeldLease } from "./housekeeping.ts";
import { isOfRows, type RemoteRows } from "./row-calls.ts";

const AGAIN_MS = 1000;

export function webhookLease(id: string): string {
  return `webhook ${id}`;
}

export interface SharedProgressOptions {
  readonly webhook: WebhookRow;
  /** The position of a single node that was moved here. */
  readonly kept: string | undefined;
  /** The first block of a new webhook; undefined for the next one. */
  readonly from: number | undefined;
  readonly readSnapshot: ReadSnapshot;
  /** The ledger lacks the last delivered transaction: deliveries resume with the next one. */
  readonly onLost: () => void;
  readonly onFailure: (message: string) => void;
}

/**
 * Only the lease's holder moves the row, from the seen position: no event is lost.
 * Source: cluster §7.
 */
export class SharedProgress implements WebhookProgress {
  readonly #rows: RemoteRows;
  readonly #options: SharedProgressOptions;
  readonly #name: string;
  #held: HeldLease | undefined;
  #tenure: { readonly lease: Lease; after: string } | undefined;
  #change: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #ending: AbortController = new AbortController();

  constructor(rows: RemoteRows, options: SharedProgressOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#name = webhookLease(options.webhook.id);
  }

  take(leases: readonly HeldLease[]): void {
    this.#held = leases.find(({ name }) => name === this.#name);
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  get isMine(): boolean {
    return this.#tenure !== undefined && this.#lease?.number === this.#tenure.lease.number;
  }

  async begin(): Promise<number | undefined> {
    this.#tenure = undefined;
    while (!this.#ending.signal.aborted) {
      const lease = this.#lease;
      if (lease === undefined) {
        await this.#change.promise;
        continue;
      }
      const position = await this.#find(lease);
      if (position !== undefined) {
        return position;
      }
      await delay(AGAIN_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
    return undefined;
  }

  end(): void {
    this.#ending.abort();
    this.#change.resolve();
  }

  async keep(to: string): Promise<boolean> {
    const tenure = this.#tenure;
    if (tenure === undefined) {
      return false;
    }
    const { webhook, readSnapshot } = this.#options;
    const block = readSnapshot((reader) => blockOf(reader, to));
    try {
      const { lease, after: from } = tenure;
      const isMoved = await this.#rows.call("moveWebhook", webhook, { from, to, block, lease });
      if (isMoved) {
        tenure.after = to;
      } else {
        // Another node has continued, a move without a reply was done, or the log lacks the block.
        this.#tenure = undefined;
      }
      return isMoved;
    } catch (thrown) {
      this.#note(thrown);
      return false;
    }
  }

  get #lease(): Lease | undefined {
    const held = this.#held;
    return held !== undefined && SYSTEM_TIME.nowMs() < held.untilMs ? held : undefined;
  }

  async #find(lease: Lease): Promise<number | undefined> {
    const { webhook, readSnapshot } = this.#options;
    try {
      const { after, logHeight } = await this.#rows.call("webhook", webhook.id);
      // In one snapshot: a transaction between two of them would be taken for lost.
      const { known, first } = readSnapshot((reader) => {
        const place = after === undefined ? undefined : placeAfter(reader, after);
        return place !== undefined || reader.height < logHeight
          ? { known: place, first: undefined }
          : { known: undefined, first: this.#first(reader, after) };
      });
      if (after !== undefined && known !== undefined) {
        this.#tenure = { lease, after };
        return known;
      }
      if (first !== undefined && after === undefined) {
        await this.#rows.call("beginWebhook", webhook, first);
      } else if (first !== undefined && after !== undefined) {
        const block = readSnapshot((reader) => blockOf(reader, first));
        await this.#rows.call("moveWebhook", webhook, { from: after, to: first, block, lease });
      }
    } catch (thrown) {
      this.#note(thrown);
    }
    return undefined;
  }

  /** Undefined if the webhook's first block is not there yet. */
  #first(reader: LedgerReader, lost: string | undefined): string | undefined {
    const { kept, from, onLost } = this.#options;
    if (lost !== undefined) {
      onLost();
    }
    if (lost === undefined && kept !== undefined && placeAfter(reader, kept) !== undefined) {
      return kept;
    }
    const position =
      lost !== undefined || from === undefined ? reader.size : reader.firstTransactionOf(from);
    return position === undefined ? undefined : (reader.transactionIdOf(position - 1) ?? "");
  }

  #note(thrown: unknown): void {
    if (!isOfRows(thrown)) {
      throw thrown;
    }
    this.#options.onFailure(`how far a webhook has come is not known: ${thrown.message}`);
  }
}

function placeAfter(reader: LedgerReader, after: string): number | undefined {
  if (after === "") {
    return 0;
  }
  const name = parseTransactionId(after);
  // Left to a node with the blocks of that time.
  if (name !== undefined && name.height < reader.firstKept && reader.firstKept > 1) {
    return undefined;
  }
  const number = name && reader.transactionNumber(name);
  return number === undefined ? undefined : number + 1;
}

function blockOf(reader: LedgerReader, id: string): BlockPlace | undefined {
  const name = parseTransactionId(id);
  const isKept = name !== undefined && (name.height === 0 || name.height >= reader.firstKept);
  const block = isKept ? reader.block({ height: name.height }) : undefined;
  return block && { height: block.header.sn, id: block.id };
}
