import { existsSync, readFileSync, rmSync } from "node:fs";
import {
  type BlockPlace,
  checkLedgerFile,
  closeWhole,
  commit,
  type Database,
  EngineUrl,
  EngineUrlProblem,
  InvalidBlock,
  LocalLog,
  NotYet,
  openForReading,
  openForWriting,
  SYSTEM_TIME,
} from "@moneta/ledger";
import {
  BlockTable,
  checkEngine,
  checkWarnings,
  openEngine,
  prepareSchema,
  readEngineState,
  SharedRows,
} from "@moneta/ledger/postgres";
import type { Block } from "@moneta/protocol";
import {
  type DataDirectory,
  genesisJson,
  lockDirectory,
  makeDataDirectory,
} from "../data-directory/data-directory.ts";
import { endCopy, noteCopy, wholeLedger } from "../data-directory/log-source.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { SettingProblem } from "../settings.ts";

export interface LogOptions {
  readonly schema: string;
  readonly passwordFile: string;
}

/** Moves with the blocks to another log. */
export interface LogSurroundings {
  readonly genesis: string | undefined;
  /** Of temporary keys, hex, the newest first. */
  readonly secrets: readonly string[];
}

export interface LogSource extends AsyncDisposable {
  newest(): Promise<BlockPlace>;
  id(height: number): Promise<string | undefined>;
  blocks(fromHeight: number): Promise<readonly Block[]>;
  surroundings(): Promise<LogSurroundings>;
  /** Throws `NotYet` if a node may be writing to it; afterwards none can. */
  refuseWriters(): Promise<void>;
}

export interface LogTarget extends LogSource {
  /** Durable: it has only a part of the log `from`, until `complete`. */
  note(from: string): Promise<void>;
  complete(surroundings: LogSurroundings): Promise<void>;
  append(blocks: readonly Block[]): Promise<void>;
}

const BLOCKS_IN_STEP = 200;
const CONNECT_MS = 10_000;

/** Throws `SettingProblem`. */
function engineUrlOf(text: string, { passwordFile }: LogOptions): EngineUrl {
  try {
    return EngineUrl.parse(text).withPassword({
      file: passwordFile,
      environment: process.env["PGPASSWORD"],
    });
  } catch (thrown) {
    throw thrown instanceof EngineUrlProblem ? new SettingProblem(thrown.message) : thrown;
  }
}

