import type { ServiceInfo } from "@moneta/sdk";
import { type ReadonlySignal, signal } from "@preact/signals";
import { moneta } from "./node.ts";

const known = signal<ServiceInfo | undefined>(undefined);

/** The node's description of itself and of its ledger; undefined until it has responded. */
export const service: ReadonlySignal<ServiceInfo | undefined> = known;

/** The node's description of itself, as soon as it has responded. */
export function serviceKnown(): Promise<ServiceInfo> {
  return new Promise((resolve) => {
    const stop = known.subscribe((value) => {
      if (value !== undefined) {
        queueMicrotask(() => stop());
        resolve(value);
      }
    });
  });
}

/** Repeats the request until the node responds. */
export async function loadService(): Promise<void> {
  try {
    known.value = await moneta.service();
  } catch {
    setTimeout(() => void loadService(), 2000);
  }
}
