import type { EventFilter, LedgerEvent } from "@moneta/sdk";
import { amountText } from "../amounts.ts";
import { EXIT, type Given } from "../command.ts";
import type { Session } from "../session.ts";
import { visible } from "../table.ts";
import { timeText } from "../times.ts";
import type { Members } from "../view.ts";
import { payment } from "../views.ts";

/** The type that asks for an event after every block. */
const BLOCK_EVENTS = "block";

/** Prints a line for each transaction as it becomes durable, until Ctrl-C. */
export async function watch(
  params: Readonly<Record<string, string>>,
  _given: Given,
  session: Session,
): Promise<number> {
  // A node that is not there at all is told at once; one that goes away later is waited for.
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
        output.note("the connection is lost: coming back");
      }
      isLost = true;
    },
  });
  for await (const event of events) {
    if (isLost || !hasBegun) {
      output.note(hasBegun ? "connected again" : `watching ${session.url}; Ctrl-C ends it`);
      [isLost, hasBegun] = [false, true];
    }
    await print(event, filter, session);
  }
  return EXIT.done;
}

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

async function print(event: LedgerEvent, { type }: EventFilter, session: Session): Promise<void> {
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
  output.print(await line(transaction, session));
}

async function line(transaction: Members, session: Session): Promise<string> {
  const { amount, paid, from, to, memo } = payment(transaction);
  const parts = [
    timeText(transaction["timestamp"] as number),
    String(transaction["type"]),
    ...(from === undefined
      ? [String(transaction["address"])]
      : [await shownAmount(String(amount), String(paid), session), `${from} -> ${to}`]),
    ...(memo === undefined || memo === "" ? [] : [JSON.stringify(memo)]),
    String(transaction["id"]),
  ];
  return visible(parts.join("  "));
}

async function shownAmount(units: string, token: string, session: Session): Promise<string> {
  if (session.isInUnits) {
    return `${units} of token ${token}`;
  }
  return amountText(units, await session.units(token));
}
