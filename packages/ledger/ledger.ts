import type { Block, MerkleTree } from "@moneta/protocol";
import type { BlockBuilder, Closed } from "./chain/block-builder.ts";
import { genesisVersion } from "./chain/genesis.ts";
import { InvalidBlock } from "./chain/invalid-block.ts";
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  UnknownRules,
  type UnknownVersion,
  unknownVersionFault,
} from "./chain/protocol-version.ts";
import { type Checkpointed, Checkpoints, type CopyLog } from "./checkpoints.ts";
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
import type { BlockLog, BlockPlace, EngineTrouble, Turn } from "./log/block-log.ts";
import { type OnSignature, replayBlock } from "./replay.ts";
import { EarlierEntries, type KeepState } from "./state/earlier-entries.ts";
import type { State } from "./state/state.ts";
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
  | ({ readonly kind: "refused"; readonly block: Block } & EngineTrouble)
  /** The block may be in the log. If it is, these are the outcomes. */
  | ({ readonly kind: "doubt"; readonly reason: string } & Computed)
  /** The block is certain, but the views could not store it. */
  | ({ readonly kind: "unstored"; readonly failure: StorageFailure } & Computed);

interface Computed {
  readonly place: BlockPlace;
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

/** By place among the units. */
export type KeysOf = (unit: number) => KeyVersions;

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
  /** The newest stored block while a transaction may have more. */
  #storedBefore: Head | undefined;
  #logged: Block[] = [];
  #loggedRecords = 0;
  /** Their changes were rolled back with a failed block and are to be redone. */
  #isRolledBack = false;
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

  /** Makes block 0. Throws if it exists. */
  async begin(operations: readonly string[], timestamp: number): Promise<void> {
    invariant(this.head.height === -1, "block 0 is made once");
    const genesis = genesisVersion(operations);
    const units = operations.map((text) => [text]);
    const execution = this.#attempt(units, timestamp, { genesis });
    invariant(
      execution.outcomes.every(({ kind }) => kind === "done"),
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
    { mayLog = false, keysOf }: { readonly mayLog?: boolean; readonly keysOf?: KeysOf } = {},
  ): Execution {
    return this.#attempt(units, now, { mayLog, keysOf });
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
      this.#redo();
      this.#commit();
    } catch (thrown) {
      const failure = this.#failed(thrown);
      if (failure instanceof StorageFailure && this.#log.redo?.shrink() === true) {
        this.flush();
        return;
      }
      throw failure;
    }
    this.#noteCommitted();
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
   * Executes units under the append lock of a shared log and releases it. The views' transaction
   * stays open until the block's outcome is known. Throws `StorageFailure` (nothing has happened),
   * `SyncFailure`, `UnknownRules` or `InvalidBlock`. From `onSend` on, the block may be in the log.
   * Source: cluster §3.
   */
  async executeIn(
    turn: Turn,
    units: readonly Unit[],
    { keysOf, onSend }: { readonly keysOf?: KeysOf; readonly onSend: (units: number) => void },
  ): Promise<Attempt> {
    let isHeld = true;
    let isChanged = false;
    this.#storedBefore = this.head;
    try {
      const started = this.#time.nowMs();
      const first = turn.blocks.find(({ header }) => header.sn > this.head.height);
      if (first !== undefined && first.header.sn !== this.head.height + 1) {
        isHeld = false;
        await turn.giveBack();
        return { kind: "conflict", reason: "blocks are missing before those of the turn" };
      }
      this.#database.exec("BEGIN IMMEDIATE");
      isChanged = turn.blocks.length > 0;
      this.#replayInto(turn.blocks);
      const { outcomes, closed } = this.#run(units, turn.now, keysOf);
      const executeMs = this.#time.nowMs() - started;
      if (closed === undefined) {
        isHeld = false;
        const isCertain = await turn.end();
        if (!isCertain) {
          this.#undoTurn(isChanged);
          return { kind: "conflict", reason: "what the turn has read is not certain" };
        }
        this.#endReplayed(isChanged);
        const { height } = this.head;
        return { kind: "done", execution: { outcomes, height, executeMs, commitMs: 0 } };
      }
      const { block } = closed;
      const executed = this.#time.nowMs();
      isHeld = false;
      onSend(outcomes.length);
      const appended = await turn.append(block);
      if (appended.kind !== "certain") {
        this.#undoTurn(isChanged);
      }
      const place = { height: block.header.sn, id: block.id };
      switch (appended.kind) {
        case "conflict":
          return appended;
        case "refused":
          return { ...appended, block };
        case "doubt":
          return { ...appended, place, outcomes, executeMs };
        case "certain":
          break;
      }
      try {
        this.#log.append(block);
        this.#commit();
      } catch (thrown) {
        const failure = failureOf(thrown, this.#database);
        if (!(failure instanceof StorageFailure)) {
          throw thrown;
        }
        this.#undoTurn(isChanged);
        return { kind: "unstored", failure, place, outcomes, executeMs };
      }
      this.#executor.accept(closed);
      const commitMs = this.#time.nowMs() - executed;
      return {
        kind: "done",
        execution: { outcomes, height: block.header.sn, executeMs, commitMs },
      };
    } catch (thrown) {
      const failure = failureOf(thrown, this.#database);
      if (!(failure instanceof SyncFailure)) {
        this.#undoTurn(isChanged);
      }
      if (isHeld) {
        await turn.giveBack();
      }
      throw failure;
    } finally {
      this.#storedBefore = undefined;
    }
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
   * Replays and stores certain blocks of a shared log, except those it has. Throws `UnknownRules`
   * after those before the block, `InvalidBlock` or `StorageFailure` (nothing has happened), or
   * `SyncFailure`. Source: cluster §3, chain §6.
   */
  async follow(blocks: readonly Block[]): Promise<void> {
    let invalid: unknown;
    this.#storedBefore = this.head;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        this.#replayInto(blocks);
      } catch (thrown) {
        if (!(thrown instanceof InvalidBlock || thrown instanceof UnknownRules)) {
          throw thrown;
        }
        invalid = thrown;
        this.#executor.undo();
      }
      if (invalid instanceof InvalidBlock) {
        this.#undoTurn(true);
      } else {
        this.#commit();
      }
    } catch (thrown) {
      const failure = failureOf(thrown, this.#database);
      if (!(failure instanceof SyncFailure)) {
        this.#undoTurn(true);
      }
      throw failure;
    } finally {
      this.#storedBefore = undefined;
    }
    if (invalid !== undefined) {
      throw invalid;
    }
  }

  /** Skips those that the views have. */
  #replayInto(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.header.sn > this.head.height) {
        replayBlock(this.#executor, block, undefined);
        this.#log.append(block);
      }
    }
  }

  #endReplayed(isChanged: boolean): void {
    if (isChanged) {
      this.#commit();
    } else {
      this.#database.exec("ROLLBACK");
    }
  }

