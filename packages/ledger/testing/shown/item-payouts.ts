import type { Address } from "@moneta/protocol";
import type { Answer } from "../answer.ts";
import type { ExpectedRecord } from "./expected-records.ts";
import { type Movement, paymentsText } from "./payments-text.ts";

/** A payee of an item's proceeds: its holder, or the owner of its project. */
export type Payee = readonly [type: string, from: string, to: Address, amount: string];

/** Records A of the payees; an amount of 0 has none. Source: mrc401 §12, §13, §16, §17. */
export function payoutRecords(
  { id, token, paid }: { id: string; token: string; paid: readonly Payee[] },
  { signature, tkey }: Pick<Answer, "signature" | "tkey">,
): readonly ExpectedRecord[] {
  return paid
    .filter(([, , , amount]) => amount !== "0")
    .map(([type, from, to, amount]) => ({
      type,
      of: to,
      parameters: [from, to, amount, token, signature, "0", "", id, tkey],
      moved: [token],
    }));
}

/** The payments text without movements of 0. Source: mrc401 §12. */
export function paidText(...movements: readonly Movement[]): string {
  return paymentsText(...movements.filter(([, , , amount]) => amount !== "0"));
}
