import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { OPERATIONS } from "@moneta/protocol";
import type { BatchWrite, Moneta, PreparedWrite, ProblemError, SentWrite } from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "../session/bounded-file.ts";
import type { Session } from "../session/session.ts";
import { exactNumber } from "../values/exact-number.ts";

const FILE_BYTES_MAX = 256 << 20;
/** Lines that are signed and sent together. */
const LINES_TOGETHER = 500;
const STANDARD_INPUT = "-";

/** An operation of the file. */
interface Line {
  /** From 1. */
  readonly number: number;
  readonly hash: string;
  readonly write: Readonly<Record<string, unknown>> & { readonly operation: string };
}

/** What a line was signed as, in `FILE.signed`. */
interface Signed {
  readonly line: number;
  /** Of the line's text. */
  readonly hash: string;
  readonly write: BatchWrite;
}

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
  ],
  details:
    'A line has the name of an operation, as GET /openapi.json has it, and its parameters, amounts in the smallest unit: {"operation":"transfer","to":"MT...","token":"0","amount":"5"}. What has no signature is signed with the key. What was signed is kept in FILE.signed before it is sent, so that --continue sends the very same again. Operations are done in the order of the lines; one that is refused does not keep the others from being done.',
  async run(given, session) {
    const file = given.get("file") as string;
    if (file === STANDARD_INPUT && given.has("continue")) {
      throw new WrongUse("--continue needs a file: standard input cannot be read again");
    }
    const lines = readLines(file);
    const log = file === STANDARD_INPUT ? undefined : `${file}.signed`;
    const signed = signedBefore(log, given.has("continue"), lines);
    const moneta = await session.moneta();
    let refused = 0;
    try {
      for (let first = 0; first < lines.length; first += LINES_TOGETHER) {
        session.output.progress({ done: first, total: lines.length });
        const part = lines.slice(first, first + LINES_TOGETHER);
        refused += await sendLines(part, { moneta, session, log, signed });
      }
    } catch (thrown) {
      session.output.progress();
      if (log !== undefined) {
        session.output.note(`moneta batch ${file} --continue goes on, and does nothing twice.`);
      }
      throw thrown;
    }
    session.output.note(`${lines.length - refused} done, ${refused} refused`);
    return refused === 0 ? EXIT.done : EXIT.refused;
  },
};

/** Signs and sends some lines, and prints what became of each. Returns how many were refused. */
async function sendLines(
  lines: readonly Line[],
  {
    moneta,
    session,
    log,
    signed,
  }: {
    readonly moneta: Moneta;
    readonly session: Session;
    readonly log: string | undefined;
    /** By number of the line; those that are sent are added. */
    readonly signed: Map<number, Signed>;
  },
): Promise<number> {
  const send = async (some: readonly Line[]): Promise<readonly (SentWrite | ProblemError)[]> => {
    const missing = some.filter(({ number }) => !signed.has(number));
    const added = await sign(missing, session);
    keep(log, added);
    for (const one of added) {
      signed.set(one.line, one);
    }
    return await moneta.batch(some.map(({ number }) => (signed.get(number) as Signed).write));
  };
  const isOld = new Set(lines.filter(({ number }) => signed.has(number)));
  const results = new Map<number, SentWrite | ProblemError>();
  const expired: Line[] = [];
  for (const [index, result] of (await send(lines)).entries()) {
    const line = lines[index] as Line;
    const { write } = signed.get(line.number) as Signed;
    results.set(line.number, result);
    // A key of an earlier run has expired: the history says whether it has served.
    if (isOld.has(line) && isProblem(result) && result.code === "2020" && isPrepared(write)) {
      const found = await moneta.findSent(write);
      if (found === undefined) {
        signed.delete(line.number);
        expired.push(line);
      } else {
        results.set(line.number, { ...found });
      }
    }
  }
  if (expired.length > 0) {
    for (const [index, result] of (await send(expired)).entries()) {
      results.set((expired[index] as Line).number, result);
    }
  }
  session.output.progress(); // the results may go to the same terminal
  let refused = 0;
  for (const [line, result] of [...results].toSorted(([a], [b]) => a - b)) {
    if (isProblem(result)) {
      refused += 1;
      const { code, status, parameter, message: detail } = result;
      session.output.printJson({ line, problem: { code, status, parameter, detail } }, 0);
    } else {
      session.output.printJson({ line, ...result }, 0);
    }
  }
  return refused;
}

