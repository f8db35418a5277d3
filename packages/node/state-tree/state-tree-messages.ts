import type { KeptRoots } from "@moneta/ledger";

export interface StateTreeThreadData {
  readonly file: string;
  readonly treeFile: string;
  readonly keptRoots: KeptRoots;
  readonly everyMs: number;
}

/** The next one follows after the reply. */
export interface ToStateTree {
  /** This node makes the roots. Source: proofs §2.4. */
  readonly isMine: boolean;
  /** A proof has found the tree damaged: rebuild it. */
  readonly damage?: string | undefined;
}

/** After a block, as lower-case hex. */
export interface StateRootAt {
  readonly height: number;
  readonly root: string;
}

/** It differs from the one that this node computed. */
export interface WrongStateRoot extends StateRootAt {
  readonly computed: string;
}

export interface FromStateTree {
  /** The newest block whose changes the tree has. */
  readonly height: number;
  readonly due?: StateRootAt | undefined;
  readonly wrong: readonly WrongStateRoot[];
  /** The damage of the tree, if it was rebuilt from all entries. */
  readonly rebuilt?: string | undefined;
}
