import {
  type Address,
  type Amount,
  ONE,
  type Rate,
  Refused,
  refuse,
  type TokenId,
  type TransactionRecord,
} from "@moneta/protocol";
import { refuseHolderChange, withinPolicy } from "../../market/holder-change.ts";
import {
  done,
  effect,
  type Filing,
  type RecordDraft,
  record,
  type Signed,
} from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { PROJECT } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { allowTokenOf } from "../../state/units/unit-item-view.ts";
import type { UnitAuction, UnitSale } from "../../state/units/unit-listing-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { refuseForeignToken } from "../items/item.ts";
import { type Acting, acting } from "../rule.ts";
import { putListed } from "./goods.ts";
import { listUnits, lotValues, offerValues, platformFor, refuseRates } from "./listing.ts";
import {
  projectOfUnits,
  refuseBoundUnits,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  sellerFor,
} from "./unit-item.ts";

/** One item in a request. Source: mrc402 §11, §14. */
export interface UnitAsk {
  readonly id: string;
  readonly amount: Amount;
  readonly token: TokenId;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | undefined;
  readonly platform_commission: Rate | undefined;
  readonly parameter: string;
  readonly prefix: string;
}

/** One for each entry of `itemdata`, or for its single item. Source: mrc402 §11. */
export function asksOf(
  values: Omit<UnitAsk, "amount" | "token" | "parameter" | "prefix"> & {
    readonly amount: Amount | undefined;
    readonly token: TokenId | undefined;
    readonly itemdata:
      | {
          readonly entries: readonly (Omit<UnitAsk, "amount" | "parameter" | "prefix"> & {
            readonly amount: Amount | undefined;
          })[];
        }
      | undefined;
  },
): readonly UnitAsk[] {
  const { itemdata, amount = ONE, token } = values;
  return itemdata === undefined
    ? [{ ...values, amount, token: token as TokenId, parameter: "id", prefix: "" }]
    : itemdata.entries.map((entry, index) => ({
        ...entry,
        amount: entry.amount ?? ONE,
        parameter: `itemdata[${index}].id`,
        prefix: `itemdata[${index}].`,
      }));
}

interface Listing {
  readonly seller: Address | undefined;
  readonly id: string;
  readonly itemdata: { readonly text: string } | undefined;
}

/** Refuses missing objects or permissions. Source: mrc402 §11, check 2. */
export function unitLister(
  state: StateReader,
  { seller, id, itemdata }: Listing,
  asks: readonly UnitAsk[],
  keyHolder: () => Address | Refused,
): Acting<readonly UnitItem[]> | Refused {
  const items = allOrFirstRefusal(asks, ({ id, parameter }) =>
    named(state, UNIT_ITEM, id, parameter),
  );
  if (items instanceof Refused) {
    return items;
  }
  const itemAt = (index: number): UnitItem => items[index] as UnitItem;
  const actor =
    mustExist(state, "seller", seller) ??
    firstRefusal(asks, ({ platform_address, prefix }) =>
      mustExist(state, `${prefix}platform_address`, platform_address),
    ) ??
    firstRefusal(asks, ({ token, prefix }) => tokenMustExist(state, token, `${prefix}token`)) ??
    (itemdata === undefined || id === "" ? undefined : refuseOutside(state, id, items)) ??
    firstRefusal(asks, ({ token, prefix }, index) =>
      refuseTokenOf(state, itemAt(index), token, `${prefix}token`),
    ) ??
    firstRefusal(asks, (ask, index) =>
      refuseRates(
        itemAt(index),
        platformFor(itemAt(index), ask),
        `${ask.prefix}platform_commission`,
      ),
    ) ??
    seller ??
    keyHolder();
  return acting(actor, items);
}

/** Refused with 6004 or 3005 if the id in the path leaves a listed item out. Source: mrc402 §11. */
export function refuseOutside(
  state: StateReader,
  id: string,
  items: readonly UnitItem[],
): Refused | undefined {
  const isProject = state.find(PROJECT, id) !== undefined;
  if (!isProject && state.find(UNIT_ITEM, id) === undefined) {
    return refuse({
      code: "6004",
      what: "a project or a multi-unit item",
      parameter: "id",
      given: id,
    });
  }
  const outside = items.findIndex((item) => (isProject ? item.mrc400 : item.id) !== id);
  const reason = `names another item than ${id} in the path allows`;
  return outside === -1
    ? undefined
    : refuse({ code: "3005", parameter: `itemdata[${outside}]`, reason });
}

/** Refused with 3005. Source: mrc402 §2.6. */
export function refuseTokenOf(
  state: StateReader,
  item: UnitItem,
  token: TokenId,
  parameter: string,
): Refused | undefined {
  const allowed = allowTokenOf(item, projectOfUnits(state, item));
  return refuseForeignToken(allowed, token, parameter, item);
}

