/**
 * Given to everything that retries, times out or polls, so that a simulation decides how time
 * passes.
 */
export interface Time {
  /** Monotonic, ms; the same for all threads. */
  nowMs(): number;
  /** Unix ms. */
  wallMs(): number;
  /** Calls back once, after so many ms. */
  after(ms: number, call: () => void): { cancel(): void };
  soon(call: () => void): void;
}

/** Its timers keep no process alive. */
export const SYSTEM_TIME: Time = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  soon: (call) => void setImmediate(call),
};
