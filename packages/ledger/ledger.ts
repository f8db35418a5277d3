import type { Address, Block, MerkleTree } from "@moneta/protocol";
import type { Closed } from "./chain/block-builder.ts";
import { genesisVersion } from "./chain/genesis.ts";
import { InvalidBlock } from "./chain/invalid-block.ts";
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  UnknownRules,
  type UnknownVersion,
  unknownVersionFault,
} from "./chain/protocol-version.ts";
import { type CheckpointResult, Checkpoints, type CopyLog } from "./checkpoints.ts";
import { commit, type Database, failureOf, probeStorage, StorageFailure } from "./database.ts";
import {
  CHANGES_BOUNDS,
  type ChangesBounds,
  Executor,
  type KeyVersions,
  type Outcome,
  type Unit,
} from "./executor.ts";
import { invariant } from "./invariant.ts";
import type { BlockLog, EngineTrouble, Turn } from "./log/block-log.ts";
import type { StoredBlock } from "./log/stored-block.ts";
import { type OnSignature, replayBlock } from "./replay.ts";
import type { State } from "./state/state.ts";
import { EarlierEntries, type KeepState } from "./state/tables/earlier-entries.ts";
import { checkLogEnd, checkStored } from "./stored-check.ts";
import { SyncFailure } from "./sync-failure.ts";
import { createTables } from "./tables.ts";
import { SYSTEM_TIME, type Time } from "./time.ts";
import type { Head } from "./views/head.ts";

export interface Execution {
  /** At least of the first unit. Units that did not fit into the block were not executed. */
  readonly outcomes: readonly Outcome[];
  readonly height: number;
  /** The newest durable block, where readers do not see it before the next `flush`. */
  readonly loggedHeight?: number | undefined;
  /** Rules and hashes, and storing, ms. */
  readonly executeMs: number;
  readonly commitMs: number;
}

/** Only `done` may be answered: otherwise nothing has happened in the views. Source: cluster §3. */
export type Attempt =
  /** Block and views are durable, and all that the outcomes rest on is certain. */
  | { readonly kind: "done"; readonly execution: Execution }
  /** The block is not in the log and never will be: execute it again. */
  | { readonly kind: "conflict"; readonly reason: string }
  /** The engine refuses the block. */
  | ({ readonly kind: "refused" } & EngineTrouble & Sent)
  /** The block may be in the log. If it is, these are the outcomes. */
  | ({ readonly kind: "doubt"; readonly reason: string } & Sent)
  /** The block is certain, but the views could not store it. */
  | ({ readonly kind: "unstored"; readonly failure: StorageFailure } & Sent);

interface Sent {
  readonly block: Block;
  readonly outcomes: readonly Outcome[];
  readonly executeMs: number;
}

/** Replayed in one transaction, so that not every block waits for the disk. */
const REPLAYED_TOGETHER = 100;

/** A start takes no longer on a longer chain: 10 microseconds a link. */
const LINKS_AT_START = 10_000;

/**
 * Logged and not committed: 2,048 transfers, or 20 bundles of 100. A restart executes them again,
 * several times slower than a node that has run for a while.
 */
const LOGGED_RECORDS_MAX = 4096;

interface Making {
  /** For block 0: the version of its rules. */
  readonly genesis?: number | undefined;
  /** By place among the units. */
  readonly keysOf?: ((unit: number) => KeyVersions) | undefined;
}

interface Made {
  readonly outcomes: readonly Outcome[];
  /** Undefined if no unit was done. */
  readonly closed: Closed | undefined;
  /** It begins with operations of its own, to a new version of the rules. */
  readonly entersVersion: boolean;
}

/**
 * Executes operations, one block per batch, in a thread of its own. Its caller must have verified
 * all signatures. Source: ARCHITECTURE.md, the way of a write.
 */
