import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../parts/kept.ts";

export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

const KEPT = "moneta-theme";
const current = signal<Theme>("system");

export const theme: ReadonlySignal<Theme> = current;

export function startTheme(): void {
  const before = kept(KEPT);
  apply(THEMES.find((one) => one === before) ?? "system");
}

export function chooseTheme(chosen: Theme): void {
  keep(KEPT, chosen);
  apply(chosen);
}

function apply(chosen: Theme): void {
  current.value = chosen;
  document.documentElement.dataset["theme"] = chosen;
}
