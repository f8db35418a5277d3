import { canonicalJson } from "./canonical-json.ts";
import type { AnyOperation, Texts } from "./operation.ts";

/**
 * What the actor signs, UTF-8: a full signature covers every parameter and the ledger; a short one the fields that the interface lists,
 * the empty string for each that is absent. Source: conventions §4.1, §4.5.
 */
export function signedString(operation: AnyOperation, params: Texts, ledgerId: string): string {
  if (params["signed"] === "full") {
    return `moneta|1|${ledgerId}|${operation.name}|${canonicalJson(params)}`;
  }
  return operation.signed.map((name) => params[name] ?? "").join("|");
}
