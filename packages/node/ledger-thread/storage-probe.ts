import { type Ledger, StorageFailure, type Unit } from "@moneta/ledger";
import type { StorageTrouble } from "./ledger-messages.ts";

/** Source: conventions §3. */
export const PROBE_EVERY_MS = 5000;
/** A probe has at least this size, and the space that a block may need. */
export const PROBE_BYTES_MIN = 256 * 1024;
const BYTES_PER_CHARACTER = 4;

export function probeBytes(units: readonly Unit[]): number {
  const length = units.flat().reduce((sum, text) => sum + text.length, 0);
  return Math.max(PROBE_BYTES_MIN, BYTES_PER_CHARACTER * length);
}

/** Undefined if the disk takes so many bytes. */
export function probed(ledger: Pick<Ledger, "probe">, bytes: number): StorageTrouble | undefined {
  try {
    ledger.probe(bytes);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof StorageFailure)) {
      throw thrown;
    }
    return troubleOf(thrown);
  }
}

export function troubleOf({ reason, message }: StorageFailure): StorageTrouble {
  return { reason, detail: message };
}
