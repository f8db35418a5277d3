import {
  type Address,
  EXTRA_FIELDS,
  itemNumberOf,
  type LedgerOperation,
  mrc402Create,
  NATIVE_COIN,
  type NewUnitItem,
  NO_RATE,
  ONE,
  type RecordValues,
  type Refused,
  rateText,
  reservePerUnit,
  SIGNED_UNIT_FIELDS,
  type TokenId,
  type TransactionRecord,
  type ValuesOf,
  ZERO,
} from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { platformOf } from "../../market/platform.ts";
import {
  done,
  type EffectDraft,
  effect,
  record,
  type Signed,
  sent,
  signatureOf,
} from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { itemIds } from "../../state/ids/item-ids.ts";
import { itemOrder } from "../../state/ids/item-order.ts";
import { NO_TRADE, WITHOUT_POLICY } from "../../state/item-entry.ts";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import { keptTexts, shareholderOrder, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { refuseForeignToken } from "../items/item.ts";
import {
  membersOfNew,
  payReserves,
  refuseCreator,
  refuseNoFace,
  refuseNumber,
  refuseTwice,
  refuseWindows,
  sumsByToken,
} from "../items/new-items.ts";
import { type Acting, acting, actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { putListed } from "./goods.ts";
import { listUnits } from "./listing.ts";
import { moveUnits, putUnitItem, refuseBoundUnits, reserveOf } from "./unit-item.ts";

/** Source: mrc402 §4, §5. */
export const mrc402CreateRule: RuledOperation = ruleOf(mrc402Create, {
  actor: (state, values, keyHolder) =>
    values.itemdata === undefined
      ? creatorOfStandalone(state, values)
      : creatorInProject(state, values, keyHolder),

  apply: (state, values, given) =>
    given.found === undefined
      ? createStandalone(state, values, given)
      : createInProject(state, values, { ...given, project: given.found }),
});

type Values = ValuesOf<typeof mrc402Create.parameters>;
type Creation = Acting<Project | undefined>;

/** Source: mrc402 §4, check 2. */
function creatorOfStandalone(state: StateReader, values: Values): Creation | Refused {
  const creator = values.creator as Address;
  return acting(
    mustExist(state, "creator", creator) ??
      mustExist(state, "to", values.to) ??
      refuseUnknownPayees(state, values, "") ??
      firstRefusal([...reservePerUnit({ ...values, ...NO_SINGLE_RESERVE }).keys()], (token) =>
        tokenMustExist(state, token as TokenId, `initialreserve.${token}`),
      ) ??
      tokenMustExist(state, values.allowtoken, "allowtoken") ??
      creator,
  );
}

const NO_SINGLE_RESERVE = { initial_reserve: ZERO, initial_token: undefined };

function refuseUnknownPayees(
  state: StateReader,
  { shareholder, platform_address }: Pick<NewUnitItem, "shareholder" | "platform_address">,
  prefix: string,
): Refused | undefined {
  return (
    firstRefusal([...(shareholder?.members.keys() ?? [])], (address) =>
      mustExist(state, `${prefix}shareholder.${address}`, address as Address),
    ) ?? mustExist(state, `${prefix}platform_address`, platform_address)
  );
}

/** Source: mrc402 §4, checks 4 on. */
function createStandalone(
  state: State,
  values: Values,
  { actor: creator, operation }: { readonly actor: Address; readonly operation: LedgerOperation },
): TransactionRecord | Refused {
  const { tkey } = values;
  const item: UnitItem = {
    ...newUnitItem(state, creator, { ...values, ...NO_SINGLE_RESERVE }),
    id: derivedId("MRC402", creator, tkey),
    order: itemOrder(state.operationNumber, 0),
    allow_token: values.allowtoken,
    item_url: values.itemurl,
    item_image_url: values.itemimageurl,
  };
  const reserves = sumsByToken(reserveOf(item, item.totalsupply));
  const poor = payReserves(state, creator, reserves);
  if (poor !== undefined) {
    return poor;
  }

  const { to = creator } = values;
  const held = moveUnits(state, item, to, { balance: item.totalsupply });
  const given = {
    ...{ item: item.id, signature: signatureOf(operation), tkey },
    ...sent(operation, "creator", ...SIGNED_UNIT_FIELDS),
    ...(EXTRA_FIELDS.some((name) => operation.params[name] !== undefined)
      ? sent(operation, ...EXTRA_FIELDS)
      : {}),
  };
  const created = putUnitItem(state, held, "mrc402_create", given);
  const by = { signature: signatureOf(operation), tkey };
  return done(state, record("mrc402create", given), [
    created,
    ...(values.to === undefined ? [] : [receivedUnits(item, values.to, by)]),
  ]);
}

/** Source: mrc402 §5, check 2. */
function creatorInProject(
  state: StateReader,
  values: Values,
  keyHolder: () => Address | Refused,
): Creation | Refused {
  const { mrc400id, creator, itemdata, tkey } = values;
  const entries = itemdata?.entries ?? [];
  return actingOn(
    named(state, PROJECT, mrc400id, "mrc400id"),
    (project) =>
      refuseTwice(idsOf({ mrc400id, tkey, entries })) ??
      mustExist(state, "creator", creator) ??
      firstRefusal(entries, ({ to }, index) => mustExist(state, `itemdata[${index}].to`, to)) ??
      firstRefusal(entries, (entry, index) =>
        refuseUnknownPayees(state, entry, `itemdata[${index}].`),
      ) ??
      firstRefusal(entries, (entry, index) =>
        firstRefusal(tokensOf(entry), ({ token, name }) =>
          tokenMustExist(state, token, `itemdata[${index}].${name}`),
        ),
      ) ??
      firstRefusal(entries, (entry, index) =>
        entry.sell_price > 0n
          ? refuseForeignToken(
              project.allow_token,
              entry.sell_token ?? NATIVE_COIN,
              `itemdata[${index}].sell_token`,
              entry,
            )
          : undefined,
      ) ??
      creator ??
      keyHolder(),
  );
}

function idsOf({
  mrc400id,
  tkey,
  entries,
}: {
  readonly mrc400id: string;
  readonly tkey: string;
  readonly entries: readonly NewUnitItem[];
}): readonly string[] {
  return itemIds({ kind: "MRC402", mrc400id, tkey, numbers: entries.map(itemNumberOf) });
}

function tokensOf(
  entry: NewUnitItem,
): readonly { readonly token: TokenId; readonly name: string }[] {
  const { initial_token, sell_price, sell_token = NATIVE_COIN } = entry;
  return [
    ...[...(entry.initialreserve?.members.keys() ?? [])].map((token) => ({
      token: token as TokenId,
      name: `initialreserve.${token}`,
    })),
    ...(initial_token === undefined ? [] : [{ token: initial_token, name: "initial_token" }]),
    ...(sell_price > 0n ? [{ token: sell_token, name: "sell_token" }] : []),
    ...(entry.face_price > 0n ? [{ token: entry.face_token, name: "face_token" }] : []),
  ];
}

/** Source: mrc402 §5, checks 4 on. */
function createInProject(
  state: State,
  values: Values,
  { actor, project }: { readonly actor: Address; readonly project: Project },
): TransactionRecord | Refused {
  const { mrc400id, itemdata, tkey, signature } = values;
  const entries = itemdata?.entries ?? [];
  const ids = idsOf({ mrc400id, tkey, entries });
  const items = entries.map((entry, index) =>
    itemOfProject(state, project, actor, { id: ids[index] as string, index, entry }),
  );
  const reserves = sumsByToken(items.flatMap((item) => reserveOf(item, item.totalsupply)));
  const refused =
    refuseCreator(
      project,
      actor,
      entries.map((entry) => ({ ...entry, isListed: entry.sell_price > 0n })),
    ) ??
    firstRefusal(ids, (id, index) => refuseNumber(state, id, index)) ??
    firstRefusal(entries, ({ sell_price }, index) =>
      sell_price > 0n
        ? refuseBoundUnits(items[index] as UnitItem, `itemdata[${index}]`)
        : undefined,
    ) ??
    firstRefusal(items, (item, index) => refuseNoFace(state, item, index)) ??
    firstRefusal(entries, ({ sell_price: amount, sell_token: token = NATIVE_COIN }, index) =>
      amount === 0n
        ? undefined
        : refuseHolderChange(state, items[index] as UnitItem, {
            ...{ way: "sale", from: actor, to: undefined, units: 1n, at: state.time, token },
            prices: [{ amount, parameter: `itemdata[${index}].sell_price` }],
            parameter: `itemdata[${index}]`,
          }),
    ) ??
    refuseWindows(entries, state.time) ??
    payReserves(state, actor, reserves);
  if (refused !== undefined) {
    return refused;
  }

  const by = { signature, tkey };
  const effects = entries.flatMap((entry, index) => {
    const item = items[index] as UnitItem;
    return createdUnits(state, item, entry, { actor, index, by });
  });
  const all = { mrc400id, actor, itemdata: itemdata?.text ?? "", signature, tkey };
  return done(state, record("mrc402create", all, { of: actor }), effects);
}

function createdUnits(
  state: State,
  item: UnitItem,
  entry: NewUnitItem,
  {
    actor,
    index,
    by,
  }: {
    readonly actor: Address;
    readonly index: number;
    readonly by: { readonly signature: string; readonly tkey: string };
  },
): readonly EffectDraft[] {
  const values = createdValues(item, actor, entry, by);
  const held = moveUnits(state, item, entry.to ?? actor, { balance: item.totalsupply });
  if (entry.sell_price === 0n) {
    return [
      putUnitItem(state, held, "mrc402_create", values),
      ...(entry.to === undefined ? [] : [receivedUnits(item, entry.to, by)]),
    ];
  }
  const { item: listed, listing } = listUnits(state, held, {
    ...platformOf(item),
    dexid: derivedId("DEX402", actor, by.tkey, String(index)),
    seller: actor,
    agent: "",
    amount: item.totalsupply,
    sell_token: entry.sell_token ?? NATIVE_COIN,
    terms: {
      side: "sell",
      sell_price: entry.sell_price,
      sell_start: entry.sell_start,
      sell_end: entry.sell_end,
    },
    job_type: "mrc402_sell",
    index,
  });
  const created = putUnitItem(state, listed, "mrc402_create", values);
  return [created, putListed(state, listing, by)];
}

/** The record of the address that a class was created for. Source: policies §9. */
function receivedUnits(item: UnitItem, to: Address, by: Signed): EffectDraft {
  const { id, creator: from, totalsupply } = item;
  const received = { from, to, amount: String(totalsupply), item: id, tags: "", memo: "", ...by };
  return effect("receive_mrc402", received);
}

/** Parameters of the record, defaults filled in. Source: mrc402 §5. */
function createdValues(
  item: UnitItem,
  actor: Address,
  entry: NewUnitItem,
  { signature, tkey }: Signed,
): RecordValues<"mrc402_create"> {
  const reserve = Object.fromEntries(
    Object.entries(item.initialreserve).map(([token, amount]) => [token, String(amount)]),
  );
  return {
    ...{ item: item.id, creator: actor, name: item.name, signature, tkey },
    creatorcommission: rateText(item.creatorcommission),
    totalsupply: item.totalsupply,
    decimal: 0,
    url: item.url,
    imageurl: item.image_url,
    shareholder: entry.shareholder?.text ?? "{}",
    initialreserve: JSON.stringify(reserve),
    expiredate: item.expiredate,
    data: entry.data,
    information: entry.information,
    socialmedia: entry.socialmedia?.text ?? "{}",
    copyright_registration_country: item.copyright_registration_country,
    copyright_registrar: item.copyright_registrar,
    copyright_registration_number: item.copyright_registration_number,
  };
}

function itemOfProject(
  state: State,
  project: Project,
  creator: Address,
  {
    id,
    index,
    entry,
  }: { readonly id: string; readonly index: number; readonly entry: NewUnitItem },
): UnitItem {
  return {
    ...newUnitItem(state, creator, entry),
    ...membersOfNew(project, entry),
    id,
    order: itemOrder(state.operationNumber, index),
  };
}

function newUnitItem(
  state: StateReader,
  creator: Address,
  values: Pick<
    NewUnitItem,
    (keyof NewUnitItem & keyof Values) | "initial_reserve" | "initial_token"
  >,
): Omit<UnitItem, "id" | "order"> {
  const reserves = [...reservePerUnit(values)].map(([token, amount]) => ({
    token: token as TokenId,
    amount,
  }));
  return {
    mrc400: "",
    projectOrder: undefined,
    projectOwner: "",
    creator,
    name: values.name,
    category: values.category,
    url: values.url,
    image_url: values.imageurl,
    item_url: "",
    item_image_url: "",
    groupid: "",
    attributes: values.attributes,
    metadatahash: values.metadatahash,
    frozen: values.frozen,
    ...keptTexts({
      description: values.description,
      data: values.data,
      information: values.information,
      socialmedia: Object.fromEntries(values.socialmedia?.members ?? []),
    }),
    allow_token: NATIVE_COIN,
    createdate: state.time,
    totalsupply: values.totalsupply ?? ONE,
    meltedamount: ZERO,
    burnedamount: ZERO,
    initialreserve: Object.fromEntries(
      sumsByToken(reserves).map(({ token, amount }) => [token, amount]),
    ),
    creatorcommission: values.creatorcommission,
    shareholder: Object.fromEntries(values.shareholder?.members ?? []),
    shareholderOrder: shareholderOrder([...(values.shareholder?.members.keys() ?? [])]),
    sell_fee: NO_RATE,
    meltint_fee: NO_RATE,
    expiredate: values.expiredate,
    melting_date: 0,
    transferable: "Permanent",
    ...WITHOUT_POLICY,
    copyright_registration_country: values.copyright_registration_country,
    copyright_registrar: values.copyright_registrar,
    copyright_registration_number: values.copyright_registration_number,
    ...platformOf(values),
    ...NO_TRADE,
    decimal: 0,
    holders: 0,
    hasChangedHands: false,
    openSales: 0,
    openAuctions: 0,
  };
}
