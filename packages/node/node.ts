import type { KeyObject } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import {
  checkLedgerFile,
  EngineUrl,
  type Genesis,
  genesisOperations,
  LedgerReader,
  PROTOCOL,
  StateTree,
  SYSTEM_TIME,
  SyncFailure,
  storageFailure,
  unknownVersionFault,
} from "@moneta/ledger";
import { type Address, type Refused, refuse } from "@moneta/protocol";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { Admission } from "./admission/admission.ts";
import { TemporaryKeys } from "./admission/temporary-keys.ts";
import { WriteQuota } from "./admission/write-quota.ts";
import { openArchive } from "./archive/archive-files.ts";
import { ArchiveReads } from "./archive/archive-reads.ts";
import { AuctionCloser } from "./auction-closer.ts";
import { CheckpointKeys } from "./checkpoint-keys.ts";
import type { CheckpointNotes } from "./checkpoint-notes.ts";
import { PassedOnCheckpoints } from "./checkpoint-notes.ts";
import { CheckpointSigner } from "./checkpoint-signer.ts";
import { ClusterMember } from "./cluster/cluster-member.ts";
import { HOUSEKEEPING } from "./cluster/housekeeping.ts";
import { RemoteRows } from "./cluster/row-calls.ts";
import { SharedCheckpoints } from "./cluster/shared-checkpoints.ts";
import { webhookLease } from "./cluster/shared-progress.ts";
import {
  type DataDirectory,
  dataDirectory,
  findGenesis,
  keepGenesis,
  LEDGER_PART,
  lockDirectory,
  makeDataDirectory,
  readCheckpointKeys,
  readSecrets,
  refuseAhead,
} from "./data-directory/data-directory.ts";
import { diskUsage } from "./data-directory/disk-usage.ts";
import { LedgerFileWatch } from "./data-directory/ledger-file-watch.ts";
import { checkLogIsOwn, keepLogSource } from "./data-directory/log-source.ts";
import {
  checkHasGrown,
  NewestBlockFile,
  type RememberedBlock,
  readNewestBlock,
} from "./data-directory/newest-block-file.ts";
import { SignedTreeFile } from "./data-directory/signed-tree-file.ts";
import { UnwritableDisk } from "./data-directory/unwritable-disk.ts";
import { DryRuns } from "./dry-runs/dry-runs.ts";
import { Events } from "./events/events.ts";
import { makeFaucet } from "./faucet.ts";
import type { SourceData } from "./follower/follower-messages.ts";
import { Connections } from "./http/connections.ts";
import { EntryBundles } from "./http/reads/entry-bundles.ts";
import { LongPages } from "./http/reads/long-pages.ts";
import { reachesHeight } from "./http/requests/height-wait.ts";
import { makeServer } from "./http/server.ts";
import { addressesOf, listen, type Servers } from "./http/servers.ts";
import { LedgerClock } from "./ledger-clock.ts";
import { CatchUp } from "./ledger-thread/catch-up.ts";
import type { SharedLogData } from "./ledger-thread/ledger-messages.ts";
import { LedgerQueue } from "./ledger-thread/ledger-queue.ts";
import { LogWatch } from "./log-watch.ts";
import { Metrics } from "./operator/metrics.ts";
import { OperatorEvents } from "./operator/operator-events.ts";
import { logForOperator } from "./operator/operator-log.ts";
import { type ReadingPerTurn, readingPerTurn } from "./reading-per-turn.ts";
import type { Service } from "./service.ts";
import { isFollower, SettingProblem, type Settings, sourceOf } from "./settings.ts";
import { type ChosenVerifier, chooseVerifier } from "./signatures/chosen-verifier.ts";
import { SignaturePool } from "./signatures/signature-pool.ts";
import { claimRoot } from "./state-tree/claim-root.ts";
import { StateRoots } from "./state-tree/state-roots.ts";
import { VERSION } from "./version.ts";
import { identityOf } from "./webhooks/webhook.ts";
import { UNTIL_MENDED_SECONDS, WRITE_CAUSES, WriteState } from "./write-state.ts";

