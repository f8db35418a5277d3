import { ALICE, NOW, PUBLIC_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { optionalWord } from "../../description/parameters/words.ts";
import { balanceEntriesExample, balanceEntriesSchema } from "../../description/results.ts";

/** Shows an address and its balances. Source: accounts §5. */
export const addressRead = read({
  name: "addressRead",
  title: "Get an address",
  route: "GET /address/{address}",
  about: "Shows an address and its balances; with view=full also its public key and memo.",
  parameters: { address: address(), view: optionalWord("full") },
  example: { address: ALICE, view: "full" },
  refusals: ["3090"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the address",
    schema: {
      title: "AddressInfo",
      type: "object",
      required: ["address", "createdate", "balance"],
      properties: {
        address: { type: "string" },
        createdate: { type: "integer", description: "Unix seconds" },
        balance: balanceEntriesSchema,
        addinfo: { type: "string" },
        publickey: { type: "string" },
        signed: { type: "string", enum: ["", "full"] },
      },
    },
    example: {
      address: ALICE,
      createdate: NOW,
      balance: balanceEntriesExample,
      addinfo: "hello",
      publickey: PUBLIC_KEY,
      signed: "",
    },
  },
});
