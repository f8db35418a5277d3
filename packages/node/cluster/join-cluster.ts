import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  type EngineUrl,
  type Genesis,
  GenesisProblem,
  genesisBlock,
  genesisContent,
  LocalLog,
  openForReading,
  SYSTEM_TIME,
} from "@moneta/ledger";
import {
  ConnectionLost,
  checkWarnings,
  type EngineConnection,
  EngineDenied,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
  engineProblem,
  engineWarnings,
  type FirstRows,
  firstRows,
  idInLog,
  type KnownTimeline,
  openEngine,
  prepareSchema,
  readEngineState,
  SchemaProblem,
  SharedRows,
  TimelineFile,
} from "@moneta/ledger/postgres";
import type { FastifyBaseLogger } from "fastify";
import {
  type DataDirectory,
  findGenesis,
  genesisFrom,
  genesisJson,
  keepGenesis,
  readFile,
  readSecrets,
  refuseAhead,
  writeSecrets,
} from "../data-directory/data-directory.ts";
import { keepLogSource } from "../data-directory/log-source.ts";
import type { RememberedBlock } from "../data-directory/newest-block-file.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { SettingProblem, type Settings } from "../settings.ts";
import { inOrderOfUse, newSecret } from "./shared-secrets.ts";

const PAUSE_MS = 1000;
const SAID_EVERY = 60;
const ATTEMPTS_WITH_BLOCKS = 3;
const CONNECT_MS = 5000;
/** An engine may become silent. */
const ANSWER_MS = 15_000;

export interface JoinedCluster {
  /** Undefined if the chain was copied there without its genesis file. */
  readonly genesis: Genesis | undefined;
  /** Keys are issued with the first one. */
  readonly secrets: readonly Buffer[];
  /** Now or in an interrupted start. */
  readonly hasBegun: boolean;
  readonly timeline: KnownTimeline;
}

/**
 * A node with all shown blocks need not wait for an engine. Throws like `joinOver`.
 * Source: cluster §1, §4.
 */
export async function joinCluster(url: EngineUrl, options: JoinOptions): Promise<JoinedCluster> {
  const { directory, remembered, settings, log } = options;
  const { genesis: file } = settings;
  if (file !== "") {
    // Its faults are reported at once, even if no engine is reachable.
    findGenesis(directory, { file, mayMake: false, now: wallSeconds() });
  }
  const own = options.hasLedger ? ownPlaces(directory) : undefined;
  const hasAll = own !== undefined && (remembered?.height ?? -1) <= own.height;
  const timelines = new TimelineFile(directory.logTimeline);
  const timeline = timelines.known(SYSTEM_TIME.wallMs());
  const alone = (): JoinedCluster => {
    const genesis = findGenesis(directory, { file, mayMake: false, now: wallSeconds() });
    return { genesis, secrets: readSecrets(directory), hasBegun: false, timeline };
  };
  for (;;) {
    const connection = await connect(url, timelines, { hasAll, log });
    if (connection === undefined) {
      return alone();
    }
    let isBeginning = false;
    try {
      const joined = await joinOver(hasAll ? impatient(connection) : connection, url, {
        ...{ ...options, own },
        onBegin: () => {
          isBeginning = true;
        },
      });
      writeSecrets(directory, joined.secrets);
      keepLogSource(directory, url);
      return { ...joined, timeline };
    } catch (thrown) {
      // The next start finds out whether block 0 is there.
      if (isBeginning || !mayPass(thrown)) {
        throw thrown;
      }
      const reason = thrown.message;
      if (hasAll) {
        log.warn({ reason }, "the log cannot be read now: reads are served meanwhile");
        return alone();
      }
      log.warn({ reason }, "the log was reached, but cannot be read now: trying again");
      await delay(PAUSE_MS);
    } finally {
      connection.end();
    }
  }
}

/** Query time-out and lock time-out. */
const GIVEN_UP: ReadonlySet<string> = new Set(["57014", "55P03"]);

function mayPass(thrown: unknown): thrown is Error {
  return (
    thrown instanceof ConnectionLost ||
    (thrown instanceof EngineRefusal && (thrown.isFatal || GIVEN_UP.has(thrown.code)))
  );
}

