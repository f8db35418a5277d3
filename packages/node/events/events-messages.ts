import type { WebhookNews, WebhookStart } from "../webhooks/webhook-sender.ts";
import type { EventFilter } from "./event-filter.ts";

/** What the events thread starts with. */
export interface EventsThreadData {
  readonly file: string;
  /** How long a stream goes without an event before it is told how far it has come, ms. */
  readonly heightAfterMs: number;
  readonly webhooks: readonly WebhookStart[];
  /** How long a webhook waits after its first failure, ms. */
  readonly webhookRetryMs: number;
}

/** What the main thread tells the events thread. */
export type ToEvents =
  /** There may be new blocks. */
  | { readonly kind: "blocks" }
  /** A stream from the transaction with this running number on. */
  | {
      readonly kind: "open";
      readonly stream: number;
      readonly filter: EventFilter;
      readonly position: number;
    }
  /** What a stream was sent of the past has left for its client: it can take more. */
  | { readonly kind: "drained"; readonly stream: number }
  | { readonly kind: "close"; readonly stream: number }
  /** The last `live` has been dealt with. */
  | { readonly kind: "taken" }
  /** So has the last `past`, whose client may not have read it. */
  | { readonly kind: "pastTaken" }
  | { readonly kind: "end" };

/** An event, made once, and the streams that it is for. */
export type Delivery = readonly [text: string, streams: readonly number[]];

/** What the events thread tells the main thread. */
export type FromEvents =
  /** News for streams that have come to the end of the ledger; the next ones come when these are taken. */
  | { readonly kind: "live"; readonly deliveries: readonly Delivery[] }
  /** A piece of the past for one stream; the next one for it comes when this has drained, and one for another stream when this has been taken. */
  | {
      readonly kind: "past";
      readonly stream: number;
      readonly text: string;
      readonly events: number;
    }
  /** How far streams have come that had no event for a while. */
  | { readonly kind: "heights"; readonly deliveries: readonly Delivery[] }
  | { readonly kind: "webhook"; readonly news: WebhookNews }
  /** Something could not be read or written; it is tried again. */
  | { readonly kind: "failure"; readonly message: string };
