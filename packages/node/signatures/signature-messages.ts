import type { Digest, SignatureVerdict } from "@moneta/ledger";
import type { ChosenVerifier } from "./chosen-verifier.ts";

export interface SignatureThreadData {
  readonly verifier: ChosenVerifier;
  /** Of `ConfirmedKeys`; undefined if the platform verifies. */
  readonly confirmed: SharedArrayBuffer | undefined;
}

/** `texts` are choices with the same text around each, tried with one digest. */
export interface SearchStep {
  readonly before: string;
  readonly after: string;
  /** Undefined for that of the curve's own size. */
  readonly likely: Digest | undefined;
  /** 0 is the likely digest, 1 and 2 the others. */
  readonly rank: number;
}

export type SentClaim = readonly [
  publicKey: string,
  signature: string,
  texts: readonly string[],
  likely: Digest | undefined,
  search: SearchStep | undefined,
  exact: "utf8" | "latin1" | undefined,
];

export interface Verified {
  readonly verdicts: SignatureVerdict[];
  /** Of a valid signature; undefined for that of the curve's own size. */
  readonly digests: (Digest | undefined)[];
  verifications: number;
  again: number;
}