/** Any URL is, even a mistyped one: a folder of that name would have its password. */
export function isEngineUrl(text: string): boolean {
  return /^(postgres(ql)?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
}

/** Throws `SettingProblem` and errors of opening. */
export async function openSource(from: string, options: LogOptions): Promise<LogSource> {
  if (isEngineUrl(from)) {
    return await EngineStore.open(from, options);
  }
  const directory = wholeLedger(from);
  const source = new DirectoryStore(directory, from, openForReading(directory.ledger), "read");
  const { firstKept } = source;
  if (firstKept > 1) {
    await source[Symbol.asyncDispose]();
    throw new SettingProblem(
      `${from} lacks the blocks from 1 to ${firstKept - 1}: copy a ledger that has them, such as one that moneta rebuild NEW --from-archive ARCHIVE has made`,
    );
  }
  return source;
}

/** Creates a missing log. A directory is locked from the beginning. */
export async function openTarget(to: string, options: LogOptions): Promise<LogTarget> {
  if (isEngineUrl(to)) {
    return await EngineStore.open(to, options, "write");
  }
  const directory = makeDataDirectory(to);
  const lock = lockDirectory(directory, to);
  try {
    checkLedgerFile(directory.ledger);
    return new DirectoryStore(directory, to, openForWriting(directory.ledger), "write", lock);
  } catch (thrown) {
    lock.close();
    throw thrown;
  }
}

class DirectoryStore implements LogTarget {
  readonly #directory: DataDirectory;
  readonly #path: string;
  readonly #database: Database;
  readonly #access: "read" | "write";
  readonly #log: LocalLog;
  #lock: Database | undefined;

  constructor(
    directory: DataDirectory,
    path: string,
    database: Database,
    access: "read" | "write",
    lock?: Database,
  ) {
    this.#directory = directory;
    this.#path = path;
    this.#database = database;
    this.#access = access;
    this.#log = access === "read" ? LocalLog.readWhole(database) : new LocalLog(database);
    this.#lock = lock;
  }

  get firstKept(): number {
    return this.#log.firstKept;
  }

  async newest(): Promise<BlockPlace> {
    const height = this.#log.height();
    return { height, id: this.#log.block(height)?.id ?? "" };
  }

  async id(height: number): Promise<string | undefined> {
    return this.#log.block(height)?.id;
  }

  async blocks(fromHeight: number): Promise<readonly Block[]> {
    return Iterator.from(this.#log.read(fromHeight)).take(BLOCKS_IN_STEP).toArray();
  }

  async surroundings(): Promise<LogSurroundings> {
    const { genesis, secret } = this.#directory;
    const contentOf = (file: string): string | undefined =>
      existsSync(file) ? readFileSync(file, "utf8") : undefined;
    const content = contentOf(genesis);
    return {
      genesis: checkedGenesis(content, genesis),
      secrets: (contentOf(secret) ?? "").split("\n").filter((line) => line !== ""),
    };
  }

  async refuseWriters(): Promise<void> {
    this.#lock ??= lockDirectory(this.#directory, this.#path);
  }

  async note(from: string): Promise<void> {
    noteCopy(this.#directory, from);
  }

  async complete({ genesis, secrets }: LogSurroundings): Promise<void> {
    if (genesis !== undefined && !existsSync(this.#directory.genesis)) {
      const text = `${JSON.stringify(JSON.parse(genesis), null, 2)}\n`;
      writeWhole(this.#directory.genesis, text, 0o600);
    }
    if (secrets.length > 0 && !existsSync(this.#directory.secret)) {
      writeWhole(this.#directory.secret, `${secrets.slice(0, 2).join("\n")}\n`, 0o600);
    }
    // From here on it has a log of its own.
    rmSync(this.#directory.logSource, { force: true });
    endCopy(this.#directory);
  }

  async append(blocks: readonly Block[]): Promise<void> {
    this.#database.exec("BEGIN IMMEDIATE");
    for (const block of blocks) {
      this.#log.append(block);
    }
    commit(this.#database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#access === "write") {
      closeWhole(this.#database);
    } else {
      this.#database.close();
    }
    this.#lock?.close();
  }
}

function checkedGenesis(content: string | undefined, where: string): string | undefined {
  return content === undefined ? undefined : JSON.stringify(genesisJson(content, where));
}

export class EngineStore implements LogTarget {
  readonly table: BlockTable;
  readonly #rows: SharedRows;
  readonly #end: () => void;

  private constructor(table: BlockTable, rows: SharedRows, end: () => void) {
    this.table = table;
    this.#rows = rows;
    this.#end = end;
  }

  /** To be read, the schema must be there and complete. */
  static async open(
    text: string,
    options: LogOptions,
    access: "read" | "write" = "read",
  ): Promise<EngineStore> {
    const url = engineUrlOf(text, options);
    const engine = await openEngine(url, { timelines: { highest: 0 }, time: SYSTEM_TIME });
    const connection = await engine.connect({ timeoutMs: CONNECT_MS });
    try {
      const state = await readEngineState(connection, options.schema);
      for (const warning of checkEngine(state, "test")) {
        console.error(`moneta: ${warning}`);
      }
      await checkWarnings(connection);
      const isTarget = access === "write";
      await prepareSchema(connection, options.schema, { mayBePart: isTarget, mayBeMade: isTarget });
    } catch (thrown) {
      connection.end();
      throw thrown;
    }
    const rows = new SharedRows((query) => connection.query(query), options.schema);
    return new EngineStore(new BlockTable(connection, options.schema), rows, () =>
      connection.end(),
    );
  }

  async newest(): Promise<BlockPlace> {
    return await this.table.newest();
  }

  async id(height: number): Promise<string | undefined> {
    return await this.table.id(height);
  }

  async blocks(fromHeight: number): Promise<readonly Block[]> {
    const blocks = await this.table.blocks(fromHeight);
    const missing = blocks.findIndex(({ header }, index) => header.sn !== fromHeight + index);
    if (missing !== -1) {
      const height = fromHeight + missing;
      throw new InvalidBlock({ height }, "the log has later blocks, but not this one");
    }
    return blocks;
  }

  async surroundings(): Promise<LogSurroundings> {
    const secrets = await this.#rows.secrets();
    return {
      genesis: checkedGenesis(await this.table.genesis(), "the log's table genesis"),
      secrets: secrets.map(({ secret }) => secret),
    };
  }

  async refuseWriters(): Promise<void> {
    const nodes = await this.#rows.nodesWithout(Number.MAX_SAFE_INTEGER);
    if (nodes.length > 0) {
      throw new NotYet(
        `${nodes.length} of the cluster's nodes were seen within 5 minutes: stop them all, and run it again (after 5 minutes, if one was killed)`,
      );
    }
  }

  async note(): Promise<void> {
    await this.table.beginCopy();
  }

  async complete({ genesis, secrets }: LogSurroundings): Promise<void> {
    await this.table.endCopy(genesis, secrets.toReversed());
  }

  async append(blocks: readonly Block[]): Promise<void> {
    await this.table.append(blocks);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }
}
