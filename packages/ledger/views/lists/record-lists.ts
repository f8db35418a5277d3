import { type PartText, parseBlockName, recordParts, refuse } from "@moneta/protocol";
import { type Entry, entryOf, typeNumber } from "../history.ts";
import { subjectsOf } from "../history-subjects.ts";
import type { ColumnFilter, SpanFilter } from "./list-filters.ts";
import type { Place, Weighed } from "./list-page.ts";
import { type ListView, numberBehind, type Wanted } from "./list-view.ts";
import type { PlacedTransaction } from "./listed-ledger.ts";

export const BY_TYPE: ColumnFilter<readonly string[] | undefined> = {
  column: "type",
  find: (types) => types && [...new Set(types.flatMap((each) => typeNumber(each) ?? []))],
};

/** By number or id; refused with 6001 if there is none. */
export const IN_BLOCK: SpanFilter<string | undefined> = {
  span(block, reader) {
    if (block === undefined) {
      return { from: 0, before: Number.MAX_SAFE_INTEGER };
    }
    const name = parseBlockName(block);
    const found = name && reader.block(name);
    if (found === undefined) {
      if (name !== undefined && "id" in name) {
        reader.assertNotOlder({ parameter: "block", given: name.id });
      }
      return refuse({ code: "6001", given: block });
    }
    const { size, count } = found.header;
    return { from: size - count, before: size };
  },
};

/** Refused with 6004 if there is none. */
export const OF_SUBJECT: ColumnFilter<string> = {
  column: "subject",
  find(id, { state }) {
    const [subject] = subjectsOf(state, id);
    const what = "an item, a listing or a project";
    return subject === undefined
      ? refuse({ code: "6004", what, parameter: "id", given: id })
      : [subject];
  },
};

function wantedRecords({ columns, from, before }: Wanted) {
  return {
    types: columns["type"] as readonly number[] | undefined,
    token: columns["token"]?.[0] as number | undefined,
    ...{ from, before },
  };
}

export function searchTransactions(wanted: Wanted, { reader }: ListView): readonly Place<Entry>[] {
  const filter = wantedRecords(wanted);
  const before = Math.min(filter.before, numberBehind(wanted.after) ?? filter.before);
  return reader.transactions
    .page({ ...filter, before }, wanted.limit)
    .map((transaction) => ({ at: transaction, entry: { transaction, record: 0 } }));
}

export function searchHistory(wanted: Wanted, { reader }: ListView): readonly Place<Entry>[] {
  const subject = wanted.columns["subject"]?.[0] as number;
  const page = { after: numberBehind(wanted.after), limit: wanted.limit };
  return reader.history
    .page(subject, wantedRecords(wanted), page)
    .map((entry) => ({ at: entry, entry: entryOf(entry) }));
}

/** A transaction is read once for all its adjacent records, and weighs its record's bytes. */
export function recordsShown({ reader }: ListView): (entry: Entry) => Weighed {
  let transaction: PlacedTransaction | undefined;
  let parts: readonly PartText[] = [];
  return (entry) => {
    let bytes = 0;
    if (transaction?.number !== entry.transaction) {
      transaction = reader.transactionNumbered(entry.transaction);
      bytes = Buffer.byteLength(transaction.record);
      parts = recordParts(transaction.record);
    }
    return { text: recordText(transaction, parts[entry.record] as PartText), bytes };
  };
}

function recordText(
  { id, block }: PlacedTransaction,
  { type, address, item, at, token, parameters, values, group }: PartText,
): string {
  const { sn, timestamp } = block.header;
  const place = {
    id,
    db_sn: String(sn),
    db_id: block.id,
    timestamp,
    type,
    address,
    item,
    at,
    token,
  };
  const rest = `"parameters":${parameters},"values":${values},"validationCode":"0"`;
  const done = group === undefined ? "" : `,"group":${group}`;
  return `${JSON.stringify(place).slice(0, -1)},${rest}${done}}`;
}
