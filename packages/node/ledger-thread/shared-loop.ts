import {
  type Attempt,
  BehindLog,
  type BlockPlace,
  Diverged,
  type Execution,
  InvalidBlock,
  type KeyVersions,
  type Ledger,
  LogUnavailable,
  type Outcome,
  type SharedLog,
  type Time,
  type Turn,
  type Unit,
  UnknownRules,
  unknownVersionFault,
} from "@moneta/ledger";
import type { Block, Fault } from "@moneta/protocol";
import type { LedgerClock } from "../ledger-clock.ts";
import { UNTIL_MENDED_SECONDS, writesFault } from "../write-state.ts";
import { lengthOf, notStored, resultOf } from "./batch-result.ts";
import { engineHold, SLOW_LOG } from "./engine-hold.ts";
import {
  type Batch,
  type BatchPart,
  type BatchResult,
  EMPTY_REPORT,
  type FromOpenLedger,
  type LogReport,
} from "./ledger-messages.ts";
import { PROBE_EVERY_MS, type StorageProbe } from "./storage-probe.ts";

/** Without a notice. Source: cluster §3. */
const LOOK_EVERY_MS = 1000;
/** After its history has changed. Source: cluster §6. */
const COMPARE_EVERY_MS = 60_000;
const PAUSE_MS = { first: 50, most: 1000 } as const;
/** Source: conventions §2.3. */
const CATCH_UP_MS = 5000;
/** In a row. Source: cluster §3. */
const CONFLICTS_BEFORE_HALVING = 3;
/** However near the deadline is. */
const TURN_WAIT_MIN_MS = 1000;
const SYNC_MS = 5000;
const RETRY_AFTER = 2;

interface Waiting {
  readonly unit: Unit;
  readonly keyVersions: KeyVersions;
  readonly count: number;
  readonly batch: number;
  readonly index: number;
  readonly length: number;
  readonly deadlineMs: number;
  /** It is not executed again then. */
  isAnswered: boolean;
}

interface UnderWay {
  /** After sending, those of the block. */
  waiting: readonly Waiting[];
  /** It may be in the log. */
  isSent: boolean;
}

/** Of both loops. */
export interface LoopOptions {
  readonly ledger: Ledger;
  readonly time: Time;
  /** For a shared log: when an unconfirmed COMMIT is reported, ms. */
  readonly syncMs?: number | undefined;
  /** For a shared log: prevents timestamps on which the clocks do not agree. */
  readonly clock?: LedgerClock | undefined;
  readonly operationsMax: number;
  readonly bytesMax: number;
  readonly say: (message: FromOpenLedger) => void;
  /** An error in the work ends the thread. */
  readonly attempt: <T>(work: () => T | Promise<T>) => Promise<T>;
}

interface SharedLoopOptions extends LoopOptions {
  readonly log: SharedLog;
  readonly storage: StorageProbe;
  readonly answer: (result: BatchResult) => void;
  /** Readers see more blocks. */
  readonly noteFollowed: () => void;
}

/** A held append lock and a step of following never overlap. Source: cluster §3, docs/adr/0017. */
export class SharedLoop {
  readonly #ledger: Ledger;
  readonly #log: SharedLog;
  readonly #time: Time;
  readonly #options: SharedLoopOptions;
  #waiting: Waiting[] = [];
  #underWay: UnderWay | undefined;
  #work: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  /** Since the last step of following began. */
  #hasNews = false;
  #database: Promise<unknown> = Promise.resolve();
  #deadlines: { readonly atMs: number; cancel(): void } | undefined;
  #isEnding = false;
  readonly #wakes: Set<() => void> = new Set();
  #failures = 0;
  #conflictsInRow = 0;
  /** Fewer after conflicts. */
  #unitsMax = Infinity;
  readonly #storage: StorageProbe;
  /** To probe the engine with. */
  #refusedBlock: Block | undefined;
  #engineMs = 0;
  /** Until a COMMIT counts as slow. */
  #slowTimer: { cancel(): void } | undefined;
  /** The next report, without what others know. */
  readonly #state: { -readonly [name in keyof LogReport]: LogReport[name] } = { ...EMPTY_REPORT };
  /** The log's last response in the newest report. */
  #reportedMs: number | undefined;

