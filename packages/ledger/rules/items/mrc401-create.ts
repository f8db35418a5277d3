import {
  type Address,
  itemNumberOf,
  type JsonList,
  mrc401Create,
  NATIVE_COIN,
  type NewItem,
  type Refused,
  type TokenId,
} from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { nearestEnd } from "../../market/new-auction.ts";
import { done, type EffectDraft, effect, record, type Signed } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { itemIds } from "../../state/ids/item-ids.ts";
import { itemOrder } from "../../state/ids/item-order.ts";
import { type Item, NO_TRADE, NOT_LISTED } from "../../state/item-entry.ts";
import { PROJECT, type Project, policyNumbered } from "../../state/project-entry.ts";
import type { State } from "../../state/state.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { putItem, refuseForeignToken } from "./item.ts";
import { auctionTerms, newAuction, putOnAuction, putOnSale, refuseAct } from "./item-life.ts";
import {
  membersOfNew,
  payReserves,
  refuseCreator,
  refuseNoFace,
  refuseNumber,
  refuseTwice,
  refuseWindows,
  sumsByToken,
} from "./new-items.ts";

/** Source: mrc401 §7. */
export const mrc401CreateRule: RuledOperation = ruleOf(mrc401Create, {
  actor: (state, { mrc400id, creator, itemdata, tkey }, keyHolder) =>
    actingOn(
      named(state, PROJECT, mrc400id, "mrc400id"),
      (project) =>
        refuseTwice(idsOf({ mrc400id, itemdata, tkey })) ??
        mustExist(state, "creator", creator) ??
        firstRefusal(itemdata.entries, ({ to }, index) =>
          mustExist(state, `itemdata[${index}].to`, to),
        ) ??
        firstRefusal(itemdata.entries, (item, index) =>
          firstRefusal(tokensOf(item), ({ token, name }) =>
            tokenMustExist(state, token, `itemdata[${index}].${name}`),
          ),
        ) ??
        firstRefusal(itemdata.entries, (item, index) =>
          firstRefusal(tokensOf(item), ({ token, name }) =>
            refuseForeignToken(
              project.allow_token,
              token,
              `itemdata[${index}].${name}`,
              // A reserve is no price.
              name === "initial_token" ? undefined : item,
            ),
          ),
        ) ??
        creator ??
        keyHolder(),
    ),

  apply(state, { mrc400id, itemdata, tkey, signature }, { actor, found: project }) {
    const ids = idsOf({ mrc400id, itemdata, tkey });
    const items = itemdata.entries.map((entry, index) =>
      newItem(state, project, actor, { id: ids[index] as string, index, entry }),
    );
    const reserves = sumsByToken(
      items.map(({ initial_reserve, initial_token }) => ({
        token: initial_token,
        amount: initial_reserve,
      })),
    );
    const refused =
      refuseCreator(
        project,
        actor,
        itemdata.entries.map((entry) => ({ ...entry, isListed: isListed(entry) })),
      ) ??
      firstRefusal(ids, (id, index) => refuseNumber(state, id, index)) ??
      firstRefusal(itemdata.entries, (entry, index) =>
        refuseBound(items[index] as Item, entry, index),
      ) ??
      firstRefusal(items, (item, index) => refuseNoFace(state, item, index)) ??
      firstRefusal(itemdata.entries, (entry, index) =>
        refuseListing(state, items[index] as Item, entry, index),
      ) ??
      refuseWindows(itemdata.entries, state.time) ??
      payReserves(state, actor, reserves);
    if (refused !== undefined) {
      return refused;
    }

    const by = { actor, signature, tkey };
    const all = { ...by, mrc400id, itemdata: itemdata.text };
    const effects = itemdata.entries.flatMap((entry, index) =>
      created(state, items[index] as Item, entry, by),
    );
    const forOwner =
      actor === project.owner ? [] : [effect("mrc401create", all, { of: project.owner })];
    return done(state, record("mrc401create", all), [...effects, ...forOwner]);
  },
});

function idsOf({
  mrc400id,
  itemdata,
  tkey,
}: {
  readonly mrc400id: string;
  readonly itemdata: JsonList<NewItem>;
  readonly tkey: string;
}): readonly string[] {
  return itemIds({ kind: "MRC401", mrc400id, tkey, numbers: itemdata.entries.map(itemNumberOf) });
}