/** The clock and the ledger's file, without requests. */
const CLOCK_STEP_MS = 10_000;
const WRITES_STEP_MS = 1000;
/** While the disk is slow, which may end at any moment. */
const SYNC_RETRY_SECONDS = 5;
/** A client must send its next request within this time. */
const IDLE_MS = 1000;

export interface RunningNode {
  readonly readsOnly: string | undefined;
  /** `http://host:port`, and the same for HTTPS. */
  readonly urls: readonly string[];
  /** `http://host:port`; undefined if `/metrics` is public. */
  readonly operatorUrl: string | undefined;
  readonly service: Service;
  /** Undefined if the node does not have its genesis file. */
  readonly treasury: Address | undefined;
  /** Of `--verifier auto`, for an existing native verifier. */
  readonly verifierProblem: string | undefined;
  /** Not ready for `--shutdown-grace`, then finishes requests and closes the ledger. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Unix seconds. */
  readonly clock?: () => number;
  /** Compared with the clock while the node runs. */
  readonly monotonicMs?: () => number;
  readonly onFailure?: (error: Error) => void;
  /** A node that started for reads alone could write. */
  readonly onWritable?: () => void;
  readonly heightAfterMs?: number;
  readonly webhookRetryMs?: number;
  /** At shutdown: a request may be in transit. */
  readonly idleMs?: number;
  readonly addressesOf?: typeof addressesOf;
}

/** Throws `SettingProblem` or `GenesisProblem`. */
export async function startNode(
  settings: Settings,
  options: StartOptions = {},
): Promise<RunningNode> {
  try {
    return await startOn(undefined, settings, options);
  } catch (thrown) {
    // Other nodes serve a shared log's blocks, and newer ones.
    const disk =
      settings.log === ""
        ? UnwritableDisk.after(thrown, dataDirectory(settings.data).ledger)
        : undefined;
    if (disk === undefined) {
      throw thrown;
    }
    try {
      return await startOn(disk, settings, options);
    } catch (again) {
      // The first failure is the reason for the second start.
      throw storageFailure(again) === undefined ? again : thrown;
    }
  }
}

/** If a stage fails, earlier ones are closed in reverse order. */
async function startOn(
  disk: UnwritableDisk | undefined,
  settings: Settings,
  options: StartOptions,
): Promise<RunningNode> {
  await using started = new AsyncDisposableStack();
  const { verifier, problem } = chooseVerifier(settings);
  const start = beginStart(disk, settings, options, started);
  const data = await openData(start);
  const ledger = await openLedger(start, data, verifier);
  const { deployment } = settings;
  start.operatorEvents.emit("opened", { deployment, ledger: ledger.ledgerName });
  watchWrites(start, data, ledger);
  const newestBlock = followClock(start, data, ledger);
  const events = makeEvents(start, data, ledger);
  const writing = await makeAdmission(start, data, ledger, events);
  const phase = { isReady: true, isEnding: false };
  const dryRuns = new DryRuns(
    { file: data.openName },
    { onRun: (ms) => start.operatorEvents.emit("dryRun", ms) },
  );
  started.defer(() => dryRuns.close());
  const archive = useArchive(start, data);
  const stateTree = openStateTree(start, data, ledger);
  const connections = makeConnections(start);
  const service = makeService(start, {
    ...{ data, ledger, events, writing, dryRuns, archive, stateTree, connections, phase },
  });
  const { urls, operatorUrl } = await serve(start, {
    ...{ service, connections, newestBlock, events, data },
  });

  const closing = started.move();
  return {
    readsOnly: disk?.hold().reason,
    urls,
    operatorUrl,
    service,
    treasury: data.genesis?.coin.treasury[0]?.address,
    verifierProblem: problem,
    async close() {
      phase.isReady = false;
      await delay(settings["shutdown-grace"] * 1000);
      phase.isEnding = true;
      await closing.disposeAsync();
    },
  };
}

interface Start {
  readonly settings: Settings;
  readonly options: StartOptions;
  readonly disk: UnwritableDisk | undefined;
  readonly onFailure: (error: Error) => void;
  readonly started: AsyncDisposableStack;
  readonly log: FastifyBaseLogger;
  readonly operatorEvents: OperatorEvents;
  readonly metrics: Metrics;
  readonly ledgerClock: LedgerClock;
  readonly watch: LogWatch | undefined;
  readonly writes: WriteState;
  /** Unix seconds. */
  readonly clock: () => number;
}

