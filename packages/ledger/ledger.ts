import {
  type Address,
  type Block,
  blockId,
  contentText,
  explain,
  type Fault,
  isHeader,
  type LedgerOperation,
  leafText,
  MerkleTree,
  NO_BLOCK,
  parseOperationText,
  parseSignature,
  parseTemporaryKey,
  Refused,
  type Request,
  refuse,
  signedStrings,
  type TemporaryKey,
  TIMESTAMP_MAX,
  type TransactionRecord,
  transactionId,
} from "@moneta/protocol";
import { type Added, BlockBuilder, type Closed } from "./chain/block-builder.ts";
import { InvalidBlock, InvalidDecision } from "./chain/invalid-block.ts";
import {
  enterVersion,
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  UnknownRules,
  type UnknownVersion,
  unknownVersion,
  unknownVersionFault,
  versionOfBlock,
} from "./chain/protocol-version.ts";
import { isRepeat, isSameTexts, readOperation } from "./chain/repeat.ts";
import { type Checkpointed, Checkpoints } from "./checkpoints.ts";
import { commit, type Database, failureOf, StorageFailure } from "./database.ts";
import { invariant } from "./invariant.ts";
import type { BlockLog } from "./log/block-log.ts";
import { GENESIS_RULES } from "./rules/registry.ts";
import type { RuledOperation } from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import { type AddressEntry, PROTOCOL } from "./state/entries.ts";
import { State, type StateReader } from "./state/state.ts";
import { SyncFailure } from "./sync-failure.ts";
import { createTables } from "./tables.ts";
import { BlockView, firstTransaction, placeIn } from "./views/blocks.ts";
import { type Head, HeadView } from "./views/head.ts";
import { HistoryView, typeNumber } from "./views/history.ts";
import { TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { UsedKeyView } from "./views/used-keys.ts";

/** What became of an operation. A repeat is answered as the first one was. Source: conventions §5.3. */
export type Outcome =
  | { readonly kind: "done"; readonly transactionId: string }
  | { readonly kind: "repeat"; readonly transactionId: string }
  | { readonly kind: "refused"; readonly fault: Fault };

/** What became of a batch of operations, one outcome each; all those that are done are in one new block. */
export interface Execution {
  readonly outcomes: readonly Outcome[];
  /** The newest block afterwards. */
  readonly height: number;
  /** Time that the rules and hashes took, and that storing took, ms. */
  readonly executeMs: number;
  readonly commitMs: number;
}

/** A signature that a block claims, for whoever replays to check. */
export interface SignatureClaim {
  readonly height: number;
  readonly position: number;
  /** Canonical body of the actor's key. */
  readonly publicKey: string;
  /** What the actor may have signed: the signature must be of one of them. */
  readonly signedTexts: readonly string[];
  readonly signature: string;
}

const BEFORE_BLOCK_0: Head = { height: -1, id: NO_BLOCK, timestamp: 0, size: 0, frontier: [] };

/** After so many operations old temporary keys are forgotten, up to twice as many: faster than they are added, and no long wait. */
const FORGET_AFTER_OPERATIONS = 1000;

/** Blocks that are replayed in one transaction, so that each does not wait for the disk. */
const REPLAYED_TOGETHER = 100;

/**
 * The core: executes operations, one block per batch, and keeps log, state and views together. One instance writes, in a thread of its own.
 * It trusts that signatures of what it executes have been checked. Source: ARCHITECTURE.md, the way of a write.
 */
export class Ledger {
  readonly #database: Database;
  readonly #log: BlockLog;
  readonly #state: State;
  readonly #blocks: BlockView;
  readonly #transactions: TransactionView;
  readonly #history: HistoryView;
  readonly #treeView: TreeView;
  readonly #usedKeys: UsedKeyView;
  readonly #heads: HeadView;
  readonly #versions: ProtocolVersions;
  readonly #checkpoints: Checkpoints;
  #head: Head;
  #tree: MerkleTree;
  #sinceForgetting = 0;

  /** Over a database that `catchUp` has yet to bring to the log's height; `versions` are the rules that it knows. */
  constructor(database: Database, log: BlockLog, versions: ProtocolVersions = PROTOCOL_VERSIONS) {
    createTables(database);
    this.#database = database;
    this.#log = log;
    this.#state = new State(database);
    this.#blocks = new BlockView(database, "write");
    this.#transactions = new TransactionView(database, "write");
    this.#history = new HistoryView(database, "write");
    this.#treeView = new TreeView(database, "write");
    this.#usedKeys = new UsedKeyView(database, "write");
    this.#heads = new HeadView(database, "write");
    this.#versions = versions;
    this.#checkpoints = new Checkpoints(database);
    this.#head = this.#heads.get() ?? BEFORE_BLOCK_0;
    this.#tree = new MerkleTree(sha256, this.#head.size, this.#head.frontier);
  }

  /** The newest block that state and views have; height -1 before block 0. */
  get head(): Head {
    return this.#head;
  }

  /** The state, for tests and tools to look at between two blocks. */
  get state(): State {
    return this.#state;
  }

  /**
   * The version of the rules that is announced or in force and that this software does not know. Before the block that it names the ledger
   * stops: no block is made or replayed from there on. Undefined if all versions are known. Asked between two blocks. Source: chain §7.3.
   */
  get unknownVersion(): UnknownVersion | undefined {
    return unknownVersion(this.#state.find(PROTOCOL, ""), this.#head.height + 1, this.#versions);
  }

  /** `unknownVersion` if it is the next block that the ledger stops before. */
  get #stop(): UnknownVersion | undefined {
    const unknown = this.unknownVersion;
    return unknown !== undefined && unknown.height <= this.#head.height + 1 ? unknown : undefined;
  }

  /** What the rules of the next block are, which are known. */
  get #rules(): ReadonlyMap<string, RuledOperation> {
    const height = this.#head.height + 1;
    if (height === 0) {
      return GENESIS_RULES;
    }
    const version = this.#versions.get(versionOfBlock(this.#state.find(PROTOCOL, ""), height));
    invariant(version !== undefined, "the ledger stops before a version that it does not know");
    return version.rules;
  }

  /**
   * Makes block 0 of a new ledger from the operations of `genesisOperations`. Throws if there is one already.
   */
  async begin(operations: readonly string[], timestamp: number): Promise<void> {
    invariant(this.#head.height === -1, "block 0 is made once");
    const execution = await this.#attempt(operations, timestamp);
    invariant(
      execution.outcomes.every(({ kind }) => kind === "done"),
      "the operations of block 0 are made of checked settings",
    );
  }

  /**
   * Executes operations, given in canonical form, in their order, at `now` (Unix seconds) or the newest block's timestamp if that is later.
   * Those that are refused leave no trace; with 9002 all are, if the block follows rules that this software does not know. When the call resolves, the
   * block is durable. Throws `StorageFailure` if it could not be stored: then nothing has happened. Throws `SyncFailure` if that is not certain: the process has to
   * end. Source: conventions §2.6, chain §2, §7.3.
   */
  async execute(operations: readonly string[], now: number): Promise<Execution> {
    const stop = this.#stop;
    if (stop !== undefined) {
      const outcome: Outcome = { kind: "refused", fault: unknownVersionFault(stop) };
      const outcomes = operations.map(() => outcome);
      return { outcomes, height: this.#head.height, executeMs: 0, commitMs: 0 };
    }
    return await this.#attempt(operations, Math.max(now, this.#head.timestamp));
  }

  /**
   * Replays what the log has and the views have not; throws `InvalidBlock` at the first block that does not follow from those before it. It does
   * not check signatures but hands them to `onSignature`. After it has thrown, the ledger is of no use. It stops before the first block whose rules
   * this software does not know, which `unknownVersion` then names. Source: chain §6, §7.3.
   */
  catchUp(
    options: {
      readonly onBlock?: (height: number) => void;
      readonly onSignature?: (claim: SignatureClaim) => void;
    } = {},
  ): void {
    for (const _ of this.catchUpInSteps(options)) {
      // All steps at once.
    }
  }

  /** As `catchUp`, a step at a time, so that the caller can await the signatures in between. */
  *catchUpInSteps(options: {
    readonly onBlock?: (height: number) => void;
    readonly onSignature?: (claim: SignatureClaim) => void;
  }): Iterable<void> {
    let together = 0;
    for (const block of this.#log.read(this.#head.height + 1)) {
      if (together === 0) {
        this.#database.exec("BEGIN IMMEDIATE");
      }
      try {
        this.#replay(block, options.onSignature);
      } catch (thrown) {
        if (!(thrown instanceof UnknownRules)) {
          throw thrown;
        }
        break;
      }
      options.onBlock?.(block.header.sn);
      together = (together + 1) % REPLAYED_TOGETHER;
      if (together === 0) {
        commit(this.#database);
        this.#checkpointIfPossible();
      }
      yield;
    }
    if (this.#database.isTransaction) {
      commit(this.#database);
      this.#checkpointIfPossible();
    }
  }

  /**
   * Takes in blocks that another node has made and that follow the newest one: replays them, and once `confirm` resolves stores log, state and views in one transaction. It
   * does not check signatures but hands them to `onSignature`; `onBlock` is the time to begin with that, `confirm` the time to have done. Throws `InvalidBlock`, or
   * what `confirm` throws: then nothing is stored, and the ledger is of no use. Throws `UnknownRules` at a block of a version that this software does not know: then
   * those before it are stored. Source: chain §6, §7.3.
   */
  async adopt(
    blocks: readonly Block[],
    options: {
      readonly onSignature?: (claim: SignatureClaim) => void;
      readonly onBlock: () => Promise<void>;
      readonly confirm: () => Promise<void>;
    },
  ): Promise<void> {
    let unknown: UnknownRules | undefined;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const block of blocks) {
        try {
          this.#replay(block, options.onSignature);
        } catch (thrown) {
          if (!(thrown instanceof UnknownRules)) {
            throw thrown;
          }
          unknown = thrown;
          break;
        }
        // The transaction is ours until all of them have been confirmed.
        await this.#log.append(block, () => undefined);
        await options.onBlock();
      }
      await options.confirm();
      commit(this.#database);
    } catch (thrown) {
      throw this.#failed(thrown);
    }
    this.#checkpointIfPossible();
    if (unknown !== undefined) {
      throw unknown;
    }
  }

  /** Does a checkpoint if it is time for one; to be called between two blocks. Throws `StorageFailure`, which harms nothing, or `SyncFailure`. */
  checkpoint(): Checkpointed | undefined {
    return this.#checkpoints.run();
  }

  /** On a full disk the log of changes stays as it is, and the next COMMIT says what is wrong. */
  #checkpointIfPossible(): void {
    try {
      this.#checkpoints.run();
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
    }
  }

  /** Whether block 0 was made from these operations. */
  beganWith(operations: readonly string[]): boolean {
    const block = this.#log.block(0);
    return (
      block !== undefined &&
      block.operations.length === operations.length &&
      operations.every((text, position) => text === block.operations[position])
    );
  }

  /**
   * Checks at little cost that nobody has changed the file: that each header is what its id says and names the one before it, and that the newest block's
   * transactions are those that its header commits to. Throws `InvalidBlock`. Source: chain §6.5.
   */
  checkLinks(onBlock?: (height: number) => void): void {
    let previous = NO_BLOCK;
    for (let height = 0; height <= this.#head.height; height += 1) {
      const block = this.#blocks.atHeight(height);
      if (block === undefined || block.header.previous !== previous || block.header.sn !== height) {
        throw new InvalidBlock({ height }, "it does not follow the block before it");
      }
      if (blockId(block.header, sha256) !== block.id) {
        throw new InvalidBlock({ height }, "its id is not the hash of its header");
      }
      previous = block.id;
      onBlock?.(height);
    }
    const newest = this.#log.block(this.#head.height);
    if (newest !== undefined) {
      this.#checkRoot(newest);
      this.#checkTree(newest);
    }
  }

  /** That the tree from which proofs are made, and the one that goes on from the head, are the one that the newest header commits to. */
  #checkTree({ header: { sn: height, size, tree } }: Block): void {
    if (
      this.#tree.size !== size ||
      hex(this.#tree.root()) !== tree ||
      !this.#treeView.hasEdge(size) ||
      hex(this.#treeView.root(size)) !== tree
    ) {
      throw new InvalidBlock({ height }, "the stored tree is not the one that it commits to");
    }
  }

  #checkRoot({ header, operations }: Block): void {
    const { sn: height, timestamp } = header;
    const tree = new MerkleTree(sha256);
    for (const [position, text] of operations.entries()) {
      const stored = this.#transactions.at(firstTransaction(header) + position);
      const contentHash = sha256.hex(contentText(text));
      if (stored === undefined || !contentHash.startsWith(stored.contentHash)) {
        throw new InvalidBlock(
          { height, position },
          "its stored record is that of another operation",
        );
      }
      const id = transactionId({ height, position, contentHash });
      const recordHash = sha256.hex(stored.record);
      tree.append(leafText({ id, operationHash: sha256.hex(text), recordHash, timestamp }));
    }
    if (hex(tree.root()) !== header.root || operations.length !== header.count) {
      throw new InvalidBlock(
        { height },
        "its transactions are not those that its header commits to",
      );
    }
  }

  async #attempt(operations: readonly string[], timestamp: number): Promise<Execution> {
    try {
      const started = performance.now();
      this.#database.exec("BEGIN IMMEDIATE");
      const rules = this.#rules;
      const builder = this.#startBlock(timestamp);
      const own = builder.count;
      const outcomes = operations.map((text) => this.#run(text, rules, builder));
      // What a block does by itself is no reason to make one. Source: chain §2.2.
      if (builder.count === own) {
        this.#abandon();
        return {
          outcomes,
          height: this.#head.height,
          executeMs: performance.now() - started,
          commitMs: 0,
        };
      }
      const closed = builder.close(this.#state.changesText());
      const { block, ledgerTree } = closed;
      this.#store(closed);
      this.#forgetOldKeys(timestamp, builder.count);
      const executed = performance.now();
      await this.#log.append(block, () => commit(this.#database));
      this.#accept(block, ledgerTree);
      return {
        outcomes,
        height: block.header.sn,
        executeMs: executed - started,
        commitMs: performance.now() - executed,
      };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  #forgetOldKeys(timestamp: number, operations: number): void {
    this.#sinceForgetting += operations;
    if (this.#sinceForgetting >= FORGET_AFTER_OPERATIONS) {
      this.#usedKeys.forgetOld(timestamp, 2 * this.#sinceForgetting);
      this.#sinceForgetting = 0;
    }
  }

  /** Begins a block with what it does by itself: a version of the rules may come into force, and have a transaction of its own. */
  #startBlock(timestamp: number): BlockBuilder {
    const height = this.#head.height + 1;
    this.#state.beginBlock({ height, time: timestamp });
    const builder = new BlockBuilder({
      protocol: versionOfBlock(this.#state.find(PROTOCOL, ""), height),
      height,
      timestamp,
      previous: this.#head.id,
      ledgerTree: this.#tree,
    });
    this.#state.beginOperation(this.#head.size);
    const migration = enterVersion(this.#state, this.#versions);
    this.#state.acceptOperation();
    if (migration !== undefined) {
      const { operation, record } = migration;
      this.#file(this.#head.size, record, builder.add(operation, contentText(operation), record));
    }
    return builder;
  }

  /** Executes one operation; refused, it leaves no trace. */
  #run(text: string, rules: ReadonlyMap<string, RuledOperation>, builder: BlockBuilder): Outcome {
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

    this.#state.beginOperation(number);
    const record = this.#apply(operation, ruled, request, { key, isFirstUse });
    if (record instanceof Refused) {
      this.#state.undoOperation();
      if (isFirstUse && key !== undefined) {
        this.#usedKeys.release(key);
      }
      return { kind: "refused", fault: record.fault };
    }
    this.#state.acceptOperation();
    const added = builder.add(text, contentText(text), record);
    this.#file(number, record, added);
    return { kind: "done", transactionId: added.transactionId };
  }

  /** Puts a transaction where it is looked up. */
  #file(number: number, record: TransactionRecord, added: Added): void {
    const { contentHash, leafHash, recordText } = added;
    const type = typeNumber(record.type);
    invariant(type !== undefined, "records are of known types");
    const { token } = record;
    this.#transactions.insert(number, { contentHash, leafHash, type, token, record: recordText });
    this.#history.insert(
      number,
      record,
      (address) => this.#state.address(address as Address)?.number,
    );
  }

  /** The checks that the ledger makes, in the order of conventions §3, and the operation's effects. */
  #apply(
    operation: LedgerOperation,
    { operation: description, rule }: RuledOperation,
    { values }: Request,
    { key, isFirstUse }: { readonly key: TemporaryKey | undefined; readonly isFirstUse: boolean },
  ): TransactionRecord | Refused {
    const parameter = description.temporaryKey;
    const acting = rule.actor(this.#state, values, () =>
      keyHolder(this.#state, key, parameter ?? ""),
    );
    if (acting instanceof Refused) {
      return acting;
    }
    const { actor, found } = acting;
    if (actor !== operation.actor) {
      // Somebody else has become the actor since admission, and has not signed.
      return refuse({ code: "2010", actor: actor as Address, fullOnly: false });
    }
    if (parameter !== undefined && actor !== "") {
      const entry = this.#state.address(actor);
      const refused = checkTemporaryKey(key, entry, this.#state.time, parameter);
      if (refused !== undefined) {
        return refused;
      }
      if (!isFirstUse) {
        return refuse({ code: "2021", parameter });
      }
    }
    return rule.apply(this.#state, values, { actor: actor as Address, found, operation });
  }

  /** The transaction that this operation may be a repeat of, undefined if it surely is none. */
  #earlierUse(operation: LedgerOperation, usedKey: TemporaryKey | undefined): number | undefined {
    if (usedKey !== undefined) {
      return this.#usedKeys.usedBy(usedKey, this.#state.time);
    }
    // An address that an Idempotency-Key names twice. Source: accounts §4.
    const address = operation.decided["address"];
    return address === undefined
      ? undefined
      : this.#state.address(address as Address)?.transactionNumber;
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
    const contentHash = this.#transactions.at(number)?.contentHash;
    invariant(contentHash !== undefined, "every transaction is in the view");
    const place =
      number >= this.#head.size
        ? { height: builder.height, position: number - this.#head.size }
        : placeIn(this.#blockWith(number).header, number);
    return transactionId({ ...place, contentHash });
  }

  #blockWith(number: number): { readonly header: Block["header"] } {
    const block = this.#blocks.withTransaction(number);
    invariant(block !== undefined, "every transaction is in a block");
    return block;
  }

  /** Whether a block is in its place, as far as one can tell without knowing its rules. */
  #checkPlace({ header, operations }: Block): void {
    const height = this.#head.height + 1;
    if (!isHeader(header)) {
      throw new InvalidBlock({ height }, "its header does not have the form of one");
    }
    if (header.sn !== height || header.previous !== this.#head.id) {
      throw new InvalidBlock({ height }, "it does not follow the block before it");
    }
    if (header.timestamp < this.#head.timestamp) {
      throw new InvalidBlock({ height }, "its time lies before that of the block before it");
    }
    if (header.timestamp > TIMESTAMP_MAX) {
      const reason = `its time lies behind ${TIMESTAMP_MAX}, the last one that a block can have`;
      throw new InvalidBlock({ height }, reason);
    }
    if (operations.length === 0) {
      throw new InvalidBlock({ height }, "it has no transaction");
    }
  }

  /** What is wrong with a block whose rules are not known: it may be sound, but must at least say that it follows them. */
  #unknownRules({ header, id }: Block, unknown: UnknownVersion): InvalidBlock | UnknownRules {
    const { version, height } = unknown;
    if (header.protocol !== version) {
      return new InvalidBlock({ height }, `it must follow version ${version} of the rules`);
    }
    return blockId(header, sha256) === id
      ? new UnknownRules(unknown)
      : new InvalidBlock({ height }, "its id is not the hash of its header");
  }

  /** Throws `InvalidBlock`, or `UnknownRules` if it cannot tell. */
  #replay(block: Block, onSignature: ((claim: SignatureClaim) => void) | undefined): void {
    const height = this.#head.height + 1;
    this.#checkPlace(block);
    const stop = this.#stop;
    if (stop !== undefined) {
      throw this.#unknownRules(block, stop);
    }
    const { header } = block;
    const rules = this.#rules;
    const builder = this.#startBlock(header.timestamp);
    const own = builder.count;
    for (const [position, text] of block.operations.entries()) {
      if (position >= own) {
        this.#replayOperation({ height, position }, text, rules, builder, onSignature);
      } else if (text !== builder.operations[position]) {
        throw new InvalidBlock({ height, position }, "it is not the migration to the new rules");
      }
    }
    const closed = builder.close(this.#state.changesText());
    const wanted: Record<string, unknown> = { ...closed.block.header };
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(header)])) {
      const said = (header as unknown as Record<string, unknown>)[name];
      if (wanted[name] !== said) {
        throw new InvalidBlock(
          { height },
          `its header's ${name} is ${said}, but its operations come to ${wanted[name]}`,
        );
      }
    }
    if (closed.block.id !== block.id) {
      throw new InvalidBlock(
        { height },
        `its id is ${block.id}, but the hash of its header is ${closed.block.id}`,
      );
    }
    this.#store(closed);
    this.#forgetOldKeys(header.timestamp, builder.count);
    this.#accept(block, closed.ledgerTree);
  }

  #replayOperation(
    at: { readonly height: number; readonly position: number },
    text: string,
    rules: ReadonlyMap<string, RuledOperation>,
    builder: BlockBuilder,
    onSignature: ((claim: SignatureClaim) => void) | undefined,
  ): void {
    const operation = parseOperationText(text);
    const ruled = operation === undefined ? undefined : rules.get(operation.op);
    if (operation === undefined || ruled === undefined) {
      throw new InvalidBlock(at, "it is no operation in canonical form that the rules know");
    }
    const request = readOperation(ruled, operation);
    if (
      request instanceof Refused ||
      !isSameTexts(operation.params, request.params) ||
      !isSameTexts(operation.signatures, request.signatures) ||
      !isDecided(operation, ruled.operation.decided)
    ) {
      throw new InvalidBlock(at, "it does not hold just what its description asks for");
    }
    if (onSignature !== undefined && operation.actor !== "") {
      onSignature(this.#claim(at, ruled, operation));
    }
    let outcome: Outcome;
    try {
      outcome = this.#run(text, rules, builder);
    } catch (thrown) {
      throw thrown instanceof InvalidDecision ? new InvalidBlock(at, thrown.message) : thrown;
    }
    if (outcome.kind !== "done") {
      throw new InvalidBlock(
        at,
        outcome.kind === "repeat"
          ? `it repeats ${outcome.transactionId}`
          : `the rules refuse it: ${explain(outcome.fault).detail}`,
      );
    }
  }

  #claim(
    at: { readonly height: number; readonly position: number },
    { operation: description }: RuledOperation,
    operation: LedgerOperation,
  ): SignatureClaim {
    const actor = this.#state.address(operation.actor as Address);
    const signature = operation.signatures["signature"];
    if (actor === undefined || signature === undefined || parseSignature(signature) === undefined) {
      throw new InvalidBlock(at, "its actor is unknown or its signature is none");
    }
    if (actor.signed === "full" && operation.params["signed"] !== "full") {
      throw new InvalidBlock(at, "its actor accepts full signatures only");
    }
    return {
      ...at,
      publicKey: actor.publicKey,
      signedTexts: signedStrings(description, operation.params, {
        ledgerId: this.#ledgerId(),
        actor: actor.address,
        decided: operation.decided,
      }),
      signature,
    };
  }

  #ledgerId(): string {
    return this.#blocks.atHeight(0)?.id ?? NO_BLOCK;
  }

  #store({ block, ledgerTree, subtrees }: Closed): void {
    this.#state.save();
    this.#blocks.insert(block);
    for (const subtree of subtrees) {
      this.#treeView.insert(subtree);
    }
    this.#heads.put(headOf(block, ledgerTree));
  }

  #accept(block: Block, tree: MerkleTree): void {
    this.#state.acceptBlock();
    this.#head = headOf(block, tree);
    this.#tree = tree;
  }

  /** Undoes the block and returns what to throw. After a failed sync nothing may touch the database any more. */
  #failed(thrown: unknown): unknown {
    const failure = failureOf(thrown, this.#database);
    if (!(failure instanceof SyncFailure)) {
      this.#abandon();
    }
    return failure;
  }

  #abandon(): void {
    this.#state.undoBlock();
    if (this.#database.isTransaction) {
      this.#database.exec("ROLLBACK");
    }
  }
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