/** Dates are refused later. Source: policies §3. */
function refuseListing(
  state: State,
  item: UnitItem,
  {
    ask: { amount, token, parameter, prefix },
    seller: from,
    terms,
  }: {
    readonly ask: UnitAsk;
    readonly seller: Address;
    readonly terms: UnitSale | UnitAuction | Refused;
  },
): Refused | undefined {
  if (item.policy_number === 0 || terms instanceof Refused) {
    return undefined;
  }
  const isList = prefix !== "";
  const change = { from, to: undefined, units: amount, token, parameter };
  return terms.side === "sell"
    ? refuseHolderChange(state, item, {
        ...{ ...change, way: "sale", at: state.time },
        prices: [{ amount: terms.sell_price, parameter: `${prefix}price` }],
      })
    : refuseHolderChange(state, item, {
        ...{ ...change, way: "auction", at: terms.auction_end_date, pricedUnits: amount },
        prices: [
          {
            amount: terms.auction_start_price,
            parameter: isList ? `${prefix}start` : "auction_start_price",
          },
          {
            amount: terms.auction_buynow_price,
            parameter: isList ? `${prefix}buynow` : "auction_buynow_price",
          },
        ],
      });
}

/** The policy bounds the soft close. */
function boundedTerms(
  state: State,
  item: UnitItem,
  seller: Address,
  terms: UnitSale | UnitAuction,
): UnitSale | UnitAuction {
  return terms.side === "auction" ? withinPolicy(state, item, seller, terms) : terms;
}

/**
 * `terms` gives an ask's terms or refuses its dates. `own` makes the primary record without a list.
 * Source: mrc402 §11, §14.
 */
export function listAsks(
  act: "sell" | "auction",
  state: State,
  values: Listing & Signed,
  options: {
    readonly actor: Address;
    readonly found: readonly UnitItem[];
    readonly asks: readonly UnitAsk[];
    readonly terms: (index: number) => UnitSale | UnitAuction | Refused;
    readonly own: (
      listed: Readonly<Record<"dexid" | "seller" | "signature" | "tkey", string>>,
      filing: Filing,
    ) => RecordDraft;
  },
): TransactionRecord | Refused {
  const { actor, found: items, asks, own } = options;
  const { itemdata, signature, tkey } = values;
  const plans = asks.map((ask, index) => {
    const item = items[index] as UnitItem;
    return {
      ask,
      item,
      seller: sellerFor(state, item, actor, ask.parameter),
      terms: options.terms(index),
    };
  });
  const refused =
    firstRefusal(plans, ({ item, seller }) =>
      seller instanceof Refused && refuseEnded(item, "") === undefined ? seller : undefined,
    ) ??
    firstRefusal(
      plans,
      ({ item, ask, seller, terms }) =>
        refuseEnded(item, ask.parameter) ??
        refuseBoundUnits(item, ask.parameter) ??
        refuseListing(state, item, { ask, seller: seller as Address, terms }) ??
        refuseListedUnits(state, item, {
          address: seller as Address,
          amount: ask.amount,
          parameter: `${ask.prefix}amount`,
        }),
    ) ??
    firstRefusal(plans, ({ terms }) => (terms instanceof Refused ? terms : undefined)) ??
    firstRefusal(plans, ({ item, ask, seller }) =>
      refuseMissingUnits(state, item, {
        address: seller as Address,
        amount: ask.amount,
        parameter: `${ask.prefix}amount`,
      }),
    );
  if (refused !== undefined) {
    return refused;
  }

  const by = { signature, tkey };
  const listed = plans.map(({ ask, item, seller, terms }, index) => {
    const made = listUnits(state, item, {
      ...platformFor(item, ask),
      dexid: derivedId("DEX402", actor, tkey, String(index)),
      seller: seller as Address,
      agent: seller === actor ? "" : actor,
      amount: ask.amount,
      sell_token: ask.token,
      terms: boundedTerms(state, item, seller as Address, terms as UnitSale | UnitAuction),
      job_type: `mrc402_${act}`,
      index,
    });
    state.put(UNIT_ITEM, made.item);
    return made.listing;
  });
  const [only] = listed;
  const type = `mrc402${act}` as const;
  const primary =
    itemdata === undefined && only !== undefined
      ? own(
          { dexid: only.dexid, seller: only.seller, signature, tkey },
          { of: actor, token: only.sell_token },
        )
      : record(type, { itemdata: itemdata?.text ?? "", actor, signature, tkey }, { of: actor });
  return done(state, primary, [
    ...listed.map((listing) => putListed(state, listing, by)),
    ...listed
      .filter(({ agent }) => agent !== "")
      .map((listing) =>
        listing.side === "sell"
          ? effect("mrc402sell", offerValues(listing, by), { of: listing.seller })
          : effect("mrc402auction", lotValues(listing, by), { of: listing.seller }),
      ),
  ]);
}
