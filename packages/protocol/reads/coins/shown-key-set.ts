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
    publickey: noted(
      text,
      "public key: base64 of SubjectPublicKeyInfo, as in PEM without its first and last line",
    ),
    kind: noted(oneOf("raw", "webauthn"), "`webauthn` for a passkey, else `raw`"),
    weight: integer,
    rpid: noted(text, "domain of the passkey"),
    origins: noted(listOf(text), "origins whose pages may request the passkey's signature"),
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
  version: [noted(integer, "how often the keys of the address have changed"), 1],
  keys: [keys, [{ publickey: PUBLIC_KEY_BODY, kind: "raw", weight: 1 }]],
  threshold: [noted(integer, "weight that the signing keys must reach together"), 1],
  recoverykeys: [defaulted(noted(keys, "keys that may replace the keys of the address"), []), []],
  recoverythreshold: [defaulted(integer, 0), 0],
  recoverydelay: [defaulted(noted(integer, "seconds that a recovery takes"), 0), 0],
  pendingkeys: [defaulted(noted(keys, "keys that a recovery under way will bring"), []), []],
  pendingthreshold: [defaulted(integer, 0), 0],
  grantsfrom: [
    defaulted(noted(integer, "least version of the keys whose grants still apply"), 0),
    0,
  ],
  pendingdue: [defaulted(noted(time, "when the recovery can be finished; 0 for none"), 0), 0],
});
