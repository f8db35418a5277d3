import { Moneta } from "@moneta/sdk";
import { type Signal, signal } from "@preact/signals";
import { STEP_MS } from "../parts/relative-time.ts";

const [, prefix = ""] =
  /^(.*?)\/(?:explorer|wallet|status|docs)(?:\/|$)/.exec(location.pathname) ?? [];

/** Empty, or the path of a proxy. */
export const PREFIX: string = prefix;

export const NODE_URL: string = `${location.origin}${PREFIX}`;

export const moneta: Moneta = new Moneta(NODE_URL, { retries: 2 });

const CLOCK_WRONG_SECONDS = 120;

/** Unix seconds, for relative times. The pages do not use the device's clock. */
export const now: Signal<number> = signal(moneta.clock.now());
/** Seconds; undefined if it is about right. */
export const deviceAhead: Signal<number | undefined> = signal(undefined);

function tick(): void {
  now.value = moneta.clock.now();
  const ahead = moneta.clock.deviceAhead;
  deviceAhead.value = Math.abs(ahead) > CLOCK_WRONG_SECONDS ? ahead : undefined;
}
moneta.clock.onCorrection = tick;
setInterval(() => {
  if (!document.hidden) {
    tick();
  }
}, STEP_MS);
