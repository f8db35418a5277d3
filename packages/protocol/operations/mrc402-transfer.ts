import { ONE } from "../amount.ts";
import { ALICE, BOB, PRINT } from "../examples.ts";
import { refuse } from "../faults.ts";
import { unitItemId } from "../multi-unit-item.ts";
import { signedOperation } from "../operation.ts";
import { address, quantity, temporaryKey, text } from "../parameters.ts";
import { marketResult } from "../results.ts";
import { given } from "../signed-string.ts";

/** Passes units of an item on. Source: mrc402 §6. */
export const mrc402Transfer = signedOperation({
  name: "mrc402transfer",
  title: "Transfer units",
  route: "POST /mrc402/transfer/{mrc402id}",
  about: "Passes units of an item on, one if no amount is given.",
  parameters: {
    mrc402id: unitItemId(),
    fromAddr: address(),
    toAddr: address(),
    amount: quantity({ zero: "1206", absent: ONE }),
    tag: text({ cutAt: 64, optional: true }),
    memo: text({ cutAt: 2048, optional: true }),
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
  refusals: ["3201", "3090", "6004", "7001", "7110", "7109", "7108", "5000"],
  result: marketResult,
});
