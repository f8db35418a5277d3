import {
  type BlockOfRoot,
  type ChangedEntriesOfBlock,
  changedHashes,
  DamagedStateTree,
  invariant,
  type KeptRoot,
  type KeptRoots,
  type LedgerReader,
  STATE_ROOT,
  StateTree,
} from "@moneta/ledger";
import type { TransactionRecord } from "@moneta/protocol";
import type {
  FromStateTree,
  StateRootAt,
  ToStateTree,
  WrongStateRoot,
} from "./state-tree-messages.ts";

/** Bounds the memory. */
const TOGETHER = 1 << 17;

/** Then pending changes are taken in without a root in a block. */
const WAITS_MS = 60_000;

/** Updates take at most 1/SHARE of the time. Source: proofs §2.4. */
const SHARE = 20;

/** Every root in a block changes this entry. Source: proofs §2.2. */
const ROOT_KEY = STATE_ROOT.prefix;

interface Claim extends StateRootAt {
  readonly transaction: number;
}

/** Follows blocks, compares the roots in them, and makes roots. Source: proofs §2. */
export class StateTreeLoop {
  readonly #reader: LedgerReader;
  readonly #file: string;
  readonly #keptRoots: KeptRoots;
  readonly #everyMs: number;
  readonly #nowMs: () => number;
  #tree: StateTree | undefined;
  #updatedMs: number;
  #madeMs: number;
  #tookMs = 0;
  /** Height of the newest claimed root that was compared. */
  #compared = -1;

  constructor(options: {
    readonly reader: LedgerReader;
    readonly treeFile: string;
    readonly keptRoots: KeptRoots;
    readonly everyMs: number;
    readonly nowMs: () => number;
  }) {
    this.#reader = options.reader;
    this.#file = options.treeFile;
    this.#keptRoots = options.keptRoots;
    this.#everyMs = options.everyMs;
    this.#nowMs = options.nowMs;
    this.#updatedMs = options.nowMs();
    this.#madeMs = options.nowMs();
  }

  /**
   * Up to each claimed root, or all if one is due. Rebuilds a damaged tree. Throws
   * `StorageFailure`.
   */
  step({ isMine, damage }: ToStateTree): FromStateTree {
    this.#reader.open(0);
    try {
      return damage === undefined ? this.#follow(isMine) : this.#rebuild(damage);
    } catch (thrown) {
      if (!(thrown instanceof DamagedStateTree)) {
        throw thrown;
      }
      return this.#rebuild(thrown.message);
    } finally {
      this.#reader.close();
    }
  }

  close(): void {
    this.#closeTree();
    this.#reader.dispose();
  }

