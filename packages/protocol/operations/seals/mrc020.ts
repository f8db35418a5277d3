import { ALICE, CIPHER, KEYHASH, LETTER, REFERENCE, TOMORROW } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { openDate } from "../../description/parameters/dates.ts";
import { address } from "../../description/parameters/ids.ts";
import { secret, temporaryKey } from "../../description/parameters/keys.ts";
import { pattern, text } from "../../description/parameters/texts.ts";
import { sealedResult } from "../../description/results.ts";

/** Source: protocols §6. */
export const mrc020 = signedOperation({
  name: "mrc020",
  title: "Seal a text",
  route: "POST /mrc020",
  about:
    "Commits to a text by the hash of the key that opens it: from a date on, whoever has the key can show it, and everybody sees that it is the one. The key itself is never sent here, because requests are public.",
  parameters: {
    owner: address(),
    referencekey: pattern(/^[0-9A-Za-z_]{1,64}$/, "1 to 64 of 0-9A-Za-z_, new among its owner's"),
    opendate: openDate(),
    keyhash: pattern(
      /^[0-9a-f]{64}$/,
      "64 lower-case hex digits, the SHA-256 of what the key opens",
    ),
    algorithm: optional(text({ max: 64, withoutBar: true }), ""),
    data: optional(text({ max: 2048, withoutBar: true }), ""),
    tkey: aliased(temporaryKey(), "temporarykey"),
    publickey: secret(
      "requests are public, so send keyhash, its hash, and the key when it is time",
    ),
  },
  example: {
    ...{ owner: ALICE, referencekey: REFERENCE, opendate: String(TOMORROW), keyhash: KEYHASH },
    ...{ algorithm: CIPHER, data: LETTER },
  },
  actor: "owner",
  signed: ["owner", "data", "opendate", "referencekey", "keyhash", "algorithm", "tkey"],
  refusals: ["3090", "7111"],
  result: sealedResult,
});
