import type { KeptRoots } from "@moneta/ledger";

/** What the thread of the state tree starts with. */
export interface StateTreeThreadData {
  /** The ledger's file, and the tree's beside it. */
  readonly file: string;
  readonly treeFile: string;
  readonly keptRoots: KeptRoots;
  /** Least time between two roots of this node, ms. */
  readonly everyMs: number;
}

/** What the main thread sends; the next one once it is answered. */
export interface ToStateTree {
  /** Whether this node is the one to make roots. Source: proofs §2.4. */
  readonly isMine: boolean;
  /** Why the tree is to be made from all entries, if a proof has shown that it is damaged. */
  readonly damage?: string | undefined;
}

/** A root of the state, as lower-case hex, after a block. */
export interface StateRootAt {
  readonly height: number;
  readonly root: string;
}

/** A root in a block that is another than this node has computed. */
export interface WrongStateRoot extends StateRootAt {
  readonly computed: string;
}

/** What the thread answers. */
export interface FromStateTree {
  /** The newest block whose changes the tree has. */
  readonly height: number;
  /** The root to be claimed in a block, if it is time for one. */
  readonly due?: StateRootAt | undefined;
  readonly wrong: readonly WrongStateRoot[];
  /** What was wrong with the tree, if it was made from all entries again. */
  readonly rebuilt?: string | undefined;
}
