import { ALICE, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";

/** Source: mrc401 §13. */
export const mrc401Melt = signedOperation({
  name: "mrc401melt",
  title: "Melt an item",
  route: "POST /mrc401/melt/{mrc401id}",
  about: "Melts an item for good, and pays its reserve out to its holder.",
  parameters: {
    mrc401id: recordId("an item"),
    address: optional(aliased(address(), "owner")),
    tkey: temporaryKey(),
  },
  example: { mrc401id: SWORD, address: ALICE },
  actor: "address",
  signed: ["mrc401id", "tkey"],
  refusals: ["6004", "3090", "7001", "7110", "7108", "7204"],
});
