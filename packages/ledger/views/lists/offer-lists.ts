import { type DocumentTable, indexName } from "../../state/entries.ts";
import { operationNumber } from "../../state/ids/operation-number.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import { targetOf } from "../../state/offer-entry.ts";
import { HOLDING } from "../../state/units/holding-entry.ts";
import { mergeNewest, type Source as NumberSource } from "../merge-newest.ts";
import { SHOWN_DOCUMENT } from "./indexed-rows.ts";
import type { ColumnFilter } from "./list-filters.ts";
import type { Place } from "./list-page.ts";
import { type ListView, numberBehind, type Search, type Wanted } from "./list-view.ts";
import type { ListedLedger } from "./listed-ledger.ts";

/** By a page in order of price, so that rare ones cost no more. */
const EXAMINED_MAX = 1000;

/** A holder's newest items, or units, whose offers are listed. Source: offers §7. */
const HELD_MAX = 250;

/** An offer that was made later than `since`, in Unix seconds, is for the item. */
interface Target {
  readonly target: string;
  readonly since: number;
}

const EVER = -1;

/** Source: offers §3. */
function targetsOf({ id, mrc400, groupid, createdate, groupedSince }: Item): readonly Target[] {
  const since = Math.max(createdate, groupedSince);
  const ofGroup = groupid === "" ? [] : [{ target: targetOf(mrc400, groupid), since }];
  return [{ target: id, since: EVER }, { target: mrc400, since: createdate }, ...ofGroup];
}

/** For an item also its project and its group. Source: offers §7. */
export const BY_TARGET: ColumnFilter<string> = {
  column: "target",
  find(id, { state }, { groupid }) {
    if (id === "") {
      return undefined;
    }
    const item = state.find(ITEM, id);
    return item === undefined
      ? [targetOf(id, groupid as string | undefined)]
      : targetsOf(item).map(({ target }) => target);
  },
};

/** In the project that `id` names. Source: offers §7. */
export const WITH_TARGET: ColumnFilter<string> = {
  column: "target",
  find: (groupid, _reader, { id }) => (groupid !== "" && id === "" ? [] : undefined),
};

type HeldTargets = (holder: number, lists: ListView) => Iterable<Target>;

export function* ofHeldItems(holder: number, { items, reader }: ListView): Iterable<Target> {
  const all = { holder, project: undefined, before: undefined, limit: HELD_MAX };
  for (const { entry } of items.heldBy(all)) {
    const item = reader.state.find(ITEM, (entry as string).slice(ITEM.prefix.length));
    yield* item === undefined ? [] : targetsOf(item);
  }
}

export function* ofHeldUnits(holder: number, { rows }: ListView): Iterable<Target> {
  const held = rows.places({
    ...{ table: HOLDING.table, text: "item", order: "item_order", columns: { holder: [holder] } },
    ...{ after: Number.MAX_SAFE_INTEGER, limit: HELD_MAX },
  });
  for (const { entry } of held) {
    yield { target: targetOf(entry as string), since: EVER };
  }
}

/** The newest or the highest price first. Source: offers §7. */
export function searchOffers(
  { table }: { readonly table: Table },
  heldTargets: HeldTargets,
): Search<string> {
  return (wanted, lists) => {
    const sources = sourcesOf(wanted, lists, heldTargets);
    return wanted.order === "price"
      ? byPrice(table, wanted, { lists, sources })
      : newestFirst(table, wanted, { lists, sources });
  };
}

type Table = Pick<DocumentTable<never>, "name">;

/** The offers for it have numbers from `from` on. */
interface Source {
  readonly target: string | undefined;
  readonly from: number;
}

interface Searched {
  readonly lists: ListView;
  readonly sources: readonly Source[];
}

function sourcesOf(
  { columns }: Wanted,
  lists: ListView,
  heldTargets: HeldTargets,
): readonly Source[] {
  const { reader } = lists;
  const [target, holder] = [columns["target"], columns["holder"]];
  if (holder !== undefined) {
    return fromFirst(heldTargets(holder[0] as number, lists), reader);
  }
  if (target === undefined) {
    return [{ target: undefined, from: 0 }];
  }
  const item = reader.state.find(ITEM, target[0] as string);
  return item === undefined
    ? target.map((one) => ({ target: one as string, from: 0 }))
    : fromFirst(targetsOf(item), reader);
}

/** Many items have one project: each target once. */
function fromFirst(targets: Iterable<Target>, reader: ListedLedger): readonly Source[] {
  const first = new Map<string, number>();
  for (const { target, since } of targets) {
    first.set(target, Math.min(since, first.get(target) ?? since));
  }
  return Array.from(first, ([target, since]) => ({ target, from: firstOfferAfter(since, reader) }));
}

function firstOfferAfter(time: number, reader: ListedLedger): number {
  return time < 0 ? 0 : operationNumber(reader.numbersBetween(time + 1, undefined).from, 0);
}

