import { explain, type Fault, type FaultCode, KINDS_OF_PROBLEM } from "@moneta/protocol";
import { type Answer, retryAfterOf } from "../responses/answer.ts";

/** In a bundle without ids of its own. Source: batches §1.4, bundles §7. */
export function doneResult({ contentType, body, headers = {} }: Answer): string {
  const text = String(body);
  const members: readonly (readonly [string, string | undefined])[] = [
    ["status", "200"],
    ["transaction_id", JSON.stringify(headers["Transaction-Id"])],
    [
      "result",
      contentType === "application/json" ? text : text === "" ? "null" : JSON.stringify(text),
    ],
    ["location", JSON.stringify(headers["Location"])],
    ["temporary_key", JSON.stringify(headers["Replay-Nonce"])],
  ];
  const given = members.filter(([, value]) => value !== undefined);
  return `{${given.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
}

/** Source: batches §1.4. */
export function problemResult(
  index: number | undefined,
  fault: Fault,
  element?: string,
  at?: number,
): string {
  const problem = { ...explain(fault, element), index, at, retry_after: retryAfterOf(fault) };
  return JSON.stringify({ status: problem.status, problem });
}

/** The record has the code alone. Source: bundles §7. */
export function skippedResult(index: number, code: FaultCode): string {
  const { status, title } = KINDS_OF_PROBLEM[code];
  const problem = { type: `urn:moneta:error:${code}`, title, status, code, index };
  return JSON.stringify({ status, problem });
}
