import { isSignatureList } from "@moneta/protocol";
import { sha256 } from "../../sha256.ts";

/** A signature as records have it: the hash of several. Source: authority §2.3. */
export function recordedSignature(text: string): string {
  return isSignatureList(text) ? `sha256:${sha256.hex(text)}` : text;
}
