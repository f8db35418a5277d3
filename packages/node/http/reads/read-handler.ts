import type { LedgerReader } from "@moneta/ledger";
import type { Parameters, Read, Refused, ValuesOf } from "@moneta/protocol";
import type { Service } from "../../service.ts";
import type { Answer, ChunkedAnswer, StreamAnswer } from "../responses/answer.ts";
import type { ReadContext } from "./read-context.ts";

/** `reader` is open until the handler returns or first awaits. */
export type ReadHandler = (
  // biome-ignore lint/suspicious/noExplicitAny: each handler knows the values of its own description.
  values: any,
  reader: LedgerReader,
  service: Service,
  request: ReadContext,
) => Reply;

export type Values<R> = R extends Read<infer P extends Parameters> ? ValuesOf<P> : never;

export function handled<P extends Parameters>(
  { name }: Read<P>,
  handle: (
    values: ValuesOf<P>,
    reader: LedgerReader,
    service: Service,
    request: ReadContext,
  ) => Reply,
): readonly [name: string, handler: ReadHandler] {
  return [name, handle];
}

export type Reply = Answered | Promise<Answered>;

type Answered = Answer | ChunkedAnswer | StreamAnswer | Refused;
