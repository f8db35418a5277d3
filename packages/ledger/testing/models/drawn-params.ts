import assert from "node:assert/strict";
import type { Address } from "@moneta/protocol";
import { type Params, ruled } from "../admitted.ts";
import { ART, PROJECT } from "../trade/creations.ts";

/** What a drawn operation may name, of which each takes what it needs. */
export interface Things {
  readonly by: Address;
  readonly to: Address;
  readonly project: string;
  readonly item: string;
  readonly units: string;
  /** What is paid with, and a token whose units are goods. */
  readonly token: string;
  readonly goods: string;
  readonly price: string;
  readonly amount: string;
  /** The lowest bid of an auction; its buy-now price is `price`. */
  readonly start: string;
  readonly end: string;
  /** An offer, a listing or an order. */
  readonly made: string;
  readonly side: "SELL" | "BUY";
  readonly pair: { readonly basetoken: string; readonly targettoken: string };
  readonly name: string;
}

/** Well-formed parameters of an operation, without its actor. */
export function drawnParams(op: string, things: Things): Params {
  const { by, to, project, item, units, token, goods, price, amount, start, end, made } = things;
  const { side, pair, name } = things;
  const entry = { address: to, amount: price, unlockdate: "0" };
  const lot = { token: "0", start, bidding: "1", buynow: price === start ? "0" : price };
  const trade = { mrc010id: goods, amount, price, token: "0" };
  const offer = { price, token: "0", end };
  const order = { ...pair, side, price, qtt: amount };
  switch (op) {
    case "transfer":
      return { to, token, amount: price };
    case "multitransfer":
      return { token, transferlist: [entry, entry] };
    case "mrc400create":
      return { ...PROJECT, name };
    case "mrc400update":
      return { mrc400id: project, name };
    case "mrc401create":
      return { mrc400id: project, itemdata: [{ groupid: name }] };
    case "mrc401update":
      return {
        mrc400id: item.slice(0, 40),
        itemdata: [{ item_id: item.slice(41).padEnd(40, "0"), groupid: name }],
      };
    case "mrc401transfer":
      return { mrc401id: item, toAddr: to };
    case "mrc401sell":
      return { itemdata: [{ id: item, price, token }] };
    case "mrc401auction":
      return { itemdata: [{ id: item, ...lot, end }] };
    case "mrc401unsell":
    case "mrc401unauction":
      return { itemdata: [item] };
    case "mrc401bid":
      return { mrc401id: item, amount: price };
    case "mrc401buy":
    case "mrc401melt":
    case "mrc401auctionfinish":
      return { mrc401id: item };
    case "mrc401offer":
      return { id: item, ...offer };
    case "mrc401acceptoffer":
      return { offerid: made, mrc401id: item };
    case "mrc401unoffer":
    case "mrc402unoffer":
      return { offerid: made };
    case "mrc402create":
      return { ...ART, totalsupply: "100" };
    case "mrc402transfer":
      return { mrc402id: units, toAddr: to, amount };
    case "mrc402mint":
    case "mrc402burn":
    case "mrc402melt":
      return { mrc402id: units, amount };
    case "mrc402update":
      return { mrc402id: units, data: name };
    case "mrc402sell":
      return { itemdata: [{ id: units, amount, price, token: "0" }] };
    case "mrc402auction":
      return { itemdata: [{ id: units, amount, ...lot }] };
    case "mrc402unsell":
      return { itemdata: [units] };
    case "mrc402buy":
      return { id: units, amount };
    case "mrc402bid":
      return { id: units, amount: price };
    case "mrc402auctionfinish":
      return { id: units };
    case "mrc402offer":
      return { id: units, amount, ...offer };
    case "mrc402acceptoffer":
      return { offerid: made, amount };
    case "tokensave":
      return { symbol: "X", name, totalsupply: "1000" };
    case "tokencreate":
      return {};
    case "tokenburn":
    case "tokenincrease":
      return { token: goods, amount: price };
    case "tokenupdate":
      return { token: goods, url: "https://a.example/", info: name, image: "" };
    case "mrc010sell":
    case "mrc010reqsell":
      return trade;
    case "mrc010auction":
      return {
        ...{ mrc010id: goods, amount, token: "0", auction_end_date: end },
        ...{ auction_start_price: price, auction_bidding_unit: "1" },
      };
    case "mrc010buy":
    case "mrc010acceptreqsell":
    case "mrc010bid":
      return { dexid: made, amount };
    case "mrc010unsell":
      return { dexid: made };
    case "mrc040create":
    case "mrc040request":
      return order;
    case "mrc040cancel":
      return { mrc040id: made };
    case "mrc040exchange":
      return { mrc040id: made, qtt: amount };
    case "tokensetbase":
      return { token: goods, baseToken: pair.basetoken };
    case "tokenaddtarget":
      return { token: pair.basetoken, targetToken: goods };
    case "mrc020":
      return { referencekey: name, keyhash: "0".repeat(64), opendate: end };
    default:
      return assert.fail(`${op} by ${by} is not drawn`);
  }
}

/** The parameter that names the actor of an operation. */
export function actorParam(op: string, actor: Address): Params {
  const name = ruled(op).operation.signers[0]?.address;
  return name === undefined ? {} : { [name]: actor };
}
