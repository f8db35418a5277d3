import type { Fault } from "@moneta/protocol";

/**
 * `Retry-After` of conditions that need an operator, seconds. It exceeds the clients' patience, so
 * that they report the reason at once. Source: conventions §3.
 */
export const UNTIL_MENDED_SECONDS = 300;

/**
 * Causes that may hold writes, in order of precedence: those that need an operator come before
 * those that pass. Values of the label `cause` of `moneta_writes_held`.
 */
export const WRITE_CAUSES = [
  "follower",
  "file",
  "clock",
  "rules",
  "diverged",
  "block-refused",
  "disk",
  "engine",
  "sync",
  "log",
] as const;

export type WriteCause = (typeof WRITE_CAUSES)[number];

/** Why nothing can be written now. */
export interface WriteHold {
  /** For clients and operators: a clause that follows a colon. */
  readonly reason: string;
  /** Only for operators, such as the message of the engine or the path of a file. */
  readonly detail?: string | undefined;
  /** A SQLSTATE of the engine. */
  readonly code?: string | undefined;
  readonly retryAfter: number;
  /** Whether writes are still accepted, because it often passes while they wait. */
  readonly isPassing?: boolean;
  /** The refusal of writes, if it is not 9002. */
  readonly fault?: Fault | undefined;
}

export interface CausedHold extends WriteHold {
  readonly cause: WriteCause;
}

/**
 * Whether the node can write, and why not: the one source for admission, `/ready`, the operator
 * log, metrics and pages. It stores only the last logged cause: each cause has a source that
 * reports whether it holds now, so that the state ends when its cause does. Source: conventions §3.
 */
export class WriteState {
  readonly #sources: Map<WriteCause, () => WriteHold | undefined> = new Map();
  readonly #onChange: (hold: CausedHold | undefined) => void;
  #logged = "";

  /**
   * `onChange` is called at each change of the cause, and with undefined when writes are possible.
   */
  constructor(onChange: (hold: CausedHold | undefined) => void) {
    this.#onChange = onChange;
  }

  /** Sets the source of a cause. It is called for each write. */
  watch(cause: WriteCause, source: () => WriteHold | undefined): void {
    this.#sources.set(cause, source);
  }

  /** Why nothing can be written now. Logs a change. */
  get hold(): CausedHold | undefined {
    const hold = this.#find();
    const noted = hold === undefined ? "" : `${hold.cause} ${hold.code} ${hold.isPassing}`;
    if (noted !== this.#logged) {
      this.#logged = noted;
      this.#onChange(hold);
    }
    return hold;
  }

  /** The immediate refusal of a write; undefined if it can be done, or may wait. */
  get fault(): Fault | undefined {
    const { hold } = this;
    return hold === undefined || hold.isPassing === true ? undefined : writesFault(hold);
  }

  /** The refusal of `/ready?for=writes`. */
  get unready(): Fault | undefined {
    const { hold } = this;
    return hold && writesFault(hold);
  }

  /** For people and for the body of `/ready`. */
  get text(): "accepted" | string {
    return this.hold?.reason ?? "accepted";
  }

  #find(): CausedHold | undefined {
    for (const cause of WRITE_CAUSES) {
      const hold = this.#sources.get(cause)?.();
      if (hold !== undefined) {
        return { ...hold, cause };
      }
    }
    return undefined;
  }
}

export function writesFault({ fault, reason, retryAfter }: WriteHold): Fault {
  return fault ?? { code: "9002", reason: `Writes are not possible now: ${reason}`, retryAfter };
}
