import { GOLD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { tokenImage, url } from "../../description/parameters/urls.ts";
import { tokenResult } from "../../description/results.ts";
import { DECIDED } from "../../keys/signed-string.ts";

/** Source: tokens §6. */
export const tokenUpdate = signedOperation({
  name: "tokenupdate",
  title: "Update a token",
  route: "PUT /token/update/{tkey}",
  about:
    "Replaces URL, information and image of a token. An empty image keeps the stored one, an empty URL clears it. Without an id it is the first of the owner's tokens that the signature fits.",
  parameters: {
    tkey: temporaryKey(),
    token: optional(tokenId()),
    url: optional(url({ use: "page", max: 255, withoutBar: true }), ""),
    info: text({ max: 4096 }),
    image: optional(tokenImage(), ""),
  },
  example: {
    token: GOLD,
    url: "https://gold.example/",
    info: "Gold in a vault",
    image: "https://gold.example/bar.png",
  },
  signed: [{ name: "token", absentAs: [DECIDED] }, "url", "info", "image", "tkey"],
  decided: ["token"],
  refusals: ["4001", "7001", "4900"],
  result: tokenResult,
});
