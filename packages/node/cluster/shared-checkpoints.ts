import type { LedgerReader, Time } from "@moneta/ledger";
import type { SeenCheckpoint, SharedCheckpoint } from "@moneta/ledger/postgres";
import type { Fault } from "@moneta/protocol";
import type { CheckpointKeys } from "../checkpoint-keys.ts";
import type { CheckpointNote, CheckpointNotes } from "../checkpoint-notes.ts";
import { KeptCheckpoints } from "../checkpoint-notes.ts";
import { hasGrownFrom, notGrown } from "../checkpoint-signer.ts";
import {
  type SignedTree,
  SignedTreeFailure,
  type SignedTreeFile,
} from "../data-directory/signed-tree-file.ts";
import { CatchUp } from "../ledger-thread/catch-up.ts";
import { SettingProblem } from "../settings.ts";
import { checkpointRowProblem } from "./checkpoint-row.ts";
import { isOfRows, type RemoteRows } from "./row-calls.ts";

const SIGN_EVERY_MS = 500;
const PAUSE_MS = { first: 1000, most: 600_000 } as const;
/** Once there are newer blocks: their commits did not wait in vain. */
const PAUSE_WITH_NEWS_MS = 10_000;

export interface SharedCheckpointsOptions {
  /** Undefined if it only passes on. */
  readonly keys: CheckpointKeys | undefined;
  readonly file: SignedTreeFile;
  /** Verifier keys known from elsewhere; without any, each row's own are trusted. */
  readonly trusted: readonly string[];
  readonly ledgerName: string;
  readonly readingNewest: () => LedgerReader;
  /** False if the block does not come in time. */
  readonly reaches: (height: number) => Promise<boolean>;
  readonly height: () => number;
  readonly isReachable: () => boolean;
  readonly time: Time;
  /** Called once if signing fails; it is retried. */
  readonly onProblem: (problem: Error) => void;
  /** Called once with the fault of the row, which is then not passed on. */
  readonly onRefused: (reason: string) => void;
  /** A bug, or a changed schema. */
  readonly onFailure: (error: Error) => void;
}

/** A signature leaves this process only when the row certainly has it. Source: cluster §7. */
export class SharedCheckpoints implements CheckpointNotes {
  readonly whyNone =
    "This node passes on the checkpoints of its cluster, where no node that has the key has signed one yet";
  readonly #rows: RemoteRows;
  readonly #options: SharedCheckpointsOptions;
  readonly #look: CatchUp;
  readonly #kept = new KeptCheckpoints<SharedCheckpoint>();
  readonly #timer: NodeJS.Timeout | undefined;
  #pauseMs: number = PAUSE_MS.first;
  #failed: { readonly atMs: number; readonly height: number } | undefined;
  #problem = "";
  #seenSize = 0;
  #checked: { readonly row: string; readonly problem: string | undefined } | undefined;

  /** Throws `SettingProblem` for a ledger not grown from the signed tree, or untrusted keys. */
  constructor(rows: RemoteRows, options: SharedCheckpointsOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#look = new CatchUp(() => this.#find(), options.time);
    const { file, readingNewest, keys, trusted } = options;
    if (keys !== undefined && trusted.length > 0 && !isOneOf(keys.verifierKeys, trusted)) {
      throw new SettingProblem(
        `--log-key does not name the key that this node signs with, ${keys.verifierKeys[0]}: name it, too, or give --checkpoints no`,
      );
    }
    const signed = keys && file.read();
    const reader = readingNewest();
    // An absent ledger follows the log first.
    if (signed !== undefined && signed.size <= reader.size && !hasGrownFrom(signed, reader)) {
      throw notGrown(file, signed);
    }
    if (options.keys !== undefined) {
      this.#timer = setInterval(() => this.#keepUp(), SIGN_EVERY_MS).unref();
    }
  }

