import { type Address, type Amount, type Json, ZERO } from "@moneta/protocol";
import { type DocumentKind, documentKind } from "./entries.ts";
import { storedAmount } from "./stored-amount.ts";

/** What an address has of a multi-unit item, in units. Source: mrc402 §2.2. */
export interface Holding {
  readonly address: Address;
  readonly item: string;
  /** Free units. */
  readonly balance: Amount;
  /** Units in open offers. */
  readonly onSale: Amount;
  /** Units in open auctions. */
  readonly onAuction: Amount;
}

export function noHolding(address: Address, item: string): Holding {
  return { address, item, balance: ZERO, onSale: ZERO, onAuction: ZERO };
}

/** All units of a holding. */
export function unitsOf({ balance, onSale, onAuction }: Holding): Amount {
  return (balance + onSale + onAuction) as Amount;
}

export const HOLDING: DocumentKind<Holding> = documentKind({
  table: {
    name: "holding",
    columns: {
      item: { type: "TEXT", of: ({ item }) => item },
      address: { type: "TEXT", of: ({ address }) => address },
    },
    indexes: [
      ["item", "address"],
      ["address", "item"],
    ],
  },
  prefix: "holding/",
  id: ({ address, item }) => `${address}/${item}`,
  json: ({ balance, onSale, onAuction }) => ({
    auctionamount: String(onAuction),
    balance: String(balance),
    saleamount: String(onSale),
  }),
  isAbsent: (holding) => unitsOf(holding) === 0n,
  stored: (holding) => ({
    address: holding.address,
    item: holding.item,
    auctionamount: String(holding.onAuction),
    balance: String(holding.balance),
    saleamount: String(holding.onSale),
  }),
  restore(json) {
    const stored = json as unknown as StoredHolding;
    return {
      address: stored.address,
      item: stored.item,
      balance: storedAmount(stored.balance),
      onSale: storedAmount(stored.saleamount),
      onAuction: storedAmount(stored.auctionamount),
    };
  },
});

type StoredHolding = { readonly [name: string]: Json } & {
  readonly address: Address;
  readonly item: string;
  readonly balance: string;
  readonly saleamount: string;
  readonly auctionamount: string;
};
