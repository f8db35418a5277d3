import assert from "node:assert/strict";
import type { Address, Texts } from "@moneta/protocol";
import fc from "fast-check";
import { ITEM } from "../../state/item-entry.ts";
import { PROJECT as PROJECT_ENTRY } from "../../state/project-entry.ts";
import { KEY_SECONDS, type TestLedger } from "../test-ledger.ts";
import type { ProjectShown } from "../trade/creations.ts";
import type { ItemShown } from "../trade/item-terms.ts";
import {
  derivedNumber,
  type Element,
  ItemModel,
  type ItemOfferShown,
  isEndedSale,
  type Phase,
  phaseOf,
} from "./item-model.ts";
import { Picks } from "./picks.ts";
import type { Sent, TestKey } from "./token-model.ts";
import { Traders, textOf } from "./token-operations.ts";

/**
 * One step of a run: what is tried, and numbers from which all the rest is chosen by what there is
 * then.
 */
export interface ItemStep {
  readonly kind: Kind;
  readonly picks: readonly number[];
}

const WEIGHTS = {
  transfer: 2,
  mrc400create: 2,
  mrc400update: 6,
  mrc401create: 7,
  mrc401update: 6,
  mrc401transfer: 4,
  mrc401sell: 5,
  mrc401unsell: 3,
  mrc401buy: 7,
  mrc401melt: 4,
  mrc401auction: 5,
  mrc401unauction: 3,
  mrc401bid: 9,
  mrc401auctionfinish: 4,
  mrc401offer: 6,
  mrc401acceptoffer: 9,
  mrc401unoffer: 2,
  mrc401offerfinish: 2,
  /** An earlier operation, signed again. */
  again: 6,
} as const;
type Kind = keyof typeof WEIGHTS;
type Op = Exclude<Kind, "again">;

