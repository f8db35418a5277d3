import { setTimeout as delay } from "node:timers/promises";
import { isBeyond, type LedgerReader, type Outcome, opposite, TRADES_MAX } from "@moneta/ledger";
import {
  type BatchElement,
  type Bundle,
  entriesOf,
  type Fault,
  isSigned,
  type JsonTextError,
  KINDS_OF_PROBLEM,
  mrc040Create,
  mrc040Request,
  Refused,
  type Request,
  readRequest,
  refuse,
  signedBundle,
  type ValuesOf,
} from "@moneta/protocol";
import type { PlaceInBatch } from "../../admission/admission.ts";
import type { Service } from "../../service.ts";
import { SHUTTING_DOWN } from "../../write-state.ts";
import { elementId, noteList } from "../requests/list-element.ts";
import type { TurnBudget } from "../requests/turn-budget.ts";
import type { Answer } from "../responses/answer.ts";
import { WRITES, type WriteHandler } from "../writes/writes.ts";
import { countBundled } from "./batch-limits.ts";
import { doneResult, problemResult } from "./operation-result.ts";

/** Source: batches §1.5. */
const UNDER_WAY_MAX = 64;
/** Source: batches §1.5. */
const FULL_MS = 5000;
const CROWDED: Fault = {
  code: "9002",
  reason: "Too many results of batches have not been read",
  retryAfter: 1,
};
/** A hundred entries and trades take some 7 ms. Source: batches §1.5. */
const ENTRIES_UNDER_WAY_MAX = 500;
/** Source: accounts §11, protocols §9.6. */
const ENTRIES_OF_ONE_MAX = 100;
const MATCHED: ReadonlySet<string> = new Set([mrc040Create.name, mrc040Request.name]);
const LOOK_AGAIN_MS = 20;
/** Source: chain §4.3. */
const HEIGHT_DIGITS = 16;

export type ReadElement = (index: number) => BatchElement | Refused;

export interface BatchSurroundings {
  readonly service: Service;
  readonly client: string;
  readonly countRequest: () => Promise<Fault | undefined>;
  readonly countOperation: (name: string) => Promise<Fault | undefined>;
  readonly isAbandoned: () => boolean;
  /** Logs the fault, and returns the one for the client. */
  readonly faultOf: (thrown: unknown) => Fault;
  readonly budget: TurnBudget;
  /** Unread results take too much memory for more of them. */
  readonly isCrowded: () => boolean;
  readonly onResult: (result: string) => void;
}

export interface BatchAnswer {
  /** JSON texts, in the order of the elements. */
  readonly results: readonly string[];
  /** The newest block that they reflect, if not the newest of all. */
  readonly height: number | undefined;
}

export interface BatchEnd {
  readonly count: number;
  /** The newest block of its transactions. */
  readonly height: number | undefined;
  /** Why this element and all later ones were refused. */
  readonly stop: Fault | undefined;
  /** Or may have been. */
  readonly hasDone: boolean;
}

interface Place extends PlaceInBatch {
  readonly index: number;
  readonly isSubmitted: boolean;
  /** All previous elements were answered when it was started; else `othersAnswered`. */
  readonly isFirst: boolean;
  readonly othersAnswered: Promise<unknown>;
  /** Lets the next elements be submitted, and counts it as answered. */
  end(): void;
}

/** Admits elements side by side, submits them in order. Source: batches §1. */
export class BatchRun {
  readonly #surroundings: BatchSurroundings;
  readonly #results: Map<number, string> = new Map();
  readonly #ended: Set<number> = new Set();
  #height: number | undefined;
  #hasDone = false;
  /** When all elements that were started have been submitted or refused. */
  #submitted: Promise<unknown> = Promise.resolve();
  #answered: Promise<unknown> = Promise.resolve();
  #startedCount = 0;
  #resultCount = 0;
  #onResult: () => void = () => undefined;
  /** The first element that was refused because nothing more may be written now. */
  #stop: { readonly index: number; readonly fault: Fault } | undefined;
  /** By the ledger; their results have not been returned. */
  readonly #decided: Set<number> = new Set();
  readonly #entries: Map<number, number> = new Map();
  #entriesUnderWay = 0;

  constructor(surroundings: BatchSurroundings) {
    this.#surroundings = surroundings;
  }

  /** At most 64 are under way. Resolves when all results have been handed out. */
  async run(elements: Iterable<ReadElement> | AsyncIterable<ReadElement>): Promise<BatchEnd> {
    for await (const read of elements) {
      const index = this.#startedCount;
      await this.#begin(index, read);
      await this.#roomHere();
    }
    await this.#answered;
    return {
      count: this.#resultCount,
      height: this.#height,
      stop: this.#stop?.fault,
      hasDone: this.#hasDone,
    };
  }

