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

export type Actable = Item | UnitItem | TokenListing | UnitListing | Order | Offer;

interface Actions {
  readonly head: string;
  readonly cell: (thing: Actable) => ComponentChildren;
}

/** Targets of links and texts beside them; the wallet has its own. */
export interface Places
  extends Pick<typeof link, "token" | "project" | "item" | "listing" | "offer" | "order" | "pair"> {
  readonly mark?: (address: string) => ComponentChildren;
  readonly actions?: Actions;
}

export const Places: Context<Places> = createContext<Places>(link);

export function usePlaces(): Places {
  return useContext(Places);
}

export function useActions(): readonly Actions[] {
  const { actions } = usePlaces();
  return actions === undefined ? [] : [actions];
}
