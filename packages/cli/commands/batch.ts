import { createHash, randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { type AnyOperation, BUNDLE_MAX, bundleWeight, OPERATIONS } from "@moneta/protocol";
import {
  type Actor,
  type BatchWrite,
  type BundledOperation,
  expiresAt,
  type FoundWrite,
  type Moneta,
  type PreparedWrite,
  ProblemError,
  type SentBundle,
  type SentWrite,
} from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { whyUnreadable } from "../session/bounded-file.ts";
import type { Session } from "../session/session.ts";
import { type SignedLine, SignedLines } from "../session/signed-lines.ts";
import { UNREAD } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type OperationLine, operationLines, type WrongLine } from "../values/operation-lines.ts";
import { ANY_ADDRESS, likelyMistake, refusedForm, textsOf } from "../values/request-form.ts";
import { timeText } from "../values/times.ts";

const STANDARD_INPUT = "-";
const PROGRESS_MS = 100;
/** Texts of one bundle, whose body of 1 MiB also has the actor of each. */
const BUNDLE_TEXTS_MAX = 1_000_000;

/** Lines that are one bundle: its number is that of the first, its hash that of all. */
interface BundledLines extends OperationLine {
  readonly lines: readonly OperationLine[];
}

type Line = OperationLine | BundledLines;
type Groups = AsyncGenerator<readonly (Line | WrongLine)[], void, undefined>;
type Result = SentWrite | ProblemError;
type AnySigner = (typeof OPERATIONS)[number]["signers"][number];

/** Sends a file of operations, signed with the key. */
export const batch: Command = {
  words: "batch",
  about: "Sends many operations, one JSON object a line, and prints a JSON line for each.",
  args: [{ name: "file", about: "a file of JSON lines; - for standard input" }],
  flags: [
    {
      name: "continue",
      about: "go on with a file that was interrupted; nothing is done twice",
    },
    {
      name: "bundle",
      about: "sign many lines at once, as bundles: one signature for up to 500",
    },
  ],
  details:
    'A line has the name of an operation, as GET /openapi.json has it, and its parameters, amounts in the smallest unit: {"operation":"transfer","to":"MT...","token":"0","amount":"5"}. What has no signature is signed with the key. Lines are sent as they are read, in their order, and what became of each is printed as it comes; one that is refused does not keep the others from being done. A file is checked before anything is sent, and what was signed is kept in FILE.signed before it is sent, so that --continue sends the very same again. Standard input cannot be read again: a wrong line is printed with its problem, and the rest goes on. With --bundle lines that follow each other are one signed text and one transaction, which costs a fraction; lines that the ledger refuses are left out of it. If it refuses all of them, or the text, the line to blame is printed with its problem, and the others with the same code. Lines that no bundle takes go alone. A file is continued with the same flags.',
  async run(given, session) {
    const file = given.get("file") as string;
    const isContinued = given.has("continue");
    const isBundled = given.has("bundle");
    const isFile = file !== STANDARD_INPUT && isRegular(file);
    if (isContinued && !isFile) {
      throw new WrongUse("--continue needs a file: standard input cannot be read again");
    }
    const moneta = await session.moneta();
    using log = isFile ? await SignedLines.open(file, { isContinued }) : undefined;
    const groups = (): Groups =>
      isBundled ? bundledLines(operationLines(file), { moneta, isFile }) : operationLines(file);
    const total = log && (await check(groups(), { moneta, log }));
    const run = new BatchRun({ moneta, session, log, total, isBundled });
    const sayHowToGoOn = (): void => {
      session.output.progress();
      if (log !== undefined) {
        session.output.note(
          `moneta batch ${shellWord(file)}${isBundled ? " --bundle" : ""} --continue goes on, and does nothing twice.`,
        );
      }
    };
    const interrupted = (): void => {
      sayHowToGoOn();
      process.off("SIGINT", interrupted);
      process.kill(process.pid, "SIGINT"); // which ends it as it would have ended
    };
    process.on("SIGINT", interrupted);
    try {
      await run.send(groups());
    } catch (thrown) {
      sayHowToGoOn();
      throw thrown;
    } finally {
      process.off("SIGINT", interrupted);
    }
    session.output.progress();
    session.output.note(`${run.done} done, ${run.refused} refused`);
    if (session.output.isUnread) {
      sayHowToGoOn();
      return UNREAD;
    }
    if (run.validUntil > 0) {
      session.output.note(
        `What was refused with 2020 has temporary keys that are valid until ${timeText(run.validUntil, true)} by the clock of this machine, so that a second signature could pay twice: after that --continue signs again what has not been done.`,
      );
    }
    return run.refused === 0 ? EXIT.done : EXIT.refused;
  },
};

