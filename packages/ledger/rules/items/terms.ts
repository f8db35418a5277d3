import {
  type Address,
  type Attributes,
  type ChangedItem,
  canonicalJson,
  type ItemGuards,
  itemNumberOf,
  type JsonList,
  Refused,
  rateText,
  refuse,
  refuseFrozenWithoutUrls,
  transferableOf,
} from "@moneta/protocol";
import { type DocumentKind, named } from "../../state/entries.ts";
import type { Item } from "../../state/item-entry.ts";
import { ANY_TERMS } from "../../state/offer-entry.ts";
import { PROJECT, type Project, policyNumbered } from "../../state/project-entry.ts";
import type { StateReader } from "../../state/state.ts";
import type { UnitItem } from "../../state/units/unit-item-entry.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { may, standingsOf } from "./permissions.ts";

/** The members of an existing item of a project that can change. Source: mrc401 §8, mrc402 §10. */
export type Terms = Pick<
  Item,
  | "item_url"
  | "item_image_url"
  | "groupid"
  | "attributes"
  | "metadatahash"
  | "frozen"
  | "sell_fee"
  | "meltint_fee"
  | "transferable"
>;

/**
 * Refused with 7112 if fees are higher or transferability differs from what the buyer accepts.
 * `offerParameter` names an offer with the guards. Source: mrc401 §2.6, offers §3.
 */
export function refuseOtherTerms(
  item: Pick<Terms, "sell_fee" | "meltint_fee" | "transferable">,
  { maxmeltfee, maxsellfee, transferable }: ItemGuards,
  offerParameter?: string,
): Refused | undefined {
  const wanted = transferableOf(transferable);
  const differs = (guard: string, given: string, has: string): Refused =>
    offerParameter === undefined
      ? refuse({ code: "7112", parameter: guard, reason: `is ${given} but the item ${has}` })
      : refuse({
          ...{ code: "7112", parameter: offerParameter },
          reason: `names an offer with ${guard} ${given} but the item ${has}`,
        });
  if (maxmeltfee !== undefined && item.meltint_fee > maxmeltfee) {
    return differs(
      "maxmeltfee",
      rateText(maxmeltfee),
      `has melt_fee ${rateText(item.meltint_fee)}`,
    );
  }
  if (maxsellfee !== undefined && item.sell_fee > maxsellfee) {
    return differs("maxsellfee", rateText(maxsellfee), `has sell_fee ${rateText(item.sell_fee)}`);
  }
  return wanted !== undefined && item.transferable !== wanted
    ? differs("transferable", wanted, `is ${item.transferable}`)
    : undefined;
}

/** Without a guard any terms will do. Source: offers §2. */
export function guardsOfOffer({
  maxmeltfee,
  maxsellfee,
  transferable,
}: ItemGuards): typeof ANY_TERMS {
  return {
    maxmeltfee: maxmeltfee ?? ANY_TERMS.maxmeltfee,
    maxsellfee: maxsellfee ?? ANY_TERMS.maxsellfee,
    transferable: transferableOf(transferable) ?? ANY_TERMS.transferable,
  };
}

export function termsAfter(before: Terms, entry: ChangedItem): Terms {
  return {
    item_url: entry.item_url ?? before.item_url,
    item_image_url: entry.item_image_url ?? before.item_image_url,
    groupid: entry.groupid ?? before.groupid,
    attributes: entry.attributes ?? before.attributes,
    metadatahash: entry.metadatahash ?? before.metadatahash,
    frozen: entry.frozen ?? before.frozen,
    sell_fee: entry.sell_fee ?? before.sell_fee,
    meltint_fee: entry.melt_fee ?? before.meltint_fee,
    transferable: transferableOf(entry.transferable) ?? before.transferable,
  };
}

/** With their project. Refused with 6004 without one of them. */
export function itemsToChange<I extends Item | UnitItem>(
  state: StateReader,
  kind: DocumentKind<I>,
  { mrc400id, itemdata }: { readonly mrc400id: string; readonly itemdata: JsonList<ChangedItem> },
): { readonly project: Project; readonly items: readonly I[] } | Refused {
  const project = named(state, PROJECT, mrc400id, "mrc400id");
  if (project instanceof Refused) {
    return project;
  }
  const items = allOrFirstRefusal(itemdata.entries, (entry, index) =>
    named(state, kind, `${mrc400id}_${itemNumberOf(entry)}`, `itemdata[${index}].item_id`),
  );
  return items instanceof Refused ? items : { project, items };
}

interface ChangeOf<I> {
  readonly item: I;
  readonly changed: I;
}