export class Ledger {
  readonly #database: Database;
  readonly #log: BlockLog;
  readonly #versions: ProtocolVersions;
  readonly #time: Pick<Time, "nowMs">;
  readonly #changes: ChangesBounds;
  #executor: Executor;
  /** The newest stored block while a transaction is open. */
  #storedBefore: Head | undefined;
  #logged: Block[] = [];
  #loggedRecords = 0;
  readonly #checkpoints: Checkpoints;

  /** Over a database, which `catchUp` brings to the log's height. */
  constructor(
    database: Database,
    log: BlockLog,
    versions: ProtocolVersions = PROTOCOL_VERSIONS,
    time: Pick<Time, "nowMs"> = SYSTEM_TIME,
    changes: ChangesBounds = CHANGES_BOUNDS,
  ) {
    createTables(database);
    this.#database = database;
    this.#log = log;
    this.#versions = versions;
    this.#time = time;
    this.#changes = changes;
    this.#executor = new Executor(database, log, versions, changes);
    this.#checkpoints = new Checkpoints(database);
  }

  get head(): Head {
    return this.#executor.head;
  }

  /** The newest block that readers see: `head` may be further. */
  get stored(): Head {
    return this.#storedBefore ?? this.head;
  }

  /** Number of the newest block that is in the redo log alone. */
  get loggedHeight(): number | undefined {
    return this.#logged.at(-1)?.header.sn;
  }

  /** For tests and tools, between two blocks. */
  get state(): State {
    return this.#executor.state;
  }

  /**
   * No block is made or replayed from this version on. Valid between two blocks.
   * Source: chain §7.3.
   */
  get unknownVersion(): UnknownVersion | undefined {
    return this.#executor.unknownVersion;
  }

