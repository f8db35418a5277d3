import assert from "node:assert/strict";
import { operationRecords, type RecordPart, type TransactionRecord } from "@moneta/protocol";
import { UNIT_LISTING } from "../../state/units/unit-listing-entry.ts";
import { entryOf, typeNumber } from "../../views/history.ts";
import { subjectsOf } from "../../views/history-subjects.ts";
import type { TestLedger } from "../test-ledger.ts";

interface Filed {
  readonly entry: string;
  readonly address: string;
  readonly type: string;
  readonly token: number;
}

/**
 * Histories by address, and the list of all transactions, are those that the records come to when
 * they are gone through one by one, for every combination of type and token, and page by page.
 * Source: chain §10.
 */
export function assertHistories(ledger: TestLedger): void {
  const records = ledger.database
    .prepare("SELECT number, record FROM transaction_record ORDER BY number DESC")
    .all()
    .map((row) => ({
      number: row["number"] as number,
      record: JSON.parse(row["record"] as string) as TransactionRecord,
    }));
  const filed = records.flatMap(({ number, record }) => filedOf(number, record));
  ledger.reading(() => {
    for (const address of new Set(filed.map((one) => one.address))) {
      const own = filed.filter((one) => one.address === address);
      for (const { types, token } of combinations(own)) {
        const wanted = own.filter(matches(types, token)).map(({ entry }) => entry);
        assert.deepEqual(
          historyOf(ledger, address, { types, token }),
          wanted,
          `${address} ${types?.join()} ${token}`,
        );
      }
    }
    assertItemHistories(ledger, records);
    assertTransactionsOf(ledger, filed);
    const primaries = records.map(({ number, record: { type, token } }) => ({
      entry: String(number),
      address: "",
      type,
      token,
    }));
    for (const { types, token } of combinations(primaries)) {
      const wanted = primaries.filter(matches(types, token)).map(({ entry }) => entry);
      assert.deepEqual(
        transactionsOf(ledger, { types, token }),
        wanted,
        `${types?.join()} ${token}`,
      );
    }
  });
}

/** Of each item, listing and project; that of a multi-unit item has its listings', too. */
function assertItemHistories(
  ledger: TestLedger,
  records: readonly { readonly number: number; readonly record: TransactionRecord }[],
): void {
  const { state } = ledger.reader;
  const filed = records.flatMap(({ number, record: { effects } }) =>
    effects
      .map(({ address, item, type }, index) => ({
        ...{ entry: `${number}.${index + 1}`, address, type, token: 0 },
        items: item === undefined ? [] : [item, state.find(UNIT_LISTING, item)?.mrc402],
      }))
      .toReversed(),
  );
  const byItem = new Map<string, (typeof filed)[number][]>();
  for (const one of filed) {
    for (const item of new Set(one.items)) {
      if (item !== undefined) {
        byItem.getOrInsertComputed(item, () => []).push(one);
      }
    }
  }
  for (const [item, own] of byItem) {
    const [subject = 0] = subjectsOf(state, item);
    const all = [...new Set(own.map(({ type }) => type))];
    const choices: readonly Wanted["types"][] = [
      undefined,
      all.slice(1),
      ...all.map((type) => [type]),
    ];
    for (const types of choices) {
      const wanted = own.filter(matches(types, undefined)).map(({ entry }) => entry);
      const reported: string = `${item} ${types?.join()}`;
      assert.deepEqual(pagesOf(ledger, subject, { types, token: undefined }), wanted, reported);
    }
  }
}

/** Of one address and of several, the oldest first, in pieces as small as they can be. */
function assertTransactionsOf({ reader }: TestLedger, filed: readonly Filed[]): void {
  const addresses = [...new Set(filed.map(({ address }) => address))];
  for (const some of [...addresses.map((address) => [address]), addresses.slice(0, 3)]) {
    const wanted = filed
      .filter(({ address }) => some.includes(address))
      .map(({ entry }) => Number(entry.split(".")[0]))
      .toReversed();
    const numbers = some.map((address) => reader.state.address(address as never)?.number ?? -1);
    const found: number[] = [];
    for (let from = 0; from < reader.size; ) {
      const piece = reader.history.transactionsOf(numbers, { from, before: reader.size }, 2);
      assert(piece !== undefined && piece.end > from, "each piece continues");
      found.push(...piece.transactions);
      from = piece.end;
    }
    assert.deepEqual(found, [...new Set(wanted)], some.join());
  }
}

type Wanted = { readonly types: readonly string[] | undefined; readonly token: number | undefined };

/** Of a bundle, its own record and those of each of its operations. Source: bundles §5. */
function filedOf(number: number, record: TransactionRecord): Filed[] {
  if (record.effects[0]?.at === undefined) {
    return filedOfOne(number, record, 0);
  }
  const operations = operationRecords(record).toReversed();
  return [
    ...operations.flatMap(({ record: own, first }) => filedOfOne(number, own, first)),
    ...filedOfOne(number, { ...record, effects: [] }, 0),
  ];
}

/** `first` is the place of the operation's own record among those of its transaction. */
function filedOfOne(number: number, record: TransactionRecord, first: number): Filed[] {
  const isAlike = (effect: RecordPart): boolean =>
    effect.address === record.address &&
    JSON.stringify(effect.parameters) === JSON.stringify(record.parameters);
  const primary = record.effects.some(isAlike) ? [] : [record];
  return [...record.effects.toReversed(), ...primary]
    .filter(({ address }) => address !== "")
    .map((part) => {
      const place = first + (part === record ? 0 : record.effects.indexOf(part) + 1);
      const { address, type, token } = part;
      return { entry: `${number}.${place}`, address, type, token };
    });
}

/** No condition, each type, each token, each of both, and all types but one. */
function combinations(all: readonly Filed[]): Wanted[] {
  const types = [...new Set(all.map(({ type }) => type))];
  const tokens = [undefined, ...new Set(all.map(({ token }) => token))];
  return [undefined, types.slice(1), ...types.map((type) => [type])].flatMap((some) =>
    tokens.map((token) => ({ types: some, token })),
  );
}

function matches(types: readonly string[] | undefined, token: number | undefined) {
  return (one: Filed): boolean =>
    types?.includes(one.type) !== false && (token === undefined || one.token === token);
}

const PAGE = 7;

function historyOf(ledger: TestLedger, address: string, wanted: Wanted): string[] {
  return pagesOf(ledger, ledger.reader.state.address(address as never)?.number ?? -1, wanted);
}

function pagesOf({ reader: { history } }: TestLedger, subject: number, wanted: Wanted): string[] {
  const filter = { ...stored(wanted), from: 0, before: Number.MAX_SAFE_INTEGER };
  return walk((after) => history.page(subject, filter, { after, limit: PAGE })).map((entry) => {
    const { transaction, record } = entryOf(entry);
    return `${transaction}.${record}`;
  });
}

function transactionsOf(ledger: TestLedger, wanted: Wanted): string[] {
  const { transactions } = ledger.reader;
  return walk((after) => {
    const before = after ?? Number.MAX_SAFE_INTEGER;
    return transactions.page({ ...stored(wanted), from: 0, before }, PAGE);
  }).map(String);
}

function stored({ types, token }: Wanted) {
  return { types: types?.map((type) => typeNumber(type) ?? -1), token };
}

/** All pages of a list, in their order. */
function walk(page: (after: number | undefined) => readonly number[]): number[] {
  const all: number[] = [];
  for (;;) {
    const next = page(all.at(-1));
    all.push(...next);
    if (next.length < PAGE) {
      return all;
    }
  }
}
