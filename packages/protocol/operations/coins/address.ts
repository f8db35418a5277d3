import { ALICE, PUBLIC_KEY } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { keyKind, refuseKeyOfKind } from "../../description/parameters/address-keys.ts";
import { publicKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord } from "../../description/parameters/words.ts";

/** Source: accounts §4. */
export const address = unsignedOperation({
  name: "address",
  title: "Create an address",
  route: "POST /address",
  about:
    "Creates an address for an ECDSA public key, which a passkey may hold (kind=webauthn). With the header Idempotency-Key the same request gets the same address.",
  parameters: {
    publickey: publicKey(),
    ...keyKind,
    addinfo: optional(text({ cutAt: 2048 }), ""),
    signed: optionalWord("full"),
  },
  example: { publickey: PUBLIC_KEY, addinfo: "hello" },
  otherExamples: {
    passkey: {
      ...{ publickey: PUBLIC_KEY, kind: "webauthn", rpid: "wallet.example" },
      ...{ origins: JSON.stringify(["https://wallet.example"]), verified: "true" },
    },
  },
  check: (key) => refuseKeyOfKind(key),
  decided: ["address"],
  result: {
    kind: "text",
    member: "address",
    about: "the new address",
    example: ALICE,
  },
});
