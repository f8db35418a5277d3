import type { RecordWithEffects } from "@moneta/protocol/sentences";
import type { EventFilter, LedgerEvent, ProblemError } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { EXIT } from "../command-line/command.ts";
import type { Members, Session } from "../session/session.ts";
import { visible } from "../terminal/visible-text.ts";
import { timeText } from "../values/times.ts";
import { payment } from "../views/record-views.ts";
import { sentenceText, shortIfId } from "../views/sentence.ts";

const BLOCK_EVENTS = "block";

/** Prints a line for each durable transaction, until Ctrl-C. */
export async function watch(
  params: Readonly<Record<string, string>>,
  _given: Given,
  session: Session,
): Promise<number> {
  // A node that is down at the start is an error; later the stream waits.
  await session.service();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort());
  }
  const { output } = session;
  const moneta = await session.moneta();
  const filter = filterOf(params);
  let isLost = false;
  let hasBegun = false;
  const events = moneta.events(filter, {
    signal: stop.signal,
    onReconnect() {
      if (!isLost) {
        output.note("connection lost: reconnecting");
      }
      isLost = true;
    },
  });
  try {
    for await (const event of events) {
      if (isLost || !hasBegun) {
        output.note(hasBegun ? "connected again" : `watching ${session.url}; Ctrl-C ends it`);
        [isLost, hasBegun] = [false, true];
      }
      await print(event, filter, session);
    }
  } catch (error) {
    // The reader must learn that earlier lines no longer hold.
    if (hasBegun && (error as Partial<ProblemError>).code === UNKNOWN_POSITION) {
      output.fail({ exitCode: EXIT.refused, message: REPLACED, hint: HOW_TO_GO_ON });
      return EXIT.refused;
    }
    throw error;
  }
  return EXIT.done;
}

const UNKNOWN_POSITION = "6008";
const REPLACED =
  "the ledger does not know the newest transaction that was printed: it was replaced, or restored to an older state, and what was printed may no longer be true";
const HOW_TO_GO_ON = "Run the command again to watch the current ledger.";

function filterOf({
  address,
  token,
  item,
  type,
  after,
  from,
}: Readonly<Record<string, string>>): EventFilter {
  const list = (text: string | undefined): readonly string[] | undefined => text?.split(",");
  return {
    address: list(address),
    token: list(token),
    item: list(item),
    type: list(type),
    after,
    from: from === undefined ? undefined : Number(from),
  };
}

async function print(
  event: LedgerEvent,
  { type, address }: EventFilter,
  session: Session,
): Promise<void> {
  const { output } = session;
  if (event.kind === "height") {
    if (type?.includes(BLOCK_EVENTS)) {
      output.print(output.isJson ? JSON.stringify({ sn: event.height }) : `block ${event.height}`);
    }
    return;
  }
  const transaction = event.transaction as unknown as Members;
  if (output.isJson) {
    output.printJson(transaction, 0);
    return;
  }
  output.print(await line(transaction, concerned(transaction, address), session));
}

/** The record of the transaction, or the first effect on a watched address. */
function concerned(transaction: Members, watched: readonly string[] = []): Members {
  const isOf = (record: Members): boolean => watched.includes(String(record["address"]));
  return isOf(transaction) || payment(transaction)["to"] !== undefined
    ? transaction
    : ((transaction["effects"] as readonly Members[]).find(isOf) ?? transaction);
}

async function line(transaction: Members, record: Members, session: Session): Promise<string> {
  const { id, timestamp } = transaction as { readonly id: string; readonly timestamp: number };
  const isWhole = session.isFull;
  const naming = { isWhole, namesItems: true };
  const sentence = await sentenceText(record as never as RecordWithEffects, naming, session);
  return `${timeText(timestamp)}  ${visible(isWhole ? id : shortIfId(id))}  ${sentence}`;
}
