import type { JSX } from "preact";
import { locale } from "../texts/texts.ts";

/** A part of a whole in percent, in the reader's locale: `12.5%`, `<0.01%`. */
function shareText(part: bigint, whole: bigint): string {
  const percent = (value: number): string =>
    new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 2 }).format(value);
  const value = share(part, whole);
  return part > 0n && value < 0.0001 ? `<${percent(0.0001)}` : percent(value);
}

/** From 0 to 1, of amounts of any length. */
export function share(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}

/** A part of a whole as a text with a small bar. */
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
