// How ledgers grow past HTTP and signatures, in the directories of nodes that do not run.
import { setImmediate } from "node:timers/promises";
import type { Ledger } from "@moneta/ledger";
import { encodeBase62Number, untaggedKey } from "@moneta/protocol";

const KEY_SECONDS = 600;
/**
 * Nobody checks tags and signatures here: the ledger trusts who hands it operations. `moneta
 * verify` would refuse such a ledger.
 */
const TAG = "0".repeat(22);
export const SIGNATURES: { readonly signature: string } = {
  signature:
    "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==",
};

/** A temporary key issued at `time` (Unix seconds); `serial` makes it differ from the others. */
export function temporaryKey(key: {
  readonly addressNumber: number;
  readonly time: number;
  readonly serial: number;
}): string {
  const { addressNumber, time, serial } = key;
  const random = encodeBase62Number(serial, 10);
  return `${untaggedKey({ addressNumber, expiry: time + KEY_SECONDS, random })}${TAG}`;
}

/** Executes operations in one block at `time`. Throws if one of them is refused. */
export async function addBlock(
  ledger: Ledger,
  operations: readonly string[],
  time: number,
): Promise<void> {
  // Nothing else here waits for the event loop, and signals are handled there.
  await setImmediate();
  const { outcomes } = await ledger.execute(operations, time);
  const refused = outcomes.findIndex(({ kind }) => kind !== "done");
  if (refused !== -1) {
    const why = JSON.stringify(outcomes[refused], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    throw new Error(`growing: ${why}: ${operations[refused]}`);
  }
}
