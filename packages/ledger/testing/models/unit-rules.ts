import type { Address } from "@moneta/protocol";
import {
  BLANK_LISTING,
  type LedgerModel,
  type ModelListing,
  type ModelPlatform,
  type ModelRule,
  type ModelRules,
  type ModelUnitItem,
  type ModelUnitListing,
  type Values,
} from "./ledger-model.ts";
import {
  type Code,
  canonicalRate,
  derivedId,
  type Fields,
  first,
  memberOf,
  millionths,
  part,
  sha256,
  textOf,
  twice,
  when,
  windowOf,
} from "./model-terms.ts";
import {
  attributesForm,
  refusedByFreezing,
  sortedAttributes,
  windowRefused,
} from "./policy-model.ts";

const MOST_UNITS = 99_999_999n;
const UNSET = { date: 0, amount: "0", token: "0", type: "" };

/** The defaults of a new item. */
const TEXTS: Readonly<Record<string, string>> = {
  url: "",
  data: "",
  information: "",
  copyright_registration_country: "",
  item_url: "",
  item_image_url: "",
  groupid: "",
  metadatahash: "",
  frozen: "0",
  sell_fee: "0",
  melt_fee: "0",
  transferable: "Permanent",
};
const OF_THE_CREATOR = ["url", "data", "information", "copyright_registration_country"];
const DESCRIBING = ["item_url", "item_image_url", "groupid"];
const TERMS = ["sell_fee", "melt_fee", "transferable", "metadatahash", "frozen"];
const CLEARED = [...DESCRIBING, "metadatahash"];

export function platformOf(fields: Fields): ModelPlatform {
  return {
    platform_name: textOf(fields, "platform_name"),
    platform_url: textOf(fields, "platform_url"),
    platform_address: textOf(fields, "platform_address"),
    platform_commission: canonicalRate(textOf(fields, "platform_commission", "0")),
  };
}

/** The members of an item's platform. */
export function platformIn(item: ModelPlatform): ModelPlatform {
  return {
    platform_name: item.platform_name,
    platform_url: item.platform_url,
    platform_address: item.platform_address,
    platform_commission: item.platform_commission,
  };
}

type Shares = Pick<ModelUnitItem, "creatorcommission" | "shareholders">;

/** Whether the rates of a trade add up to more than 100 %. Source: mrc402 §2.6. */
export function exceeds(item: Shares, sellFee: string, platform: ModelPlatform): boolean {
  const rates = [sellFee, item.creatorcommission, ...item.shareholders.map(([, rate]) => rate)];
  const all = platform.platform_address === "" ? rates : [...rates, platform.platform_commission];
  return all.reduce((sum, rate) => sum + millionths(rate), 0n) > 1_000_000n;
}

/** Members of a new item in a request or element. */
function newItem(
  fields: Fields,
): Omit<ModelUnitItem, "id" | "mrc400" | "creator" | "policyNumber"> {
  const face = textOf(fields, "face_price", "0");
  const reserve = new Map(
    Object.entries(memberOf<Record<string, string>>(fields, "initialreserve", {}))
      .sort(([x], [y]) => Number(x) - Number(y))
      .map(([token, amount]) => [token, BigInt(amount)]),
  );
  const alone = BigInt(textOf(fields, "initial_reserve", "0"));
  return {
    ...platformOf(fields),
    allow_token: textOf(fields, "allowtoken", "0"),
    expiredate: Number(textOf(fields, "expiredate", "0")),
    creatorcommission: textOf(fields, "creatorcommission", "0"),
    reserve: alone > 0n ? new Map([[textOf(fields, "initial_token", "0"), alone]]) : reserve,
    shareholders: Object.entries(memberOf<Record<string, string>>(fields, "shareholder", {})),
    total: BigInt(textOf(fields, "totalsupply", "1")),
    melted: 0n,
    burned: 0n,
    meltDate: 0,
    hasMoved: false,
    trade: UNSET,
    face: { price: face, token: face === "0" ? "0" : textOf(fields, "face_token", "0") },
    attributes: sortedAttributes(memberOf(fields, "attributes", {})),
    texts: Object.fromEntries(
      Object.entries(TEXTS).map(([name, absent]) => [name, textOf(fields, name, absent)]),
    ),
  };
}

