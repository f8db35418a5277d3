import {
  type Address,
  type Amount,
  NATIVE_COIN,
  type NewItem,
  type NewUnitItem,
  Refused,
  refuse,
  type TokenId,
  transferableOf,
} from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { newSaleWindow } from "../../market/listing.ts";
import type { SaleWindow } from "../../state/auction.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import { type Project, policyNumbered } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { firstRefusal } from "../first-refusal.ts";
import { type Deed, may, standingsOf } from "./permissions.ts";

// Shared by items and multi-unit items. Source: mrc401 §7, mrc402 §5.

interface Reserve {
  readonly token: TokenId;
  readonly amount: Amount;
}

/**
 * Refused with 3004: an attacker who knows the temporary key can name a number that another entry
 * gets by default.
 */
export function refuseTwice(ids: readonly string[]): Refused | undefined {
  const reason = "has the number that another entry has or gets";
  return firstRefusal(ids, (id, index) =>
    ids.indexOf(id) < index
      ? refuse({ code: "3004", parameter: `itemdata[${index}]`, reason })
      : undefined,
  );
}

interface NewThing {
  readonly isListed: boolean;
  readonly to: Address | undefined;
  readonly transferable: string;
  readonly metadatahash: string;
  readonly frozen: number;
}

/** Refused with 7002. Source: mrc401 §2.5, policies §9. */
export function refuseCreator(
  project: Project,
  actor: Address,
  things: readonly NewThing[],
): Refused | undefined {
  const standings = standingsOf(actor, project);
  const reason = `${actor} is neither the owner of ${project.id} nor has a role in it that allows this.`;
  return firstRefusal(things, (thing, index) =>
    may(standings, deedOf(thing)) && (!setsHash(thing) || may(standings, "change terms"))
      ? undefined
      : refuse({ code: "7002", parameter: `itemdata[${index}]`, reason }),
  );
}

/** Only the owner sets terms that holders rely on. Source: mrc401 §19. */
function setsHash({ metadatahash, frozen }: NewThing): boolean {
  return metadatahash !== "" || frozen !== 0;
}

function deedOf({ isListed, to, transferable }: NewThing): Deed {
  if (to !== undefined && transferable !== "Bound") {
    return "create for somebody";
  }
  return isListed ? "create and list" : "create";
}

/** Of a new item of either kind, by its project and its entry. Source: mrc401 §7, mrc402 §5. */
export function membersOfNew(project: Project, entry: NewItem | NewUnitItem) {
  return {
    mrc400: project.id,
    projectOrder: project.order,
    projectOwner: project.owner,
    item_url: entry.item_url,
    item_image_url: entry.item_image_url,
    groupid: entry.groupid,
    attributes: entry.attributes,
    metadatahash: entry.metadatahash,
    frozen: entry.frozen,
    sell_fee: entry.sell_fee,
    meltint_fee: entry.melt_fee,
    transferable: transferableOf(entry.transferable) ?? "Permanent",
    expiredate: entry.expiredate,
    policy_number: project.policy_number,
    face_price: entry.face_price,
    face_token: entry.face_price > 0n ? entry.face_token : NATIVE_COIN,
  } as const;
}

/** Refused with 7111 if an item of either kind has the number. Source: mrc401 §2.1. */
export function refuseNumber(state: StateReader, id: string, index: number): Refused | undefined {
  const reason = `names ${id}, whose number is in use`;
  return state.find(ITEM, id) === undefined && state.find(UNIT_ITEM, id) === undefined
    ? undefined
    : refuse({ code: "7111", parameter: `itemdata[${index}]`, reason });
}

/** Refused with 3005. Source: market §2.1. */
export function refuseWindows(
  entries: readonly (SaleWindow & { readonly sell_price: Amount })[],
  time: number,
): Refused | undefined {
  return firstRefusal(entries, (entry, index) => {
    const window =
      entry.sell_price > 0n ? newSaleWindow(entry, time, `itemdata[${index}].`) : undefined;
    return window instanceof Refused ? window : undefined;
  });
}

/** Refused with 3005 if the policy bounds prices by the face price. Source: policies §5. */
export function refuseNoFace(
  state: StateReader,
  { mrc400, policy_number, face_price }: Item | UnitItem,
  index: number,
): Refused | undefined {
  const reason = "must be given, because the policy of the project bounds prices by it";
  return face_price === 0n && policyNumbered(state, mrc400, policy_number).maxprice > 0n
    ? refuse({ code: "3005", parameter: `itemdata[${index}].face_price`, reason })
    : undefined;
}

/** Those above 0, in the order of the tokens' ids. */
export function sumsByToken(amounts: readonly Reserve[]): readonly Reserve[] {
  const sums = new Map<TokenId, bigint>();
  for (const { token, amount } of amounts) {
    sums.set(token, (sums.get(token) ?? 0n) + amount);
  }
  return [...sums]
    .filter(([, amount]) => amount > 0n)
    .map(([token, amount]) => ({ token, amount: amount as Amount }))
    .sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1));
}

/**
 * Refused with 5000 if the balance is too small. Each is paid before the next check: together they
 * merge no more locks than one debit. Source: accounts §8.3.
 */
export function payReserves(
  state: State,
  address: Address,
  reserves: readonly Reserve[],
): Refused | undefined {
  return firstRefusal(reserves, ({ token, amount }) => {
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor === undefined) {
      state.balances.debit(address, token, amount);
    }
    return poor;
  });
}