function beginStart(
  disk: UnwritableDisk | undefined,
  settings: Settings,
  options: StartOptions,
  started: AsyncDisposableStack,
): Start {
  const log = pino({ level: settings["log-level"] }, process.stderr);
  const operatorEvents = new OperatorEvents();
  const metrics = new Metrics(operatorEvents);
  logForOperator(operatorEvents, log);
  const watch =
    settings.log === ""
      ? undefined
      : new LogWatch({
          time: SYSTEM_TIME,
          staleMs: settings["stale-seconds"] * 1000,
          writeMs: settings["write-seconds"] * 1000,
          isFollower: isFollower(settings),
        });
  if (watch !== undefined) {
    operatorEvents.on("log", (report) => watch.note(report));
    operatorEvents.on("newest", (newest) => watch.noteVersion(newest));
  }
  const wall = options.clock ?? (() => Math.floor(Date.now() / 1000));
  const ledgerClock = new LedgerClock({
    // Blocks of a shared log have its time. Source: cluster §5.
    wall: () => watch?.ledgerTime ?? wall(),
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
    // A shared log's engine clock is read by the ledger thread under the append lock.
    tolerance: watch === undefined ? clockTolerance(settings) : Infinity,
    onJump: (jump) => operatorEvents.emit("clockJumped", jump),
    onReturn: () => operatorEvents.emit("clockReturned"),
  });
  return {
    settings,
    options,
    disk,
    onFailure: options.onFailure ?? (() => undefined),
    started,
    log,
    operatorEvents,
    metrics,
    ledgerClock,
    watch,
    writes: new WriteState((hold) => operatorEvents.emit("writes", hold)),
    clock: () => ledgerClock.now(),
  };
}

/** Seconds of difference at which writes are held. Source: cluster §5. */
function clockTolerance(settings: Settings): number {
  return settings.deployment === "production" && settings["accept-time"] === "no"
    ? settings["clock-tolerance-seconds"]
    : Infinity;
}

interface Data {
  readonly directory: DataDirectory;
  readonly openName: string;
  readonly remembered: RememberedBlock | undefined;
  readonly genesis: Genesis | undefined;
  readonly checkpointKeys: readonly KeyObject[];
  /** Keys are issued with the first. */
  readonly secrets: readonly Buffer[];
  readonly shared: SharedLogData | undefined;
  readonly member: ClusterMember | undefined;
  readonly eventsRows: MessagePort | undefined;
}

async function openData(start: Start): Promise<Data> {
  const { settings, started, clock, disk } = start;
  const directory = makeDataDirectory(settings.data);
  const lock = lockDirectory(directory, settings.data, {
    advice: "stop it, or give this one a --data and a --port of its own",
    kind: disk === undefined ? "exclusive" : "shared",
  });
  started.defer(() => lock.close());
  const openName = disk?.openName ?? directory.ledger;
  await useSnapshot(start, directory, openName);
  const hasLedger = checkLedgerFile(directory.ledger, openName);
  const remembered = readNewestBlock(directory.newestBlock);
  if (isFollower(settings)) {
    keepLogSource(directory, settings.log);
    // Missing blocks come from the source again.
    const secrets = readSecrets(directory);
    const none = {
      ...{ genesis: undefined, checkpointKeys: [] },
      ...{ shared: undefined, member: undefined, eventsRows: undefined },
    };
    return { directory, openName, remembered, secrets, ...none };
  }
  const signs = settings.checkpoints === "yes";
  const found = { directory, openName, remembered };
  if (settings.log instanceof EngineUrl) {
    const { log, onFailure, watch } = start;
    // Has a client library of its own.
    const { joinCluster } = await import("./cluster/join-cluster.ts");
    const joined = await joinCluster(settings.log, {
      ...{ settings, directory, hasLedger, remembered, log },
    });
    const rows = new MessageChannel();
    const eventsRows = new MessageChannel();
    // One key for one ledger: joining nodes have it or do not sign. Source: cluster §2.
    const mayMakeKey = joined.hasBegun || existsSync(directory.checkpointKey);
    const checkpointKeys = signs && mayMakeKey ? readCheckpointKeys(directory) : [];
    rmSync(directory.logBeginning, { force: true });
    return {
      ...found,
      checkpointKeys,
      member: new ClusterMember(new RemoteRows(rows.port1), {
        ...{ log, onFailure },
        leases: settings.webhooks.map((webhook) => webhookLease(identityOf(webhook))),
        timeline: joined.timeline,
        isFollowing: () => watch?.isFollowing === true,
      }),
      eventsRows: eventsRows.port1,
      genesis: joined.genesis,
      secrets: joined.secrets,
      shared: {
        url: settings.log.partsWithPassword(),
        schema: settings["log-schema"],
        turnMs: settings["turn-seconds"] * 1000,
        syncMs: settings["sync-seconds"] * 1000,
        timelineFile: directory.logTimeline,
        deployment: settings.deployment,
        clockTolerance: clockTolerance(settings),
        clockBefore: remembered?.clock ?? 0,
        rows: [rows.port2, eventsRows.port2],
      },
    };
  }
  checkLogIsOwn(directory, settings.data);
  if (remembered !== undefined && settings["accept-older-ledger"] === "no") {
    const { ledger: file, newestBlock: path } = directory;
    checkHasGrown(remembered, { file, name: openName, hasLedger, path });
  }
  const genesis = genesisOf(settings, directory, { now: clock(), isNew: !hasLedger });
  const checkpointKeys = signs ? readCheckpointKeys(directory) : [];
  const local = { shared: undefined, member: undefined, eventsRows: undefined, checkpointKeys };
  return { ...found, ...local, genesis, secrets: readSecrets(directory) };
}

