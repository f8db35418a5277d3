import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import type { ServedCheckpoint } from "./served-checkpoint.ts";

export interface SourceData {
  readonly url: string;
  /** One of them must have signed all blocks; none: not required. */
  readonly keys: readonly string[];
  readonly blockBytesMax: number;
  readonly threads: number;
  readonly verifier: ChosenVerifier;
}

export interface PassedOnCheckpoint extends Pick<ServedCheckpoint, "note" | "size" | "height"> {
  readonly keys: readonly string[];
}
