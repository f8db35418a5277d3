import { type LedgerReader, LISTS, type List } from "@moneta/ledger";
import { Refused } from "@moneta/protocol";
import { type Answer, listPage, PAGE } from "../responses/answer.ts";
import { readerAsOf } from "./as-of.ts";
import type { ReadHandler } from "./read-handler.ts";

/** Source: chain §10. */
export const LIST_HANDLERS: readonly (readonly [name: string, handler: ReadHandler])[] = LISTS.map(
  (list) => [
    list.read.name,
    (values, reader, { longPages, archive }, request) =>
      longPages.answer(
        { list: list.read.list, values },
        (from) => pageAnswer(list, values, from, archive?.url),
        reader,
        request,
      ),
  ],
);

/** After a yield, it may continue in a later event-loop turn. */
function* pageAnswer(
  list: List,
  values: { readonly limit: number | undefined },
  newest: LedgerReader,
  archive: string | undefined,
): Generator<undefined, Answer | Refused> {
  // In later turns a page has a reader of its own.
  const reader = list.read.isAsOf === true ? readerAsOf(values as object, newest) : newest;
  if (reader instanceof Refused) {
    return reader;
  }
  const page = yield* reader.lists.page(list, { ...values }, values.limit ?? PAGE);
  return page instanceof Refused
    ? page
    : {
        ...listPage(
          page.items,
          { list: list.read.list, values },
          page.next,
          list.read.isOfBlocks && newest.firstKept > 1 ? archive : undefined,
        ),
        height: reader.height,
      };
}
