import { randomBytes } from "node:crypto";
import {
  type Actor,
  type BatchWrite,
  type BundledOperation,
  type Moneta,
  ProblemError,
  type SentBundle,
} from "@moneta/sdk";
import {
  type BatchLine,
  type BatchLines,
  type BundledLines,
  needsSignature,
  wrongOf,
} from "../values/batch-lines.ts";
import type { OperationLine, WrongLine } from "../values/operation-lines.ts";
import { earlierResult, isBundle, isProblem, type LineResult } from "./earlier-result.ts";
import type { Session } from "./session.ts";
import type { SignedLine, SignedLines } from "./signed-lines.ts";

const PROGRESS_MS = 100;

export class BatchRun {
  done = 0;
  refused = 0;
  /** Latest expiry of keys that the node called expired, Unix seconds; 0 if none is valid. */
  validUntil = 0;
  readonly #moneta: Moneta;
  readonly #session: Session;
  readonly #log: SignedLines | undefined;
  readonly #total: number | undefined;
  readonly #isBundled: boolean;
  #actor: Actor | undefined;
  readonly #bundles: Map<number, BundledLines> = new Map();
  #progressMs = 0;
  #isOver = false;

  constructor(given: {
    readonly moneta: Moneta;
    readonly session: Session;
    readonly log: SignedLines | undefined;
    readonly total: number | undefined;
    readonly isBundled: boolean;
  }) {
    this.#moneta = given.moneta;
    this.#session = given.session;
    this.#log = given.log;
    this.#total = given.total;
    this.#isBundled = given.isBundled;
  }

  async send(groups: BatchLines): Promise<void> {
    this.#showProgress();
    const signed = this.#log?.reader();
    while (!this.#isUnread && (await signed?.hasMore())) {
      const { done, value: lines = [] } = await this.#next(groups);
      if (done === true) {
        return;
      }
      const known = new Map<number, SignedLine>();
      for (const { number } of lines) {
        const one = await signed?.take(number);
        if (one !== undefined) {
          known.set(number, one);
        }
      }
      await this.#sendAgain(lines as readonly BatchLine[], known);
    }
    await this.#stream(groups);
  }

