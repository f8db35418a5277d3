import type { Time } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { engineHold, SLOW_LOG } from "./ledger-thread/engine-hold.ts";
import { EMPTY_REPORT, type LogReport, type Ready } from "./ledger-thread/ledger-messages.ts";
import type { WriteCause, WriteHold } from "./write-state.ts";
import { UNTIL_MENDED_SECONDS } from "./write-state.ts";

/** Responses have an age from then on. Source: cluster §4. */
const AGED_MS = 5000;

/** Source: cluster §6. */
const COMPARED_EVERY_SECONDS = 60;
const STANDING_STILL_SECONDS = 10;

/** Freshness, writes and clock. Source: cluster §4 to §6. */
export class LogWatch {
  readonly #time: Time;
  readonly #staleMs: number;
  readonly #writeMs: number;
  readonly #isFollower: boolean;
  #report: LogReport = EMPTY_REPORT;
  /** The next block needs rules of an unknown version. */
  #isStopped = false;
  #height = -1;
  #heardBefore: number | undefined;
  /** By the monotonic clock. */
  #troubleMs = 0;

  constructor(options: {
    readonly time: Time;
    /** `--stale-seconds`. */
    readonly staleMs: number;
    /** `--write-seconds`. */
    readonly writeMs: number;
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
    // Known blocks that are not applied age as well.
    const { heardMs } = standsStill ? this.#report : report;
    if (report.trouble !== undefined && this.#report.trouble === undefined) {
      this.#troubleMs = this.#time.nowMs();
    }
    this.#report = { ...report, heardMs };
  }

  noteVersion({ height, unknownVersion }: Ready): void {
    this.#height = height;
    this.#isStopped = unknownVersion !== undefined && unknownVersion.height <= height + 1;
  }

  get isFollowing(): boolean {
    const { hasCaughtUp, diverged, refused, unstored } = this.#report;
    const cannot = [diverged, refused, unstored].some((reason) => reason !== undefined);
    return hasCaughtUp && !cannot && !this.#isStopped;
  }

  get isReachable(): boolean {
    const age = this.ageSeconds;
    return age !== undefined && age * 1000 <= AGED_MS && this.#report.trouble === undefined;
  }

  get report(): LogReport {
    return this.#report;
  }

  /** By the log's clock, Unix seconds. */
  get ledgerTime(): number | undefined {
    const { ledgerMs } = this.#report;
    return ledgerMs === undefined ? undefined : Math.floor((this.#time.nowMs() + ledgerMs) / 1000);
  }

  /** In an earlier run, Unix seconds. */
  noteHeardBefore(time: number): void {
    this.#heardBefore = time;
  }

  get ageSeconds(): number | undefined {
    const { heardMs } = this.#report;
    if (heardMs !== undefined) {
      return Math.max(0, this.#time.nowMs() - heardMs) / 1000;
    }
    const before = this.#heardBefore;
    return before === undefined ? undefined : Math.max(0, this.#time.wallMs() / 1000 - before);
  }

  get ageHeader(): { readonly "Ledger-Age"?: string } {
    const age = this.ageSeconds;
    return age === undefined || age * 1000 <= AGED_MS
      ? {}
      : { "Ledger-Age": String(Math.floor(age)) };
  }

  /** Only if the log's history has changed. */
  get fault(): Fault | undefined {
    const { diverged } = this.#report;
    return diverged && { code: "9006", ...diverged, retryAfter: COMPARED_EVERY_SECONDS };
  }

  /** Event streams would stand still without a sign. */
  get noStreams(): Fault | undefined {
    return this.#report.refused === undefined
      ? undefined
      : unavailable(this.#refusal, STANDING_STILL_SECONDS);
  }

  get unready(): Fault | undefined {
    if (this.fault !== undefined) {
      return this.fault;
    }
    if (!this.#report.hasCaughtUp) {
      return unavailable("This node has not caught up with its log yet");
    }
    const isRefused = this.#report.refused !== undefined;
    // A follower's source may soon be right again.
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

  /** Source: cluster §3, §4. */
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
          // A fail-over is shorter than writes may wait.
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