function* newestFirst(
  table: Table,
  { columns, after, limit }: Wanted,
  { lists, sources }: Searched,
): Generator<Place<string>> {
  const filters = ["buyer", "pay_token"].filter((name) => columns[name] !== undefined);
  const [first] = sources;
  const names = [...(first?.target === undefined ? [] : ["target"]), ...filters, "state"];
  const holder = columns["holder"] ?? [];
  // An address cannot accept its own offers.
  const others = holder.length === 0 ? "" : " AND buyer <> ?";
  const statement = lists.statements.prepare(
    `SELECT number FROM ${table.name} INDEXED BY ${indexName(table, names)} WHERE ${names.map((name) => `${name} = ?`).join(" AND ")} AND number < ? AND number >= ?${others} ORDER BY number DESC LIMIT ?`,
  );
  const values = filters.map((name) => columns[name]?.[0] as number);
  const queries = sources.flatMap(({ target, from }) =>
    (columns["state"] ?? []).map((state): NumberSource => {
      const fixed = [...(target === undefined ? [] : [target]), ...values, state];
      return (before, count) =>
        statement
          .all(...fixed, before, from, ...holder, count)
          .map((row) => row["number"] as number);
    }),
  );
  const before = numberBehind(after) ?? Number.MAX_SAFE_INTEGER;
  for (const number of mergeNewest(queries, { before, limit })) {
    yield { at: number, entry: textOf(table, number, lists) };
  }
}

interface PricedRow {
  readonly price: string;
  readonly number: number;
  readonly target: string;
}

/** Of one price in the order of creation. */
function* byPrice(
  table: Table,
  { columns, after }: Wanted,
  { lists, sources }: Searched,
): Generator<Place<string>> {
  if (!columns["state"]?.includes("open")) {
    return;
  }
  const [price = "", number = "0"] = after === undefined ? [] : String(after).split("_");
  const start = { price, number: Number(number) || 0 };
  // A buyer has few open offers: one index serves every target.
  const within = columns["buyer"] !== undefined ? "buyer" : "target";
  const keys =
    within === "buyer"
      ? [columns["buyer"]?.[0] as number]
      : sources.map(({ target }) => target).filter((target) => target !== undefined);
  const token = columns["pay_token"]?.[0] as number;
  const found =
    keys.length === 0
      ? [pricedRows(table, lists, { names: ["pay_token"], values: [token] }, start)]
      : keys.map((key) =>
          pricedRows(table, lists, { names: [within, "pay_token"], values: [key, token] }, start),
        );
  const lowest = new Map(sources.map(({ target, from }) => [target, from]));
  let examined = 0;
  for (const row of merged(found)) {
    const from = lowest.get(columns["target"] === undefined ? undefined : row.target);
    examined += 1;
    yield {
      at: `${row.price}_${row.number}`,
      entry: from === undefined || row.number < from ? undefined : textOf(table, row.number, lists),
      endsPage: examined === EXAMINED_MAX,
    };
  }
}

const CHUNK = 101;

function* pricedRows(
  table: Table,
  { statements }: ListView,
  { names, values }: { readonly names: readonly string[]; readonly values: (string | number)[] },
  start: Pick<PricedRow, "price" | "number">,
): Generator<PricedRow> {
  const from = `SELECT price, number, target FROM ${table.name} INDEXED BY ${indexName(table, [...names, "price"])} WHERE ${names.map((name) => `${name} = ? AND `).join("")}`;
  const same = statements.prepare(`${from}price = ? AND number > ? ORDER BY number LIMIT ?`);
  const behind = statements.prepare(`${from}price > ? ORDER BY price, number LIMIT ?`);
  let last = start;
  for (;;) {
    const alike = same.all(...values, last.price, last.number, CHUNK);
    const rows =
      alike.length === CHUNK
        ? alike
        : [...alike, ...behind.all(...values, last.price, CHUNK - alike.length)];
    const priced = rows as unknown as PricedRow[];
    yield* priced;
    const end = priced.at(-1);
    if (end === undefined || rows.length < CHUNK) {
      return;
    }
    last = end;
  }
}

function* merged(sources: readonly Generator<PricedRow>[]): Generator<PricedRow> {
  const heads = sources.map((source) => ({ source, row: source.next().value }));
  for (;;) {
    let first: { row: PricedRow; source: Generator<PricedRow> } | undefined;
    for (const head of heads) {
      if (head.row !== undefined && (first === undefined || isBefore(head.row, first.row))) {
        first = head as typeof first;
      }
    }
    if (first === undefined) {
      return;
    }
    yield first.row;
    first.row = first.source.next().value;
  }
}

function isBefore(a: PricedRow, b: PricedRow): boolean {
  return a.price === b.price ? a.number < b.number : a.price < b.price;
}

function textOf(table: Table, number: number, { statements }: ListView): string {
  const statement = statements.prepare(
    `SELECT ${SHOWN_DOCUMENT} AS value FROM ${table.name} WHERE number = ?`,
  );
  return statement.get(number)?.["value"] as string;
}
