import type { JSX } from "preact";
import encodeQR from "qr";

/** Light modules around the code, which readers need. */
const BORDER = 3;

/** A QR code of a text, dark on light in both themes, as large as there is room. */
export function QrCode({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): JSX.Element {
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