  async #begin(index: number, read: ReadElement): Promise<void> {
    if (this.#stop === undefined) {
      const fault = this.#whyNot() ?? (await this.#countRequest(index));
      if (fault !== undefined) {
        this.#stopAt(index, fault);
      }
    }
    await this.#roomInQueue();
    if (this.#stop === undefined && this.#surroundings.isCrowded()) {
      this.#stopAt(index, CROWDED);
    }
    await this.#surroundings.budget.turn();
    const place = this.#placeOf(index);
    if (this.#stop === undefined) {
      void this.#answer(place, read);
    } else {
      place.end();
    }
  }

  async #roomHere(): Promise<void> {
    while (
      this.#startedCount - this.#resultCount >= UNDER_WAY_MAX ||
      this.#entriesUnderWay > ENTRIES_UNDER_WAY_MAX - ENTRIES_OF_ONE_MAX
    ) {
      await new Promise<void>((resolve) => {
        this.#onResult = resolve;
      });
    }
  }

  /** For queue and memory of results, up to 5 s. */
  async #roomInQueue(): Promise<void> {
    const { client, service } = this.#surroundings;
    const { admission, isEnding } = service;
    const until = performance.now() + FULL_MS;
    while (
      (admission.isFullFor(client) || this.#surroundings.isCrowded()) &&
      this.#stop === undefined &&
      !isEnding() &&
      performance.now() < until
    ) {
      await delay(LOOK_AGAIN_MS);
    }
  }

  #whyNot(): Fault | undefined {
    const { service, isAbandoned } = this.#surroundings;
    return service.isEnding() || isAbandoned() ? SHUTTING_DOWN : undefined;
  }

  /** The request itself has been counted once. */
  async #countRequest(index: number): Promise<Fault | undefined> {
    return index === 0 ? undefined : await this.#surroundings.countRequest();
  }

  #stopAt(index: number, fault: Fault): void {
    if (this.#stop === undefined || index < this.#stop.index) {
      this.#stop = { index, fault };
    }
  }

  #stopBefore(index: number): Fault | undefined {
    return this.#stop !== undefined && this.#stop.index < index ? this.#stop.fault : undefined;
  }

  /** Never rejects. */
  async #answer(place: Place, read: ReadElement): Promise<void> {
    try {
      const element = this.#surroundings.budget.timed(() => read(place.index));
      if (element instanceof Refused) {
        this.#refuse(place, element);
      } else {
        const answer = await this.#admit(place, element);
        if (answer instanceof Refused) {
          this.#refuse(place, answer, element);
        } else {
          this.#done(place.index, answer);
        }
      }
    } catch (thrown) {
      this.#hasDone = true; // it may have been
      this.#refuse(place, refuse(this.#surroundings.faultOf(thrown)));
    } finally {
      place.end();
    }
  }

  #placeOf(index: number): Place {
    const before = this.#submitted;
    const othersAnswered = this.#answered;
    const submitted = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    this.#submitted = before.then(() => submitted.promise);
    this.#answered = othersAnswered.then(() => answered.promise);
    const isFirst = this.#resultCount === index;
    this.#startedCount += 1;
    const decided = this.#decided;
    return {
      index,
      request: this,
      isFirst,
      othersAnswered,
      get isSubmitted() {
        return decided.has(index);
      },
      submitInOrder: async (submit): Promise<Outcome> => {
        await before;
        const stopped = this.#stopBefore(index);
        if (stopped !== undefined) {
          return { kind: "refused", fault: stopped };
        }
        decided.add(index);
        this.#hasDone = true;
        const outcome = submit();
        submitted.resolve();
        return await outcome;
      },
      end: () => {
        submitted.resolve();
        answered.resolve();
        this.#ended.add(index);
        this.#handOut();
      },
    };
  }

  /** As if the operation had been sent alone after the previous ones. */
  async #admit(
    place: Place,
    { operation, raw, idempotencyKey }: BatchElement,
  ): Promise<Answer | Refused> {
    const { service, client, countOperation, budget, isAbandoned } = this.#surroundings;
    const request = budget.timed(() => {
      noteList(raw, operation.parameters, raw);
      return readRequest(operation, raw);
    });
    if (request instanceof Refused) {
      return request;
    }
    const isBundle = operation === signedBundle;
    const entries = isBundle
      ? entriesOfBundle(request.values["body"] as Bundle)
      : MATCHED.has(operation.name)
        ? tradesMax(request, service.reading())
        : entriesOf(operation, request);
    this.#entries.set(place.index, entries);
    this.#entriesUnderWay += entries;
    if (entries > ENTRIES_OF_ONE_MAX) {
      await place.othersAnswered; // it goes alone
    }
    const exceeded =
      (await countOperation(operation.name)) ??
      (isBundle ? await countBundled(request, this.#surroundings.countRequest) : undefined);
    if (exceeded !== undefined) {
      return refuse(exceeded);
    }
    const handle = WRITES.get(operation.name) as WriteHandler;
    const attempt = (): Promise<Answer | Refused> =>
      budget.timed(() => handle(service, request, { client, place, isAbandoned, idempotencyKey }));
    const attemptLater = async (): Promise<Answer | Refused> => {
      await place.othersAnswered;
      await this.#roomInQueue();
      await budget.turn();
      const stopped = this.#stopBefore(place.index);
      if (stopped !== undefined) {
        return refuse(stopped);
      }
      // This turn may have read an older state.
      const late = await service.caughtUp();
      if (late !== undefined) {
        return late;
      }
      service.readingNewest();
      return await attempt();
    };

    // Admission chooses by the state that the others leave.
    const { decided = [] } = operation;
    const isOpen = decided.some((name) => request.params[name] === undefined);
    if (!place.isFirst && isOpen && isSigned(operation)) {
      return await attemptLater();
    }
    const answer = await attempt();
    return !place.isFirst &&
      answer instanceof Refused &&
      !place.isSubmitted &&
      KINDS_OF_PROBLEM[answer.fault.code].isFinal !== true
      ? await attemptLater()
      : answer;
  }

  #done(index: number, answer: Answer): void {
    this.#hasDone = true;
    this.#decided.add(index);
    this.#height = Math.max(this.#height ?? 0, heightOf(answer));
    this.#results.set(index, doneResult(answer));
  }

  #refuse(place: Place, { fault, index: at }: Refused, element?: BatchElement): void {
    const stop = stopFor(fault);
    if (stop !== undefined) {
      this.#stopAt(place.index, stop);
    }
    const id = element && elementId(element.raw, fault);
    this.#results.set(place.index, problemResult(place.index, fault, id, at));
  }

  #handOut(): void {
    while (this.#ended.delete(this.#resultCount)) {
      const index = this.#resultCount;
      const result = this.#resultOf(index);
      this.#results.delete(index);
      this.#decided.delete(index);
      this.#entriesUnderWay -= this.#entries.get(index) ?? 0;
      this.#entries.delete(index);
      this.#resultCount += 1;
      this.#surroundings.onResult(result);
    }
    this.#onResult();
  }

  /** Once the batch was stopped, only what the ledger had already got has its own result. */
  #resultOf(index: number): string {
    const { index: last, fault } = this.#stop ?? { index: Number.POSITIVE_INFINITY };
    return fault !== undefined && index >= last && !this.#decided.has(index)
      ? problemResult(index, fault)
      : (this.#results.get(index) as string);
  }
}

