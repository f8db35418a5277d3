import {
  type Address,
  type Block,
  type GroupFault,
  type LedgerOperation,
  MerkleTree,
  NO_BLOCK,
  operationRecords,
  operationText,
  type PlaceInGroup,
  Refused,
  type TemporaryKey,
  type TokenId,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
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
import {
  applyOperation,
  areKeysInForce,
  checkKeys,
  type KeyChecks,
  type Running,
  temporaryKeysOf,
} from "./ladder.ts";
import type { StoredBlocks } from "./log/block-log.ts";
import { ChangedEntries } from "./log/changed-entries.ts";
import {
  choicesOf,
  type RuledOperation,
  type RuleRecord,
  type SkippedOperation,
} from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import { PROTOCOL } from "./state/entries.ts";
import { ITEM } from "./state/item-entry.ts";
import { ORDER } from "./state/order-entry.ts";
import { State } from "./state/state.ts";
import { UNIT_ITEM } from "./state/units/unit-item-entry.ts";
import { BlockView, firstTransaction, placeIn } from "./views/blocks.ts";
import { GroupView } from "./views/groups.ts";
import { type Head, HeadView } from "./views/head.ts";
import { HistoryView, type SubjectNumbers, typeNumber } from "./views/history.ts";
import { subjectNumbers } from "./views/history-subjects.ts";
import { OrderTradeView } from "./views/order-trades.ts";
import { type ItemTrade, ProjectMarketView } from "./views/project-markets.ts";
import { TokenMarketView } from "./views/token-markets.ts";
import { TokenTradeView } from "./views/token-trades.ts";
import { TotalView } from "./views/totals.ts";
import { TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { UsedKeyView } from "./views/used-keys.ts";

/** A lone operation, or those of a group in their order, in canonical form. */
export type Unit = readonly string[];

/**
 * Transactions are in the order of the operations; a repeat gets the first ones. A refusal without
 * index is for the whole unit. Source: conventions §5.3; batches §2.3, §2.7.
 */
export type Outcome =
  | {
      readonly kind: "done" | "repeat";
      readonly transactionIds: TransactionIds;
      readonly skipped?: readonly SkippedOperation[];
    }
  | ({
      readonly kind: "refused";
      /** Its signatures are verified by other keys. Source: authority §1.4. */
      readonly isStale?: true;
    } & GroupFault);

/**
 * Versions of the keys by which a unit's signatures were verified; undefined where all are 0.
 * Source: authority §1.4.
 */
export type KeyVersions = readonly (readonly number[])[] | undefined;

const STALE: Outcome = {
  kind: "refused",
  isStale: true,
  fault: {
    code: "9002",
    reason: "The keys that sign for an address have changed since the signatures were verified",
    retryAfter: 1,
  },
};

export interface CanonicalOperation extends Running {
  readonly text: string;
}

export type TransactionIds = readonly [string, ...string[]];

export interface ChangesBounds {
  /** Characters; a block with more takes no further unit. */
  readonly enough: number;
  readonly most: number;
}

/**
 * The largest unit has some 30 Mi (100 items with the longest values). V8 has no text above 512 Mi.
 * Source: chain §2.2, §4.6.
 */
export const CHANGES_BOUNDS: ChangesBounds = { enough: 2 ** 24, most: 2 ** 27 };

const BEFORE_BLOCK_0: Head = { height: -1, id: NO_BLOCK, timestamp: 0, size: 0, frontier: [] };

/** Old temporary keys are removed in small parts, faster than they are added. */
const FORGET_AFTER_OPERATIONS = 1000;

/** Trades of replayed blocks that are written together, besides those of the last block. */
const TRADES_TOGETHER = 10_000;

/**
 * Writes state and views in its caller's transaction: `start`, `run`, `store`, then `accept` or
 * `undo`; `settle` before the commit.
 */
export class Executor {
  readonly state: State;
  readonly blocks: BlockView;
  readonly transactions: TransactionView;
  readonly treeView: TreeView;
  readonly changedEntries: ChangedEntries;
  readonly #history: HistoryView;
  readonly #numbersOf: SubjectNumbers;
  readonly #markets: TokenMarketView;
  readonly #projectMarkets: ProjectMarketView;
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
    this.changedEntries = new ChangedEntries(database);
    this.treeView = new TreeView(database, "write");
    this.#history = new HistoryView(database, "write");
    this.#numbersOf = subjectNumbers(this.state);
    this.#markets = new TokenMarketView(database);
    this.#projectMarkets = new ProjectMarketView(database);
    this.#tokenTrades = new TokenTradeView(database, this.#markets);
    this.#orderTrades = new OrderTradeView(database, this.#markets);
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

  get head(): Head {
    return this.#head;
  }

  get tree(): MerkleTree {
    return this.#tree;
  }

  /** Unknown within block 0. */
  get ledgerId(): string {
    this.#ledgerId ??=
      (this.#head.height === 0 ? this.#head.id : undefined) ??
      this.blocks.atHeight(0)?.id ??
      (this.state.find(PROTOCOL, "")?.ledgerId || undefined);
    return this.#ledgerId ?? NO_BLOCK;
  }

  get unknownVersion(): UnknownVersion | undefined {
    return unknownVersion(this.state.find(PROTOCOL, ""), this.#head.height + 1, this.#versions);
  }

  get stop(): UnknownVersion | undefined {
    const unknown = this.unknownVersion;
    return unknown !== undefined && unknown.height <= this.#head.height + 1 ? unknown : undefined;
  }

  get version(): ProtocolVersion {
    const height = this.#head.height + 1;
    if (height === 0) {
      return GENESIS_VERSION;
    }
    const version = this.#versions.get(this.#versionInForce(height));
    invariant(version !== undefined, "the ledger stops before a version that it does not know");
    return version;
  }

  knows(version: number): boolean {
    return this.#versions.has(version);
  }

  #versionInForce(height: number): number {
    const entry = this.state.find(PROTOCOL, "");
    invariant(entry !== undefined, "block 0 has laid down the rules");
    return versionOfBlock(entry, height);
  }

  /**
   * Block 0 gets the version in its operations. A new version may come into force, with its own
   * transaction.
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
    if (height === 1) {
      const entry = this.state.find(PROTOCOL, "");
      invariant(entry !== undefined, "block 0 has laid down the rules");
      this.state.put(PROTOCOL, { ...entry, ledgerId: this.ledgerId });
    }
    const migration = enterVersion(this.state, this.#versions);
    this.state.acceptOperation();
    if (migration !== undefined) {
      const { operation, record } = migration;
      this.#file(this.#head.size, record, builder.add(operation, record), timestamp);
    }
    return builder;
  }

  /** `execute` for unread operations whose signatures were verified by keys of these versions. */
  run(
    texts: Unit,
    { rules }: ProtocolVersion,
    builder: BlockBuilder,
    verified?: { readonly by: KeyVersions },
  ): Outcome {
    const unit: CanonicalOperation[] = [];
    for (const text of texts) {
      const running = runningOf(text, rules);
      if (running instanceof Refused) {
        return { kind: "refused", index: unit.length, fault: running.fault };
      }
      unit.push(running);
    }
    return this.execute(unit, builder, verified);
  }

  /**
   * Executes a unit; if one operation is refused, none leaves a trace. The caller has checked a
   * group's id and all signatures. Source: conventions §5.3; batches §2.3, §2.7.
   */
  execute(
    unit: readonly CanonicalOperation[],
    builder: BlockBuilder,
    verified?: { readonly by: KeyVersions },
  ): Outcome {
    const head = unit[0] as CanonicalOperation;
    const group = groupOf(unit);
    const first = this.#head.size + builder.count;
    const used = this.#use(unit, first);
    const usedKey = head.keys[0] && used.has(head.keys[0]) ? head.keys[0] : undefined;
    const earlier = this.#earlierUse(head.operation, usedKey);
    if (earlier !== undefined && !this.#isStored(earlier)) {
      this.#release(unit, used);
      return { kind: "refused", fault: { code: "6013", since: this.#log.firstKept } };
    }
    // A group's id is a parameter of its first operation.
    if (
      earlier !== undefined &&
      isRepeat(head.ruled, head.operation, this.#operationAt(earlier, builder))
    ) {
      // Of several keys another may have been forgotten by now.
      this.#release(unit, used);
      const ids = unit.map((_, index) => this.#idAt(earlier + index, builder));
      return { kind: "repeat", transactionIds: ids as [string, ...string[]] };
    }

    // After repeats, which have a result whatever the keys.
    if (
      verified !== undefined &&
      !unit.every((one, index) => areKeysInForce(this.state, one, verified.by?.[index]))
    ) {
      this.#release(unit, used);
      return STALE;
    }

    const checks: KeyChecks = { isUsed: (key) => used.has(key) };
    const refused = group && checkKeys(this.state, unit, checks).refused;
    const applied = refused ?? this.#apply(unit, { first, group, checks });
    if ("fault" in applied) {
      this.state.undoGroup();
      this.#release(unit, used);
      return { kind: "refused", ...applied };
    }
    const ids = applied.map(({ text, record }, index) => {
      const added = builder.add(text, record);
      this.#file(first + index, record, added, this.state.time);
      return added.transactionId;
    });
    if (group !== undefined) {
      this.#groups.insert(group.id, { first, count: group.count });
    }
    const { skipped = [] } = (applied[0] as Applied).record;
    const done = { kind: "done", transactionIds: ids as [string, ...string[]] } as const;
    return skipped.length === 0 ? done : { ...done, skipped };
  }

  /** After a refusal the caller undoes its changes. */
  #apply(
    unit: readonly CanonicalOperation[],
    {
      first,
      group,
      checks,
    }: {
      readonly first: number;
      readonly group: Omit<PlaceInGroup, "index"> | undefined;
      readonly checks: KeyChecks;
    },
  ): readonly Applied[] | GroupFault {
    if (group !== undefined) {
      this.state.beginGroup();
    }
    const applied: Applied[] = [];
    for (const [index, sent] of unit.entries()) {
      this.state.beginOperation(first + index);
      const running = group === undefined ? sent : this.#decided(sent);
      const record =
        running instanceof Refused ? running : applyOperation(this.state, running, checks);
      if (running instanceof Refused || record instanceof Refused) {
        const { fault, index: at } = record as Refused;
        return { index: group === undefined ? at : index, fault };
      }
      this.state.acceptOperation();
      applied.push({
        text: running.text,
        record: group === undefined ? record : { ...record, group: { ...group, index } },
      });
    }
    if (group !== undefined) {
      this.state.acceptGroup();
    }
    return applied;
  }

  /** Returns the keys that have served other operations. */
  #use(unit: readonly Running[], first: number): ReadonlySet<TemporaryKey> {
    const used = new Set<TemporaryKey>();
    for (const [index, { keys }] of unit.entries()) {
      for (const key of keys) {
        if (key !== undefined && !this.#usedKeys.use(key, first + index)) {
          used.add(key);
        }
      }
    }
    return used;
  }

  /** Frees the keys of a unit, but those that have served others. */
  #release(unit: readonly Running[], used: ReadonlySet<TemporaryKey>): void {
    for (const { keys } of unit) {
      for (const key of keys) {
        if (key !== undefined && !used.has(key)) {
          this.#usedKeys.release(key);
        }
      }
    }
  }

  /** In a group no signature decides, so it is the first choice. Source: batches §2.3. */
  #decided(running: CanonicalOperation): CanonicalOperation | Refused {
    const { operation } = running;
    const choices = choicesOf(this.state, running, operation.actor as Address);
    if (choices instanceof Refused) {
      return choices;
    }
    const [decided = {}] = choices;
    if (isSameTexts(operation.decided, decided)) {
      return running;
    }
    // An existing block has its decisions.
    if (Object.keys(operation.decided).length > 0) {
      throw new InvalidDecision("it does not hold what is decided at its place in the group");
    }
    const whole = { ...operation, decided };
    return { ...running, operation: whole, text: operationText(whole) };
  }

  #file(number: number, record: TransactionRecord, added: Added, timestamp: number): void {
    const { contentHash, leafHash, recordText } = added;
    const type = typeNumber(record.type);
    invariant(type !== undefined, "records are of known types");
    const { token } = record;
    this.transactions.insert(number, { contentHash, leafHash, type, token, record: recordText });
    this.#history.insert(number, record, this.#numbersOf);
    const operations = operationRecords(record);
    this.#tokenTrades.insert(number, operations, timestamp);
    this.#projectMarkets.insert(operations, timestamp, (trade) => this.#projectOf(trade));
    this.#orderTrades.insert(number, record, timestamp, {
      address: (address) => this.state.addressNumber(address as Address),
      order: (id) => this.state.find(ORDER, id)?.order,
      whole: (token) => String(10n ** BigInt(this.state.token(token as TokenId)?.decimal ?? 0)),
    });
  }

  #projectOf({ kind, item }: ItemTrade): number | undefined {
    return kind === "item"
      ? this.state.find(ITEM, item)?.projectOrder
      : this.state.find(UNIT_ITEM, item)?.projectOrder;
  }

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

  #isStored(number: number): boolean {
    const block = this.blocks.withTransaction(number);
    return number >= this.#head.size || (block !== undefined && number < block.header.size);
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

  get hasChangedEnough(): boolean {
    return this.state.changesLength > this.#changes.enough;
  }

  /** Throws `InvalidBlock` if it has changed more than one may. */
  close(builder: BlockBuilder): Closed {
    const { most } = this.#changes;
    const text = this.state.changesText(most);
    if (text === undefined) {
      const reason = `the text of its changes has more than ${most} characters`;
      throw new InvalidBlock({ height: builder.height }, reason);
    }
    return builder.close(sha256.hex(text));
  }

  store(closed: Closed): void {
    const { block, ledgerTree } = closed;
    this.changedEntries.put(block.header.sn, () => this.state.shortenedChanges());
    this.state.save();
    this.#fileBlock(closed);
    this.#heads.put(headOf(block, ledgerTree));
    this.#forgetOldKeys(block.header.timestamp, block.operations.length);
  }

  accept({ block, ledgerTree: tree }: Closed): void {
    this.state.acceptBlock();
    this.#markets.accept();
    this.#projectMarkets.accept();
    this.#head = headOf(block, tree);
    this.#tree = tree;
  }

  /**
   * Writes a block up to the head into the views alone. `records` are JCS, `tree` is the ledger
   * tree before it. Throws `InvalidBlock` if its id is not that of these transactions.
   * Source: proofs §5.
   */
  file(
    { header, id, operations }: Block,
    records: readonly string[],
    tree: MerkleTree,
  ): MerkleTree {
    const { sn: height, timestamp } = header;
    const version = height === 0 ? GENESIS_VERSION : this.#versions.get(header.protocol);
    const rules = version?.rules ?? new Map();
    const builder = new BlockBuilder({ ...header, height, ledgerTree: tree });
    for (const [position, text] of operations.entries()) {
      const number = firstTransaction(header) + position;
      const record = JSON.parse(records[position] as string) as TransactionRecord;
      this.#file(number, record, builder.add(text, record), timestamp);
      const running = height === 0 ? undefined : runningOf(text, rules);
      if (running !== undefined && !(running instanceof Refused)) {
        for (const key of running.keys.filter((each) => each !== undefined)) {
          this.#usedKeys.use(key, number);
        }
      }
      if (record.group?.index === 0) {
        this.#groups.insert(record.group.id, { first: number, count: record.group.count });
      }
    }
    const closed = builder.close(header.changes);
    if (closed.block.id !== id) {
      throw new InvalidBlock({ height }, "its id is not that of its transactions");
    }
    this.#fileBlock(closed);
    return closed.ledgerTree;
  }

  #fileBlock({ block, subtrees, types, actors }: Closed): void {
    this.blocks.insert(block);
    // An operation without a signature has no actor.
    const numbers = [...actors]
      .map((actor) => this.state.addressNumber(actor as Address))
      .filter((number) => number !== undefined);
    this.#totals.add(block.header.timestamp, types, numbers);
    for (const subtree of subtrees) {
      this.treeView.insert(subtree);
    }
  }

  /** Its caller rolls back the transaction. */
  undo(): void {
    this.state.undoBlock();
    this.#markets.undo();
    this.#projectMarkets.undo();
  }

  settle(): void {
    this.#markets.write(0);
    this.#projectMarkets.write(0);
  }

  /** Writes it earlier where there is much, after an accepted block: memory has a bound. */
  settleMany(): void {
    this.#markets.write(TRADES_TOGETHER);
    this.#projectMarkets.write(TRADES_TOGETHER);
  }

  #forgetOldKeys(timestamp: number, operations: number): void {
    this.#sinceForgetting += operations;
    if (this.#sinceForgetting >= FORGET_AFTER_OPERATIONS) {
      this.#usedKeys.forgetOld(timestamp, 2 * this.#sinceForgetting);
      this.#sinceForgetting = 0;
    }
  }
}

interface Applied {
  readonly text: string;
  readonly record: RuleRecord;
}

function runningOf(
  text: string,
  rules: ReadonlyMap<string, RuledOperation>,
): CanonicalOperation | Refused {
  const operation = JSON.parse(text) as LedgerOperation;
  const ruled = rules.get(operation.op);
  invariant(ruled !== undefined, "only operations with a rule are admitted");
  const request = readOperation(ruled, operation);
  return request instanceof Refused
    ? request
    : { text, operation, ruled, request, keys: temporaryKeysOf(ruled, request) };
}

function groupOf(unit: readonly Running[]): Omit<PlaceInGroup, "index"> | undefined {
  const id = unit[0]?.operation.params["group"];
  invariant((id === undefined) === (unit.length === 1), "members of groups come as a group");
  return id === undefined ? undefined : { id, count: unit.length };
}

function headOf({ header, id }: Block, { frontier }: MerkleTree): Head {
  return { height: header.sn, id, timestamp: header.timestamp, size: header.size, frontier };
}
