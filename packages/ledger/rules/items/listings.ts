import {
  type Address,
  type JsonList,
  type RecordValues,
  Refused,
  refuse,
  type TokenId,
  type TransactionRecord,
} from "@moneta/protocol";
import { type HolderChange, refuseHolderChange } from "../../market/holder-change.ts";
import { done, effect, record, type Signed } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { holderOf, ITEM, type Item } from "../../state/item-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { type Acting, acting } from "../rule.ts";
import { projectOf, putItem, refuseForeignToken } from "./item.ts";
import { refuseAct, takenOff, withoutEndedSale } from "./item-life.ts";
import { may, standingsOf } from "./permissions.ts";

interface Entry {
  readonly id: string;
  readonly token?: TokenId;
  readonly parameter: string;
}

export function entriesOf(
  entries: readonly { readonly id: string; readonly token: TokenId }[],
): readonly Entry[] {
  return entries.map(({ id, token }, index) => ({ id, token, parameter: `itemdata[${index}]` }));
}

export function idEntriesOf(ids: readonly string[]): readonly Entry[] {
  return ids.map((id, index) => ({ id, parameter: `itemdata[${index}]` }));
}

/** Refuses missing items or permissions. Source: mrc401 §10, conventions §3. */
export function itemLister(
  state: StateReader,
  { seller, mrc400id }: { readonly seller: Address | undefined; readonly mrc400id: string },
  entries: readonly Entry[],
  keyHolder: () => Address | Refused,
): Acting<readonly Item[]> | Refused {
  const project = mrc400id === "" ? undefined : named(state, PROJECT, mrc400id, "mrc400id");
  if (project instanceof Refused) {
    return project;
  }
  const items = allOrFirstRefusal(entries, ({ id, token, parameter }) =>
    named(state, ITEM, id, token === undefined ? parameter : `${parameter}.id`),
  );
  if (items instanceof Refused) {
    return items;
  }
  const reason = `names an item of another project than ${mrc400id}`;
  const foreign = items.findIndex((item) => project !== undefined && item.mrc400 !== project.id);
  if (foreign !== -1) {
    return refuse({ code: "3005", parameter: `itemdata[${foreign}]`, reason });
  }
  const actor =
    mustExist(state, "seller", seller) ??
    firstRefusal(entries, ({ token, parameter }) =>
      token === undefined ? undefined : tokenMustExist(state, token, `${parameter}.token`),
    ) ??
    firstRefusal(entries, ({ token, parameter }, index) =>
      token === undefined
        ? undefined
        : refuseForeignToken(
            projectOf(state, items[index] as Item).allow_token,
            token,
            `${parameter}.token`,
            items[index],
          ),
    ) ??
    seller ??
    keyHolder();
  return acting(actor, items);
}

interface Change {
  readonly actor: Address;
  readonly found: readonly Item[];
}

type Asked = Pick<HolderChange, "at" | "prices" | "token">;

type Terms = Partial<RecordValues<"mrc401_sell"> & RecordValues<"mrc401_auction">>;

/**
 * `list` returns the listed item and the terms in its record, or refuses them. Source: mrc401 §10,
 * §14.
 */
export function listItems<E>(
  act: "sell" | "auction",
  state: State,
  values: Signed & { readonly itemdata: JsonList<E> },
  given: Change,
  list: (item: Item, entry: E, parameter: string) => readonly [Item, Terms] | Refused,
  asked: (entry: E, parameter: string) => Asked,
): TransactionRecord | Refused {
  const { entries } = values.itemdata;
  const found = given.found.map((item) => withoutEndedSale(item, state.time));
  return changeItems(
    act,
    state,
    values,
    { ...given, found },
    (item, index) => list(item, entries[index] as E, `itemdata[${index}]`),
    (item, index) => refuseListing(state, item, act, asked, entries[index] as E, index),
  );
}

function refuseListing<E>(
  state: State,
  item: Item,
  act: "sell" | "auction",
  asked: (entry: E, parameter: string) => Asked,
  entry: E,
  index: number,
): Refused | undefined {
  if (item.policy_number === 0) {
    return undefined;
  }
  const parameter = `itemdata[${index}]`;
  const from = holderOf(item) as Address;
  const way = act === "sell" ? "sale" : "auction";
  const change = {
    way,
    from,
    to: undefined,
    units: 1n,
    parameter,
    ...asked(entry, parameter),
  } as const;
  return refuseHolderChange(state, item, change);
}

/** The items are as before they were listed. Source: mrc401 §11, §15. */
export function takeOff(
  act: "unsell" | "unauction",
  state: State,
  values: Signed & { readonly itemdata: JsonList<string> },
  given: Change,
): TransactionRecord | Refused {
  return changeItems(act, state, values, given, (item) => [takenOff(item), {}]);
}

/** Records: M, one of each item, A. Source: mrc401 §10. */
function changeItems(
  act: "sell" | "auction" | "unsell" | "unauction",
  state: State,
  { itemdata, signature, tkey }: Signed & { readonly itemdata: { readonly text: string } },
  { actor, found: items }: Change,
  change: (item: Item, index: number) => readonly [Item, Terms] | Refused,
  refuseChange: (item: Item, index: number) => Refused | undefined = () => undefined,
): TransactionRecord | Refused {
  const refused =
    firstRefusal(items, (item, index) =>
      refuseUnauthorized(state, actor, item, `itemdata[${index}]`),
    ) ??
    firstRefusal(items, (item, index) => refuseAct(act, item, `itemdata[${index}]`)) ??
    firstRefusal(items, refuseChange);
  if (refused !== undefined) {
    return refused;
  }
  const changes = allOrFirstRefusal(items, change);
  if (changes instanceof Refused) {
    return changes;
  }

  const type = `mrc401${act}` as const;
  const signed = { seller: actor, signature, tkey };
  const all = { ...signed, itemdata: itemdata.text };
  const effects = changes.map(([changed, terms]) => {
    const values = { ...signed, item: changed.id, ...terms };
    return putItem(state, changed, `mrc401_${act}`, values as Values<typeof act>);
  });
  return done(state, record(type, all), [
    ...effects,
    // Holders for whom the actor acted by a role. Source: mrc401 §1.3.
    ...ownersOfOthers(items, actor).map((owner) => effect(type, all, { of: owner })),
  ]);
}

type Values<A extends "sell" | "auction" | "unsell" | "unauction"> = RecordValues<`mrc401_${A}`>;

function refuseUnauthorized(
  state: StateReader,
  actor: Address,
  item: Item,
  parameter: string,
): Refused | undefined {
  const deed = item.owner === "" ? "list a fresh item" : "list a traded item";
  const reason = `${actor} neither holds ${item.id} nor may list it by a role in its project.`;
  return item.owner === "MELTED" || may(standingsOf(actor, projectOf(state, item), item), deed)
    ? undefined
    : refuse({ code: "7001", parameter, reason });
}

function ownersOfOthers(items: readonly Item[], actor: Address): readonly Address[] {
  const owners = items.filter((item) => holderOf(item) !== actor).map((item) => item.projectOwner);
  return [...new Set(owners)];
}
