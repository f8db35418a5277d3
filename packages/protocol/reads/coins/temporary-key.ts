import { ALICE, TEMPORARY_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { address } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { pattern } from "../../description/parameters/texts.ts";
import type { Result } from "../../description/results.ts";

const result: Result = {
  kind: "textOrJson",
  about: "a temporary key; with count a list of them",
  jsonIf: "count",
  schema: { title: "TemporaryKeys", type: "array", items: { type: "string" } },
  example: { text: TEMPORARY_KEY, json: [TEMPORARY_KEY] },
};

const count = optional(boundedInteger({ min: 1n, max: 1000n }));
/** Maximum validity of a temporary key, seconds; a node may permit less. */
export const VALID_SECONDS_MAX = 86_400;
const valid = optional(boundedInteger({ min: 1n, max: BigInt(VALID_SECONDS_MAX) }));

/** Source: accounts §7. */
export const nonce = read({
  name: "nonce",
  title: "Get a temporary key",
  route: "GET /nonce/{address}",
  about:
    "Issues a temporary key, which a signed write of this address carries. It is valid for an hour, or for `valid` seconds.",
  parameters: { address: address(), count, valid },
  example: { address: ALICE, count: "1", valid: "600" },
  refusals: ["3090"],
  cache: "never",
  countsAs: "count",
  result,
});

/** Source: accounts §7. */
export const getkey = read({
  name: "getkey",
  title: "Get a temporary key for one operation",
  route: "GET /getkey/{kind}/{address}",
  about:
    "Issues a temporary key; one of a kind that is the name of an operation serves only that operation.",
  parameters: {
    address: address(),
    kind: meaning(
      "operation that the key is for",
      pattern(/^[0-9A-Za-z_-]{1,32}$/, "1 to 32 letters, digits, underscores or hyphens"),
    ),
    count,
    valid,
  },
  example: { address: ALICE, kind: "multitransfer", count: "1", valid: "600" },
  refusals: ["3090"],
  cache: "never",
  countsAs: "count",
  result,
});
