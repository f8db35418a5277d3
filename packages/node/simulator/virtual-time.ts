import { setImmediate as turn } from "node:timers/promises";

interface Event {
  readonly atMs: number;
  /** Order of events of one moment. */
  readonly order: number;
  call: (() => void) | undefined;
}

/** Turns of the real event loop in which an event's promises and immediates come to rest. */
const TURNS_TO_REST = 3;

/** It passes only when nothing else is left to do, from one event to the next. */
export class VirtualTime {
  #nowMs = 0;
  #scheduled = 0;
  /** A binary heap, the next event first. */
  readonly #events: Event[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, call: () => void): { cancel(): void } {
    const event: Event = { atMs: this.#nowMs + Math.max(0, ms), order: this.#scheduled, call };
    this.#scheduled += 1;
    this.#push(event);
    return {
      cancel() {
        event.call = undefined;
      },
    };
  }

  /** Until the condition holds (true), or until a moment. */
  async passUntil(condition: () => boolean, untilMs: number): Promise<boolean> {
    for (;;) {
      for (let count = 0; count < TURNS_TO_REST; count += 1) {
        await turn();
      }
      if (condition()) {
        return true;
      }
      const next = this.#events[0];
      if (next === undefined || next.atMs > untilMs) {
        this.#nowMs = Math.max(this.#nowMs, untilMs);
        return false;
      }
      this.#pop();
      this.#nowMs = next.atMs;
      next.call?.();
    }
  }

  #push(event: Event): void {
    const events = this.#events;
    let place = events.length;
    events.push(event);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(events[parent] as Event, event)) {
        break;
      }
      events[place] = events[parent] as Event;
      place = parent;
    }
    events[place] = event;
  }

  #pop(): void {
    const events = this.#events;
    const last = events.pop() as Event;
    if (events.length === 0) {
      return;
    }
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= events.length) {
        break;
      }
      if (
        child + 1 < events.length &&
        isBefore(events[child + 1] as Event, events[child] as Event)
      ) {
        child += 1;
      }
      if (isBefore(last, events[child] as Event)) {
        break;
      }
      events[place] = events[child] as Event;
      place = child;
    }
    events[place] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
