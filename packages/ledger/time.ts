/**
 * Clock and timers. Everything that retries, times out or polls gets them
 * handed in, so that a simulation decides how time passes.
 */
export interface Time {
  /** Monotonic, ms; the same for all threads of a process. */
  nowMs(): number;
  /** The wall clock, Unix ms. */
  wallMs(): number;
  /** Calls back once, after so many ms, unless it is cancelled before. */
  after(ms: number, call: () => void): { cancel(): void };
  /** Calls back once the events at hand have been dealt with. */
  soon(call: () => void): void;
}

/** The time of the machine. Its timers keep no process alive. */
export const SYSTEM_TIME: Time = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  soon: (call) => void setImmediate(call),
};