/** Source: proofs §6. */
function useArchive(
  { settings: { archive }, started, operatorEvents }: Start,
  { openName: file }: Data,
): ArchiveReads | undefined {
  if (archive === "") {
    return undefined;
  }
  openArchive(archive); // Refuses anything but a folder or URL.
  const reads = new ArchiveReads({ file, archive }, (wrong) =>
    operatorEvents.emit("archive", wrong),
  );
  started.defer(() => reads.close());
  return reads;
}

/** Source: proofs §5. */
async function useSnapshot(
  { settings, disk, log }: Start,
  directory: DataDirectory,
  openName: string,
): Promise<void> {
  if (disk !== undefined) {
    return;
  }
  // Of an interrupted start or prune, even one that has completed the ledger.
  rmSync(join(settings.data, LEDGER_PART), { recursive: true, force: true });
  const where = settings["from-snapshot"];
  if (where === "" || checkLedgerFile(directory.ledger, openName)) {
    return;
  }
  const { startFromSnapshot } = await import("./archive/start-from-snapshot.ts");
  const keys = logKeysOf(settings);
  const keptRoots = settings["kept-roots"];
  const { height, first } = await startFromSnapshot(directory, where, { keys, keptRoots });
  log.info(
    `started from ${where}: a checkpoint signed by ${keys.join(" or ")} covers the state of block ${height}. The blocks up to ${height} were not replayed${first > 1 ? `, and those from 1 to ${first - 1} are not here` : ""}`,
  );
}

interface OpenLedger extends ReadingPerTurn {
  readonly queue: LedgerQueue;
  readonly signatures: SignaturePool;
  readonly reader: LedgerReader;
  readonly longPages: LongPages;
  readonly ledgerId: string;
  readonly ledgerName: string;
}

