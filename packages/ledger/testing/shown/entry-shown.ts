import assert from "node:assert/strict";
import type { Json, TokenId } from "@moneta/protocol";
import { ITEM } from "../../state/item-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../../state/offer-entry.ts";
import { ORDER } from "../../state/order-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { SEAL } from "../../state/seal-entry.ts";
import type { StateReader } from "../../state/state.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { TOKEN_LISTING } from "../../state/token-listing-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { unitItemView } from "../../state/units/unit-item-view.ts";
import { UNIT_LISTING } from "../../state/units/unit-listing-entry.ts";

export type Entry = { readonly [name: string]: Json };

const KINDS = [
  PROJECT,
  ITEM,
  TOKEN_LISTING,
  UNIT_LISTING,
  ITEM_OFFER,
  UNIT_OFFER,
  ORDER,
  SEAL,
] as const;

/** The `GET` response of a token, project, item or listing. */
export function entryShown(state: StateReader, id: string): Entry {
  const token = /^[0-9]+$/.test(id) ? state.token(id as TokenId) : undefined;
  if (token !== undefined) {
    return TOKEN.json(token) as Entry;
  }
  const unitItem = state.find(UNIT_ITEM, id);
  if (unitItem !== undefined) {
    return unitItemView(state, unitItem);
  }
  for (const kind of KINDS) {
    const entry = state.find<never>(kind as never, id);
    if (entry !== undefined) {
      const { view, json } = kind as typeof ITEM;
      return (view?.(entry, state) ?? json(entry)) as Entry;
    }
  }
  return assert.fail(`there is no entry ${id}`);
}