/** Whether all units have been melted or burned. */
export function hasEnded({ total, melted }: ModelUnitItem): boolean {
  return total === melted;
}

export function isBound({ texts }: ModelUnitItem): boolean {
  return texts["transferable"] === "Bound";
}

/** 7108 if an address has enough units, but too few unlisted ones. Source: mrc402 §2.2. */
export function unitsListed(m: LedgerModel, id: string, address: string, count: bigint): Code {
  return when(m.units(id, address).balance < count && m.all(id, address) >= count, "7108");
}

export function unitsMissing(m: LedgerModel, id: string, address: string, count: bigint): Code {
  return when(m.all(id, address) < count, "5000");
}

export function unitSaleRefused(fields: Fields, time: number): Code {
  const { sell_start = 0, sell_end = 0 } = windowOf(fields);
  return windowRefused(sell_start, sell_end, time);
}

/** Puts units up for sale or auction. */
export function listUnits(
  m: LedgerModel,
  side: ModelListing["side"],
  { id, actor, tkey, place }: { id: string; actor: string; tkey: string; place: number },
  amount: bigint,
  terms: Partial<ModelUnitListing>,
): void {
  const item = m.unitItems.get(id) as ModelUnitItem;
  const seller = m.all(id, actor) > 0n ? actor : item.creator;
  const units = m.units(id, seller);
  units.balance -= amount;
  units[side === "sell" ? "sale" : "auction"] += amount;
  const dexid = derivedId("DEX402", actor, tkey, place);
  m.put(m.unitListings, dexid, {
    ...BLANK_LISTING,
    dexid,
    mrc402: id,
    side,
    seller,
    agent: seller === actor ? "" : actor,
    amount: String(amount),
    remain_amount: String(amount),
    sell_fee: canonicalRate(item.texts["sell_fee"] ?? "0"),
    regdate: m.time,
    job_type: side === "sell" ? "mrc402_sell" : "mrc402_auction",
    ...terms,
  });
}

/** The items with their own texts, without the defaults from their project. */
export function storedUnitItems(m: LedgerModel): ReadonlyMap<string, Fields> {
  return new Map(
    [...m.unitItems].map(([id, item]) => {
      const { url, data, item_url } = item.texts;
      const { item_image_url } = item.texts;
      return [id, { ...shownUnitItem(m, item), url, data, item_url, item_image_url }];
    }),
  );
}

/** The members of `GET /mrc402/{mrc402id}` that can change. */
export function shownUnitItem(m: LedgerModel, item: ModelUnitItem): Fields {
  const { id, total, melted, trade } = item;
  const left = total - melted;
  const holders = m.holders(id);
  const [sale] = m.open(id, "sell");
  const [lot] = m.open(id, "auction");
  const sole = holders.length === 1 ? holders[0] : "";
  const { melt_fee: meltint_fee, sell_fee, groupid, transferable, ...others } = item.texts;
  const { item_url, item_image_url, url, data, frozen, ...rest } = others;
  const project = m.projects.get(item.mrc400);
  const { mrc400, policyNumber: number } = item;
  return {
    ...rest,
    groupid,
    transferable,
    url: url || (project?.url ?? ""),
    data: data || (project?.data ?? ""),
    item_url: item_url || (project?.item_url ?? ""),
    item_image_url: item_image_url || (project?.item_image_url ?? ""),
    attributes: item.attributes,
    frozen: Number(frozen),
    policy: m.policyOf(mrc400, number),
    policy_number: number,
    face_price: item.face.price,
    face_token: item.face.token,
    meltint_fee: canonicalRate(meltint_fee),
    sell_fee: canonicalRate(sell_fee),
    owner: left > 0n ? sole : item.meltDate > 0 ? "MELTED" : "BURNED",
    holders: holders.length,
    totalsupply: String(total),
    meltedamount: String(melted),
    burnedamount: String(item.burned),
    melting_date: item.meltDate,
    reserve: Object.fromEntries(
      [...item.reserve].map(([token, each]) => [token, String(each * left)]),
    ),
    sell_count: m.open(id, "sell").length,
    sell_dexid: sale?.dexid ?? "",
    sell_price: sale?.sell_price ?? "0",
    auction_count: m.open(id, "auction").length,
    auction_dexid: lot?.dexid ?? "",
    auction_current_price: lot?.auction_current_price || "0",
    last_trade_date: trade.date,
    last_trade_amount: trade.amount,
    last_trade_token: trade.token,
    last_trade_type: trade.type,
  };
}

