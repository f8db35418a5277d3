import { Refused, refuse } from "../../description/faults.ts";
import { jsonObjectParameter, refuseShape } from "../../description/json/json-parameter.ts";
import { givenText, optional, type Parameter, type ValuesOf } from "../../description/parameter.ts";
import { rate } from "../../description/parameters/amounts.ts";
import { optionalDate } from "../../description/parameters/dates.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { word } from "../../description/parameters/words.ts";
import { rawValueOf } from "../../description/raw-parameters.ts";
import { hasAtMost } from "../../text/code-points.ts";
import { NO_RATE } from "../../text/rate.ts";

/** Source: policies §1. */
const POLICY_LENGTH_MAX = 1024;

/** Source: policies §1. */
export const POLICIES_MAX = 100;

/** Source: policies §3. */
export const HOLDER_CHANGE_REFUSALS = [
  "7124",
  "7120",
  "3022",
  "7122",
  "7206",
  "7207",
  "7208",
] as const;

const members = {
  transfers: optional(word("free", "market", "issuer", "none"), "free"),
  maxprice: optional(rate("10000"), NO_RATE),
  opens: optional(optionalDate(), 0),
  closes: optional(optionalDate(), 0),
  cooldown: optional(boundedInteger({ min: 0n, max: 31_536_000n }), 0),
  maxheld: optional(boundedInteger({ min: 0n, max: 1_000_000n }), 0),
  terms: optional(word("changeable", "fixed"), "changeable"),
} as const;

/** Source: policies §2. */
export type Policy = ValuesOf<typeof members>;

export const NO_POLICY: Policy = {
  transfers: "free",
  maxprice: NO_RATE,
  opens: 0,
  closes: 0,
  cooldown: 0,
  maxheld: 0,
  terms: "changeable",
};

/** Source: policies §1. */
export const policyParameter: Parameter<Policy> = jsonObjectParameter<Policy>({
  brief: `an object of at most ${POLICY_LENGTH_MAX} characters with any of these members; {} for none`,
  wanted: `JSON text of an object of at most ${POLICY_LENGTH_MAX} characters with any of the members ${Object.keys(members).join(", ")}; {} for none`,
  schema: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, { schema }]) => [name, schema]),
    ),
    additionalProperties: false,
  },
  refusals: ["3005", "1101", "1102"],
  members,
  shape: "whole",
  checkText: (text, name) =>
    hasAtMost(text, POLICY_LENGTH_MAX)
      ? undefined
      : refuseMember(name, `must be of at most ${POLICY_LENGTH_MAX} characters`),
  readRoot(root, _, name) {
    const policy: Record<string, unknown> = { ...NO_POLICY };
    for (const [key, node] of root.members) {
      const parameter = `${name}.${key.toWellFormed()}`;
      if (!Object.hasOwn(members, key)) {
        return refuseMember(
          parameter,
          `is no member of a policy: there are ${Object.keys(members).join(", ")}`,
        );
      }
      const member: Parameter<unknown> = members[key as keyof typeof members];
      if (typeof node !== "string" && !member.isInteger) {
        return refuseShape(`${JSON.stringify(key)} is no text`, name);
      }
      const text = givenText(member, rawValueOf(node), parameter);
      const read = typeof text === "string" ? member.read(text, parameter) : text;
      if (read instanceof Refused) {
        return read;
      }
      policy[key] = read;
    }
    const { maxprice, opens, closes } = policy as unknown as Policy;
    if (root.members.has("maxprice") && maxprice === NO_RATE) {
      return refuseMember(`${name}.maxprice`, "must be above 0; leave it out for no bound");
    }
    return closes !== 0 && closes <= opens
      ? refuseMember(`${name}.closes`, `is ${closes} but must be above opens ${opens}`)
      : (policy as unknown as Policy);
  },
});

function refuseMember(parameter: string, reason: string): Refused {
  return refuse({ code: "3005", parameter, reason });
}
