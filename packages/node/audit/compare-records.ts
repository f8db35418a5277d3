import { parseTransactionId, type TransactionName } from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { assertSame } from "./compare-blocks.ts";
import type { ServerSentEvent } from "./event-stream.ts";
import { Finding, placeOf, shortened } from "./finding.ts";
import { parsedJson, Unreachable } from "./node-client.ts";

const EVENTS = "GET /events";

/** How many records are compared between two writes of the progress. */
const REMEMBERED_EVERY = 10_000;

/**
 * Compares all streamed records, effects included, with the copy's. Calls `behind` when the stream
 * is ahead of the copy, and `caughtUp` when all of the copy is compared; ends when that returns
 * "enough". Throws `Unreachable` when the stream breaks off; a new call resumes.
 */
export async function compareRecords(
  context: AuditContext,
  on: {
    readonly behind: (height: number) => Promise<void>;
    readonly height: () => Promise<void>;
    readonly caughtUp: () => "enough" | "more";
  },
): Promise<void> {
  const { client, replica, memory, progress } = context;
  let compared = memory.state.records;
  if (compared === replica.head.size && on.caughtUp() === "enough") {
    return;
  }
  let comparedAtHeight = -1;
  const known = replica.head.size;
  const show = progress("comparing records", known);
  const start = compared === 0 ? "from=0" : `after=${replica.nameOf(compared - 1).id}`;
  try {
    for await (const event of client.events(`/events?${start}`)) {
      if (event.event === "dropped") {
        break;
      }
      if (event.event === "height") {
        assertNothingLeftOut(context, event, compared);
        assertGoesOn(compared, comparedAtHeight, replica.head.size);
        comparedAtHeight = compared;
        await on.height();
      }
      if (event.event !== "transaction") {
        continue;
      }
      const name = nameOf(event);
      if (name.height > replica.head.height) {
        await on.behind(name.height);
      }
      compareRecord(context, event, name, compared);
      compared += 1;
      // Records that come afterwards are no part of the work that is shown.
      if (compared <= known) {
        show(compared);
      }
      if (compared % REMEMBERED_EVERY === 0) {
        memory.update({ records: compared });
      }
      if (compared === replica.head.size) {
        memory.update({ records: compared });
        if (on.caughtUp() === "enough") {
          return;
        }
      }
    }
  } finally {
    memory.update({ records: compared });
  }
  throw new Unreachable(`${EVENTS}: the stream has ended`);
}

function nameOf({ id }: ServerSentEvent): TransactionName {
  const name = parseTransactionId(id);
  if (name === undefined) {
    throw new Finding(`${EVENTS}: ${shortened(id)} is no id of a transaction`);
  }
  return name;
}

/**
 * Throws a `Finding` if the stream claims a height beyond what it has sent. Source: chain §11.2.
 */
function assertNothingLeftOut(
  { replica }: AuditContext,
  { id }: ServerSentEvent,
  compared: number,
): void {
  const name = parseTransactionId(id);
  const number = name && replica.read().transactionNumber(name);
  if (name !== undefined && number !== undefined && number >= compared) {
    throw new Finding(
      `${placeOf(replica.nameOf(compared))}: ${EVENTS}: left out: the stream says that it has come to ${id}`,
    );
  }
}

/**
 * Throws `Unreachable` if nothing came between two heights of the stream, although there are
 * blocks.
 */
function assertGoesOn(compared: number, before: number, size: number): void {
  if (compared === before && compared < size) {
    throw new Unreachable(`${EVENTS}: the stream stands still before transaction ${compared}`);
  }
}

/** Compares an event with the next transaction: none may be missing, repeated or out of order. */
function compareRecord(
  { replica }: AuditContext,
  { data }: ServerSentEvent,
  name: TransactionName,
  number: number,
): void {
  const due = number < replica.head.size ? replica.nameOf(number) : undefined;
  if (due === undefined || due.id !== name.id) {
    const wanted = due === undefined ? "no more transactions" : placeOf(due);
    throw new Finding(`${EVENTS}: served ${placeOf(name)} where ${wanted} had to come`);
  }
  const place = placeOf(due);
  const served = parsedJson(`${place}: ${EVENTS}`, data);
  assertSame(place, EVENTS, served, replica.shown(due));
}

/** Compares the answer of `GET /transaction/{transaction_id}`. */
export async function compareTransaction(
  { client, replica }: AuditContext,
  name: TransactionName,
): Promise<void> {
  const path = `/transaction/${name.id}`;
  assertSame(placeOf(name), `GET ${path}`, await client.json(path), replica.shown(name));
}
