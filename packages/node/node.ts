import { createPrivateKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type Database, genesisOperations, LedgerReader } from "@moneta/ledger";
import { type Address, type Amount, NATIVE_COIN } from "@moneta/protocol";
import type { FastifyInstance } from "fastify";
import { Admission } from "./admission.ts";
import {
  type DataDirectory,
  findGenesis,
  keepGenesis,
  lockDirectory,
  makeDataDirectory,
  readSecrets,
} from "./data-directory.ts";
import { addressOf, Faucet } from "./faucet.ts";
import { makeServer } from "./http/server.ts";
import { LedgerQueue } from "./ledger-queue.ts";
import { Metrics } from "./metrics.ts";
import { readingPerTurn, type Service } from "./service.ts";
import { SettingProblem, type Settings } from "./settings.ts";
import { TemporaryKeys } from "./temporary-keys.ts";

/** A node that runs. */
export interface RunningNode {
  /** Where it listens, `http://host:port`, and the same for HTTPS if that is on. */
  readonly urls: readonly string[];
  readonly service: Service;
  /** The first address of the treasury. */
  readonly treasury: Address | undefined;
  /** Takes no new connections, finishes what has been accepted, and closes the ledger. */
  close(): Promise<void>;
}

/** Starts a node. Throws `SettingProblem` or `GenesisProblem` in words for the operator. `clock` is in Unix seconds. */
export async function startNode(
  settings: Settings,
  options: {
    readonly clock?: () => number;
    /** Called if the ledger thread fails: nothing can be written any more. */
    readonly onFailure?: (error: Error) => void;
  } = {},
): Promise<RunningNode> {
  const clock = options.clock ?? (() => Math.floor(Date.now() / 1000));
  // The pool that verifies signatures is made when it is first used, as large as this says.
  process.env["UV_THREADPOOL_SIZE"] = String(settings.threads);
  const directory = makeDataDirectory(settings.data);
  const lock = lockDirectory(directory, settings.data);
  try {
    return await startLocked(
      settings,
      directory,
      lock,
      clock,
      options.onFailure ?? (() => undefined),
    );
  } catch (thrown) {
    lock.close();
    throw thrown;
  }
}

async function startLocked(
  settings: Settings,
  directory: DataDirectory,
  lock: Database,
  clock: () => number,
  onFailure: (error: Error) => void,
): Promise<RunningNode> {
  const isNew = !existsSync(directory.ledger);
  const genesis = findGenesis(directory, {
    file: settings.genesis,
    mayMake: isNew && settings.deployment === "test",
    now: clock(),
  });
  if (genesis === undefined && isNew) {
    throw new SettingProblem(
      "a production deployment needs --genesis FILE, which names the treasury's public key: docs/genesis.md shows one",
    );
  }
  if (genesis !== undefined) {
    keepGenesis(directory, genesis);
  }

  let metrics: Metrics | undefined;
  const queue = await LedgerQueue.start(
    {
      file: directory.ledger,
      genesis: genesis && { operations: genesisOperations(genesis), timestamp: genesis.timestamp },
      verifyAtStart: settings["verify-at-start"],
    },
    {
      clock,
      gatherMs: settings["block-gather-ms"],
      operationsMax: settings["block-operations-max"],
      onResult: (result) => metrics?.noteBatch(result),
      onFailure,
    },
  );
  metrics = new Metrics(() => ({ queueLength: queue.length, height: queue.height }));

  const reader = new LedgerReader(directory.ledger);
  const { reading, readingNewest } = readingPerTurn(reader, clock);
  const ledgerId = reading().block({ height: 0 })?.id ?? "";
  const keys = new TemporaryKeys({
    secrets: readSecrets(directory),
    ledgerId,
    seconds: settings["temporary-key-seconds"],
  });
  const admission = new Admission({
    reader,
    queue,
    keys,
    ledgerId,
    queueMax: settings["queue-max"],
  });
  let isReady = true;
  const service: Service = {
    settings,
    clock,
    ledgerId,
    ledgerName: reading().ledgerName(),
    queue,
    admission,
    keys,
    faucet: makeFaucet(settings, directory, reading(), { admission, keys, ledgerId }),
    metrics,
    reading,
    readingNewest,
    isReady: () => isReady,
  };

  const app = await makeServer(service);
  await app.listen({ host: settings.host, port: settings.port });
  const tls = settings["tls-cert"] === "" ? undefined : await listenTls(app, settings);
  const urls = [
    urlOf("http", settings.host, app.server.address()),
    ...(tls === undefined ? [] : [urlOf("https", settings.host, tls.address())]),
  ];
  return {
    urls,
    service,
    treasury: genesis?.coin.treasury[0]?.address,
    async close() {
      isReady = false;
      await closeServers(
        [app.server, ...(tls === undefined ? [] : [tls])],
        app,
        settings["shutdown-seconds"],
      );
      admission.close();
      await queue.drain();
      // Before the writer, which can put all of the ledger into one file only when nobody reads.
      reader.dispose();
      await queue.close();
      lock.close();
    },
  };
}

