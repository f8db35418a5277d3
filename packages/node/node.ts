import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  checkLedgerFile,
  type Genesis,
  genesisOperations,
  LedgerReader,
  PROTOCOL,
  SyncFailure,
  storageFailure,
} from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { Admission } from "./admission/admission.ts";
import { TemporaryKeys } from "./admission/temporary-keys.ts";
import { WriteQuota } from "./admission/write-quota.ts";
import { AuctionCloser } from "./auction-closer.ts";
import { CheckpointSigner } from "./checkpoint-signer.ts";
import {
  type DataDirectory,
  findGenesis,
  keepGenesis,
  lockDirectory,
  makeDataDirectory,
  readCheckpointKeys,
  readSecrets,
} from "./data-directory/data-directory.ts";
import { diskUsage } from "./data-directory/disk-usage.ts";
import {
  checkHasGrown,
  NewestBlockFile,
  readNewestBlock,
} from "./data-directory/newest-block-file.ts";
import { SignedTreeFile } from "./data-directory/signed-tree-file.ts";
import { makeEvents } from "./events/make-events.ts";
import { makeFaucet } from "./faucet.ts";
import { Connections } from "./http/connections.ts";
import { EntryBundles } from "./http/entry-bundles.ts";
import { makeServer } from "./http/server.ts";
import { listen } from "./http/servers.ts";
import { type ClockJump, LedgerClock } from "./ledger-clock.ts";
import type { CheckpointResult, Ready } from "./ledger-thread/ledger-messages.ts";
import { LedgerQueue } from "./ledger-thread/ledger-queue.ts";
import { Metrics } from "./metrics.ts";
import { readingPerTurn } from "./reading-per-turn.ts";
import type { Service } from "./service.ts";
import { SettingProblem, type Settings } from "./settings.ts";
import { SignaturePool } from "./signatures/signature-pool.ts";
import { VERSION } from "./version.ts";

/** How often the clock is looked at while nobody asks. */
const CLOCK_STEP_MS = 10_000;
/** A client that has just been answered may send its next request within that time. */
const IDLE_MS = 1000;

/** A node that runs. */
export interface RunningNode {
  /** Where it listens, `http://host:port`, and the same for HTTPS if that is on. */
  readonly urls: readonly string[];
  readonly service: Service;
  /** The first address of the treasury; undefined if the node does not have its genesis file. */
  readonly treasury: Address | undefined;
  /** Goes on for `--shutdown-grace` as one that is not ready, then answers what still arrives, and closes the ledger. */
  close(): Promise<void>;
}

