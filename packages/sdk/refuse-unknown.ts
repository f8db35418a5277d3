import { suggestion } from "@moneta/protocol/client";

/**
 * Throws TypeError for a parameter that is not among the `known` ones of a call (names with blanks between them); `undefined` counts as left out. A node ignores
 * what it does not know, so a mistyped memo or guard would be lost without a word.
 */
export function refuseUnknown(call: string, known: string, request: object): void {
  const names = known === "" ? [] : known.split(" ");
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && !names.includes(name)) {
      const what = suggestion(name, names) || ` It takes ${names.join(", ") || "none"}.`;
      throw new TypeError(`${call} has no parameter ${JSON.stringify(name)}.${what}`);
    }
  }
}
