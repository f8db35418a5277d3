import type { JSX } from "preact";
import encodeQR from "qr";

/** Light modules, which readers need. */
const BORDER = 3;

/** Of the largest code. Source: ISO/IEC 18004, table 7 */
const BYTES_MAX = 2331;

/** For ASCII, dark on light in both themes. */
export function QrCode({
  text,
  label,
  tooLong,
}: {
  readonly text: string;
  readonly label: string;
  readonly tooLong: string;
}): JSX.Element {
  if (text.length > BYTES_MAX) {
    return (
      <p class="notice" role="status">
        {tooLong}
      </p>
    );
  }
  const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
