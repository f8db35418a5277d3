import { canonicalJson } from "@moneta/protocol/client";

/** The parameters of a request as texts, without absent and empty ones. Source: chain §4.1. */
export function wireTexts(
  request: Readonly<Record<string, unknown>>,
  isWrite: boolean,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(request)) {
    const text = wireText(value, isWrite);
    if (text !== "") {
      texts[name] = text;
    }
  }
  return texts;
}

/** Writes take lists and objects as JSON text, reads take comma-separated lists. */
function wireText(value: unknown, isWrite: boolean): string {
  if (value === undefined || value === null) {
    return "";
  }
  if (typeof value !== "object") {
    return String(value);
  }
  return Array.isArray(value) && !isWrite
    ? value.join(",")
    : JSON.stringify(value, (_name, inner: unknown) =>
        typeof inner === "bigint" ? String(inner) : inner,
      );
}

/** Replaces texts of amounts in `value` by integers, and empty ones by undefined. */
export function readAmounts(value: unknown, paths: string): unknown {
  for (const path of paths.split(" ")) {
    readAt(value, path.split("."));
  }
  return value;
}

function readAt(value: unknown, [name = "", ...rest]: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      readAt(item, [name, ...rest]);
    }
    return;
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  const record = value as Record<string, unknown>;
  for (const key of name === "*" ? Object.keys(record) : [name]) {
    const inner = record[key];
    if (rest.length > 0) {
      readAt(inner, rest);
    } else if (typeof inner === "string") {
      record[key] = inner === "" ? undefined : BigInt(inner);
    }
  }
}

/**
 * The signed string of a full signature: ledger, operation and all parameters but the signature.
 * Source: conventions §4.5.
 */
export function fullSignedString(
  operation: string,
  params: Readonly<Record<string, string>>,
  ledgerId: string,
): string {
  return `moneta|1|${ledgerId}|${operation}|${canonicalJson(params)}`;
}