/** Rules of multi-unit items, except trades. Source: mrc402 §4 to §10. */
export function unitRules(m: LedgerModel): ModelRules {
  const known = (...addresses: readonly string[]): Code =>
    first(addresses, (one) => when(one !== "" && !m.addresses.includes(one as Address), "3090"));
  const tokens = (...ids: readonly string[]): Code =>
    first(ids, (id) => when(!m.tokens.has(id), "4001"));
  const itemOf = (id: string): ModelUnitItem => m.unitItems.get(id) as ModelUnitItem;
  const ownerOf = (item: ModelUnitItem): string => m.projectOf(item)?.owner ?? "";
  const metadataOf = (attributes: object, texts: Readonly<Record<string, string>>) => ({
    item_url: texts["item_url"] ?? "",
    item_image_url: texts["item_image_url"] ?? "",
    metadatahash: texts["metadatahash"] ?? "",
    frozen: Number(texts["frozen"]),
    attributes,
  });
  const unaffordable = (who: string, costs: ReadonlyMap<string, bigint>): Code =>
    first(costs, ([token, amount]) => when(m.free(who, token) < amount, "5000"));
  const costOf = ({ reserve }: { reserve: ReadonlyMap<string, bigint> }, count: bigint) =>
    new Map([...reserve].map(([token, each]) => [token, each * count]));
  const create = (item: ModelUnitItem, to: string): void => {
    m.unitItems.set(item.id, item);
    m.units(item.id, to).balance += item.total;
    for (const [token, amount] of costOf(item, item.total)) {
      m.move(item.creator, item.id, token, amount);
    }
  };
  const inProject = ({ itemdata }: Values): boolean => itemdata !== "";
  const elementsOf = (values: Values): readonly Fields[] => memberOf(values, "itemdata", []);
  const numberOf = (element: Fields): string =>
    textOf(element, "item_id") || textOf(element, "id").slice(-40);
  const newItemForm = (fields: Fields): Code => {
    const item = newItem(fields);
    return (
      when(item.total < 1n || item.total > MOST_UNITS, "1101") ??
      attributesForm(item.attributes) ??
      when(textOf(fields, "to") !== "" && textOf(fields, "sell_price") !== "", "3005") ??
      when(
        item.texts["frozen"] !== "0" &&
          (item.texts["item_url"] === "" || item.texts["item_image_url"] === ""),
        "3005",
      ) ??
      when(exceeds(item, item.texts["sell_fee"] ?? "0", item), "3005")
    );
  };

  const createRule: ModelRule = {
    actor: ({ creator }) => creator,
    form: (values) =>
      inProject(values)
        ? (first(elementsOf(values), newItemForm) ??
          twice(elementsOf(values).map((one) => numberOf(one) || undefined)))
        : newItemForm(values),
    existence(values) {
      const news = (inProject(values) ? elementsOf(values) : [values]).map(newItem);
      const project = m.projects.get(textOf(values, "mrc400id"));
      const sales = elementsOf(values).filter((element) => textOf(element, "sell_price") !== "");
      return (
        when(inProject(values) && project === undefined, "6004") ??
        known(textOf(values, "creator"), textOf(values, "to")) ??
        first(elementsOf(values), (element) => known(textOf(element, "to"))) ??
        first(news, (one) =>
          known(...one.shareholders.map(([address]) => address), one.platform_address),
        ) ??
        first(news, (one) => tokens(...one.reserve.keys(), one.allow_token)) ??
        first(sales, (one) => tokens(textOf(one, "sell_token", "0"))) ??
        first(news, ({ face }) => tokens(face.token)) ??
        first(sales, (one) => {
          const allowed = String(project?.allow_token);
          const asked = textOf(one, "sell_token", "0");
          const face = newItem(one).face.token;
          return when(allowed !== "0" && !["0", allowed, face].includes(asked), "3005");
        })
      );
    },
    apply(values, actor) {
      const tkey = textOf(values, "tkey");
      const mrc400 = textOf(values, "mrc400id");
      const elements = inProject(values) ? elementsOf(values) : [values];
      const project = m.projects.get(mrc400);
      const news = elements.map((element, place): ModelUnitItem => {
        const number = numberOf(element) || sha256("MRC402", mrc400, tkey, place).slice(0, 40);
        const id = inProject(values) ? `${mrc400}_${number}` : derivedId("MRC402", actor, tkey);
        const policyNumber = project?.policy_number ?? 0;
        return { ...newItem(element), id, mrc400, creator: actor, policyNumber };
      });
      const role = project?.owner === actor ? "owner" : project?.partner[actor];
      const hasSale = (element: Fields): boolean => textOf(element, "sell_price") !== "";
      const mayCreate = (element: Fields): boolean =>
        role === "owner" ||
        (!(textOf(element, "to") !== "" && textOf(element, "transferable") !== "Bound") &&
          textOf(element, "metadatahash") === "" &&
          textOf(element, "frozen", "0") === "0" &&
          (role === "partner" || role === (hasSale(element) ? "seller" : "creator")));
      const costs = new Map<string, bigint>();
      for (const item of news) {
        for (const [token, amount] of costOf(item, item.total)) {
          costs.set(token, (costs.get(token) ?? 0n) + amount);
        }
      }
      const refused =
        when(inProject(values) && !elements.every(mayCreate), "7002") ??
        first(news, ({ id }) => when(m.items.has(id) || m.unitItems.has(id), "7111")) ??
        first(news, (item, place) =>
          when(isBound(item) && hasSale(elements[place] as Fields), "7109"),
        ) ??
        first(news, ({ policyNumber, face }) =>
          when(
            m.policyOf(mrc400, policyNumber).maxprice !== undefined && face.price === "0",
            "3005",
          ),
        ) ??
        first(news, (item, place) => {
          const element = elements[place] as Fields;
          return hasSale(element)
            ? m.unitsForbidden(item, {
                ...{ way: "sale", from: actor, to: "", more: 0n, at: m.time },
                prices: [BigInt(textOf(element, "sell_price"))],
                token: textOf(element, "sell_token", "0"),
              })
            : undefined;
        }) ??
        first(elements, (element) =>
          hasSale(element) ? unitSaleRefused(element, m.time) : undefined,
        ) ??
        unaffordable(actor, costs);
      if (refused !== undefined) {
        return refused;
      }
      for (const [place, item] of news.entries()) {
        const element = elements[place] as Fields;
        create(item, textOf(element, "to", actor));
        if (inProject(values) && hasSale(element)) {
          listUnits(m, "sell", { id: item.id, actor, tkey, place }, item.total, {
            ...platformOf(element),
            sell_price: textOf(element, "sell_price"),
            sell_token: textOf(element, "sell_token", "0"),
            ...windowOf(element),
          });
        }
      }
      return undefined;
    },
  };

  const transfer: ModelRule = {
    defaults: { amount: "1" },
    actor: ({ fromAddr }) => fromAddr,
    form: (values) =>
      when(textOf(values, "amount") === "0", "1206") ??
      when(textOf(values, "fromAddr") === textOf(values, "toAddr"), "3201"),
    existence: (values) =>
      known(textOf(values, "fromAddr"), textOf(values, "toAddr")) ??
      when(!m.unitItems.has(textOf(values, "mrc402id")), "6004"),
    apply(values, actor) {
      const id = textOf(values, "mrc402id");
      const item = itemOf(id);
      const count = BigInt(textOf(values, "amount", "1"));
      const refused =
        when(!hasEnded(item) && m.all(id, actor) === 0n, "7001") ??
        when(hasEnded(item), "7110") ??
        when(isBound(item), "7109") ??
        m.unitsForbidden(item, {
          ...{ way: "transfer", from: actor, to: textOf(values, "toAddr") },
          ...{ more: count, at: m.time },
        }) ??
        unitsListed(m, id, actor, count) ??
        unitsMissing(m, id, actor, count);
      if (refused === undefined) {
        m.units(id, actor).balance -= count;
        m.units(id, textOf(values, "toAddr")).balance += count;
        item.hasMoved = true;
      }
      return refused;
    },
  };

  const ofItem = {
    actor: ({ address }: Values) => address,
    existence: (values: Values): Code =>
      when(!m.unitItems.has(textOf(values, "mrc402id")), "6004") ??
      known(textOf(values, "address"), textOf(values, "to")),
  };

  const mint: ModelRule = {
    ...ofItem,
    form: (values) => when(textOf(values, "amount") === "0", "1206"),
    apply(values, actor) {
      const item = itemOf(textOf(values, "mrc402id"));
      const count = BigInt(textOf(values, "amount"));
      const refused =
        when(item.creator !== actor, "7002") ??
        when(hasEnded(item), "7110") ??
        when(item.total + count > MOST_UNITS, "3005") ??
        unaffordable(actor, costOf(item, count));
      if (refused === undefined) {
        item.total += count;
        m.units(item.id, textOf(values, "to", actor)).balance += count;
        for (const [token, amount] of costOf(item, count)) {
          m.move(actor, item.id, token, amount);
        }
      }
      return refused;
    },
  };

  const burn: ModelRule = {
    ...mint,
    apply(values, actor) {
      const item = itemOf(textOf(values, "mrc402id"));
      const count = BigInt(textOf(values, "amount"));
      const refused =
        when(item.creator !== actor, "7002") ??
        when(hasEnded(item), "7110") ??
        unitsListed(m, item.id, actor, count) ??
        unitsMissing(m, item.id, actor, count);
      if (refused === undefined) {
        item.total -= count;
        item.burned += count;
        m.units(item.id, actor).balance -= count;
        for (const [token, amount] of costOf(item, count)) {
          m.move(item.id, actor, token, amount);
        }
      }
      return refused;
    },
  };

  const melt: ModelRule = {
    defaults: { amount: "1" },
    ...ofItem,
    form: (values) => when(textOf(values, "amount") === "0", "1106"),
    apply(values, actor) {
      const item = itemOf(textOf(values, "mrc402id"));
      const count = BigInt(textOf(values, "amount", "1"));
      const refused =
        when(!hasEnded(item) && m.all(item.id, actor) === 0n, "7001") ??
        when(hasEnded(item), "7110") ??
        unitsListed(m, item.id, actor, count) ??
        when(m.time < item.expiredate, "7204") ??
        unitsMissing(m, item.id, actor, count);
      if (refused === undefined) {
        item.melted += count;
        m.units(item.id, actor).balance -= count;
        item.meltDate = hasEnded(item) ? m.time : 0;
        const owner = ownerOf(item);
        for (const [token, amount] of costOf(item, count)) {
          const fee = owner === "" ? 0n : part(amount, item.texts["melt_fee"] ?? "0");
          m.pay("mrc402_recv_meltfee", item.id, owner, token, fee);
          m.pay("mrc402_recv_melt", item.id, actor, token, amount - fee);
        }
      }
      return refused;
    },
  };

  const update: ModelRule = {
    ...ofItem,
    form: (values) => attributesForm(memberOf(values, "attributes", {})),
    apply(values, actor) {
      const item = itemOf(textOf(values, "mrc402id"));
      const attributes =
        textOf(values, "attributes") === ""
          ? item.attributes
          : sortedAttributes(memberOf(values, "attributes", {}));
      const isSame = JSON.stringify(attributes) === JSON.stringify(item.attributes);
      const country = "copyright_registration_country";
      const change = Object.fromEntries(
        OF_THE_CREATOR.map((name) => [name, textOf(values, name, item.texts[name])]),
      );
      const refused =
        when(item.creator !== actor, "7002") ??
        when(textOf(values, country) !== "" && item.texts[country] !== "", "3005") ??
        when(textOf(values, "attributes") !== "" && item.mrc400 !== "", "3005") ??
        when(isSame && OF_THE_CREATOR.every((name) => change[name] === item.texts[name]), "4900");
      if (refused === undefined) {
        item.attributes = attributes;
        item.texts = { ...item.texts, ...change };
      }
      return refused;
    },
  };

  const itemUpdate: ModelRule = {
    actor: ({ owner }) => owner,
    form: (values) =>
      first(elementsOf(values), (element) => attributesForm(memberOf(element, "attributes", {}))) ??
      twice(elementsOf(values).map(numberOf)),
    existence(values) {
      const project = textOf(values, "mrc400id");
      return (
        when(!m.projects.has(project), "6004") ??
        first(elementsOf(values), (one) =>
          when(!m.unitItems.has(`${project}_${numberOf(one)}`), "6004"),
        ) ??
        known(textOf(values, "owner"))
      );
    },
    apply(values, actor) {
      const mrc400 = textOf(values, "mrc400id");
      const project = m.projects.get(mrc400);
      const changes = elementsOf(values).map((element) => {
        const item = itemOf(`${mrc400}_${numberOf(element)}`);
        const after: Record<string, string> = { ...item.texts };
        for (const name of [...DESCRIBING, ...TERMS]) {
          const isCleared = element[name] === "" && CLEARED.includes(name);
          after[name] = isCleared ? "" : textOf(element, name, item.texts[name]);
        }
        const changed = [...DESCRIBING, ...TERMS].filter((name) =>
          name.endsWith("_fee")
            ? canonicalRate(after[name]) !== canonicalRate(item.texts[name])
            : after[name] !== item.texts[name],
        );
        const attributes =
          element["attributes"] === undefined
            ? item.attributes
            : sortedAttributes(memberOf(element, "attributes", {}));
        const isOther = JSON.stringify(attributes) !== JSON.stringify(item.attributes);
        const all = isOther ? [...changed, "attributes"] : changed;
        return { item, after, attributes, changed: all };
      });
      const role = project?.partner[actor];
      const refused =
        first(changes, ({ item, changed }) => {
          const mayDescribe = (role === "partner" || role === "creator") && item.creator === actor;
          const mayAll = project?.owner === actor;
          const changesTerms = changed.some((name) => TERMS.includes(name));
          return when(!mayAll && (!mayDescribe || changesTerms), "7002");
        }) ??
        first(changes, ({ item }) => when(hasEnded(item), "7110")) ??
        first(changes, ({ item, after, attributes }) => {
          const before = metadataOf(item.attributes, item.texts);
          return refusedByFreezing(before, metadataOf(attributes, after), m.time);
        }) ??
        first(changes, ({ item, changed }) =>
          when(
            changed.includes("transferable") && item.texts["transferable"] !== "Temporary",
            "3005",
          ),
        ) ??
        first(changes, ({ item, after }) => {
          const isHigher = (name: string): boolean =>
            Number(after[name]) > Number(item.texts[name]);
          const binds = after["transferable"] === "Bound" && item.texts["transferable"] !== "Bound";
          const { terms } = m.policyOf(mrc400, item.policyNumber);
          const isRefused = isHigher("sell_fee") || isHigher("melt_fee") || binds;
          return when(terms === "fixed" && isRefused, "7121");
        }) ??
        first(changes, ({ item, after }) =>
          when(exceeds(item, after["sell_fee"] ?? "0", item), "3005"),
        ) ??
        when(
          changes.every(({ changed }) => changed.length === 0),
          "4900",
        );
      if (refused === undefined) {
        for (const { item, after, attributes } of changes) {
          item.attributes = attributes;
          item.texts = after;
        }
      }
      return refused;
    },
  };

  return {
    mrc402create: createRule,
    mrc402transfer: transfer,
    mrc402mint: mint,
    mrc402burn: burn,
    mrc402melt: melt,
    mrc402update: update,
    mrc402itemupdate: itemUpdate,
  };
}