function isRegular(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be read: ${whyUnreadable(thrown)}`);
  }
}

/**
 * Counts the lines of a file. Throws a `WrongUse` for a line that is wrong, or that was another one
 * when it was signed.
 */
async function check(
  groups: Groups,
  { moneta, log }: { readonly moneta: Moneta; readonly log: SignedLines },
): Promise<number> {
  const signed = log.reader();
  let total = 0;
  for await (const lines of groups) {
    for (const line of lines) {
      const wrong = wrongOf(line, moneta);
      if (wrong !== undefined) {
        throw wrongLine(line.number, wrong);
      }
      const before = await signed.take(line.number);
      if (before === undefined && (await signed.hasMore())) {
        const reason = `it was not there when lines behind it were signed, as ${log.file} says: put it behind them`;
        throw wrongLine(line.number, reason);
      }
      if (before !== undefined && "hash" in line && before.hash !== line.hash) {
        const reason = `it was another one when it was signed, as ${log.file} says: undo the change, and put the corrected line into a new file`;
        throw wrongLine(line.number, reason);
      }
    }
    total += lines.reduce((sum, line) => sum + ("lines" in line ? line.lines.length : 1), 0);
  }
  if (await signed.hasMore()) {
    throw new WrongUse(`${log.file} has lines that are not in the file any more: put them back`);
  }
  return total;
}

/**
 * Lines that follow each other and that a bundle takes, together. Of a file the same ones in each
 * run; of what comes as it comes, those that are there.
 */
async function* bundledLines(
  groups: AsyncIterable<readonly (OperationLine | WrongLine)[]>,
  { moneta, isFile }: { readonly moneta: Moneta; readonly isFile: boolean },
): Groups {
  let units: (Line | WrongLine)[] = [];
  let open: OperationLine[] = [];
  let bytes = 0;
  let count = 0;
  const close = (): void => {
    units.push(...(open.length > 1 ? [bundleOf(open)] : open));
    open = [];
    bytes = 0;
    count = 0;
  };
  for await (const lines of groups) {
    for (const line of lines) {
      if (!("write" in line && isBundleable(line.write) && wrongOf(line, moneta) === undefined)) {
        close();
        units.push(line);
        continue;
      }
      const length = Buffer.byteLength(JSON.stringify(line.write));
      const weight = weightOf(line.write);
      if (count + weight > BUNDLE_MAX || bytes + length > BUNDLE_TEXTS_MAX) {
        close();
      }
      bytes += length;
      count += weight;
      open.push(line);
    }
    if (!isFile) {
      close();
    }
    yield units;
    units = [];
  }
  close();
  yield units;
}

function bundleOf(lines: readonly OperationLine[]): BundledLines {
  const hash = createHash("sha256");
  for (const line of lines) {
    hash.update(`${line.number} ${line.hash}\n`);
  }
  const { number } = lines[0] as OperationLine;
  return { number, hash: hash.digest("hex"), write: { operation: "bundle" }, lines };
}

/** Source: bundles §3. */
function isBundleable(write: OperationLine["write"]): boolean {
  const isOpen = write.operation === "tokenupdate" && !("token" in write);
  return needsSignature(write) && write.operation !== "protocol" && !isOpen;
}

/** As how many operations of a bundle a line counts, whose form is right. Source: bundles §8. */
function weightOf({ operation, ...request }: OperationLine["write"]): number {
  const { parameters } = OPERATIONS.find(({ name }) => name === operation) as AnyOperation;
  let entries = 0;
  for (const [name, text] of Object.entries(textsOf(request))) {
    if (parameters[name]?.schema["type"] === "array") {
      entries += (JSON.parse(text) as readonly unknown[]).length;
    }
  }
  return bundleWeight(operation, entries);
}

/** Why a line cannot be sent. */
function wrongOf(line: Line | WrongLine, moneta: Moneta): string | undefined {
  if ("wrong" in line) {
    return line.wrong;
  }
  if ("lines" in line) {
    return undefined; // each was looked at before
  }
  try {
    moneta.checkWrite(line.write);
    const added = signerOf(line.write);
    const name = [added?.temporaryKey, "signed"].find(
      (each) => each !== undefined && each in line.write,
    );
    return added !== undefined && name !== undefined
      ? `it has ${name}, which signing adds, and no ${added.signature}`
      : wrongForm(line.write);
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      return thrown.message;
    }
    throw thrown;
  }
}

/** What every node would refuse without a look at the ledger. */
function wrongForm(write: OperationLine["write"]): string | undefined {
  const { operation, ...request } = write;
  const description = OPERATIONS.find(({ name }) => name === operation) as AnyOperation;
  const given = isPrepared(write) ? write.params : textsOf(request);
  const actor = signerOf(write)?.address;
  const isActorOpen = actor !== undefined && given[actor] === undefined;
  // Rules between parameters hold of the true actor alone.
  const { check: _, ...alone } = description;
  const refused = isActorOpen
    ? refusedForm(alone, { ...given, [actor]: ANY_ADDRESS })
    : refusedForm(description, given);
  return refused === undefined ? likelyMistake(description, given) : refused.detail;
}

/** Sends lines, and prints the result of each. */
class BatchRun {
  done = 0;
  refused = 0;
  /** Until when keys are valid that the node has called expired, Unix seconds; 0 if none is. */
  validUntil = 0;
  readonly #moneta: Moneta;
  readonly #session: Session;
  readonly #log: SignedLines | undefined;
  /** How many lines there are, if that is known. */
  readonly #total: number | undefined;
  readonly #isBundled: boolean;
  #actor: Actor | undefined;
  /** The lines of bundles that have not been printed, by the first. */
  readonly #bundles: Map<number, BundledLines> = new Map();
  #progressMs = 0;
  /** Whether nothing more is sent. */
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

  async send(groups: Groups): Promise<void> {
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
      await this.#sendAgain(lines as readonly Line[], known);
    }
    await this.#stream(groups);
  }

  /** Whether nobody reads what becomes of lines: then no more are sent. */
  get #isUnread(): boolean {
    return this.#session.output.isUnread;
  }

  /** Sends lines that earlier runs have signed, as they were signed. `signed` gets the others. */
  async #sendAgain(lines: readonly Line[], signed: Map<number, SignedLine>): Promise<void> {
    const sent = async (some: readonly Line[]): Promise<readonly Result[]> => {
      const writes = some.map(({ number }) => (signed.get(number) as SignedLine).write);
      return writes.some(isBundle)
        ? await Array.fromAsync(this.#oneByOne(writes))
        : await this.#moneta.batch(writes);
    };
    const isOld = new Set(signed.keys());
    const added = await this.#sign(lines.filter(({ number }) => !isOld.has(number)));
    this.#log?.add(added);
    note(signed, added);
    const results = new Map<number, Result>();
    const expired: Line[] = [];
    for (const [index, result] of (await sent(lines)).entries()) {
      const line = lines[index] as Line;
      const { write } = signed.get(line.number) as SignedLine;
      results.set(line.number, result);
      if (isOld.has(line.number) && isOpen(result, write)) {
        results.set(line.number, (await this.#openingOf(write)) ?? result);
      }
      if (isOld.has(line.number) && isFinished(result, write)) {
        results.set(line.number, (await this.#finishOf(write)) ?? result);
      }
      // A key of an earlier run has expired: the history says whether it has served.
      if (isOld.has(line.number) && isExpired(result) && isPrepared(write)) {
        const expiry = expiryOf(write);
        const hasExpired = this.#moneta.clock.hasPassed(expiry); // before the history is read
        const found = await this.#moneta.findSent(write);
        if (found !== undefined) {
          results.set(line.number, await this.#foundOf(line, found));
        } else if (hasExpired) {
          expired.push(line);
        } else {
          // A node that only says so could do the first and the second.
          this.validUntil = Math.max(this.validUntil, expiry);
        }
      }
    }
    if (expired.length > 0) {
      const again = await this.#sign(expired);
      this.#log?.replace(again);
      note(signed, again);
      for (const [index, result] of (await sent(expired)).entries()) {
        results.set((expired[index] as Line).number, result);
      }
    }
    for (const [number, result] of results) {
      await this.#print(number, result);
    }
  }

  /** What became of a line, or of the lines of a bundle, by its transaction. */
  async #foundOf(line: Line, found: FoundWrite): Promise<SentWrite> {
    const { transaction_id } = found;
    if (!("lines" in line)) {
      return { ...found };
    }
    const { parameters } = await this.#moneta.transaction({ transaction_id });
    const leftOut = new Map(JSON.parse(parameters[1] ?? "[]") as readonly [number, string][]);
    const results = line.lines.map((_, index) => {
      const code = leftOut.get(index);
      const problem = { type: `urn:moneta:error:${code}`, title: "Left out", status: 400 };
      return code === undefined
        ? { transaction_id }
        : new ProblemError({ ...problem, code, detail: "The ledger has left it out." });
    });
    return { transaction_id, results };
  }

  /** Sends writes of which some are bundles, each after the result of the one before. */
  async *#oneByOne(
    writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
  ): AsyncGenerator<Result, void, undefined> {
    for await (const write of writes) {
      try {
        yield isBundle(write)
          ? await this.#moneta.send<SentBundle>(write)
          : ((await this.#moneta.batch([write]))[0] as Result);
      } catch (thrown) {
        if (!(thrown instanceof ProblemError && isBundle(write))) {
          throw thrown;
        }
        yield thrown;
      }
    }
  }

  /** The transaction that has opened a sealed text. */
  async #openingOf(write: BatchWrite): Promise<SentWrite | undefined> {
    const { mrc020key } = write as { readonly mrc020key?: unknown };
    const request = { id: String(mrc020key), type: "MRC020Open", limit: 1 };
    const { items } = await this.#moneta.itemTransactions(request);
    return items.map(({ id }) => ({ transaction_id: id, txid: id }))[0];
  }

  /** The transaction that has closed the newest auction; undefined if that has ended otherwise. */
  async #finishOf(write: BatchWrite): Promise<SentWrite | undefined> {
    const {
      operation,
      mrc401id,
      dexid = mrc401id,
      id = dexid,
    } = write as BatchWrite & {
      readonly [name in "mrc401id" | "dexid" | "id"]?: unknown;
    };
    const kind = operation.slice(0, "mrc401".length);
    const typesOf = (...what: readonly string[]): string[] => what.map((each) => `${kind}_${each}`);
    const closed = typesOf("auctionwinning", "auctionfailure");
    const type = [...closed, ...typesOf("auction", "unauction", "auctionbuynow")].join();
    const { items } = await this.#moneta.itemTransactions({ id: String(id), type, limit: 1 });
    return items
      .filter((newest) => closed.includes(newest.type))
      .map((newest) => ({ transaction_id: newest.id, txid: newest.id }))[0];
  }

  /** Signs and sends lines as they come. */
  async #stream(groups: Groups): Promise<void> {
    /** What was taken and not printed: numbers of lines that were sent, and wrong ones. */
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
    groups: Groups,
    pending: (number | WrongLine)[],
  ): AsyncGenerator<BatchWrite, void, undefined> {
    for (;;) {
      const { done, value: lines = [] } = await this.#next(groups);
      if (done === true) {
        return;
      }
      const right = lines.filter((line): line is Line => {
        return wrongOf(line, this.#moneta) === undefined;
      });
      const signed = await this.#sign(right);
      if (this.#isOver) {
        return; // before it is kept: the next run may have begun
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

  /** The next lines; none once nobody reads what becomes of them, however long input stays away. */
  async #next(groups: Groups): ReturnType<Groups["next"]> {
    if (this.#isUnread) {
      return { done: true, value: undefined };
    }
    const next = await new Promise<IteratorResult<readonly (Line | WrongLine)[], void>>(
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

  /** Signs the operations that need it and have no signature. */
  async #sign(lines: readonly Line[]): Promise<readonly SignedLine[]> {
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

  /** Prints the wrong lines before which everything has been printed. */
  async #printWrong(pending: (number | WrongLine)[]): Promise<void> {
    for (let [first] = pending; typeof first === "object"; [first] = pending) {
      pending.shift();
      const { number: line, wrong: detail } = first;
      this.refused += 1;
      await this.#printed({ line, problem: { code: "1007", status: 400, detail } });
    }
  }

  async #print(line: number, result: Result): Promise<void> {
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

/** With what makes a repeat of another run the same one. Source: accounts §4. */
function repeatable(write: OperationLine["write"]): OperationLine["write"] {
  return write.operation === "address"
    ? { idempotency_key: randomBytes(16).toString("hex"), ...write }
    : write;
}

function needsSignature(write: OperationLine["write"]): boolean {
  return signerOf(write) !== undefined;
}

/** Who is to sign a line; undefined if nobody, or if it comes signed, as what several sign does. */
function signerOf({ operation, signature }: OperationLine["write"]): AnySigner | undefined {
  const signers = OPERATIONS.find(({ name }) => name === operation)?.signers ?? [];
  return signers.length === 1 && signature === undefined ? signers[0] : undefined;
}

function operationsOf({ lines }: BundledLines): readonly BundledOperation[] {
  return lines.map(({ write }) => write as unknown as BundledOperation);
}

function isBundle(write: BatchWrite): write is PreparedWrite {
  return write.operation === "bundle";
}

/** What became of a line of a bundle. */
function bundledResult(result: Result, index: number, lines: readonly OperationLine[]): Result {
  if (!isProblem(result)) {
    return (result as SentBundle).results[index] as Result;
  }
  if (result.index === undefined || result.index === index) {
    return result;
  }
  const { status, code, title, message } = result;
  const detail = `Nothing of its bundle is done, because of line ${lines[result.index]?.number}: ${message}`;
  return new ProblemError({ type: `urn:moneta:error:${code}`, title, status, code, detail });
}

function isProblem(result: Result): result is ProblemError {
  return result instanceof Error;
}

function isExpired(result: Result): boolean {
  return isProblem(result) && result.code === "2020";
}

/** Until when its temporary key is valid, Unix seconds. */
function expiryOf(write: PreparedWrite): number {
  const { operation, params } = write;
  const { signers } = OPERATIONS.find(({ name }) => name === operation) ?? { signers: [] };
  return expiresAt(
    isBundle(write)
      ? JSON.parse(params["body"] as string).tkey
      : params[signers[0]?.temporaryKey ?? ""],
  );
}

/**
 * Whether a sealed text is open already, and by the key of the line: another key is `3006`. Nobody
 * signs this, so that the ledger knows no repeat. Source: protocols §6.
 */
function isOpen(result: Result, { operation }: BatchWrite): boolean {
  return operation === "mrc020open" && isProblem(result) && result.code === "7113";
}

/**
 * Whether there is no auction to be closed, as after a run that has closed it, or a node meanwhile.
 * Nobody signs this either.
 */
function isFinished(result: Result, { operation }: BatchWrite): boolean {
  return (
    operation.endsWith("auctionfinish") &&
    isProblem(result) &&
    (result.code === "7102" || result.code === "7106")
  );
}

function isPrepared(write: BatchWrite): write is PreparedWrite {
  return "ledgerId" in write;
}

function wrongLine(number: number, reason: string): WrongUse {
  return new WrongUse(`line ${number}: ${reason}`);
}
