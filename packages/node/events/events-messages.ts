import type { MessagePort } from "node:worker_threads";
import type { HeldLease } from "../cluster/housekeeping.ts";
import type { WebhookNews } from "../webhooks/webhook-sender.ts";
import type { WebhookStart } from "../webhooks/webhook-start.ts";
import type { EventFilter } from "./event-filter.ts";

export interface EventsThreadData {
  readonly file: string;
  /** Time without an event after which a stream gets the height, ms. */
  readonly heightAfterMs: number;
  readonly webhooks: readonly WebhookStart[];
  /** How long a webhook waits after its first failure, ms. */
  readonly webhookRetryMs: number;
  /** The port for calls to the shared rows of a cluster; undefined for a single node. */
  readonly rows: MessagePort | undefined;
}

/** To the events thread. */
export type ToEvents =
  /** There may be new blocks. */
  | { readonly kind: "blocks" }
  /** Opens a stream at the transaction with this running number. */
  | {
      readonly kind: "open";
      readonly stream: number;
      readonly filter: EventFilter;
      readonly position: number;
    }
  | { readonly kind: "drained"; readonly stream: number }
  /**
   * A client has too much to read: it got nothing of the message that began at this running number.
   * After `heldBack` and `drained` it reads that as its past.
   */
  | { readonly kind: "behind"; readonly stream: number; readonly from: number }
  | { readonly kind: "close"; readonly stream: number }
  /** The last `live` has been handled. */
  | { readonly kind: "taken" }
  /** All leases that this node of a cluster has now. */
  | { readonly kind: "leases"; readonly leases: readonly HeldLease[] }
  /** The last `past` has been handled; its client may not have read it. */
  | { readonly kind: "pastTaken" }
  | { readonly kind: "end" };

/** An event, made once, and its streams. */
export type Delivery = readonly [text: string, streams: readonly number[]];

/** From the events thread. */
export type FromEvents =
  /** New events for live streams. The next ones follow after `taken`. */
  | { readonly kind: "live"; readonly from: number; readonly deliveries: readonly Delivery[] }
  /**
   * A piece of the past for a stream. Its next one follows after `drained`, another stream's after
   * `pastTaken`.
   */
  | {
      readonly kind: "past";
      readonly stream: number;
      readonly text: string;
      readonly events: number;
    }
  /** Heights for streams that had no event for a while. */
  | { readonly kind: "heights"; readonly from: number; readonly deliveries: readonly Delivery[] }
  /** The reply to `behind`: nothing more comes for this stream until `drained`. */
  | { readonly kind: "heldBack"; readonly stream: number }
  | { readonly kind: "webhook"; readonly news: WebhookNews }
  /** Another node delivers to a webhook. */
  | { readonly kind: "webhookLeft"; readonly name: string }
  /** The ledger lacks the last transaction that was delivered to a webhook. */
  | { readonly kind: "webhookLost"; readonly name: string }
  /** Something could not be read or written. It is retried. */
  | { readonly kind: "failure"; readonly message: string };