  #closeTree(): void {
    this.#tree?.close();
    this.#tree = undefined;
  }

  #follow(isMine: boolean): FromStateTree {
    const tree = this.#opened();
    if (tree.newest === undefined && this.#firstKept !== 0) {
      return this.#rebuild();
    }
    const begun = this.#nowMs();
    const isDue = isMine && begun - this.#madeMs >= Math.max(this.#everyMs, this.#tookMs * SHARE);
    const claimed = this.#reader.state.find(STATE_ROOT, "")?.height ?? -1;
    const isLate = begun - this.#updatedMs >= WAITS_MS;
    if (claimed <= this.#compared && !isDue && !isLate) {
      return { height: heightOf(tree), wrong: [] };
    }
    const wrong: WrongStateRoot[] = [];
    let due: StateRootAt | undefined;
    for (let isEnd = false; !isEnd; ) {
      const blocks = this.#blocksBehind(heightOf(tree));
      isEnd = (blocks.at(-1)?.height ?? heightOf(tree)) === this.#reader.height;
      const isWhole = !isEnd || ((isDue || isLate) && blocks.some(hasOperations));
      wrong.push(...this.#takeIn(tree, blocks, isWhole));
      const { height, root, claim } = tree.newest as KeptRoot;
      // Also if the root is in no block: the tree is new or the queue was full.
      if (isEnd && isDue && claim === undefined && height > claimed) {
        due = { height, root: hex(root) };
        this.#madeMs = this.#nowMs();
      }
    }
    this.#compared = claimed;
    if (due !== undefined) {
      this.#tookMs = this.#nowMs() - begun;
    }
    return { height: heightOf(tree), due, wrong };
  }

  get #firstKept(): number | undefined {
    for (const { height } of this.#reader.changedEntries.after(-1)) {
      return height;
    }
    return undefined;
  }

  /** Stops after the block that reaches `TOGETHER` characters. */
  #blocksBehind(height: number): readonly ChangedEntriesOfBlock[] {
    const blocks: ChangedEntriesOfBlock[] = [];
    let count = 0;
    for (const block of this.#reader.changedEntries.after(height)) {
      blocks.push(block);
      count += block.changes.length;
      if (count >= TOGETHER) {
        break;
      }
    }
    const first = blocks[0]?.height ?? this.#reader.height + 1;
    if (first !== height + 1) {
      throw new DamagedStateTree(
        `has state up to block ${height}, and the changes after it are not kept`,
      );
    }
    return blocks;
  }

  /** Up to each claimed root; all if `isWhole`. Returns claims that differ. */
  #takeIn(
    tree: StateTree,
    blocks: readonly ChangedEntriesOfBlock[],
    isWhole: boolean,
  ): readonly WrongStateRoot[] {
    const claims = new Map(
      blocks
        .flatMap((block) => this.#claimsIn(block))
        .filter(({ height }) => height > this.#compared)
        .map((claim) => [claim.height, claim]),
    );
    const last = blocks.at(-1)?.height;
    const wrong: WrongStateRoot[] = [];
    const compare = ({ height, root }: KeptRoot): void => {
      const claim = claims.get(height);
      const computed = hex(root);
      if (claim !== undefined && claim.root !== computed) {
        wrong.push({ height, root: claim.root, computed });
      } else if (claim !== undefined) {
        tree.noteClaim(height, claim.transaction);
      }
    };
    tree.kept.forEach(compare);
    let changed = new Map<string, string>();
    for (const { height, changes } of blocks) {
      for (const [key, text] of changes) {
        changed.set(key, text);
      }
      if (claims.has(height) || (isWhole && height === last)) {
        compare(this.#update(tree, height, changed));
        changed = new Map();
      }
    }
    return wrong;
  }

  #update(tree: StateTree, height: number, changed: ReadonlyMap<string, string>): KeptRoot {
    const root = tree.update(this.#blockAt(height), changedHashes(changed));
    this.#updatedMs = this.#nowMs();
    return root;
  }

  #blockAt(height: number): BlockOfRoot {
    const block = this.#reader.block({ height });
    invariant(block !== undefined, "changes are kept only of existing blocks");
    return { height, timestamp: block.header.timestamp, block: block.id };
  }

  #claimsIn({ height, changes }: ChangedEntriesOfBlock): readonly Claim[] {
    if (!changes.some(([key]) => key === ROOT_KEY)) {
      return [];
    }
    const from = this.#reader.firstTransactionOf(height);
    const before = this.#reader.firstTransactionOf(height + 1);
    if (from === undefined || before === undefined) {
      return [];
    }
    return [...this.#reader.transactionsFrom(from, before)].flatMap(({ number, record }) => {
      const { type, parameters } = JSON.parse(record) as TransactionRecord;
      const [at, root] = parameters;
      return type === "StateRoot"
        ? [{ height: Number(at), root: root as string, transaction: number }]
        : [];
    });
  }

  /** `reason` names its damage. Throws `StorageFailure`. */
  #rebuild(reason?: string): FromStateTree {
    this.#closeTree();
    StateTree.remove(this.#file);
    const tree = this.#opened();
    // All of them exist.
    const entries = changedHashes(this.#reader.state.entries()) as Generator<[string, Buffer]>;
    tree.rebuild(this.#blockAt(this.#reader.height), entries);
    this.#updatedMs = this.#nowMs();
    return { height: heightOf(tree), wrong: [], rebuilt: reason };
  }

  /** Throws `DamagedStateTree` also if the ledger was replaced since the last root. */
  #opened(): StateTree {
    if (this.#tree === undefined) {
      this.#tree = StateTree.open(this.#file, {
        ledgerId: this.#reader.state.ledgerId,
        keptRoots: this.#keptRoots,
        access: "write",
      });
      const { newest } = this.#tree;
      if (newest !== undefined && this.#reader.block(newest)?.id !== newest.block) {
        const { block, height } = newest;
        throw new DamagedStateTree(
          `has state of block ${height}, ${block}, which the ledger lacks`,
        );
      }
    }
    return this.#tree;
  }
}

/** -1 for a tree without a root. */
function heightOf(tree: StateTree): number {
  return tree.newest?.height ?? -1;
}

/** Any entry other than the newest root has changed. */
function hasOperations({ changes }: ChangedEntriesOfBlock): boolean {
  return changes.some(([key]) => key !== ROOT_KEY);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
