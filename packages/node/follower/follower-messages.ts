import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import type { ServedCheckpoint } from "./served-checkpoint.ts";

export interface SourceData {
  readonly url: string;
  /** One of them must have signed all blocks; none: not required. */
  readonly keys: readonly string[];
  /** Of a credible block. */
  readonly blockBytesMax: number;
  readonly threads: number;
  readonly verifier: ChosenVerifier;
}

/** And the keys that verify it. */
export interface PassedOnCheckpoint extends Pick<ServedCheckpoint, "note" | "size" | "height"> {
  readonly keys: readonly string[];
}
