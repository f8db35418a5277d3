import type { Time } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { engineHold, SLOW_LOG } from "./ledger-thread/engine-hold.ts";
import { EMPTY_REPORT, type LogReport, type Ready } from "./ledger-thread/ledger-messages.ts";
import type { WriteCause, WriteHold } from "./write-state.ts";
import { UNTIL_MENDED_SECONDS } from "./write-state.ts";

/** From so long without an answer of the log on, answers bear their age, ms. Source: cluster §4. */
const AGED_MS = 5000;

/** How often a log that is not what it was is compared again, seconds. Source: cluster §6. */
const COMPARED_EVERY_SECONDS = 60;
/** After which a client may ask for event streams again: a follower's source may be right again. */
const STANDING_STILL_SECONDS = 10;

/**
 * What the main thread knows of a shared log: whether its answers are fresh, whether writes are
 * accepted, and what the log's clock shows. Source: cluster §4 to §6.
 */
export class LogWatch {
  readonly #time: Time;
  readonly #staleMs: number;
  readonly #writeMs: number;
  readonly #isFollower: boolean;
  #report: LogReport = EMPTY_REPORT;
  /** Whether the next block needs rules that this software does not know. */
  #isStopped = false;
  /** The newest block that can be read. */
  #height = -1;
  #heardBefore: number | undefined;
  /** Since when there is trouble, by the monotonic clock, ms. */
  #troubleMs = 0;

  constructor(options: {
    readonly time: Time;
    /** `--stale-seconds`, ms. */
    readonly staleMs: number;
    /** `--write-seconds`, ms. */
    readonly writeMs: number;
    /** Whether the log is that of another node, which this one only follows. */
    readonly isFollower: boolean;
  }) {
    this.#time = options.time;
    this.#staleMs = options.staleMs;
    this.#writeMs = options.writeMs;
    this.#isFollower = options.isFollower;
  }

