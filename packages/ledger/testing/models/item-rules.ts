import type { Address } from "@moneta/protocol";
import type { ProjectShown } from "../trade/creations.ts";
import { type ItemShown, PLAIN_ITEM } from "../trade/item-terms.ts";
import type { LedgerModel, ModelRule, ModelRules, Values } from "./ledger-model.ts";
import {
  addresses,
  type Code,
  canonicalRate,
  derivedId,
  type Fields,
  first,
  has,
  integers,
  isInteger,
  isObject,
  list,
  MOST,
  missing,
  numberIn,
  parsed,
  part,
  sha256,
  textOf,
  twice,
  when,
} from "./model-terms.ts";
import {
  attributesForm,
  LATEST,
  policyForm,
  policyOf,
  refusedByFreezing,
  sortedAttributes,
  windowRefused,
} from "./policy-model.ts";

export const NO_SALE = {
  ...{ sell_date: 0, sell_price: "0", sell_token: "0", listing_fee: "0" },
  ...{ sell_start: 0, sell_end: 0 },
};
export const NO_AUCTION = {
  auction_date: 0,
  auction_end: 0,
  auction_token: "0",
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "0",
  auction_current_bidder: "",
  auction_extend: 0,
  auction_latest_end: 0,
  listing_fee: "0",
};

/** The states of mrc401 §2.3; `open` is an auction without a bid. */
export type Phase = "idle" | "sale" | "open" | "bid" | "melted";

export function phaseOf(item: ItemShown): Phase {
  if (item.owner === "MELTED") {
    return "melted";
  }
  if (item.auction_date > 0) {
    return item.auction_current_bidder === "" ? "open" : "bid";
  }
  return item.sell_date > 0 ? "sale" : "idle";
}

/** Whether an item's sale has reached its end time. Source: mrc401 §2.3. */
export function isEndedSale(item: ItemShown, time: number): boolean {
  return phaseOf(item) === "sale" && item.sell_end > 0 && time >= item.sell_end;
}

export function elementsOf(values: Values): readonly Fields[] {
  return JSON.parse(values.itemdata) as readonly Fields[];
}

const ROLES = ["partner", "seller", "saller", "creator"];
const TRANSFERABLE = ["Permanent", "Bound", "Temporary", "Temprary"];

/** Check 1 of mrc401 §3, of the parameters that were sent. */
function projectForm(values: Values): Code {
  const isText = (entry: unknown): boolean => typeof entry === "string";
  const { partner, socialmedia } = values;
  const isBad = (text: string, length: number): boolean =>
    text.includes("|") || text.length > length;
  const roles = parsed(partner || "{}");
  return (
    when(values.allowtoken !== "" && !/^(0|[1-9][0-9]{0,15})$/.test(values.allowtoken), "1101") ??
    policyForm(values.policy) ??
    when(isBad(values.name, 128) || isBad(values.category, 64), "3005") ??
    first([roles, parsed(socialmedia || "{}")], (one) =>
      when(!isObject(one) || !Object.values(one as object).every(isText), "1007"),
    ) ??
    first(
      Object.entries(roles as Record<string, string>),
      ([address, role]) => addresses(address) ?? when(!ROLES.includes(role), "3005"),
    )
  );
}

