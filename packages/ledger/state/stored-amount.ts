import { type Amount, parseAmount } from "@moneta/protocol";
import { invariant } from "../invariant.ts";

/** An amount from the text that an entry holds it as. */
export function storedAmount(text: string): Amount {
  const amount = parseAmount(text);
  invariant(amount !== undefined, "entries hold amounts as integer strings");
  return amount;
}
