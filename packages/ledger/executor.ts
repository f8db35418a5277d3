import {
  type Address,
  type Block,
  contentText,
  type Fault,
  type GroupFault,
  type LedgerOperation,
  MerkleTree,
  NO_BLOCK,
  operationText,
  type PlaceInGroup,
  Refused,
  type TemporaryKey,
  type Texts,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
import { applyOperation, type Running } from "./apply-operation.ts";
import { type Added, BlockBuilder, type Closed } from "./chain/block-builder.ts";
import { InvalidBlock, InvalidDecision } from "./chain/invalid-block.ts";
import {
  enterVersion,
  GENESIS_VERSION,
  type ProtocolVersion,
  type ProtocolVersions,
  type UnknownVersion,
  unknownVersion,
  versionOfBlock,
} from "./chain/protocol-version.ts";
import { isRepeat, isSameTexts, readOperation } from "./chain/repeat.ts";
import type { Database } from "./database.ts";
import { invariant } from "./invariant.ts";
import type { StoredBlocks } from "./log/block-log.ts";
import type { RuledOperation } from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import { PROTOCOL } from "./state/entries.ts";
import { ORDER } from "./state/order-entry.ts";
import { State } from "./state/state.ts";
import {
  type HeldKey,
  keyHolder,
  refuseKeys,
  refuseKeysTwice,
  temporaryKeysOf,
} from "./temporary-key.ts";
import { BlockView, placeIn } from "./views/blocks.ts";
import { GroupView } from "./views/groups.ts";
import { type Head, HeadView } from "./views/head.ts";
import { HistoryView, typeNumber } from "./views/history.ts";
import { subjectsOf } from "./views/history-subjects.ts";
import { OrderTradeView } from "./views/order-trades.ts";
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

/**
 * What became of a group. Its transactions are in the order of its operations; a repeat gets those
 * of the first time. A refusal names the operation that is to blame, from 0, or none if it is for
 * the whole. Source: batches §2.3, §2.7.
 */
export type GroupOutcome =
  | { readonly kind: "done"; readonly transactionIds: readonly string[] }
  | { readonly kind: "repeat"; readonly transactionIds: readonly string[] }
  | ({ readonly kind: "refused" } & GroupFault);

/** What is executed as one, in canonical form: an operation, or a group of them in their order. */
export type Unit = string | readonly string[];

export type OutcomeOf<U extends Unit> = U extends string ? Outcome : GroupOutcome;

/** Bounds of the text of a block's changes, in characters. */
export interface ChangesBounds {
  /** A block with more takes no further unit. A choice of who makes it. */
  readonly enough: number;
  /** A block with more is invalid. */
  readonly most: number;
}

/**
 * The largest unit has some 30 Mi, a group that changes 100 items which say all that they may. V8 has
 * no text of more than 512 Mi. Source: chain §2.2, §4.6.
 */
export const CHANGES_BOUNDS: ChangesBounds = { enough: 2 ** 24, most: 2 ** 27 };

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
  readonly #orderTrades: OrderTradeView;
  readonly #totals: TotalView;
  readonly #usedKeys: UsedKeyView;
  readonly #groups: GroupView;
  readonly #heads: HeadView;
  readonly #log: StoredBlocks;
  readonly #versions: ProtocolVersions;
  readonly #changes: ChangesBounds;
  #head: Head;
  #tree: MerkleTree;
  #ledgerId: string | undefined;
  #sinceForgetting = 0;

  constructor(
    database: Database,
    log: StoredBlocks,
    versions: ProtocolVersions,
    changes: ChangesBounds = CHANGES_BOUNDS,
  ) {
    this.state = new State(database);
    this.blocks = new BlockView(database, "write");
    this.transactions = new TransactionView(database, "write");
    this.treeView = new TreeView(database, "write");
    this.#history = new HistoryView(database, "write");
    this.#tokenTrades = new TokenTradeView(database);
    this.#orderTrades = new OrderTradeView(database, "write");
    this.#totals = new TotalView(database, "write");
    this.#usedKeys = new UsedKeyView(database, "write");
    this.#groups = new GroupView(database, "write");
    this.#heads = new HeadView(database, "write");
    this.#log = log;
    this.#versions = versions;
    this.#changes = changes;
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

  /** The id of block 0, which block 0 itself does not know. */
  get ledgerId(): string {
    this.#ledgerId ??= this.blocks.atHeight(0)?.id;
    return this.#ledgerId ?? NO_BLOCK;
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
  get version(): ProtocolVersion {
    const height = this.#head.height + 1;
    if (height === 0) {
      return GENESIS_VERSION;
    }
    const version = this.#versions.get(this.#versionInForce(height));
    invariant(version !== undefined, "the ledger stops before a version that it does not know");
    return version;
  }

  /** Whether this software knows a version of the rules. */
  knows(version: number): boolean {
    return this.#versions.has(version);
  }

  #versionInForce(height: number): number {
    const entry = this.state.find(PROTOCOL, "");
    invariant(entry !== undefined, "block 0 has laid down the rules");
    return versionOfBlock(entry, height);
  }

  /**
   * Starts a block; block 0 gets the version that its operations say. A new version of the rules
   * may come into force with it, which has a transaction of its own.
   */
  start(timestamp: number, version: number = 1): BlockBuilder {
    const height = this.#head.height + 1;
    this.state.beginBlock({ height, time: timestamp, ledgerId: this.ledgerId });
    const builder = new BlockBuilder({
      protocol: height === 0 ? version : this.#versionInForce(height),
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
  run(text: string, { rules }: ProtocolVersion, builder: BlockBuilder): Outcome {
    const running = runningOf(text, rules);
    return running instanceof Refused
      ? { kind: "refused", fault: running.fault }
      : this.runRead(text, running, builder);
  }

  /** As `run`, of an operation that has been read from the text. */
  runRead(text: string, running: Running, builder: BlockBuilder): Outcome {
    const { operation, ruled, keys } = running;
    invariant(operation.params["group"] === undefined, "members of groups come as a group");

    const number = this.#head.size + builder.count;
    const isFirstUse = keys.map((key) => key === undefined || this.#usedKeys.use(key, number));
    const earlier = this.#earlierUse(operation, isFirstUse[0] === false ? keys[0] : undefined);
    if (earlier !== undefined && isRepeat(ruled, operation, this.#operationAt(earlier, builder))) {
      // Of several keys another may have been forgotten by now.
      this.#release(keys, isFirstUse);
      return { kind: "repeat", transactionId: this.#idAt(earlier, builder) };
    }

    this.state.beginOperation(number);
    const record = applyOperation(this.state, running, isFirstUse);
    if (record instanceof Refused) {
      this.state.undoOperation();
      this.#release(keys, isFirstUse);
      return { kind: "refused", fault: record.fault };
    }
    this.state.acceptOperation();
    const added = builder.add(text, contentText(text), record);
    this.#file(number, record, added);
    return { kind: "done", transactionId: added.transactionId };
  }

  /**
   * Executes a group, each operation on what those before it leave, all of them at the block's time.
   * If one is refused, none leaves a trace. It trusts that the group's id and its signatures have
   * been checked. Source: batches §2.3, §2.7.
   */
  runGroup(
    texts: readonly string[],
    { rules }: ProtocolVersion,
    builder: BlockBuilder,
  ): GroupOutcome {
    const members: Running[] = [];
    for (const [index, text] of texts.entries()) {
      const running = runningOf(text, rules);
      if (running instanceof Refused) {
        return { kind: "refused", index, fault: running.fault };
      }
      members.push(running);
    }
    return this.runReadGroup(members, builder);
  }

  /** As `runGroup`, of operations that have been read. */
  runReadGroup(members: readonly Running[], builder: BlockBuilder): GroupOutcome {
    const refused = refuseKeysTwice(members);
    if (refused !== undefined) {
      return refused;
    }
    const earlier = this.#earlierGroup(members, builder);
    if (earlier !== undefined) {
      return { kind: "repeat", transactionIds: earlier };
    }

    const first = this.#head.size + builder.count;
    this.state.beginGroup();
    const done = this.#refuseKeys(members) ?? this.#applyAll(members, first);
    if ("kind" in done) {
      this.state.undoGroup();
      return done;
    }
    this.state.acceptGroup();
    const transactionIds = done.map(({ text, keys, record }, index) => {
      for (const key of keys) {
        this.#usedKeys.use(key, first + index);
      }
      const added = builder.add(text, contentText(text), record);
      this.#file(first + index, record, added);
      return added.transactionId;
    });
    this.#groups.insert(groupOf(members), { first, count: members.length });
    return { kind: "done", transactionIds };
  }

  /** The transactions of the same group, if it has been done. */
  #earlierGroup(members: readonly Running[], builder: BlockBuilder): readonly string[] | undefined {
    const [{ keys, ruled, operation }] = members as [Running];
    const [key] = keys;
    const number = key && this.#usedKeys.usedBy(key, this.state.time);
    // The group's id is part of the operation, and covers all of them.
    return number !== undefined && isRepeat(ruled, operation, this.#operationAt(number, builder))
      ? members.map((_, index) => this.#idAt(number + index, builder))
      : undefined;
  }

  /** The checks of all keys, before anything is executed. Source: batches §2.10. */
  #refuseKeys(members: readonly Running[]): GroupOutcome | undefined {
    for (const [index, member] of members.entries()) {
      const refused = this.#refuseKeysOf(member);
      if (refused !== undefined) {
        return { kind: "refused", index, fault: refused.fault };
      }
    }
    return undefined;
  }

  #refuseKeysOf({ operation, ruled, keys }: Running): Refused | undefined {
    const { state } = this;
    const held = ruled.operation.signers.map(({ temporaryKey: parameter }, index): HeldKey => {
      const key = keys[index];
      const holder = index === 0 ? (operation.actor as Address) : keyHolder(state, key, parameter);
      return { parameter, key, holder };
    });
    const isUsed = (key: TemporaryKey): boolean =>
      this.#usedKeys.usedBy(key, state.time) !== undefined;
    return refuseKeys(state, held, { isUsed });
  }

  /** Frees the keys of a refused operation, but those that have served another one. */
  #release(keys: readonly (TemporaryKey | undefined)[], isFirstUse: readonly boolean[]): void {
    for (const [index, key] of keys.entries()) {
      if (isFirstUse[index] === true && key !== undefined) {
        this.#usedKeys.release(key);
      }
    }
  }

  /** Executes the operations of a group, which its caller accepts or undoes. */
  #applyAll(members: readonly Running[], first: number): readonly Applied[] | GroupOutcome {
    const applied: Applied[] = [];
    const group = { id: groupOf(members), count: members.length };
    for (const [index, member] of members.entries()) {
      this.state.beginOperation(first + index);
      const operation = this.#decided(member);
      const record =
        operation instanceof Refused
          ? operation
          : applyOperation(
              this.state,
              { ...member, operation },
              member.keys.map(() => true),
            );
      if (operation instanceof Refused || record instanceof Refused) {
        const { fault } = (operation instanceof Refused ? operation : record) as Refused;
        return { kind: "refused", index, fault };
      }
      this.state.acceptOperation();
      const place: PlaceInGroup = { ...group, index };
      applied.push({
        text: operationText(operation),
        keys: member.keys as readonly TemporaryKey[],
        record: { ...record, group: place },
      });
    }
    return applied;
  }

  /**
   * The operation with what is decided at its place: in a group no signature decides, so it is the
   * first of the choices. Source: batches §2.3.
   */
  #decided({ operation, ruled, request: { values } }: Running): LedgerOperation | Refused {
    const { decided: names = [] } = ruled.operation;
    const choices = names.every((name) => operation.params[name] !== undefined)
      ? []
      : (ruled.rule.choices?.(this.state, values, operation.actor as Address) ?? []);
    if (choices instanceof Refused) {
      return choices;
    }
    const decided: Texts = choices[0] ?? {};
    // A block that has been made says what was decided.
    if (Object.keys(operation.decided).length > 0 && !isSameTexts(operation.decided, decided)) {
      throw new InvalidDecision("it does not hold what is decided at its place in the group");
    }
    return { ...operation, decided };
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
    this.#orderTrades.insert(number, record, {
      address: (address) => this.state.address(address as Address)?.number,
      order: (id) => this.state.find(ORDER, id)?.order,
    });
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

  /** Whether the block that is being made has changed so much that it takes no further unit. */
  get hasChangedEnough(): boolean {
    return this.state.changesLength > this.#changes.enough;
  }

  /** Closes a block with its header. Throws `InvalidBlock` if it has changed more than one may. */
  close(builder: BlockBuilder): Closed {
    const { most } = this.#changes;
    const text = this.state.changesText(most);
    if (text === undefined) {
      const reason = `the text of its changes has more than ${most} characters`;
      throw new InvalidBlock({ height: builder.height }, reason);
    }
    return builder.close(text);
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

/** What an operation of a group has come to. */
interface Applied {
  readonly text: string;
  readonly keys: readonly TemporaryKey[];
  readonly record: TransactionRecord;
}

/** Reads an operation in canonical form. */
function runningOf(text: string, rules: ReadonlyMap<string, RuledOperation>): Running | Refused {
  const operation = JSON.parse(text) as LedgerOperation;
  const ruled = rules.get(operation.op);
  invariant(ruled !== undefined, "only operations with a rule are admitted");
  const request = readOperation(ruled, operation);
  return request instanceof Refused
    ? request
    : { operation, ruled, request, keys: temporaryKeysOf(ruled, request) };
}

function groupOf([first]: readonly Running[]): string {
  const group = first?.operation.params["group"];
  invariant(group !== undefined, "the operations of a group name it");
  return group;
}

function headOf({ header, id }: Block, { frontier }: MerkleTree): Head {
  return { height: header.sn, id, timestamp: header.timestamp, size: header.size, frontier };
}
