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

/** A column of a list: operations on an entry. */
interface Actions {
  readonly head: string;
  readonly cell: (thing: Actable) => ComponentChildren;
}

/** Targets of links and texts beside them: in the wallet, operations of its account. */
export interface Places
  extends Pick<typeof link, "token" | "project" | "item" | "listing" | "offer" | "order" | "pair"> {
  /** The text after an address. */
  readonly mark?: (address: string) => ComponentChildren;
  readonly actions?: Actions;
}

/** The explorer's views, unless in the wallet. */
export const Places: Context<Places> = createContext<Places>(link);

export function usePlaces(): Places {
  return useContext(Places);
}

/** The column of operations on each entry, if there are any. */
export function useActions(): readonly Actions[] {
  const { actions } = usePlaces();
  return actions === undefined ? [] : [actions];
}
