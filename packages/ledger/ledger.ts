import type { Block, Fault } from "@moneta/protocol";
import { genesisVersion } from "./chain/genesis.ts";
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  UnknownRules,
  type UnknownVersion,
  unknownVersionFault,
} from "./chain/protocol-version.ts";
import { type Checkpointed, Checkpoints } from "./checkpoints.ts";
import { commit, type Database, failureOf, StorageFailure } from "./database.ts";
import {
  Executor,
  type GroupOutcome,
  type Outcome,
  type OutcomeOf,
  type Unit,
} from "./executor.ts";
import { invariant } from "./invariant.ts";
import type { BlockLog } from "./log/block-log.ts";
import { type OnSignature, replayBlock } from "./replay.ts";
import type { State } from "./state/state.ts";
import { checkStored } from "./stored-check.ts";
import { SyncFailure } from "./sync-failure.ts";
import { createTables } from "./tables.ts";
import type { Head } from "./views/head.ts";

/**
 * What became of a batch of operations and groups, one outcome each; all those that are done are in
 * one new block.
 */
export interface Execution<U extends Unit = string> {
  readonly outcomes: readonly OutcomeOf<U>[];
  /** The newest block afterwards. */
  readonly height: number;
  /** Time that the rules and hashes took, and that storing took, ms. */
  readonly executeMs: number;
  readonly commitMs: number;
}

/** Blocks that are replayed in one transaction, so that each does not wait for the disk. */
const REPLAYED_TOGETHER = 100;

/**
 * The core: executes operations, one block per batch, and keeps log, state and views together. One
 * instance writes, in a thread of its own. It trusts that signatures of what it executes have been
 * checked. Source: ARCHITECTURE.md, the way of a write.
 */
export class Ledger {
  readonly #database: Database;
  readonly #log: BlockLog;
  readonly #executor: Executor;
  readonly #checkpoints: Checkpoints;

  /**
   * Over a database that `catchUp` has yet to bring to the log's height; `versions` are the rules
   * that it knows.
   */
  constructor(database: Database, log: BlockLog, versions: ProtocolVersions = PROTOCOL_VERSIONS) {
    createTables(database);
    this.#database = database;
    this.#log = log;
    this.#executor = new Executor(database, log, versions);
    this.#checkpoints = new Checkpoints(database);
  }

  /** The newest block that state and views have; height -1 before block 0. */
  get head(): Head {
    return this.#executor.head;
  }

  /** The state, for tests and tools to look at between two blocks. */
  get state(): State {
    return this.#executor.state;
  }

  /**
   * The version of the rules that is announced or in force and that this software does not know.
   * Before the block that it names the ledger stops: no block is made or replayed from there on.
   * Undefined if all versions are known. Asked between two blocks. Source: chain §7.3.
   */
  get unknownVersion(): UnknownVersion | undefined {
    return this.#executor.unknownVersion;
  }

  /**
   * Makes block 0 of a new ledger from the operations of `genesisOperations`. Throws if there is
   * one already.
   */
  async begin(operations: readonly string[], timestamp: number): Promise<void> {
    invariant(this.head.height === -1, "block 0 is made once");
    const execution = await this.#attempt(operations, timestamp, genesisVersion(operations));
    invariant(
      execution.outcomes.every(({ kind }) => kind === "done"),
      "the operations of block 0 are made of checked settings",
    );
  }

  /**
   * Executes operations and groups of them, given in canonical form, in their order, at `now` (Unix
   * seconds) or the newest block's timestamp if that is later. Those that are refused leave no trace; with 9002 all
   * are, if the block follows rules that this software does not know. When the call resolves, the
   * block is durable. Throws `StorageFailure` if it could not be stored: then nothing has happened.
   * Throws `SyncFailure` if that is not certain: the process has to end.
   * Source: conventions §2.6, chain §2, §7.3, batches §2.3.
   */
  async execute<U extends Unit>(units: readonly U[], now: number): Promise<Execution<U>> {
    const stop = this.#executor.stop;
    if (stop !== undefined) {
      const fault = unknownVersionFault(stop);
      const outcomes = units.map((unit) => refusedUnit(unit, fault));
      return { outcomes, height: this.head.height, executeMs: 0, commitMs: 0 };
    }
    return await this.#attempt(units, Math.max(now, this.head.timestamp));
  }