  get #isUnread(): boolean {
    return this.#session.output.isUnread;
  }

  /** Sends lines of earlier runs again. `signed` gets the others. */
  async #sendAgain(lines: readonly BatchLine[], signed: Map<number, SignedLine>): Promise<void> {
    const sent = async (some: readonly BatchLine[]): Promise<readonly LineResult[]> => {
      const writes = some.map(({ number }) => (signed.get(number) as SignedLine).write);
      return writes.some(isBundle)
        ? await Array.fromAsync(this.#oneByOne(writes))
        : await this.#moneta.batch(writes);
    };
    const isOld = new Set(signed.keys());
    const added = await this.#sign(lines.filter(({ number }) => !isOld.has(number)));
    this.#log?.add(added);
    note(signed, added);
    const results = new Map<number, LineResult>();
    const expired: BatchLine[] = [];
    for (const [index, result] of (await sent(lines)).entries()) {
      const line = lines[index] as BatchLine;
      const { write } = signed.get(line.number) as SignedLine;
      results.set(line.number, result);
      if (!isOld.has(line.number)) {
        continue;
      }
      const earlier = await earlierResult(this.#moneta, { line, write, result });
      if (earlier === "expired") {
        expired.push(line);
      } else if (typeof earlier === "number") {
        this.validUntil = Math.max(this.validUntil, earlier);
      } else {
        results.set(line.number, earlier);
      }
    }
    if (expired.length > 0) {
      const again = await this.#sign(expired);
      this.#log?.replace(again);
      note(signed, again);
      for (const [index, result] of (await sent(expired)).entries()) {
        results.set((expired[index] as BatchLine).number, result);
      }
    }
    for (const [number, result] of results) {
      await this.#print(number, result);
    }
  }

  async *#oneByOne(
    writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
  ): AsyncGenerator<LineResult, void, undefined> {
    for await (const write of writes) {
      try {
        yield isBundle(write)
          ? await this.#moneta.send<SentBundle>(write)
          : ((await this.#moneta.batch([write]))[0] as LineResult);
      } catch (thrown) {
        if (!(thrown instanceof ProblemError && isBundle(write))) {
          throw thrown;
        }
        yield thrown;
      }
    }
  }

  async #stream(groups: BatchLines): Promise<void> {
    /** Unprinted lines: numbers of sent ones, and wrong ones. */
    const pending: (number | WrongLine)[] = [];
    try {
      const writes = this.#writes(groups, pending);
      const results = this.#isBundled ? this.#oneByOne(writes) : this.#moneta.batchStream(writes);
      for await (const result of results) {
        await this.#print(pending.shift() as number, result);
        await this.#printWrong(pending);
      }
    } finally {
      this.#isOver = true;
    }
  }

  async *#writes(
    groups: BatchLines,
    pending: (number | WrongLine)[],
  ): AsyncGenerator<BatchWrite, void, undefined> {
    for (;;) {
      const { done, value: lines = [] } = await this.#next(groups);
      if (done === true) {
        return;
      }
      const right = lines.filter((line): line is BatchLine => {
        return wrongOf(line, this.#moneta) === undefined;
      });
      const signed = await this.#sign(right);
      if (this.#isOver) {
        return; // before it is stored: the next run may have begun
      }
      this.#log?.add(signed);
      const bySigned = new Map(signed.map((one) => [one.line, one]));
      for (const line of lines) {
        if (this.#isUnread) {
          return;
        }
        const write = bySigned.get(line.number)?.write;
        if (write === undefined) {
          pending.push({ number: line.number, wrong: wrongOf(line, this.#moneta) as string });
          await this.#printWrong(pending);
        } else {
          pending.push(line.number);
          yield write;
        }
      }
    }
  }

  async #next(groups: BatchLines): ReturnType<BatchLines["next"]> {
    if (this.#isUnread) {
      return { done: true, value: undefined };
    }
    const next = await new Promise<IteratorResult<readonly (BatchLine | WrongLine)[], void>>(
      (resolve, reject) => {
        this.#session.output.onUnread = () => resolve({ done: true, value: undefined });
        groups.next().then(resolve, reject);
      },
    );
    for (const line of next.value ?? []) {
      if ("lines" in line) {
        this.#bundles.set(line.number, line);
      }
    }
    return next;
  }

  async #sign(lines: readonly BatchLine[]): Promise<readonly SignedLine[]> {
    const unsigned = lines.filter((line) => "lines" in line || needsSignature(line.write));
    if (unsigned.length > 0) {
      this.#actor ??= await this.#session.actor(await this.#session.ownAddress());
      await this.#actor.prefetchKeys(unsigned.length);
    }
    const signed: SignedLine[] = [];
    for (const line of lines) {
      const { number, hash, write } = line;
      const { operation, ...request } = write;
      const sent =
        "lines" in line
          ? await this.#actor?.prepareBundle(operationsOf(line), { skip: ["*"] })
          : needsSignature(write)
            ? await this.#actor?.prepare(operation, request)
            : undefined;
      signed.push({ line: number, hash, write: sent ?? repeatable(write) });
    }
    return signed;
  }

  async #printWrong(pending: (number | WrongLine)[]): Promise<void> {
    for (let [first] = pending; typeof first === "object"; [first] = pending) {
      pending.shift();
      const { number: line, wrong: detail } = first;
      this.refused += 1;
      await this.#printed({ line, problem: { code: "1007", status: 400, detail } });
    }
  }

  async #print(line: number, result: LineResult): Promise<void> {
    const { lines } = this.#bundles.get(line) ?? {};
    if (lines !== undefined) {
      this.#bundles.delete(line);
      for (const [index, { number }] of lines.entries()) {
        await this.#print(number, bundledResult(result, index, lines));
      }
    } else if (isProblem(result)) {
      this.refused += 1;
      const { code, status, parameter, message: detail } = result;
      await this.#printed({ line, problem: { code, status, parameter, detail } });
    } else {
      this.done += 1;
      await this.#printed({ line, ...result });
    }
  }

  async #printed(line: object): Promise<void> {
    const { output } = this.#session;
    output.progress(); // the results may go to the same terminal
    output.printJson(line, 0);
    if (performance.now() - this.#progressMs >= PROGRESS_MS) {
      this.#showProgress();
    }
    await output.drained();
  }

  #showProgress(): void {
    this.#progressMs = performance.now();
    this.#session.output.progress({ done: this.done + this.refused, total: this.#total });
  }
}

function note(signed: Map<number, SignedLine>, added: readonly SignedLine[]): void {
  for (const one of added) {
    signed.set(one.line, one);
  }
}

/** Adds the key that makes a repeat idempotent. Source: accounts §4. */
function repeatable(write: OperationLine["write"]): OperationLine["write"] {
  return write.operation === "address"
    ? { idempotency_key: randomBytes(16).toString("hex"), ...write }
    : write;
}

function operationsOf({ lines }: BundledLines): readonly BundledOperation[] {
  return lines.map(({ write }) => write as unknown as BundledOperation);
}

function bundledResult(
  result: LineResult,
  index: number,
  lines: readonly OperationLine[],
): LineResult {
  if (!isProblem(result)) {
    return (result as SentBundle).results[index] as LineResult;
  }
  if (result.index === undefined || result.index === index) {
    return result;
  }
  const { status, code, title, message } = result;
  const detail = `Nothing of its bundle is done, because of line ${lines[result.index]?.number}: ${message}`;
  return new ProblemError({ type: `urn:moneta:error:${code}`, title, status, code, detail });
}
