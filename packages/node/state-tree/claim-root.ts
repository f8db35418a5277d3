import { invariant, RULES, type RuledOperation } from "@moneta/ledger";
import { Refused, readTexts, stateroot } from "@moneta/protocol";
import type { Admission } from "../admission/admission.ts";

export interface ClaimedRoot {
  readonly height: number;
  readonly root: string;
}

/** False if another node was faster or writes are impossible. Source: proofs §2.2. */
export async function claimRoot(
  admission: Admission,
  { height, root }: ClaimedRoot,
): Promise<boolean> {
  const request = readTexts(stateroot, { height: String(height), root });
  invariant(!(request instanceof Refused), "a node names a block and a hash");
  const ruled = RULES.get(stateroot.name) as RuledOperation;
  const { kind } = await admission.submit([{ ruled, request }], { client: undefined });
  return kind === "done";
}
