import {
  EngineUrl,
  type Ledger,
  type LocalLog,
  LogUnavailable,
  type SharedLog,
  SYSTEM_TIME,
} from "@moneta/ledger";
import {
  checkSchema,
  checkWarnings,
  type EngineConnection,
  engineWarnings,
  openEngine,
  PostgresLog,
  readEngineState,
  TimelineFile,
} from "@moneta/ledger/postgres";
import { serveRows } from "../cluster/row-calls.ts";
import type { SharedLogData } from "./ledger-messages.ts";

/** Other threads reach the log's rows through ports. Throws `LogUnavailable`. */
export async function openSharedLog(
  { url, schema, turnMs, timelineFile, deployment, rows }: SharedLogData,
  copy: LocalLog,
): Promise<SharedLog> {
  const timelines = new TimelineFile(timelineFile);
  const engine = await openEngine(new EngineUrl(url), { timelines, time: SYSTEM_TIME });
  const check = async (connection: Pick<EngineConnection, "query">): Promise<readonly string[]> => {
    await checkSchema(connection, schema);
    return engineWarnings(await readEngineState(connection, schema));
  };
  const opened = new PostgresLog({
    ...{ copy, engine, time: SYSTEM_TIME, timelines, schema, turnMs, deployment },
    async checkConnection(connection) {
      await checkSchema(connection, schema);
      await checkWarnings(connection);
    },
  });
  const served = Object.assign(opened.rows, { checkEngine: () => opened.check(check) });
  for (const port of rows) {
    serveRows(port, served);
    port.unref();
  }
  return opened;
}

/** Before there is anything to serve. */
const FIRST_ATTEMPTS = 30;
const FIRST_PAUSE_MS = 1000;

/** Until block 0 exists: without it nothing can be served. Throws `LogUnavailable`. */
export async function followFirst(ledger: Ledger, log: SharedLog): Promise<void> {
  for (let attempts = 1; ledger.head.height === -1; attempts += 1) {
    try {
      await log.look(ledger.stored);
      await ledger.adopt(await log.next(ledger.stored));
    } catch (thrown) {
      if (!(thrown instanceof LogUnavailable) || attempts >= FIRST_ATTEMPTS) {
        throw thrown;
      }
      await new Promise<void>((resolve) => void SYSTEM_TIME.after(FIRST_PAUSE_MS, resolve));
    }
  }
}
