import {
  isSignatureList,
  type LedgerOperation,
  RawParameters,
  Refused,
  type Request,
  requestReader,
  type Texts,
} from "@moneta/protocol";
import type { RuledOperation } from "../rules/rule.ts";
import { recordedSignature } from "../state/ids/recorded-signature.ts";

export function readOperation(
  { operation: description }: RuledOperation,
  operation: LedgerOperation,
): Request | Refused {
  const reader = requestReader(description);
  const raw = new RawParameters(reader.known);
  raw.addAll(operation.params);
  raw.addAll(operation.signatures);
  const request = reader.read(raw, "replay");
  const long = Object.keys(operation.signatures).filter((name) =>
    isSignatureList(operation.signatures[name] as string),
  );
  if (request instanceof Refused || long.length === 0) {
    return request;
  }
  const short = long.map((name) => [name, recordedSignature(operation.signatures[name] as string)]);
  return { ...request, values: { ...request.values, ...Object.fromEntries(short) } };
}

/**
 * Whether two operations are from the same request, whatever their signatures.
 * Source: conventions §4.4, §5.3; accounts §7.4.
 */
export function isRepeat(ruled: RuledOperation, a: LedgerOperation, b: LedgerOperation): boolean {
  return (
    a.op === b.op &&
    a.actor === b.actor &&
    meaning(ruled, a) === meaning(ruled, b) &&
    isSameDecision(a, b)
  );
}

/**
 * A full signature covers only the request, so it is valid for any decision.
 * Source: conventions §4.5.
 */
function isSameDecision(a: LedgerOperation, b: LedgerOperation): boolean {
  return a.params["signed"] === "full" || isSameTexts(a.decided, b.decided);
}

export function isSameTexts(a: Texts, b: Texts): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function meaning(ruled: RuledOperation, operation: LedgerOperation): string | undefined {
  if (ruled.operation.signers[0]?.signsBody === true) {
    // Other bytes are another request.
    return operation.params["body"];
  }
  const request = readOperation(ruled, operation);
  if (request instanceof Refused) {
    return undefined;
  }
  const values = ruled.operation.paramNames.map((name) => request.values[name]);
  return JSON.stringify(values, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
