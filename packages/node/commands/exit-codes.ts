import { failureOf } from "@moneta/ledger";
import { WrongArchive } from "../archive/layout.ts";
import { printable } from "../follower/finding.ts";

/** Source: docs/operating.md. */
export const EXIT = {
  done: 0,
  /** The ledger, or a response of a node, is wrong. */
  invalid: 1,
  /** An operator has to change something. */
  never: 2,
  /** A fault of the software, or a failed sync. */
  fault: 70,
  /** A retry may succeed: EX_TEMPFAIL of sysexits.h. */
  notYet: 75,
} as const;

/** By name: those of threads arrive as plain errors. */
const FOR_THE_OPERATOR: Readonly<Record<string, typeof EXIT.never | typeof EXIT.notYet>> = {
  NotKept: EXIT.never,
  NotYet: EXIT.notYet,
  EngineUnavailable: EXIT.notYet,
  LogUnavailable: EXIT.notYet,
  ConnectionLost: EXIT.notYet,
  StorageFailure: EXIT.notYet,
  SettingProblem: EXIT.never,
  EngineDenied: EXIT.never,
  EngineRefusal: EXIT.never,
  SchemaProblem: EXIT.never,
  GenesisProblem: EXIT.never,
  InvalidBlock: EXIT.never,
  UnusableLedger: EXIT.never,
};

/** Faults that pass or are repaired outside of the settings; also as a cause. */
const PASSES =
  /^(ENOSPC|EDQUOT|EFBIG|EROFS|EIO|EBUSY|ESTALE|ENODEV|ENXIO|EMFILE|ENFILE|ENOMEM|EAGAIN|ETIMEDOUT|EADDRINUSE|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|3D000|25006|40.{3}|53.{3}|55P03|57.{3}|58.{3}|08.{3})$/;

/** Codes for faults that only an operator can repair. */
const LASTS = /^(EACCES|EPERM|EISDIR|ELOOP|ENAMETOOLONG|ENOTDIR)$/;

/** Undefined for a fault of the software. */
export function exitCodeOf(thrown: unknown): number | undefined {
  const failure = failureOf(thrown, undefined);
  if (!(failure instanceof Error)) {
    return undefined;
  }
  const named = FOR_THE_OPERATOR[failure.name];
  const codes = causesOf(failure).map(({ code = "" }) => String(code));
  // Without a system call it is an error of Node itself.
  const isOfSystem = "syscall" in failure && codes.some((code) => isKnown(code));
  if (named === undefined && !isOfSystem) {
    return undefined;
  }
  const known = codes.find(isKnown);
  return known === undefined ? named : PASSES.test(known) ? EXIT.notYet : EXIT.never;
}

function isKnown(code: string): boolean {
  return PASSES.test(code) || LASTS.test(code);
}

function causesOf(error: Error): readonly NodeJS.ErrnoException[] {
  const causes: NodeJS.ErrnoException[] = [];
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    causes.unshift(each);
  }
  return causes;
}

/** Prints the fault of a wrong archive, and returns 1. */
export async function unlessWrong(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof WrongArchive)) {
      throw thrown;
    }
    console.error(printable(`invalid: ${thrown.message}`));
    return EXIT.invalid;
  }
}

/** Closes nothing: answered writes are in the log, which the next start recovers. */
export function endUnsynced(failure: Error): never {
  console.error(
    `moneta: ${failure.message}. The process ends without an answer to what it was writing; nothing that was answered is lost. Check the disk, then start again`,
  );
  process.exit(EXIT.fault);
}

/** At once: continuing could do damage. */
export function endByFault(error: unknown): never {
  console.error("moneta: a part of the software has failed:", error);
  process.exit(EXIT.fault);
}
