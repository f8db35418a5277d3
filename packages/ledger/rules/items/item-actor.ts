import { type Address, Refused } from "@moneta/protocol";
import type { StateReader } from "../../state/state.ts";
import { mustExist } from "../existence.ts";
import { itemNamed } from "./project-item.ts";

/**
 * Who does something to one item: the address that a request names, or that the temporary key was issued to. Refused with 6004 without the item, with 3090 without
 * the address. `named` has the address under the name of its parameter. Source: mrc401 §1.2, §12.
 */
export function itemActor(
  state: StateReader,
  mrc401id: string,
  named: { readonly [parameter: string]: Address | undefined },
  keyHolder: () => Address | Refused,
): Address | Refused {
  const item = itemNamed(state, mrc401id);
  if (item instanceof Refused) {
    return item;
  }
  const [[parameter, address] = ["", undefined]] = Object.entries(named);
  return mustExist(state, parameter, address) ?? address ?? keyHolder();
}
