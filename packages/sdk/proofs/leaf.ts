import { leafText } from "@moneta/protocol/proof";
import { membersOf } from "./answers.ts";

/** Source: chain §4.4. */
export interface Leaf {
  readonly id: string;
  /** H(JCS(operation)). */
  readonly operation: string;
  readonly record: string;
  readonly timestamp: number;
}

/** Longer texts are no leaves and are not parsed. */
export const LEAF_LENGTH_MAX = 1000;

/** Undefined if it is malformed. Source: chain §4.4. */
export function parseLeaf(text: string): Leaf | undefined {
  if (text.length > LEAF_LENGTH_MAX) {
    return undefined;
  }
  const { id, operation, record, timestamp } = membersOf(parsedJson(text));
  if (
    typeof id !== "string" ||
    typeof operation !== "string" ||
    typeof record !== "string" ||
    typeof timestamp !== "number"
  ) {
    return undefined;
  }
  const canonical = leafText({ id, operationHash: operation, recordHash: record, timestamp });
  return canonical === text ? { id, operation, record, timestamp } : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