async function openLedger(
  { settings, started, clock, disk, ledgerClock, watch, operatorEvents, onFailure }: Start,
  { directory: { ledger: file }, openName, genesis, shared, member }: Data,
  verifier: ChosenVerifier,
): Promise<OpenLedger> {
  // They load while the ledger opens. A follower's main thread admits no writes.
  const signatures = new SignaturePool(isFollower(settings) ? 1 : settings.threads, {
    onFailure,
    onVerified: (count, compared) => operatorEvents.emit("verified", { count, compared }),
    verifier,
  });
  started.defer(() => signatures.close());
  const queue = await LedgerQueue.start(
    {
      file,
      immutableName: disk?.openName,
      // A shared log has begun already.
      genesis:
        shared === undefined && genesis !== undefined
          ? { operations: genesisOperations(genesis), timestamp: genesis.timestamp }
          : undefined,
      shared,
      verifyAtStart: settings["verify-at-start"],
      keepState: settings["keep-state"],
      keepChanges: settings["state-roots"] > 0,
      source: sourceDataOf(settings, verifier),
      operationsMax: settings["block-operations-max"],
      bytesMax: settings["block-bytes-max"],
    },
    {
      clock,
      writeMs: shared === undefined ? undefined : settings["write-seconds"] * 1000,
      gatherMs: settings["block-gather-ms"],
      operationsMax: settings["block-operations-max"],
      bytesMax: settings["block-bytes-max"],
      onFailure,
    },
  );
  started.defer(() => queue.close());
  operatorEvents.emit("newest", queue);
  queue.on("result", (result) => {
    operatorEvents.emit("block", result);
    operatorEvents.emit("newest", result);
  });
  queue.on("followed", (newest) => operatorEvents.emit("newest", newest));
  queue.on("log", (report) => {
    const isFirst = watch?.ledgerTime === undefined;
    operatorEvents.emit("log", report);
    if (isFirst && report.ledgerMs !== undefined) {
      // The log's clock from here on: that is no jump.
      ledgerClock.setWall();
    }
    member?.housekeeping.noteFitness();
  });
  queue.on("checkpoint", (result) => operatorEvents.emit("checkpoint", result));
  const reader = new LedgerReader(openName);
  // Before the writer, which merges its WAL only without readers.
  started.defer(() => reader.dispose());
  const longPages = new LongPages(openName, clock);
  started.defer(() => longPages.dispose());
  const perTurn = readingPerTurn(
    reader,
    clock,
    () => queue.height,
    () => queue.answeredHeight,
  );
  const ledgerId = perTurn.reading().block({ height: 0 })?.id ?? "";
  return {
    ...perTurn,
    queue,
    signatures,
    reader,
    longPages,
    ledgerId,
    ledgerName: perTurn.reading().ledgerName(),
  };
}

/** Verifier keys that are known from elsewhere. */
function logKeysOf(settings: Settings): string[] {
  return settings["log-key"].split(",").filter((key) => key !== "");
}

function sourceDataOf(settings: Settings, verifier: ChosenVerifier): SourceData | undefined {
  const url = sourceOf(settings);
  return url === undefined
    ? undefined
    : {
        url,
        keys: logKeysOf(settings),
        // Headers and escapes included.
        blockBytesMax: 2 * settings["block-bytes-max"],
        threads: settings.threads,
        verifier,
      };
}

function watchWrites(start: Start, data: Data, { queue }: OpenLedger): void {
  const { settings, started, disk, ledgerClock, watch, writes } = start;
  const ledgerFile = watchLedgerFile(start, data);
  writes.watch("clock", () => watch?.holds.clock ?? ledgerClock.hold());
  writes.watch("file", () => ledgerFile?.hold());
  writes.watch("rules", () => {
    const unknown = queue.unknownVersion;
    return unknown === undefined || unknown.height > queue.height + 1
      ? undefined
      : {
          reason: `the next block follows version ${unknown.version} of the rules, which this software does not know`,
          retryAfter: UNTIL_MENDED_SECONDS,
          fault: unknownVersionFault(unknown),
        };
  });
  writes.watch("disk", () => {
    if (disk !== undefined) {
      return disk.hold();
    }
    const failure = queue.storageFailure;
    return failure && { ...failure, retryAfter: UNTIL_MENDED_SECONDS };
  });
  const syncMs = settings["sync-seconds"] * 1000;
  writes.watch("sync", () =>
    queue.underWayMs < syncMs
      ? undefined
      : {
          reason: `the disk has not made a block durable for ${Math.floor(queue.underWayMs / 1000)} s`,
          retryAfter: SYNC_RETRY_SECONDS,
        },
  );
  for (const cause of WRITE_CAUSES) {
    if (watch !== undefined && cause !== "file" && cause !== "clock" && cause !== "rules") {
      writes.watch(cause, () => watch.holds[cause]);
    }
  }
  // Logs a change even without writes.
  const timer = setInterval(() => writes.hold, WRITES_STEP_MS).unref();
  started.defer(() => clearInterval(timer));
}

