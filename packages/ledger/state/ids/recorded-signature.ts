import { isSignatureList } from "@moneta/protocol";
import { sha256 } from "../../sha256.ts";

/** Several signatures are recorded as their hash. Source: authority §2.3. */
export function recordedSignature(text: string): string {
  return isSignatureList(text) ? `sha256:${sha256.hex(text)}` : text;
}
