import {
  type Address,
  type Amount,
  type Json,
  NO_RATE,
  parseRate,
  type Rate,
  rateText,
  type TokenId,
  type Transferable,
  ZERO,
} from "@moneta/protocol";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";
import type { ItemTrade } from "./item-entry.ts";
import type { Platform } from "./platform.ts";
import { storedAmount } from "./stored-amount.ts";

/** A class of equal units. Source: mrc402 §2, §3. */
export interface UnitItem {
  /** `MRC402_` and 33 hex digits, or the id of its project, `_` and its number. */
  readonly id: string;
  /** `""` if it stands alone. */
  readonly project: string;
  /** `order` of the project, undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  /** Owner of the project: it never changes. */
  readonly projectOwner: Address | "";
  readonly creator: Address;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly url: string;
  readonly imageUrl: string;
  readonly itemUrl: string;
  readonly itemImageUrl: string;
  readonly data: string;
  readonly group: string;
  readonly information: string;
  readonly socialMedia: { readonly [name: string]: string };
  /** Of an item standing alone; `0` for every token. */
  readonly allowToken: TokenId;
  /** Unix seconds. */
  readonly createDate: number;
  /** Units created and minted, less those burned. */
  readonly totalSupply: Amount;
  readonly melted: Amount;
  readonly burned: Amount;
  /** Per unit, in the order of the tokens' ids. */
  readonly reserve: readonly { readonly token: TokenId; readonly amount: Amount }[];
  readonly creatorCommission: Rate;
  /** In the order given, in which they are paid. */
  readonly shareholders: readonly { readonly address: Address; readonly rate: Rate }[];
  readonly sellFee: Rate;
  readonly meltFee: Rate;
  readonly expireDate: number;
  /** When the last unit was melted, 0 if that has not happened. */
  readonly meltDate: number;
  readonly transferable: Transferable;
  readonly copyright: {
    readonly country: string;
    readonly registrar: string;
    readonly number: string;
  };
  /** For listings that name none. */
  readonly platform: Platform;
  readonly lastTrade: ItemTrade | undefined;
  /** How many addresses have units of it. It follows from their holdings. */
  readonly holders: number;
  /** Whether a unit was ever transferred, bought or won. It follows from the blocks. */
  readonly hasChangedHands: boolean;
  /** How many open listings there are of each side. They follow from the listings. */
  readonly openSales: number;
  readonly openAuctions: number;
  /** Its place among all items; no part of the state that blocks commit to. */
  readonly order: number;
}

/** Units that are there. Source: mrc402 §2.1. */
export function existingUnits({ totalSupply, melted }: UnitItem): Amount {
  return (totalSupply - melted) as Amount;
}

