import { type Address, type Amount, type HeldAs, heldUnits, ZERO } from "@moneta/protocol";
import { documentForm } from "../document.ts";
import type { DocumentKind } from "../entries.ts";
import { placeOfItem, type UnitItem } from "./unit-item-entry.ts";

/** Free, in open offers, in open auctions. Source: mrc402 §2.2, chain §5. */
export type Units = HeldAs<typeof heldUnits.schema>;

export interface Holding extends Units {
  readonly address: Address;
  readonly item: string;
  /** Undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  readonly itemOrder: number;
}

export type HeldItem = Pick<UnitItem, "id" | "projectOrder" | "order">;

export const NO_UNITS: Units = { balance: ZERO, saleamount: ZERO, auctionamount: ZERO };

export function noHolding(address: Address, { id, projectOrder, order }: HeldItem): Holding {
  return { address, item: id, projectOrder, itemOrder: order, ...NO_UNITS };
}

export function unitsOf({ balance, saleamount, auctionamount }: Units): Amount {
  return (balance + saleamount + auctionamount) as Amount;
}

const FORM = documentForm<Holding, Units>(heldUnits, {
  beside: { address: "" as Address, item: "", projectOrder: undefined, itemOrder: 0 },
});

export const unitsJson = FORM.json as (units: Units) => ReturnType<typeof FORM.json>;

export const HOLDING: DocumentKind<Holding> = {
  table: {
    name: "holding",
    columns: {
      item: { type: "TEXT", of: ({ item }) => item },
      address: { type: "TEXT", of: ({ address }) => address },
      holder: { type: "ADDRESS", of: ({ address }) => address },
      project: { type: "INTEGER", optional: true, of: ({ projectOrder }) => projectOrder },
      item_order: { type: "INTEGER", of: ({ itemOrder }) => itemOrder },
    },
    pastLists: [
      { column: "item", order: "address" },
      { column: "address", order: "item" },
      { column: "holder", order: "item_order" },
    ],
    indexes: [
      ["item", "address"],
      ["address", "item"],
      ["holder", "item_order"],
      ["holder", "project", "item_order"],
    ],
  },
  prefix: "holding/",
  id: ({ address, item }) => `${address}/${item}`,
  follows(id, _, state) {
    const [address = "", item = ""] = id.split("/");
    return { address, item, ...placeOfItem(state, item) };
  },
  isAbsent: (holding) => unitsOf(holding) === 0n,
  ...FORM,
};
