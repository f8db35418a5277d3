import type { Proposal } from "@moneta/sdk";
import { type Signal, signal } from "@preact/signals";

/** What was proposed and is to be shown: `SwapView` takes it. */
export const proposed: Signal<Proposal | undefined> = signal(undefined);