  /**
   * Replays what the log has and the views have not; throws `InvalidBlock` at the first block that
   * does not follow from those before it. It does not check signatures but hands them to
   * `onSignature`. After it has thrown, the ledger is of no use. It stops before the first block
   * whose rules this software does not know, which `unknownVersion` then names.
   * Source: chain §6, §7.3.
   */
  catchUp(
    options: {
      readonly onBlock?: (height: number) => void;
      readonly onSignature?: OnSignature;
    } = {},
  ): void {
    for (const _ of this.catchUpInSteps(options)) {
      // All steps at once.
    }
  }

  /** As `catchUp`, a step at a time, so that the caller can await the signatures in between. */
  *catchUpInSteps(options: {
    readonly onBlock?: (height: number) => void;
    readonly onSignature?: OnSignature;
  }): Iterable<void> {
    let together = 0;
    for (const block of this.#log.read(this.head.height + 1)) {
      if (together === 0) {
        this.#database.exec("BEGIN IMMEDIATE");
      }
      try {
        replayBlock(this.#executor, block, options.onSignature);
      } catch (thrown) {
        // Of a ledger whose block 0 is unknown there is nothing to show.
        if (!(thrown instanceof UnknownRules) || this.head.height === -1) {
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
   * Takes in blocks that another node has made and that follow the newest one: replays them, and
   * once `confirm` resolves stores log, state and views in one transaction. It does not check
   * signatures but hands them to `onSignature`; `onBlock` is the time to begin with that, `confirm`
   * the time to have done. Throws `InvalidBlock`, or what `confirm` throws: then nothing is stored,
   * and the ledger is of no use. Throws `UnknownRules` at a block of a version that this software
   * does not know: then those before it are stored. Source: chain §6, §7.3.
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

  /**
   * Does a checkpoint if it is time for one; to be called between two blocks. Throws
   * `StorageFailure`, which harms nothing, or `SyncFailure`.
   */
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
   * Checks at little cost that nobody has changed the file: that each header is what its id says
   * and names the one before it, and that the newest block's transactions are those that its header
   * commits to. Throws `InvalidBlock`. Source: chain §6.5.
   */
  checkLinks(onBlock?: (height: number) => void): void {
    checkStored(this.#executor, this.#log, onBlock);
  }

  async #attempt<U extends Unit>(
    units: readonly U[],
    timestamp: number,
    genesis?: number,
  ): Promise<Execution<U>> {
    try {
      const started = performance.now();
      this.#database.exec("BEGIN IMMEDIATE");
      const { version } = this.#executor;
      const builder = this.#executor.start(timestamp, genesis);
      const own = builder.count;
      const outcomes = units.map((unit) =>
        typeof unit === "string"
          ? this.#executor.run(unit, version, builder)
          : this.#executor.runGroup(unit, version, builder),
      ) as OutcomeOf<U>[];
      // What a block does by itself is no reason to make one. Source: chain §2.2.
      if (builder.count === own) {
        this.#abandon();
        return {
          outcomes,
          height: this.head.height,
          executeMs: performance.now() - started,
          commitMs: 0,
        };
      }
      const closed = builder.close(this.#executor.state.changesText());
      const { block } = closed;
      this.#executor.store(closed);
      const executed = performance.now();
      await this.#log.append(block, () => commit(this.#database));
      this.#executor.accept(closed);
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

  /**
   * Undoes the block and returns what to throw. After a failed sync nothing may touch the database
   * any more.
   */
  #failed(thrown: unknown): unknown {
    const failure = failureOf(thrown, this.#database);
    if (!(failure instanceof SyncFailure)) {
      this.#abandon();
    }
    return failure;
  }

  #abandon(): void {
    this.#executor.undo();
    if (this.#database.isTransaction) {
      this.#database.exec("ROLLBACK");
    }
  }
}

/** Refuses a unit as a whole. */
export function refusedUnit<U extends Unit>(unit: U, fault: Fault): OutcomeOf<U> {
  const outcome: Outcome | GroupOutcome =
    typeof unit === "string"
      ? { kind: "refused", fault }
      : { kind: "refused", index: undefined, fault };
  return outcome as OutcomeOf<U>;
}
