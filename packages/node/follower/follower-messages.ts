import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import type { ServedCheckpoint } from "./served-checkpoint.ts";

/** The node that a follower takes its blocks from. */
export interface SourceData {
  readonly url: string;
  /** Verifier keys, one of which must have signed all that is taken; none: not asked for. */
  readonly keys: readonly string[];
  /** The largest block that is believed, bytes. */
  readonly blockBytesMax: number;
  /** Threads that verify signatures. */
  readonly threads: number;
  readonly verifier: ChosenVerifier;
}

/** A checkpoint of the source that has been found right, and the keys that it may be checked with. */
export interface PassedOnCheckpoint extends Pick<ServedCheckpoint, "note" | "size" | "height"> {
  readonly keys: readonly string[];
}
