import type { Message } from "./webhook-request.ts";

/**
 * Transactions after one that cannot be delivered that are delivered meanwhile, and their
 * characters. After a crash so many may be delivered twice.
 */
const TRANSACTIONS_MAX = 1000;
const CHARACTERS_MAX = 4 << 20;

/**
 * The first retry follows soon: otherwise a receiver that fails for one transaction in fifty would
 * fall behind if each waits for the previous one.
 */
const FIRST_RETRY = 1 / 20;
/** The longest pause between attempts; each is twice the previous one. */
export const LONGEST_RETRY_MS = 60_000;

export interface Delivery {
  readonly number: number;
  readonly message: Message;
  /** Addresses whose transactions are delivered in order. */
  readonly addresses: readonly string[];
  attempts: number;
  /** When it may be sent again, as `performance.now`. */
  dueMs: number;
  isUnderWay: boolean;
}

/**
 * The deliveries of one webhook from the oldest that has not succeeded: the next one, and the
 * position before which all have succeeded. It has no clock.
 */
export class DeliveryWindow {
  /** In ledger order; undefined for a delivered one. */
  #deliveries: (Delivery | undefined)[] = [];
  #characters = 0;
  /** Running number of the first unread transaction. */
  #end: number;

  constructor(position: number) {
    this.#end = position;
  }

  /** Running number of the first transaction not handled. */
  get position(): number {
    return this.#deliveries[0]?.number ?? this.#end;
  }

  get end(): number {
    return this.#end;
  }

  get hasRoom(): boolean {
    return this.#deliveries.length < TRANSACTIONS_MAX && this.#characters < CHARACTERS_MAX;
  }

  /** Adds deliveries found up to `end`, in ledger order. */
  add(found: readonly Pick<Delivery, "number" | "message" | "addresses">[], end: number): void {
    for (const each of found) {
      this.#deliveries.push({ ...each, attempts: 0, dueMs: 0, isUnderWay: false });
      this.#characters += each.message.body.length;
    }
    this.#end = end;
  }

  /**
   * The oldest delivery that is due and not being sent, none of whose addresses has an older one;
   * else when the first of them is due, ms, infinite if there is none.
   */
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

  /** Schedules a failed delivery again. `retryMs` is the pause before the second retry. */
  retry(delivery: Delivery, nowMs: number, retryMs: number): void {
    const { attempts } = delivery;
    const waitMs = attempts === 0 ? retryMs * FIRST_RETRY : backOffMs(attempts - 1, retryMs);
    delivery.dueMs = nowMs + waitMs;
    delivery.attempts += 1;
  }

  /** Removes a delivered one. */
  remove(delivery: Delivery): void {
    this.#characters -= delivery.message.body.length;
    this.#deliveries[this.#deliveries.indexOf(delivery)] = undefined;
    const first = this.#deliveries.findIndex((each) => each !== undefined);
    this.#deliveries.splice(0, first === -1 ? this.#deliveries.length : first);
  }

  /** Makes all failed ones due: the receiver has recovered. */
  retryAll(): void {
    for (const delivery of this.#deliveries) {
      if (delivery !== undefined) {
        delivery.dueMs = 0;
      }
    }
  }
}

/** The pause after so many failures, ms. Jitter, so that not all retry at once. */
export function backOffMs(failures: number, retryMs: number): number {
  const longest = Math.min(LONGEST_RETRY_MS, retryMs * 2 ** Math.min(failures, 20));
  return longest * (0.5 + Math.random() / 2);
}
