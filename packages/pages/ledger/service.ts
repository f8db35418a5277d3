import type { ServiceInfo } from "@moneta/sdk";
import { type ReadonlySignal, signal } from "@preact/signals";
import { moneta } from "./node.ts";

const known = signal<ServiceInfo | undefined>(undefined);

/** What the node says of itself and of its ledger; undefined until it has answered. */
export const service: ReadonlySignal<ServiceInfo | undefined> = known;

/** What the node says of itself, as soon as it has answered. */
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

/** Asks the node for it, again and again until it answers. */
export async function loadService(): Promise<void> {
  try {
    known.value = await moneta.service();
  } catch {
    setTimeout(() => void loadService(), 2000);
  }
}
