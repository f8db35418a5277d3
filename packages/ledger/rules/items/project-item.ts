import {
  type Address,
  type Amount,
  type RecordType,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { FeeShare } from "../../market/fees.ts";
import { payOut } from "../../market/pay-out.ts";
import type { Movement } from "../../market/payments.ts";
import { holderOf, ITEM, type Item } from "../../state/item-entry.ts";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { type EffectDraft, effectOn, effectOnEntry, type Signed } from "../rule.ts";

/** The project with an id, or 6004. */
export function projectNamed(
  state: StateReader,
  id: string,
  parameter = "mrc400id",
): Project | Refused {
  return state.find(PROJECT, id) ?? refuse({ code: "6004", parameter, given: id });
}

/** The item with an id, or 6004. */
export function itemNamed(state: StateReader, id: string, parameter = "mrc401id"): Item | Refused {
  return state.find(ITEM, id) ?? refuse({ code: "6004", parameter, given: id });
}

/** The project of an item. */
export function projectOf(state: StateReader, item: Item): Project {
  const project = state.find(PROJECT, item.project);
  invariant(project !== undefined, "every item is of a project");
  return project;
}

/** Refused with 3005 if the items of a project may not be traded for a token. Source: mrc401 §2.4. */
export function refuseForeignToken(
  { allowToken }: Pick<Project, "allowToken">,
  token: TokenId,
  parameter: string,
): Refused | undefined {
  const reason = `is ${token} but items of this project are traded for ${allowToken} and 0 only`;
  return allowToken === "0" || token === "0" || token === allowToken
    ? undefined
    : refuse({ code: "3005", parameter, reason });
}

/** Refused with 7001 if an address does not hold an item, unless nobody does. Source: mrc401 §2.5. */
export function refuseStranger(
  item: Item,
  address: Address,
  parameter: string,
): Refused | undefined {
  const reason = `${address} does not hold ${item.id}: only its holder may do this.`;
  return item.condition.is === "melted" || holderOf(item) === address
    ? undefined
    : refuse({ code: "7001", parameter, reason });
}

/** Refused with 3004 if the holder of an item buys it. Source: mrc401 §2.5. */
export function refuseHolder(item: Item, buyer: Address, parameter: string): Refused | undefined {
  const reason = `is ${buyer}, who holds the item already`;
  return holderOf(item) === buyer ? refuse({ code: "3004", parameter, reason }) : undefined;
}

/** Stores an item as it is now and makes a record I of it. */
export function putItem(
  state: State,
  item: Item,
  type: RecordType,
  parameters: readonly string[],
): EffectDraft {
  state.put(ITEM, item);
  return effectOnEntry(ITEM, item, type, parameters);
}

/** Parameters of a record of money that went from one to another for an item. Source: mrc401 §12. */
export function moneyParameters(
  id: string,
  {
    from,
    to,
    amount,
    token,
  }: {
    readonly from: string;
    readonly to: string;
    readonly amount: Amount;
    readonly token: TokenId;
  },
  { signature, tkey }: Signed,
): readonly string[] {
  return [from, to, String(amount), token, signature, "0", "", id, tkey];
}

/** What the parts of a payment for an item are called, as movements and in records. */
const PARTS = {
  sale: {
    fee: { movement: "mrc401_recv_fee", record: "receive_mrc401fee" },
    rest: { movement: "mrc401_recv_sell", record: "receive_mrc401sell" },
  },
  auction: {
    fee: { movement: "mrc401_recv_fee", record: "receive_mrc401fee" },
    rest: { movement: "mrc401_recv_auction", record: "receive_mrc401auction" },
  },
  melt: {
    fee: { movement: "mrc401_recv_meltfee", record: "receive_meltfee" },
    rest: { movement: "mrc401_recv_melt", record: "receive_melt" },
  },
} as const;

/**
 * Pays an amount that is held for an item: the project's owner its fee, the holder the rest. There is no fee if they are one. Source: mrc401 §2.4.
 */
export function payHolder(
  state: State,
  item: Item,
  payment: {
    readonly amount: Amount;
    readonly token: TokenId;
    readonly rate: FeeShare["rate"];
    readonly kind: keyof typeof PARTS;
    /** Who the records say it came from. */
    readonly payer: string;
    readonly by: Signed;
  },
): { readonly movements: readonly Movement[]; readonly effects: readonly EffectDraft[] } {
  const { amount, token, rate, kind, payer, by } = payment;
  const { fee: feePart, rest: restPart } = PARTS[kind];
  const holder = holderOf(item) as Address;
  const { projectOwner } = item;
  const { fees, rest, movements } = payOut(state, amount, {
    from: item.id,
    token,
    shares:
      holder === projectOwner ? [] : [{ payee: projectOwner, rate, movement: feePart.movement }],
    payee: holder,
    movement: restPart.movement,
  });
  const received = (from: string, to: Address, part: Amount): readonly string[] =>
    moneyParameters(item.id, { from, to, amount: part, token }, by);
  const feePayer = kind === "melt" ? item.id : holder;
  return {
    movements,
    effects: [
      ...fees.map((fee) =>
        effectOn(fee.payee, feePart.record, received(feePayer, fee.payee, fee.amount)),
      ),
      ...(rest > 0n ? [effectOn(holder, restPart.record, received(payer, holder, rest))] : []),
    ],
  };
}
