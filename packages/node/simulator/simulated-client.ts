import type { Outcome } from "@moneta/ledger";
import type { SeededRandom } from "../testing/seeded-random.ts";
import type { SendTogether } from "./crossing-keys.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface BookEntry {
  readonly text: string;
  readonly key: string;
  /** Another one has the same key: one of them must be refused. */
  readonly isRival: boolean;
  /** Codes, for an operation concurrent with others. */
  readonly mayBeRefused: readonly string[] | undefined;
  /** In its responses; all of them must be equal. */
  readonly ids: Set<string>;
  /** Codes, for good. */
  readonly refusals: Set<string>;
  /** Sent once, and nothing was written by the response. */
  isGivenUp: boolean;
}

/** `rival` has the same temporary key. */
type Make = () => { readonly text: string; readonly key: string; readonly rival: string };

/** The same operation may be sent again. */
const FOR_NOW: ReadonlySet<string> = new Set(["9002", "9003", "9004", "9006"]);

const PATIENCE_MS = 30_000;

/**
 * Repeats operations until their outcome is known; sometimes also afterwards, or at all nodes at
 * once.
 */
export class SimulatedClient {
  readonly name: string;
  readonly book: BookEntry[] = [];
  readonly #nodes: readonly SimulatedNode[];
  readonly #time: VirtualTime;
  readonly #trace: Trace;
  readonly #random: SeededRandom;
  readonly #doOne: () => Promise<void>;
  #isEnding = false;
  isAtRest = false;

  constructor(
    name: string,
    parts: {
      readonly nodes: readonly SimulatedNode[];
      readonly time: VirtualTime;
      readonly trace: Trace;
      readonly random: SeededRandom;
    } & (
      | {
          readonly make: Make;
        }
      | {
          readonly cross: (send: SendTogether) => Promise<void>;
        }
    ),
  ) {
    this.name = name;
    this.#nodes = parts.nodes;
    this.#time = parts.time;
    this.#trace = parts.trace;
    this.#random = parts.random;
    this.#doOne =
      "make" in parts
        ? () => this.#doOneOf(parts.make())
        : () => parts.cross((all) => this.#sendTogether(all));
  }

  finish(): void {
    this.#isEnding = true;
  }

  async run(): Promise<void> {
    while (!this.#isEnding) {
      await this.#pause(this.#random.integer({ min: 0, max: 1500 }));
      await this.#doOne();
    }
    this.isAtRest = true;
  }

  async #sendTogether(all: Parameters<SendTogether>[0]): Promise<readonly boolean[]> {
    const entries = all.map(({ text, key, mayBeRefused }) =>
      this.#enter(text, key, false, mayBeRefused),
    );
    await Promise.all(entries.map((entry) => this.#settle(entry)));
    return entries.map(({ ids }) => ids.size > 0);
  }

  async #doOneOf({ text, key, rival }: ReturnType<Make>): Promise<void> {
    const way = this.#random.integer({ min: 0, max: 9 });
    if (way === 0) {
      const both = [this.#enter(text, key, true), this.#enter(rival, key, true)];
      await Promise.all(both.map((entry) => this.#settle(entry)));
      return;
    }
    const entry = this.#enter(text, key, false);
    if (way >= 7) {
      await this.#settle(entry, { isPatient: false });
      return;
    }
    if (way === 1) {
      await Promise.all(this.#nodes.map((node) => this.#settle(entry, { first: node })));
      return;
    }
    await this.#settle(entry);
    if (way === 2) {
      await this.#settle(entry);
    }
  }

  #enter(text: string, key: string, isRival: boolean, mayBeRefused?: readonly string[]): BookEntry {
    const entry = {
      ...{ text, key, isRival, mayBeRefused },
      ids: new Set<string>(),
      refusals: new Set<string>(),
      isGivenUp: false,
    };
    this.book.push(entry);
    return entry;
  }

  /** Until there is an outcome; without patience, or until nothing was written. */
  async #settle(
    entry: BookEntry,
    {
      first = this.#random.pick(this.#nodes),
      isPatient = true,
    }: { readonly first?: SimulatedNode; readonly isPatient?: boolean } = {},
  ): Promise<void> {
    let node = first;
    for (let isFirst = true; ; isFirst = false) {
      const outcome = await this.#ask(node, entry.text);
      this.#trace.add(this.name, `${entry.key.slice(-12)} at ${node.name}: ${summaryOf(outcome)}`);
      if (outcome !== undefined && outcome.kind !== "refused") {
        entry.ids.add(outcome.transactionIds[0]);
        return;
      }
      if (outcome !== undefined && !FOR_NOW.has(outcome.fault.code)) {
        entry.refusals.add(outcome.fault.code);
        return;
      }
      if (isFirst && !isPatient && outcome?.fault.code === "9002") {
        entry.isGivenUp = true;
        return;
      }
      await this.#pause(this.#random.integer({ min: 50, max: 1000 }));
      node = this.#random.pick(this.#nodes);
    }
  }

  /** Undefined without a response. */
  async #ask(node: SimulatedNode, text: string): Promise<Outcome | undefined> {
    return await new Promise<Outcome | undefined>((resolve) => {
      const timer = this.#time.after(PATIENCE_MS, () => resolve(undefined));
      node.submit(text, (outcome) => {
        timer.cancel();
        resolve(outcome);
      });
    });
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#time.after(ms, resolve));
  }
}

function summaryOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) {
    return "no answer";
  }
  return outcome.kind === "refused"
    ? `refused ${outcome.fault.code}`
    : `${outcome.kind} ${outcome.transactionIds[0]}`;
}