/** Undefined for a copy of another log, which would lose nothing. */
function watchLedgerFile(
  { started, operatorEvents, watch }: Start,
  { directory: { ledger: file } }: Data,
): LedgerFileWatch | undefined {
  if (watch !== undefined) {
    return undefined;
  }
  const ledgerFile = new LedgerFileWatch(file, (isGone) =>
    operatorEvents.emit("ledgerFile", { file, isGone }),
  );
  const timer = setInterval(() => void ledgerFile.look(), CLOCK_STEP_MS).unref();
  started.defer(() => clearInterval(timer));
  return ledgerFile;
}

/** Now and periodically. Returns the file that stores clock and newest block. */
function followClock(
  { started, ledgerClock, clock, operatorEvents, onFailure, watch }: Start,
  { directory, remembered }: Data,
  { queue, reading, readingNewest }: OpenLedger,
): NewestBlockFile {
  // Block 0 may be much older than the first start.
  const shown = Math.max(
    queue.height > 0 ? reading().newest.header.timestamp : 0,
    remembered?.clock ?? 0,
  );
  // A shared log's clock counts, which the ledger thread compares.
  if (watch !== undefined && shown > 0) {
    watch.noteHeardBefore(shown);
  }
  if (watch === undefined) {
    if (shown > 0) {
      ledgerClock.compare(shown);
      clock();
    }
    ledgerClock.watchBlocks(() => (queue.height > 0 ? (newestOf(reading)?.timestamp ?? 0) : 0));
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
        operatorEvents.emit("failed", { work: "newest block file", error: problem });
      }
    },
  });
  started.defer(() => newestBlock.end());
  return newestBlock;
}

function makeEvents(
  { settings, options, disk, started, operatorEvents, onFailure }: Start,
  { directory, openName, eventsRows }: Data,
  { queue, reading }: OpenLedger,
): Events {
  const events = new Events({
    heightAfterMs: options.heightAfterMs,
    webhookRetryMs: options.webhookRetryMs,
    file: openName,
    reader: reading(),
    // Positions could not be stored; the next start continues with them.
    webhooks: disk === undefined ? settings.webhooks : [],
    webhooksFolder: directory.webhooks,
    rows: eventsRows,
    operatorEvents,
    onFailure,
  });
  started.defer(() => events.close());
  queue.on("result", ({ loggedHeight }) => {
    if (loggedHeight !== undefined && events.hasFollowers) {
      queue.flushSoon();
    }
    events.noteBlocks();
  });
  queue.on("followed", () => events.noteBlocks());
  queue.on("log", ({ diverged, refused }) => {
    if (diverged !== undefined) {
      // Sent events may be gone. Source: cluster §6.
      events.streams.dropAll("diverged");
    } else if (refused !== undefined) {
      events.streams.dropAll("refused");
    }
  });
  return events;
}

type Writing = Pick<Service, "keys" | "checkpoints" | "admission" | "faucet">;

async function makeAdmission(
  start: Start,
  data: Data,
  ledger: OpenLedger,
  events: Events,
): Promise<Writing> {
  const { settings, started, log, watch, writes } = start;
  const { directory, secrets, member } = data;
  const { queue, signatures, reader, reading, readingNewest, ledgerId } = ledger;
  const checkpoints = checkpointsOf(start, data, ledger);
  if (checkpoints instanceof SharedCheckpoints) {
    started.defer(() => checkpoints.close());
  }
  const keys = new TemporaryKeys({ secrets, ledgerId, seconds: settings["temporary-key-seconds"] });
  if (member !== undefined) {
    await member.start(keys, (leases) => events.noteLeases(leases));
    started.defer(() => member.close());
  }
  const catchUp = new CatchUp(() => queue.look(), SYSTEM_TIME);
  const admission = new Admission({
    catchUp:
      watch &&
      (async () => {
        const height = await catchUp.now();
        readingNewest();
        return height;
      }),
    reader,
    readingNewest,
    queue,
    keys,
    signatures,
    ledgerId,
    queueMax: settings["queue-max"],
    queueBytesMax: settings["queue-bytes-max"],
    writeFault: () => writes.fault,
    protocolFault: async (version) => await member?.protocolFault(version),
    quota: new WriteQuota({
      clientBytesPerHour: settings["client-bytes-per-hour"],
      actorBytesPerHour: settings["actor-bytes-per-hour"],
      wrongSignaturesPerMinute: settings["wrong-signatures-per-minute"],
    }),
  });
  started.defer(async () => {
    admission.close();
    await queue.drain();
  });
  const faucet = isFollower(settings)
    ? undefined
    : makeFaucet(settings, directory.treasuryKey, reading(), { admission, keys, ledgerId, log });
  return { keys, checkpoints, admission, faucet };
}

