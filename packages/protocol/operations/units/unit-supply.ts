import { ALICE, PRINT } from "../../description/examples.ts";
import type { Example } from "../../description/operation.ts";
import { optionalAddress, quantity, temporaryKey, text } from "../../description/parameters.ts";
import { marketResult } from "../../description/results.ts";
import { unitItemId } from "./unit-item.ts";

const parameters = {
  mrc402id: unitItemId(),
  address: optionalAddress({ aliases: ["creator", "owner"] }),
  amount: quantity({ zero: "1206" }),
  memo: text({ max: 1024, optional: true }),
  tkey: temporaryKey(),
};

/** What minting and burning units take alike. Source: mrc402 §7. */
export const unitSupplyChange = {
  parameters,
  example: {
    mrc402id: PRINT,
    address: ALICE,
    amount: "2",
    memo: "second edition",
  } satisfies Example<typeof parameters>,
  actor: "address",
  signed: ["mrc402id", "amount", "memo", "tkey"],
  result: marketResult,
} as const;
