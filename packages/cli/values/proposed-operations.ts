import type { ProposedOperation } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { exactNumber, whyNoJson } from "./exact-number.ts";

export type UnownedOperation = Omit<ProposedOperation, "actor"> & {
  readonly operation: string;
  readonly actor?: string | undefined;
};

/** As `--dry-run` prints them, or as in `moneta batch`. Throws a `WrongUse` for others. */
export function readOperations(text: string): readonly UnownedOperation[] {
  return jsonValues(text).map((value, index) => {
    const wrong = (reason: string): WrongUse => new WrongUse(`operation ${index + 1}: ${reason}`);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw wrong("it must be a JSON object");
    }
    const { operation, actor, params, ...parameters } = value as Readonly<Record<string, unknown>>;
    if (operation === undefined && typeof parameters["problem"] === "string") {
      throw wrong(`its command has failed: ${parameters["problem"]}`);
    }
    if (typeof operation !== "string") {
      throw wrong('it must have the name of an "operation"');
    }
    if (actor !== undefined && typeof actor !== "string") {
      throw wrong('its "actor" must be an address');
    }
    if (params !== undefined && (typeof params !== "object" || params === null)) {
      throw wrong('its "params" must be a JSON object');
    }
    return { ...parameters, ...params, operation, actor };
  });
}

/** Each on one line, or printed over several. */
function jsonValues(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let begun = "";
  for (const line of text.split(/\r?\n/)) {
    begun += `${line}\n`;
    // Ends with the first bracket that is not indented.
    const isEnd = /^\S.*[}\]]\s*$|^[}\]]/.test(line) && line !== "{";
    if (begun.trim() === "") {
      begun = "";
    } else if (isEnd) {
      values.push(parsed(begun, values.length));
      begun = "";
    }
  }
  if (begun.trim() !== "") {
    values.push(parsed(begun, values.length));
  }
  return values;
}

function parsed(text: string, index: number): unknown {
  try {
    return JSON.parse(text, exactNumber);
  } catch (thrown) {
    throw new WrongUse(`operation ${index + 1}: ${whyNoJson(thrown as Error, text)}`);
  }
}