/** Later ones must not overtake an element that is sent again. Source: batches §1.5. */
function stopFor(fault: Fault): Fault | undefined {
  switch (fault.code) {
    case "9002":
    case "9003":
    case "9006":
      return fault;
    case "9004": {
      const reason = "It is not known yet whether an operation before it is done";
      return { code: "9002", reason, retryAfter: fault.retryAfter };
    }
    default:
      return undefined;
  }
}

/** The weight, and the trades that its orders may make together. */
function entriesOfBundle({ operations, weight }: Bundle): number {
  const hasOrders = operations.some(({ operation }) => MATCHED.has(operation.name));
  return weight + (hasOrders ? TRADES_MAX : 0);
}

/** None if the best price is too high now. Earlier orders are operations as well. */
function tradesMax({ values }: Request, { orderBook }: LedgerReader): number {
  const { basetoken, targettoken, side, price } = values as ValuesOf<
    typeof mrc040Create.parameters
  >;
  const book = { basetoken, targettoken, side: opposite(side) };
  const [best] = orderBook.levels(book, undefined, 1).items;
  const bestPrice = best === undefined ? undefined : BigInt(JSON.parse(best).price);
  const isTooDear = bestPrice === undefined || isBeyond(price, side, bestPrice);
  return isTooDear ? 0 : TRADES_MAX;
}

export function heightOf({ headers = {} }: Answer): number {
  return Number.parseInt((headers["Transaction-Id"] ?? "").slice(0, HEIGHT_DIGITS), 16);
}

/** An element that is no JSON makes the body none. */
export function malformedElement(index: number, { reason }: JsonTextError): Refused {
  return refuse({
    code: "1007",
    parameter: undefined,
    reason: `in operations[${index}] ${reason} of it`,
  });
}
