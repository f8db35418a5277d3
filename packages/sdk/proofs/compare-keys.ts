import { parseVerifierKey } from "@moneta/protocol/proof";
import { sha256 } from "./platform-free.ts";

/**
 * How shown keys relate to known ones: "first" if none is known yet, "same" if all shown ones are
 * known, "more" if some are, as while an operator replaces a key, "other" if none is: a warning.
 */
export type KeyComparison = "first" | "same" | "more" | "other";

/**
 * Compares verifier keys that were kept with those that a node or a report shows. Lines that are no
 * verifier keys count as unknown ones. Source: explorer §2.
 */
export function compareKeys(known: readonly string[], shown: readonly string[]): KeyComparison {
  if (known.length === 0) {
    return "first";
  }
  const isKnown = (text: string): boolean =>
    known.includes(text) && parseVerifierKey(sha256, text) !== undefined;
  return shown.length > 0 && shown.every(isKnown) ? "same" : shown.some(isKnown) ? "more" : "other";
}
