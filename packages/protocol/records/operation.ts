import type { Address } from "../keys/address.ts";
import type { Texts } from "../keys/signed-string.ts";
import { canonicalJson } from "../text/canonical-json.ts";

/** An operation in a block: the texts that its signer sent. Source: chain §4.1. */
export interface LedgerOperation {
  readonly op: string;
  /** `""` for unsigned operations. */
  readonly actor: Address | "";
  readonly params: Texts;
  readonly decided: Texts;
  readonly signatures: Texts;
}

/** Source: chain §4.1. */
export function operationText({ actor, decided, op, params, signatures }: LedgerOperation): string {
  return `{"actor":"${actor}","decided":${canonicalJson(decided)},"op":"${op}","params":${canonicalJson(params)},"signatures":${canonicalJson(signatures)},"v":1}`;
}

/** The canonical text of an operation without its signatures. Source: chain §4.2. */
export function contentText(text: string): string {
  // It is the last but one member, and no string contains its name in unescaped quotes.
  return `${text.slice(0, text.lastIndexOf(',"signatures":'))},"v":1}`;
}

/** Undefined if it is malformed or not in canonical form. */
export function parseOperationText(text: string): LedgerOperation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isOperation(value)) {
    return undefined;
  }
  const { op, actor, params, decided, signatures } = value;
  const operation = { op, actor, params, decided, signatures };
  return operationText(operation) === text ? operation : undefined;
}

function isOperation(value: unknown): value is LedgerOperation {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { actor, op, params, decided, signatures } = value as Record<string, unknown>;
  return (
    typeof actor === "string" &&
    typeof op === "string" &&
    [params, decided, signatures].every(
      (texts) =>
        typeof texts === "object" &&
        texts !== null &&
        !Array.isArray(texts) &&
        Object.values(texts).every((text) => typeof text === "string" && text.isWellFormed()),
    )
  );
}
