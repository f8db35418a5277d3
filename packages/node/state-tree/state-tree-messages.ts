import type { KeptRoots } from "@moneta/ledger";

/** Start data of the state tree's thread. */
export interface StateTreeThreadData {
  /** The file of the ledger, and that of the tree. */
  readonly file: string;
  readonly treeFile: string;
  readonly keptRoots: KeptRoots;
  /** Minimum time between two roots of this node, ms. */
  readonly everyMs: number;
}

/** Message of the main thread. It sends the next one after the reply. */
export interface ToStateTree {
  /** Whether this node makes the roots. Source: proofs §2.4. */
  readonly isMine: boolean;
  /** Reason to rebuild the tree from all entries: a proof has found it damaged. */
  readonly damage?: string | undefined;
}

/** A root of the state, as lower-case hex, after a block. */
export interface StateRootAt {
  readonly height: number;
  readonly root: string;
}

/** A root in a block that differs from the one that this node computed. */
export interface WrongStateRoot extends StateRootAt {
  readonly computed: string;
}

/** Reply of the thread. */
export interface FromStateTree {
  /** The newest block whose changes the tree has. */
  readonly height: number;
  /** The root to claim in a block, if one is due. */
  readonly due?: StateRootAt | undefined;
  readonly wrong: readonly WrongStateRoot[];
  /** The damage of the tree, if it was rebuilt from all entries. */
  readonly rebuilt?: string | undefined;
}
