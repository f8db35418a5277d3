import {
  type Address,
  type Amount,
  codePointCount,
  type Rate,
  rateText,
  type TokenId,
  type Transferable,
} from "@moneta/protocol";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  amount,
  amountIn,
  converted,
  form,
  longTexts,
  longTextsOf,
  number,
  numberOrNone,
  object,
  rate,
  rateIn,
  stored,
  text,
  token,
  unchanged,
} from "./fields.ts";
import { type ItemTrade, LAST_TRADE } from "./item-entry.ts";
import { LongTexts } from "./long-texts.ts";
import { PLATFORM, type Platform } from "./platform.ts";

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
  readonly url: string;
  readonly imageUrl: string;
  readonly itemUrl: string;
  readonly itemImageUrl: string;
  readonly group: string;
  readonly texts: LongTexts<UnitItemTexts>;
  /** Their code points. They follow from the blocks. */
  readonly textsLength: number;
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

/** What an item says of itself at length. */
export interface UnitItemTexts {
  readonly description: string;
  readonly data: string;
  readonly information: string;
  readonly socialMedia: { readonly [name: string]: string };
}

/** What an item says of itself, as it is kept. */
export function keptTexts(texts: UnitItemTexts): Pick<UnitItem, "texts" | "textsLength"> {
  const { description, data, information, socialMedia } = texts;
  const all = [description, data, information, JSON.stringify(socialMedia)];
  const textsLength = all.reduce((sum, text) => sum + codePointCount(text), 0);
  return { texts: LongTexts.of(texts), textsLength };
}

/** Units that are there. Source: mrc402 §2.1. */
export function existingUnits({ totalSupply, melted }: UnitItem): Amount {
  return (totalSupply - melted) as Amount;
}

const TEXTS = object<UnitItemTexts>({
  description: text("description"),
  data: text("data"),
  information: text("information"),
  socialMedia: unchanged("socialmedia"),
});

const FIELDS = object<UnitItem>(
  {
    id: text("id"),
    project: text("mrc400"),
    projectOrder: stored(numberOrNone("projectOrder")),
    projectOwner: stored(text("projectOwner")),
    creator: text("creator"),
    name: text("name"),
    category: text("category"),
    url: text("url"),
    imageUrl: text("image_url"),
    itemUrl: text("item_url"),
    itemImageUrl: text("item_image_url"),
    group: text("groupid"),
    texts: longTexts(TEXTS),
    textsLength: stored(number("textsLength")),
    allowToken: token("allow_token"),
    createDate: number("createdate"),
    totalSupply: amount("totalsupply"),
    melted: amount("meltedamount"),
    burned: amount("burnedamount"),
    reserve: converted("initialreserve", {
      write: (reserve) =>
        Object.fromEntries(reserve.map(({ token: of, amount: each }) => [of, String(each)])),
      // JSON orders them as texts.
      read: (json) =>
        Object.entries(json as object)
          .map(([of, each]) => ({ token: of as TokenId, amount: amountIn(each) }))
          .sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1)),
    }),
    creatorCommission: rate("creatorcommission"),
    // `shareholder`, which is shown, has lost their order.
    shareholders: stored(
      converted("shareholders", {
        write: (all) => all.map(({ address, rate: share }) => [address, rateText(share)]),
        read: (json) =>
          (json as [Address, string][]).map(([address, share]) => ({
            address,
            rate: rateIn(share),
          })),
      }),
    ),
    sellFee: rate("sell_fee"),
    meltFee: rate("meltint_fee"),
    expireDate: number("expiredate"),
    meltDate: number("melting_date"),
    transferable: text("transferable"),
    copyright: object<UnitItem["copyright"]>({
      country: text("copyright_registration_country"),
      registrar: text("copyright_registrar"),
      number: text("copyright_registration_number"),
    }),
    platform: PLATFORM,
    lastTrade: LAST_TRADE,
    holders: stored(number("holders")),
    hasChangedHands: stored(unchanged("hasChangedHands")),
    openSales: stored(number("openSales")),
    openAuctions: stored(number("openAuctions")),
    order: stored(number("order")),
  },
  (blank) => ({ ...blank }),
);

/**
 * Not what follows from its project, holdings and listings: `unitItemView` adds it.
 * Source: chain §5.
 */
const FORM = form(FIELDS, {
  decimal: () => 0,
  shareholder: ({ shareholders }) =>
    Object.fromEntries(shareholders.map(({ address, rate: share }) => [address, rateText(share)])),
});

export const UNIT_ITEM: DocumentKind<UnitItem> = {
  table: {
    name: "unit_item",
    rowNumber: ({ order }) => order,
    longTexts: longTextsOf(TEXTS),
    columns: {
      project: { type: "INTEGER", optional: true, of: ({ projectOrder }) => projectOrder },
      creator: { type: "ADDRESS", of: ({ creator }) => creator },
    },
    indexes: subsetsOf(["project", "creator"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc402/",
  id: ({ id }) => id,
  ...FORM,
};
