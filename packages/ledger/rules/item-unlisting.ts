import {
  type Address,
  type JsonList,
  type LedgerOperation,
  NATIVE_COIN,
  Refused,
  type TransactionRecord,
} from "@moneta/protocol";
import { takenOff } from "../items/item-life.ts";
import type { State } from "../state/state.ts";
import { forOwners, idEntriesOf, itemsFor } from "./item-listing.ts";
import { putItem, type Signed } from "./project-item.ts";
import { done, record } from "./rule.ts";

/** Takes items off sale or off auction: both leave them as they were before they were listed. Source: mrc401 §11, §15. */
export function takeOff(
  act: "unsell" | "unauction",
  state: State,
  { itemdata, signature, tkey }: Signed & { readonly itemdata: JsonList<string> },
  operation: LedgerOperation,
): TransactionRecord | Refused {
  const actor = operation.actor as Address;
  const items = itemsFor(act, state, actor, idEntriesOf(itemdata.entries));
  if (items instanceof Refused) {
    return items;
  }

  // Nothing below can fail.
  const parameters = [itemdata.text, actor, signature, tkey];
  const effects = items.map((item) =>
    putItem(state, takenOff(item), `mrc401_${act}`, [item.id, actor, signature, tkey]),
  );
  return done(state, record(`mrc401${act}`, actor, NATIVE_COIN, parameters), [
    ...effects,
    ...forOwners(items, actor, `mrc401${act}`, parameters),
  ]);
}
