import { PUBLIC_KEY_BODY } from "../../description/examples.ts";
import type { AddressKey } from "../../description/parameters/address-keys.ts";
import {
  defaulted,
  integer,
  listOf,
  noted,
  oneOf,
  record,
  type SchemaOf,
  shown,
  text,
  time,
} from "../../description/shown.ts";

const key = record(
  "AddressKey",
  {
    publickey: noted(text, "base64 of SubjectPublicKeyInfo, as between the marks of PEM"),
    kind: noted(oneOf("raw", "webauthn"), "webauthn: a passkey"),
    weight: integer,
    rpid: noted(text, "domain of a passkey"),
    origins: noted(listOf(text), "origins whose pages may ask a passkey for a signature"),
    verified: noted(
      { type: "boolean" } as SchemaOf<boolean>,
      "whether a passkey must have verified the person",
    ),
  },
  ["publickey", "kind", "weight"],
) as SchemaOf<AddressKey>;

const keys: SchemaOf<readonly AddressKey[]> = listOf(key);

/** Source: authority §1.7. */
export const shownKeySet = shown("KeySet", {
  version: [noted(integer, "how many sets of keys the address has had before"), 1],
  keys: [keys, [{ publickey: PUBLIC_KEY_BODY, kind: "raw", weight: 1 }]],
  threshold: [noted(integer, "what the keys that sign must weigh together"), 1],
  recoverykeys: [defaulted(noted(keys, "keys that may begin a recovery"), []), []],
  recoverythreshold: [defaulted(integer, 0), 0],
  recoverydelay: [defaulted(noted(integer, "seconds that a recovery takes"), 0), 0],
  pendingkeys: [defaulted(noted(keys, "keys that a recovery under way will bring"), []), []],
  pendingthreshold: [defaulted(integer, 0), 0],
  grantsfrom: [defaulted(noted(integer, "grants by earlier versions are over"), 0), 0],
  pendingdue: [defaulted(noted(time, "from when on the recovery can be finished"), 0), 0],
});
