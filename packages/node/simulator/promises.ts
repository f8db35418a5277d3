import { parseTransactionId } from "@moneta/protocol";
import { wrongSigners } from "./crossing-keys.ts";
import type { BlockRow } from "./session-host.ts";
import type { BookEntry } from "./simulated-client.ts";

export interface Result {
  readonly rows: ReadonlyMap<number, BlockRow>;
  /** By height and id: the nodes that have shown it. */
  readonly shown: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly book: readonly BookEntry[];
  /** Lost in a restore to an earlier time; the operator knows of them. */
  readonly gone: readonly BlockRow[];
}

/** In words; none if all were kept. Source: cluster §1. */
export function brokenPromises({ rows, shown, book, gone }: Result): readonly string[] {
  return [
    ...brokenChain(rows),
    ...shownAndLost(rows, shown, gone),
    ...wrongBooks(rows, book, gone),
    ...wrongSigners(rows),
  ];
}

/** Source: cluster §1.1. */
function* brokenChain(rows: ReadonlyMap<number, BlockRow>): Iterable<string> {
  for (let height = 1; height < rows.size; height += 1) {
    const row = rows.get(height);
    const { previous } = JSON.parse(row?.header ?? "{}") as { readonly previous?: string };
    if (row === undefined || previous !== rows.get(height - 1)?.id) {
      yield `block ${height} of the log does not follow the one before it`;
    }
  }
}

/** Source: cluster §1.1, §1.6. */
function* shownAndLost(
  rows: ReadonlyMap<number, BlockRow>,
  shown: Result["shown"],
  gone: Result["gone"],
): Iterable<string> {
  const known = new Set(gone.map(({ id }) => id));
  for (const [height, ids] of shown) {
    for (const [id, node] of ids) {
      if (rows.get(height)?.id !== id && !known.has(id)) {
        const there = rows.get(height)?.id.slice(0, 8) ?? "none";
        yield `${node} has shown block ${height} ${id.slice(0, 8)}, but the log has ${there}`;
      }
    }
  }
}

/** Source: cluster §1.2, §1.3. */
function* wrongBooks(
  rows: ReadonlyMap<number, BlockRow>,
  book: readonly BookEntry[],
  gone: Result["gone"],
): Iterable<string> {
  const places = new Map<string, string[]>();
  for (const { height, operations } of rows.values()) {
    for (const [position, text] of operations.split("\n").entries()) {
      const place = `${height}/${position}`;
      places.set(text, [...(places.get(text) ?? []), place]);
    }
  }
  const goneTexts = new Set(gone.flatMap(({ operations }) => operations.split("\n")));
  const goneKeys = new Set(book.filter(({ text }) => goneTexts.has(text)).map(({ key }) => key));
  const doneByKey = new Map<string, number>();
  for (const { key, ids } of book) {
    doneByKey.set(key, (doneByKey.get(key) ?? 0) + (ids.size > 0 ? 1 : 0));
  }
  for (const { text, key, isRival, mayBeRefused, ids, refusals, isGivenUp } of book) {
    const found = places.get(text) ?? [];
    const name = key.slice(-12);
    const answers = [...ids];
    if (found.length > 1) {
      yield `${name} is in the log ${found.length} times: ${found.join(", ")}`;
    }
    if (isGivenUp && found.length > 0) {
      yield `${name} was answered that nothing was written, but the log has it at ${found[0]}`;
    }
    if (goneKeys.has(key)) {
      // Possibly done, lost, and done again, or its rival instead.
      continue;
    }
    if (answers.length > 1) {
      yield `${name} was answered with several ids: ${answers.join(", ")}`;
    }
    for (const id of answers) {
      const { height, position } = parseTransactionId(id) ?? {};
      if (found[0] !== `${height}/${position}`) {
        yield `${name} was answered ${height}/${position}, but the log has it at ${found[0] ?? "no place"}`;
      }
    }
    if (answers.length === 0 && refusals.size > 0 && found.length > 0) {
      yield `${name} was refused ${[...refusals].join(", ")}, but the log has it at ${found[0]}`;
    }
    const isRightlyRefused = isRival
      ? refusals.has("2021") && doneByKey.get(key) === 1
      : mayBeRefused !== undefined &&
        // A restored log may have lost a change of keys, or a grant, that its client relies on.
        (gone.length > 0 || [...refusals].every((code) => mayBeRefused.includes(code)));
    if (refusals.size > 0 && !isRightlyRefused) {
      yield `${name} was refused ${[...refusals].join(", ")}`;
    }
    if (isRival && doneByKey.get(key) !== 1) {
      yield `of two operations with the key ${name}, ${doneByKey.get(key)} were done`;
    }
  }
}
