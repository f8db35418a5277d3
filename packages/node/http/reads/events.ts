import type { LedgerReader } from "@moneta/ledger";
import { Refused, readEventId, refuse, type TransactionName } from "@moneta/protocol";
import type { EventFilter } from "../../events/event-filter.ts";
import type { Considered } from "../../events/event-text.ts";
import type { Service } from "../../service.ts";
import { reachesHeight } from "../requests/height-wait.ts";
import type { StreamAnswer } from "../responses/answer.ts";
import type { ReadContext } from "./read-context.ts";

const RETRY_AFTER = 10;

interface Values extends EventFilter {
  readonly after: TransactionName | undefined;
  readonly from: number | undefined;
}

interface Start {
  readonly position: number;
  readonly considered: Considered;
}

/** Source: chain §11. */
export function streamEvents(
  values: Values,
  reader: LedgerReader,
  service: Service,
  { header, client, socket }: ReadContext,
): StreamAnswer | Refused | Promise<StreamAnswer | Refused> {
  const lastId = header("last-event-id") ?? "";
  const parameter = lastId === "" ? "after" : "Last-Event-ID";
  const id = lastId === "" ? values.after : readEventId(lastId, parameter);
  if (id instanceof Refused) {
    return id;
  }
  // Another node of the ledger may be further. Source: cluster §4.
  if (id !== undefined && id.height > reader.height && service.log !== undefined) {
    return streamAfter(id, parameter, { values, service, client: client(), socket });
  }
  const start =
    id !== undefined
      ? startAfter(id, parameter, reader)
      : values.from !== undefined
        ? startFrom(values.from, reader)
        : startAt(reader.size, reader);
  return begin(values, start, { ...service, client: client() });
}

async function streamAfter(
  id: TransactionName,
  parameter: string,
  given: {
    readonly values: Values;
    readonly service: Service;
    readonly client: string;
    readonly socket: ReadContext["socket"];
  },
): Promise<StreamAnswer | Refused> {
  const { values, service, client, socket } = given;
  const { height: wanted } = id;
  if (!(await reachesHeight(service.height, wanted, socket))) {
    return refuse({ code: "9003", height: service.height(), wanted });
  }
  return begin(values, startAfter(id, parameter, service.readingNewest()), { ...service, client });
}

function startAfter(id: TransactionName, parameter: string, reader: LedgerReader): Start | Refused {
  const number = reader.transactionNumber(id);
  return number === undefined
    ? refuse({ code: "6008", given: id.id, parameter })
    : startAt(number + 1, reader);
}

function startFrom(height: number, reader: LedgerReader): Start | Refused {
  const first = reader.firstTransactionOf(height);
  if (first !== undefined) {
    return startAt(first, reader);
  }
  const wanted = `the number of a block, at most ${reader.height + 1}, which is the next one's`;
  return refuse({ code: "1101", parameter: "from", given: String(height), wanted });
}

/** Throws `NotKept` if transactions from there on are not stored. */
function startAt(position: number, reader: LedgerReader): Start {
  reader.assertTreeKept(position);
  return { position, considered: reader.placeOf(position - 1) };
}

function begin(
  { address, token, item, type }: Values,
  start: Start | Refused,
  { events, settings, isEnding, log, client }: Service & { readonly client: string },
): StreamAnswer | Refused {
  if (start instanceof Refused) {
    return start;
  }
  if (log?.noStreams !== undefined) {
    return refuse(log.noStreams);
  }
  const max = settings["event-streams-max"];
  if (isEnding() || events.count >= max) {
    const reason = isEnding()
      ? "The service is shutting down"
      : `${max} event streams are open, which is the most that this node keeps`;
    return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
  }
  const maxOfOne = settings["event-streams-per-client-max"];
  if (maxOfOne > 0 && events.countOf(client) >= maxOfOne) {
    const limit = `${maxOfOne} event streams from one client at a time`;
    return refuse({ code: "9001", retryAfter: RETRY_AFTER, limit });
  }
  const filter = { address, token, item, type };
  return {
    contentType: "text/event-stream",
    begin: (response) => events.open(response, { ...start, filter, client }),
  };
}
