import { createHash } from "node:crypto";
import { type AnyOperation, BUNDLE_MAX, bundleWeight, OPERATIONS } from "@moneta/protocol";
import type { BatchWrite, Moneta, PreparedWrite } from "@moneta/sdk";
import type { OperationLine, WrongLine } from "./operation-lines.ts";
import { ANY_ADDRESS, textsOf, wrongForm } from "./request-form.ts";

/** One bundle's body of 1 MiB also has the actor of each. */
const BUNDLE_TEXTS_MAX = 1_000_000;

/** Numbered by the first; the hash is of all. */
export interface BundledLines extends OperationLine {
  readonly lines: readonly OperationLine[];
}

export type BatchLine = OperationLine | BundledLines;
export type BatchLines = AsyncGenerator<readonly (BatchLine | WrongLine)[], void, undefined>;
type AnySigner = (typeof OPERATIONS)[number]["signers"][number];

/** A file gives the same bundles in each run; a stream those that have arrived. */
export async function* bundledLines(
  groups: AsyncIterable<readonly (OperationLine | WrongLine)[]>,
  { moneta, isFile }: { readonly moneta: Moneta; readonly isFile: boolean },
): BatchLines {
  let units: (BatchLine | WrongLine)[] = [];
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

/** Source: bundles §8. */
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

export function wrongOf(line: BatchLine | WrongLine, moneta: Moneta): string | undefined {
  if ("wrong" in line) {
    return line.wrong;
  }
  if ("lines" in line) {
    return undefined; // each was checked before
  }
  try {
    moneta.checkWrite(line.write);
    const added = signerOf(line.write);
    const name = [added?.temporaryKey, "signed"].find(
      (each) => each !== undefined && each in line.write,
    );
    return added !== undefined && name !== undefined
      ? `it has ${name}, which signing adds, and no ${added.signature}`
      : wrongWrite(line.write);
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      return thrown.message;
    }
    throw thrown;
  }
}

function wrongWrite(write: OperationLine["write"]): string | undefined {
  const { operation, ...request } = write;
  const description = OPERATIONS.find(({ name }) => name === operation) as AnyOperation;
  const given = isPrepared(write) ? write.params : textsOf(request);
  const actor = signerOf(write)?.address;
  const isActorOpen = actor !== undefined && given[actor] === undefined;
  // Rules between parameters need the true actor.
  const { check: _, ...alone } = description;
  const wrong = isActorOpen
    ? wrongForm(alone, { ...given, [actor]: ANY_ADDRESS })
    : wrongForm(description, given);
  return wrong?.detail;
}

export function needsSignature(write: OperationLine["write"]): boolean {
  return signerOf(write) !== undefined;
}

/** Undefined for unsigned operations, and for those of several signers, which come signed. */
function signerOf({ operation, signature }: OperationLine["write"]): AnySigner | undefined {
  const signers = OPERATIONS.find(({ name }) => name === operation)?.signers ?? [];
  return signers.length === 1 && signature === undefined ? signers[0] : undefined;
}

export function isPrepared(write: BatchWrite): write is PreparedWrite {
  return "ledgerId" in write;
}
