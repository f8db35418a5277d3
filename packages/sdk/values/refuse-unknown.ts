import { suggestion } from "@moneta/protocol/client";

/** A node ignores unknown parameters: a mistyped memo or price guard would be lost silently. */
export function refuseUnknown(call: string, known: string, request: object): void {
  const names = known === "" ? [] : known.split(" ");
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && !names.includes(name)) {
      const what = suggestion(name, names) || ` It takes ${names.join(", ") || "none"}.`;
      throw new TypeError(`${call} has no parameter ${JSON.stringify(name)}.${what}`);
    }
  }
}
