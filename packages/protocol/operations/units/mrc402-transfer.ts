import { ALICE, BOB, PRINT } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { quantity } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { given } from "../../keys/signed-string.ts";
import { ONE } from "../../text/amount.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { unitItemId } from "./unit-item.ts";

/** Source: mrc402 §6. */
export const mrc402Transfer = signedOperation({
  name: "mrc402transfer",
  title: "Transfer units",
  route: "POST /mrc402/transfer/{mrc402id}",
  about:
    "Passes units of an item on, one if no amount is given. A transfer is no sale: it pays no fees, commissions or shares, also where a group pays coins for the units.",
  parameters: {
    mrc402id: unitItemId(),
    fromAddr: address(),
    toAddr: address(),
    amount: optional(quantity({ zero: "1206" }), ONE),
    tag: optional(text({ cutAt: 64 }), ""),
    memo: optional(text({ cutAt: 2048 }), ""),
    tkey: temporaryKey(),
  },
  example: {
    mrc402id: PRINT,
    fromAddr: ALICE,
    toAddr: BOB,
    amount: "3",
    tag: "gift",
    memo: "for your birthday",
  },
  actor: "fromAddr",
  signed: ["fromAddr", "toAddr", "mrc402id", "tkey"],
  signedIf: [
    {
      about: "amount is given",
      when: given("amount"),
      signed: ["fromAddr", "toAddr", "amount", "mrc402id", "tkey"],
    },
  ],
  check: ({ fromAddr, toAddr }) =>
    fromAddr === toAddr
      ? refuse({ code: "3201", parameter: "toAddr", address: toAddr })
      : undefined,
  refusals: [
    "3201",
    "3090",
    "6004",
    "7001",
    "7110",
    "7109",
    "7108",
    ...HOLDER_CHANGE_REFUSALS,
    "5000",
  ],
});
