import type { Address, Texts } from "@moneta/protocol";
import fc from "fast-check";
import { KEY_SECONDS, type TestLedger } from "../test-ledger.ts";
import { guardsFor, policyFrom } from "./item-operations.ts";
import { Picks } from "./picks.ts";
import { type Sent, type TestKey, TokenModel } from "./token-model.ts";
import { Traders } from "./token-operations.ts";
import type {
  Fields,
  ModelUnitItem,
  ModelUnitListing,
  UnitModel,
  UnitOfferShown,
} from "./unit-model.ts";

/**
 * One step of a run: what is tried, and numbers from which all the rest is chosen by what there is
 * then.
 */
export interface UnitStep {
  readonly kind: Kind;
  readonly picks: readonly number[];
}

const WEIGHTS = {
  mrc402create: 5,
  mrc402transfer: 4,
  mrc402mint: 3,
  mrc402burn: 3,
  mrc402melt: 6,
  mrc402update: 3,
  mrc402itemupdate: 6,
  mrc402sell: 7,
  mrc402unsell: 4,
  mrc402buy: 9,
  mrc402auction: 6,
  mrc402unauction: 3,
  mrc402bid: 10,
  mrc402auctionfinish: 5,
  mrc402offer: 6,
  mrc402acceptoffer: 9,
  mrc402unoffer: 3,
  mrc402offerfinish: 2,
  mrc400update: 2,
  /** An earlier operation, signed again. */
  again: 3,
} as const;
type Kind = keyof typeof WEIGHTS;
type Op = Exclude<Kind, "again">;

export const OPERATIONS: readonly string[] = Object.keys(WEIGHTS).filter((op) => op !== "again");

