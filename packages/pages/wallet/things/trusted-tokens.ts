import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { service } from "../../ledger/service.ts";
import { keep, kept } from "../../parts/kept.ts";

const marked = signal<ReadonlyMap<string, readonly string[]>>(new Map());

export const trustedTokens: ReadonlySignal<readonly string[]> = computed(() => {
  const ledger = service.value?.ledger_id ?? "";
  return marked.value.get(ledger) ?? (kept(nameOf(ledger)) ?? "").match(/[0-9]+/g) ?? [];
});

export function isTrusted(token: string): boolean {
  return trustedTokens.value.includes(token);
}

export function trust(token: string, isSo: boolean): void {
  const ledger = service.value?.ledger_id ?? "";
  const others = trustedTokens.peek().filter((one) => one !== token);
  const all = isSo ? [...others, token] : others;
  keep(nameOf(ledger), all.join(" "));
  marked.value = new Map(marked.peek()).set(ledger, all);
}

function nameOf(ledger: string): string {
  return `trusted-tokens ${ledger}`;
}
