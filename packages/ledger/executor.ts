import {
  type Address,
  type Block,
  contentText,
  type Fault,
  type LedgerOperation,
  MerkleTree,
  NO_BLOCK,
  Refused,
  type TemporaryKey,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
import { applyOperation } from "./apply-operation.ts";
import { type Added, BlockBuilder, type Closed } from "./chain/block-builder.ts";
import {
  enterVersion,
  type ProtocolVersions,
  type UnknownVersion,
  unknownVersion,
  versionOfBlock,
} from "./chain/protocol-version.ts";
import { isRepeat, readOperation } from "./chain/repeat.ts";
import type { Database } from "./database.ts";
import { invariant } from "./invariant.ts";
import type { BlockLog } from "./log/block-log.ts";
import { GENESIS_RULES } from "./rules/registry.ts";
import type { RuledOperation } from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import { PROTOCOL } from "./state/entries.ts";
import { State } from "./state/state.ts";
import { temporaryKeyOf } from "./temporary-key.ts";
import { BlockView, placeIn } from "./views/blocks.ts";
import { type Head, HeadView } from "./views/head.ts";
import { HistoryView, typeNumber } from "./views/history.ts";
import { subjectsOf } from "./views/history-subjects.ts";
import { TokenTradeView } from "./views/token-trades.ts";
import { TotalView } from "./views/totals.ts";
import { TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { UsedKeyView } from "./views/used-keys.ts";

/**
 * What became of an operation. A repeat gets the first one's response. Source: conventions §5.3.
 */
export type Outcome =
  | { readonly kind: "done"; readonly transactionId: string }
  | { readonly kind: "repeat"; readonly transactionId: string }
  | { readonly kind: "refused"; readonly fault: Fault };

const BEFORE_BLOCK_0: Head = { height: -1, id: NO_BLOCK, timestamp: 0, size: 0, frontier: [] };

/**
 * Old temporary keys are removed after so many operations, up to twice as many at a time: faster
 * than they are added, and never a long wait.
 */
const FORGET_AFTER_OPERATIONS = 1000;

/**
 * Executes operations and writes state and views, inside a transaction that its caller begins and
 * ends: `start`, `run` for each operation, `store`, then `accept` or `undo`.
 */
export class Executor {
  readonly state: State;
  readonly blocks: BlockView;
  readonly transactions: TransactionView;
  readonly treeView: TreeView;
  readonly #history: HistoryView;
  readonly #tokenTrades: TokenTradeView;
  readonly #totals: TotalView;
  readonly #usedKeys: UsedKeyView;
  readonly #heads: HeadView;
  readonly #log: BlockLog;
  readonly #versions: ProtocolVersions;
  #head: Head;
  #tree: MerkleTree;
  #sinceForgetting = 0;

  constructor(database: Database, log: BlockLog, versions: ProtocolVersions) {
    this.state = new State(database);
    this.blocks = new BlockView(database, "write");
    this.transactions = new TransactionView(database, "write");
    this.treeView = new TreeView(database, "write");
    this.#history = new HistoryView(database, "write");
    this.#tokenTrades = new TokenTradeView(database, "write");
    this.#totals = new TotalView(database, "write");
    this.#usedKeys = new UsedKeyView(database, "write");
    this.#heads = new HeadView(database, "write");
    this.#log = log;
    this.#versions = versions;
    this.#head = this.#heads.get() ?? BEFORE_BLOCK_0;
    this.#tree = new MerkleTree(sha256, this.#head.size, this.#head.frontier);
  }

  /** The newest block that state and views have; height -1 before block 0. */
  get head(): Head {
    return this.#head;
  }

  /** The tree of all transactions up to the head. */
  get tree(): MerkleTree {
    return this.#tree;
  }

  /** See `Ledger.unknownVersion`. */
  get unknownVersion(): UnknownVersion | undefined {
    return unknownVersion(this.state.find(PROTOCOL, ""), this.#head.height + 1, this.#versions);
  }

  /** `unknownVersion` if the ledger stops before the next block. */
  get stop(): UnknownVersion | undefined {
    const unknown = this.unknownVersion;
    return unknown !== undefined && unknown.height <= this.#head.height + 1 ? unknown : undefined;
  }

  /** The rules of the next block, which must be known. */
  get rules(): ReadonlyMap<string, RuledOperation> {
    const height = this.#head.height + 1;
    if (height === 0) {
      return GENESIS_RULES;
    }
    const version = this.#versions.get(versionOfBlock(this.state.find(PROTOCOL, ""), height));
    invariant(version !== undefined, "the ledger stops before a version that it does not know");
    return version.rules;
  }

  /**
   * Starts a block. A new version of the rules may come into force with it, which has a transaction
   * of its own.
   */
  start(timestamp: number): BlockBuilder {
    const height = this.#head.height + 1;
    this.state.beginBlock({ height, time: timestamp });
    const builder = new BlockBuilder({
      protocol: versionOfBlock(this.state.find(PROTOCOL, ""), height),
      height,
      timestamp,
      previous: this.#head.id,
      ledgerTree: this.#tree,
    });
    this.state.beginOperation(this.#head.size);
    const migration = enterVersion(this.state, this.#versions);
    this.state.acceptOperation();
    if (migration !== undefined) {
      const { operation, record } = migration;
      this.#file(this.#head.size, record, builder.add(operation, contentText(operation), record));
    }
    return builder;
  }

  /** Executes one operation. A refused one leaves no trace. */
  run(text: string, rules: ReadonlyMap<string, RuledOperation>, builder: BlockBuilder): Outcome {
    const operation = JSON.parse(text) as LedgerOperation;
    const ruled = rules.get(operation.op);
    invariant(ruled !== undefined, "only operations with a rule are admitted");
    const request = readOperation(ruled, operation);
    if (request instanceof Refused) {
      return { kind: "refused", fault: request.fault };
    }

    const number = this.#head.size + builder.count;
    const key = temporaryKeyOf(ruled, request);
    const isFirstUse = key === undefined || this.#usedKeys.use(key, number);
    const earlier = this.#earlierUse(operation, isFirstUse ? undefined : key);
    if (earlier !== undefined && isRepeat(ruled, operation, this.#operationAt(earlier, builder))) {
      return { kind: "repeat", transactionId: this.#idAt(earlier, builder) };
    }

    this.state.beginOperation(number);
    const record = applyOperation(this.state, { operation, ruled, request, key }, isFirstUse);
    if (record instanceof Refused) {
      this.state.undoOperation();
      if (isFirstUse && key !== undefined) {
        this.#usedKeys.release(key);
      }
      return { kind: "refused", fault: record.fault };
    }
    this.state.acceptOperation();
    const added = builder.add(text, contentText(text), record);
    this.#file(number, record, added);
    return { kind: "done", transactionId: added.transactionId };
  }

  /** Writes a transaction into the views. */
  #file(number: number, record: TransactionRecord, added: Added): void {
    const { contentHash, leafHash, recordText } = added;
    const type = typeNumber(record.type);
    invariant(type !== undefined, "records are of known types");
    const { token } = record;
    this.transactions.insert(number, { contentHash, leafHash, type, token, record: recordText });
    this.#history.insert(number, record, {
      address: (address) => this.state.address(address as Address)?.number,
      item: (id) => subjectsOf(this.state, id),
    });
    this.#tokenTrades.insert(number, record);
  }

  /** The transaction that this operation may be a repeat of, undefined if it surely is none. */
  #earlierUse(operation: LedgerOperation, usedKey: TemporaryKey | undefined): number | undefined {
    if (usedKey !== undefined) {
      return this.#usedKeys.usedBy(usedKey, this.state.time);
    }
    // An address that an Idempotency-Key names twice. Source: accounts §4.
    const address = operation.decided["address"];
    return address === undefined
      ? undefined
      : this.state.address(address as Address)?.transactionNumber;
  }

  #operationAt(number: number, builder: BlockBuilder): LedgerOperation {
    if (number >= this.#head.size) {
      return JSON.parse(builder.operations[number - this.#head.size] as string) as LedgerOperation;
    }
    const block = this.#blockWith(number);
    const { position } = placeIn(block.header, number);
    return JSON.parse(this.#log.operation(block.header.sn, position) as string) as LedgerOperation;
  }

  #idAt(number: number, builder: BlockBuilder): string {
    const contentHash = this.transactions.at(number)?.contentHash;
    invariant(contentHash !== undefined, "every transaction is in the view");
    const place =
      number >= this.#head.size
        ? { height: builder.height, position: number - this.#head.size }
        : placeIn(this.#blockWith(number).header, number);
    return transactionId({ ...place, contentHash });
  }

  #blockWith(number: number): { readonly header: Block["header"] } {
    const block = this.blocks.withTransaction(number);
    invariant(block !== undefined, "every transaction is in a block");
    return block;
  }

  /** Writes a block's state and views. */
  store({ block, ledgerTree, subtrees, types }: Closed): void {
    this.state.save();
    this.blocks.insert(block);
    this.#totals.add(block.header.timestamp, types);
    for (const subtree of subtrees) {
      this.treeView.insert(subtree);
    }
    this.#heads.put(headOf(block, ledgerTree));
    this.#forgetOldKeys(block.header.timestamp, block.operations.length);
  }

  /** Makes a stored block the head. */
  accept({ block, ledgerTree: tree }: Closed): void {
    this.state.acceptBlock();
    this.#head = headOf(block, tree);
    this.#tree = tree;
  }

  /** Drops what the block has changed in memory; its caller rolls back the transaction. */
  undo(): void {
    this.state.undoBlock();
  }

  #forgetOldKeys(timestamp: number, operations: number): void {
    this.#sinceForgetting += operations;
    if (this.#sinceForgetting >= FORGET_AFTER_OPERATIONS) {
      this.#usedKeys.forgetOld(timestamp, 2 * this.#sinceForgetting);
      this.#sinceForgetting = 0;
    }
  }
}

function headOf({ header, id }: Block, { frontier }: MerkleTree): Head {
  return { height: header.sn, id, timestamp: header.timestamp, size: header.size, frontier };
}
