import { firstCodePoints, hasAtMost } from "../../text/code-points.ts";
import { hasForbiddenControl } from "../../text/control-characters.ts";
import type { Refused } from "../faults.ts";
import { optional, type Parameter, parameter, refuseText, refuseValue } from "../parameter.ts";

/** Half a surrogate pair, or a control character except tab, CR, LF. Source: conventions §1.5. */
export function refuseUnclean(given: string, name: string): Refused | undefined {
  if (!given.isWellFormed()) {
    return refuseText("half a surrogate pair", name);
  }
  return hasForbiddenControl(given) ? refuseText("a control character", name) : undefined;
}

export interface TextBounds {
  readonly cutAt?: number;
  readonly max?: number;
  readonly withoutBar?: boolean;
}

/** Source: conventions §1.5. */
export function text({ cutAt, max, withoutBar = false }: TextBounds = {}): Parameter<string> {
  const bounds =
    (max === undefined ? "text" : `text of 1 to ${max} characters`) +
    (withoutBar ? " without |" : "");
  return parameter<string>({
    wanted: cutAt === undefined ? bounds : `text, of which the first ${cutAt} characters are kept`,
    schema: {
      type: "string",
      ...(max === undefined ? {} : { minLength: 1, maxLength: max }),
      ...(withoutBar ? { pattern: "^[^|]*$" } : {}),
    },
    refusals: max === undefined && !withoutBar ? [] : ["3005"],
    cutAt,
    read(given, name) {
      if (hasForbiddenControl(given)) {
        return refuseText("a control character", name);
      }
      const isLength = max === undefined || (given !== "" && hasAtMost(given, max));
      if (!isLength || (withoutBar && given.includes("|"))) {
        return refuseValue(bounds, name);
      }
      return cutAt === undefined ? given : firstCodePoints(given, cutAt);
    },
  });
}

/** Text that matches a pattern. */
export function pattern(matches: RegExp, wanted: string): Parameter<string> {
  return parameter<string>({
    wanted,
    schema: { type: "string", pattern: matches.source },
    refusals: ["3005"],
    read: (given, name) => (matches.test(given) ? given : refuseValue(wanted, name)),
  });
}

/** The caller checks it, because its faults have codes other than 1006. */
export function opaque(
  wanted: string,
  role: Parameter<string>["role"] = "value",
): Parameter<string> {
  return parameter<string>({ wanted, schema: { type: "string" }, role, read: (given) => given });
}

export function ignored(): Parameter<string> {
  const given = opaque("anything; it has no effect");
  return optional({ ...given, meaning: "", takesAnything: true }, "");
}