function isProblem(result: SentWrite | ProblemError): result is ProblemError {
  return result instanceof Error;
}

function isPrepared(write: BatchWrite): write is PreparedWrite {
  return "ledgerId" in write;
}

/** Signs the operations that need it and have no signature. */
async function sign(lines: readonly Line[], session: Session): Promise<readonly Signed[]> {
  const unsigned = lines.filter(({ write }) => needsSignature(write));
  const actor = unsigned.length === 0 ? undefined : await session.actor(await session.ownAddress());
  await actor?.prefetchKeys(unsigned.length);
  const signed: Signed[] = [];
  for (const line of lines) {
    const { operation, ...request } = line.write;
    let write: BatchWrite = line.write;
    if (actor !== undefined && needsSignature(line.write)) {
      try {
        write = await actor.prepare(operation, request);
      } catch (thrown) {
        throw thrown instanceof TypeError ? wrongLine(line.number, thrown.message) : thrown;
      }
    }
    signed.push({ line: line.number, hash: line.hash, write });
  }
  return signed;
}

function needsSignature({ operation, signature }: Line["write"]): boolean {
  const description = OPERATIONS.find(({ name }) => name === operation);
  // What several sign comes signed.
  return description?.signers.length === 1 && signature === undefined;
}

/** Makes it durable before anything is sent. */
function keep(log: string | undefined, signed: readonly Signed[]): void {
  if (log === undefined || signed.length === 0) {
    return;
  }
  const descriptor = openSync(log, "a", 0o600);
  try {
    writeSync(descriptor, signed.map((one) => `${JSON.stringify(one)}\n`).join(""));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What earlier runs have signed, the newest of each line. */
function signedBefore(
  log: string | undefined,
  isContinued: boolean,
  lines: readonly Line[],
): Map<number, Signed> {
  if (log === undefined || !existsSync(log)) {
    return new Map();
  }
  if (!isContinued) {
    throw new WrongUse(
      `${log} is there: an earlier run has signed operations of this file. --continue goes on with them; remove ${log} to do all of them anew`,
    );
  }
  const signed = new Map<number, Signed>();
  const bytes = readFileSync(log);
  // What follows the last line end was not written to its end, so that it was not sent.
  const end = bytes.lastIndexOf("\n") + 1;
  truncateSync(log, end);
  const texts = bytes.toString("utf8", 0, end).split("\n");
  for (const text of texts.filter((each) => each !== "")) {
    const one = JSON.parse(text) as Signed;
    signed.set(one.line, one);
  }
  const hashes = new Map(lines.map(({ number, hash }) => [number, hash]));
  for (const { line, hash } of signed.values()) {
    if (hashes.get(line) !== hash) {
      throw wrongLine(line, `it was another one when it was signed, as ${log} says`);
    }
  }
  return signed;
}

function readLines(file: string): readonly Line[] {
  const text = readGiven(file === STANDARD_INPUT ? 0 : file, FILE_BYTES_MAX, file).toString();
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") {
      return [];
    }
    let write: unknown;
    try {
      write = JSON.parse(line, exactNumber);
    } catch (thrown) {
      throw wrongLine(index + 1, (thrown as Error).message);
    }
    const { operation } = (write ?? {}) as { readonly operation?: unknown };
    if (typeof operation !== "string" || Array.isArray(write)) {
      throw wrongLine(index + 1, 'it must be a JSON object with the name of an "operation"');
    }
    const hash = createHash("sha256").update(line).digest("hex");
    return [{ number: index + 1, hash, write: write as Line["write"] }];
  });
}

function wrongLine(number: number, reason: string): WrongUse {
  return new WrongUse(`line ${number}: ${reason}`);
}
