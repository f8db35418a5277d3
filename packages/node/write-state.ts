import type { Fault } from "@moneta/protocol";

/** Exceeds clients' patience, so that they report the reason. Source: conventions §3. */
export const UNTIL_MENDED_SECONDS = 300;

export const SHUTTING_DOWN: Fault = {
  code: "9002",
  reason: "The service is shutting down",
  retryAfter: 10,
};

/** In order of precedence. Values of the label `cause` of `moneta_writes_held`. */
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

export interface WriteHold {
  /** For clients and operators: a clause that follows a colon. */
  readonly reason: string;
  /** Only for operators, such as the engine's message or a file's path. */
  readonly detail?: string | undefined;
  readonly code?: string | undefined;
  readonly retryAfter: number;
  /** Writes are still accepted, because it often passes while they wait. */
  readonly isPassing?: boolean;
  /** If it is not 9002. */
  readonly fault?: Fault | undefined;
}

export interface CausedHold extends WriteHold {
  readonly cause: WriteCause;
}

/** The one source of the state, which ends when its cause does. Source: conventions §3. */
export class WriteState {
  readonly #sources: Map<WriteCause, () => WriteHold | undefined> = new Map();
  readonly #onChange: (hold: CausedHold | undefined) => void;
  #logged = "";

  /** At each change of the cause; undefined when writes are possible. */
  constructor(onChange: (hold: CausedHold | undefined) => void) {
    this.#onChange = onChange;
  }

  /** The source is called for each write. */
  watch(cause: WriteCause, source: () => WriteHold | undefined): void {
    this.#sources.set(cause, source);
  }

  /** Logs a change. */
  get hold(): CausedHold | undefined {
    const hold = this.#find();
    const noted = hold === undefined ? "" : `${hold.cause} ${hold.code} ${hold.isPassing}`;
    if (noted !== this.#logged) {
      this.#logged = noted;
      this.#onChange(hold);
    }
    return hold;
  }

  /** Undefined if a write can be done, or may wait. */
  get fault(): Fault | undefined {
    const { hold } = this;
    return hold === undefined || hold.isPassing === true ? undefined : writesFault(hold);
  }

  get unready(): Fault | undefined {
    const { hold } = this;
    return hold && writesFault(hold);
  }

  /** For people and the body of `/ready`. */
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