export const UNIT_ITEM: DocumentKind<UnitItem> = documentKind({
  table: {
    name: "unit_item",
    rowNumber: ({ order }) => order,
    columns: {
      project: { type: "INTEGER", optional: true, of: ({ projectOrder }) => projectOrder },
      creator: { type: "ADDRESS", of: ({ creator }) => creator },
    },
    indexes: subsetsOf(["project", "creator"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc402/",
  id: ({ id }) => id,
  json: unitItemJson,
  stored: (item) => ({
    ...unitItemJson(item),
    projectOrder: item.projectOrder ?? null,
    projectOwner: item.projectOwner,
    shareholders: item.shareholders.map(({ address, rate }) => [address, rateText(rate)]),
    holders: item.holders,
    hasChangedHands: item.hasChangedHands,
    openSales: item.openSales,
    openAuctions: item.openAuctions,
    order: item.order,
  }),
  restore: restoreUnitItem,
});

/** What `GET /mrc402/{mrc402id}` shows of the item itself: not what follows from its project, holdings and listings. Source: chain §5. */
export function unitItemJson(item: UnitItem): UnitItemJson {
  const { copyright, lastTrade, platform } = item;
  return {
    allow_token: item.allowToken,
    burnedamount: String(item.burned),
    category: item.category,
    copyright_registrar: copyright.registrar,
    copyright_registration_country: copyright.country,
    copyright_registration_number: copyright.number,
    createdate: item.createDate,
    creator: item.creator,
    creatorcommission: rateText(item.creatorCommission),
    data: item.data,
    decimal: 0,
    description: item.description,
    expiredate: item.expireDate,
    groupid: item.group,
    id: item.id,
    image_url: item.imageUrl,
    information: item.information,
    initialreserve: Object.fromEntries(
      item.reserve.map(({ token, amount }) => [token, String(amount)]),
    ),
    item_image_url: item.itemImageUrl,
    item_url: item.itemUrl,
    last_trade_amount: String(lastTrade?.amount ?? ZERO),
    last_trade_date: lastTrade?.date ?? 0,
    last_trade_token: lastTrade?.token ?? "0",
    last_trade_type: lastTrade?.type ?? "",
    meltedamount: String(item.melted),
    melting_date: item.meltDate,
    meltint_fee: rateText(item.meltFee),
    mrc400: item.project,
    name: item.name,
    platform_address: platform.address,
    platform_commission: rateText(platform.commission),
    platform_name: platform.name,
    platform_url: platform.url,
    sell_fee: rateText(item.sellFee),
    shareholder: Object.fromEntries(
      item.shareholders.map(({ address, rate }) => [address, rateText(rate)]),
    ),
    socialmedia: item.socialMedia,
    totalsupply: String(item.totalSupply),
    transferable: item.transferable,
    url: item.url,
  };
}

export interface UnitItemJson {
  readonly allow_token: TokenId;
  readonly burnedamount: string;
  readonly category: string;
  readonly copyright_registrar: string;
  readonly copyright_registration_country: string;
  readonly copyright_registration_number: string;
  readonly createdate: number;
  readonly creator: Address;
  readonly creatorcommission: string;
  readonly data: string;
  readonly decimal: number;
  readonly description: string;
  readonly expiredate: number;
  readonly groupid: string;
  readonly id: string;
  readonly image_url: string;
  readonly information: string;
  readonly initialreserve: { readonly [token: string]: string };
  readonly item_image_url: string;
  readonly item_url: string;
  readonly last_trade_amount: string;
  readonly last_trade_date: number;
  readonly last_trade_token: string;
  readonly last_trade_type: "" | ItemTrade["type"];
  readonly meltedamount: string;
  readonly melting_date: number;
  readonly meltint_fee: string;
  readonly mrc400: string;
  readonly name: string;
  readonly platform_address: Address | "";
  readonly platform_commission: string;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly sell_fee: string;
  readonly shareholder: { readonly [address: string]: string };
  readonly socialmedia: { readonly [name: string]: string };
  readonly totalsupply: string;
  readonly transferable: Transferable;
  readonly url: string;
  // So that it is JSON.
  readonly [name: string]: Json;
}

type StoredItem = UnitItemJson & {
  readonly projectOrder: number | null;
  readonly projectOwner: Address | "";
  readonly shareholders: readonly (readonly [Address, string])[];
  readonly holders: number;
  readonly hasChangedHands: boolean;
  readonly openSales: number;
  readonly openAuctions: number;
  readonly order: number;
};

function restoreUnitItem(json: Json): UnitItem {
  const stored = json as unknown as StoredItem;
  const rateOf = (text: string): Rate => parseRate(text) ?? NO_RATE;
  return {
    id: stored.id,
    project: stored.mrc400,
    projectOrder: stored.projectOrder ?? undefined,
    projectOwner: stored.projectOwner,
    creator: stored.creator,
    name: stored.name,
    category: stored.category,
    description: stored.description,
    url: stored.url,
    imageUrl: stored.image_url,
    itemUrl: stored.item_url,
    itemImageUrl: stored.item_image_url,
    data: stored.data,
    group: stored.groupid,
    information: stored.information,
    socialMedia: stored.socialmedia,
    allowToken: stored.allow_token,
    createDate: stored.createdate,
    totalSupply: storedAmount(stored.totalsupply),
    melted: storedAmount(stored.meltedamount),
    burned: storedAmount(stored.burnedamount),
    // JSON orders them as texts.
    reserve: Object.entries(stored.initialreserve)
      .map(([token, amount]) => ({ token: token as TokenId, amount: storedAmount(amount) }))
      .sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1)),
    creatorCommission: rateOf(stored.creatorcommission),
    shareholders: stored.shareholders.map(([address, rate]) => ({ address, rate: rateOf(rate) })),
    sellFee: rateOf(stored.sell_fee),
    meltFee: rateOf(stored.meltint_fee),
    expireDate: stored.expiredate,
    meltDate: stored.melting_date,
    transferable: stored.transferable,
    copyright: {
      country: stored.copyright_registration_country,
      registrar: stored.copyright_registrar,
      number: stored.copyright_registration_number,
    },
    platform: {
      name: stored.platform_name,
      url: stored.platform_url,
      address: stored.platform_address,
      commission: rateOf(stored.platform_commission),
    },
    lastTrade:
      stored.last_trade_type === ""
        ? undefined
        : {
            date: stored.last_trade_date,
            amount: storedAmount(stored.last_trade_amount),
            token: stored.last_trade_token as TokenId,
            type: stored.last_trade_type,
          },
    holders: stored.holders,
    hasChangedHands: stored.hasChangedHands,
    openSales: stored.openSales,
    openAuctions: stored.openAuctions,
    order: stored.order,
  };
}
