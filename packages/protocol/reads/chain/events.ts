import { ALICE, BLOCK, BOB, SWORD, TRANSACTION } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional, type Parameter, parameter } from "../../description/parameter.ts";
import { commaSeparated } from "../../description/parameters/comma-separated.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { safeInteger } from "../../description/parameters/integers.ts";
import { recordType } from "../../description/parameters/record-types.ts";
import { pattern } from "../../description/parameters/texts.ts";
import { parseTransactionId, type TransactionName } from "../../records/transaction.ts";
import { transferParameters } from "./shown-transactions.ts";

const VALUES_MAX = 100;

/** No record has it. Source: chain §11. */
export const BLOCK_EVENTS = "block";

/** The id of a transaction or `Last-Event-ID`. Source: chain §11. */
export function readEventId(text: string, name: string): TransactionName | Refused {
  if (!/^[0-9a-f]{64}$/.test(text)) {
    const reason = "must be the id of a transaction, 64 lower-case hex digits";
    return refuse({ code: "3005", parameter: name, reason });
  }
  return parseTransactionId(text) ?? refuse({ code: "6008", given: text, parameter: name });
}

function eventId(): Parameter<TransactionName> {
  return parameter<TransactionName>({
    meaning: "",
    wanted:
      "the id of the transaction to start after; the header Last-Event-ID, which browsers send when they reconnect, takes precedence",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    refusals: ["3005", "6008"],
    read: readEventId,
  });
}

const shown = {
  id: TRANSACTION,
  db_sn: BLOCK,
  type: "transfer",
  address: ALICE,
  token: 0,
  parameters: transferParameters,
  effects: [{ type: "receive", address: BOB, token: 0 }],
};

const ITEMS = "ids of items, projects or listings";

function several<T>(inner: Parameter<T>, of: string): Parameter<readonly T[] | undefined> {
  return optional(meaning("filter", commaSeparated(inner, { max: VALUES_MAX, of })));
}

/** Source: chain §11. */
export const events = read({
  name: "events",
  title: "Stream events",
  route: "GET /events",
  about: `Streams transactions with their effects as they become durable, as server-sent events: those of which one record satisfies all filters given. After a lost connection the id of the last event says where to go on.`,
  parameters: {
    address: several(address(), "addresses that are concerned"),
    token: several(tokenId(), "ids of tokens"),
    item: several(pattern(/^[0-9A-Za-z_]{1,100}$/, ITEMS), ITEMS),
    type: several(
      recordType(BLOCK_EVENTS),
      `types of records; ${BLOCK_EVENTS} asks for an event after every block`,
    ),
    after: optional(eventId()),
    from: optional(meaning("number of the first block", safeInteger())),
  },
  example: {
    address: `${ALICE},${BOB}`,
    token: "0",
    type: `transfer,receive,${BLOCK_EVENTS}`,
    from: BLOCK,
  },
  otherExamples: { item: { item: SWORD, type: "mrc401_buy,mrc401_transfer", after: TRANSACTION } },
  cache: "never",
  result: {
    kind: "stream",
    about: "events of types height, transaction and dropped, until the client closes it",
    contentType: "text/event-stream",
    example: `retry: 2000\n\nevent: height\nid: ${TRANSACTION}\ndata: {"sn":${BLOCK}}\n\nevent: transaction\nid: ${TRANSACTION}\ndata: ${JSON.stringify(shown)}\n\n`,
  },
});
