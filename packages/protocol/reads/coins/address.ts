import { ALICE, NOW, PUBLIC_KEY, PUBLIC_KEY_BODY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { optionalWord } from "../../description/parameters/words.ts";
import { noted, oneOf, record, text, time } from "../../description/shown.ts";
import { asOf } from "../as-of.ts";
import { balanceEntriesExample, balanceEntriesSchema } from "./balance.ts";
import { shownKeySet } from "./shown-key-set.ts";

/** Source: accounts §5. */
export const addressRead = asOf(
  read({
    name: "addressRead",
    title: "Get an address",
    route: "GET /address/{address}",
    about: "Shows an address and its balances; with view=full also its public key and memo.",
    parameters: { address: address(), view: optionalWord("full") },
    example: { address: ALICE, view: "full" },
    refusals: ["3090"],
    result: {
      kind: "json",
      about: "the address",
      schema: record(
        "AddressInfo",
        {
          address: noted(text, "the address"),
          createdate: time,
          balance: noted(balanceEntriesSchema, "its balances, free and locked ones"),
          addinfo: noted(text, "memo of the address; empty once its keys were changed"),
          publickey: text,
          signed: noted(oneOf("", "full"), "`full` if it accepts full signatures only"),
          keyset: noted(shownKeySet.schema, "keys that sign for it"),
        },
        ["address", "createdate", "balance"],
      ),
      example: {
        address: ALICE,
        createdate: NOW,
        balance: balanceEntriesExample,
        addinfo: "hello",
        publickey: PUBLIC_KEY,
        signed: "",
        keyset: {
          ...{ version: 0, threshold: 1 },
          keys: [{ publickey: PUBLIC_KEY_BODY, kind: "raw", weight: 1 }],
          ...{ recoverykeys: [], recoverythreshold: 0, recoverydelay: 0 },
          ...{ pendingkeys: [], pendingthreshold: 0, grantsfrom: 0, pendingdue: 0 },
        },
      },
    },
  }),
);
