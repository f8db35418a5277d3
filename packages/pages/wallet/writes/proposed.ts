import type { Proposal } from "@moneta/sdk";
import { type Signal, signal } from "@preact/signals";

/** Until `SwapView` shows it. */
export const proposed: Signal<Proposal | undefined> = signal(undefined);
