import { type Address, type Amount, ZERO } from "@moneta/protocol";
import type { DocumentKind } from "./entries.ts";
import { amount, form, number, numberOrNone, object, stored, text } from "./fields.ts";
import type { UnitItem } from "./unit-item-entry.ts";

/** What an address has of a multi-unit item, in units. Source: mrc402 §2.2. */
export interface Holding {
  readonly address: Address;
  readonly item: string;
  /** `order` of the item's project, undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  /** `order` of the item. */
  readonly itemOrder: number;
  /** Free units. */
  readonly balance: Amount;
  /** Units in open offers. */
  readonly onSale: Amount;
  /** Units in open auctions. */
  readonly onAuction: Amount;
}

/** What of an item a holding of it has. */
export type HeldItem = Pick<UnitItem, "id" | "projectOrder" | "order">;

type Units = Pick<Holding, "balance" | "onSale" | "onAuction">;

export const NO_UNITS: Units = { balance: ZERO, onSale: ZERO, onAuction: ZERO };

export function noHolding(address: Address, { id, projectOrder, order }: HeldItem): Holding {
  return { address, item: id, projectOrder, itemOrder: order, ...NO_UNITS };
}

/** All units of a holding. */
export function unitsOf({ balance, onSale, onAuction }: Units): Amount {
  return (balance + onSale + onAuction) as Amount;
}

const UNITS = {
  balance: amount("balance"),
  onSale: amount("saleamount"),
  onAuction: amount("auctionamount"),
};

/** How many units of each kind, as everybody is shown it. */
export const unitsJson = form(object<Units>(UNITS)).json;

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
    indexes: [
      ["item", "address"],
      ["address", "item"],
      ["holder", "item_order"],
      ["holder", "project", "item_order"],
    ],
  },
  prefix: "holding/",
  id: ({ address, item }) => `${address}/${item}`,
  isAbsent: (holding) => unitsOf(holding) === 0n,
  ...form(
    object<Holding>({
      address: stored(text("address")),
      item: stored(text("item")),
      projectOrder: stored(numberOrNone("projectOrder")),
      itemOrder: stored(number("itemOrder")),
      ...UNITS,
    }),
  ),
};
