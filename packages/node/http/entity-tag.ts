import { sha256 } from "@moneta/ledger";

/** The tag of an answer, which is another one for other content. */
export function entityTag(body: string | Uint8Array): string {
  return `"${sha256.hex(body).slice(0, 32)}"`;
}

/** So many tags of a request are compared. */
const TAGS_MAX = 100;

/** Whether the client has the answer with this tag already. Source: RFC 9110 §13.1.2. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      ifNoneMatch.split(",", TAGS_MAX).some((each) => each.trim().replace(/^W\//, "") === tag))
  );
}