  /** Without requests: followers take no block that no checkpoint covers. */
  #keepUp(): void {
    const { height, isReachable, onFailure } = this.#options;
    if (isReachable() && height() > (this.#kept.newest?.height ?? -1)) {
      this.#look.now().catch(onFailure);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get verifierKeys(): readonly string[] {
    const keys = this.#options.keys?.verifierKeys;
    return keys ?? this.#kept.newest?.keys.split("\n") ?? [];
  }

  get signedSize(): number {
    return this.#kept.newest?.size ?? 0;
  }

  get refused(): string | undefined {
    return this.#checked?.problem;
  }

  newestSize(reader: LedgerReader): number | undefined {
    return this.newest(reader)?.size;
  }

  newest(reader: LedgerReader): CheckpointNote | undefined {
    return this.#kept.seenBy(reader);
  }

  /** If due; else waits for the blocks of another node's checkpoint. */
  readonly prepare = async (): Promise<Fault | undefined> => {
    const height = this.#options.isReachable() ? await this.#look.now() : undefined;
    const hasNone =
      height === -1 && (this.#options.keys !== undefined || this.refused !== undefined);
    if (height === undefined || hasNone) {
      return this.#kept.newest !== undefined ? undefined : NOT_NOW;
    }
    return (await this.#options.reaches(height))
      ? undefined
      : { code: "9003", height: this.#options.height(), wanted: height };
  };

  /** -1 if there is none; undefined if that is not known. */
  async #find(): Promise<number | undefined> {
    try {
      const seen = await this.#rows.call("checkpoint", this.#seenSize);
      const { newest, isDue } = seen;
      const isRight = await this.#take(seen);
      // The meaning of a wrong row is unknown: nothing is signed on top of it.
      if (isRight && isDue && !this.#isPausing) {
        await this.#sign(newest);
      }
      return this.#kept.newest?.height ?? -1;
    } catch (thrown) {
      if (!isOfRows(thrown)) {
        throw thrown;
      }
      return undefined;
    }
  }

  /** False if the row's checkpoint is not right. */
  async #take({ newest, header }: SeenCheckpoint): Promise<boolean> {
    this.#seenSize = newest?.size ?? 0;
    if (newest === undefined) {
      this.#checked = undefined;
      return true;
    }
    const row = JSON.stringify([newest, header]);
    if (this.#checked?.row !== row) {
      const { ledgerName, trusted, onRefused } = this.#options;
      const problem = await checkpointRowProblem(newest, { ledgerName, header, trusted });
      if (problem !== undefined && problem !== this.refused) {
        onRefused(problem);
      }
      this.#checked = { row, problem };
      if (problem === undefined) {
        this.#noteSigned(newest);
      }
    }
    if (this.refused !== undefined) {
      return false;
    }
    this.#keep(newest);
    return true;
  }

  /** Another node's signature with this key binds this node, too. */
  #noteSigned({ size, root: tree, keys: signers }: SharedCheckpoint): void {
    const { keys, file } = this.#options;
    if (keys === undefined || !isOneOf(keys.verifierKeys, signers.split("\n"))) {
      return;
    }
    if (size > (file.read()?.size ?? 0)) {
      this.#write({ size, tree });
    }
  }

  #write(tree: SignedTree): boolean {
    try {
      this.#options.file.write(tree);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof SignedTreeFailure)) {
        throw thrown;
      }
      this.#noteProblem(thrown);
      return false;
    }
  }

  #keep(checkpoint: SharedCheckpoint): void {
    if (checkpoint.note === this.#kept.newest?.note) {
      return;
    }
    if (checkpoint.size <= this.signedSize) {
      // The row's size never falls: the log was restored to an earlier state.
      this.#kept.forget();
    }
    this.#kept.add(checkpoint);
  }

  async #sign(newest: SharedCheckpoint | undefined): Promise<void> {
    const { keys, file, readingNewest, time } = this.#options;
    const reader = readingNewest();
    const { id, header } = reader.newest;
    const { size, tree } = header;
    // Everything that can be read is certain. A node that lags passes on.
    if (keys === undefined || size <= Math.max(newest?.size ?? 0, this.signedSize)) {
      return;
    }
    const own = file.read();
    const theirs = newest && { size: newest.size, tree: newest.root };
    for (const signed of [own, theirs]) {
      if (signed !== undefined && !hasGrownFrom(signed, reader)) {
        return this.#noteProblem(notGrown(file, signed));
      }
    }
    const { height } = reader;
    if (!this.#write({ size, tree })) {
      return;
    }
    this.#problem = "";
    const note = keys.sign({ size, tree });
    const next = { size, root: tree, height, note, keys: keys.verifierKeys.join("\n") };
    try {
      if (await this.#rows.call("advanceCheckpoint", newest?.size ?? 0, next, id)) {
        this.#keep(next);
      } else {
        // Another node was faster, or durability is not known.
        await this.#take(await this.#rows.call("checkpoint", this.#seenSize));
      }
      this.#failed = undefined;
      this.#pauseMs = PAUSE_MS.first;
    } catch (thrown) {
      if (this.#failed !== undefined) {
        this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS.most);
      }
      this.#failed = { atMs: time.nowMs(), height };
      throw thrown;
    }
  }

  /** Each abandoned wait for the standby leaves a session at the engine. */
  get #isPausing(): boolean {
    if (this.#failed === undefined) {
      return false;
    }
    const { time, height } = this.#options;
    const hasNews = height() > this.#failed.height;
    const pauseMs = hasNews ? Math.min(this.#pauseMs, PAUSE_WITH_NEWS_MS) : this.#pauseMs;
    return time.nowMs() < this.#failed.atMs + pauseMs;
  }

  #noteProblem(problem: Error): void {
    if (problem.message !== this.#problem) {
      this.#problem = problem.message;
      this.#options.onProblem(problem);
    }
  }
}

const NOT_NOW: Fault = {
  code: "9002",
  reason: "The newest checkpoint cannot be found out now",
  retryAfter: 1,
};

function isOneOf(own: readonly string[], trusted: readonly string[]): boolean {
  return own.some((key) => trusted.includes(key));
}
