import { type Address, type Amount, type Json, ZERO } from "@moneta/protocol";
import { type DocumentKind, documentKind } from "./entries.ts";
import { storedAmount } from "./stored-amount.ts";
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

/** How many units of each kind, as everybody is shown it. */
export function unitsJson({ balance, onSale, onAuction }: Units): UnitsJson {
  return {
    auctionamount: String(onAuction),
    balance: String(balance),
    saleamount: String(onSale),
  };
}

interface UnitsJson {
  readonly auctionamount: string;
  readonly balance: string;
  readonly saleamount: string;
  // So that it is JSON.
  readonly [name: string]: string;
}

/** All units of a holding. */
export function unitsOf({ balance, onSale, onAuction }: Units): Amount {
  return (balance + onSale + onAuction) as Amount;
}

export const HOLDING: DocumentKind<Holding> = documentKind<Holding>({
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
  json: unitsJson,
  isAbsent: (holding) => unitsOf(holding) === 0n,
  stored: (holding) => ({
    address: holding.address,
    item: holding.item,
    projectOrder: holding.projectOrder ?? null,
    itemOrder: holding.itemOrder,
    ...unitsJson(holding),
  }),
  restore(json) {
    const stored = json as unknown as StoredHolding;
    return {
      address: stored.address,
      item: stored.item,
      projectOrder: stored.projectOrder ?? undefined,
      itemOrder: stored.itemOrder,
      balance: storedAmount(stored.balance),
      onSale: storedAmount(stored.saleamount),
      onAuction: storedAmount(stored.auctionamount),
    };
  },
});

type StoredHolding = { readonly [name: string]: Json } & {
  readonly address: Address;
  readonly item: string;
  readonly projectOrder: number | null;
  readonly itemOrder: number;
  readonly balance: string;
  readonly saleamount: string;
  readonly auctionamount: string;
};
