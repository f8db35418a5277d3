import type { Outcome } from "@moneta/ledger";
import type { SeededRandom } from "../testing/seeded-random.ts";
import type { SendTogether } from "./crossing-keys.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** An operation in a client's book. */
export interface BookEntry {
  readonly text: string;
  /** Its temporary key, by which the log is searched. */
  readonly key: string;
  /** Whether another operation has the same key, so that one of them must be refused. */
  readonly isRival: boolean;
  /** For an operation concurrent with others: the codes with which it may be refused. */
  readonly mayBeRefused: readonly string[] | undefined;
  /** Ids in its responses; all of them must be equal. */
  readonly ids: Set<string>;
  /** Codes that it was refused with for good. */
  readonly refusals: Set<string>;
  /** Whether it was sent once, and the response was that nothing was written. */
  isGivenUp: boolean;
}

/** Makes a new operation, and another one with the same temporary key. */
type Make = () => { readonly text: string; readonly key: string; readonly rival: string };

/** Refusals after which the same operation may be sent again. */
const FOR_NOW: ReadonlySet<string> = new Set(["9002", "9003", "9004", "9006"]);

/** The time after which a client tries another node. */
const PATIENCE_MS = 30_000;

/**
 * A client that sends operations one by one, and repeats each at any node until its outcome is
 * known. Sometimes it repeats one with a known outcome, or sends the same to all nodes at once.
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
          /** A new operation, and another one with the same temporary key. */
          readonly make: Make;
        }
      | {
          /** Sends several operations concurrently. */
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

  /** Begins nothing new from now on. */
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

  /**
   * Repeats until there is an outcome; without patience, or until a response shows that nothing was
   * written.
   */
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

  /** Undefined without a response: the node has ended, or does not respond. */
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
