import type { LedgerReader } from "@moneta/ledger";
import type { Refused } from "@moneta/protocol";
import type { Service } from "../service.ts";
import type { Answer, ChunkedAnswer, StreamAnswer } from "./answer.ts";

/**
 * Handles a read whose parameters are well-formed. `reader` is open until the handler returns or
 * first awaits.
 */
export type ReadHandler = (
  // biome-ignore lint/suspicious/noExplicitAny: each handler knows the values of its own description.
  values: any,
  reader: LedgerReader,
  service: Service,
  request: {
    /** A header of the request, by its name in lower case. */
    readonly header: (name: string) => string | undefined;
    /** The client that sent it, as limits count clients. */
    readonly client: () => string;
    /** Does a part of an expensive read in a later event-loop turn, on the snapshot of that turn. */
    readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
  },
) => Reply | Promise<Reply>;

type Reply = Answer | ChunkedAnswer | StreamAnswer | Refused;
