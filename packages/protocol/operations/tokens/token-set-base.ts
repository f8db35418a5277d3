import { GOLD, SILVER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased } from "../../description/parameter.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { ACTOR } from "../../keys/signed-string.ts";
import { refuseNoPair } from "./pair.ts";

/** Source: protocols §8. */
export const tokenSetBase = signedOperation({
  name: "tokensetbase",
  title: "Set the base of a token",
  route: "POST /tokenUpdate/TokenBase/{tkey}/{token}/{baseToken}",
  about:
    "Sets the token that a token is traded for on the order exchange; 0, as every token begins, is the native coin. The owner of the base admits the token with tokenaddtarget.",
  parameters: {
    tkey: temporaryKey(),
    token: tokenId(),
    baseToken: aliased(tokenId(), "basetoken"),
  },
  example: { token: GOLD, baseToken: SILVER },
  signed: [{ name: "owner", absentAs: [ACTOR] }, "token", "baseToken", "tkey"],
  check: ({ token, baseToken }) => refuseNoPair("baseToken", { token, id: baseToken }),
  refusals: ["4001", "4900"],
});
