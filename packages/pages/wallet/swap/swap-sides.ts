import type { ProposedOperation } from "@moneta/sdk";
import type { FormState } from "../fields/form-state.ts";

export type ThingKind = "tokens" | "item";

export const THING_KINDS: readonly ThingKind[] = ["tokens", "item"];

/** Source: mrc402 §2.1. */
const UNIT_ITEM = /^MRC402_[0-9a-f]{33}$/;

export function isUnitItemId(text: string): boolean {
  return UNIT_ITEM.test(text);
}

export interface ThingFields {
  readonly prefix: string;
  readonly giver: string;
  readonly taker: string;
}

/** Passes a thing from one side to the other. Throws FieldError. */
export function handOver(
  form: FormState,
  { prefix, giver, taker }: ThingFields,
): ProposedOperation {
  const name = (part: string): string => `${prefix}.${part}`;
  if (form.value(name("kind")) === "item") {
    const item = form.value(name("item"));
    return UNIT_ITEM.test(item)
      ? {
          actor: giver,
          operation: "mrc402transfer",
          mrc402id: item,
          toAddr: taker,
          amount: form.whole(name("units")),
        }
      : { actor: giver, operation: "mrc401transfer", mrc401id: item, toAddr: taker };
  }
  const token = form.value(name("token"));
  const amount = form.amount(name("amount"), token);
  return { actor: giver, operation: "transfer", to: taker, token, amount };
}
