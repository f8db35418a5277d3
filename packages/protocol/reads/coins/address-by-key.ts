import { ALICE, BOB, PUBLIC_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optionalAddress, optionalInteger, unreadPublicKey } from "../../description/parameters.ts";

/** Lists the addresses of a public key. A read in spite of its method. Source: accounts §6. */
export const addressByKey = read({
  name: "addressByKey",
  title: "Find the addresses of a key",
  route: "POST /address/bykey",
  about: "Lists the addresses of a public key, oldest first.",
  parameters: {
    publickey: unreadPublicKey(),
    limit: optionalInteger({ min: 1, max: 1000 }),
    after: optionalAddress(),
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