/** Check 1 of mrc401 §7 and §8: the form of an element's keys that were sent. */
export function elementForm(element: Fields, mrc400id: string): Code {
  const number = textOf(element, "item_id");
  const id = textOf(element, "id");
  const fees = ["sell_fee", "melt_fee", "melting_fee"];
  const texts = ["item_id", "id", "groupid", "item_url", "transferable", "metadatahash", ...fees];
  const dates = ["frozen", "sell_start", "sell_end"].map((key) => textOf(element, key, "0"));
  const extend = textOf(element, "auction_extend", "0");
  const [price, start, buyNow] = ["sell_price", "auction_start_price", "auction_buynow_price"].map(
    (key) => textOf(element, key, "0"),
  ) as [string, string, string];
  const expire = textOf(element, "expiredate", textOf(element, "melting_date", "0"));
  return (
    when(
      texts.some((key) => has(element, key) && typeof element[key] !== "string"),
      "1007",
    ) ??
    when(has(element, "melt_fee") && element["melting_fee"] !== undefined, "1005") ??
    when(number !== "" && !/^[0-9A-Za-z]{40}$/.test(number), "3005") ??
    when(id !== "" && !id.startsWith(`${mrc400id}_`), "3005") ??
    when(textOf(element, "groupid").length > 64, "3005") ??
    first(fees, (key) =>
      when(
        has(element, key) && !/^(0|[1-9][0-9]?)(\.[0-9]{1,4})?$/.test(textOf(element, key)),
        "3005",
      ),
    ) ??
    when(!TRANSFERABLE.includes(textOf(element, "transferable", "Bound")), "3005") ??
    integers(element, 0n, "initial_reserve", "initial_token", "sell_price", "sell_token") ??
    integers(element, 0n, "auction_start_price", "auction_token", "auction_buynow_price") ??
    integers(element, 1n, "auction_bidding_unit", "face_price") ??
    integers(element, 0n, "face_token") ??
    when(!isInteger(extend) || BigInt(extend) > 3600n, "1101") ??
    first([expire, ...dates], (date) => when(!isInteger(date) || BigInt(date) > LATEST, "1102")) ??
    (has(element, "attributes") ? attributesForm(element["attributes"]) : undefined) ??
    when(!/^([0-9a-f]{64})?$/.test(textOf(element, "metadatahash")), "3005") ??
    addresses(textOf(element, "to")) ??
    when(!isInteger(textOf(element, "auction_end", "0")), "1102") ??
    when(price !== "0" && start !== "0", "3005") ??
    when(start !== "0" && buyNow !== "0" && BigInt(buyNow) <= BigInt(start), "3005") ??
    when(has(element, "to") && isListed(element), "3005")
  );
}

/** Check 1 of mrc401 §7, for new items only. */
function newElementForm(element: Fields): Code {
  const hasUrls = has(element, "item_url") && has(element, "item_image_url");
  return when(textOf(element, "frozen", "0") !== "0" && !hasUrls, "3005");
}

/** 3002 if an operation sets more than 800 attributes. Source: mrc401 §19. */
function attributeCount(values: Values): Code {
  const counts = elementsOf(values).map(
    ({ attributes }) => Object.keys((attributes || {}) as object).length,
  );
  return when(counts.reduce((sum, count) => sum + count, 0) > 800, "3002");
}

function numberOf(element: Fields): string | undefined {
  return textOf(element, "item_id") || textOf(element, "id").slice(-40) || undefined;
}

function isListed(element: Fields): boolean {
  return textOf(element, "sell_price", "0") !== "0" || isAuctioned(element);
}

function isAuctioned(element: Fields): boolean {
  return textOf(element, "auction_start_price", "0") !== "0";
}

/** Ids of new items. Source: mrc401 §7. */
function newIds(values: Values): readonly string[] {
  const { mrc400id, tkey } = values;
  return elementsOf(values).map(
    (element, n) => `${mrc400id}_${numberOf(element) ?? derivedNumber(mrc400id, tkey, n)}`,
  );
}

/** The item number of the nth element of a creation that names none. Source: mrc401 §7. */
export function derivedNumber(mrc400id: string, tkey: string, n: number): string {
  return sha256("MRC401", mrc400id, tkey, n).slice(0, 40);
}

function sums(elements: readonly Fields[]): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const element of elements) {
    const id = textOf(element, "initial_token", "0");
    all.set(id, (all.get(id) ?? 0n) + BigInt(textOf(element, "initial_reserve", "0")));
  }
  return all;
}

/** 7108 if the item is listed, 7110 if it is melted. */
export function itemListed(one: ItemShown, time: number): Code {
  return (
    when(phaseOf(one) === "melted", "7110") ??
    when(phaseOf(one) !== "idle" && !isEndedSale(one, time), "7108")
  );
}

/** 7001 unless the address holds the item. */
function holderOnly(one: ItemShown, actor: string): Code {
  return when(phaseOf(one) !== "melted" && one.holder !== actor, "7001");
}

/** The payments of a trade or a melting. Source: mrc401 §2.4. */
export function ownersShare(m: LedgerModel, one: ItemShown, amount: bigint, rate: string): bigint {
  return one.holder === m.projectOf(one)?.owner ? 0n : part(amount, rate);
}