/** Starts a node. Throws `SettingProblem` or `GenesisProblem` in words for the operator, and then leaves nothing running. */
export async function startNode(
  settings: Settings,
  options: {
    /** Unix seconds. */
    readonly clock?: () => number;
    /** What the clock is compared with while the node runs, ms. */
    readonly monotonicMs?: () => number;
    /** Called if the ledger thread fails: nothing can be written any more. */
    readonly onFailure?: (error: Error) => void;
    /** How long an event stream goes without an event before it is told how far it has come, ms. */
    readonly heightAfterMs?: number;
    /** How long a webhook waits after its first failure, ms. */
    readonly webhookRetryMs?: number;
    /** How long a connection has to be idle at the end before it is closed: a request may be on its way on it, ms. */
    readonly idleMs?: number;
  } = {},
): Promise<RunningNode> {
  const { onFailure = () => undefined } = options;
  // Jumps that were seen before there was a log.
  const clockNotes: (ClockJump | undefined)[] = [];
  let isLogging = false;
  const noteClock = (jump: ClockJump | undefined): void => {
    if (!isLogging) {
      clockNotes.push(jump);
    } else if (jump === undefined) {
      app.log.warn("the clock is back: writes are taken again");
    } else if (jump.holds) {
      app.log.error(
        jump,
        "the clock has jumped by more than a day: writes are answered 503 until it is set right, or a restart says --accept-time yes",
      );
    } else {
      app.log.warn(jump, "the clock has jumped by more than an hour");
    }
  };

  const ledgerClock = new LedgerClock({
    wall: options.clock ?? (() => Math.floor(Date.now() / 1000)),
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
    holds: settings.deployment === "production" && settings["accept-time"] === "no",
    onJump: (jump) => noteClock(jump),
    onReturn: () => noteClock(undefined),
  });
  const clock = (): number => ledgerClock.now();
  // What has been started, to be ended in reverse order: at the end, or at once if something below fails.
  await using started = new AsyncDisposableStack();

  const directory = makeDataDirectory(settings.data);
  const lock = lockDirectory(directory, settings.data);
  started.defer(() => lock.close());
  const hasLedger = checkLedgerFile(directory.ledger);
  const remembered = readNewestBlock(directory.newestBlock);
  if (remembered !== undefined && settings["accept-older-ledger"] === "no") {
    const { ledger: file, newestBlock: path } = directory;
    checkHasGrown(remembered, { file, hasLedger, path });
  }
  const genesis = genesisOf(settings, directory, clock());
  const checkpointKeys = settings.checkpoints === "yes" ? readCheckpointKeys(directory) : [];

  const metrics = new Metrics({
    look: () => ({
      queueLength: queue.length,
      queueMax: settings["queue-max"],
      signatureSearches: admission.searchCount,
      height: queue.height,
      newest: newestOf(reading),
      unknownVersion: queue.unknownVersion,
      clockJumps: ledgerClock.jumps,
      isHeldByClock: ledgerClock.isHeld,
      eventStreams: events.streams.count,
      eventStreamsMax: settings["event-streams-max"],
      signedSize: checkpoints?.signedSize ?? 0,
    }),
    disk: () => diskUsage(directory),
    info: () => ({ version: VERSION, ledger: ledgerName, deployment: settings.deployment }),
  });
  const queue: LedgerQueue = await LedgerQueue.start(
    {
      file: directory.ledger,
      genesis: genesis && { operations: genesisOperations(genesis), timestamp: genesis.timestamp },
      verifyAtStart: settings["verify-at-start"],
    },
    {
      clock,
      gatherMs: settings["block-gather-ms"],
      operationsMax: settings["block-operations-max"],
      bytesMax: settings["block-bytes-max"],
      onResult(result) {
        metrics.noteBatch(result);
        noteStorage(result.failure);
        noteVersion(result);
        events.noteBlocks();
      },
      onCheckpoint(result) {
        metrics.noteCheckpoint(result);
        noteCheckpoint(result);
      },
      onFailure,
    },
  );
  started.defer(() => queue.close());
  const signatures = new SignaturePool(settings.threads, {
    onFailure,
    onVerified: (count) => metrics.noteVerifications(count),
  });
  started.defer(() => signatures.close());
  const reader = new LedgerReader(directory.ledger);
  // Before the writer, which can put all of the ledger into one file only when nobody reads.
  started.defer(() => reader.dispose());

  const { reading, readingNewest } = readingPerTurn(reader, clock);
  // Of block 0 an operator has chosen the time, perhaps long before the first start.
  const shown = Math.max(
    queue.height > 0 ? reading().newest.header.timestamp : 0,
    remembered?.clock ?? 0,
  );
  if (shown > 0) {
    ledgerClock.compare(shown);
  }
  const clockTimer = setInterval(clock, CLOCK_STEP_MS).unref();
  started.defer(() => clearInterval(clockTimer));
  const newestBlock = new NewestBlockFile(directory.newestBlock, {
    newest() {
      const { id, header } = readingNewest().newest;
      return { height: header.sn, id, timestamp: header.timestamp, clock: clock() };
    },
    onProblem(problem) {
      if (problem instanceof SyncFailure) {
        onFailure(problem);
      } else {
        app.log.error({ err: problem }, "how far the ledger is could not be noted beside it");
      }
    },
  });
  started.defer(() => newestBlock.end());

  const events = makeEvents({
    ...options,
    file: directory.ledger,
    reader: reading(),
    webhooks: settings.webhooks,
    webhooksFolder: directory.webhooks,
    metrics,
    log: () => app.log,
    onFailure,
  });
  started.defer(() => events.close());

  const ledgerId = reading().block({ height: 0 })?.id ?? "";
  const secrets = readSecrets(directory);
  const ledgerName = reading().ledgerName();
  const checkpoints =
    checkpointKeys.length > 0
      ? new CheckpointSigner({
          origin: ledgerName,
          privateKeys: checkpointKeys,
          file: new SignedTreeFile(directory.signedTree),
          reader: reading(),
        })
      : undefined;
  const keys = new TemporaryKeys({ secrets, ledgerId, seconds: settings["temporary-key-seconds"] });
  const admission = new Admission({
    reader,
    queue,
    keys,
    signatures,
    ledgerId,
    queueMax: settings["queue-max"],
    queueBytesMax: settings["queue-bytes-max"],
    clockFault: () => ledgerClock.fault(),
    quota: new WriteQuota({
      clientBytesPerHour: settings["client-bytes-per-hour"],
      actorBytesPerHour: settings["actor-bytes-per-hour"],
    }),
  });
  started.defer(async () => {
    admission.close();
    await queue.drain();
  });

  let storageFailure: string | undefined;
  // Once when it begins and once when it is over, because a full disk fails every block.
  const noteStorage = (failure: string | undefined): void => {
    if (failure !== undefined && storageFailure === undefined) {
      app.log.error({ failure }, "the ledger cannot be written: writes are answered 503");
    } else if (failure === undefined && storageFailure !== undefined) {
      app.log.warn("the ledger can be written again");
    }
    storageFailure = failure;
  };

  let isLogKept = false;
  // Once when it begins and once when it is over, too.
  const noteCheckpoint = (result: CheckpointResult): void => {
    const isKept = "failure" in result || result.copied < result.pages;
    if (isKept && !isLogKept) {
      app.log.warn(
        result,
        "the log of changes cannot be copied into ledger.db, because something reads the ledger or the disk is full: it grows meanwhile",
      );
    } else if (!isKept && isLogKept) {
      app.log.warn("the log of changes is reused again");
    }
    isLogKept = isKept;
  };

  let noted = "";
  // Once when it is announced, so that there is time to upgrade, and once when it stops the node.
  const noteVersion = ({ height, unknownVersion }: Ready): void => {
    const stops = unknownVersion !== undefined && unknownVersion.height <= height + 1;
    const text =
      unknownVersion && `${unknownVersion.version} from ${unknownVersion.height}, ${stops}`;
    if (text !== undefined && text !== noted) {
      if (stops) {
        app.log.error(
          unknownVersion,
          "the next block follows rules that this software does not know: writes are answered 503 until it is upgraded, reads go on",
        );
      } else {
        app.log.warn(
          unknownVersion,
          "rules are announced that this software does not know: before the block at that height it has to be upgraded",
        );
      }
    }
    noted = text ?? "";
  };

  let isReady = true;
  let isEnding = false;
  const connections = new Connections();
  const service: Service = {
    settings,
    clock,
    ledgerId,
    ledgerName,
    queue,
    admission,
    keys,
    events: events.streams,
    faucet: makeFaucet(settings, directory.treasuryKey, reading(), { admission, keys, ledgerId }),
    checkpoints,
    bundles: new EntryBundles(reading),
    operator: reading().state.find(PROTOCOL, "")?.operator ?? "",
    metrics,
    reading,
    readingNewest,
    onFailure,
    isReady: () => isReady,
    isEnding: () => isEnding,
  };
  const app = await makeServer(service, connections);
  noteVersion(queue);
  isLogging = true;
  for (const jump of clockNotes) {
    noteClock(jump);
  }
  newestBlock.begin();
  if (settings["finish-auctions"] === "yes") {
    const closer = new AuctionCloser({
      reading,
      admission,
      onFailure: (error) => app.log.error({ err: error }, "auctions could not be looked for"),
    });
    closer.start();
    started.defer(() => closer.close());
  }
  const servers = await listen(app, settings, {
    connections,
    idleMs: options.idleMs ?? IDLE_MS,
  });
  events.start();
  started.defer(() => servers.close());
  // Before the servers, which wait for whoever is connected.
  started.defer(() => events.streams.end());

  const closing = started.move();
  return {
    urls: servers.urls,
    service,
    treasury: genesis?.coin.treasury[0]?.address,
    async close() {
      isReady = false;
      await delay(settings["shutdown-grace"] * 1000);
      isEnding = true;
      await closing.disposeAsync();
    },
  };
}

/** Undefined if the disk cannot be read at the moment: whoever looks at metrics then wants the others. */
function newestOf(
  reading: () => LedgerReader,
): { readonly timestamp: number; readonly size: number } | undefined {
  try {
    return reading().newest.header;
  } catch (thrown) {
    if (storageFailure(thrown) === undefined) {
      throw thrown;
    }
    return undefined;
  }
}

function genesisOf(settings: Settings, directory: DataDirectory, now: number): Genesis | undefined {
  const isNew = !existsSync(directory.ledger);
  const mayMake = isNew && settings.deployment === "test";
  const genesis = findGenesis(directory, { file: settings.genesis, mayMake, now });
  if (genesis !== undefined) {
    keepGenesis(directory, genesis);
  } else if (isNew) {
    throw new SettingProblem(
      "a production deployment needs --genesis FILE, which names the treasury's public key: docs/genesis.md shows one",
    );
  }
  return genesis;
}
