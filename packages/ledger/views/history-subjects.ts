import type { Address } from "@moneta/protocol";
import { GRANT } from "../state/grant-entry.ts";
import { projectInId } from "../state/ids/item-ids.ts";
import { ITEM } from "../state/item-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../state/offer-entry.ts";
import { ORDER } from "../state/order-entry.ts";
import { PROJECT } from "../state/project-entry.ts";
import { SEAL } from "../state/seal-entry.ts";
import type { StateReader } from "../state/state.ts";
import { TOKEN_LISTING } from "../state/token-listing-entry.ts";
import { UNIT_ITEM } from "../state/units/unit-item-entry.ts";
import { UNIT_LISTING } from "../state/units/unit-listing-entry.ts";
import type { SubjectNumbers } from "./history.ts";

/** Items of one unit and of many share one order. */
const CLASSES = {
  ...{ item: 0, project: 1, "token listing": 2, "unit listing": 3 },
  ...{ order: 4, seal: 5, "item offer": 6, "unit offer": 7, grant: 8 },
} as const;
const CLASS_COUNT = 9;

/** A listing of units also has its item's. Source: chain §10. */
export function subjectsOf(state: StateReader, id: string): readonly number[] {
  switch (id.slice(0, id.indexOf("_"))) {
    case "MRC400":
      return projectInId(id) === id
        ? subjects("project", state.find(PROJECT, id))
        : subjects("item", state.find(ITEM, id) ?? state.find(UNIT_ITEM, id));
    case "MRC402":
      return subjects("item", state.find(UNIT_ITEM, id));
    case "DEX010":
      return subjects("token listing", state.find(TOKEN_LISTING, id));
    case "DEX402": {
      const listing = state.find(UNIT_LISTING, id);
      return [
        ...subjects("unit listing", listing),
        ...subjects("item", listing && { order: listing.itemOrder }),
      ];
    }
    case "OFF401":
      return subjects("item offer", state.find(ITEM_OFFER, id));
    case "OFF402":
      return subjects("unit offer", state.find(UNIT_OFFER, id));
    case "MRC040":
      return subjects("order", state.find(ORDER, id));
    case "GRT":
      return subjects("grant", state.find(GRANT, id));
    case "MRC020":
      return subjects("seal", state.find(SEAL, id));
    default:
      return [];
  }
}

export function subjectNumbers(state: StateReader): SubjectNumbers {
  return {
    address: (address) => state.addressNumber(address as Address),
    item: (id) => subjectsOf(state, id),
  };
}

/** Below those of addresses: one tree has both, and the newest side by side. */
function subjects(
  of: keyof typeof CLASSES,
  entry: { readonly order: number } | undefined,
): readonly number[] {
  return entry === undefined ? [] : [-1 - (entry.order * CLASS_COUNT + CLASSES[of])];
}