/** On sale or on auction, from the keys that a creation has. Effects of mrc401 §10 and §14. */
export function itemListing(
  time: number,
  element: Fields,
  sellFee: string,
  closes: number = Number.MAX_SAFE_INTEGER,
): Partial<ItemShown> {
  if (!isAuctioned(element)) {
    return {
      sell_date: time,
      sell_price: textOf(element, "sell_price"),
      sell_token: textOf(element, "sell_token", "0"),
      sell_start: numberIn(element, "sell_start"),
      sell_end: numberIn(element, "sell_end"),
      listing_fee: sellFee,
    };
  }
  const end = BigInt(textOf(element, "auction_end", "0"));
  const [earliest, latest] = [time + 3600, time + 1_814_400];
  const auction_end = end < earliest ? earliest : end > latest ? latest : Number(end);
  const extend = numberIn(element, "auction_extend");
  return {
    auction_date: time,
    auction_end,
    auction_extend: extend,
    auction_latest_end: extend === 0 ? 0 : Math.min(latest, auction_end + 86_400, closes),
    auction_token: textOf(element, "auction_token", "0"),
    auction_bidding_unit: textOf(element, "auction_bidding_unit", "1"),
    auction_start_price: textOf(element, "auction_start_price"),
    auction_buynow_price: textOf(element, "auction_buynow_price", "0"),
    listing_fee: sellFee,
  };
}

/** Whether the policy of an item lets it be listed with these terms. */
export function itemListable(m: LedgerModel, one: ItemShown, element: Fields): Code {
  const [price, start, buyNow] = ["sell_price", "auction_start_price", "auction_buynow_price"].map(
    (key) => BigInt(textOf(element, key, "0")),
  ) as [bigint, bigint, bigint];
  const isSale = !isAuctioned(element);
  const { auction_end: end = 0 } = isSale ? {} : itemListing(m.time, element, "0");
  return m.itemForbidden(one, {
    ...{ way: isSale ? "sale" : "auction", from: one.holder, to: "", more: 0n },
    at: isSale ? m.time : end,
    prices: isSale ? [price] : [start, buyNow],
    token: textOf(element, isSale ? "sell_token" : "auction_token", "0"),
  });
}

export function saleWindow(element: Fields, time: number): Code {
  return textOf(element, "sell_price", "0") === "0"
    ? undefined
    : windowRefused(numberIn(element, "sell_start"), numberIn(element, "sell_end"), time);
}

/** Whether a project lets its goods be traded for a token; `face` always may. Source: policies §5. */
export function refusedToken(only: string, id: string, face = "0"): Code {
  return when(only !== "0" && ![face, "0", only].includes(id), "3005");
}

