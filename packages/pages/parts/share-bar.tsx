import type { JSX } from "preact";
import { locale } from "../texts/texts.ts";
import { share } from "./number-text.ts";

function shareText(part: bigint, whole: bigint): string {
  const value = share(part, whole);
  return part > 0n && value < 0.0001 ? `<${percentText(0.0001)}` : percentText(value);
}

export function percentText(value: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 2 }).format(
    value,
  );
}

export function ShareBar({
  part,
  whole,
}: {
  readonly part: bigint;
  readonly whole: bigint;
}): JSX.Element {
  return (
    <span class="share">
      <span>{shareText(part, whole)}</span>
      <svg class="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-whole" width="100" height="8" />
        <rect class="share-part" width={Math.min(1, share(part, whole)) * 100} height="8" />
      </svg>
    </span>
  );
}