/** `refuseGone` refuses an item that has ended. Source: mrc401 §8, mrc402 §10. */
export function refuseChanges<I extends Item | UnitItem>(
  state: StateReader,
  {
    project,
    actor,
    changes,
  }: {
    readonly project: Project;
    readonly actor: Address;
    readonly changes: readonly ChangeOf<I>[];
  },
  refuseGone: (item: I, parameter: string) => Refused | undefined,
): Refused | undefined {
  const { time } = state;
  const checks: readonly ((change: ChangeOf<I>, parameter: string) => Refused | undefined)[] = [
    ({ item: before, changed: after }, parameter) =>
      refuseEditor(project, actor, {
        ...{ id: before.id, creator: before.creator },
        before,
        after,
        parameter,
      }),
    ({ item }, parameter) => refuseGone(item, parameter),
    ({ item, changed }, parameter) =>
      refuseFrozen(item, changed, { time, prefix: `${parameter}.` }),
    ({ item, changed }, parameter) =>
      refuseTransferable(item, changed, `${parameter}.transferable`),
    ({ item, changed }, parameter) => refuseFixedTerms(state, item, changed, parameter),
  ];
  return firstRefusal(checks, (check) =>
    firstRefusal(changes, (change, index) => check(change, `itemdata[${index}]`)),
  );
}

/** Refused with 4900. */
export function refuseSame<I>(
  kind: DocumentKind<I>,
  changes: readonly ChangeOf<I>[],
): Refused | undefined {
  return changes.every(({ item, changed }) => kind.isSame(item, changed))
    ? refuse({ code: "4900", what: "Each of the items" })
    : undefined;
}

/** Refused with 7002. Source: mrc401 §2.5, §8. */
function refuseEditor(
  project: Project,
  actor: Address,
  item: {
    readonly id: string;
    readonly creator: Address;
    readonly before: Terms;
    readonly after: Terms;
    readonly parameter: string;
  },
): Refused | undefined {
  const { id, creator, before, after, parameter } = item;
  const standings = standingsOf(actor, project);
  const changesTerms =
    after.sell_fee !== before.sell_fee ||
    after.meltint_fee !== before.meltint_fee ||
    after.transferable !== before.transferable ||
    after.metadatahash !== before.metadatahash ||
    after.frozen !== before.frozen;
  // A right to change terms includes the right to describe every item.
  const isAllowed =
    may(standings, creator === actor ? "describe its own" : "describe another's") &&
    (!changesTerms || may(standings, "change terms"));
  const reason = `${actor} may not change this of ${id}: it is neither the owner of the project nor has a role in it that allows it.`;
  return isAllowed ? undefined : refuse({ code: "7002", parameter, reason });
}

/** The shown members of an item, and when they stop changing. */
type Metadata = Pick<
  Terms,
  "item_url" | "item_image_url" | "attributes" | "metadatahash" | "frozen"
>;

/**
 * Refused with 7119 if frozen; 3005 if its time moves later, or has no URLs of its own.
 * Source: mrc401 §19.
 */
export function refuseFrozen(
  before: Metadata,
  after: Metadata,
  { time, prefix }: { readonly time: number; readonly prefix: string },
): Refused | undefined {
  const changed = (["item_url", "item_image_url", "metadatahash", "attributes"] as const).find(
    (name) => after[name] !== before[name] && !isSame(after[name], before[name]),
  );
  if (before.frozen !== 0 && before.frozen <= time && changed !== undefined) {
    const reason = `cannot change: the item is frozen since ${before.frozen}`;
    return refuse({ code: "7119", parameter: `${prefix}${changed}`, reason });
  }
  const parameter = `${prefix}frozen`;
  const reason = `is ${after.frozen} but was ${before.frozen}: it can be moved earlier only`;
  return before.frozen !== 0 && (after.frozen === 0 || after.frozen > before.frozen)
    ? refuse({ code: "3005", parameter, reason })
    : refuseFrozenWithoutUrls(after, parameter);
}

function isSame(one: string | Attributes, other: string | Attributes): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Refused with 3005 if an item that is not Temporary changes. Source: mrc401 §8, mrc402 §2.4. */
function refuseTransferable(before: Terms, after: Terms, parameter: string): Refused | undefined {
  const reason = `is ${after.transferable} but an item that is ${before.transferable} stays so`;
  return after.transferable === before.transferable || before.transferable === "Temporary"
    ? undefined
    : refuse({ code: "3005", parameter, reason });
}

/** Refused with 7121: higher fees, or less transferability. Source: policies §8. */
function refuseFixedTerms(
  state: StateReader,
  item: Item | UnitItem,
  after: Terms,
  parameter: string,
): Refused | undefined {
  if (
    item.policy_number === 0 ||
    policyNumbered(state, item.mrc400, item.policy_number).terms === "changeable"
  ) {
    return undefined;
  }
  const refuseTerm = (name: string, reason: string): Refused =>
    refuse({ code: "7121", parameter: `${parameter}.${name}`, reason });
  if (after.sell_fee > item.sell_fee) {
    return refuseTerm("sell_fee", "can only fall: the terms of the item are fixed by its policy");
  }
  if (after.meltint_fee > item.meltint_fee) {
    return refuseTerm("melt_fee", "can only fall: the terms of the item are fixed by its policy");
  }
  const reason = "is Bound but by its policy an item that is Temporary can only become Permanent";
  return after.transferable === "Bound" && item.transferable !== "Bound"
    ? refuseTerm("transferable", reason)
    : undefined;
}
