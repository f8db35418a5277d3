import { ALICE, PUBLIC_KEY } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { optionalWord, publicKey, text } from "../../description/parameters.ts";

/** Creates an address for a public key; nobody signs, because whoever has the private key owns it. Source: accounts §4. */
export const address = unsignedOperation({
  name: "address",
  title: "Create an address",
  route: "POST /address",
  about:
    "Creates an address for an ECDSA public key. With the header Idempotency-Key the same request gets the same address.",
  parameters: {
    publickey: publicKey(),
    addinfo: text({ cutAt: 2048, optional: true }),
    signed: optionalWord("full"),
  },
  example: { publickey: PUBLIC_KEY, addinfo: "hello" },
  decided: ["address"],
  result: {
    kind: "text",
    member: "address",
    about: "the new address",
    example: ALICE,
  },
});
