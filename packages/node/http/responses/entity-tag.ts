import { sha256 } from "@moneta/ledger";

/** The entity tag of a response, a hash of its content. */
export function entityTag(body: string | Uint8Array): string {
  return `"${sha256.hex(body).slice(0, 32)}"`;
}

/** Maximum of tags that are compared. */
const TAGS_MAX = 100;

/** Whether the client already has the response with this tag. Source: RFC 9110 §13.1.2. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      ifNoneMatch.split(",", TAGS_MAX).some((each) => each.trim().replace(/^W\//, "") === tag))
  );
}
