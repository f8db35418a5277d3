import {
  type Block,
  blockId,
  contentText,
  type Header,
  leafText,
  MerkleTree,
  operationRecords,
  recordText,
  type SubtreeListener,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { type Subtree, storedTileLevel } from "../views/tree.ts";

export interface BlockStart {
  readonly protocol: number;
  readonly height: number;
  readonly timestamp: number;
  readonly previous: string;
  readonly ledgerTree: MerkleTree;
}

export interface Added {
  readonly transactionId: string;
  readonly contentHash: string;
  readonly leafHash: Uint8Array;
  readonly recordText: string;
}

export interface Closed {
  readonly block: Block;
  readonly ledgerTree: MerkleTree;
  readonly subtrees: readonly Subtree[];
  readonly types: ReadonlyMap<string, number>;
  readonly actors: ReadonlySet<string>;
  /** Of all its transactions, effects included. */
  readonly recordCount: number;
}

/** The leaf of a transaction, in canonical form. Source: chain §4.3, §4.4. */
export function leafOf(
  {
    height,
    position,
    timestamp,
  }: { readonly height: number; readonly position: number; readonly timestamp: number },
  operation: string,
  record: string,
): { readonly id: string; readonly contentHash: string; readonly leaf: string } {
  const contentHash = sha256.hex(contentText(operation));
  const id = transactionId({ height, position, contentHash });
  const leaf = leafText({
    id,
    operationHash: sha256.hex(operation),
    recordHash: sha256.hex(record),
    timestamp,
  });
  return { id, contentHash, leaf };
}

/** Collects the operations of one block. Source: chain §4. */
export class BlockBuilder {
  readonly #start: BlockStart;
  readonly #operations: string[] = [];
  readonly #blockTree: MerkleTree = new MerkleTree(sha256);
  readonly #ledgerTree: MerkleTree;
  readonly #subtrees: Subtree[] = [];
  readonly #types: Map<string, number> = new Map();
  readonly #actors: Set<string> = new Set();
  #recordCount = 0;

  constructor(start: BlockStart) {
    this.#start = start;
    this.#ledgerTree = start.ledgerTree.copy();
  }

  get height(): number {
    return this.#start.height;
  }

  get protocol(): number {
    return this.#start.protocol;
  }

  get count(): number {
    return this.#operations.length;
  }

  get operations(): readonly string[] {
    return this.#operations;
  }

  add(operation: string, record: TransactionRecord): Added {
    const { height, timestamp } = this.#start;
    const place = { height, position: this.#operations.length, timestamp };
    const text = recordText(record);
    const { id, contentHash, leaf } = leafOf(place, operation, text);
    const leafHash = this.#blockTree.append(leaf);
    this.#ledgerTree.appendHash(leafHash, this.#noteSubtree);
    this.#operations.push(operation);
    this.#actors.add(record.address);
    this.#recordCount += 1 + record.effects.length;
    for (const { record: own } of operationRecords(record)) {
      this.#types.set(own.type, (this.#types.get(own.type) ?? 0) + 1);
    }
    return { transactionId: id, contentHash: contentHash.slice(0, 40), leafHash, recordText: text };
  }

  readonly #noteSubtree: SubtreeListener = (level, number, hash) => {
    const tileLevel = storedTileLevel(level);
    if (tileLevel !== undefined) {
      this.#subtrees.push({ tileLevel, number, hash });
    }
  };

  /** With the hash of its changes (hex). */
  close(changes: string): Closed {
    const { protocol, height, timestamp, previous } = this.#start;
    const header: Header = {
      v: 1,
      protocol,
      sn: height,
      timestamp,
      previous,
      count: this.#operations.length,
      root: hex(this.#blockTree.root()),
      size: this.#ledgerTree.size,
      tree: hex(this.#ledgerTree.root()),
      changes,
    };
    const block = { header, id: blockId(header, sha256), operations: this.#operations };
    const ledgerTree = this.#ledgerTree;
    return {
      block,
      ledgerTree,
      subtrees: this.#subtrees,
      types: this.#types,
      actors: this.#actors,
      recordCount: this.#recordCount,
    };
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