function checkpointsOf(
  { settings, watch, operatorEvents, onFailure }: Start,
  { directory, checkpointKeys, member }: Data,
  { queue, reading, readingNewest, ledgerName }: OpenLedger,
): CheckpointNotes | undefined {
  if (isFollower(settings)) {
    return passedOnCheckpoints(queue);
  }
  const keys =
    checkpointKeys.length > 0 ? new CheckpointKeys(ledgerName, checkpointKeys) : undefined;
  const file = new SignedTreeFile(directory.signedTree);
  if (member !== undefined) {
    return new SharedCheckpoints(member.rows, {
      ...{ keys, file, ledgerName, readingNewest, time: SYSTEM_TIME },
      trusted: logKeysOf(settings),
      reaches: (height) => reachesHeight(() => queue.height, height),
      height: () => queue.height,
      isReachable: () => watch?.isReachable === true,
      onProblem: (error) => operatorEvents.emit("failed", { work: "checkpoint", error }),
      onRefused: (reason) => operatorEvents.emit("checkpointRefused", reason),
      onFailure,
    });
  }
  return keys && new CheckpointSigner(keys, { file, reader: reading() });
}

function passedOnCheckpoints(queue: LedgerQueue): PassedOnCheckpoints {
  const checkpoints = new PassedOnCheckpoints();
  if (queue.passedOn !== undefined) {
    checkpoints.take(queue.passedOn);
  }
  queue.on("passedOn", (checkpoint) => checkpoints.take(checkpoint));
  return checkpoints;
}

/** The file may be missing until the first root. */
function openStateTree(
  { settings, started }: Start,
  { directory: { stateTree: file } }: Data,
  { ledgerId }: OpenLedger,
): StateTree | undefined {
  if (settings["state-roots"] === 0) {
    return undefined;
  }
  const keptRoots = settings["kept-roots"];
  const stateTree = StateTree.open(file, { ledgerId, keptRoots, access: "read" });
  started.defer(() => stateTree.close());
  return stateTree;
}

function makeConnections({ settings, operatorEvents }: Start): Connections {
  return new Connections({
    ofOneMax: settings["connections-per-client-max"],
    isBehindProxy: settings["trust-proxy"] > 0,
    onRefused: (reason, client) => operatorEvents.emit("connectionRefused", { reason, client }),
  });
}

function makeService(
  { settings, clock, ledgerClock, watch, writes, metrics, operatorEvents, onFailure }: Start,
  parts: {
    readonly data: Data;
    readonly ledger: OpenLedger;
    readonly events: Events;
    readonly writing: Writing;
    readonly dryRuns: DryRuns;
    readonly archive: ArchiveReads | undefined;
    readonly stateTree: StateTree | undefined;
    readonly connections: Connections;
    readonly phase: { readonly isReady: boolean; readonly isEnding: boolean };
  },
): Service {
  const { data, events, writing, dryRuns, archive, phase } = parts;
  const { queue, signatures, longPages, reading, readingNewest, ledgerId, ledgerName } =
    parts.ledger;
  metrics.measure({
    look: () => ({
      queueLength: queue.length,
      queueMax: settings["queue-max"],
      signatureSearches: writing.admission.searchCount,
      height: queue.height,
      newest: newestOf(reading),
      unknownVersion: queue.unknownVersion,
      clockJumps: ledgerClock.jumps,
      writesHeldBy: writes.hold?.cause,
      log: watch && { ...watch.report, ageSeconds: watch.ageSeconds ?? 0 },
      connections: parts.connections.count,
      connectionsMax: parts.connections.max,
      eventStreams: events.streams.count,
      eventStreamsMax: settings["event-streams-max"],
      batchStreamsMax: settings["batch-streams-max"],
      signedSize: writing.checkpoints?.signedSize ?? 0,
      isCheckpointRefused: writing.checkpoints?.refused !== undefined,
    }),
    disk: () => diskUsage(data.directory),
    info: {
      version: VERSION,
      ledger: ledgerName,
      deployment: settings.deployment,
      verifier: signatures.verifierName,
    },
  });
  return {
    ...writing,
    settings,
    clock,
    ledgerId,
    ledgerName,
    verifier: signatures.verifierName,
    queue,
    isFollower: isFollower(settings),
    events: events.streams,
    stateTree: parts.stateTree,
    bundles: new EntryBundles(),
    longPages,
    dryRuns,
    archive,
    operator: reading().state.find(PROTOCOL, "")?.operator ?? "",
    metrics,
    operatorEvents,
    log: watch,
    reading,
    readingNewest,
    caughtUp: () =>
      queue.flushed()?.then((isFlushed) => (isFlushed ? undefined : notReadable(queue))),
    height: parts.ledger.height,
    onFailure,
    isReady: () => phase.isReady,
    writes,
    isEnding: () => phase.isEnding,
  };
}

