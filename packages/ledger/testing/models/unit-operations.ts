import type { Address, Texts } from "@moneta/protocol";
import { policyFrom } from "./item-operations.ts";
import type { ModelUnitItem, Sent } from "./ledger-model.ts";
import { offerEndMakers, tradeMakers } from "./trade-operations.ts";
import { allowedOf } from "./trade-rules.ts";
import {
  guardsFor,
  type Listed,
  type Maker,
  type Makers,
  type Picks,
  type TradingDesk,
  UNKNOWN,
  UNKNOWN_UNIT_LISTING,
} from "./trading-desk.ts";

const NO_OFFER = `OFF402_${"0".repeat(33)}`;
/** With more items, operations would rarely meet the same one again. */
const ITEMS_MAX = 9;
const RATES = ["0", "0.01", "1", "2.50", "5", "10"];
const FEES = ["0", "10", "33.3333", "2.5", "99.9999"];
const TOKENS = ["0", "1", "2"];

export function unitMakers(desk: TradingDesk): Makers {
  const { model, ledger } = desk;
  let numbers = 0;

  // Not the treasury, which is the first.
  const anybody = (picks: Picks, ...but: readonly string[]): Address =>
    desk.other(picks, model.addresses[0] as Address, ...but);
  const sentBy = (name: string, op: string, mostly: string, params: Texts, picks: Picks): Sent => {
    const actor = (picks.rarely(16) ? anybody(picks) : mostly) as Address;
    const isAlone = op === "mrc402create" && params["itemdata"] === undefined;
    const isNamed = isAlone || op === "mrc402transfer";
    return desk.by(name, op, actor, params, picks, { isNamed });
  };

  /** An item, mostly one that has not ended and is not bound. */
  const pickItem = (picks: Picks): ModelUnitItem => {
    const all = [...model.unitItems.values()];
    const fit = all.filter(
      ({ total, melted, texts }) => total > melted && texts["transferable"] !== "Bound",
    );
    const unfit = all.filter((item) => !fit.includes(item));
    const odd = unfit.length > 0 && picks.rarely(2) ? unfit : all;
    return picks.of(fit.length === 0 || picks.rarely(8) ? odd : fit);
  };

  const idOf = (item: ModelUnitItem, picks: Picks): string => {
    return picks.rarely(50) ? UNKNOWN.mrc402 : item.id;
  };

  /** Mostly a holder with free units. */
  const holderOf = ({ id }: ModelUnitItem, picks: Picks): string => {
    const holders = model.holders(id);
    const free = holders.filter((one) => model.units(id, one).balance > 0n);
    const from = picks.rarely(10) ? holders : free;
    return from.length === 0 ? anybody(picks) : picks.of(from);
  };

  const newItem = (picks: Picks): Record<string, unknown> => {
    const shareholders = Array.from({ length: picks.below(4) }, () => [
      picks.rarely(60) ? ledger.drawAddress() : anybody(picks),
      picks.of(RATES),
    ]);
    const reserve = TOKENS.filter(() => picks.rarely(2)).map((token) => [
      picks.rarely(50) ? "999" : token,
      String(1 + picks.below(20)),
    ]);
    return {
      totalsupply: picks.rarely(50) ? "0" : picks.of(["10", "1", "2", "5", "40", "300"]),
      creatorcommission: picks.of(RATES),
      shareholder: Object.fromEntries(shareholders),
      initialreserve: Object.fromEntries(reserve),
      ...(picks.rarely(4) && { expiredate: String(model.time + picks.below(4000)) }),
      ...(picks.rarely(3) && { platform_address: anybody(picks) }),
      ...(picks.rarely(2) && { platform_commission: picks.of(RATES) }),
    };
  };

  const create = (picks: Picks): Sent => {
    const { projects } = model;
    const project = picks.of([...projects.values()]);
    if (picks.rarely(3)) {
      const { shareholder, initialreserve, ...others } = newItem(picks);
      const params = {
        ...(others as Texts),
        name: "Print",
        url: "https://prints.example/",
        imageurl: "https://prints.example/i.png",
        shareholder: JSON.stringify(shareholder),
        initialreserve: JSON.stringify(initialreserve),
        allowtoken: picks.of(["", "", "0", "1"]),
        ...(picks.rarely(4) && { to: anybody(picks), signed: "full" }),
        ...(picks.rarely(4) && { attributes: JSON.stringify({ level: 7 }), signed: "full" }),
      };
      return sentBy("creator", "mrc402create", anybody(picks), params, picks);
    }
    const people = Object.entries(project.partner).filter(([, role]) => role !== "seller");
    const sellers = Object.keys(project.partner).filter((one) => project.partner[one] === "seller");
    const isSale = picks.rarely(3);
    const by = [project.owner, ...(isSale ? sellers : people.map(([address]) => address))];
    const elements = Array.from({ length: 1 + picks.below(2) }, () => {
      numbers += 1;
      const taken = [...model.unitItems.keys()].filter((id) => id.startsWith(project.id));
      const fresh = String(numbers).padStart(40, "1");
      const item_id = taken.length > 0 && picks.rarely(8) ? picks.of(taken).slice(-40) : fresh;
      return {
        ...newItem(picks),
        ...(picks.rarely(2) && { item_id }),
        sell_fee: picks.rarely(25) ? "99.9999" : picks.of([...FEES.slice(0, 4), "60", "0"]),
        melt_fee: picks.of(FEES),
        transferable: picks.of(["Permanent", "Temporary", "Permanent", "Temporary", "Bound"]),
        ...(("maxprice" in project.policy && !picks.rarely(16)) || picks.rarely(5)
          ? { face_price: picks.of(["20", "5", "40"]), face_token: picks.of(["", "0", "1"]) }
          : {}),
        ...desk.metadata(picks),
        ...(isSale ? desk.window(picks) : picks.rarely(5) ? { to: anybody(picks) } : {}),
        ...(isSale && {
          sell_price: String(1 + picks.below(40)),
          sell_token: picks.of(["0", "0", String(project.allow_token), "1"]),
        }),
      };
    });
    const mrc400id = picks.rarely(60) ? `MRC400_${"0".repeat(33)}` : project.id;
    const params = { mrc400id, itemdata: JSON.stringify(elements) };
    return sentBy("creator", "mrc402create", picks.of(by), params, picks);
  };

  const transfer = (picks: Picks): Sent => {
    const item = pickItem(picks);
    const from = holderOf(item, picks);
    const toAddr = picks.rarely(30) ? picks.of([from, ledger.drawAddress()]) : anybody(picks, from);
    const amount = picks.rarely(3) ? "" : picks.units(model.units(item.id, from).balance);
    const params = { mrc402id: idOf(item, picks), toAddr, amount };
    return sentBy("fromAddr", "mrc402transfer", from, params, picks);
  };

  const supply = (op: "mrc402mint" | "mrc402burn", picks: Picks): Sent => {
    const item = pickItem(picks);
    const most = op === "mrc402mint" ? 20n : model.units(item.id, item.creator).balance;
    const amount =
      op === "mrc402mint" && picks.rarely(6) ? picks.of(["99999999", "60000"]) : picks.units(most);
    const to = picks.rarely(20) ? ledger.drawAddress() : anybody(picks);
    const params = {
      ...{ mrc402id: idOf(item, picks), amount, memo: picks.of(["", "so|it"]) },
      ...(op === "mrc402mint" && picks.rarely(3) && { to, signed: "full" }),
    };
    return sentBy("address", op, item.creator, params, picks);
  };

  const melt = (picks: Picks): Sent => {
    const item = pickItem(picks);
    const by = holderOf(item, picks);
    const amount = picks.rarely(3) ? "" : picks.units(model.units(item.id, by).balance);
    const params = { mrc402id: idOf(item, picks), amount };
    return sentBy("address", "mrc402melt", by, params, picks);
  };

  const update = (picks: Picks): Sent => {
    const item = pickItem(picks);
    const params = {
      mrc402id: idOf(item, picks),
      url: picks.of(["", "https://a.example/", "https://b.example/"]),
      data: picks.of(["", "one", "two"]),
      information: picks.of(["", "a|b"]),
      copyright_registration_country: picks.of(["", "", "KR"]),
      ...(picks.rarely(3) && {
        attributes: JSON.stringify({ level: picks.below(3) }),
        signed: "full",
      }),
    };
    return sentBy("address", "mrc402update", item.creator, params, picks);
  };

  const itemUpdate = (picks: Picks): Sent => {
    const inProjects = [...model.unitItems.values()].filter(({ mrc400 }) => mrc400 !== "");
    if (inProjects.length === 0) {
      return update(picks);
    }
    const listed = inProjects.filter(({ id }) => model.open(id, "sell").length > 0);
    const item = picks.of(listed.length > 0 && picks.rarely(2) ? listed : inProjects);
    const others = inProjects.filter(
      ({ id, mrc400 }) => id !== item.id && mrc400 === item.mrc400 && picks.rarely(5),
    );
    const describes = picks.rarely(3);
    const elements = [item, ...others].map(({ id }) => ({
      item_id: picks.rarely(60) ? "f".repeat(40) : id.slice(-40),
      ...(picks.rarely(2) && { groupid: picks.of(["", "x", "y"]) }),
      ...(picks.rarely(3) && { item_url: picks.of(["", "https://i.example/"]) }),
      ...(!describes && desk.metadata(picks)),
      ...(describes && picks.rarely(2) && { attributes: { level: picks.below(3) } }),
      ...(!describes && picks.rarely(2) && { sell_fee: picks.of([...FEES, "75"]) }),
      ...(!describes && picks.rarely(2) && { melt_fee: picks.of(FEES) }),
      ...(!describes &&
        picks.rarely(3) && {
          transferable: picks.of(["Bound", "Temporary", "Permanent", "Bound"]),
        }),
    }));
    const by = describes ? item.creator : (model.projects.get(item.mrc400)?.owner as string);
    const params = { mrc400id: item.mrc400, itemdata: JSON.stringify(elements) };
    return sentBy("owner", "mrc402itemupdate", by, params, picks);
  };

  const platformFrom = (picks: Picks): Texts => {
    return picks.rarely(3)
      ? {
          platform_name: picks.of(["", "Market"]),
          platform_commission: picks.of(["", ...RATES]),
          platform_address: picks.rarely(40)
            ? ledger.drawAddress()
            : picks.of(["", anybody(picks)]),
        }
      : {};
  };

  const list = (op: "mrc402sell" | "mrc402auction", picks: Picks): Sent => {
    const { time } = model;
    const item = pickItem(picks);
    const project = model.projects.get(item.mrc400);
    const agents = Object.keys(project?.partner ?? {}).filter((one) =>
      model.isAgent(item, one as Address),
    );
    const by = agents.length > 0 && picks.rarely(3) ? picks.of(agents) : holderOf(item, picks);
    const seller = agents.includes(by) ? item.creator : by;
    const allowed = allowedOf(model, item);
    const termsOf = ({ id }: ModelUnitItem): Record<string, string> => {
      const start = 1 + picks.below(60);
      const end = time + picks.of([3600, 3700, 5000, 10, 90_000, 2_000_000]);
      const token = picks.rarely(60)
        ? "999"
        : picks.of(allowed === "0" ? TOKENS : ["0", allowed, allowed, "1"]);
      const amount = picks.units(model.units(id, seller).balance);
      return op === "mrc402sell"
        ? {
            id,
            token,
            amount,
            price: picks.rarely(15) ? "4000" : String(start),
            ...desk.window(picks),
            ...platformFrom(picks),
          }
        : {
            ...{ id, token, amount, start: String(start), ...platformFrom(picks) },
            ...(picks.rarely(3) && { extend: picks.of(["300", "3600"]) }),
            ...(picks.rarely(2) && { bidding: picks.of(["5", "3", "1"]) }),
            ...(picks.rarely(2) && {
              buynow: String(picks.rarely(20) ? start : start + 1 + picks.below(60)),
            }),
            ...(picks.rarely(2) && { end: String(end) }),
          };
    };
    if (picks.rarely(2)) {
      const others = [...model.unitItems.values()].filter(
        ({ id }) => id !== item.id && model.units(id, seller).balance > 0n && picks.rarely(4),
      );
      const itemdata = JSON.stringify([item, ...others].map(termsOf));
      const id = picks.rarely(6) ? picks.of([item.mrc400, item.id]) : "";
      return sentBy("seller", op, by, { itemdata, id }, picks);
    }
    const { start, bidding, buynow, end, ...terms } = termsOf(item);
    const begin = time + picks.of([600, 100, 2000, 0, 3000, -1, 600, 2_000_000]);
    const hasBegin = picks.rarely(2);
    const length = picks.of([3600, 4000, 3601, 3599, 86_400, 1_814_401]);
    const auction = {
      auction_start_price: start ?? "",
      auction_bidding_unit: bidding ?? "",
      auction_buynow_price: buynow ?? "",
      auction_start_date: hasBegin ? String(begin) : "",
      auction_end_date: end === undefined ? "" : String((hasBegin ? begin : time) + length),
    };
    const isFull = "extend" in terms || "sell_start" in terms || "sell_end" in terms;
    const params = {
      ...{ ...terms, ...(op === "mrc402auction" && auction) },
      ...(isFull && { signed: "full" }),
    };
    return sentBy("seller", op, by, { ...params, id: idOf(item, picks) }, picks);
  };

  const cancel = (
    op: "mrc402unsell" | "mrc402unauction",
    side: "sell" | "auction",
    picks: Picks,
  ): Sent => {
    const isFree = ({ lot }: Listed): boolean => lot.leader === "";
    const listing = desk.target("mrc402", side, picks, isFree);
    const item = model.unitItems.get(listing?.item ?? "") ?? pickItem(picks);
    const project = model.projects.get(item.mrc400);
    const agents = Object.keys(project?.partner ?? {}).filter((one) =>
      model.isAgent(item, one as Address),
    );
    const seller = listing?.lot.seller ?? item.creator;
    const by = agents.length > 0 && picks.rarely(3) ? picks.of(agents) : seller;
    const dexid = listing?.lot.id ?? UNKNOWN_UNIT_LISTING;
    if (picks.rarely(2)) {
      const id = picks.rarely(30) ? item.id : dexid;
      return sentBy("seller", op, by, { id }, picks);
    }
    const others = [...model.unitListings.values()].filter(
      (one) =>
        one.seller === seller && one.state === "open" && one.side === side && picks.rarely(4),
    );
    const ids = [
      ...new Set([picks.of([item.id, dexid, item.id]), ...others.map((one) => one.dexid)]),
    ];
    return sentBy("seller", op, by, { itemdata: JSON.stringify(ids) }, picks);
  };

  const makeOffer = (picks: Picks): Sent => {
    const { time } = model;
    const picky = [...model.unitItems.values()].filter((one) => allowedOf(model, one) !== "0");
    const item = picky.length > 0 && picks.rarely(3) ? picks.of(picky) : pickItem(picks);
    const allowed = allowedOf(model, item);
    const usual = picks.of(allowed === "0" ? TOKENS : ["0", allowed, item.face.token]);
    const token = picks.rarely(4) ? picks.of(["1", "2", "999"]) : usual;
    const price = picks.rarely(15) ? "4000" : String(1 + picks.below(40));
    const amount = picks.units(10n);
    const all = BigInt(price) * BigInt(amount);
    const people = model.addresses.slice(1);
    const able = people.filter((one) => model.free(one, token) >= all);
    const buyer = picks.of(able.length === 0 || picks.rarely(10) ? people : able);
    const ends = [3600, 90_000, 7_776_000, 7200, 3600, 3599, 7_776_001];
    const end = String(time + picks.of(picks.rarely(5) ? ends : ends.slice(0, 5)));
    const guards = picks.rarely(4)
      ? guardsFor(item.texts["transferable"] ?? "Permanent", picks, 1)
      : {};
    const params = { id: idOf(item, picks), amount, price, token, end, signed: "full" };
    return sentBy("buyer", "mrc402offer", buyer, { ...params, ...guards }, picks);
  };

  const accept = (picks: Picks): Sent => {
    const offer = desk.anyOffer(model.unitOffers, picks);
    const item = model.unitItems.get(offer?.id ?? "") ?? pickItem(picks);
    const holders = model.holders(item.id).filter((one) => one !== offer?.buyer);
    const seller =
      holders.length > 0 && !picks.rarely(6) ? picks.of(holders) : holderOf(item, picks);
    const amount = picks.rarely(6)
      ? picks.units(model.all(item.id, seller))
      : picks.units(BigInt(offer?.remain_amount ?? 1));
    const params = {
      offerid: picks.rarely(40) ? NO_OFFER : (offer?.offerid ?? NO_OFFER),
      amount,
      atleast: picks.of(["", "", "1", picks.rarely(2) ? "100000" : ""]),
      signed: "full",
    };
    return sentBy("seller", "mrc402acceptoffer", seller, params, picks);
  };

  const setPolicy = (picks: Picks): Sent => {
    const project = picks.of([...model.projects.values()]);
    const { policy = '{"maxheld":20}' } = policyFrom(picks, model.time);
    const owner = project.owner as Address;
    const params = { mrc400id: project.id, policy, signed: "full" };
    return desk.signed("mrc400update", owner, params, desk.keyOf(owner));
  };

  const sell: Maker = (picks) => list("mrc402sell", picks);
  const auction: Maker = (picks) => list("mrc402auction", picks);
  const alive = (): number =>
    [...model.unitItems.values()].filter(({ total, melted }) => total > melted).length;
  return {
    mrc402create: (picks) => (alive() < ITEMS_MAX ? create : transfer)(picks),
    mrc402transfer: transfer,
    mrc402mint: (picks) => supply("mrc402mint", picks),
    mrc402burn: (picks) => supply("mrc402burn", picks),
    mrc402melt: melt,
    mrc402update: update,
    mrc402itemupdate: itemUpdate,
    mrc402sell: sell,
    mrc402auction: auction,
    mrc402unsell: (picks) =>
      desk.lacks("mrc402", "sell", picks) ? sell(picks) : cancel("mrc402unsell", "sell", picks),
    mrc402unauction: (picks) =>
      desk.lacks("mrc402", "auction", picks)
        ? auction(picks)
        : cancel("mrc402unauction", "auction", picks),
    /** A policy for the units of a project to come. */
    policy: setPolicy,
    ...tradeMakers(desk, "mrc402", { sell, auction }),
    ...offerEndMakers(desk, "mrc402", { offer: makeOffer, accept }),
  };
}
