import type { Digest, SignatureVerdict } from "@moneta/ledger";
import type { ChosenVerifier } from "./chosen-verifier.ts";

export interface SignatureThreadData {
  readonly verifier: ChosenVerifier;
  /** Of `ConfirmedKeys`; undefined if the platform verifies. */
  readonly confirmed: SharedArrayBuffer | undefined;
}

/**
 * Part of a search for the signed text: `texts` are choices with the same text around each, tried
 * with one digest.
 */
export interface SearchStep {
  readonly before: string;
  readonly after: string;
  /** The digest to begin with, undefined for that of the curve's own size. */
  readonly likely: Digest | undefined;
  /** Which digest: 0 the likely one, 1 and 2 the others. */
  readonly rank: number;
}

/** A claim in the form for a thread. */
export type SentClaim = readonly [
  publicKey: string,
  signature: string,
  texts: readonly string[],
  likely: Digest | undefined,
  search: SearchStep | undefined,
  exact: "utf8" | "latin1" | undefined,
];

/** A thread's reply to a list of claims. */
export interface Verified {
  readonly verdicts: SignatureVerdict[];
  /** The digest of a valid signature, undefined for that of the curve's own size. */
  readonly digests: (Digest | undefined)[];
  verifications: number;
  /** Number of them that were compared with the platform's. */
  again: number;
}