export const itemSteps: fc.Arbitrary<ItemStep> = fc.record({
  kind: fc.oneof(
    ...Object.entries(WEIGHTS).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  picks: fc.array(fc.noBias(fc.nat(9999)), { minLength: 40, maxLength: 40 }),
});

const UNKNOWN_TOKEN = "999";
const UNKNOWN_PROJECT = `MRC400_${"0".repeat(33)}`;
const UNKNOWN_ITEM = `${UNKNOWN_PROJECT}_${"0".repeat(40)}`;
const UNKNOWN_OFFER = `OFF401_${"0".repeat(33)}`;
const NO_ADDRESS = "MTnobody" as Address;
const MOST = String(10n ** 40n);
/** With more items than this nobody would come back to one. */
const ITEMS_MAX = 18;
const PROJECTS_MAX = 4;

const PROJECT = {
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/p.png",
  category: "game",
  description: "Items of a game",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "https://rpg.example/image/{id}",
  data: "{}",
};

const FEES = ["0", "10", "2.50", "33.3333", "99.9999", ""];

/**
 * Who sends operations on projects and items, and knows from the model what makes sense: most are
 * accepted, the others mostly wrong in one point.
 */
export class ItemTraders {
  readonly #ledger: TestLedger;
  readonly #model: ItemModel;
  readonly #signer: Traders;
  readonly #sent: Sent[] = [];
  #numbers = 0;

  constructor(ledger: TestLedger, model: ItemModel) {
    this.#ledger = ledger;
    this.#model = model;
    this.#signer = new Traders(ledger, model.money);
  }

  /** The operation of a step, which the model has yet to judge. */
  send({ kind, picks: numbers }: ItemStep): Sent {
    const picks = new Picks(numbers);
    const isAgain = kind === "again" && this.#sent.length > 0;
    const sent = isAgain
      ? picks.of(this.#sent.slice(-20))
      : this.#make(kind === "again" ? "mrc401create" : kind, picks);
    this.#sent.push(sent);
    return sent;
  }

  signed(op: string, actor: Address, params: Texts, key?: TestKey, decided: Texts = {}): Sent {
    return this.#signer.signed(op, actor, params, key, decided);
  }

  /** A new project, for an owner who gives these roles. */
  project(owner: Address, partner: Texts, more: Texts = {}): Sent {
    const params = { ...PROJECT, owner, partner: JSON.stringify(partner), ...more };
    return this.signed("mrc400create", owner, params);
  }

  #make(op: Op, picks: Picks): Sent {
    const { items, projects } = this.#model;
    const alive = [...items.values()].filter((item) => phaseOf(item) !== "melted").length;
    switch (op) {
      case "transfer":
        return this.#pay(picks);
      case "mrc400create":
        return projects.size < PROJECTS_MAX ? this.#open(picks) : this.#reform(picks);
      case "mrc400update":
        return this.#reform(picks);
      case "mrc401create":
        return alive < ITEMS_MAX ? this.#create(picks) : this.#bid(picks);
      case "mrc401update":
        return alive > 0 ? this.#update(picks) : this.#create(picks);
      case "mrc401transfer":
        return this.#lacks(["idle"], picks) ? this.#create(picks) : this.#give(picks);
      case "mrc401sell":
      case "mrc401auction":
        return this.#lacks(["idle"], picks) ? this.#create(picks) : this.#list(op, picks);
      case "mrc401unsell":
        return this.#lacks(["sale"], picks)
          ? this.#list("mrc401sell", picks)
          : this.#takeOff(op, ["sale"], picks);
      case "mrc401unauction":
        return this.#lacks(["open"], picks)
          ? this.#list("mrc401auction", picks)
          : this.#takeOff(op, ["open"], picks);
      case "mrc401buy":
        return this.#lacks(["sale"], picks) ? this.#list("mrc401sell", picks) : this.#buy(picks);
      case "mrc401melt":
        return this.#melt(picks);
      case "mrc401bid":
        return this.#lacks(["open", "bid"], picks)
          ? this.#list("mrc401auction", picks)
          : this.#bid(picks);
      case "mrc401offer":
        return this.#offer(picks);
      case "mrc401acceptoffer":
        return this.#offers("open").length === 0 && !picks.rarely(8)
          ? this.#offer(picks)
          : this.#accept(picks);
      case "mrc401unoffer":
        return this.#offers("open").length === 0 && !picks.rarely(8)
          ? this.#offer(picks)
          : this.#withdraw(picks);
      case "mrc401offerfinish":
        return this.#offers("over").length === 0 && !picks.rarely(4)
          ? this.#accept(picks)
          : this.#closeOffer(picks);
      case "mrc401auctionfinish":
        return this.#over().length === 0 && !picks.rarely(3)
          ? this.#bid(picks)
          : this.#finish(picks);
    }
  }

  // Who and with which key.

  #keyOf(of: Address, expiry = this.#ledger.now + KEY_SECONDS): TestKey {
    return { text: this.#ledger.key(of, expiry), of, expiry };
  }

  /** A temporary key, mostly a good one. */
  #key(of: Address, picks: Picks): TestKey {
    const used = this.#sent.filter(({ actor, key }) => actor === of && key !== undefined);
    switch (picks.rarely(15) ? picks.below(6) : undefined) {
      case 0:
        return this.#keyOf(this.#other(picks, of));
      case 1:
        return this.#keyOf(of, this.#model.time - 1);
      case 2:
        return { text: "abc", of: "", expiry: 0 };
      case undefined:
        return this.#keyOf(of);
      default:
        return used.at(-1 - picks.below(5))?.key ?? this.#keyOf(of);
    }
  }

  /** An operation of somebody who is mostly named as such, and else known by the temporary key. */
  #by(
    name: string,
    op: Op,
    actor: Address,
    params: Texts,
    picks: Picks,
    key: TestKey = this.#key(actor, picks),
  ): Sent {
    const odd = picks.rarely(20) ? picks.of([this.#ledger.drawAddress(), NO_ADDRESS]) : undefined;
    const named = odd ?? (picks.rarely(3) ? "" : actor);
    return this.signed(
      op,
      (named || key.of || actor) as Address,
      { ...params, [name]: named },
      key,
    );
  }

  #other(picks: Picks, ...than: readonly string[]): Address {
    return picks.of(this.#model.money.addresses.filter((address) => !than.includes(address)));
  }

  // What is there.

  #all(phases: readonly Phase[]): ItemShown[] {
    const { items, time } = this.#model;
    return [...items.values()].filter(
      (item) =>
        phases.includes(phaseOf(item)) || (phases.includes("idle") && isEndedSale(item, time)),
    );
  }

  #lacks(phases: readonly Phase[], picks: Picks): boolean {
    return this.#all(phases).length === 0 && !picks.rarely(8);
  }

  /** An item in one of these states that is not bound, or mostly so: rarely any other. */
  #item(phases: readonly Phase[], picks: Picks): ItemShown | undefined {
    const fit = this.#all(phases).filter(
      ({ transferable }) => transferable !== "Bound" || picks.rarely(6),
    );
    const all = [...this.#model.items.values()];
    const unfit = all.filter((item) => !fit.includes(item));
    const odd = unfit.length > 0 && picks.rarely(2) ? unfit : all;
    const from = fit.length === 0 || picks.rarely(7) ? odd : fit;
    return from.length === 0 ? undefined : picks.of(from);
  }

  /** An item, and sometimes others with it that are in the same state and have the same holder. */
  #several(item: ItemShown, picks: Picks): readonly ItemShown[] {
    if (!picks.rarely(5)) {
      return [item];
    }
    const like = this.#all([phaseOf(item)]).filter(
      ({ id, holder, mrc400 }) =>
        id !== item.id && holder === item.holder && mrc400 === item.mrc400,
    );
    return [item, ...like.slice(0, 1 + picks.below(2))];
  }

  #project(picks: Picks): ProjectShown {
    const all = [...this.#model.projects.values()];
    return picks.rarely(4) ? picks.of(all) : (all[0] as ProjectShown);
  }

  /** A token for what belongs to a project: mostly one that it allows. */
  #token({ allow_token: only }: ProjectShown, picks: Picks): string {
    const odd = picks.rarely(12) ? picks.of(["1", "2", UNKNOWN_TOKEN]) : undefined;
    return odd ?? picks.of(only === 0 ? ["0", "0", "1", "2"] : ["0", String(only)]);
  }

  #with(role: string, { owner, partner }: ProjectShown): Address {
    const found = Object.keys(partner).find((address) => partner[address] === role);
    return (found ?? owner) as Address;
  }

  #free(address: string, token: string): bigint {
    return this.#model.money.free(address, token);
  }

  // Operations.

  #pay(picks: Picks): Sent {
    const token = picks.of(["0", "1", "2"]);
    const from = this.#other(picks);
    const odd = picks.odd({
      unknown: { to: this.#ledger.drawAddress() },
      token: { token: UNKNOWN_TOKEN },
      "too much": { amount: String(this.#free(from, token) + 1n) },
    });
    const params = {
      from,
      to: this.#other(picks, from),
      token,
      amount: String(1 + picks.below(200)),
      unlockdate: picks.rarely(3) ? String(this.#model.time + picks.of([500, 4000, -10])) : "",
      ...odd,
    };
    return this.signed("transfer", from, params, this.#key(from, picks));
  }

  /** Roles of a project: mostly those that it began with. */
  #roles(picks: Picks): Texts {
    const [, , p, s, c, a, b] = this.#model.money.addresses as readonly string[];
    const usual = { [p as string]: "partner", [s as string]: "seller", [c as string]: "creator" };
    const change = {
      [picks.of([p, s, c, a, b]) as string]: picks.of(["partner", "saller", "seller", "creator"]),
    };
    return picks.rarely(3) ? change : { ...usual, ...change };
  }

  #faultyRoles(picks: Picks): { readonly [name: string]: Texts } {
    const [, , p] = this.#model.money.addresses as readonly string[];
    return {
      role: { partner: JSON.stringify({ [p as string]: "boss" }) },
      stranger: { partner: JSON.stringify({ [this.#ledger.drawAddress()]: "seller" }) },
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
  }

  #open(picks: Picks): Sent {
    const owner = this.#other(picks);
    const odd = picks.odd({
      ...this.#faultyRoles(picks),
      nameless: { name: "" },
      nobody: { owner: this.#ledger.drawAddress() },
    });
    const params = {
      ...PROJECT,
      owner,
      allowtoken: picks.of(["", "1", "0"]),
      partner: picks.rarely(3) ? "" : JSON.stringify(this.#roles(picks)),
      socialmedia: picks.of(["", '{"homepage":"https://rpg.example/"}']),
      ...policyFrom(picks, this.#model.time),
      ...odd,
    };
    return this.signed("mrc400create", params.owner as Address, params, this.#key(owner, picks));
  }

  #reform(picks: Picks): Sent {
    const one = this.#project(picks);
    const { owner, name, partner, allow_token: token } = one;
    const odd = picks.odd<Texts>({
      ...this.#faultyRoles(picks),
      unknown: { mrc400id: UNKNOWN_PROJECT },
      nothing: { partner: "", allowtoken: "" },
      same: { name, partner: JSON.stringify(partner), allowtoken: String(token) },
    });
    const params = {
      mrc400id: one.id,
      ...picks.of<Texts>([
        { partner: JSON.stringify(this.#roles(picks)) },
        { allowtoken: picks.of(["0", "0", "1", "2"]) },
        { partner: "{}", description: `Items ${picks.below(3)}` },
        { socialmedia: picks.of(["{}", '{"homepage":"https://rpg.example/"}']), name: "RPG" },
        policyFrom(picks, this.#model.time),
        policyFrom(picks, this.#model.time),
        policyFrom(picks, this.#model.time),
      ]),
      ...odd,
    };
    return this.signed(
      "mrc400update",
      owner as Address,
      params,
      this.#key(owner as Address, picks),
    );
  }

  /** Terms of an auction under the names of mrc401 §14. */
  #lot(picks: Picks): Element {
    const { time } = this.#model;
    const start = 1 + picks.below(40);
    return {
      start: picks.rarely(2) ? start : String(start),
      bidding: picks.of(["", "5", "3"]),
      [picks.of(["buynow", "bnynow"])]: picks.of(["", String(start + 7), "0", String(start + 90)]),
      end: picks.of(["", "0", String(time + 10), String(time + 7200), String(time + 1_814_401)]),
      ...(picks.rarely(3) ? { extend: picks.of(["300", 3600, "3600", "0"]) } : {}),
    };
  }

  /** When a sale is open: mostly at once and for ever. */
  #window(picks: Picks): Element {
    const { time } = this.#model;
    return picks.rarely(3)
      ? {
          sell_start: picks.of(["", String(time + 600), "0", String(time + 3000)]),
          sell_end: picks.of([String(time + 3600), String(time + 300), "", String(time + 90_000)]),
        }
      : {};
  }

  /** What an item shows beside its terms: mostly nothing. */
  #metadata(picks: Picks): Element {
    const { time } = this.#model;
    return {
      ...(picks.rarely(3)
        ? { attributes: picks.of<object>([{ level: 7 }, { rare: true, level: "7" }, {}]) }
        : {}),
      ...(picks.rarely(8) ? { metadatahash: picks.of(["a".repeat(64), "b".repeat(64)]) } : {}),
      ...(picks.rarely(6)
        ? {
            item_url: "https://rpg.example/1",
            item_image_url: picks.rarely(6) ? "" : "https://rpg.example/1.png",
            frozen: picks.of([String(time), String(time + 4000), "0", String(time + 100_000)]),
          }
        : {}),
    };
  }

  /** A face price, where a policy needs one or rarely. */
  #face({ policy }: ProjectShown, picks: Picks): Element {
    const isNeeded = "maxprice" in policy && !picks.rarely(20);
    return isNeeded || picks.rarely(5)
      ? { face_price: picks.of(["60", "40", "7"]), face_token: picks.of(["", "0", "0", "1", "2"]) }
      : {};
  }

  #price(picks: Picks): string {
    return picks.rarely(8) ? "5000" : String(1 + picks.below(90));
  }

  #element(one: ProjectShown, isListed: boolean, picks: Picks): Element {
    const isAuction = isListed && picks.rarely(3);
    const lot = this.#lot(picks);
    const auction: Element = {
      auction_start_price: lot["start"] as string,
      auction_token: this.#token(one, picks),
      auction_bidding_unit: lot["bidding"] as string,
      auction_buynow_price: lot["buynow"] ?? lot["bnynow"] ?? "",
      auction_end: lot["end"] as string,
      auction_extend: lot["extend"],
    };
    const sale = {
      ...this.#window(picks),
      sell_price: this.#price(picks),
      sell_token: this.#token(one, picks),
    };
    this.#numbers += 1;
    return {
      ...(picks.rarely(3) ? {} : { item_id: String(this.#numbers).padStart(40, "0") }),
      groupid: picks.of(["", "sword"]),
      initial_reserve: picks.of(["", String(picks.below(100)), picks.below(100), "7"]),
      initial_token: this.#token(one, picks),
      sell_fee: picks.of(FEES),
      [picks.of(["melt_fee", "melting_fee"])]: picks.of(FEES),
      transferable: isListed
        ? picks.of(["", "Temporary", "Temprary"])
        : picks.of(["", "Temporary", "Bound", "Permanent", "Temprary"]),
      expiredate: picks.rarely(3) ? String(this.#model.time + picks.of([100, 3000, -5])) : "",
      ...this.#metadata(picks),
      ...this.#face(one, picks),
      ...(!isListed && picks.rarely(4) ? { to: this.#other(picks) } : {}),
      ...(isAuction ? auction : isListed ? sale : {}),
    };
  }

  /** What may be wrong with an element of a creation, and mostly of an update. */
  #faultyElements(picks: Picks): { readonly [name: string]: Element } {
    return {
      number: { item_id: picks.of(["0".repeat(39), `-${"0".repeat(39)}`]) },
      project: { id: UNKNOWN_ITEM, item_id: "" },
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
  }

  #create(picks: Picks): Sent {
    const one = this.#project(picks);
    const role = picks.of(["owner", "partner", "seller", "creator"]);
    const isStrange = picks.rarely(8);
    const actor = isStrange ? this.#other(picks) : this.#with(role, one);
    const isListed = role === "seller" ? !picks.rarely(10) : role !== "creator" && picks.rarely(2);
    const elements = Array.from({ length: picks.rarely(3) ? 2 : 1 }, () =>
      this.#element(one, isListed, picks),
    );
    const [first = {}] = elements;
    const used = picks.of([UNKNOWN_ITEM, ...this.#model.items.keys()]).slice(-40);
    const key = this.#key(actor, picks);
    const isUsed = picks.rarely(15);
    const odd = picks.odd<Element>({
      ...this.#faultyElements(picks),
      integer: { initial_reserve: picks.of(["01", "-1", "1.5"]) },
      date: { expiredate: picks.of(["253402300800", "x"]) },
      both: { sell_price: "5", auction_start_price: "5" },
      cheap: { auction_start_price: "10", auction_buynow_price: "10", sell_price: "" },
      unit: { auction_bidding_unit: "0" },
      face: { face_price: picks.of(["0", "x"]), face_token: "" },
      faceToken: { face_price: "5", face_token: UNKNOWN_TOKEN },
      extend: { auction_extend: picks.of(["3601", "x"]) },
      window: { sell_start: picks.of(["x", "253402300800"]) },
      late: { sell_price: "5", auction_start_price: "", sell_end: String(this.#model.time) },
      stranger: { to: this.#ledger.drawAddress(), sell_price: "", auction_start_price: "" },
      noAddress: { to: NO_ADDRESS, sell_price: "", auction_start_price: "" },
      listedFor: { to: this.#other(picks), sell_price: "5", auction_start_price: "" },
      bound: { transferable: "Bound", sell_price: "5", auction_start_price: "" },
      "too much": { initial_reserve: String(this.#free(actor, "0") + 1n), initial_token: "0" },
      "no end": { initial_reserve: MOST },
    });
    const faulty = isUsed ? { item_id: used } : odd;
    const changed = faulty ? [...elements.slice(1), { ...first, ...faulty }] : elements;
    const lists = {
      twice: [...changed, ...changed].map((element) => ({ item_id: "1".repeat(40), ...element })),
      // What the second gets by itself is what the first asks for.
      derived: [{ item_id: derivedNumber(one.id, key.text, 1), initial_reserve: "5" }, {}],
      none: [],
      many: Array.from({ length: 101 }, () => ({})),
      attributes: Array.from({ length: 26 }, () => ({
        attributes: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`n${n}`, n])),
      })),
      boundless: [first, first].map((element) => ({
        ...element,
        item_id: "",
        initial_reserve: MOST,
      })),
      object: {},
      nothing: undefined,
    };
    const list = picks.rarely(12) ? picks.of(Object.values(lists)) : changed;
    const params = {
      mrc400id: picks.rarely(30) ? UNKNOWN_PROJECT : one.id,
      itemdata: list === undefined ? "" : JSON.stringify(list),
    };
    return this.#by("creator", "mrc401create", actor, params, picks, key);
  }

  #update(picks: Picks): Sent {
    const listed = this.#all(["sale", "open", "bid"]);
    const bindable = listed.filter(({ transferable }) => transferable === "Temporary");
    // What becomes Bound while it is listed is worth a special look.
    const isBinding = bindable.length > 0 && picks.rarely(4);
    const item = isBinding
      ? picks.of(bindable)
      : this.#item(["idle", "sale", "open", "bid"], picks);
    if (item === undefined) {
      return this.#create(picks);
    }
    const { owner } = this.#model.projectOf(item);
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
    const shows = this.#metadata(picks);
    const name: Element = picks.rarely(2) ? { id: item.id } : { item_id: item.id.slice(-40) };
    const { sell_fee, groupid } = item;
    const odd = picks.odd<Element>({
      ...this.#faultyElements(picks),
      same: { sell_fee, groupid, transferable: "", melt_fee: "" },
      unknown: { item_id: "f".repeat(40), id: "" },
      unnamed: { item_id: "", id: "" },
    });
    const element = { ...name, ...(isOfTerms ? terms : describes), ...shows, ...odd };
    const more = picks.rarely(5) ? this.#several(item, picks).slice(1) : [];
    const also: readonly Element[] = more.map(({ id }) => ({ id, ...describes }));
    const itemdata = picks.rarely(25) ? [element, element] : [element, ...also];
    const params = { mrc400id: item.mrc400, itemdata: JSON.stringify(itemdata) };
    return this.#by("creator", "mrc401update", actor, params, picks);
  }

  #give(picks: Picks): Sent {
    const item = this.#item(["idle"], picks);
    const from = (item?.holder || this.#other(picks)) as Address;
    const ids =
      item === undefined ? [UNKNOWN_ITEM] : this.#several(item, picks).map(({ id }) => id);
    const [id = ""] = ids;
    const isBatch = ids.length > 1 || picks.rarely(4);
    const strange = [...this.#model.items.values()].filter(
      ({ mrc400 }) => mrc400 !== item?.mrc400 || picks.rarely(4),
    );
    const any = picks.of([UNKNOWN_ITEM, ...strange.map((other) => other.id)]);
    const usual: Texts = isBatch ? { itemdata: JSON.stringify(ids) } : { mrc401id: id };
    const odd = picks.odd<Texts>({
      oneself: { toAddr: from },
      stranger: { toAddr: this.#ledger.drawAddress() },
      address: { toAddr: NO_ADDRESS },
      thief: { fromAddr: this.#other(picks, from) },
      both: { itemdata: JSON.stringify(ids), mrc401id: id },
      neither: { itemdata: "", mrc401id: "" },
      any: { mrc401id: "", itemdata: JSON.stringify([id, any]) },
      shape: { mrc401id: "", itemdata: picks.of(["[]", "{}", "[1]"]) },
    });
    const params = { fromAddr: from, toAddr: this.#other(picks, from), ...usual, ...odd };
    const actor = params.fromAddr as Address;
    return this.signed("mrc401transfer", actor, params, this.#key(actor, picks));
  }

  /** Somebody who may list an item or take it off, or mostly so. */
  #lister(item: ItemShown, picks: Picks): Address {
    const one = this.#model.projectOf(item);
    const byRole = this.#with(picks.of(["partner", "seller"]), one);
    const isByRole = item.owner === "" && picks.rarely(2);
    const usual = (isByRole ? byRole : item.holder || byRole) as Address;
    return picks.rarely(10) ? this.#other(picks) : usual;
  }

  #list(op: "mrc401sell" | "mrc401auction", picks: Picks): Sent {
    const item = this.#item(["idle"], picks);
    if (item === undefined) {
      return this.#create(picks);
    }
    const one = this.#model.projectOf(item);
    const isSale = op === "mrc401sell";
    const elements = this.#several(item, picks).map(({ id }): Element => {
      const price = { [picks.of(["price", "amount"])]: this.#price(picks) };
      const terms = isSale ? { ...price, ...this.#window(picks) } : this.#lot(picks);
      return { id, token: this.#token(one, picks), ...terms };
    });
    const [first = {}] = elements;
    const odd = picks.odd<Element>({
      unknown: { id: UNKNOWN_ITEM },
      free: { price: "0", amount: undefined, start: "0" },
      two: { price: "5", amount: "6" },
      unpriced: { price: undefined, amount: undefined, start: undefined },
      missing: { token: "" },
      token: { token: "x" },
      cheap: { start: "10", buynow: "10", bnynow: undefined, price: "x", amount: undefined },
      end: { end: "x", price: "1.5", amount: undefined },
      extend: { extend: "3601", sell_end: String(this.#model.time) },
      window: { sell_start: String(this.#model.time + 31_536_001), extend: "x" },
    });
    const changed = odd === undefined ? elements : [{ ...first, ...odd }, ...elements.slice(1)];
    const list = picks.rarely(20) ? [...changed, ...changed] : changed;
    return this.#listing(op, item, JSON.stringify(list), picks);
  }

  #takeOff(op: "mrc401unsell" | "mrc401unauction", phases: readonly Phase[], picks: Picks): Sent {
    const from: readonly Phase[] = picks.rarely(5) ? ["open", "bid", "sale"] : phases;
    const item = this.#item(from, picks);
    if (item === undefined) {
      return this.#create(picks);
    }
    const ids = this.#several(item, picks).map(({ id }) => id);
    const odd = picks.odd({
      twice: [...ids, ...ids],
      unknown: [UNKNOWN_ITEM],
      none: [],
      object: [{}],
    });
    return this.#listing(op, item, JSON.stringify(odd ?? ids), picks);
  }

  #listing(op: Op, item: ItemShown, itemdata: string, picks: Picks): Sent {
    const other = picks.of([UNKNOWN_PROJECT, ...this.#model.projects.keys()]);
    const mrc400id = picks.rarely(3) ? item.mrc400 : picks.rarely(15) ? other : "";
    const params = { itemdata: picks.rarely(40) ? "" : itemdata, mrc400id };
    return this.#by("seller", op, this.#lister(item, picks), params, picks);
  }

  #buy(picks: Picks): Sent {
    const item = this.#item(["sale"], picks);
    const {
      id: mrc401id = UNKNOWN_ITEM,
      sell_price: price = "0",
      sell_token: token = "0",
    } = item ?? {};
    const odd = picks.odd<Texts>({
      price: { price: String(BigInt(price) + 1n) },
      token: { token: token === "0" ? "1" : "0" },
      form: { price: "01" },
      unknown: { mrc401id: UNKNOWN_ITEM },
    });
    const expected = picks.of<Texts>([{}, { price }, { price, token }, { token }]);
    const able = this.#able(item, token, BigInt(price), picks);
    const guards = guardsFor(item?.transferable ?? "Permanent", picks);
    return this.#by(
      "buyer",
      "mrc401buy",
      able,
      { mrc401id, ...expected, ...odd, ...guards },
      picks,
    );
  }

  /** Somebody who does not hold an item and can pay so much, or mostly so. */
  #able(item: ItemShown | undefined, token: string, amount: bigint, picks: Picks): Address {
    const others = this.#model.money.addresses.filter((address) => address !== item?.holder);
    const able = others.filter((address) => this.#free(address, token) >= amount);
    if (picks.rarely(12)) {
      return (item?.holder || this.#other(picks)) as Address;
    }
    return picks.of(able.length === 0 || picks.rarely(8) ? others : able);
  }

  #melt(picks: Picks): Sent {
    const item = this.#item(["idle"], picks);
    const holder = item?.holder || this.#other(picks);
    const actor = (picks.rarely(6) ? this.#other(picks) : holder) as Address;
    const mrc401id = picks.rarely(20) ? UNKNOWN_ITEM : (item?.id ?? UNKNOWN_ITEM);
    return this.#by("address", "mrc401melt", actor, { mrc401id }, picks);
  }

  #bid(picks: Picks): Sent {
    const { time } = this.#model;
    const running = this.#all(["open", "bid"]).filter(({ auction_end: end }) => time < end);
    const isRunning = running.length > 0 && !picks.rarely(6);
    const item = isRunning ? picks.of(running) : this.#item(["open", "bid"], picks);
    const [unit, start, buyNow, current] = [
      item?.auction_bidding_unit,
      item?.auction_start_price,
      item?.auction_buynow_price,
      item?.auction_current_price,
    ].map((text) => BigInt(text ?? 0)) as [bigint, bigint, bigint, bigint];
    const leader = item?.auction_current_bidder ?? "";
    const step = unit || 1n;
    const passed = current < start ? 0n : (current - start) / step + 1n;
    const next = start + (passed + BigInt(picks.below(3))) * step;
    const usual = buyNow > 0n && (next > buyNow || picks.rarely(4)) ? buyNow : next;
    const token = item?.auction_token ?? "0";
    const odd = picks.odd<Texts>({
      low: { amount: String(start > 1n ? start - 1n : start) },
      step: { amount: String(next + 1n) },
      same: { amount: String(current || start || 1n) },
      above: { amount: String(buyNow + 1n) },
      poor: { amount: String(next + 100_000n * step) },
      token: { token: token === "0" ? "1" : "0" },
      form: { amount: picks.of(["0", "01", ""]) },
      unknown: { mrc401id: UNKNOWN_ITEM },
    });
    const able = this.#able(item, token, usual, picks);
    const again = able === leader ? this.#able(item, token, usual, picks) : able;
    // Who leads may still buy now.
    const isLeader = leader !== "" && picks.rarely(usual === buyNow ? 3 : 12);
    const params = {
      mrc401id: item?.id ?? UNKNOWN_ITEM,
      amount: String(usual || 1n),
      token: picks.of(["", token]),
      ...odd,
      ...guardsFor(item?.transferable ?? "Permanent", picks),
    };
    const actor = isLeader ? (leader as Address) : again;
    return this.#by("buyer", "mrc401bid", actor, params, picks);
  }

  /** Offers that are open, or that are over and not closed. */
  #offers(which: "open" | "over"): ItemOfferShown[] {
    const { offers, time } = this.#model;
    return [...offers.values()].filter(
      ({ state, end }) => state === "open" && (which === "open" || end <= time),
    );
  }

  /** An offer that is open, or mostly so. */
  #anyOffer(picks: Picks, open = this.#offers("open")): ItemOfferShown | undefined {
    const all = [...this.#model.offers.values()];
    const from = open.length === 0 || picks.rarely(8) ? all : open;
    return from.length === 0 ? undefined : picks.of(from);
  }

  #offer(picks: Picks): Sent {
    const { time } = this.#model;
    const item = this.#item(["idle", "sale"], picks);
    const one = item === undefined ? this.#project(picks) : this.#model.projectOf(item);
    const isOfProject = item === undefined || picks.rarely(3);
    const price = this.#price(picks);
    const face = item !== undefined && picks.rarely(3) ? item.face_token : undefined;
    const token = face ?? this.#token(one, picks);
    const buyer = this.#able(item, token, BigInt(price), picks);
    const guards = picks.rarely(4) ? guardsFor(item?.transferable ?? "Permanent", picks, 1) : {};
    const odd = picks.odd<Texts>({
      unknown: { id: picks.of([UNKNOWN_ITEM, UNKNOWN_PROJECT]), groupid: "" },
      group: { id: item?.id ?? UNKNOWN_ITEM, groupid: "sword" },
      price: { price: picks.of(["0", "01", ""]) },
      end: { end: picks.of([String(time + 3599), String(time + 7_776_001), "x", ""]) },
      token: { token: picks.of([UNKNOWN_TOKEN, "x"]) },
      poor: { price: String(this.#free(buyer, token) + 1n) },
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
    return this.#by("buyer", "mrc401offer", buyer, params, picks);
  }

  #accept(picks: Picks): Sent {
    const { items, money } = this.#model;
    const offer = this.#anyOffer(picks);
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
    const holder = (item?.holder || picks.of(money.addresses)) as Address;
    const seller = picks.rarely(12) ? this.#other(picks) : holder;
    const isNamed = id !== item?.id || picks.rarely(2);
    const wrong = picks.odd<Texts>({
      unknown: { offerid: UNKNOWN_OFFER },
      item: { mrc401id: picks.of([UNKNOWN_ITEM, ""]) },
      other: { mrc401id: picks.of([UNKNOWN_ITEM, ...items.keys()]) },
      much: { atleast: offer?.price ?? "1" },
      form: { atleast: "01" },
    });
    const params = {
      offerid: offer?.offerid ?? UNKNOWN_OFFER,
      mrc401id: isNamed ? (item?.id ?? UNKNOWN_ITEM) : "",
      atleast: picks.of(["", "", "1", offer?.price ?? "1"]),
      signed: "full",
      ...wrong,
    };
    return this.#by("seller", "mrc401acceptoffer", seller, params, picks);
  }

  #withdraw(picks: Picks): Sent {
    const offer = this.#anyOffer(picks);
    const buyer = picks.rarely(6) ? this.#other(picks) : ((offer?.buyer ?? "") as Address);
    const offerid = picks.rarely(20) ? UNKNOWN_OFFER : (offer?.offerid ?? UNKNOWN_OFFER);
    const params = { offerid, signed: "full" };
    return this.#by("buyer", "mrc401unoffer", buyer || this.#other(picks), params, picks);
  }

  #closeOffer(picks: Picks): Sent {
    const offerid = this.#anyOffer(picks, this.#offers("over"))?.offerid ?? UNKNOWN_OFFER;
    return { op: "mrc401offerfinish", actor: "", params: { offerid }, decided: {}, key: undefined };
  }

  /** Auctions that are over and not closed. */
  #over(): ItemShown[] {
    const { time } = this.#model;
    return this.#all(["open", "bid"]).filter(({ auction_end: end }) => end <= time);
  }

  #finish(picks: Picks): Sent {
    const over = this.#over();
    const isOver = over.length > 0 && !picks.rarely(5);
    const item = isOver ? picks.of(over) : this.#item(["open", "bid"], picks);
    const params = { mrc401id: item?.id ?? UNKNOWN_ITEM };
    return { op: "mrc401auctionfinish", actor: "", params, decided: {}, key: undefined };
  }
}

/**
 * Sends operations one at a time, for tests that look at one thing. What is no text is sent as its
 * JSON.
 */
export class ItemDesk {
  readonly ledger: TestLedger;
  readonly #traders: ItemTraders;

  constructor(ledger: TestLedger) {
    this.ledger = ledger;
    this.#traders = new ItemTraders(ledger, new ItemModel());
  }

  /**
   * What becomes of an operation: `done`, or the code that refuses it. Nobody signs what `""` does.
   */
  async try(op: string, actor: Address | "", params: Sendable, key?: TestKey): Promise<string> {
    const texts = Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const all: Texts = Object.fromEntries(texts);
    const sent =
      actor === ""
        ? { op, actor, params: all, decided: {}, key: undefined }
        : this.#traders.signed(op, actor, all, key);
    const [outcome = ""] = await this.ledger.outcomes(textOf(sent));
    return outcome;
  }

  /** A fresh temporary key of somebody. */
  key(of: Address): TestKey {
    const expiry = this.ledger.now + KEY_SECONDS;
    return { text: this.ledger.key(of, expiry), of, expiry };
  }

  async done(op: string, actor: Address | "", params: Sendable): Promise<void> {
    assert.equal(await this.try(op, actor, params), "done", op);
  }

  async project(owner: Address, partner: Texts = {}, more: Texts = {}): Promise<string> {
    await this.ledger.done(textOf(this.#traders.project(owner, partner, more)));
    return this.#newest("project").slice(PROJECT_ENTRY.prefix.length);
  }

  async item(mrc400id: string, creator: Address, element: Element = {}): Promise<string> {
    await this.done("mrc401create", creator, { mrc400id, itemdata: [element] });
    return this.#newest("item").slice(ITEM.prefix.length);
  }

  #newest(table: string): string {
    const sql = `SELECT key FROM ${table} ORDER BY number DESC LIMIT 1`;
    return this.ledger.database.prepare(sql).get()?.["key"] as string;
  }
}

type Sendable = Readonly<Record<string, string | object>>;

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

/** Guards of a purchase, bid or offer, mostly none. */
export function guardsFor(transferable: string, picks: Picks, oneIn = 5): Texts {
  if (!picks.rarely(oneIn)) {
    return {};
  }
  const guards = picks.of<Texts>([
    { maxmeltfee: "99.9999", maxsellfee: "99.9999", transferable },
    { maxmeltfee: picks.of(["0", "10", "33.3333"]) },
    { maxsellfee: picks.of(["0", "10", "33.3333"]) },
    { transferable: picks.of(["Permanent", "Temporary", "Bound"]) },
  ]);
  return { ...guards, signed: "full" };
}