/** A connection that ends when a message is not answered in time. */
function impatient(connection: EngineConnection): EngineConnection {
  return {
    query: async (text) => {
      const timer = SYSTEM_TIME.after(ANSWER_MS, () => connection.end());
      try {
        return await connection.query(text);
      } finally {
        timer.cancel();
      }
    },
    get hasEnded() {
      return connection.hasEnded;
    },
    end: () => connection.end(),
  };
}

function wallSeconds(): number {
  return Math.floor(SYSTEM_TIME.wallMs() / 1000);
}

interface JoinOptions {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly hasLedger: boolean;
  readonly remembered: RememberedBlock | undefined;
  readonly log: FastifyBaseLogger;
}

/**
 * Throws `SettingProblem`, `SchemaProblem`, `GenesisProblem`, `EngineUnavailable`.
 * Source: cluster §2.
 */
async function joinOver(
  connection: EngineConnection,
  url: EngineUrl,
  options: JoinOptions & {
    readonly own: OwnPlaces | undefined;
    readonly onBegin: () => void;
  },
): Promise<Omit<JoinedCluster, "timeline">> {
  const { settings, directory, log, own } = options;
  const schema = settings["log-schema"];
  const state = await readEngineState(connection, schema);
  const problem = engineProblem(state, settings.deployment);
  if (problem !== undefined) {
    // A node with blocks serves reads; writes are held.
    if (own === undefined) {
      throw new SchemaProblem(problem);
    }
    log.error({ reason: problem }, "the log may not be written");
  }
  for (const warning of engineWarnings(state)) {
    log.warn(warning);
  }
  await checkWarnings(connection);
  await prepareSchema(connection, schema);
  // All blocks have the engine's time. Source: cluster §5.
  const now = await engineTime(connection);
  const given =
    settings.genesis !== "" || existsSync(directory.genesis)
      ? findGenesis(directory, { file: settings.genesis, mayMake: false, now })
      : undefined;
  const first = await firstRows(connection, schema, async () => {
    if (own !== undefined) {
      throw new SettingProblem(
        `the log ${url} has no block in the schema ${schema}, but ${directory.ledger} has a ledger: moneta log copy takes it there`,
      );
    }
    const genesis = given ?? newGenesis(options, now);
    refuseAhead(genesis, now);
    options.onBegin();
    const secret = newSecret();
    // Before block 0: a kill afterwards would leave a cluster without a signer.
    writeWhole(directory.logBeginning, secret, 0o600);
    return {
      genesis: JSON.stringify(genesisContent(genesis)),
      secret,
      block: await genesisBlock(genesis),
    };
  });
  if (first === undefined) {
    throw new SettingProblem(`the log ${url} has no block 0 in the schema ${schema}`);
  }
  await refuseOther(first, { own: own?.first, given, schema, directory });
  await checkRemembered(connection, own?.height ?? -1, options);
  const genesis = first.genesis === undefined ? given : tableGenesis(first.genesis, schema, now);
  if (genesis !== undefined) {
    keepGenesis(directory, genesis, { isNew: own === undefined });
  }
  const rows = new SharedRows((text) => connection.query(text), schema);
  const found = await rows.secrets();
  if (found.length === 0) {
    await rows.beginSecrets(newSecret());
  }
  const secrets = found.length === 0 ? await rows.secrets() : found;
  const begunWith = existsSync(directory.logBeginning) ? readFile(directory.logBeginning) : "";
  const hasBegun = secrets.some(({ secret }) => secret === begunWith);
  return { genesis, secrets: inOrderOfUse(secrets), hasBegun };
}

