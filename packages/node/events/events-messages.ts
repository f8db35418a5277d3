import type { MessagePort } from "node:worker_threads";
import type { HeldLease } from "../cluster/housekeeping.ts";
import type { WebhookNews } from "../webhooks/webhook-sender.ts";
import type { WebhookStart } from "../webhooks/webhook-start.ts";
import type { EventFilter } from "./event-filter.ts";

export interface EventsThreadData {
  readonly file: string;
  /** Time without an event, ms. */
  readonly heightAfterMs: number;
  readonly webhooks: readonly WebhookStart[];
  /** After a first failure, ms. */
  readonly webhookRetryMs: number;
  /** Undefined for a single node. */
  readonly rows: MessagePort | undefined;
}

export type ToEvents =
  | { readonly kind: "blocks" }
  /** At the transaction with this running number. */
  | {
      readonly kind: "open";
      readonly stream: number;
      readonly filter: EventFilter;
      readonly position: number;
    }
  | { readonly kind: "drained"; readonly stream: number }
  /**
   * A slow client got nothing of the message that began at `from`; after `heldBack` and `drained`
   * it reads that as its past.
   */
  | { readonly kind: "behind"; readonly stream: number; readonly from: number }
  | { readonly kind: "close"; readonly stream: number }
  | { readonly kind: "taken" }
  | { readonly kind: "leases"; readonly leases: readonly HeldLease[] }
  /** Its client may not have read it. */
  | { readonly kind: "pastTaken" }
  | { readonly kind: "end" };

/** An event, made once, and its streams. */
export type Delivery = readonly [text: string, streams: readonly number[]];

export type FromEvents =
  /** The next ones follow after `taken`. */
  | { readonly kind: "live"; readonly from: number; readonly deliveries: readonly Delivery[] }
  /** The stream's next piece follows after `drained`, another stream's after `pastTaken`. */
  | {
      readonly kind: "past";
      readonly stream: number;
      readonly text: string;
      readonly events: number;
    }
  /** For streams that had no event for a while. */
  | { readonly kind: "heights"; readonly from: number; readonly deliveries: readonly Delivery[] }
  /** Nothing more comes for this stream until `drained`. */
  | { readonly kind: "heldBack"; readonly stream: number }
  | { readonly kind: "webhook"; readonly news: WebhookNews }
  | { readonly kind: "webhookLeft"; readonly name: string }
  /** The ledger lacks the last delivered transaction. */
  | { readonly kind: "webhookLost"; readonly name: string }
  /** It is retried. */
  | { readonly kind: "failure"; readonly message: string };