  /**
   * Keeps the state as of blocks from `wanted` on; earlier ones need a rebuild. Call it before
   * `catchUp`. Source: proofs §1.6.
   */
  keepState(wanted: KeepState): void {
    const earlier = new EarlierEntries(this.#database);
    if (!earlier.isKeptFrom(wanted)) {
      this.#database.exec("BEGIN IMMEDIATE");
      earlier.keep(wanted, this.head.height);
      commit(this.#database);
    }
  }

  /**
   * Whether changes are kept for the state tree until `noteInTree`. Called before `catchUp`.
   * Source: proofs §2.
   */
  keepChanges(isKept: boolean): void {
    this.#database.exec("BEGIN IMMEDIATE");
    this.#executor.changedEntries.keep(isKept);
    commit(this.#database);
  }

  /** The state tree has the changes of all blocks up to this height. */
  noteInTree(height: number): void {
    this.#executor.changedEntries.noteInTree(height);
  }

  /**
   * Found by a reader of committed blocks, in the requests of the next units: a look-up of one of
   * 10^6 addresses costs a tenth of a transfer.
   */
  noteAddressNumbers(numbers: ReadonlyMap<Address, number>): void {
    this.state.noteAddressNumbers(numbers);
  }

  /** Makes block 0. Throws if it exists. */
  async begin(operations: readonly string[], timestamp: number): Promise<void> {
    invariant(this.head.height === -1, "block 0 is made once");
    const genesis = genesisVersion(operations);
    const units = operations.map((text) => [text]);
    const { outcomes } = this.execute(units, timestamp, { genesis });
    invariant(
      outcomes.every(({ kind }) => kind === "done"),
      "the operations of block 0 are made of checked settings",
    );
  }

  /**
   * Executes as many units as fit into a block, at `now` (Unix seconds) or the newest block's
   * timestamp if later. Refused ones leave no trace; 9002 refuses all under unsupported rules. The
   * block is durable on return; with `mayLog` perhaps only in the redo log, until `flush`. Throws
   * `StorageFailure` if it is not stored, `SyncFailure` if that is uncertain: the process must end.
   * Source: conventions §2.6, chain §2, §7.3, batches §2.3.
   */
  execute(
    units: readonly Unit[],
    now: number,
    { mayLog = false, ...making }: Making & { readonly mayLog?: boolean } = {},
  ): Execution {
    try {
      const started = this.#time.nowMs();
      const made = this.#make(units, now, making);
      const executed = this.#time.nowMs();
      this.#finish(made, mayLog);
      return {
        outcomes: made.outcomes,
        height: this.stored.height,
        loggedHeight: this.loggedHeight,
        executeMs: executed - started,
        commitMs: this.#time.nowMs() - executed,
      };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /**
   * Commits the redo log's blocks. Throws `StorageFailure`, after which it still has them, or
   * `SyncFailure`.
   */
  flush(): void {
    if (this.#logged.length === 0) {
      return;
    }
    try {
      this.#open();
      this.#commit();
    } catch (thrown) {
      const failure = this.#failed(thrown);
      if (!(failure instanceof StorageFailure && this.#log.redo?.shrink() === true)) {
        throw failure;
      }
      this.flush();
    }
  }

  /**
   * Commits logged blocks and removes the redo log. Throws `StorageFailure` or `SyncFailure`, after
   * which it is needed.
   */
  end(): void {
    this.flush();
    this.#log.redo?.remove();
  }

  /**
   * Executes units under the append lock of a shared log and releases it. The transaction stays open
   * until the block's outcome is known. Throws `StorageFailure` (nothing has happened) or
   * `SyncFailure`. From `onSend` on, the block may be in the log. Source: cluster §3.
   */
  async executeIn(
    turn: Turn,
    units: readonly Unit[],
    { keysOf, onSend }: Pick<Making, "keysOf"> & { readonly onSend: (units: number) => void },
  ): Promise<Attempt> {
    const started = this.#time.nowMs();
    let made: Made;
    try {
      const blocks = turn.blocks.filter(({ header }) => header.sn > this.head.height);
      made = this.#make(units, turn.now, { blocks, keysOf });
    } catch (thrown) {
      const failure = this.#failed(thrown);
      await turn.giveBack();
      if (failure instanceof InvalidBlock || failure instanceof UnknownRules) {
        // The turn's blocks are not certain yet; then they are followed without the append lock.
        return { kind: "conflict", reason: failure.message };
      }
      throw failure;
    }
    const { outcomes, closed } = made;
    const executed = this.#time.nowMs();
    const executeMs = executed - started;
    const sent = ({ block }: Closed): Sent => ({ block, outcomes, executeMs });
    if (closed === undefined) {
      const isCertain = await turn.end();
      if (!isCertain) {
        this.#rollBack();
        return { kind: "conflict", reason: "what the turn has read is not certain" };
      }
    } else {
      onSend(outcomes.length);
      const appended = await turn.append(closed.block);
      if (appended.kind !== "certain") {
        this.#rollBack();
        return { ...appended, ...sent(closed) };
      }
    }
    try {
      this.#finish(made, false);
    } catch (thrown) {
      const failure = this.#failed(thrown);
      if (closed === undefined || !(failure instanceof StorageFailure)) {
        throw failure;
      }
      return { kind: "unstored", failure, ...sent(closed) };
    }
    const { height } = this.head;
    const commitMs = this.#time.nowMs() - executed;
    return { kind: "done", execution: { outcomes, height, executeMs, commitMs } };
  }

  /**
   * Throws `StorageFailure` or `SyncFailure` unless the disk takes so many bytes after the logged
   * blocks.
   */
  probe(bytes: number): void {
    this.flush();
    probeStorage(this.#database, bytes);
  }

  /**
   * Replays the log's blocks that the views lack, up to unsupported rules. Throws `InvalidBlock`:
   * the ledger cannot be used then. Signatures are passed to `onSignature`, unchecked.
   * Source: chain §6, §7.3.
   */
  catchUp(
    options: {
      readonly onBlock?: (height: number) => void;
      readonly onSignature?: OnSignature;
    } = {},
  ): void {
    for (const _ of this.catchUpInSteps(options)) {
    }
  }

  /** A step at a time, so that the caller can await signatures in between. */
  *catchUpInSteps(options: {
    readonly onBlock?: (height: number) => void;
    readonly onSignature?: OnSignature;
  }): Iterable<void> {
    checkLogEnd(this.#database, this.#log);
    for (const block of this.#log.read(this.head.height + 1)) {
      this.#open();
      const unknown = this.#replay(block, options.onSignature);
      if (unknown !== undefined && this.head.height === -1) {
        throw unknown;
      }
      if (unknown !== undefined) {
        break;
      }
      options.onBlock?.(block.header.sn);
      if (this.head.height - this.stored.height === REPLAYED_TOGETHER) {
        this.#commit();
        this.checkpoint();
      }
      yield;
    }
    if (this.#storedBefore !== undefined) {
      // Another thread copies the log after the first block: at a start nothing waits for it.
      this.#commit();
    }
  }

  /**
   * Replays and stores certain blocks after the head, of a shared log or another node, in one
   * transaction, once `confirm` resolves. Signatures go to `onSignature`, unchecked: verify them by
   * `confirm`. Throws `InvalidBlock`, `StorageFailure` or errors of `confirm` (nothing is stored),
   * `SyncFailure`, or `UnknownRules` after storing the blocks before.
   * Source: cluster §3, chain §6, §7.3.
   */
  async adopt(
    blocks: readonly Block[],
    options: {
      readonly onSignature?: OnSignature;
      readonly onBlock?: () => Promise<void>;
      readonly confirm?: () => Promise<void>;
    } = {},
  ): Promise<void> {
    let unknown: UnknownRules | undefined;
    try {
      this.#open();
      for (const block of blocks) {
        unknown = this.#replay(block, options.onSignature);
        if (unknown !== undefined) {
          break;
        }
        this.#log.append(block);
        // Without callbacks nothing else runs before the commit.
        if (options.onBlock !== undefined) {
          await options.onBlock();
        }
      }
      if (options.confirm !== undefined) {
        await options.confirm();
      }
      this.#commit();
    } catch (thrown) {
      throw this.#failed(thrown);
    }
    if (unknown !== undefined) {
      throw unknown;
    }
  }

  /**
   * Stores blocks whose changes the state has, with their records (JCS). `tree` is the ledger tree
   * before them. Throws `InvalidBlock`. Source: proofs §5.
   */
  addEarlier(
    blocks: readonly (Block & { readonly records: readonly string[] })[],
    tree: MerkleTree,
  ): MerkleTree {
    let grown = tree;
    this.#open();
    for (const { records, ...block } of blocks) {
      this.#log.append(block);
      grown = this.#executor.file(block, records, grown);
    }
    this.#commit();
    return grown;
  }

  /** `checkpoint` then copies only the pages that are written meanwhile. */
  copyLogBy(copy: CopyLog): void {
    this.#checkpoints.copyBy(copy);
  }

  /**
   * To be called between two blocks. A failure harms nothing: on a full disk the WAL stays
   * unchanged, and the next COMMIT fails. Throws `SyncFailure`.
   */
  checkpoint(): CheckpointResult | undefined {
    try {
      return this.#storedBefore === undefined ? this.#checkpoints.run() : undefined;
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
      return { failure: thrown.message };
    }
  }

  beganWith(operations: readonly string[]): boolean {
    const block = this.#log.block(0);
    return (
      block !== undefined &&
      block.operations.length === operations.length &&
      operations.every((text, position) => text === block.operations[position])
    );
  }

  /**
   * Checks cheaply the newest block's root, and the last `links` headers. Throws `InvalidBlock`.
   * Source: chain §6.5.
   */
  checkLinks(links: number = LINKS_AT_START): void {
    checkStored(this.#executor, this.#log, links);
  }

  /** Opens a transaction with blocks that only the log has, unless one is open. */
  #open(blocks: readonly Block[] = this.#logged): void {
    if (this.#storedBefore !== undefined) {
      return;
    }
    this.#storedBefore = this.head;
    this.#database.exec("BEGIN IMMEDIATE");
    for (const block of blocks) {
      replayBlock(this.#executor, block, undefined);
      this.#log.append(block);
    }
  }

  /** Returns unknown rules, before which a replay ends. */
  #replay(block: Block, onSignature: OnSignature | undefined): UnknownRules | undefined {
    try {
      replayBlock(this.#executor, block, onSignature);
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof UnknownRules)) {
        throw thrown;
      }
      return thrown;
    }
  }

  /** In the transaction that has `blocks`, and stays open. */
  #make(
    units: readonly Unit[],
    now: number,
    { blocks, genesis, keysOf }: Making & { readonly blocks?: readonly Block[] },
  ): Made {
    this.#open(blocks);
    const { stop } = this.#executor;
    if (stop !== undefined) {
      const fault = unknownVersionFault(stop);
      const outcomes = units.map((): Outcome => ({ kind: "refused", fault }));
      return { outcomes, closed: undefined, entersVersion: false };
    }
    const { version } = this.#executor;
    const builder = this.#executor.start(Math.max(now, this.head.timestamp), genesis);
    const own = builder.count;
    const entersVersion = own > 0;
    const outcomes: Outcome[] = [];
    for (const [index, unit] of units.entries()) {
      if (outcomes.length > 0 && genesis === undefined && this.#executor.hasChangedEnough) {
        break;
      }
      outcomes.push(this.#executor.run(unit, version, builder, keysOf && { by: keysOf(index) }));
    }
    if (builder.count > own) {
      const closed = this.#executor.close(builder);
      this.#executor.store(closed);
      return { outcomes, closed, entersVersion };
    }
    // A block's own operations are no reason to make one. Source: chain §2.2.
    if (entersVersion) {
      this.#rollBack();
      this.#open(blocks);
    } else {
      // Refused operations change no row.
      this.#executor.undo();
    }
    return { outcomes, closed: undefined, entersVersion };
  }

  /** Commits what was made, or only logs it. */
  #finish({ closed, entersVersion }: Made, mayLog: boolean): void {
    if (closed !== undefined) {
      const row = this.#log.append(closed.block);
      // A new version of the rules begins with a block that is committed.
      if (!(mayLog && !entersVersion && this.#isLogged(closed, row))) {
        this.#commit();
      }
      this.#executor.accept(closed);
    } else if (this.head === this.stored) {
      this.#rollBack();
    } else if (this.#logged.length === 0) {
      // The turn's blocks. Logged ones wait for a flush.
      this.#commit();
    }
  }

  #isLogged({ block, recordCount }: Closed, row: StoredBlock): boolean {
    const records = this.#loggedRecords + recordCount;
    if (records > LOGGED_RECORDS_MAX || this.#log.redo?.append(row) !== true) {
      return false;
    }
    this.#logged.push(block);
    this.#loggedRecords = records;
    return true;
  }

  #commit(): void {
    this.#executor.settle();
    commit(this.#database);
    this.#storedBefore = undefined;
    this.#logged = [];
    this.#loggedRecords = 0;
    this.#log.redo?.reset();
  }

  /** After a failed sync nothing may touch the database. */
  #failed(thrown: unknown): unknown {
    const failure = failureOf(thrown, this.#database);
    if (!(failure instanceof SyncFailure)) {
      this.#rollBack();
    }
    return failure;
  }

  /** Undoes the transaction. Logged blocks are replayed in the next one. */
  #rollBack(): void {
    this.#executor.undo();
    if (this.#database.isTransaction) {
      this.#database.exec("ROLLBACK");
    }
    if (this.head !== this.stored) {
      // Accepted blocks are in the executor's memory.
      this.#executor = new Executor(this.#database, this.#log, this.#versions, this.#changes);
    }
    this.#storedBefore = undefined;
  }
}
