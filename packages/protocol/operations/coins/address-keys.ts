import { ALICE, PUBLIC_KEY_BODY } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { keyList, threshold } from "../../description/parameters/address-keys.ts";
import { address } from "../../description/parameters/ids.ts";
import { digits } from "../../description/parameters/integers.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { newKeySet, newKeySetExample, refuseThreshold } from "./key-set.ts";

/** Source: authority §4.1. */
const DELAY_MIN = 86_400n;
const DELAY_MAX = 31_536_000n;

/** Source: authority §1.3. */
export const addressKeys = signedOperation({
  name: "addresskeys",
  title: "Change the keys of an address",
  route: "POST /address/keys/{address}",
  about:
    "Replaces the keys of an address, and who may recover it. The present keys sign, and as proof the new ones. From then on only full signatures by the new keys count, and grants are over unless `grants` is `keep`.",
  parameters: {
    address: address(),
    ...newKeySet,
    recoverykeys: optional(keyList()),
    recoverythreshold: optional(threshold()),
    recoverydelay: optional(
      digits({
        wanted: `seconds from ${DELAY_MIN} (a day) to ${DELAY_MAX} (a year)`,
        format: "integer",
        max: DELAY_MAX,
        toValue: Number,
      }),
    ),
    grants: wordOrFirst("end", "keep"),
  },
  example: {
    address: ALICE,
    ...newKeySetExample,
    version: "2",
    recoverykeys: JSON.stringify([{ publickey: PUBLIC_KEY_BODY }]),
    recoverythreshold: "1",
    recoverydelay: "604800",
    grants: "keep",
  },
  otherExamples: { "no recovery": { address: ALICE, ...newKeySetExample } },
  actor: "address",
  signed: [],
  fullOnly: true,
  isAlone: true,
  proof: "proof",
  checkMissing: (has) => {
    const names = ["recoverykeys", "recoverythreshold", "recoverydelay"];
    const missing = names.some(has) ? names.find((name) => !has(name)) : undefined;
    return missing === undefined ? undefined : refuse({ code: "1000", parameter: missing });
  },
  check: ({ keys, threshold: wanted, recoverykeys, recoverythreshold, recoverydelay }) =>
    refuseThreshold(keys, wanted, "threshold") ??
    (recoverykeys === undefined || recoverythreshold === undefined || recoverydelay === undefined
      ? undefined
      : (refuseThreshold(recoverykeys, recoverythreshold, "recoverythreshold") ??
        (BigInt(recoverydelay) < DELAY_MIN
          ? refuse({
              ...{ code: "1101", parameter: "recoverydelay", given: String(recoverydelay) },
              wanted: `seconds from ${DELAY_MIN} (a day) to ${DELAY_MAX} (a year)`,
            })
          : undefined))),
  refusals: ["3090", "7140"],
});
