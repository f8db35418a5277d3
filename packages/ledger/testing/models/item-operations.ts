import type { Address, Texts } from "@moneta/protocol";
import { PROJECT, type ProjectShown } from "../trade/creations.ts";
import type { ItemShown } from "../trade/item-terms.ts";
import { derivedNumber, isEndedSale, type Phase, phaseOf } from "./item-rules.ts";
import type { Sent } from "./ledger-model.ts";
import { type Fields as Element, MOST } from "./model-terms.ts";
import { offerEndMakers, tradeMakers } from "./trade-operations.ts";
import {
  guardsFor,
  type Maker,
  type Makers,
  NO_ADDRESS,
  type Picks,
  type TradingDesk,
  UNKNOWN,
  UNKNOWN_PROJECT,
  UNKNOWN_TOKEN,
} from "./trading-desk.ts";

const NO_OFFER = `OFF401_${"0".repeat(33)}`;
/** With more items, few would be used twice. */
const ITEMS_MAX = 24;
const PROJECTS_MAX = 6;
const FEES = ["0", "10", "2.50", "33.3333", "99.9999", ""];

/** Projects, and items and their trades. */
export function itemMakers(desk: TradingDesk): Makers {
  const { model, ledger } = desk;
  let numbers = 0;

  const inPhases = (phases: readonly Phase[]): ItemShown[] =>
    [...model.items.values()].filter(
      (item) =>
        phases.includes(phaseOf(item)) ||
        (phases.includes("idle") && isEndedSale(item, model.time)),
    );
  const lacks = (phases: readonly Phase[], picks: Picks): boolean =>
    inPhases(phases).length === 0 && !picks.rarely(8);

  /** An item in one of these states that is not bound, or mostly so: rarely any other. */
  const pickItem = (phases: readonly Phase[], picks: Picks): ItemShown | undefined => {
    const fit = inPhases(phases).filter(
      ({ transferable }) => transferable !== "Bound" || picks.rarely(6),
    );
    const all = [...model.items.values()];
    const unfit = all.filter((item) => !fit.includes(item));
    const odd = unfit.length > 0 && picks.rarely(2) ? unfit : all;
    const from = fit.length === 0 || picks.rarely(7) ? odd : fit;
    return from.length === 0 ? undefined : picks.of(from);
  };

  /** An item, and sometimes others with it that are in the same state and have the same holder. */
  const several = (item: ItemShown, picks: Picks): readonly ItemShown[] => {
    if (!picks.rarely(5)) {
      return [item];
    }
    const like = inPhases([phaseOf(item)]).filter(
      ({ id, holder, mrc400 }) =>
        id !== item.id && holder === item.holder && mrc400 === item.mrc400,
    );
    return [item, ...like.slice(0, 1 + picks.below(2))];
  };

  const pickProject = (picks: Picks): ProjectShown => {
    const all = [...model.projects.values()];
    return picks.rarely(4) ? picks.of(all) : (all[0] as ProjectShown);
  };

  /** A token for a project's goods: mostly one that it allows. */
  const tokenFor = ({ allow_token: only }: ProjectShown, picks: Picks): string => {
    const odd = picks.rarely(12) ? picks.of(["1", "2", UNKNOWN_TOKEN]) : undefined;
    return odd ?? picks.of(only === 0 ? ["0", "0", "1", "2"] : ["0", String(only)]);
  };

  const withRole = (role: string, { owner, partner }: ProjectShown): Address => {
    const found = Object.keys(partner).find((address) => partner[address] === role);
    return (found ?? owner) as Address;
  };

  /** Roles of a project: mostly those that it began with. */
  const rolesFrom = (picks: Picks): Texts => {
    const [, , p, s, c, a, b] = model.addresses as readonly string[];
    const usual = { [p as string]: "partner", [s as string]: "seller", [c as string]: "creator" };
    const change = {
      [picks.of([p, s, c, a, b]) as string]: picks.of(["partner", "saller", "seller", "creator"]),
    };
    return picks.rarely(3) ? change : { ...usual, ...change };
  };

  const faultyRoles = (picks: Picks): { readonly [name: string]: Texts } => {
    const [, , p] = model.addresses as readonly string[];
    return {
      role: { partner: JSON.stringify({ [p as string]: "boss" }) },
      stranger: { partner: JSON.stringify({ [ledger.drawAddress()]: "seller" }) },
      form: { partner: JSON.stringify({ [NO_ADDRESS]: "seller" }) },
      shape: { partner: picks.of(["[]", '{"a":1}', "{"]) },
      social: { socialmedia: '{"homepage":1}' },
      token: { allowtoken: picks.of([UNKNOWN_TOKEN, "x", "1".repeat(17)]) },
      policy: {
        signed: "full",
        policy: picks.of([
          ...["[]", '{"transfers":1}', '{"price":"5"}', '{"transfers":"some"}'],
          ...['{"opens":"x"}', '{"closes":"-1"}', '{"opens":9,"closes":9}', '{"cooldown":"-1"}'],
          '{"maxprice":"0"}',
        ]),
      },
      bar: { name: "a|b" },
    };
  };

  const openProject = (picks: Picks): Sent => {
    const owner = desk.other(picks);
    const odd = picks.odd({
      ...faultyRoles(picks),
      nameless: { name: "" },
      nobody: { owner: ledger.drawAddress() },
    });
    const params = {
      ...PROJECT,
      owner,
      allowtoken: picks.of(["", "1", "0"]),
      partner: picks.rarely(3) ? "" : JSON.stringify(rolesFrom(picks)),
      socialmedia: picks.of(["", '{"homepage":"https://rpg.example/"}']),
      ...policyFrom(picks, model.time),
      ...odd,
    };
    return desk.signed("mrc400create", params.owner as Address, params, desk.key(owner, picks));
  };

  const reform = (picks: Picks): Sent => {
    const one = pickProject(picks);
    const { owner, name, partner, allow_token: token } = one;
    const odd = picks.odd<Texts>({
      ...faultyRoles(picks),
      unknown: { mrc400id: UNKNOWN_PROJECT },
      nothing: { partner: "", allowtoken: "" },
      same: { name, partner: JSON.stringify(partner), allowtoken: String(token) },
    });
    const params = {
      mrc400id: one.id,
      ...picks.of<Texts>([
        { partner: JSON.stringify(rolesFrom(picks)) },
        { allowtoken: picks.of(["0", "0", "1", "2"]) },
        { partner: "{}", description: `Items ${picks.below(3)}` },
        { socialmedia: picks.of(["{}", '{"homepage":"https://rpg.example/"}']), name: "RPG" },
        policyFrom(picks, model.time),
        policyFrom(picks, model.time),
        policyFrom(picks, model.time),
      ]),
      ...odd,
    };
    return desk.signed("mrc400update", owner as Address, params, desk.key(owner as Address, picks));
  };

  /** Terms of an auction under the names of mrc401 §14. */
  const lotTerms = (picks: Picks): Element => {
    const { time } = model;
    const start = 1 + picks.below(40);
    return {
      start: picks.rarely(2) ? start : String(start),
      bidding: picks.of(["", "5", "3"]),
      [picks.of(["buynow", "bnynow"])]: picks.of(["", String(start + 7), "0", String(start + 90)]),
      end: picks.of(["", "0", String(time + 10), String(time + 7200), String(time + 1_814_401)]),
      ...(picks.rarely(3) ? { extend: picks.of(["300", 3600, "3600", "0"]) } : {}),
    };
  };

  /** A face price, where a policy needs one or rarely. */
  const faceTerms = ({ policy }: ProjectShown, picks: Picks): Element => {
    const isNeeded = "maxprice" in policy && !picks.rarely(20);
    return isNeeded || picks.rarely(5)
      ? { face_price: picks.of(["60", "40", "7"]), face_token: picks.of(["", "0", "0", "1", "2"]) }
      : {};
  };

  const priceFrom = (picks: Picks): string => {
    return picks.rarely(8) ? "5000" : String(1 + picks.below(90));
  };

  const newElement = (one: ProjectShown, isListed: boolean, picks: Picks): Element => {
    const isAuction = isListed && picks.rarely(3);
    const lot = lotTerms(picks);
    const auction: Element = {
      auction_start_price: lot["start"] as string,
      auction_token: tokenFor(one, picks),
      auction_bidding_unit: lot["bidding"] as string,
      auction_buynow_price: lot["buynow"] ?? lot["bnynow"] ?? "",
      auction_end: lot["end"] as string,
      auction_extend: lot["extend"],
    };
    const sale = {
      ...desk.window(picks),
      sell_price: priceFrom(picks),
      sell_token: tokenFor(one, picks),
    };
    numbers += 1;
    return {
      ...(picks.rarely(3) ? {} : { item_id: String(numbers).padStart(40, "0") }),
      groupid: picks.of(["", "sword"]),
      initial_reserve: picks.of(["", String(picks.below(100)), picks.below(100), "7"]),
      initial_token: tokenFor(one, picks),
      sell_fee: picks.of(FEES),
      [picks.of(["melt_fee", "melting_fee"])]: picks.of(FEES),
      transferable: isListed
        ? picks.of(["", "Temporary", "Temprary"])
        : picks.of(["", "Temporary", "Bound", "Permanent", "Temprary"]),
      expiredate: picks.rarely(3) ? String(model.time + picks.of([100, 3000, -5])) : "",
      ...desk.metadata(picks),
      ...faceTerms(one, picks),
      ...(!isListed && picks.rarely(4) ? { to: desk.other(picks) } : {}),
      ...(isAuction ? auction : isListed ? sale : {}),
    };
  };

  /** Faults of an element of a creation, and mostly of an update. */
  const faultyElements = (picks: Picks): { readonly [name: string]: Element } => {
    return {
      number: { item_id: picks.of(["0".repeat(39), `-${"0".repeat(39)}`]) },
      project: { id: UNKNOWN.mrc401, item_id: "" },
      rate: { sell_fee: picks.of(["100", "1.00001", "-1"]) },
      kind: { sell_fee: 2 },
      fees: { melt_fee: "5", melting_fee: "6" },
      word: { transferable: "temporary" },
      group: { groupid: "g".repeat(65) },
      hash: { metadatahash: picks.of(["A".repeat(64), "a".repeat(63)]) },
      frozen: { frozen: picks.of(["x", "253402300800"]) },
      attributes: {
        attributes: picks.of<object>([
          [],
          { "a:b": 1 },
          { level: 1.5 },
          { level: { of: 1 } },
          { level: -1 },
          Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`n${n}`, n])),
          { text: "x".repeat(257) },
        ]),
      },
    };
  };

  const create = (picks: Picks): Sent => {
    const one = pickProject(picks);
    const role = picks.of(["owner", "partner", "seller", "creator"]);
    const isStrange = picks.rarely(8);
    const actor = isStrange ? desk.other(picks) : withRole(role, one);
    const isListed = role === "seller" ? !picks.rarely(10) : role !== "creator" && picks.rarely(2);
    const elements = Array.from({ length: picks.rarely(3) ? 2 : 1 }, () =>
      newElement(one, isListed, picks),
    );
    const [first = {}] = elements;
    const used = picks.of([UNKNOWN.mrc401, ...model.items.keys()]).slice(-40);
    const key = desk.key(actor, picks);
    const isUsed = picks.rarely(15);
    const odd = picks.odd<Element>({
      ...faultyElements(picks),
      integer: { initial_reserve: picks.of(["01", "-1", "1.5"]) },
      date: { expiredate: picks.of(["253402300800", "x"]) },
      both: { sell_price: "5", auction_start_price: "5" },
      cheap: { auction_start_price: "10", auction_buynow_price: "10", sell_price: "" },
      unit: { auction_bidding_unit: "0" },
      face: { face_price: picks.of(["0", "x"]), face_token: "" },
      faceToken: { face_price: "5", face_token: UNKNOWN_TOKEN },
      extend: { auction_extend: picks.of(["3601", "x"]) },
      window: { sell_start: picks.of(["x", "253402300800"]) },
      late: { sell_price: "5", auction_start_price: "", sell_end: String(model.time) },
      stranger: { to: ledger.drawAddress(), sell_price: "", auction_start_price: "" },
      noAddress: { to: NO_ADDRESS, sell_price: "", auction_start_price: "" },
      listedFor: { to: desk.other(picks), sell_price: "5", auction_start_price: "" },
      bound: { transferable: "Bound", sell_price: "5", auction_start_price: "" },
      "too much": { initial_reserve: String(desk.free(actor, "0") + 1n), initial_token: "0" },
      "no end": { initial_reserve: String(MOST) },
    });
    const faulty = isUsed ? { item_id: used } : odd;
    const changed = faulty ? [...elements.slice(1), { ...first, ...faulty }] : elements;
    const lists = {
      twice: [...changed, ...changed].map((element) => ({ item_id: "1".repeat(40), ...element })),
      // The second gets by default what the first requests.
      derived: [{ item_id: derivedNumber(one.id, key.text, 1), initial_reserve: "5" }, {}],
      none: [],
      many: Array.from({ length: 101 }, () => ({})),
      attributes: Array.from({ length: 26 }, () => ({
        attributes: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`n${n}`, n])),
      })),
      boundless: [first, first].map((element) => ({
        ...element,
        item_id: "",
        initial_reserve: String(MOST),
      })),
      object: {},
      nothing: undefined,
    };
    const list = picks.rarely(12) ? picks.of(Object.values(lists)) : changed;
    const params = {
      mrc400id: picks.rarely(30) ? UNKNOWN_PROJECT : one.id,
      itemdata: list === undefined ? "" : JSON.stringify(list),
    };
    return desk.by("creator", "mrc401create", actor, params, picks, { key });
  };

  const update = (picks: Picks): Sent => {
    const listed = inPhases(["sale", "open", "bid"]);
    const bindable = listed.filter(({ transferable }) => transferable === "Temporary");
    // Items that become Bound while they are listed are tried often.
    const isBinding = bindable.length > 0 && picks.rarely(4);
    const item = isBinding ? picks.of(bindable) : pickItem(["idle", "sale", "open", "bid"], picks);
    if (item === undefined) {
      return create(picks);
    }
    const { owner } = model.projectOf(item) as ProjectShown;
    const others = [owner, item.creator, item.holder || owner];
    const actor = (isBinding ? owner : picks.of([owner, ...others])) as Address;
    const describes: Element = { groupid: picks.of(["", "sword", "shield"]) };
    const terms = picks.of<Element>([
      ...(isBinding ? [{ transferable: "Bound" }] : []),
      {
        transferable:
          item.transferable === "Temporary"
            ? picks.of(["Bound", "Bound", "Permanent"])
            : picks.of(["Bound", "Permanent", "Temporary"]),
      },
      { sell_fee: picks.of(FEES) },
      { sell_fee: picks.of(FEES), melt_fee: picks.of(FEES) },
    ]);
    const isOfTerms = isBinding || picks.rarely(actor === owner ? 2 : 6);
    const shows = desk.metadata(picks);
    const name: Element = picks.rarely(2) ? { id: item.id } : { item_id: item.id.slice(-40) };
    const { sell_fee, groupid } = item;
    const odd = picks.odd<Element>({
      ...faultyElements(picks),
      same: { sell_fee, groupid, transferable: "", melt_fee: "" },
      unknown: { item_id: "f".repeat(40), id: "" },
      unnamed: { item_id: "", id: "" },
    });
    const element = { ...name, ...(isOfTerms ? terms : describes), ...shows, ...odd };
    const more = picks.rarely(5) ? several(item, picks).slice(1) : [];
    const also: readonly Element[] = more.map(({ id }) => ({ id, ...describes }));
    const itemdata = picks.rarely(25) ? [element, element] : [element, ...also];
    const params = { mrc400id: item.mrc400, itemdata: JSON.stringify(itemdata) };
    return desk.by("creator", "mrc401update", actor, params, picks);
  };

  const give = (picks: Picks): Sent => {
    const item = pickItem(["idle"], picks);
    const from = (item?.holder || desk.other(picks)) as Address;
    const ids = item === undefined ? [UNKNOWN.mrc401] : several(item, picks).map(({ id }) => id);
    const [id = ""] = ids;
    const isBatch = ids.length > 1 || picks.rarely(4);
    const strange = [...model.items.values()].filter(
      ({ mrc400 }) => mrc400 !== item?.mrc400 || picks.rarely(4),
    );
    const any = picks.of([UNKNOWN.mrc401, ...strange.map((other) => other.id)]);
    const usual: Texts = isBatch ? { itemdata: JSON.stringify(ids) } : { mrc401id: id };
    const odd = picks.odd<Texts>({
      oneself: { toAddr: from },
      stranger: { toAddr: ledger.drawAddress() },
      address: { toAddr: NO_ADDRESS },
      thief: { fromAddr: desk.other(picks, from) },
      both: { itemdata: JSON.stringify(ids), mrc401id: id },
      neither: { itemdata: "", mrc401id: "" },
      any: { mrc401id: "", itemdata: JSON.stringify([id, any]) },
      shape: { mrc401id: "", itemdata: picks.of(["[]", "{}", "[1]"]) },
    });
    const params = { fromAddr: from, toAddr: desk.other(picks, from), ...usual, ...odd };
    const actor = params.fromAddr as Address;
    return desk.signed("mrc401transfer", actor, params, desk.key(actor, picks));
  };

  /** An address that may list or unlist an item, in most cases. */
  const listerOf = (item: ItemShown, picks: Picks): Address => {
    const one = model.projectOf(item) as ProjectShown;
    const byRole = withRole(picks.of(["partner", "seller"]), one);
    const isByRole = item.owner === "" && picks.rarely(2);
    const usual = (isByRole ? byRole : item.holder || byRole) as Address;
    return picks.rarely(10) ? desk.other(picks) : usual;
  };

  const list = (op: "mrc401sell" | "mrc401auction", picks: Picks): Sent => {
    const item = pickItem(["idle"], picks);
    if (item === undefined) {
      return create(picks);
    }
    const one = model.projectOf(item) as ProjectShown;
    const isSale = op === "mrc401sell";
    const elements = several(item, picks).map(({ id }): Element => {
      const price = { [picks.of(["price", "amount"])]: priceFrom(picks) };
      const terms = isSale ? { ...price, ...desk.window(picks) } : lotTerms(picks);
      return { id, token: tokenFor(one, picks), ...terms };
    });
    const [first = {}] = elements;
    const odd = picks.odd<Element>({
      unknown: { id: UNKNOWN.mrc401 },
      free: { price: "0", amount: undefined, start: "0" },
      two: { price: "5", amount: "6" },
      unpriced: { price: undefined, amount: undefined, start: undefined },
      missing: { token: "" },
      token: { token: "x" },
      cheap: { start: "10", buynow: "10", bnynow: undefined, price: "x", amount: undefined },
      end: { end: "x", price: "1.5", amount: undefined },
      extend: { extend: "3601", sell_end: String(model.time) },
      window: { sell_start: String(model.time + 31_536_001), extend: "x" },
    });
    const changed = odd === undefined ? elements : [{ ...first, ...odd }, ...elements.slice(1)];
    const list = picks.rarely(20) ? [...changed, ...changed] : changed;
    return listingOf(op, item, JSON.stringify(list), picks);
  };

  const takeOff = (
    op: "mrc401unsell" | "mrc401unauction",
    phases: readonly Phase[],
    picks: Picks,
  ): Sent => {
    const from: readonly Phase[] = picks.rarely(3) ? ["open", "bid", "sale"] : phases;
    const item = pickItem(from, picks);
    if (item === undefined) {
      return create(picks);
    }
    const ids = several(item, picks).map(({ id }) => id);
    const odd = picks.odd({
      twice: [...ids, ...ids],
      unknown: [UNKNOWN.mrc401],
      none: [],
      object: [{}],
    });
    return listingOf(op, item, JSON.stringify(odd ?? ids), picks);
  };

  const listingOf = (op: string, item: ItemShown, itemdata: string, picks: Picks): Sent => {
    const other = picks.of([UNKNOWN_PROJECT, ...model.projects.keys()]);
    const mrc400id = picks.rarely(3) ? item.mrc400 : picks.rarely(15) ? other : "";
    const params = { itemdata: picks.rarely(40) ? "" : itemdata, mrc400id };
    return desk.by("seller", op, listerOf(item, picks), params, picks);
  };

  const melt = (picks: Picks): Sent => {
    const item = pickItem(["idle"], picks);
    const holder = item?.holder || desk.other(picks);
    const actor = (picks.rarely(6) ? desk.other(picks) : holder) as Address;
    const mrc401id = picks.rarely(20) ? UNKNOWN.mrc401 : (item?.id ?? UNKNOWN.mrc401);
    return desk.by("address", "mrc401melt", actor, { mrc401id }, picks);
  };

  const makeOffer = (picks: Picks): Sent => {
    const { time } = model;
    const item = pickItem(["idle", "sale"], picks);
    const one = item === undefined ? pickProject(picks) : (model.projectOf(item) as ProjectShown);
    const isOfProject = item === undefined || picks.rarely(3);
    const price = priceFrom(picks);
    const face = item !== undefined && picks.rarely(3) ? item.face_token : undefined;
    const token = face ?? tokenFor(one, picks);
    const holder = (item?.holder ?? "") as Address;
    const isHolder = holder !== "" && picks.rarely(15);
    const buyer = isHolder ? holder : desk.able(token, BigInt(price), picks, holder);
    const guards = picks.rarely(4) ? guardsFor(item?.transferable ?? "Permanent", picks, 1) : {};
    const odd = picks.odd<Texts>({
      unknown: { id: picks.of([UNKNOWN.mrc401, UNKNOWN_PROJECT]), groupid: "" },
      group: { id: item?.id ?? UNKNOWN.mrc401, groupid: "sword" },
      price: { price: picks.of(["0", "01", ""]) },
      end: { end: picks.of([String(time + 3599), String(time + 7_776_001), "x", ""]) },
      token: { token: picks.of([UNKNOWN_TOKEN, "x"]) },
      poor: { price: String(desk.free(buyer, token) + 1n) },
    });
    const params = {
      id: isOfProject ? one.id : item.id,
      groupid: isOfProject ? picks.of(["", "sword", "shield"]) : "",
      price,
      token,
      end: String(time + picks.of([3600, 90_000, 7_776_000, 7200])),
      signed: "full",
      ...guards,
      ...odd,
    };
    return desk.by("buyer", "mrc401offer", buyer, params, picks);
  };

  const accept = (picks: Picks): Sent => {
    const { items, addresses } = model;
    const offer = desk.anyOffer(model.itemOffers, picks);
    const { id = "", groupid = "", buyer = "" } = offer ?? {};
    const any = [...items.values()];
    const meant = any.filter(
      (item) => item.id === id || (item.mrc400 === id && ["", item.groupid].includes(groupid)),
    );
    const fits = meant.filter(
      (item) => item.holder !== buyer && ["idle", "sale"].includes(phaseOf(item)),
    );
    const odd = meant.length > 0 && !picks.rarely(3) ? meant : any;
    const barred = meant.filter((one) => one.transferable === "Bound" || phaseOf(one) === "melted");
    const from = fits.length === 0 || picks.rarely(5) ? (picks.rarely(2) ? barred : odd) : fits;
    const item = from.length === 0 ? undefined : picks.of(from);
    const holder = (item?.holder || picks.of(addresses)) as Address;
    const seller = picks.rarely(12) ? desk.other(picks) : holder;
    const isNamed = id !== item?.id || picks.rarely(2);
    const wrong = picks.odd<Texts>({
      unknown: { offerid: NO_OFFER },
      item: { mrc401id: picks.of([UNKNOWN.mrc401, ""]) },
      other: { mrc401id: picks.of([UNKNOWN.mrc401, ...items.keys()]) },
      much: { atleast: offer?.price ?? "1" },
      form: { atleast: "01" },
    });
    const params = {
      offerid: offer?.offerid ?? NO_OFFER,
      mrc401id: isNamed ? (item?.id ?? UNKNOWN.mrc401) : "",
      atleast: picks.of(["", "", "1", offer?.price ?? "1"]),
      signed: "full",
      ...wrong,
    };
    return desk.by("seller", "mrc401acceptoffer", seller, params, picks);
  };

  const sell: Maker = (picks) =>
    lacks(["idle"], picks) ? create(picks) : list("mrc401sell", picks);
  const auction: Maker = (picks) =>
    lacks(["idle"], picks) ? create(picks) : list("mrc401auction", picks);
  return {
    mrc400create: (picks) => (model.projects.size < PROJECTS_MAX ? openProject : reform)(picks),
    mrc400update: reform,
    mrc401create(picks) {
      const isFull = inPhases(["idle", "sale", "open", "bid"]).length >= ITEMS_MAX;
      return (isFull ? reform : create)(picks);
    },
    mrc401update: update,
    mrc401transfer: (picks) => (lacks(["idle"], picks) ? create : give)(picks),
    mrc401melt: melt,
    mrc401sell: sell,
    mrc401auction: auction,
    mrc401unsell: (picks) =>
      lacks(["sale"], picks) ? sell(picks) : takeOff("mrc401unsell", ["sale"], picks),
    mrc401unauction: (picks) =>
      lacks(["open"], picks) ? auction(picks) : takeOff("mrc401unauction", ["open"], picks),
    ...tradeMakers(desk, "mrc401", { sell, auction }),
    ...offerEndMakers(desk, "mrc401", { offer: makeOffer, accept }),
  };
}

/** The policy of a project, by the names of the wire; mostly one that lets much happen. */
export function policyFrom(picks: Picks, time: number): Texts {
  const policies = [
    {},
    { transfers: "market" },
    { maxprice: "110" },
    { maxheld: "1" },
    { cooldown: 3600 },
    { terms: "fixed" },
    { transfers: "issuer" },
    { transfers: "none", maxheld: "0" },
    { maxprice: "50.50", transfers: "market", terms: "fixed" },
    { maxheld: 2, cooldown: "4000", transfers: "free" },
    { opens: String(time + 3000), closes: time + 90_000 },
    { closes: String(time + 7200), maxheld: 3 },
  ];
  return picks.rarely(2)
    ? {}
    : { policy: JSON.stringify(picks.of<object>(policies)), signed: "full" };
}