  constructor(options: SharedLoopOptions) {
    this.#ledger = options.ledger;
    this.#log = options.log;
    this.#time = options.time;
    this.#storage = options.storage;
    this.#options = options;
  }

  start(): void {
    this.#log.onNews(() => this.#follow());
    void this.#run(() => this.#watch());
  }

  take({ batch, units, keyVersions = {}, deadlines = [], counts = [] }: Batch): void {
    for (const [index, unit] of units.entries()) {
      this.#waiting.push({
        ...{ unit, keyVersions: keyVersions[index], batch, index, length: lengthOf(unit) },
        count: counts[index] ?? unit.length,
        deadlineMs: deadlines[index] ?? Infinity,
        isAnswered: false,
      });
    }
    // Later ones have later deadlines.
    if (this.#deadlines === undefined) {
      this.#watchDeadlines();
    }
    this.#startWork();
  }

  /** After the held append lock; waiting units and those in doubt stay unanswered. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#deadlines?.cancel();
    this.#log.close();
    for (const wake of this.#wakes) {
      wake();
    }
    await this.#work;
    await this.#following;
    await this.#database;
  }

  #run(work: () => Promise<void>): Promise<void> {
    return this.#options.attempt(work);
  }

  /** One at a time, because it changes the database. */
  alone<T>(work: () => Promise<T> | T): Promise<T> {
    const done = this.#database.then(work, work);
    this.#database = done.catch(() => undefined);
    return done;
  }

  async #pause(ms: number): Promise<void> {
    if (!this.#isEnding) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          timer.cancel();
          this.#wakes.delete(wake);
          resolve();
        };
        const timer = this.#time.after(ms, wake);
        this.#wakes.add(wake);
      });
    }
  }

  // Turns

  #startWork(work = () => this.#takeTurns()): void {
    this.#work ??= this.#run(work).finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0 && !this.#isEnding) {
        this.#startWork();
      }
    });
  }

  async #takeTurns(): Promise<void> {
    while (!this.#isEnding && this.#waiting.length > 0) {
      const fault = this.#stopped();
      if (fault !== undefined) {
        this.#refuse(this.#waiting.splice(0), fault);
        break;
      }
      const turn = await this.#turn(this.#patienceMs());
      if (turn !== undefined) {
        const next = await this.alone(() => this.#executeIn(turn));
        this.#follow();
        if (next === "again") {
          await this.#pause(Math.min(PAUSE_MS.first * this.#conflictsInRow, PAUSE_MS.most));
        } else if (next !== undefined) {
          await this.#resolve(next);
        }
      }
    }
  }

  #stopped(): Fault | undefined {
    const { diverged, refused, engine } = this.#state;
    if (diverged !== undefined) {
      return { code: "9006", ...diverged, retryAfter: COMPARE_EVERY_MS / 1000 };
    }
    if (refused !== undefined) {
      const reason = "This node has met a block that its software does not come to";
      return { code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS };
    }
    if (engine !== undefined) {
      return writesFault(engineHold(engine));
    }
    const { failure } = this.#storage;
    if (failure !== undefined) {
      const reason = `This node cannot store blocks now: ${failure.reason}`;
      return { code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS };
    }
    if (this.#log.status.unfit !== undefined) {
      const reason = "The log of this ledger may not be written as its engine is set up now";
      return { code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS };
    }
    const { unknownVersion, stored } = this.#ledger;
    return unknownVersion !== undefined && unknownVersion.height <= stored.height + 1
      ? unknownVersionFault(unknownVersion)
      : undefined;
  }

  /** Undefined, after a pause, if this node did not get it. */
  async #turn(timeoutMs: number): Promise<Turn | undefined> {
    try {
      const turn = await this.#log.turn({ place: () => this.#ledger.stored, timeoutMs });
      this.#noteReached();
      return turn;
    } catch (thrown) {
      await this.#failed(thrown);
      return undefined;
    }
  }

  #patienceMs(): number {
    const last = Math.max(...this.#waiting.slice(-1).map(({ deadlineMs }) => deadlineMs));
    const leftMs = Number.isFinite(last) ? last - this.#time.nowMs() : COMPARE_EVERY_MS;
    return Math.max(leftMs, TURN_WAIT_MIN_MS);
  }

  /** Inserts it again and rolls back: nothing else would show it. Source: cluster §3. */
  async #probeEngine(block: Block): Promise<void> {
    const turn = await this.#turn(TURN_WAIT_MIN_MS);
    if (turn === undefined) {
      return;
    }
    const newest = turn.blocks.at(-1);
    const { height, id } = newest
      ? { height: newest.header.sn, id: newest.id }
      : this.#ledger.stored;
    const header = { ...block.header, sn: height + 1, previous: id };
    try {
      this.#state.engine = await turn.probe({ ...block, header });
    } catch (thrown) {
      await this.#failed(thrown);
    }
    this.report();
  }

  /** Releases the append lock. Returns a block in doubt, or "again". */
  async #executeIn(turn: Turn): Promise<Doubt | "again" | undefined> {
    this.#expire();
    // No other node's clock has been compared with the block's time.
    const newest = turn.blocks.at(-1)?.header.timestamp;
    const hold = this.#options.clock?.hold(turn.now, newest);
    if (hold !== undefined) {
      await turn.giveBack();
      this.#state.clockHold = hold.reason;
      const reason = `Writes are not possible now: ${hold.reason}`;
      this.#refuse(this.#waiting.splice(0), { code: "9002", reason, retryAfter: hold.retryAfter });
      this.report();
      return undefined;
    }
    const waiting = this.#gather();
    if (waiting.length === 0) {
      await turn.giveBack();
      return undefined;
    }
    const underWay: UnderWay = { waiting, isSent: false };
    this.#underWay = underWay;
    let attempt: Attempt;
    try {
      attempt = await this.#ledger.executeIn(turn, unitsOf(waiting), {
        keysOf: (unit) => waiting[unit]?.keyVersions,
        onSend: (units) => {
          underWay.isSent = true;
          const { syncMs = SYNC_MS } = this.#options;
          this.#slowTimer = this.#time.after(syncMs, () => this.#noteSlow());
          underWay.waiting = waiting.slice(0, units);
          // The block is full: these units are not in doubt with it.
          this.#putBack(waiting.slice(units));
        },
      });
    } catch (thrown) {
      this.#underWay = undefined;
      this.#noteQuick();
      const failure = this.#storage.note(thrown, unitsOf(waiting));
      this.#options.answer(notStored(partsOf(waiting), this.#ledger, failure));
      return undefined;
    }
    if (attempt.kind !== "doubt") {
      this.#noteQuick();
    }
    switch (attempt.kind) {
      case "done":
        this.#storage.end();
        this.#state.engine = undefined;
        this.#conflictsInRow = 0;
        this.#unitsMax = Infinity;
        this.#underWay = undefined;
        this.#say(underWay.waiting, attempt.execution);
        return undefined;
      case "conflict":
        this.#again(underWay.waiting);
        this.#state.trouble = attempt.reason;
        return "again";
      case "refused": {
        const { code, reason, block } = attempt;
        this.#state.engine = { code, reason };
        this.#refusedBlock = block;
        this.#engineMs = this.#time.nowMs();
        this.#underWay = undefined;
        this.#putBack(underWay.waiting); // to be refused
        this.report();
        return undefined;
      }
      default: {
        const { block, outcomes, executeMs } = attempt;
        const place = { height: block.header.sn, id: block.id };
        const isAppended = attempt.kind === "unstored";
        if (attempt.kind === "unstored") {
          this.#storage.note(attempt.failure, unitsOf(underWay.waiting));
        } else {
          this.#state.trouble = attempt.reason;
        }
        return { waiting: underWay.waiting, place, outcomes, executeMs, isAppended };
      }
    }
  }

  /** At least one unit, including those that arrived during the wait. */
  #gather(): readonly Waiting[] {
    const { operationsMax, bytesMax } = this.#options;
    let operations = 0;
    let length = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      operations += waiting.count;
      length += waiting.length;
      if (
        count > 0 &&
        (count >= this.#unitsMax || operations > operationsMax || length > bytesMax)
      ) {
        break;
      }
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** In front: their block is certainly not in the log. */
  #again(waiting: readonly Waiting[]): void {
    this.#underWay = undefined;
    this.#state.conflicts += 1;
    this.#conflictsInRow += 1;
    if (this.#conflictsInRow >= CONFLICTS_BEFORE_HALVING) {
      this.#unitsMax = Math.max(1, Math.floor(waiting.length / 2));
    }
    this.#putBack(waiting);
    this.#watchDeadlines();
  }

  #putBack(waiting: readonly Waiting[]): void {
    // Its client got an open outcome, and may have sent the unit elsewhere.
    this.#waiting.unshift(...waiting.filter(({ isAnswered }) => !isAnswered));
  }

  /** However long that takes. Source: cluster §3. */
  async #resolve(doubt: Doubt): Promise<void> {
    this.#state.isInDoubt = true;
    this.report();
    try {
      const settled = doubt.isAppended ? "appended" : await this.#settled(doubt.place);
      if (settled === undefined) {
        return;
      }
      const { doubts } = this.#state;
      this.#state.doubts = { ...doubts, [settled]: doubts[settled] + 1 };
      const isThere = settled === "appended" && (await this.#isFollowed(doubt.place));
      if (this.#isEnding) {
        return;
      }
      if (!isThere) {
        this.#again(doubt.waiting);
        return;
      }
      this.#underWay = undefined;
      const { outcomes, executeMs, place } = doubt;
      this.#say(doubt.waiting, { outcomes, executeMs, commitMs: 0, height: place.height });
    } finally {
      this.#state.isInDoubt = false;
      this.#noteQuick();
      this.report();
    }
  }

  #noteSlow(): void {
    this.#state.isSlow = true;
    this.#refuse(this.#waiting.splice(0), writesFault(SLOW_LOG));
    this.#watchDeadlines();
    this.report();
  }

  #noteQuick(): void {
    this.#slowTimer?.cancel();
    this.#slowTimer = undefined;
    this.#state.isSlow = false;
  }

  /** False if the restored log lacks the block, or the loop ends. */
  async #isFollowed(place: BlockPlace): Promise<boolean> {
    while (!this.#isEnding) {
      await this.#followed();
      if (this.#ledger.stored.height >= place.height) {
        return this.#log.block(place.height)?.id === place.id;
      }
      await this.#pause(PAUSE_MS.most);
      // Otherwise it is there; asking takes the append lock.
      if (this.#state.logHeight < place.height && (await this.#settled(place)) === "absent") {
        return false;
      }
    }
    return false;
  }

  async #settled(place: BlockPlace): Promise<"appended" | "absent" | undefined> {
    while (!this.#isEnding) {
      try {
        const settled = await this.#log.settle(place);
        this.#noteReached();
        return settled;
      } catch (thrown) {
        await this.#failed(thrown);
      }
    }
    return undefined;
  }

  // Deadlines

  /** Source: cluster §3. */
  #expire(): void {
    const now = this.#time.nowMs();
    const isOver = ({ deadlineMs, isAnswered }: Waiting): boolean =>
      deadlineMs <= now && !isAnswered;
    const over = this.#waiting.filter(isOver);
    if (over.length > 0) {
      this.#waiting = this.#waiting.filter((waiting) => !isOver(waiting));
      this.#refuse(over, this.#late());
    }
    const { waiting = [], isSent } = this.#underWay ?? {};
    const open = waiting.filter(isOver);
    if (open.length > 0) {
      this.#refuse(
        open,
        isSent === true ? { code: "9004", retryAfter: RETRY_AFTER } : this.#late(),
      );
    }
    this.#watchDeadlines();
  }

  #late(): Fault {
    const reason =
      this.#storage.failure !== undefined
        ? "This node cannot store blocks now"
        : this.#state.trouble !== undefined
          ? "The log of this ledger cannot be written now"
          : "The turn of this node to write has not come in time";
    return { code: "9002", reason, retryAfter: RETRY_AFTER };
  }

  #refuse(waiting: readonly Waiting[], fault: Fault): void {
    for (const one of waiting) {
      one.isAnswered = true;
    }
    this.#options.say({
      kind: "expired",
      outcomes: waiting.map(() => ({ kind: "refused", fault })),
      parts: partsOf(waiting),
    });
  }

  /** Units arrive in the order of their deadlines. */
  #watchDeadlines(): void {
    const next = [...(this.#underWay?.waiting ?? []), ...this.#waiting.slice(0, 1)].reduce(
      (soonest, { deadlineMs, isAnswered }) =>
        isAnswered ? soonest : Math.min(soonest, deadlineMs),
      Infinity,
    );
    if (this.#deadlines?.atMs === next) {
      return;
    }
    this.#deadlines?.cancel();
    this.#deadlines = undefined;
    if (Number.isFinite(next) && !this.#isEnding) {
      const timer = this.#time.after(Math.max(0, next - this.#time.nowMs()), () => {
        this.#deadlines = undefined;
        this.#expire();
      });
      this.#deadlines = { atMs: next, cancel: () => timer.cancel() };
    }
  }

  // Following

  /** Certain blocks, in steps, while there is news. */
  #follow(): void {
    this.#hasNews = true;
    this.#following ??= this.#run(() => this.#followAll()).finally(() => {
      this.#following = undefined;
      if (this.#hasNews && !this.#isEnding && this.#state.refused === undefined) {
        this.#follow();
      }
    });
  }

  async #followAll(): Promise<void> {
    while (this.#hasNews && !this.#isEnding && this.#state.refused === undefined) {
      this.#hasNews = false;
      try {
        const blocks = await this.#log.next(this.#ledger.stored);
        if (blocks.length > 0) {
          await this.alone(() => this.#adopt(blocks));
          this.#hasNews = true;
          // Other work runs between two steps.
          await new Promise<void>((resolve) => this.#time.soon(resolve));
        }
      } catch (thrown) {
        this.#noteUnfit(thrown);
        return;
      }
    }
  }

  async #followed(): Promise<void> {
    this.#follow();
    await this.#following;
  }

  async #adopt(blocks: readonly Block[]): Promise<void> {
    const before = this.#ledger.stored.height;
    try {
      // A turn may have stored some of them.
      await this.#ledger.adopt(blocks.filter(({ header }) => header.sn > before));
      this.#storage.end();
    } finally {
      if (this.#ledger.stored.height > before) {
        this.#reportHeard();
        this.#options.noteFollowed();
      }
    }
  }

  async #watch(): Promise<void> {
    while (!this.#isEnding) {
      try {
        const { height } = await this.#log.look(this.#ledger.stored);
        this.#state.logHeight = height;
        this.#noteReached();
        if (this.#state.diverged !== undefined) {
          // The log has the blocks that this node has.
          this.#state.diverged = undefined;
          this.#startWork();
        }
        await this.#followed();
        this.#state.hasCaughtUp ||= this.#ledger.stored.height >= height;
        this.#checkClock();
      } catch (thrown) {
        this.#noteUnfit(thrown);
      }
      this.report();
      const { diverged, engine } = this.#state;
      const block = engine && this.#refusedBlock;
      if (block !== undefined && this.#time.nowMs() - this.#engineMs >= PROBE_EVERY_MS) {
        this.#engineMs = this.#time.nowMs();
        this.#startWork(() => this.#probeEngine(block));
      }
      await this.#pause(diverged === undefined ? LOOK_EVERY_MS : COMPARE_EVERY_MS);
    }
  }

  /** For waiting requests. Source: cluster §4. */
  look(look: number): void {
    void this.#run(async () => {
      const until = this.#time.nowMs() + CATCH_UP_MS;
      let height: number | undefined;
      const lacksSome = (): boolean => height === undefined || this.#ledger.stored.height < height;
      try {
        ({ height } = await this.#log.look(this.#ledger.stored));
        this.#state.logHeight = Math.max(this.#state.logHeight, height);
        while (lacksSome() && this.#time.nowMs() < until) {
          await this.#followed();
          if (lacksSome()) {
            await this.#pause(PAUSE_MS.first);
          }
        }
      } catch (thrown) {
        this.#noteUnfit(thrown);
      }
      this.#reportHeard();
      this.#options.say({ kind: "looked", look, height: lacksSome() ? undefined : height });
    });
  }

  // What is wrong

  async #failed(thrown: unknown): Promise<void> {
    this.#failures += 1;
    if (!(thrown instanceof BehindLog)) {
      this.#noteUnfit(thrown);
      const ms = PAUSE_MS.first * 2 ** Math.min(this.#failures, 10);
      await this.#pause(Math.min(ms, PAUSE_MS.most));
      return;
    }
    const { height } = this.#ledger.stored;
    try {
      this.#state.logHeight = (await this.#log.look(this.#ledger.stored)).height;
      await this.#followed();
    } catch (failure) {
      this.#noteUnfit(failure);
    }
    if (this.#ledger.stored.height === height) {
      // Another attempt would fail, too, as with a full disk.
      await this.#pause(PAUSE_MS.most);
    }
  }

  /** Throws bugs. */
  #noteUnfit(thrown: unknown): void {
    if (thrown instanceof Diverged) {
      const { height, ours, theirs } = thrown;
      this.#state.diverged = { height, ours, theirs };
    } else if (thrown instanceof InvalidBlock) {
      this.#state.refused = thrown.message;
    } else if (
      thrown instanceof LogUnavailable ||
      thrown instanceof UnknownRules ||
      thrown instanceof BehindLog
    ) {
      this.#state.trouble = this.#isEnding ? undefined : thrown.message;
      this.#state.troubleCode = thrown instanceof LogUnavailable ? thrown.code : undefined;
    } else {
      this.#storage.note(thrown);
    }
    this.report();
  }

  /** Even without writes; takes the log's time if the clocks agree. */
  #checkClock(): void {
    const { engineMs } = this.#log.status;
    // Before, this node may lack the log's newest block.
    if (engineMs !== undefined && this.#state.hasCaughtUp) {
      const now = Math.floor((this.#time.nowMs() + engineMs) / 1000);
      this.#state.clockHold = this.#options.clock?.hold(now)?.reason;
    }
    if (this.#state.clockHold === undefined || this.#state.ledgerMs === undefined) {
      this.#state.ledgerMs = engineMs;
    }
  }

  #noteReached(): void {
    this.#failures = 0;
    this.#state.trouble = undefined;
    this.#state.troubleCode = undefined;
  }

  /** Before other news: no response may have the age of the log before it responded again. */
  #reportHeard(): void {
    const { heardMs = 0 } = this.#log.status;
    if (heardMs - (this.#reportedMs ?? 0) > LOOK_EVERY_MS) {
      this.report();
    }
  }

  /** Reports the state of the log. */
  report(): void {
    const { heardMs, clockOffsetMs, timeline, unkept, unfit } = this.#log.status;
    const logHeight = Math.max(this.#state.logHeight, this.#ledger.stored.height);
    const known = { heardMs, clockOffsetMs, timeline, unkept, unfit, logHeight };
    const turns = this.#log.takeTurns();
    const unstored = this.#storage.failure;
    this.#options.say({ kind: "log", ...this.#state, ...known, unstored, turns });
    this.#reportedMs = heardMs;
    this.#state.conflicts = 0;
    this.#state.doubts = EMPTY_REPORT.doubts;
  }

  #say(waiting: readonly Waiting[], execution: Execution): void {
    this.#reportHeard();
    const height = Math.max(execution.height, this.#ledger.stored.height);
    this.#options.answer(resultOf({ ...execution, height }, partsOf(waiting), this.#ledger));
    this.#watchDeadlines();
  }
}

/** It may be in the log, with these outcomes. */
interface Doubt {
  readonly waiting: readonly Waiting[];
  readonly place: BlockPlace;
  readonly outcomes: readonly Outcome[];
  readonly executeMs: number;
  /** Certainly in the log; only the views lack it. */
  readonly isAppended: boolean;
}

function unitsOf(waiting: readonly Waiting[]): readonly Unit[] {
  return waiting.map(({ unit }) => unit);
}

function partsOf(waiting: readonly Waiting[]): readonly BatchPart[] {
  const parts: { batch: number; from: number; count: number }[] = [];
  for (const { batch, index } of waiting) {
    const last = parts.at(-1);
    if (last !== undefined && last.batch === batch && last.from + last.count === index) {
      last.count += 1;
    } else {
      parts.push({ batch, from: index, count: 1 });
    }
  }
  return parts;
}
