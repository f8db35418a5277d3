import type { Socket } from "node:net";
import type { LedgerReader } from "@moneta/ledger";
import type { Refused } from "@moneta/protocol";
import type { Service } from "../../service.ts";
import type { Answer, ChunkedAnswer, StreamAnswer } from "../responses/answer.ts";

/**
 * Handles a read whose parameters are well-formed. `reader` is open until the handler returns or
 * first awaits.
 */
export type ReadHandler = (
  // biome-ignore lint/suspicious/noExplicitAny: each handler knows the values of its own description.
  values: any,
  reader: LedgerReader,
  service: Service,
  request: ReadContext,
) => Reply;

/** What a handler may ask of the request. */
export interface ReadContext {
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The client that sent it, as limits count clients. */
  readonly client: () => string;
  /** Its connection, destroyed once the client has disconnected. */
  readonly socket: Pick<Socket, "destroyed">;
  /** Does a part of an expensive read in a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}

/** What a handler answers with, now or later. */
export type Reply = Answered | Promise<Answered>;

type Answered = Answer | ChunkedAnswer | StreamAnswer | Refused;
