import { signedOperation } from "../../description/operation.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { tokenResult } from "../../description/results.ts";
import { ACTOR, DECIDED } from "../../keys/signed-string.ts";

/** Source: tokens §4. */
export const tokenCreate = signedOperation({
  name: "tokencreate",
  title: "Create a token",
  route: "POST /token/{tkey}",
  about: "Creates the token of which the signature names the draft.",
  parameters: { tkey: temporaryKey() },
  example: {},
  signed: [
    { name: "owner", absentAs: [ACTOR] },
    { name: "name", absentAs: [DECIDED], example: "Gold" },
    "tkey",
  ],
  decided: ["name"],
  refusals: ["6010"],
  result: tokenResult,
});
