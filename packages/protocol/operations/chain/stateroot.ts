import { unsignedOperation } from "../../description/operation.ts";
import { safeInteger } from "../../description/parameters/integers.ts";
import { pattern } from "../../description/parameters/texts.ts";

/** Only nodes make it. Source: proofs §2.2. */
export const stateroot = unsignedOperation({
  name: "stateroot",
  about: "States the root of the state tree as of an earlier block.",
  parameters: {
    height: safeInteger(),
    root: pattern(/^[0-9a-f]{64}$/, "a root of the state tree: 64 lower-case hex digits"),
  },
  refusals: ["3005"],
  result: { kind: "text", about: "nothing: no request makes it", example: "" },
});
