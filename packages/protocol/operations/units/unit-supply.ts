import { ALICE, PRINT } from "../../description/examples.ts";
import type { Example } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { quantity } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { unitItemId } from "./unit-item.ts";

const parameters = {
  mrc402id: unitItemId(),
  address: optional(aliased(address(), "creator", "owner")),
  amount: quantity({ zero: "1206" }),
  memo: optional(text({ max: 1024 }), ""),
  tkey: temporaryKey(),
};

/** Source: mrc402 §7. */
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
} as const;
