import { eventsOf, ProblemError, UnansweredError } from "@moneta/sdk";
import type { LiveMessage } from "./live-message.ts";

/** A busy ledger makes many blocks a second. */
const PAUSE_MS = 250;

/** Between checks of whether the node can write. An idle stream has an event in 15 s. */
const WRITES_EVERY_MS = 10_000;

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 16_000;

/**
 * Follows the newest block and the connection until `end`. Views read the content, so each
 * connection begins without a start id, and no response ends the loop. Source: explorer §1.
 */
export async function followHeights(
  nodeUrl: string,
  tell: (message: LiveMessage) => void,
  end?: AbortSignal,
): Promise<void> {
  let newest: LiveMessage = { connection: "lost", height: undefined, replaced: 0 };
  let isTelling = false;
  const tellSoon = (message: LiveMessage): void => {
    const hasChanged = (["connection", "refusal", "replaced", "writesHold"] as const).some(
      (name) => newest[name] !== message[name],
    );
    newest = message;
    if (hasChanged) {
      tell(message);
    } else if (!isTelling) {
      isTelling = true;
      setTimeout(() => {
        isTelling = false;
        tell(newest);
      }, PAUSE_MS);
    }
  };
  let writesReadMs = Number.NEGATIVE_INFINITY;
  const readWrites = async (): Promise<void> => {
    if (performance.now() - writesReadMs < WRITES_EVERY_MS) {
      return;
    }
    writesReadMs = performance.now();
    const writesHold = await writesHoldOf(nodeUrl, end);
    if (writesHold !== newest.writesHold) {
      tellSoon({ ...newest, writesHold });
    }
  };
  let ledger: Place | undefined;
  for (let failures = 0; end?.aborted !== true; failures += 1) {
    const connection = new AbortController();
    let cause: unknown;
    const onReconnect = (reason: unknown): void => {
      cause = reason;
      connection.abort();
    };
    try {
      const signal = AbortSignal.any([connection.signal, ...(end === undefined ? [] : [end])]);
      let isChecked = false;
      for await (const event of eventsOf(nodeUrl, { type: ["block"] }, { signal, onReconnect })) {
        if (event.kind !== "height") {
          continue;
        }
        let { replaced } = newest;
        if (!isChecked) {
          const { ledger_id: id } = (await read(nodeUrl, "/", signal)) as { ledger_id: string };
          replaced += ledger !== undefined && (await isGone(ledger, id, nodeUrl, signal)) ? 1 : 0;
          ledger = { id, transaction: undefined };
          isChecked = true;
        }
        ledger = { id: ledger?.id ?? "", transaction: event.id ?? ledger?.transaction };
        failures = 0;
        const { writesHold } = newest;
        tellSoon({ connection: "live", height: event.height, replaced, writesHold });
        void readWrites();
      }
    } catch (error) {
      cause = error;
    }
    tellSoon({ ...newest, connection: "lost", refusal: refusalOf(cause) });
    const longest = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    // Random, so that many pages do not come back together.
    const pause = (longest * (1 + Math.random())) / 2;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Undefined if it can, or leads writes to another node. */
async function writesHoldOf(
  nodeUrl: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const response = await fetch(`${nodeUrl}/ready`, { signal: signal ?? null });
    const { writes, log } = (await response.json()) as { writes?: unknown; log?: unknown };
    return typeof writes === "string" && writes !== "accepted" && log !== "followed"
      ? writes
      : undefined;
  } catch {
    return undefined; // The stream shows whether the node can be reached.
  }
}

/** Up to which a ledger was followed. */
interface Place {
  readonly id: string;
  readonly transaction: string | undefined;
}

/** Another ledger, or an older state, as of a restored back-up. */
async function isGone(
  { id, transaction }: Place,
  now: string,
  nodeUrl: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (id !== now || transaction === undefined) {
    return id !== now;
  }
  try {
    await read(nodeUrl, `/transaction/${transaction}`, signal);
    return false;
  } catch (error) {
    if (error instanceof ProblemError && error.code === UNKNOWN_TRANSACTION) {
      return true;
    }
    throw error;
  }
}

const UNKNOWN_TRANSACTION = "6008";

/** The whole library would be most of the worker's code. */
async function read(nodeUrl: string, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(nodeUrl + path, { signal });
  const body: unknown = await response.json();
  if (!response.ok) {
    throw new ProblemError(body as ConstructorParameters<typeof ProblemError>[0]);
  }
  return body;
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof ProblemError) {
    return `${error.code}: ${error.message}`;
  }
  // `fetch` throws a TypeError if no server responds.
  return error instanceof UnansweredError &&
    error.cause instanceof Error &&
    !(error.cause instanceof TypeError)
    ? error.cause.message
    : undefined;
}