export const unitSteps: fc.Arbitrary<UnitStep> = fc.record({
  kind: fc.oneof(
    ...Object.entries(WEIGHTS).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  picks: fc.array(fc.noBias(fc.nat(9999)), { minLength: 48, maxLength: 48 }),
});

const UNKNOWN_ITEM = `MRC402_${"0".repeat(33)}`;
const UNKNOWN_OFFER = `OFF402_${"0".repeat(33)}`;
const UNKNOWN_LISTING = `DEX402_${"0".repeat(33)}`;
/** With more items than this nobody would come back to one. */
const ITEMS_MAX = 9;
const RATES = ["0", "0.01", "1", "2.50", "5", "10"];
const FEES = ["0", "10", "33.3333", "2.5", "99.9999"];
const TOKENS = ["0", "1", "2"];

/**
 * Who sends operations, and knows from the model what makes sense: most are accepted, the others
 * mostly wrong in one point.
 */
export class UnitTraders {
  readonly #ledger: TestLedger;
  readonly #model: UnitModel;
  readonly #signer: Traders;
  readonly #sent: Sent[] = [];
  #numbers = 0;

  constructor(ledger: TestLedger, model: UnitModel) {
    this.#ledger = ledger;
    this.#model = model;
    this.#signer = new Traders(ledger, new TokenModel());
  }

  send({ kind, picks: numbers }: UnitStep): Sent {
    const picks = new Picks(numbers);
    const isAgain = kind === "again" && this.#sent.length > 0;
    const sent = isAgain
      ? picks.of(this.#sent.slice(-12))
      : this.#make(kind === "again" ? "mrc402create" : kind, picks);
    this.#sent.push(sent);
    return sent;
  }

  #make(op: Op, picks: Picks): Sent {
    const { items } = this.#model;
    const alive = [...items.values()].filter(({ total, melted }) => total > melted);
    if (alive.length === 0 || (op === "mrc402create" && alive.length < ITEMS_MAX)) {
      return this.#create(picks);
    }
    const hasOpen = (side: ModelUnitListing["side"]): boolean =>
      alive.some(({ id }) => this.#model.open(id, side).length > 0) || picks.rarely(9);
    switch (op) {
      case "mrc402create":
      case "mrc402transfer":
        return this.#transfer(picks);
      case "mrc402mint":
      case "mrc402burn":
        return this.#supply(op, picks);
      case "mrc402melt":
        return this.#melt(picks);
      case "mrc402update":
        return this.#update(picks);
      case "mrc402itemupdate":
        return this.#itemUpdate(picks);
      case "mrc402sell":
      case "mrc402auction":
        return this.#list(op, picks);
      case "mrc402unsell":
        return hasOpen("sell") ? this.#cancel(op, "sell", picks) : this.#list("mrc402sell", picks);
      case "mrc402unauction":
        return hasOpen("auction")
          ? this.#cancel(op, "auction", picks)
          : this.#list("mrc402auction", picks);
      case "mrc402buy":
        return hasOpen("sell") ? this.#buy(picks) : this.#list("mrc402sell", picks);
      case "mrc402bid":
        return hasOpen("auction") ? this.#bid(picks) : this.#list("mrc402auction", picks);
      case "mrc402auctionfinish":
        return this.#finish(picks);
      case "mrc402offer":
        return this.#offer(picks);
      case "mrc402acceptoffer":
        return this.#offers("open").length === 0 && !picks.rarely(9)
          ? this.#offer(picks)
          : this.#accept(picks);
      case "mrc402unoffer":
        return this.#offers("open").length === 0 && !picks.rarely(9)
          ? this.#offer(picks)
          : this.#withdraw(picks);
      case "mrc402offerfinish":
        return this.#offers("over").length === 0 && !picks.rarely(4)
          ? this.#accept(picks)
          : this.#closeOffer(picks);
      case "mrc400update":
        return this.#setPolicy(picks);
    }
  }

  // Who and with which key.

  #keyOf(of: Address, expiry = this.#ledger.now + KEY_SECONDS): TestKey {
    return { text: this.#ledger.key(of, expiry), of, expiry };
  }

  #key(of: Address, picks: Picks): TestKey {
    const used = this.#sent.filter(({ actor, key }) => actor === of && key !== undefined);
    switch (picks.rarely(20) ? picks.below(4) : undefined) {
      case 0:
        return this.#keyOf(this.#anybody(picks));
      case 1:
        return this.#keyOf(of, this.#model.time - 1);
      case undefined:
        return this.#keyOf(of);
      default:
        return used.at(-1 - picks.below(5))?.key ?? this.#keyOf(of);
    }
  }

  /** An operation of somebody who is mostly named as such, and else known by the temporary key. */
  #by(name: string, op: Op, by: string, params: Texts, picks: Picks): Sent {
    const actor = (picks.rarely(16) ? this.#anybody(picks) : by) as Address;
    const isAlone = op === "mrc402create" && params["itemdata"] === undefined;
    const isNamed = isAlone || op === "mrc402transfer" || !picks.rarely(3);
    const named = picks.rarely(40) ? this.#ledger.drawAddress() : isNamed ? actor : "";
    const key = this.#key(actor, picks);
    const whole = { ...params, [name]: named };
    return this.#signer.signed(op, (named || key.of) as Address, whole, key);
  }

  #anybody(picks: Picks, ...but: readonly string[]): Address {
    const { addresses } = this.#model.base.money;
    // Not the treasury, which is the first.
    return picks.of(addresses.slice(1).filter((address) => !but.includes(address)));
  }

  // What is there.

  /** An item, mostly one that has not ended and is not bound. */
  #item(picks: Picks): ModelUnitItem {
    const all = [...this.#model.items.values()];
    const fit = all.filter(
      ({ total, melted, texts }) => total > melted && texts["transferable"] !== "Bound",
    );
    const unfit = all.filter((item) => !fit.includes(item));
    const odd = unfit.length > 0 && picks.rarely(2) ? unfit : all;
    return picks.of(fit.length === 0 || picks.rarely(8) ? odd : fit);
  }

  #id(item: ModelUnitItem, picks: Picks): string {
    return picks.rarely(50) ? UNKNOWN_ITEM : item.id;
  }

  /** Mostly a holder with free units. */
  #holder({ id }: ModelUnitItem, picks: Picks): string {
    const holders = this.#model.holders(id);
    const free = holders.filter((one) => this.#model.units(id, one).balance > 0n);
    const from = picks.rarely(10) ? holders : free;
    return from.length === 0 ? this.#anybody(picks) : picks.of(from);
  }

  /** A listing of a side, mostly an open one. */
  #listing(
    side: ModelUnitListing["side"],
    picks: Picks,
    isFit: (listing: ModelUnitListing) => boolean = () => true,
  ): ModelUnitListing | undefined {
    const all = [...this.#model.listings.values()];
    const open = all.filter((one) => one.side === side && one.state === "open");
    const fit = open.filter(isFit);
    const usual = fit.length > 0 && !picks.rarely(6) ? fit : open;
    const closed = all.filter((one) => one.side === side && one.state !== "open");
    const isOdd = usual.length === 0 || picks.rarely(8);
    const from = isOdd ? (picks.rarely(3) || closed.length === 0 ? all : closed) : usual;
    return from.length === 0 || picks.rarely(50) ? undefined : picks.of(from);
  }

  // The operations.

  #newItem(picks: Picks): Record<string, unknown> {
    const shareholders = Array.from({ length: picks.below(4) }, () => [
      picks.rarely(60) ? this.#ledger.drawAddress() : this.#anybody(picks),
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
      ...(picks.rarely(4) && { expiredate: String(this.#model.time + picks.below(4000)) }),
      ...(picks.rarely(3) && { platform_address: this.#anybody(picks) }),
      ...(picks.rarely(2) && { platform_commission: picks.of(RATES) }),
    };
  }

  #create(picks: Picks): Sent {
    const { projects } = this.#model.base;
    const project = picks.of([...projects.values()]);
    if (picks.rarely(3)) {
      const { shareholder, initialreserve, ...others } = this.#newItem(picks);
      const params = {
        ...(others as Texts),
        name: "Print",
        url: "https://prints.example/",
        imageurl: "https://prints.example/i.png",
        shareholder: JSON.stringify(shareholder),
        initialreserve: JSON.stringify(initialreserve),
        allowtoken: picks.of(["", "", "0", "1"]),
        ...(picks.rarely(4) && { to: this.#anybody(picks), signed: "full" }),
        ...(picks.rarely(4) && { attributes: JSON.stringify({ level: 7 }), signed: "full" }),
      };
      return this.#by("creator", "mrc402create", this.#anybody(picks), params, picks);
    }
    const people = Object.entries(project.partner).filter(([, role]) => role !== "seller");
    const sellers = Object.keys(project.partner).filter((one) => project.partner[one] === "seller");
    const isSale = picks.rarely(3);
    const by = [project.owner, ...(isSale ? sellers : people.map(([address]) => address))];
    const elements = Array.from({ length: 1 + picks.below(2) }, () => {
      this.#numbers += 1;
      const taken = [...this.#model.items.keys()].filter((id) => id.startsWith(project.id));
      const fresh = String(this.#numbers).padStart(40, "0");
      const item_id = taken.length > 0 && picks.rarely(8) ? picks.of(taken).slice(-40) : fresh;
      return {
        ...this.#newItem(picks),
        ...(picks.rarely(2) && { item_id }),
        sell_fee: picks.rarely(25) ? "99.9999" : picks.of([...FEES.slice(0, 4), "60", "0"]),
        melt_fee: picks.of(FEES),
        transferable: picks.of(["Permanent", "Temporary", "Permanent", "Temporary", "Bound"]),
        ...(("maxprice" in project.policy && !picks.rarely(16)) || picks.rarely(5)
          ? { face_price: picks.of(["20", "5", "40"]), face_token: picks.of(["", "0", "1"]) }
          : {}),
        ...this.#metadata(picks),
        ...(isSale ? this.#window(picks) : picks.rarely(5) ? { to: this.#anybody(picks) } : {}),
        ...(isSale && {
          sell_price: String(1 + picks.below(40)),
          sell_token: picks.of(["0", "0", String(project.allow_token), "1"]),
        }),
      };
    });
    const mrc400id = picks.rarely(60) ? `MRC400_${"0".repeat(33)}` : project.id;
    const params = { mrc400id, itemdata: JSON.stringify(elements) };
    return this.#by("creator", "mrc402create", picks.of(by), params, picks);
  }

  #transfer(picks: Picks): Sent {
    const item = this.#item(picks);
    const from = this.#holder(item, picks);
    const toAddr = picks.rarely(30)
      ? picks.of([from, this.#ledger.drawAddress()])
      : this.#anybody(picks, from);
    const amount = picks.rarely(3) ? "" : picks.units(this.#model.units(item.id, from).balance);
    const params = { mrc402id: this.#id(item, picks), toAddr, amount };
    return this.#by("fromAddr", "mrc402transfer", from, params, picks);
  }

  #supply(op: "mrc402mint" | "mrc402burn", picks: Picks): Sent {
    const item = this.#item(picks);
    const most = op === "mrc402mint" ? 20n : this.#model.units(item.id, item.creator).balance;
    const amount = op === "mrc402mint" && picks.rarely(12) ? "99999999" : picks.units(most);
    const to = picks.rarely(20) ? this.#ledger.drawAddress() : this.#anybody(picks);
    const params = {
      ...{ mrc402id: this.#id(item, picks), amount, memo: picks.of(["", "so|it"]) },
      ...(op === "mrc402mint" && picks.rarely(3) && { to, signed: "full" }),
    };
    return this.#by("address", op, item.creator, params, picks);
  }

  #melt(picks: Picks): Sent {
    const item = this.#item(picks);
    const by = this.#holder(item, picks);
    const amount = picks.rarely(3) ? "" : picks.units(this.#model.units(item.id, by).balance);
    const params = { mrc402id: this.#id(item, picks), amount };
    return this.#by("address", "mrc402melt", by, params, picks);
  }

  #update(picks: Picks): Sent {
    const item = this.#item(picks);
    const params = {
      mrc402id: this.#id(item, picks),
      url: picks.of(["", "https://a.example/", "https://b.example/"]),
      data: picks.of(["", "one", "two"]),
      information: picks.of(["", "a|b"]),
      copyright_registration_country: picks.of(["", "", "KR"]),
      ...(picks.rarely(3) && {
        attributes: JSON.stringify({ level: picks.below(3) }),
        signed: "full",
      }),
    };
    return this.#by("address", "mrc402update", item.creator, params, picks);
  }

  #itemUpdate(picks: Picks): Sent {
    const inProjects = [...this.#model.items.values()].filter(({ mrc400 }) => mrc400 !== "");
    if (inProjects.length === 0) {
      return this.#update(picks);
    }
    const listed = inProjects.filter(({ id }) => this.#model.open(id, "sell").length > 0);
    const item = picks.of(listed.length > 0 && picks.rarely(2) ? listed : inProjects);
    const others = inProjects.filter(
      ({ id, mrc400 }) => id !== item.id && mrc400 === item.mrc400 && picks.rarely(5),
    );
    const describes = picks.rarely(3);
    const elements = [item, ...others].map(({ id }) => ({
      item_id: picks.rarely(60) ? "f".repeat(40) : id.slice(-40),
      ...(picks.rarely(2) && { groupid: picks.of(["", "x", "y"]) }),
      ...(picks.rarely(3) && { item_url: picks.of(["", "https://i.example/"]) }),
      ...(!describes && this.#metadata(picks)),
      ...(describes && picks.rarely(2) && { attributes: { level: picks.below(3) } }),
      ...(!describes && picks.rarely(2) && { sell_fee: picks.of([...FEES, "75"]) }),
      ...(!describes && picks.rarely(2) && { melt_fee: picks.of(FEES) }),
      ...(!describes &&
        picks.rarely(3) && {
          transferable: picks.of(["Bound", "Temporary", "Permanent", "Bound"]),
        }),
    }));
    const by = describes ? item.creator : this.#model.ownerOfProject(item);
    const params = { mrc400id: item.mrc400, itemdata: JSON.stringify(elements) };
    return this.#by("owner", "mrc402itemupdate", by, params, picks);
  }

  /** When a sale is open: mostly at once and for ever. */
  #window(picks: Picks): Texts {
    const { time } = this.#model;
    return picks.rarely(4)
      ? {
          sell_start: picks.of([String(time + 600), "", "0", String(time + 31_536_001)]),
          sell_end: picks.of([String(time + 3600), String(time + 300), "", String(time)]),
        }
      : {};
  }

  /** What an item shows beside its terms: mostly nothing. */
  #metadata(picks: Picks): Record<string, unknown> {
    const { time } = this.#model;
    return {
      ...(picks.rarely(3) && {
        attributes: picks.of<object>([{ level: 7 }, { rare: true, level: "7" }, {}]),
      }),
      ...(picks.rarely(8) && { metadatahash: picks.of(["a".repeat(64), "b".repeat(64)]) }),
      ...(picks.rarely(6) && {
        item_url: "https://rpg.example/1",
        item_image_url: picks.rarely(6) ? "" : "https://rpg.example/1.png",
        frozen: picks.of([String(time), String(time + 4000), "0", String(time + 100_000)]),
      }),
    };
  }

  #platform(picks: Picks): Texts {
    return picks.rarely(3)
      ? {
          platform_name: picks.of(["", "Market"]),
          platform_commission: picks.of(["", ...RATES]),
          platform_address: picks.rarely(40)
            ? this.#ledger.drawAddress()
            : picks.of(["", this.#anybody(picks)]),
        }
      : {};
  }

  #list(op: "mrc402sell" | "mrc402auction", picks: Picks): Sent {
    const { time } = this.#model;
    const item = this.#item(picks);
    const project = this.#model.base.projects.get(item.mrc400);
    const agents = Object.keys(project?.partner ?? {}).filter((one) =>
      this.#model.isAgent(item, one as Address),
    );
    const by = agents.length > 0 && picks.rarely(3) ? picks.of(agents) : this.#holder(item, picks);
    const seller = agents.includes(by) ? item.creator : by;
    const allowed = this.#model.allowed(item);
    const termsOf = ({ id }: ModelUnitItem): Record<string, string> => {
      const start = 1 + picks.below(60);
      const end = time + picks.of([3600, 3700, 5000, 10, 90_000, 2_000_000]);
      const token = picks.rarely(60)
        ? "999"
        : picks.of(allowed === "0" ? TOKENS : ["0", allowed, allowed, "1"]);
      const amount = picks.units(this.#model.units(id, seller).balance);
      return op === "mrc402sell"
        ? {
            id,
            token,
            amount,
            price: picks.rarely(15) ? "4000" : String(start),
            ...this.#window(picks),
            ...this.#platform(picks),
          }
        : {
            ...{ id, token, amount, start: String(start), ...this.#platform(picks) },
            ...(picks.rarely(3) && { extend: picks.of(["300", "3600"]) }),
            ...(picks.rarely(2) && { bidding: picks.of(["5", "3", "1"]) }),
            ...(picks.rarely(2) && {
              buynow: String(picks.rarely(20) ? start : start + 1 + picks.below(60)),
            }),
            ...(picks.rarely(2) && { end: String(end) }),
          };
    };
    if (picks.rarely(2)) {
      const others = [...this.#model.items.values()].filter(
        ({ id }) => id !== item.id && this.#model.units(id, seller).balance > 0n && picks.rarely(4),
      );
      const itemdata = JSON.stringify([item, ...others].map(termsOf));
      const id = picks.rarely(6) ? picks.of([item.mrc400, item.id]) : "";
      return this.#by("seller", op, by, { itemdata, id }, picks);
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
    return this.#by("seller", op, by, { ...params, id: this.#id(item, picks) }, picks);
  }

  #cancel(op: "mrc402unsell" | "mrc402unauction", side: "sell" | "auction", picks: Picks): Sent {
    const isFree = (one: ModelUnitListing): boolean => one.auction_current_bidder === "";
    const listing = this.#listing(side, picks, isFree);
    const item = this.#model.items.get(listing?.mrc402 ?? "") ?? this.#item(picks);
    const project = this.#model.base.projects.get(item.mrc400);
    const agents = Object.keys(project?.partner ?? {}).filter((one) =>
      this.#model.isAgent(item, one as Address),
    );
    const seller = listing?.seller ?? item.creator;
    const by = agents.length > 0 && picks.rarely(3) ? picks.of(agents) : seller;
    const dexid = listing?.dexid ?? UNKNOWN_LISTING;
    if (picks.rarely(2)) {
      const id = picks.rarely(30) ? item.id : dexid;
      return this.#by("seller", op, by, { id }, picks);
    }
    const others = [...this.#model.listings.values()].filter(
      (one) =>
        one.seller === seller && one.state === "open" && one.side === side && picks.rarely(4),
    );
    const ids = [
      ...new Set([picks.of([item.id, dexid, item.id]), ...others.map((one) => one.dexid)]),
    ];
    return this.#by("seller", op, by, { itemdata: JSON.stringify(ids) }, picks);
  }

  /** Somebody who mostly has enough to pay, and is not the seller. */
  #taker(listing: ModelUnitListing | undefined, price: bigint, picks: Picks): Address {
    const { money } = this.#model.base;
    const seller = listing?.seller ?? "";
    const others = money.addresses.slice(1).filter((one) => one !== seller);
    const able = others.filter((one) => money.free(one, listing?.sell_token ?? "0") >= price);
    return picks.rarely(16)
      ? this.#anybody(picks)
      : picks.of(able.length === 0 || picks.rarely(10) ? others : able);
  }

  #transferable(listing: ModelUnitListing | undefined): string {
    return this.#model.items.get(listing?.mrc402 ?? "")?.texts["transferable"] ?? "Permanent";
  }

  #buy(picks: Picks): Sent {
    const isFree = (one: ModelUnitListing): boolean =>
      this.#model.items.get(one.mrc402)?.texts["transferable"] !== "Bound" || picks.rarely(4);
    const listing = this.#listing("sell", picks, isFree);
    const byItem = listing !== undefined && picks.rarely(3);
    const id = (byItem ? listing.mrc402 : listing?.dexid) ?? UNKNOWN_LISTING;
    const amount =
      byItem && picks.rarely(2) ? "" : picks.units(BigInt(listing?.remain_amount ?? 1));
    const price = BigInt(listing?.sell_price ?? 1);
    const params = {
      id,
      amount: picks.rarely(60) ? "" : amount,
      price: picks.of(["", "", String(price), picks.rarely(4) ? "7" : ""]) || "",
      token: picks.of(["", "", listing?.sell_token ?? "0", picks.rarely(4) ? "1" : ""]),
    };
    const by = this.#taker(listing, price * BigInt(amount || 1), picks);
    const guards = guardsFor(this.#transferable(listing), picks);
    return this.#by("buyer", "mrc402buy", by, { ...params, ...guards }, picks);
  }

  #bid(picks: Picks): Sent {
    const { time } = this.#model;
    const isRunning = (one: ModelUnitListing): boolean =>
      one.auction_start_date <= time &&
      time < one.auction_end_date &&
      this.#model.items.get(one.mrc402)?.texts["transferable"] !== "Bound";
    // One that runs beside others of its item.
    const isAmong = (one: ModelUnitListing): boolean =>
      isRunning(one) && this.#model.open(one.mrc402, "auction").length > 1;
    const isOne = [...this.#model.listings.values()].some(
      (one) => one.side === "auction" && one.state === "open" && isAmong(one),
    );
    const listing = this.#listing("auction", picks, isOne ? isAmong : isRunning);
    const byItem = listing !== undefined && picks.rarely(2);
    const id = (byItem ? listing.mrc402 : listing?.dexid) ?? UNKNOWN_LISTING;
    const [unit, start, buyNow, current] = [
      listing?.auction_bidding_unit,
      listing?.auction_start_price,
      listing?.auction_buynow_price,
      listing?.auction_current_price,
    ].map((text) => BigInt(text || 0)) as [bigint, bigint, bigint, bigint];
    const step = unit || 1n;
    const passed = current < start || current === 0n ? 0n : (current - start) / step + 1n;
    const next = start + (passed + BigInt(picks.below(3))) * step;
    const usual = buyNow > 0n && (next > buyNow || picks.rarely(4)) ? buyNow : next;
    const odd = [start - 1n, next + 1n, current, buyNow + 1n, next + 100_000n * step];
    const amount = picks.rarely(10) ? picks.of(odd) : usual;
    const leader = listing?.auction_current_bidder ?? "";
    const able = this.#taker(listing, usual, picks);
    const other = able === leader ? this.#taker(listing, usual, picks) : able;
    const by = leader !== "" && picks.rarely(amount === buyNow ? 3 : 15) ? leader : other;
    const params = {
      id,
      amount: String(amount > 0n ? amount : 1n),
      token: picks.rarely(20) ? "1" : picks.of(["", listing?.sell_token ?? "0"]),
    };
    const guards = guardsFor(this.#transferable(listing), picks);
    return this.#by("buyer", "mrc402bid", by, { ...params, ...guards }, picks);
  }

  #offers(which: "open" | "over"): UnitOfferShown[] {
    const { offers, time } = this.#model;
    return [...offers.values()].filter(
      ({ state, end }) => state === "open" && (which === "open" || end <= time),
    );
  }

  /** An offer that is open, or mostly so. */
  #anyOffer(picks: Picks, open = this.#offers("open")): UnitOfferShown | undefined {
    const all = [...this.#model.offers.values()];
    const closed = all.filter(({ state }) => state !== "open");
    const odd = closed.length > 0 ? closed : all;
    const from = open.length === 0 || picks.rarely(6) ? odd : open;
    return from.length === 0 ? undefined : picks.of(from);
  }

  #offer(picks: Picks): Sent {
    const { time, base, items } = this.#model;
    const picky = [...items.values()].filter((one) => this.#model.allowed(one) !== "0");
    const item = picky.length > 0 && picks.rarely(4) ? picks.of(picky) : this.#item(picks);
    const allowed = this.#model.allowed(item);
    const usual = picks.of(allowed === "0" ? TOKENS : ["0", allowed, item.face.token]);
    const token = picks.rarely(6) ? picks.of(["1", "2", "999"]) : usual;
    const price = picks.rarely(15) ? "4000" : String(1 + picks.below(40));
    const amount = picks.units(10n);
    const all = BigInt(price) * BigInt(amount);
    const people = base.money.addresses.slice(1);
    const able = people.filter((one) => base.money.free(one, token) >= all);
    const buyer = picks.of(able.length === 0 || picks.rarely(10) ? people : able);
    const ends = [3600, 90_000, 7_776_000, 7200, 3600, 3599, 7_776_001];
    const end = String(time + picks.of(picks.rarely(5) ? ends : ends.slice(0, 5)));
    const guards = picks.rarely(4)
      ? guardsFor(item.texts["transferable"] ?? "Permanent", picks, 1)
      : {};
    const params = { id: this.#id(item, picks), amount, price, token, end, signed: "full" };
    return this.#by("buyer", "mrc402offer", buyer, { ...params, ...guards }, picks);
  }

  #accept(picks: Picks): Sent {
    const offer = this.#anyOffer(picks);
    const item = this.#model.items.get(offer?.id ?? "") ?? this.#item(picks);
    const holders = this.#model.holders(item.id).filter((one) => one !== offer?.buyer);
    const seller =
      holders.length > 0 && !picks.rarely(6) ? picks.of(holders) : this.#holder(item, picks);
    const amount = picks.rarely(6)
      ? picks.units(this.#model.all(item.id, seller))
      : picks.units(BigInt(offer?.remain_amount ?? 1));
    const params = {
      offerid: picks.rarely(40) ? UNKNOWN_OFFER : (offer?.offerid ?? UNKNOWN_OFFER),
      amount,
      atleast: picks.of(["", "", "1", picks.rarely(3) ? (offer?.price ?? "1") : ""]),
      signed: "full",
    };
    return this.#by("seller", "mrc402acceptoffer", seller, params, picks);
  }

  #withdraw(picks: Picks): Sent {
    const offer = this.#anyOffer(picks);
    const params = { offerid: offer?.offerid ?? UNKNOWN_OFFER, signed: "full" };
    const buyer = offer?.buyer ?? this.#anybody(picks);
    return this.#by("buyer", "mrc402unoffer", buyer, params, picks);
  }

  #closeOffer(picks: Picks): Sent {
    const offerid = this.#anyOffer(picks, this.#offers("over"))?.offerid ?? UNKNOWN_OFFER;
    return { op: "mrc402offerfinish", actor: "", params: { offerid }, decided: {}, key: undefined };
  }

  #setPolicy(picks: Picks): Sent {
    const project = picks.of([...this.#model.base.projects.values()]);
    const { policy = '{"maxheld":20}' } = policyFrom(picks, this.#model.time);
    const owner = project.owner as Address;
    const params = { mrc400id: project.id, policy, signed: "full" };
    return this.#signer.signed("mrc400update", owner, params, this.#keyOf(owner));
  }

  #finish(picks: Picks): Sent {
    const { time } = this.#model;
    const isOver = (one: ModelUnitListing): boolean => one.auction_end_date <= time;
    const over = [...this.#model.listings.values()].filter(
      (one) => one.side === "auction" && one.state === "open" && isOver(one),
    );
    if (over.length === 0 && !picks.rarely(4)) {
      return this.#bid(picks);
    }
    const listing = this.#listing("auction", picks, isOver);
    const id = picks.of([listing?.dexid, listing?.mrc402]) ?? UNKNOWN_LISTING;
    const op = "mrc402auctionfinish";
    return { op, actor: "", params: { id }, decided: {}, key: undefined };
  }
}

/** Elements of a request's `itemdata`. */
export function elementsOf({ params }: Sent): readonly (Fields | string)[] {
  const text = params["itemdata"];
  return text === undefined ? [] : (JSON.parse(text) as readonly Fields[]);
}
