import { ALICE, BOB, SHIELD, SWORD } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { NO_ENTRIES } from "../../description/json/json-list.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { given } from "../../keys/signed-string.ts";
import { itemDataIds } from "./item-data.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

/** Source: mrc401 §9. */
export const mrc401Transfer = signedOperation({
  name: "mrc401transfer",
  title: "Transfer an item",
  route: "POST /mrc401/transfer/{mrc401id}",
  otherRoutes: ["POST /mrc401/transfer"],
  about:
    "Passes an item on; without an id in the path, the 1 to 100 items of one project that itemdata names, all or none. A transfer is no sale: the project is paid no fee, also where a group pays coins for the item.",
  parameters: {
    mrc401id: optional(recordId("an item"), ""),
    fromAddr: address(),
    toAddr: address(),
    itemdata: optional(itemDataIds("ids of items"), NO_ENTRIES),
    tkey: temporaryKey(),
  },
  example: { mrc401id: SWORD, fromAddr: ALICE, toAddr: BOB },
  otherExamples: {
    itemdata: { fromAddr: ALICE, toAddr: BOB, itemdata: JSON.stringify([SWORD, SHIELD]) },
  },
  actor: "fromAddr",
  signed: ["fromAddr", "toAddr", "mrc401id", "tkey"],
  signedIf: [
    {
      about: "itemdata is given",
      when: given("itemdata"),
      signed: ["fromAddr", "toAddr", "itemdata", "tkey"],
    },
  ],
  checkMissing(has) {
    const given = [has("mrc401id"), has("itemdata")];
    if (given.every(Boolean)) {
      return refuse({ code: "1005", parameter: "mrc401id" });
    }
    return given.some(Boolean) ? undefined : refuse({ code: "1000", parameter: "mrc401id" });
  },
  check: ({ fromAddr, toAddr }) =>
    fromAddr === toAddr
      ? refuse({ code: "3201", parameter: "toAddr", address: toAddr })
      : undefined,
  refusals: ["3201", "6004", "3090", "7001", "7110", "7108", "7109", ...HOLDER_CHANGE_REFUSALS],
});
