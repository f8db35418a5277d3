import type { MessagePort } from "node:worker_threads";
import type { HeldLease } from "../cluster/housekeeping.ts";
import type { WebhookNews } from "../webhooks/webhook-sender.ts";
import type { WebhookStart } from "../webhooks/webhook-start.ts";
import type { EventFilter } from "./event-filter.ts";

export interface EventsThreadData {
  readonly file: string;
  readonly heightAfterMs: number;
  readonly webhooks: readonly WebhookStart[];
  readonly webhookRetryMs: number;
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
  /** It got nothing of the message that began at `from`; after `drained` it reads that as past. */
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
  | { readonly kind: "heights"; readonly from: number; readonly deliveries: readonly Delivery[] }
  /** Nothing more comes for this stream until `drained`. */
  | { readonly kind: "heldBack"; readonly stream: number }
  | { readonly kind: "webhook"; readonly news: WebhookNews }
  | { readonly kind: "webhookLeft"; readonly name: string }
  /** The ledger lacks the last delivered transaction. */
  | { readonly kind: "webhookLost"; readonly name: string }
  | { readonly kind: "failure"; readonly message: string };