function tokensOf(item: NewItem): readonly { readonly token: TokenId; readonly name: string }[] {
  return [
    { token: item.initial_token ?? NATIVE_COIN, name: "initial_token" },
    ...(item.face_price > 0n ? [{ token: item.face_token, name: "face_token" }] : []),
    ...(item.sell_price > 0n
      ? [{ token: item.sell_token ?? NATIVE_COIN, name: "sell_token" }]
      : []),
    ...(item.auction_start_price > 0n
      ? [{ token: item.auction_token ?? NATIVE_COIN, name: "auction_token" }]
      : []),
  ];
}

function newItem(
  state: State,
  project: Project,
  creator: Address,
  { id, index, entry }: { readonly id: string; readonly index: number; readonly entry: NewItem },
): Item {
  return {
    ...NOT_LISTED,
    ...NO_TRADE,
    ...membersOfNew(project, entry),
    id,
    owner: entry.to ?? "",
    creator,
    groupedSince: 0,
    createdate: state.time,
    initial_reserve: entry.initial_reserve,
    initial_token: entry.initial_token ?? NATIVE_COIN,
    melting_date: 0,
    // An item that is listed at once is stored twice.
    held_since: heldFrom(state, project),
    order: itemOrder(state.operationNumber, index),
  };
}

function heldFrom(state: State, { id, policy_number }: Project): number {
  return policyNumbered(state, id, policy_number).cooldown === 0 ? 0 : state.time;
}

function isListed({ sell_price, auction_start_price }: NewItem): boolean {
  return sell_price > 0n || auction_start_price > 0n;
}

function refuseBound(item: Item, entry: NewItem, index: number): Refused | undefined {
  const act = entry.sell_price > 0n ? "sell" : "auction";
  return isListed(entry) ? refuseAct(act, item, `itemdata[${index}]`) : undefined;
}

function refuseListing(
  state: State,
  item: Item,
  entry: NewItem,
  index: number,
): Refused | undefined {
  if (item.policy_number === 0 || !isListed(entry)) {
    return undefined;
  }
  const parameter = `itemdata[${index}]`;
  const isSale = entry.sell_price > 0n;
  const names = isSale
    ? (["sell_price"] as const)
    : (["auction_start_price", "auction_buynow_price"] as const);
  return refuseHolderChange(state, item, {
    ...{ way: isSale ? "sale" : "auction", from: item.projectOwner, to: undefined, units: 1n },
    at: isSale ? state.time : nearestEnd(state, entry.auction_end),
    prices: names.map((name) => ({ amount: entry[name], parameter: `${parameter}.${name}` })),
    token: (isSale ? entry.sell_token : entry.auction_token) ?? NATIVE_COIN,
    parameter,
  });
}

function created(
  state: State,
  item: Item,
  entry: NewItem,
  { actor, ...signed }: { readonly actor: Address } & Signed,
): readonly EffectDraft[] {
  const { id, initial_reserve, initial_token } = item;
  const made = { item: id, actor, initial_reserve, initial_token, ...signed };
  const listed = { item: id, seller: actor, ...signed };
  if (entry.to !== undefined) {
    const received = { item: id, fromAddr: item.projectOwner, toAddr: entry.to, ...signed };
    return [putItem(state, item, "mrc401_create", made), effect("receive_mrc401", received)];
  }
  if (entry.sell_price > 0n) {
    const token = entry.sell_token ?? NATIVE_COIN;
    const price = entry.sell_price;
    const { sell_start, sell_end } = entry;
    const offered = putOnSale(item, { price, token, time: state.time, sell_start, sell_end });
    return [
      putItem(state, offered, "mrc401_create", made),
      putItem(state, offered, "mrc401_sell", { ...listed, price, token }),
    ];
  }
  if (entry.auction_start_price > 0n) {
    const auction = newAuction(state, {
      start: entry.auction_start_price,
      bidding: entry.auction_bidding_unit,
      buynow: entry.auction_buynow_price,
      end: entry.auction_end,
      extend: entry.auction_extend,
      token: entry.auction_token ?? NATIVE_COIN,
    });
    const lot = putOnAuction(item, auction, state.time);
    return [
      putItem(state, lot, "mrc401_create", made),
      putItem(state, lot, "mrc401_auction", { ...listed, ...auctionTerms(auction) }),
    ];
  }
  return [putItem(state, item, "mrc401_create", made)];
}
