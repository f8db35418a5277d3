import assert from "node:assert/strict";
import { cursorText, Refused, readTexts } from "@moneta/protocol";
import type { List, ListView } from "../views/lists/list-view.ts";
import { LISTS } from "../views/lists/lists.ts";
import type { TestLedger } from "./test-ledger.ts";

/** Parameters of a request as they are sent. */
export type Query = Readonly<Record<string, string>>;

export interface ListPage<E> {
  readonly items: readonly E[];
  readonly cursor: string | undefined;
}

/** The list with this name of its read, such as `mrc401Items`. */
export function listNamed(name: string): List {
  const list = LISTS.find(({ read }) => read.name === name);
  assert(list !== undefined, `there is a list ${name}`);
  return list;
}

/** A page of a list for a request, of 50 entries unless `limit` is sent. */
export function listPage<E = Record<string, unknown>>(
  ledger: TestLedger,
  list: List,
  query: Query,
  lists: ListView = ledger.reader.lists,
): ListPage<E> {
  const request = readTexts(list.read, query);
  assert(!(request instanceof Refused), `${list.read.name}: ${JSON.stringify(query)}`);
  const { values } = request;
  return ledger.reading(() => {
    const making = lists.page(list, values, (values["limit"] as number | undefined) ?? 50);
    for (;;) {
      const { done, value: page } = making.next();
      if (done === true) {
        assert(!(page instanceof Refused), `${list.read.name}: ${JSON.stringify(page)}`);
        const { items, next } = page;
        return {
          items: items.map((text) => JSON.parse(text) as E),
          cursor: next === undefined ? undefined : cursorText(list.read.list, next, values),
        };
      }
    }
  });
}

export function listPages<E = Record<string, unknown>>(
  ledger: TestLedger,
  list: List,
  query: Query,
  lists?: ListView,
): readonly (readonly E[])[] {
  const pages: (readonly E[])[] = [];
  let cursor: string | undefined;
  do {
    const { items, cursor: next } = listPage<E>(
      ledger,
      list,
      cursor === undefined ? query : { ...query, cursor },
      lists,
    );
    pages.push(items);
    cursor = next;
  } while (cursor !== undefined);
  return pages;
}
