import { ALICE, BOB, PUBLIC_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { address } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { unreadPublicKey } from "../../description/parameters/keys.ts";

/** A read with the method POST. Source: accounts §6. */
export const addressByKey = read({
  name: "addressByKey",
  title: "Find the addresses of a key",
  route: "POST /address/bykey",
  about: "Lists the addresses of a public key, oldest first.",
  parameters: {
    publickey: unreadPublicKey(),
    limit: optional(boundedInteger({ min: 1n, max: 1000n })),
    after: optional(meaning("address after which the list goes on", address())),
  },
  example: { publickey: PUBLIC_KEY, limit: "10", after: ALICE },
  refusals: ["3090"],
  cache: "never",
  result: {
    kind: "json",
    about: "the addresses",
    schema: { title: "Addresses", type: "array", items: { type: "string" } },
    example: [BOB],
  },
});
