import {
  type Address,
  type Rate,
  type RecordType,
  type RecordValues,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { FeeShare } from "../../market/fees.ts";
import { noteHeld } from "../../market/holder-change.ts";
import { type EffectDraft, effectOnEntry } from "../../records/record.ts";
import { holderOf, ITEM, type Item, NO_FACE_PRICE } from "../../state/item-entry.ts";
import { PROJECT, type Project, policyNumbered } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { finderOf, namedOrKeyHolder } from "../existence.ts";
import { type Acting, actingOnNamed } from "../rule.ts";

/**
 * The request's address, or the temporary key's; `by` has it by parameter. Refused with 6004
 * without the item, 3090 without the address. Source: conventions §8.6, mrc401 §12.
 */
export function itemActor(
  state: StateReader,
  mrc401id: string,
  by: { readonly [parameter: string]: Address | undefined },
  keyHolder: () => Address | Refused,
): Acting<Item> | Refused {
  const [[parameter, address] = ["", undefined]] = Object.entries(by);
  return actingOnNamed(finderOf(state, ITEM, mrc401id, "mrc401id"), () =>
    namedOrKeyHolder(state, parameter, address, keyHolder),
  );
}

export function projectOf(state: StateReader, item: Item): Project {
  const project = state.find(PROJECT, item.mrc400);
  invariant(project !== undefined, "every item is of a project");
  return project;
}

/**
 * Refused with 3005; the face price's token is always allowed. Source: mrc401 §2.4, policies §5.
 */
export function refuseForeignToken(
  allowed: number | TokenId,
  token: TokenId,
  parameter: string,
  { face_price, face_token }: Pick<Item, "face_price" | "face_token"> = NO_FACE_PRICE,
): Refused | undefined {
  const reason = `is ${token} but items of this project are traded for ${allowed} and 0 only`;
  return String(allowed) === "0" ||
    token === "0" ||
    token === String(allowed) ||
    (face_price > 0n && token === face_token)
    ? undefined
    : refuse({ code: "3005", parameter, reason });
}

/** Refused with 7001 unless the address holds the item or no address does. Source: mrc401 §2.5. */
export function refuseStranger(
  item: Item,
  address: Address,
  parameter: string,
): Refused | undefined {
  const reason = `${address} does not hold ${item.id}: only its holder may do this.`;
  return item.owner === "MELTED" || holderOf(item) === address
    ? undefined
    : refuse({ code: "7001", parameter, reason });
}

/** Refused with 3004 if the holder of an item buys it. Source: mrc401 §2.5. */
export function refuseHolder(item: Item, buyer: Address, parameter: string): Refused | undefined {
  const reason = `is ${buyer}, who holds the item already`;
  return holderOf(item) === buyer ? refuse({ code: "3004", parameter, reason }) : undefined;
}

/** Stores an item and makes a record I of it. */
export function putItem<T extends RecordType>(
  state: State,
  item: Item,
  type: T,
  values: RecordValues<T>,
): EffectDraft {
  const stored = item.policy_number === 0 ? item : withHolderNoted(state, item);
  state.putItem(stored);
  return effectOnEntry(type, values, ITEM, stored);
}

function withHolderNoted(state: State, item: Item): Item {
  const before = state.find(ITEM, item.id);
  const [from, to] = [before === undefined ? "" : holderOf(before), holderOf(item)];
  const [outbid, bidder] = [before?.auction_current_bidder ?? "", item.auction_current_bidder];
  if (outbid !== bidder) {
    noteHeld(state, item, outbid, -1n);
    noteHeld(state, item, bidder, 1n);
  }
  if (from === to) {
    return item;
  }
  noteHeld(state, item, from, -1n);
  noteHeld(state, item, to, 1n);
  const { cooldown } = policyNumbered(state, item.mrc400, item.policy_number);
  return cooldown === 0 || to === "" ? item : { ...item, held_since: state.time };
}

/** None if the owner holds the item. Source: mrc401 §2.4. */
export function shareOfOwner(item: Item, rate: Rate, movement: string): readonly FeeShare[] {
  const { projectOwner } = item;
  return holderOf(item) === projectOwner ? [] : [{ payee: projectOwner, rate, movement }];
}
