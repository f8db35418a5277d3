import type {
  Item,
  ItemOffer,
  Order,
  TokenListing,
  UnitItem,
  UnitListing,
  UnitOffer,
} from "@moneta/sdk";
import { type ComponentChildren, type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import { link } from "../../explorer/links.ts";

export type Offer = ItemOffer | UnitOffer;

/** Something in a list that an account may act on. */
export type Actable = Item | UnitItem | TokenListing | UnitListing | Order | Offer;

/** A column of a list: what can be done with an entry. */
interface Actions {
  readonly head: string;
  readonly cell: (thing: Actable) => ComponentChildren;
}

/** Where things lead and what stands beside them: in the wallet, what its account can do with them. */
export interface Places
  extends Pick<typeof link, "token" | "project" | "item" | "listing" | "offer" | "order" | "pair"> {
  /** What stands behind an address. */
  readonly mark?: (address: string) => ComponentChildren;
  readonly actions?: Actions;
}

/** The explorer's views, unless the wallet says otherwise. */
export const Places: Context<Places> = createContext<Places>(link);

export function usePlaces(): Places {
  return useContext(Places);
}

/** The column of what can be done with each entry, where anything can be done. */
export function useActions(): readonly Actions[] {
  const { actions } = usePlaces();
  return actions === undefined ? [] : [actions];
}
