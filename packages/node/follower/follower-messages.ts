import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import type { ServedCheckpoint } from "./served-checkpoint.ts";

/** The node that a follower follows. */
export interface SourceData {
  readonly url: string;
  /** Verifier keys, one of which must have signed all blocks; none: not required. */
  readonly keys: readonly string[];
  /** The largest credible block, bytes. */
  readonly blockBytesMax: number;
  /** Threads that verify signatures. */
  readonly threads: number;
  readonly verifier: ChosenVerifier;
}

/** A valid checkpoint of the source, and the keys that verify it. */
export interface PassedOnCheckpoint extends Pick<ServedCheckpoint, "note" | "size" | "height"> {
  readonly keys: readonly string[];
}
