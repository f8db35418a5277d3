import { parseVerifierKey } from "@moneta/protocol/proof";
import { sha256 } from "./platform-free.ts";

/**
 * How shown keys relate to known ones: "first" if none is known yet, "same" if all are known,
 * "more" if some are, for example while an operator replaces a key, "other" if none is: a warning.
 */
export type KeyComparison = "first" | "same" | "more" | "other";

/**
 * Compares kept verifier keys with those of a node or a report. Malformed lines count as unknown
 * keys. Source: explorer §2.
 */
export function compareKeys(known: readonly string[], shown: readonly string[]): KeyComparison {
  if (known.length === 0) {
    return "first";
  }
  const isKnown = (text: string): boolean =>
    known.includes(text) && parseVerifierKey(sha256, text) !== undefined;
  return shown.length > 0 && shown.every(isKnown) ? "same" : shown.some(isKnown) ? "more" : "other";
}