/** Takes no new connections, lets those that are open finish what they have asked, and then ends those that have not. */
async function closeServers(
  servers: readonly (Server | TlsServer)[],
  app: FastifyInstance,
  seconds: number,
): Promise<void> {
  const closed = [
    app.close(),
    ...servers.slice(1).map((server) => new Promise((resolve) => server.close(resolve))),
  ];
  // Connections become idle one after the other, and Node looks for idle ones only once.
  const patient = setInterval(() => {
    for (const server of servers) {
      server.closeIdleConnections();
    }
  }, 50);
  const impatient = setTimeout(() => {
    for (const server of servers) {
      server.closeAllConnections();
    }
  }, seconds * 1000);
  await Promise.all(closed);
  clearInterval(patient);
  clearTimeout(impatient);
}

function makeFaucet(
  settings: Settings,
  directory: DataDirectory,
  reader: LedgerReader,
  parts: Pick<Service, "admission" | "keys" | "ledgerId">,
): Faucet | undefined {
  const key = readFaucetKey(settings, directory);
  if (key === undefined) {
    return undefined;
  }
  const address = addressOf(key, reader);
  if (address === undefined) {
    throw new SettingProblem(
      "the faucet's key has no address on this ledger: create one with POST /address, or give another --faucet-key",
    );
  }
  const coins = 10n ** BigInt(reader.state.token(NATIVE_COIN)?.decimal ?? 0);
  const amountOr = (text: string, standard: bigint): Amount =>
    (text === "" ? standard : BigInt(text)) as Amount;
  return new Faucet({
    ...parts,
    key,
    address,
    amount: amountOr(settings["faucet-amount"], 100n * coins),
    amountMax: amountOr(settings["faucet-amount-max"], 1000n * coins),
    callsMax: settings["faucet-calls-max"],
  });
}

function readFaucetKey(settings: Settings, directory: DataDirectory): KeyObject | undefined {
  if (settings.deployment === "production") {
    return undefined;
  }
  if (settings["faucet-key"] !== "") {
    return createPrivateKey(readFileSync(settings["faucet-key"]));
  }
  return existsSync(directory.treasuryKey)
    ? createPrivateKey(readFileSync(directory.treasuryKey))
    : undefined;
}

async function listenTls(app: FastifyInstance, settings: Settings): Promise<TlsServer> {
  const { maxHeaderSize, headersTimeout, requestTimeout, keepAliveTimeout } = {
    maxHeaderSize: 512 * 1024,
    ...app.server,
  };
  const server = createTlsServer(
    {
      cert: readFileSync(settings["tls-cert"]),
      key: readFileSync(settings["tls-key"]),
      maxHeaderSize,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
    },
    (request, response) => app.routing(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings["tls-port"], settings.host, resolve);
  });
  return server;
}

function urlOf(scheme: string, host: string, address: AddressInfo | string | null): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