  note(report: LogReport): void {
    const cannot = this.#isStopped || report.unstored !== undefined;
    const standsStill = report.refused !== undefined || (cannot && report.logHeight > this.#height);
    // A node that learns of blocks and does not apply them ages, too.
    const { heardMs } = standsStill ? this.#report : report;
    if (report.trouble !== undefined && this.#report.trouble === undefined) {
      this.#troubleMs = this.#time.nowMs();
    }
    this.#report = { ...report, heardMs };
  }

  /** Notes the newest block that can be read, and what comes after it. */
  noteVersion({ height, unknownVersion }: Ready): void {
    this.#height = height;
    this.#isStopped = unknownVersion !== undefined && unknownVersion.height <= height + 1;
  }

  /** Whether the node has caught up with the log and goes on with it. */
  get isFollowing(): boolean {
    const { hasCaughtUp, diverged, refused, unstored } = this.#report;
    const cannot = [diverged, refused, unstored].some((reason) => reason !== undefined);
    return hasCaughtUp && !cannot && !this.#isStopped;
  }

  /** Whether the log has answered just now. */
  get isReachable(): boolean {
    const age = this.ageSeconds;
    return age !== undefined && age * 1000 <= AGED_MS && this.#report.trouble === undefined;
  }

  /** The newest report. */
  get report(): LogReport {
    return this.#report;
  }

  /** Ledger time by the log's clock, Unix seconds; undefined before it is known. */
  get ledgerTime(): number | undefined {
    const { ledgerMs } = this.#report;
    return ledgerMs === undefined ? undefined : Math.floor((this.#time.nowMs() + ledgerMs) / 1000);
  }

  /** Notes when an earlier run last had an answer of the log, Unix seconds. */
  noteHeardBefore(time: number): void {
    this.#heardBefore = time;
  }

  /** How long ago the log last answered, seconds; undefined before the first time. */
  get ageSeconds(): number | undefined {
    const { heardMs } = this.#report;
    if (heardMs !== undefined) {
      return Math.max(0, this.#time.nowMs() - heardMs) / 1000;
    }
    const before = this.#heardBefore;
    return before === undefined ? undefined : Math.max(0, this.#time.wallMs() / 1000 - before);
  }

  /** The header of answers that may be older than the log. */
  get ageHeader(): { readonly "Ledger-Age"?: string } {
    const age = this.ageSeconds;
    return age === undefined || age * 1000 <= AGED_MS
      ? {}
      : { "Ledger-Age": String(Math.floor(age)) };
  }

  /** Why nothing at all is answered; undefined unless the log is not what it was. */
  get fault(): Fault | undefined {
    const { diverged } = this.#report;
    return diverged && { code: "9006", ...diverged, retryAfter: COMPARED_EVERY_SECONDS };
  }

  /** Why there are no event streams: they would stand still, and their clients could not know. */
  get noStreams(): Fault | undefined {
    return this.#report.refused === undefined
      ? undefined
      : unavailable(this.#refusal, STANDING_STILL_SECONDS);
  }

  /** Why the node may not serve reads; undefined if it may. */
  get unready(): Fault | undefined {
    if (this.fault !== undefined) {
      return this.fault;
    }
    if (!this.#report.hasCaughtUp) {
      return unavailable("This node has not caught up with its log yet");
    }
    const isRefused = this.#report.refused !== undefined;
    // A follower's source may soon be right again, and meanwhile the follower serves what it has.
    if (isRefused && !this.#isFollower) {
      return unavailable(this.#refusal);
    }
    const age = this.ageSeconds;
    if (age !== undefined && age * 1000 <= this.#staleMs) {
      return undefined;
    }
    if (isRefused) {
      return unavailable(this.#refusal);
    }
    const since = `for ${Math.floor(age ?? 0)} s`;
    return unavailable(
      this.#report.unstored === undefined
        ? `This node has not heard from its log ${since}`
        : `This node has not been able to store blocks ${since}`,
    );
  }

  get #refusal(): string {
    return this.#isFollower
      ? "This node follows another one, and what that gives is not right"
      : "This node has met a block that its software does not come to";
  }

  /** What the log keeps from being written, for the state of writes. Source: cluster §3, §4. */
  get holds(): Readonly<Partial<Record<WriteCause, WriteHold>>> {
    const report = this.#report;
    const { clockHold, diverged, refused, unstored, unfit, engine, isInDoubt, isSlow } = report;
    const { trouble, troubleCode } = report;
    const lasting = { retryAfter: UNTIL_MENDED_SECONDS };
    return {
      ...(this.#isFollower && {
        follower: { reason: "this node follows another one", ...lasting },
      }),
      ...(clockHold !== undefined && { clock: { reason: clockHold, ...lasting } }),
      ...(diverged && {
        diverged: { reason: "the log is not what it was", ...lasting, fault: this.fault },
      }),
      ...(refused !== undefined && {
        "block-refused": {
          reason: "this node has met a block that its software does not come to",
          detail: refused,
          ...lasting,
        },
      }),
      ...(unstored && {
        disk: {
          reason: `this node cannot store blocks now: ${unstored.reason}`,
          detail: unstored.detail,
          ...lasting,
        },
      }),
      ...(unfit !== undefined && {
        engine: {
          reason: "the log may not be written as its engine is set up now",
          detail: unfit,
          ...lasting,
        },
      }),
      ...(engine && { engine: engineHold(engine) }),
      ...((isInDoubt || isSlow) && { sync: { ...SLOW_LOG, isPassing: !isSlow } }),
      ...(trouble !== undefined && {
        log: {
          reason: "the log cannot be written now",
          detail: trouble,
          code: troubleCode,
          // A fail-over takes less than writes may wait.
          isPassing: this.#time.nowMs() - this.#troubleMs < this.#writeMs,
          retryAfter: 2,
        },
      }),
    };
  }
}

function unavailable(reason: string, retryAfter = 1): Fault {
  return { code: "9002", reason, retryAfter };
}
