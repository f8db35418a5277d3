import type { LedgerReader } from "@moneta/ledger";
import type { Refused } from "@moneta/protocol";
import type { Answer } from "../responses/answer.ts";
import type { ReadHandler } from "./read-handler.ts";

/** The handler of a list whose pages may take several event-loop turns: `page` yields between them. */
export function inTurns<V extends object>(
  list: string,
  page: (values: V, reader: LedgerReader) => Generator<undefined, Answer | Refused>,
): ReadHandler {
  return (values: V, reader, { longPages }, request) =>
    longPages.answer({ list, values }, (from) => page(values, from), reader, request);
}