function headOf({ header, id }: Block, { frontier }: MerkleTree): Head {
  return { height: header.sn, id, timestamp: header.timestamp, size: header.size, frontier };
}

function temporaryKeyOf(
  { operation }: RuledOperation,
  { params }: Request,
): TemporaryKey | undefined {
  return operation.temporaryKey === undefined
    ? undefined
    : parseTemporaryKey(params[operation.temporaryKey] ?? "");
}

/**
 * Refused with 2020 if the key is none, was not issued to the actor, or has expired at ledger time `at`. Its tag is checked on admission.
 * Source: accounts §7.3.
 */
export function checkTemporaryKey(
  key: TemporaryKey | undefined,
  actor: AddressEntry | undefined,
  at: number,
  parameter: string,
): Refused | undefined {
  if (key === undefined || key.addressNumber !== actor?.number) {
    return refuse({ code: "2020", parameter, reason: "it was not issued to the actor" });
  }
  return at > key.expiry
    ? refuse({ code: "2020", parameter, reason: "it has expired" })
    : undefined;
}

/** Whom a temporary key was issued to; refused with 2020 if that is nobody. */
export function keyHolder(
  state: StateReader,
  key: TemporaryKey | undefined,
  parameter: string,
): Address | Refused {
  return (
    (key && state.addressNumbered(key.addressNumber)) ??
    refuse({ code: "2020", parameter, reason: "it was not issued to an address of this ledger" })
  );
}

/** Whether just that has been decided which the description names and no parameter has said. */
function isDecided({ decided, params }: LedgerOperation, names: readonly string[] = []): boolean {
  const open = names.filter((name) => params[name] === undefined);
  const given = Object.keys(decided);
  return given.length === open.length && open.every((name) => given.includes(name));
}