  /**
   * Undoes everything since the append lock was taken. Replayed blocks are in the executor's
   * memory, so a new one starts from the stored state.
   */
  #undoTurn(hasReplayed: boolean): void {
    this.#abandon();
    if (hasReplayed) {
      this.#executor = new Executor(this.#database, this.#log, this.#versions, this.#changes);
    }
  }

  /** Without a transaction of its own, a failure leaves no trace of it and all replayed blocks. */
  #run(
    units: readonly Unit[],
    now: number,
    keysOf: KeysOf | undefined,
  ): { readonly outcomes: readonly Outcome[]; readonly closed: Closed | undefined } {
    const stop = this.#executor.stop;
    if (stop !== undefined) {
      const fault = unknownVersionFault(stop);
      return { outcomes: units.map(() => ({ kind: "refused", fault })), closed: undefined };
    }
    this.#database.exec("SAVEPOINT own_block");
    const { builder, outcomes, own } = this.#execute(units, Math.max(now, this.head.timestamp), {
      keysOf,
    });
    if (builder.count === own) {
      this.#executor.undo();
      this.#database.exec("ROLLBACK TO own_block");
      return { outcomes, closed: undefined };
    }
    const closed = this.#executor.close(builder);
    this.#executor.store(closed);
    return { outcomes, closed };
  }

  /** `own` are the block's own operations. See `Execution`. */
  #execute(
    units: readonly Unit[],
    timestamp: number,
    {
      genesis,
      keysOf,
    }: { readonly genesis?: number | undefined; readonly keysOf?: KeysOf | undefined },
  ): {
    readonly builder: BlockBuilder;
    readonly outcomes: readonly Outcome[];
    readonly own: number;
  } {
    const { version } = this.#executor;
    const builder = this.#executor.start(timestamp, genesis);
    const own = builder.count;
    const outcomes: Outcome[] = [];
    for (const [index, unit] of units.entries()) {
      if (outcomes.length > 0 && genesis === undefined && this.#executor.hasChangedEnough) {
        break;
      }
      outcomes.push(this.#executor.run(unit, version, builder, keysOf && { by: keysOf(index) }));
    }
    return { builder, outcomes, own };
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
    let together = 0;
    for (const block of this.#log.read(this.head.height + 1)) {
      if (together === 0) {
        this.#database.exec("BEGIN IMMEDIATE");
      }
      try {
        replayBlock(this.#executor, block, options.onSignature);
      } catch (thrown) {
        if (!(thrown instanceof UnknownRules) || this.head.height === -1) {
          throw thrown;
        }
        break;
      }
      options.onBlock?.(block.header.sn);
      together = (together + 1) % REPLAYED_TOGETHER;
      if (together === 0) {
        this.#commit();
        this.#checkpointIfPossible();
      }
      yield;
    }
    if (this.#database.isTransaction) {
      this.#commit();
      this.#checkpointIfPossible();
    }
  }

  /**
   * Replays blocks of another node and, once `confirm` resolves, stores them in one transaction.
   * Signatures go to `onSignature`, unchecked: verify them by `confirm`. Throws `InvalidBlock` or
   * errors of `confirm` (nothing is stored, the ledger cannot be used), or `UnknownRules` after
   * storing the blocks before. Source: chain §6, §7.3.
   */
  async adopt(
    blocks: readonly Block[],
    options: {
      readonly onSignature?: OnSignature;
      readonly onBlock: () => Promise<void>;
      readonly confirm: () => Promise<void>;
    },
  ): Promise<void> {
    let unknown: UnknownRules | undefined;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const block of blocks) {
        try {
          replayBlock(this.#executor, block, options.onSignature);
        } catch (thrown) {
          if (!(thrown instanceof UnknownRules)) {
            throw thrown;
          }
          unknown = thrown;
          break;
        }
        this.#log.append(block);
        await options.onBlock();
      }
      await options.confirm();
      this.#commit();
    } catch (thrown) {
      throw this.#failed(thrown);
    }
    this.#checkpointIfPossible();
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
    this.#database.exec("BEGIN IMMEDIATE");
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
   * To be called between two blocks. Throws `StorageFailure`, which harms nothing, or
   * `SyncFailure`.
   */
  checkpoint(): Checkpointed | undefined {
    return this.#database.isTransaction ? undefined : this.#checkpoints.run();
  }

  /** On a full disk the WAL stays unchanged, and the next COMMIT reports the fault. */
  #checkpointIfPossible(): void {
    try {
      this.#checkpoints.run();
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
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

  #attempt(
    units: readonly Unit[],
    now: number,
    {
      mayLog = false,
      genesis,
      keysOf,
    }: {
      readonly mayLog?: boolean;
      readonly genesis?: number | undefined;
      readonly keysOf?: KeysOf | undefined;
    },
  ): Execution {
    try {
      const started = this.#time.nowMs();
      this.#redo();
      const stop = this.#executor.stop;
      if (stop !== undefined) {
        const fault = unknownVersionFault(stop);
        return this.#unchanged(units.map((): Outcome => ({ kind: "refused", fault })));
      }
      if (!this.#database.isTransaction) {
        this.#database.exec("BEGIN IMMEDIATE");
      }
      const timestamp = genesis === undefined ? Math.max(now, this.head.timestamp) : now;
      const { builder, outcomes, own } = this.#execute(units, timestamp, { genesis, keysOf });
      // A block's own operations are no reason to make one. Source: chain §2.2.
      if (builder.count === own) {
        if (own === 0 && this.#logged.length > 0) {
          // Refused operations change no row, so the transaction continues.
          this.#executor.undo();
        } else {
          this.#abandon();
        }
        return this.#unchanged(outcomes, this.#time.nowMs() - started);
      }
      const closed = this.#executor.close(builder);
      this.#executor.store(closed);
      const executed = this.#time.nowMs();
      // A new version of the rules begins with a block that is committed.
      this.#append(closed, mayLog && own === 0);
      return {
        outcomes,
        height: this.stored.height,
        loggedHeight: this.loggedHeight,
        executeMs: executed - started,
        commitMs: this.#time.nowMs() - executed,
      };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  #unchanged(outcomes: readonly Outcome[], executeMs = 0): Execution {
    const { loggedHeight } = this;
    return { outcomes, height: this.stored.height, loggedHeight, executeMs, commitMs: 0 };
  }

  #append(closed: Closed, mayLog: boolean): void {
    const { block } = closed;
    const row = this.#log.append(block);
    const records = this.#loggedRecords + closed.recordCount;
    const isLogged =
      mayLog && records <= LOGGED_RECORDS_MAX && this.#log.redo?.append(row) === true;
    if (isLogged) {
      this.#storedBefore ??= this.head;
      this.#logged.push(block);
      this.#loggedRecords = records;
    } else {
      this.#commit();
      this.#noteCommitted();
    }
    this.#executor.accept(closed);
  }

  #commit(): void {
    this.#executor.settle();
    commit(this.#database);
  }

  #noteCommitted(): void {
    this.#storedBefore = undefined;
    this.#logged = [];
    this.#loggedRecords = 0;
    this.#log.redo?.reset();
  }

  /** Executes the logged blocks again if they were rolled back. */
  #redo(): void {
    if (!this.#isRolledBack) {
      return;
    }
    this.#database.exec("BEGIN IMMEDIATE");
    this.#replayInto(this.#logged);
    this.#isRolledBack = false;
  }

  /** After a failed sync nothing may touch the database. */
  #failed(thrown: unknown): unknown {
    const failure = failureOf(thrown, this.#database);
    if (!(failure instanceof SyncFailure)) {
      this.#abandon();
    }
    return failure;
  }

  /** Undoes the block, and logged blocks that are not in the redo log. */
  #abandon(): void {
    this.#executor.undo();
    if (this.#database.isTransaction) {
      this.#database.exec("ROLLBACK");
    }
    if (this.#logged.length > 0) {
      this.#executor = new Executor(this.#database, this.#log, this.#versions, this.#changes);
      this.#isRolledBack = true;
    }
  }
}