/** Rules of projects and items, except trades. Source: mrc401 §3 to §9, §13. */
export function itemRules(m: LedgerModel): ModelRules {
  const address = (given: string): Code =>
    when(given !== "" && !m.addresses.includes(given as Address), "3090");
  const token = (id: string): Code => when(!m.tokens.has(id), "4001");
  const project = (id: string): Code => when(!m.projects.has(id), "6004");
  const item = (id: string): Code => when(!m.items.has(id), "6004");
  const projectAt = (id: string): ProjectShown => m.projects.get(id) as ProjectShown;
  const itemAt = (id: string): ItemShown => m.items.get(id) as ItemShown;
  const allowed = ({ allow_token }: ProjectShown, id: string, face?: string): Code =>
    refusedToken(String(allow_token), id, face);
  const isMelted = (one: ItemShown): boolean => phaseOf(one) === "melted";

  // The table of mrc401 §2.5, from here.
  const roleOf = ({ partner }: ProjectShown, actor: string): string => partner[actor] ?? "";
  const mayCreate = (one: ProjectShown, actor: string, element: Fields): boolean =>
    one.owner === actor ||
    (!(has(element, "to") && element["transferable"] !== "Bound") &&
      !has(element, "metadatahash") &&
      textOf(element, "frozen", "0") === "0" &&
      (roleOf(one, actor) === "partner" ||
        roleOf(one, actor) === (isListed(element) ? "seller" : "creator")));
  const mayDescribe = (one: ItemShown, actor: string): boolean =>
    projectAt(one.mrc400).owner === actor ||
    (one.creator === actor &&
      ["partner", "creator"].includes(roleOf(projectAt(one.mrc400), actor)));

  const pricesOf = (element: Fields): string[] => [
    ...(textOf(element, "sell_price", "0") === "0" ? [] : [textOf(element, "sell_token", "0")]),
    ...(isAuctioned(element) ? [textOf(element, "auction_token", "0")] : []),
  ];
  const faceOf = (element: Fields): string =>
    has(element, "face_price") ? textOf(element, "face_token", "0") : "0";
  const tokensOf = (element: Fields): string[] => [
    textOf(element, "initial_token", "0"),
    faceOf(element),
    ...pricesOf(element),
  ];
  const transferred = ({ mrc401id, itemdata }: Values): readonly string[] =>
    mrc401id === "" ? (JSON.parse(itemdata) as string[]) : [mrc401id];
  const projectParts = (values: Values): Code =>
    first(Object.keys(JSON.parse(values.partner || "{}") as object), address) ??
    (values.allowtoken === "" ? undefined : token(values.allowtoken));
  const policyShown = (
    id: string,
    text: string,
  ): { readonly policy: object; readonly policy_number: number } => {
    const policy = policyOf(text || "{}");
    const number = m.policies.numberOf(id, policy);
    m.policies.note(id, policy);
    return { policy, policy_number: number };
  };
  const rolesOf = (partner: string): Record<string, string> =>
    JSON.parse(partner.replaceAll('"saller"', '"seller"')) as Record<string, string>;

  /** A new item that is not listed. Source: mrc401 §7. */
  const newItem = (one: ProjectShown, creator: string, element: Fields, id: string): ItemShown => {
    const meltFee = canonicalRate(textOf(element, "melt_fee", textOf(element, "melting_fee", "0")));
    const transferable = textOf(element, "transferable", "Permanent");
    return {
      ...PLAIN_ITEM,
      id,
      mrc400: one.id,
      owner: textOf(element, "to"),
      holder: textOf(element, "to", one.owner),
      creator,
      item_url: textOf(element, "item_url"),
      item_image_url: textOf(element, "item_image_url"),
      groupid: textOf(element, "groupid"),
      createdate: m.time,
      initial_reserve: textOf(element, "initial_reserve", "0"),
      initial_token: textOf(element, "initial_token", "0"),
      meltint_fee: meltFee,
      melting_fee: meltFee,
      expiredate: Number(textOf(element, "expiredate", textOf(element, "melting_date", "0"))),
      transferable: transferable === "Temprary" ? "Temporary" : transferable,
      sell_fee: canonicalRate(textOf(element, "sell_fee", "0")),
      attributes: has(element, "attributes") ? sortedAttributes(element["attributes"]) : {},
      metadatahash: textOf(element, "metadatahash"),
      frozen: numberIn(element, "frozen"),
      policy: one.policy,
      policy_number: one.policy_number,
      face_price: textOf(element, "face_price", "0"),
      face_token: faceOf(element),
    };
  };

  const create: ModelRule = {
    form: (values) =>
      missing(values.mrc400id, values.itemdata) ??
      addresses(values.creator) ??
      list(values.itemdata, isObject) ??
      first(
        elementsOf(values),
        (element) => elementForm(element, values.mrc400id) ?? newElementForm(element),
      ) ??
      twice(elementsOf(values).map(numberOf)) ??
      first(sums(elementsOf(values)).values(), (sum) => when(sum > MOST, "1101")) ??
      attributeCount(values),
    existence(values) {
      const elements = elementsOf(values);
      const one = projectAt(values.mrc400id);
      return (
        project(values.mrc400id) ??
        twice(newIds(values)) ??
        address(values.creator) ??
        first(elements, (element) => address(textOf(element, "to"))) ??
        first(elements.flatMap(tokensOf), token) ??
        first(elements, (element) => allowed(one, textOf(element, "initial_token", "0"))) ??
        first(elements, (element) =>
          first(pricesOf(element), (id) => allowed(one, id, faceOf(element))),
        )
      );
    },
    actor: ({ creator }) => creator,
    apply(values, creator) {
      const one = projectAt(values.mrc400id);
      const elements = elementsOf(values);
      const ids = newIds(values);
      const refused =
        first(elements, (element) => when(!mayCreate(one, creator, element), "7002")) ??
        first(ids, (id) => when(m.items.has(id) || m.unitItems.has(id), "7111")) ??
        first(elements, (element) =>
          when(isListed(element) && element["transferable"] === "Bound", "7109"),
        ) ??
        first(elements, (element) =>
          when(
            m.policyOf(one.id, one.policy_number).maxprice !== undefined &&
              !has(element, "face_price"),
            "3005",
          ),
        ) ??
        first(elements, (element, index) =>
          isListed(element)
            ? itemListable(m, newItem(one, creator, element, ids[index] as string), element)
            : undefined,
        ) ??
        first(elements, (element) => saleWindow(element, m.time)) ??
        first(sums(elements), ([id, sum]) => when(m.free(creator, id) < sum, "5000"));
      if (refused !== undefined) {
        return refused;
      }
      for (const [index, element] of elements.entries()) {
        const plain = newItem(one, creator, element, ids[index] as string);
        m.move(creator, plain.id, plain.initial_token, BigInt(plain.initial_reserve));
        if (isListed(element)) {
          m.putItem(plain, itemListing(m.time, element, plain.sell_fee));
          m.show(m.items, plain.id);
        } else {
          m.putItem(plain);
        }
      }
      m.notified = creator === one.owner ? [] : [one.owner];
      return undefined;
    },
  };

  /** An item after an update, and whether its terms change. Source: mrc401 §8. */
  const updated = (
    one: ItemShown,
    element: Fields,
  ): { one: ItemShown; changed: ItemShown; isOfTerms: boolean } => {
    const meltFee = canonicalRate(textOf(element, "melt_fee", one.meltint_fee));
    const transferable = textOf(element, "transferable", one.transferable);
    const changed: ItemShown = {
      ...one,
      item_url: String(element["item_url"] ?? one.item_url),
      item_image_url: String(element["item_image_url"] ?? one.item_image_url),
      attributes: has(element, "attributes")
        ? sortedAttributes(element["attributes"])
        : one.attributes,
      metadatahash: String(element["metadatahash"] ?? one.metadatahash),
      frozen: numberIn(element, "frozen", one.frozen),
      groupid: String(element["groupid"] ?? one.groupid),
      sell_fee: canonicalRate(textOf(element, "sell_fee", one.sell_fee)),
      meltint_fee: meltFee,
      melting_fee: meltFee,
      transferable: transferable === "Temprary" ? "Temporary" : transferable,
    };
    const isOfTerms = (
      ["sell_fee", "meltint_fee", "metadatahash", "frozen", "transferable"] as const
    ).some((name) => changed[name] !== one[name]);
    return { one, changed, isOfTerms };
  };

  const update: ModelRule = {
    form: (values) =>
      missing(values.mrc400id, values.itemdata) ??
      addresses(values.creator) ??
      list(values.itemdata, isObject) ??
      first(
        elementsOf(values),
        (element) =>
          when(numberOf(element) === undefined, "1000") ?? elementForm(element, values.mrc400id),
      ) ??
      twice(elementsOf(values).map(numberOf)) ??
      attributeCount(values),
    existence: (values) =>
      project(values.mrc400id) ??
      first(elementsOf(values), (element) => item(`${values.mrc400id}_${numberOf(element)}`)) ??
      address(values.creator),
    actor: ({ creator }) => creator,
    apply(values, actor) {
      const { owner } = projectAt(values.mrc400id);
      const changes = elementsOf(values).map((element) =>
        updated(itemAt(`${values.mrc400id}_${numberOf(element)}`), element),
      );
      const refused =
        first(changes, ({ one, isOfTerms }) =>
          when(!mayDescribe(one, actor) || (isOfTerms && actor !== owner), "7002"),
        ) ??
        first(changes, ({ one }) => when(isMelted(one), "7110")) ??
        first(changes, ({ one, changed }) => refusedByFreezing(one, changed, m.time)) ??
        first(changes, ({ one, changed }) =>
          when(
            one.transferable !== "Temporary" && changed.transferable !== one.transferable,
            "3005",
          ),
        ) ??
        first(changes, ({ one, changed }) =>
          when(
            m.policyOf(one.mrc400, one.policy_number).terms === "fixed" &&
              (Number(changed.sell_fee) > Number(one.sell_fee) ||
                Number(changed.meltint_fee) > Number(one.meltint_fee) ||
                (changed.transferable === "Bound" && one.transferable !== "Bound")),
            "7121",
          ),
        ) ??
        when(
          changes.every(({ one, changed }) => JSON.stringify(one) === JSON.stringify(changed)),
          "4900",
        );
      if (refused === undefined) {
        for (const { one, changed } of changes) {
          if (changed.groupid !== one.groupid) {
            m.grouped.set(one.id, m.time);
          }
          m.putItem(changed);
        }
      }
      return refused;
    },
  };

  return {
    mrc401create: create,
    mrc401update: update,

    mrc400create: {
      form: (values) =>
        missing(values.owner, values.name, values.url, values.data) ??
        addresses(values.owner) ??
        projectForm(values),
      existence: (values) => address(values.owner) ?? projectParts(values),
      actor: ({ owner }) => owner,
      apply(values, owner) {
        const id = derivedId("MRC400", owner, values.tkey);
        m.put(m.projects, id, {
          id,
          owner,
          name: values.name,
          url: values.url,
          image_url: values.imageurl,
          allow_token: Number(values.allowtoken || 0),
          category: values.category,
          description: values.description,
          data: values.data,
          item_url: values.itemurl,
          item_image_url: values.itemimageurl,
          socialmedia: JSON.parse(values.socialmedia || "{}") as Record<string, string>,
          partner: rolesOf(values.partner || "{}"),
          createdate: m.time,
          ...policyShown(id, values.policy),
        });
        return undefined;
      },
    },

    mrc400update: {
      form: projectForm,
      existence: (values) => project(values.mrc400id) ?? projectParts(values),
      actor: ({ mrc400id }) => projectAt(mrc400id).owner,
      apply(values) {
        const one = projectAt(values.mrc400id);
        const { socialmedia, partner } = values;
        const changed: ProjectShown = {
          ...one,
          name: values.name || one.name,
          description: values.description || one.description,
          allow_token: Number(values.allowtoken || one.allow_token),
          socialmedia: socialmedia === "" ? one.socialmedia : JSON.parse(socialmedia),
          partner: partner === "" ? one.partner : rolesOf(partner),
        };
        if (changed.allow_token !== one.allow_token && m.policies.hasFixedTerms(one.id)) {
          return "7121";
        }
        if (values.policy !== "") {
          Object.assign(changed, policyShown(one.id, values.policy));
        }
        const sorted = (whole: ProjectShown): string =>
          JSON.stringify([whole, Object.entries(whole.partner).sort()], (name, value) =>
            name === "partner" ? "" : value,
          );
        if (sorted(changed) === sorted(one)) {
          return "4900";
        }
        m.put(m.projects, one.id, changed);
        return undefined;
      },
    },

    mrc401transfer: {
      form: (values) =>
        when(values.mrc401id !== "" && values.itemdata !== "", "1005") ??
        missing(values.mrc401id + values.itemdata, values.fromAddr, values.toAddr) ??
        (values.itemdata === ""
          ? undefined
          : (list(values.itemdata, (id) => typeof id === "string") ??
            twice(transferred(values)))) ??
        addresses(values.fromAddr, values.toAddr) ??
        when(values.fromAddr === values.toAddr, "3201"),
      existence(values) {
        const ids = transferred(values);
        const ofOne = (): boolean => new Set(ids.map((id) => itemAt(id).mrc400)).size === 1;
        return (
          first(ids, item) ??
          when(!ofOne(), "3005") ??
          address(values.fromAddr) ??
          address(values.toAddr)
        );
      },
      actor: ({ fromAddr }) => fromAddr,
      apply(values, from) {
        const items = transferred(values).map(itemAt);
        const refused =
          first(items, (one) => holderOnly(one, from)) ??
          first(
            items,
            (one) => itemListed(one, m.time) ?? when(one.transferable === "Bound", "7109"),
          ) ??
          first(items, (one, index) => {
            const before = items.slice(0, index + 1);
            const { length } = before.filter((other) => other.policy_number === one.policy_number);
            const [to, at] = [values.toAddr, m.time];
            return m.itemForbidden(one, { way: "transfer", from, to, more: BigInt(length), at });
          });
        if (refused === undefined) {
          for (const one of items) {
            m.putItem(one, { ...NO_SALE, owner: values.toAddr, holder: values.toAddr });
          }
        }
        return refused;
      },
    },

    mrc401melt: {
      form: (values) => missing(values.mrc401id) ?? addresses(values.address),
      existence: (values) => item(values.mrc401id) ?? address(values.address),
      actor: (values) => values.address,
      apply({ mrc401id }, actor) {
        const one = itemAt(mrc401id);
        const refused =
          holderOnly(one, actor) ??
          itemListed(one, m.time) ??
          when(m.time < one.expiredate, "7204");
        if (refused === undefined) {
          const { id, initial_token: of, holder } = one;
          const reserve = BigInt(one.initial_reserve);
          const fee = ownersShare(m, one, reserve, one.meltint_fee);
          m.pay("mrc401_recv_meltfee", id, projectAt(one.mrc400).owner, of, fee);
          m.pay("mrc401_recv_melt", id, holder, of, reserve - fee);
          m.putItem(one, { ...NO_SALE, owner: "MELTED", holder: "", melting_date: m.time });
        }
        return refused;
      },
    },
  };
}