/** Undefined if the node can serve reads without an engine, else `SettingProblem`. */
async function connect(
  url: EngineUrl,
  timelines: TimelineFile,
  { hasAll, log }: { readonly hasAll: boolean; readonly log: FastifyBaseLogger },
): Promise<EngineConnection | undefined> {
  const engine = await openEngine(url, { timelines, time: SYSTEM_TIME });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.connect({ timeoutMs: CONNECT_MS });
    } catch (thrown) {
      if (!(thrown instanceof EngineUnavailable)) {
        throw thrown;
      }
      const reason = thrown.message;
      if (thrown instanceof EngineDenied && !hasAll) {
        throw new SettingProblem(
          `--log ${url}: PostgreSQL does not let this node in: ${reason}. The role and the database are those of the URL; the password is its, PGPASSWORD's or that of --log-password-file`,
          { cause: thrown },
        );
      }
      if (hasAll && attempt === ATTEMPTS_WITH_BLOCKS) {
        log.warn({ reason }, "the log cannot be reached: reads are served meanwhile");
        return undefined;
      }
      if (attempt % SAID_EVERY === 1) {
        log.warn(
          { reason },
          hasAll
            ? "the log cannot be reached: trying again"
            : "the log cannot be reached, and this node has not all blocks that it needs without it: waiting for the log",
        );
      }
      await delay(PAUSE_MS);
    }
  }
}

function tableGenesis(text: string, schema: string, now: number): Genesis {
  const table = `the table genesis of the schema ${schema}`;
  return genesisFrom(table, genesisJson(text, table), now);
}

/** On a test deployment it makes the treasury's key, which no other node gets. */
function newGenesis(
  { settings, directory }: { readonly settings: Settings; readonly directory: DataDirectory },
  now: number,
): Genesis {
  const mayMake = settings.deployment === "test";
  const genesis = findGenesis(directory, { file: "", mayMake, now });
  if (genesis === undefined) {
    throw new SettingProblem(
      "the log is empty, and a production deployment needs --genesis FILE to begin it: moneta init makes one, with keys and settings",
    );
  }
  return genesis;
}

/** Unix seconds. */
async function engineTime(connection: EngineConnection): Promise<number> {
  const [found] = (await connection.query(
    "SELECT floor(extract(epoch from clock_timestamp()))::bigint AS now",
  )) as [EngineResult];
  return Number(found.rows[0]?.["now"]);
}

interface OwnPlaces {
  readonly first: string;
  readonly height: number;
}

function ownPlaces(directory: DataDirectory): OwnPlaces | undefined {
  const database = openForReading(directory.ledger);
  try {
    const log = new LocalLog(database, "read");
    const first = log.block(0)?.id;
    return first === undefined ? undefined : { first, height: log.height() };
  } finally {
    database.close();
  }
}

async function refuseOther(
  first: FirstRows,
  {
    own,
    given,
    schema,
    directory,
  }: {
    readonly own: string | undefined;
    readonly given: Genesis | undefined;
    readonly schema: string;
    readonly directory: DataDirectory;
  },
): Promise<void> {
  const inLog = `the log's block 0 in the schema ${schema} is ${first.id}`;
  if (own !== undefined && own !== first.id) {
    throw new GenesisProblem(
      `${directory.ledger} has another ledger than the log: its block 0 is ${own}, but ${inLog}`,
    );
  }
  if (given !== undefined && own === undefined) {
    const { id } = await genesisBlock(given);
    if (id !== first.id) {
      throw new GenesisProblem(
        `the genesis file is of another ledger than the log: it makes the block 0 ${id}, but ${inLog}`,
      );
    }
  }
}

/** The log must have blocks that a power cut removed from the views. Source: cluster §6. */
async function checkRemembered(
  connection: EngineConnection,
  height: number,
  {
    settings,
    directory,
    remembered,
  }: {
    readonly settings: Settings;
    readonly directory: DataDirectory;
    readonly remembered: RememberedBlock | undefined;
  },
): Promise<void> {
  if (
    remembered === undefined ||
    remembered.height <= height ||
    settings["accept-older-ledger"] === "yes"
  ) {
    return;
  }
  const id = await idInLog(connection, settings["log-schema"], remembered.height);
  if (id !== remembered.id) {
    throw new SettingProblem(
      `${directory.newestBlock} says that this node has shown the block ${remembered.id} at height ${remembered.height}, but the log has ${id ?? "none"} there: it was restored to an earlier time, or it is the wrong one. moneta rebuild DIR --log URL makes this node's ledger anew from the log, and lists what is gone`,
    );
  }
}
