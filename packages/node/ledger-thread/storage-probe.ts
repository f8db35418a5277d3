import { type Ledger, StorageFailure, type Unit } from "@moneta/ledger";
import type { StorageTrouble } from "./ledger-messages.ts";

/** How often the disk is probed for whether it takes blocks again. Source: conventions §3. */
export const PROBE_EVERY_MS = 5000;
/** The size of a probe: at least this, and the space that a block with its views may need. */
export const PROBE_BYTES_MIN = 256 * 1024;
const BYTES_PER_CHARACTER = 4;

/** Bytes that the block of some units may need on the disk. */
export function probeBytes(units: readonly Unit[]): number {
  const length = units.flat().reduce((sum, text) => sum + text.length, 0);
  return Math.max(PROBE_BYTES_MIN, BYTES_PER_CHARACTER * length);
}

/** Why the disk does not take so many bytes; undefined if it does. */
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
