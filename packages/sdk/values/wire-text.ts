import { canonicalJson } from "@moneta/protocol/client";

/** Source: chain §4.1. */
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

/** Empty amounts become undefined; false if a value is not an amount. */
export function readAmounts(value: unknown, paths: string): boolean {
  return paths.startsWith(">")
    ? readAmounts((value as { items?: unknown } | null)?.items, paths.slice(1))
    : paths.split(" ").every((path) => readAt(value, path.split(".")));
}

function readAt(value: unknown, [name = "", ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) {
    return value.every((item) => readAt(item, [name, ...rest]));
  }
  if (typeof value !== "object" || value === null) {
    return true;
  }
  const record = value as Record<string, unknown>;
  return (name === "*" ? Object.keys(record) : [name]).every((key) => {
    const inner = record[key];
    if (rest.length > 0) {
      return readAt(inner, rest);
    }
    const text = String(inner ?? "");
    if (text !== "" && !isAmountText(text)) {
      return false;
    }
    if (key in record) {
      record[key] = text === "" ? undefined : BigInt(text);
    }
    return true;
  });
}

export function isAmountText(text: unknown): text is string {
  return /^[0-9]{1,99}$/.test(String(text));
}

/**
 * Ledger, operation, all parameters except the signature; of a bundle its body.
 * Source: conventions §4.5, bundles §2.
 */
export function fullSignedString(
  operation: string,
  params: Readonly<Record<string, string>>,
  ledgerId: string,
): string {
  const content = operation === "bundle" ? params["body"] : canonicalJson(params);
  return `moneta|1|${ledgerId}|${operation}|${content}`;
}
