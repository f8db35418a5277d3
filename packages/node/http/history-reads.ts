import { entryOf, type LedgerReader, type PlacedTransaction, typeNumber } from "@moneta/ledger";
import {
  type Address,
  type Cursor,
  HISTORY,
  type RecordPart,
  type Refused,
  refuse,
  TRANSACTIONS,
  type TransactionRecord,
} from "@moneta/protocol";
import { type Answer, type AskedList, listPage, PAGE } from "./answer.ts";

/** A page ends early when so many characters of records have been read for it: one of a hundred payees is large, and a hundred of those would keep everybody waiting. */
const PAGE_LENGTH_MAX = 4 << 20;

interface Filters {
  readonly type: readonly string[] | undefined;
  readonly token: string | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly limit: number | undefined;
  readonly cursor: Cursor<number> | undefined;
}

/** Source: chain §10. */
export function listTransactions(values: Filters, reader: LedgerReader): Answer {
  const { limit = PAGE, cursor, ...filters } = values;
  const { from, before } = reader.numbersBetween(filters.since, filters.until);
  const found = reader.transactions.page(
    { ...wantedOf(filters), from, before: Math.min(before, cursor?.last ?? before) },
    limit + 1,
  );
  return pageOf({ list: TRANSACTIONS, values }, found, limit, reader, (number) => ({
    transaction: number,
    record: 0,
  }));
}

/** Source: chain §10. */
export function listAddressTransactions(
  values: Filters & { readonly address: Address },
  reader: LedgerReader,
): Answer | Refused {
  const { address, limit = PAGE, cursor, ...filters } = values;
  const addressNumber = reader.state.address(address)?.number;
  if (addressNumber === undefined) {
    return refuse({ code: "3090", parameter: "address", address, status: 404 });
  }
  const span = reader.numbersBetween(filters.since, filters.until);
  const found = reader.history.page(
    addressNumber,
    { ...wantedOf(filters), ...span },
    { after: cursor?.last, limit: limit + 1 },
  );
  return pageOf({ list: HISTORY, values }, found, limit, reader, entryOf);
}

/** Types and token that are asked for, as they are stored. */
function wantedOf({ type, token }: Pick<Filters, "type" | "token">): {
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
} {
  return {
    types: type && [...new Set(type.flatMap((each) => typeNumber(each) ?? []))],
    token: token === undefined ? undefined : Number(token),
  };
}

/** A page of records; of what was found one more than `limit` says that there is more. */
function pageOf(
  list: AskedList,
  found: readonly number[],
  limit: number,
  reader: LedgerReader,
  entry: (number: number) => { readonly transaction: number; readonly record: number },
): Answer {
  const items: string[] = [];
  let length = 0;
  let transaction: PlacedTransaction | undefined;
  let record: TransactionRecord | undefined;
  for (const number of found.slice(0, limit)) {
    const at = entry(number);
    if (transaction?.number !== at.transaction || record === undefined) {
      transaction = reader.transactionNumbered(at.transaction);
      length += transaction.record.length;
      if (length > PAGE_LENGTH_MAX && items.length > 0) {
        break;
      }
      record = JSON.parse(transaction.record) as TransactionRecord;
    }
    const part = at.record === 0 ? record : (record.effects[at.record - 1] as RecordPart);
    items.push(itemText(transaction, part));
  }
  return listPage(items, list, items.length < found.length ? found[items.length - 1] : undefined);
}

function itemText({ id, block }: PlacedTransaction, part: RecordPart): string {
  const { type, address, token, parameters, values } = part;
  return JSON.stringify({
    id,
    db_sn: String(block.header.sn),
    db_id: block.id,
    timestamp: block.header.timestamp,
    type,
    address,
    token,
    parameters,
    values,
    validationCode: "0",
  });
}
