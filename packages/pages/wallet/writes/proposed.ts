import type { Proposal } from "@moneta/sdk";
import { type Signal, signal } from "@preact/signals";

/** A new proposal until `SwapView` shows it. */
export const proposed: Signal<Proposal | undefined> = signal(undefined);
