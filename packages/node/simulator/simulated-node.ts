import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type BlockLog,
  type BlockPlace,
  type KeyVersions,
  Ledger,
  LedgerReader,
  LocalLog,
  type Outcome,
  openForWriting,
  PROTOCOL_VERSIONS,
  StorageFailure,
  type Time,
} from "@moneta/ledger";
import { type Engine, PostgresLog, type Timelines } from "@moneta/ledger/postgres";
import {
  type Address,
  type LedgerOperation,
  operationText,
  parseOperationText,
  parseTemporaryKey,
  parseTransactionId,
  stateroot,
} from "@moneta/protocol";
import { LedgerClock } from "../ledger-clock.ts";
import { LedgerLoop } from "../ledger-thread/ledger-loop.ts";
import type { LogReport } from "../ledger-thread/ledger-messages.ts";
import { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import { StateTreeLoop } from "../state-tree/state-tree-loop.ts";
import { BASE_TIME, type BaseLedger } from "./base-ledger.ts";
import { signatureBy } from "./crossing-keys.ts";
import type { SimulatedEngine } from "./network.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

const TURN_MS = 5000;
/** Default of `--clock-tolerance-seconds`. */
export const TOLERANCE_SECONDS = 86_400;
const OPERATIONS_MAX = 100;
const BYTES_MAX = 1 << 20;
const TREE_STEP_MS = 1000;
const ROOTS_MS = 2000;

export interface NodeParts {
  readonly base: BaseLedger;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly clockOffsetMs: number;
  /** `--write-seconds`. */
  readonly writeMs: number;
  /** It also claims roots as if it had the lease. */
  readonly hasTree: boolean;
  readonly makeEngine: (
    gate: (call: () => void) => void,
  ) => Engine & Pick<SimulatedEngine, "vanish">;
  /** Each block that the node has shown to a client. */
  readonly onShown: (place: { readonly height: number; readonly id: string }) => void;
  readonly onFailure: (reason: string) => void;
  /** A promise that the node itself sees broken. */
  readonly onBroken: (promise: string) => void;
}

/** From start to crash. */
interface Life {
  report: LogReport | undefined;
  /** Undefined before it is open. */
  queue: LedgerQueue | undefined;
  readonly engine: Pick<SimulatedEngine, "vanish">;
  readonly close: () => void;
  readonly ledger: Ledger;
  readonly reader: LedgerReader;
}

/** The product's parts over a database that remains after a crash. */
export class SimulatedNode {
  readonly name: string;
  isFull = false;
  clockOffsetMs: number;
  readonly #parts: NodeParts;
  readonly #file: string;
  #life: Life | undefined;
  /** Calls of an earlier life are ignored. */
  #lives = 0;
  #isStopped = false;
  #held: (() => void)[] = [];
  #highestTimeline = 0;
  #shownHeight: number;

  constructor(name: string, parts: NodeParts) {
    this.name = name;
    this.#parts = parts;
    this.clockOffsetMs = parts.clockOffsetMs;
    this.#file = join(parts.base.folder, `${name}.db`);
    copyFileSync(parts.base.file, this.#file);
    this.#shownHeight = this.firstHeight;
  }

  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** At the beginning, and after `rebuild`. */
  get firstHeight(): number {
    return this.#parts.base.rows.length - 1;
  }

  /** On which it has found the log certain. */
  get highestTimeline(): number {
    return this.#highestTimeline;
  }

  /** It refuses everything. */
  get isDiverged(): boolean {
    return this.#life?.report?.diverged !== undefined;
  }

  get isAccepting(): boolean {
    const { unstored, refused, isInDoubt = true } = this.#life?.report ?? {};
    return unstored === undefined && refused === undefined && !isInDoubt;
  }

  /** It cannot store a block of its own that is in the log. */
  get isUnstored(): boolean {
    const { unstored, isInDoubt = false } = this.#life?.report ?? {};
    return !this.#isStopped && unstored !== undefined && isInDoubt;
  }

  /** Height -1 while it does not run. */
  get stored(): BlockPlace {
    const { height = -1, id = "" } = this.#life?.ledger.stored ?? {};
    return { height, id };
  }

  start(): void {
    const { time, trace, writeMs, hasTree, makeEngine, onFailure } = this.#parts;
    this.#lives += 1;
    this.#isStopped = false;
    this.#held = [];
    trace.add(this.name, "starts");
    const gate = this.#gate(this.#lives);
    const nodeTime: Time = {
      nowMs: () => time.nowMs,
      wallMs: () => BASE_TIME * 1000 + time.nowMs + this.clockOffsetMs,
      after: (ms, call) => time.after(ms, () => gate(call)),
      soon: (call) => void time.after(0, () => gate(call)),
    };
    const engine = makeEngine(gate);
    const database = openForWriting(this.#file);
    const reader = new LedgerReader(this.#file);
    const node = this;
    const timelines: Timelines = {
      get highest() {
        return node.#highestTimeline;
      },
      remember(timeline) {
        node.#highestTimeline = Math.max(node.#highestTimeline, timeline);
      },
    };
    const log = new PostgresLog({
      copy: refusingWhile(() => node.isFull, new LocalLog(database)),
      ...{ engine, time: nodeTime, timelines },
      schema: "moneta",
      turnMs: TURN_MS,
    });
    const ledger = new Ledger(database, log, PROTOCOL_VERSIONS, nodeTime);
    ledger.keepChanges(hasTree);
    ledger.catchUp();
    const tree = hasTree ? this.#openTree() : undefined;
    const life = this.#lives;
    void LedgerQueue.over(
      ({ onMessage }) => {
        const loop = new LedgerLoop({
          ...{ ledger, shared: log, time: nodeTime },
          clock: new LedgerClock({
            wall: () => Math.floor(nodeTime.wallMs() / 1000),
            monotonicMs: nodeTime.nowMs,
            block: () => ledger.stored.timestamp,
            tolerance: TOLERANCE_SECONDS,
          }),
          operationsMax: OPERATIONS_MAX,
          bytesMax: BYTES_MAX,
          say: (message) => nodeTime.soon(() => onMessage(message)),
          attempt: async (work) => {
            try {
              return await work();
            } catch (thrown) {
              if (life === this.#lives) {
                onFailure((thrown as Error).stack ?? String(thrown));
              }
              return await new Promise(() => undefined);
            }
          },
          close: () => undefined,
        });
        loop.start();
        return {
          ready: Promise.resolve({ height: ledger.head.height, unknownVersion: undefined }),
          post: (message) => nodeTime.soon(() => loop.take(message)),
          close: async () => undefined,
        };
      },
      {
        time: nodeTime,
        clock: () => Math.floor(nodeTime.wallMs() / 1000),
        gatherMs: 20,
        operationsMax: OPERATIONS_MAX,
        bytesMax: BYTES_MAX,
        writeMs,
        onFailure: (error) => onFailure(error.message),
      },
    ).then((queue) => {
      if (life === this.#lives && this.#life !== undefined) {
        queue.on("result", () => this.#noteShown());
        queue.on("followed", () => this.#noteShown());
        queue.on("log", (report) => {
          if (life === this.#lives && this.#life !== undefined) {
            this.#life.report = report;
          }
        });
        this.#life.queue = queue;
        if (tree !== undefined) {
          this.#followWithTree(tree, { queue, time: nodeTime });
        }
      }
    });
    this.#life = {
      ...{ report: undefined, queue: undefined, engine, ledger, reader },
      close: () => {
        tree?.close();
        database.close();
      },
    };
  }

  get #treeFile(): string {
    return `${this.#file}.tree`;
  }

  #openTree(): StateTreeLoop {
    return new StateTreeLoop({
      reader: new LedgerReader(this.#file),
      treeFile: this.#treeFile,
      ...{ keptRoots: "day", everyMs: ROOTS_MS, nowMs: () => this.#parts.time.nowMs },
    });
  }

  /** Compares and claims roots until its crash. Source: proofs §2. */
  #followWithTree(
    tree: StateTreeLoop,
    { queue, time }: { readonly queue: LedgerQueue; readonly time: Time },
  ): void {
    time.after(TREE_STEP_MS, () => {
      const { height, due, wrong, rebuilt } = tree.step({ isMine: true });
      queue.noteInTree(height);
      for (const { height: at, root, computed } of wrong) {
        this.#parts.onBroken(`${this.name} computes root ${computed} of block ${at}, not ${root}`);
      }
      if (rebuilt !== undefined) {
        this.#parts.onBroken(`the state tree of ${this.name} ${rebuilt}`);
      }
      if (due !== undefined) {
        const params = { height: String(due.height), root: due.root };
        const claim = {
          op: stateroot.name,
          actor: "",
          params,
          decided: {},
          signatures: {},
        } as const;
        queue.submit([operationText(claim)], undefined, 1, undefined).catch(() => undefined);
      }
      this.#followWithTree(tree, { queue, time });
    });
  }

  /** SIGKILL: data that it has not stored is lost, without notice. */
  crash(): void {
    const life = this.#life;
    if (life === undefined) {
      return;
    }
    this.#parts.trace.add(this.name, "crashes");
    this.#life = undefined;
    this.#lives += 1;
    this.#held = [];
    life.engine.vanish();
    life.reader.dispose();
    life.close();
  }

  /** As after `moneta rebuild`: it has the first blocks only. */
  rebuild(): void {
    this.crash();
    this.#removeFiles();
    copyFileSync(this.#parts.base.file, this.#file);
    this.#shownHeight = this.firstHeight;
    this.#parts.trace.add(this.name, "is rebuilt");
    this.start();
  }

  /** SIGSTOP. */
  stop(): void {
    this.#parts.trace.add(this.name, "is stopped");
    this.#isStopped = true;
  }

  /** SIGCONT. */
  resume(): void {
    if (this.#isStopped) {
      this.#parts.trace.add(this.name, "continues");
      this.#isStopped = false;
      for (const call of this.#held.splice(0)) {
        this.#parts.time.after(0, call);
      }
    }
  }

  /** As an admitted request would. A response may never come. */
  submit(text: string, answer: (outcome: Outcome) => void): void {
    const life = this.#lives;
    this.#gate(life)(() => {
      this.#admit(text)?.then(
        (outcome) =>
          this.#gate(life)(() => {
            this.#checkShown(text, outcome);
            answer(outcome);
          }),
        () => undefined,
      );
    });
  }

  /** As admission does, once its keys are verified. Source: authority §1.4. */
  #admit(text: string): Promise<Outcome> | undefined {
    const queue = this.#life?.queue;
    const versions = this.#verify(text);
    return versions !== "misfits"
      ? queue?.submit([text], undefined, 1, versions)
      : queue && this.#admitByNewest(text, queue);
  }

  /** Before a node refuses, it reads newer blocks. Source: cluster §4. */
  async #admitByNewest(text: string, queue: LedgerQueue): Promise<Outcome> {
    if ((await queue.look()) === undefined) {
      return {
        kind: "refused",
        fault: { code: "9003", height: this.stored.height, wanted: undefined },
      };
    }
    const versions = this.#verify(text);
    return versions === "misfits"
      ? { kind: "refused", fault: { code: "2010", parameter: "signature", reason: "misfits" } }
      : await queue.submit([text], undefined, 1, versions);
  }

  /** Undefined for the first version, an agent, and an operation that is already done. */
  #verify(text: string): KeyVersions | "misfits" {
    const { actor, params, signatures } = parseOperationText(text) as LedgerOperation;
    const key = parseTemporaryKey(params["tkey"] ?? params["checkkey"] ?? "");
    let versions: KeyVersions | "misfits";
    this.#look((reader) => {
      const version = reader.state.keySet(actor as Address)?.version ?? 0;
      if (params["grant"] === undefined && !(key && reader.keyUse(key) !== undefined)) {
        const isSigned = signatures["signature"] === signatureBy(version);
        versions = isSigned ? (version === 0 ? undefined : [[version]]) : "misfits";
      }
    });
    return versions;
  }

  remove(): void {
    this.crash();
    this.#removeFiles();
  }

  #removeFiles(): void {
    for (const suffix of ["", "-wal", "-shm"]) {
      rmSync(`${this.#file}${suffix}`, { force: true });
    }
    rmSync(this.#treeFile, { force: true });
  }

  /** Not after the end of that life, and not while it is stopped. */
  #gate(life: number): (call: () => void) => void {
    return (call) => {
      if (life !== this.#lives) {
        return;
      }
      if (this.#isStopped) {
        this.#held.push(() => this.#gate(life)(call));
      } else {
        call();
      }
    };
  }

  /** Every acknowledged operation is shown. Source: cluster §1.2. */
  #checkShown(text: string, outcome: Outcome): void {
    if (outcome.kind === "refused") {
      return;
    }
    const { height = 0, position = 0 } = parseTransactionId(outcome.transactionIds[0]) ?? {};
    this.#look((reader) => {
      if (reader.height < height || reader.log.operation(height, position) !== text) {
        this.#parts.onBroken(
          `${this.name} has answered ${height}/${position}, and does not show it`,
        );
      }
    });
  }

  #noteShown(): void {
    this.#look((reader) => {
      const newest = reader.newest.header.sn;
      for (let height = this.#shownHeight + 1; height <= newest; height += 1) {
        this.#parts.onShown({ height, id: reader.block({ height })?.id ?? "" });
      }
      this.#shownHeight = Math.max(this.#shownHeight, newest);
    });
  }

  #look(look: (reader: LedgerReader) => void): void {
    const reader = this.#life?.reader;
    if (reader !== undefined) {
      reader.open(0);
      try {
        look(reader);
      } finally {
        reader.close();
      }
    }
  }
}

/** While its disk is full, its writes are undone. */
function refusingWhile(isFull: () => boolean, copy: BlockLog): BlockLog {
  return {
    firstKept: copy.firstKept,
    append(block) {
      if (isFull()) {
        throw new StorageFailure("the disk is full");
      }
      return copy.append(block);
    },
    block: (height) => copy.block(height),
    operation: (height, position) => copy.operation(height, position),
    size: (height) => copy.size(height),
    read: (fromHeight) => copy.read(fromHeight),
    height: () => copy.height(),
  };
}
