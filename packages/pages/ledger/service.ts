import type { ServiceInfo } from "@moneta/sdk";
import { type ReadonlySignal, signal } from "@preact/signals";
import { moneta } from "./node.ts";

const known = signal<ServiceInfo | undefined>(undefined);

export const service: ReadonlySignal<ServiceInfo | undefined> = known;

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

export async function loadService(): Promise<void> {
  try {
    known.value = await moneta.service();
  } catch {
    setTimeout(() => void loadService(), 2000);
  }
}
