import type { JSX } from "preact";
import { locale } from "../texts/texts.ts";
import { share } from "./share.ts";

/** A part of a whole in percent, in the reader's locale: `12.5%`, `<0.01%`. */
function shareText(part: bigint, whole: bigint): string {
  const value = share(part, whole);
  return part > 0n && value < 0.0001 ? `<${percentText(0.0001)}` : percentText(value);
}

/** A number as percent, in the reader's locale. */
export function percentText(value: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 2 }).format(
    value,
  );
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