async function serve(
  { settings, options, disk, started, log, operatorEvents }: Start,
  parts: {
    readonly service: Service;
    readonly connections: Connections;
    readonly newestBlock: NewestBlockFile;
    readonly events: Events;
    readonly data: Data;
  },
): Promise<Servers> {
  const { service, connections, newestBlock, events, data } = parts;
  const { directory, member } = data;
  const app = await makeServer(service, connections, log);
  if (disk === undefined) {
    newestBlock.begin();
  } else {
    disk.probe(() => options.onWritable?.());
    started.defer(() => disk.close());
  }
  if (settings["finish-auctions"] === "yes" && !isFollower(settings) && disk === undefined) {
    const closer = new AuctionCloser({
      reading: service.reading,
      admission: service.admission,
      isMine: () => member === undefined || member.housekeeping.lease(HOUSEKEEPING) !== undefined,
      onFailure: (error) => operatorEvents.emit("failed", { work: "auctions", error }),
    });
    closer.start();
    started.defer(() => closer.close());
  }
  if (settings["state-roots"] > 0 && disk === undefined) {
    const { ledger: file, stateTree: treeFile } = directory;
    const everyMs = settings["state-roots"] * 1000;
    const roots = new StateRoots(
      { file, treeFile, keptRoots: settings["kept-roots"], everyMs },
      {
        isMine: () =>
          !isFollower(settings) &&
          (member === undefined || member.housekeeping.lease(HOUSEKEEPING) !== undefined),
        noteInTree: (height) => service.queue.noteInTree(height),
        claim: (root) => claimRoot(service.admission, root),
        operatorEvents,
      },
    );
    roots.start();
    started.defer(() => roots.close());
  }
  const idleMs = options.idleMs ?? IDLE_MS;
  // Before the leases: the next node must find the positions of webhooks.
  started.defer(() => events.close());
  const servers = await listen(app, settings, {
    connections,
    idleMs,
    addressesOf: options.addressesOf ?? addressesOf,
  });
  events.start();
  started.defer(() => servers.close());
  // Before the servers, which wait for connected clients.
  started.defer(() => events.streams.end());
  return servers;
}

function notReadable({ storageFailure: failure }: LedgerQueue): Refused {
  const reason = `What was answered last cannot be read now: ${failure?.reason ?? "the disk refuses to be written"}`;
  return refuse({ code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS });
}

/** Undefined if the disk cannot be read: other metrics are still served. */
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

/** `isNew`: block 0 is still to be made. */
function genesisOf(
  settings: Settings,
  directory: DataDirectory,
  { now, isNew }: { readonly now: number; readonly isNew: boolean },
): Genesis | undefined {
  const mayMake = isNew && settings.deployment === "test";
  const genesis = findGenesis(directory, { file: settings.genesis, mayMake, now });
  if (genesis !== undefined) {
    if (isNew) {
      refuseAhead(genesis, now);
    }
    keepGenesis(directory, genesis, { isNew });
  } else if (isNew) {
    throw new SettingProblem(
      "a production deployment needs --genesis FILE, which names the treasury's public key: moneta init makes one, with keys and settings",
    );
  }
  return genesis;
}
