import { sha256 } from "../../sha256.ts";

const DIGITS = 33;

type Kind =
  | ("DEX010" | "MRC400" | "MRC402" | "DEX402" | "OFF401" | "OFF402" | "MRC040" | "TRD040")
  | "GRT";

/**
 * Every node computes the same id, independent of signatures: the kind and 33 hex digits of a
 * SHA-256. Source: market §1.1, mrc401 §2.1, mrc402 §2.1.
 */
export function derivedId(kind: Kind, ...parts: readonly string[]): string {
  return `${kind}_${sha256.hex([kind, ...parts].join("|")).slice(0, DIGITS)}`;
}
