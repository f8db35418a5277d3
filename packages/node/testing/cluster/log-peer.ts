import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  closeWhole,
  type Database,
  EngineUrl,
  type Genesis,
  genesisBlock,
  Ledger,
  LocalLog,
  openForWriting,
  readGenesis,
  type SharedLog,
  SYSTEM_TIME,
} from "@moneta/ledger";
import {
  type Engine,
  firstRows,
  openEngine,
  PostgresLog,
  type PostgresLogOptions,
  prepareSchema,
  TimelineFile,
} from "@moneta/ledger/postgres";
import {
  type Address,
  addressAround,
  encodeBase62Number,
  operationText,
  untaggedKey,
} from "@moneta/protocol";
import { LedgerClock } from "../../ledger-clock.ts";
import { LedgerLoop } from "../../ledger-thread/ledger-loop.ts";
import type { FromOpenLedger, LogReport } from "../../ledger-thread/ledger-messages.ts";
import { type LedgerPort, LedgerQueue } from "../../ledger-thread/ledger-queue.ts";
import { followFirst } from "../../ledger-thread/open-shared-log.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { newKey, publicPem } from "../test-node.ts";
import { until } from "../until.ts";

const BEGUN = 1_700_000_000;

export interface PeerOptions {
  /** For `--log`. */
  readonly url: string;
  readonly genesis: Genesis;
  /** Of tests that share a server each has its own. */
  readonly schema?: string;
  readonly turnMs?: number;
  readonly writeMs?: number;
  readonly around?: (engine: Engine) => Engine;
  readonly log?: (options: PostgresLogOptions) => SharedLog;
}

/** A genesis whose treasury has the whole supply. */
export function peerGenesis(): Genesis {
  const treasury = [{ publickey: publicPem(newKey()), amount: "1000000" }];
  const coin = { name: "Test Coin", symbol: "TST", decimal: 8, totalsupply: "1000000", treasury };
  return readGenesis({ ledger: "cluster-test", coin }, BEGUN);
}

/**
 * A cluster node's parts after admission: queue, ledger and log, all in this thread, over a real
 * engine.
 */
export class LogPeer implements AsyncDisposable {
  readonly queue: LedgerQueue;
  readonly ledger: Ledger;
  readonly log: SharedLog;
  report: LogReport | undefined;
  failure: unknown;
  readonly #genesis: Genesis;
  readonly #directory: TemporaryDirectory;

  private constructor(parts: {
    readonly queue: LedgerQueue;
    readonly ledger: Ledger;
    readonly log: SharedLog;
    readonly genesis: Genesis;
    readonly directory: TemporaryDirectory;
  }) {
    this.queue = parts.queue;
    this.ledger = parts.ledger;
    this.log = parts.log;
    this.#genesis = parts.genesis;
    this.#directory = parts.directory;
    this.queue.on("log", (report) => {
      this.report = report;
    });
  }

  static async start(options: PeerOptions): Promise<LogPeer> {
    const { url, genesis, schema = "moneta", turnMs = 1000, writeMs = 60_000 } = options;
    const time = SYSTEM_TIME;
    const directory = new TemporaryDirectory("peer");
    const timelines = new TimelineFile(join(directory.path, "timeline"));
    const opened = await openEngine(EngineUrl.parse(url), {
      timelines,
      time,
    });
    await begin(opened, genesis, schema);
    const engine = options.around?.(opened) ?? opened;
    const database = openForWriting(join(directory.path, "ledger.db"), "NORMAL");
    const copy = new LocalLog(database);
    const made = { copy, engine, time, timelines, schema, turnMs };
    const log = options.log?.(made) ?? new PostgresLog(made);
    const ledger = new Ledger(database, log);
    await followFirst(ledger, log);
    const queue = await LedgerQueue.over(
      ({ onMessage, onFailure }) => port({ ledger, log, database, onMessage, onFailure }),
      {
        ...{ time, writeMs, clock: () => BEGUN, gatherMs: 20, operationsMax: 10_000 },
        bytesMax: 16 << 20,
        onFailure: (error) => {
          peer.failure = error;
        },
      },
    );
    const peer: LogPeer = new LogPeer({ queue, ledger, log, genesis, directory });
    return peer;
  }

