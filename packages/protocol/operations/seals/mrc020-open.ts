import { OPENING_KEY, SEAL } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { aliased } from "../../description/parameter.ts";
import { recordId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { OPENING_KEY_MAX } from "../../keys/opening-key.ts";

/** Source: protocols §6. */
export const mrc020Open = unsignedOperation({
  name: "mrc020open",
  title: "Open a sealed text",
  route: "POST /mrc020/open/{mrc020key}",
  about:
    "Opens a sealed text, from its date on, by its key, which then everybody can read. It needs no signature: the key is enough. The key stands in the body only.",
  parameters: {
    mrc020key: recordId("a sealed text"),
    key: aliased(text({ max: OPENING_KEY_MAX }), "publickey"),
  },
  example: { mrc020key: SEAL, key: OPENING_KEY },
  onlyInBody: ["key"],
  refusals: ["6004", "3006", "7113", "7205"],
});
