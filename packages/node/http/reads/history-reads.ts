import {
  entryOf,
  type LedgerReader,
  type PlacedTransaction,
  subjectsOf,
  typeNumber,
} from "@moneta/ledger";
import {
  type Address,
  type Cursor,
  HISTORY,
  ITEM_HISTORY,
  type PartText,
  parseBlockName,
  Refused,
  recordParts,
  refuse,
  TRANSACTIONS,
} from "@moneta/protocol";
import { type Answer, type AskedList, listPage, PAGE } from "../responses/answer.ts";
import { inTurns } from "./in-turns.ts";

/** Bytes of records at which a page ends early. Source: chain §10. */
const PAGE_BYTES_MAX = 4 << 20;

interface Filters {
  readonly type: readonly string[] | undefined;
  readonly token: string | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly limit: number | undefined;
  readonly cursor: Cursor<number> | undefined;
}

/** Source: chain §10. */
export function listTransactions(
  values: Filters & { readonly block: string | undefined },
  reader: LedgerReader,
): Answer | Refused {
  const { block, limit = PAGE, cursor, ...filters } = values;
  const inBlock = block === undefined ? EVERYWHERE : numbersIn(block, reader);
  if (inBlock instanceof Refused) {
    return inBlock;
  }
  const between = reader.numbersBetween(filters.since, filters.until);
  const from = Math.max(between.from, inBlock.from);
  const before = Math.min(between.before, inBlock.before, cursor?.last ?? inBlock.before);
  const found = reader.transactions.page({ ...wantedOf(filters), from, before }, limit + 1);
  return pageOf({ list: TRANSACTIONS, values }, found, limit, reader, (number) => ({
    transaction: number,
    record: 0,
  }));
}

function* historyPage(
  values: Filters & { readonly address: Address },
  reader: LedgerReader,
): Generator<undefined, Answer | Refused> {
  const { address, limit = PAGE, cursor, ...filters } = values;
  const addressNumber = reader.state.address(address)?.number;
  if (addressNumber === undefined) {
    return refuse({ code: "3090", parameter: "address", address, status: 404 });
  }
  const between = reader.numbersBetween(filters.since, filters.until);
  let search = reader.history.search(
    addressNumber,
    { ...wantedOf(filters), ...between },
    { after: cursor?.last, limit: limit + 1 },
  );
  while (search.rest.length > 0) {
    yield;
    search = reader.history.searchOn(search);
  }
  const found = reader.history.entries(search);
  return pageOf({ list: HISTORY, values }, found, limit, reader, entryOf);
}

/** Source: chain §10. */
export const listAddressTransactions = inTurns(HISTORY, historyPage);

/** Source: chain §10. */
export function listItemTransactions(
  values: Omit<Filters, "token"> & { readonly id: string },
  reader: LedgerReader,
): Answer | Refused {
  const { id, limit = PAGE, cursor, ...filters } = values;
  const [subject] = subjectsOf(reader.state, id);
  if (subject === undefined) {
    return refuse({
      code: "6004",
      what: "an item, a listing or a project",
      parameter: "id",
      given: id,
    });
  }
  const span = reader.numbersBetween(filters.since, filters.until);
  const found = reader.history.page(
    subject,
    { ...wantedOf({ ...filters, token: undefined }), ...span },
    { after: cursor?.last, limit: limit + 1 },
  );
  return pageOf({ list: ITEM_HISTORY, values }, found, limit, reader, entryOf);
}

const EVERYWHERE = { from: 0, before: Number.MAX_SAFE_INTEGER };

/** Running numbers of a block's transactions. */
function numbersIn(block: string, reader: LedgerReader): typeof EVERYWHERE | Refused {
  const name = parseBlockName(block);
  const found = name && reader.block(name);
  if (found === undefined) {
    return refuse({ code: "6001", given: block });
  }
  const { size, count } = found.header;
  return { from: size - count, before: size };
}

/** The requested types and token, as they are stored. */
function wantedOf({ type, token }: Pick<Filters, "type" | "token">): {
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
} {
  return {
    types: type && [...new Set(type.flatMap((each) => typeNumber(each) ?? []))],
    token: token === undefined ? undefined : Number(token),
  };
}

/** A page of records. One more than `limit` found means that there are more. */
function pageOf(
  list: AskedList,
  found: readonly number[],
  limit: number,
  reader: LedgerReader,
  entry: (number: number) => { readonly transaction: number; readonly record: number },
): Answer {
  const items: string[] = [];
  let bytes = 0;
  let transaction: PlacedTransaction | undefined;
  let parts: readonly PartText[] = [];
  for (const number of found.slice(0, limit)) {
    const at = entry(number);
    if (transaction?.number !== at.transaction) {
      transaction = reader.transactionNumbered(at.transaction);
      bytes += Buffer.byteLength(transaction.record);
      if (bytes > PAGE_BYTES_MAX && items.length > 0) {
        break;
      }
      parts = recordParts(transaction.record);
    }
    items.push(itemText(transaction, parts[at.record] as PartText));
  }
  return listPage(items, list, items.length < found.length ? found[items.length - 1] : undefined);
}

/** Parameters and values as they are stored. */
function itemText(
  { id, block }: PlacedTransaction,
  { type, address, item, token, parameters, values, group }: PartText,
): string {
  const { sn, timestamp } = block.header;
  const place = { id, db_sn: String(sn), db_id: block.id, timestamp, type, address, item, token };
  const rest = `"parameters":${parameters},"values":${values},"validationCode":"0"`;
  const done = group === undefined ? "" : `,"group":${group}`;
  return `${JSON.stringify(place).slice(0, -1)},${rest}${done}}`;
}