  /** The text of the creation of an address that is not on the ledger. */
  newAddress(): string {
    const decided = { address: addressAround(randomBase62()) };
    const params = { publickey: publicPem(newKey()) };
    return operationText({ op: "address", actor: "", params, signatures: {}, decided });
  }

  /** A temporary key of the treasury, as the node would issue it. */
  key(): string {
    const addressNumber = this.ledger.state.address(this.treasury)?.number as number;
    const random = encodeBase62Number(Number.parseInt(randomBytes(5).toString("hex"), 16), 10);
    const expiry = Math.floor(Date.now() / 1000) + 600;
    return `${untaggedKey({ addressNumber, expiry, random })}${"0".repeat(22)}`;
  }

  /** The text of a transfer from the treasury with a checked signature. */
  transfer(to: Address, checkkey: string = this.key(), amount = "1"): string {
    return operationText({
      ...{ op: "transfer", actor: this.treasury, decided: {} },
      params: { from: this.treasury, to, token: "0", amount, checkkey },
      signatures: { signature: "MEQ=" },
    });
  }

  get treasury(): Address {
    return this.#genesis.coin.treasury[0]?.address as Address;
  }

  /** The outcome of an operation: `done ID`, `repeat ID`, or the code that refused it. */
  async submit(text: string): Promise<string> {
    const outcome = await this.queue.submit([text]);
    return outcome.kind === "refused"
      ? outcome.fault.code
      : `${outcome.kind} ${outcome.transactionIds[0]}`;
  }

  async reaches(height: number): Promise<void> {
    await until(
      () => this.ledger.stored.height >= height,
      () => `still at ${this.ledger.stored.height}, not at ${height}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.queue.close();
    this.#directory[Symbol.dispose]();
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }
}

async function begin(engine: Engine, genesis: Genesis, schema: string): Promise<void> {
  const connection = await engine.connect({ timeoutMs: 60_000 });
  try {
    await prepareSchema(connection, schema);
    await firstRows(connection, schema, async () => ({
      genesis: "{}",
      secret: randomBytes(32).toString("hex"),
      block: await genesisBlock(genesis),
    }));
  } finally {
    connection.end();
  }
}

/** The loop as the queue's port, without a thread between them. */
function port(parts: {
  readonly ledger: Ledger;
  readonly log: SharedLog;
  readonly database: Database;
  readonly onMessage: (message: FromOpenLedger) => void;
  readonly onFailure: (error: Error) => void;
}): LedgerPort {
  const { ledger, log, database, onMessage, onFailure } = parts;
  const closed = Promise.withResolvers<void>();
  const loop = new LedgerLoop({
    ...{ ledger, shared: log, time: SYSTEM_TIME, operationsMax: 10_000, bytesMax: 16 << 20 },
    clock: new LedgerClock({
      wall: () => Math.floor(Date.now() / 1000),
      monotonicMs: () => SYSTEM_TIME.nowMs(),
      block: () => (ledger.stored.height > 0 ? ledger.stored.timestamp : 0),
      tolerance: 86_400,
    }),
    say: (message) => queueMicrotask(() => onMessage(message)),
    async attempt(work) {
      try {
        return await work();
      } catch (thrown) {
        onFailure(thrown as Error);
        throw thrown;
      }
    },
    close() {
      closeWhole(database);
      closed.resolve();
    },
  });
  loop.start();
  return {
    ready: Promise.resolve({ height: ledger.head.height, unknownVersion: undefined }),
    post: (message) => loop.take(message),
    close: () => {
      loop.take({ kind: "end" });
      return closed.promise;
    },
  };
}

function randomBase62(): string {
  const number = Number.parseInt(randomBytes(6).toString("hex"), 16);
  return encodeBase62Number(number, 10).padStart(30, "0");
}
