import {
  type Address,
  type ChangedItem,
  type ItemGuards,
  type Rate,
  type Refused,
  rateText,
  refuse,
  type Transferable,
  transferableOf,
} from "@moneta/protocol";
import type { Project } from "../../state/project-entry.ts";
import { may, standingsOf } from "./permissions.ts";

/** What can be changed of an item of a project once it is there. Source: mrc401 §8, mrc402 §10. */
export interface Terms {
  readonly url: string;
  readonly imageUrl: string;
  readonly group: string;
  readonly sellFee: Rate;
  readonly meltFee: Rate;
  readonly transferable: Transferable;
}

/**
 * Refused with 7112 if an item has higher fees, or can be passed on in another way, than its buyer
 * or bidder accepts. Source: mrc401 §2.6.
 */
export function refuseOtherTerms(
  item: Pick<Terms, "sellFee" | "meltFee" | "transferable">,
  { maxmeltfee, maxsellfee, transferable }: ItemGuards,
): Refused | undefined {
  const wanted = transferableOf(transferable);
  const differs = (parameter: string, reason: string): Refused =>
    refuse({ code: "7112", parameter, reason });
  if (maxmeltfee !== undefined && item.meltFee > maxmeltfee) {
    const reason = `is ${rateText(maxmeltfee)} but the item has melt_fee ${rateText(item.meltFee)}`;
    return differs("maxmeltfee", reason);
  }
  if (maxsellfee !== undefined && item.sellFee > maxsellfee) {
    const reason = `is ${rateText(maxsellfee)} but the item has sell_fee ${rateText(item.sellFee)}`;
    return differs("maxsellfee", reason);
  }
  return wanted !== undefined && item.transferable !== wanted
    ? differs("transferable", `is ${wanted} but the item is ${item.transferable}`)
    : undefined;
}

/** The terms after what an entry of `itemdata` changes of them. */
export function termsAfter(before: Terms, entry: ChangedItem): Terms {
  return {
    url: entry.item_url ?? before.url,
    imageUrl: entry.item_image_url ?? before.imageUrl,
    group: entry.groupid ?? before.group,
    sellFee: entry.sell_fee ?? before.sellFee,
    meltFee: entry.melt_fee ?? before.meltFee,
    transferable: transferableOf(entry.transferable) ?? before.transferable,
  };
}

/**
 * Refused with 7002 without the right to change what changes, or without any right to change the
 * item. Source: mrc401 §2.5, §8.
 */
export function refuseEditor(
  project: Project,
  actor: Address,
  item: {
    readonly id: string;
    readonly creator: Address;
    readonly before: Terms;
    readonly after: Terms;
    /** What it is called in messages. */
    readonly parameter: string;
  },
): Refused | undefined {
  const { id, creator, before, after, parameter } = item;
  const standings = standingsOf(actor, project);
  const changesTerms =
    after.sellFee !== before.sellFee ||
    after.meltFee !== before.meltFee ||
    after.transferable !== before.transferable;
  // Whoever may change terms may describe every item.
  const isAllowed =
    may(standings, creator === actor ? "describe its own" : "describe another's") &&
    (!changesTerms || may(standings, "change terms"));
  const reason = `${actor} may not change this of ${id}: it is neither the owner of the project nor has a role in it that allows it.`;
  return isAllowed ? undefined : refuse({ code: "7002", parameter, reason });
}

/**
 * Refused with 3005 if an item that is not Temporary would become something else.
 * Source: mrc401 §8, mrc402 §2.4.
 */
export function refuseTransferable(
  before: Terms,
  after: Terms,
  parameter: string,
): Refused | undefined {
  const reason = `is ${after.transferable} but an item that is ${before.transferable} stays so`;
  return after.transferable === before.transferable || before.transferable === "Temporary"
    ? undefined
    : refuse({ code: "3005", parameter, reason });
}
