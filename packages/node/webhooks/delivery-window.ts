import type { Message } from "./webhook-request.ts";

/** Delivered meanwhile; after a crash so many may be delivered twice. */
const TRANSACTIONS_MAX = 1000;
const CHARACTERS_MAX = 4 << 20;

/** Soon: a receiver that fails for one transaction in fifty would fall behind. */
const FIRST_RETRY = 1 / 20;
/** Each pause is twice the previous one. */
export const LONGEST_RETRY_MS = 60_000;

export interface Delivery {
  readonly number: number;
  readonly message: Message;
  /** Their transactions are delivered in order. */
  readonly addresses: readonly string[];
  attempts: number;
  /** As `performance.now`. */
  dueMs: number;
  isUnderWay: boolean;
}

/** The deliveries of one webhook from the oldest that has not succeeded. It has no clock. */
export class DeliveryWindow {
  /** In ledger order; undefined for a delivered one. */
  #deliveries: (Delivery | undefined)[] = [];
  #characters = 0;
  /** Of the first unread transaction. */
  #end: number;

  constructor(position: number) {
    this.#end = position;
  }

  get position(): number {
    return this.#deliveries[0]?.number ?? this.#end;
  }

  get end(): number {
    return this.#end;
  }

  get hasRoom(): boolean {
    return this.#deliveries.length < TRANSACTIONS_MAX && this.#characters < CHARACTERS_MAX;
  }

  add(found: readonly Pick<Delivery, "number" | "message" | "addresses">[], end: number): void {
    for (const each of found) {
      this.#deliveries.push({ ...each, attempts: 0, dueMs: 0, isUnderWay: false });
      this.#characters += each.message.body.length;
    }
    this.#end = end;
  }

  /** Due, and no older one of its addresses; else when one is due, ms, or Infinity. */
  next(nowMs: number): Delivery | number {
    const before = new Set<string>();
    let dueMs = Number.POSITIVE_INFINITY;
    for (const delivery of this.#deliveries) {
      if (delivery === undefined) {
        continue;
      }
      const { addresses } = delivery;
      if (!delivery.isUnderWay && !addresses.some((address) => before.has(address))) {
        if (delivery.dueMs <= nowMs) {
          return delivery;
        }
        dueMs = Math.min(dueMs, delivery.dueMs);
      }
      for (const address of addresses) {
        before.add(address);
      }
    }
    return dueMs;
  }

  /** `retryMs` is the pause before the second retry. */
  retry(delivery: Delivery, nowMs: number, retryMs: number): void {
    const { attempts } = delivery;
    const waitMs = attempts === 0 ? retryMs * FIRST_RETRY : backOffMs(attempts - 1, retryMs);
    delivery.dueMs = nowMs + waitMs;
    delivery.attempts += 1;
  }

  remove(delivery: Delivery): void {
    this.#characters -= delivery.message.body.length;
    this.#deliveries[this.#deliveries.indexOf(delivery)] = undefined;
    const first = this.#deliveries.findIndex((each) => each !== undefined);
    this.#deliveries.splice(0, first === -1 ? this.#deliveries.length : first);
  }

  /** The receiver has recovered. */
  retryAll(): void {
    for (const delivery of this.#deliveries) {
      if (delivery !== undefined) {
        delivery.dueMs = 0;
      }
    }
  }
}

/** In ms. Jitter, so that not all retry at once. */
export function backOffMs(failures: number, retryMs: number): number {
  const longest = Math.min(LONGEST_RETRY_MS, retryMs * 2 ** Math.min(failures, 20));
  return longest * (0.5 + Math.random() / 2);
}
