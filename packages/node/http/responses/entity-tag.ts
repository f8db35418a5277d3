import { sha256 } from "@moneta/ledger";

export function entityTag(body: string | Uint8Array): string {
  return `"${sha256.hex(body).slice(0, 32)}"`;
}

const TAGS_MAX = 100;

/** Source: RFC 9110 §13.1.2. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      ifNoneMatch.split(",", TAGS_MAX).some((each) => each.trim().replace(/^W\//, "") === tag))
  );
}
