import { SECOND_KEY_BODY } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import type { JsonList } from "../../description/json/json-list.ts";
import { meaning } from "../../description/parameter.ts";
import {
  type GivenKey,
  keptKeys,
  keyList,
  threshold,
} from "../../description/parameters/address-keys.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { signature, temporaryKey } from "../../description/parameters/keys.ts";
import { weightOfKeys } from "../../keys/key-set.ts";

/** Source: authority §1.3. */
export const newKeySet = {
  keys: keyList(),
  threshold: threshold(),
  version: meaning(
    "how often the keys have changed, this change included",
    boundedInteger({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
  ),
  proof: signature(
    "signatures of the same signed string by the new keys, in the form of signature: their weights reach the new threshold",
  ),
  tkey: temporaryKey(),
} as const;

export const newKeySetExample = {
  keys: JSON.stringify([{ publickey: SECOND_KEY_BODY }]),
  threshold: "1",
  version: "1",
} as const;

/** Refuses a threshold that the keys together do not reach (3005). Source: authority §1.1. */
export function refuseThreshold(
  keys: JsonList<GivenKey>,
  wanted: number,
  parameter: string,
): Refused | undefined {
  const sum = weightOfKeys(keptKeys(keys));
  const reason = `is ${wanted}, but the keys weigh ${sum} together`;
  return wanted > sum ? refuse({ code: "3005", parameter, reason }) : undefined;
}
