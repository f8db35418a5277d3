import {
  type Address,
  type Amount,
  type RecordType,
  type RecordValues,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { noteHeld } from "../../market/holder-change.ts";
import { type EffectDraft, effectOnEntry } from "../../records/record.ts";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { type Units, unitsOf } from "../../state/units/holding-entry.ts";
import { existingUnits, UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { unitItemView } from "../../state/units/unit-item-view.ts";
import { finderOf, namedOrKeyHolder } from "../existence.ts";
import { may, standingsOf } from "../items/permissions.ts";
import { type Acting, actingOnNamed } from "../rule.ts";

/** The request's address, or the temporary key's. Source: mrc402 §1.2. */
export function unitItemActor(
  state: StateReader,
  mrc402id: string,
  address: Address | undefined,
  keyHolder: () => Address | Refused,
): Acting<UnitItem> | Refused {
  return actingOnNamed(finderOf(state, UNIT_ITEM, mrc402id, "mrc402id"), () =>
    namedOrKeyHolder(state, "address", address, keyHolder),
  );
}

export function projectOfUnits(state: StateReader, item: UnitItem): Project | undefined {
  return item.mrc400 === "" ? undefined : state.find(PROJECT, item.mrc400);
}

/** Refused with 7110. */
export function refuseEnded(item: UnitItem, parameter: string): Refused | undefined {
  const reason = `names ${item.id}, which has ended: all of its units were ${item.melting_date > 0 ? "melted" : "burned"}`;
  return existingUnits(item) === 0n ? refuse({ code: "7110", parameter, reason }) : undefined;
}

/** Refused with 7109. Source: mrc402 §2.4. */
export function refuseBoundUnits(item: UnitItem, parameter: string): Refused | undefined {
  const reason = `names ${item.id}, which is Bound: its units cannot be passed on`;
  return item.transferable === "Bound" ? refuse({ code: "7109", parameter, reason }) : undefined;
}

/** Refused with 7108 if some of the units are listed. Source: mrc402 §2.2, "take". */
export function refuseListedUnits(
  state: StateReader,
  item: UnitItem,
  {
    address,
    amount,
    parameter,
  }: { readonly address: Address; readonly amount: Amount; readonly parameter: string },
): Refused | undefined {
  const holding = state.holding(address, item);
  const reason = `asks for ${amount} units of ${item.id} but only ${holding.balance} are free: the others are on sale or on auction`;
  return holding.balance < amount && unitsOf(holding) >= amount
    ? refuse({ code: "7108", parameter, reason })
    : undefined;
}

/** Refused with 5000. Source: mrc402 §2.2, "take". */
export function refuseMissingUnits(
  state: StateReader,
  item: UnitItem,
  {
    address,
    amount: needed,
    parameter,
  }: { readonly address: Address; readonly amount: Amount; readonly parameter: string },
): Refused | undefined {
  const units = unitsOf(state.holding(address, item));
  return units < needed
    ? refuse({ code: "5000", parameter, item: item.id, needed, spendable: units })
    : undefined;
}

/** Whether an address holds units of an item. Source: mrc402 §2.2. */
export function holds(state: StateReader, item: UnitItem, address: Address): boolean {
  return unitsOf(state.holding(address, item)) > 0n;
}

/** Refused with 7001, unless the item has ended. */
export function refuseNoHolder(
  state: StateReader,
  item: UnitItem,
  address: Address,
): Refused | undefined {
  const reason = `${address} has no unit of ${item.id}.`;
  return existingUnits(item) === 0n || holds(state, item, address)
    ? undefined
    : refuse({ code: "7001", reason });
}

/** Refused with 7002. */
export function refuseNotIssuer(item: UnitItem, address: Address): Refused | undefined {
  const reason = `${address} has not created ${item.id}: only its creator may do this.`;
  return item.creator === address ? undefined : refuse({ code: "7002", reason });
}

/** Whether an address acts for the creator of an item. Source: mrc402 §2.3, "agent". */
export function isAgent(state: StateReader, item: UnitItem, address: Address): boolean {
  const project = projectOfUnits(state, item);
  return (
    project !== undefined &&
    !item.hasChangedHands &&
    !holds(state, item, address) &&
    may(standingsOf(address, project), "list a fresh item")
  );
}

/** The actor, or for an agent the creator; else refused with 7001. Source: mrc402 §2.3. */
export function sellerFor(
  state: StateReader,
  item: UnitItem,
  actor: Address,
  parameter: string,
): Address | Refused {
  if (holds(state, item, actor)) {
    return actor;
  }
  const reason = `${parameter} names ${item.id}, of which ${actor} has no unit, and it may not act for its creator.`;
  return isAgent(state, item, actor) ? item.creator : refuse({ code: "7001", parameter, reason });
}

/** By numbers that may be negative. Returns the item, which counts its holders. */
export function moveUnits(
  state: State,
  item: UnitItem,
  address: Address,
  by: { readonly [K in keyof Units]?: bigint },
): UnitItem {
  const before = state.holding(address, item);
  const after = {
    ...before,
    balance: (before.balance + (by.balance ?? 0n)) as Amount,
    saleamount: (before.saleamount + (by.saleamount ?? 0n)) as Amount,
    auctionamount: (before.auctionamount + (by.auctionamount ?? 0n)) as Amount,
  };
  invariant(
    after.balance >= 0n && after.saleamount >= 0n && after.auctionamount >= 0n,
    "units have been checked before they are taken",
  );
  state.putHolding(after);
  if (item.policy_number !== 0) {
    noteHeld(state, item, address, unitsOf(after) - unitsOf(before));
  }
  const wasHolder = unitsOf(before) > 0n ? 1 : 0;
  const isHolder = unitsOf(after) > 0n ? 1 : 0;
  return { ...item, holders: item.holders + isHolder - wasHolder };
}

/** Stores an item and makes a record I of it. */
export function putUnitItem<T extends RecordType>(
  state: State,
  item: UnitItem,
  type: T,
  values: RecordValues<T>,
): EffectDraft {
  state.put(UNIT_ITEM, item);
  return effectOnEntry(type, values, UNIT_ITEM, item, (of, after) =>
    unitItemView(of, after, false),
  );
}

/** Source: mrc402 §2.5. */
export function reserveOf(
  { initialreserve }: UnitItem,
  units: Amount,
): readonly { readonly token: TokenId; readonly amount: Amount }[] {
  return Object.entries(initialreserve).map(([token, amount]) => ({
    token: token as TokenId,
    amount: (amount * units) as Amount,
  }));
}
