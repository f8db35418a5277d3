import { setTimeout as delay } from "node:timers/promises";
import { StateTree, storageFailure } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { openArchive } from "./archive/archive-files.ts";
import { ArchiveReads } from "./archive/archive-reads.ts";
import { AuctionCloser } from "./auction-closer.ts";
import { HOUSEKEEPING } from "./cluster/housekeeping.ts";
import { dataDirectory } from "./data-directory/data-directory.ts";
import type { NewestBlockFile } from "./data-directory/newest-block-file.ts";
import { UnwritableDisk } from "./data-directory/unwritable-disk.ts";
import { DryRuns } from "./dry-runs/dry-runs.ts";
import { Events } from "./events/events.ts";
import { Connections } from "./http/connections.ts";
import { makeServer } from "./http/server.ts";
import { addressesOf, listen, type Servers } from "./http/servers.ts";
import type { Service } from "./service.ts";
import { isFollower, type Settings } from "./settings.ts";
import { chooseVerifier } from "./signatures/chosen-verifier.ts";
import { makeAdmission } from "./start/make-admission.ts";
import { makeService } from "./start/make-service.ts";
import { type Data, openData } from "./start/open-data.ts";
import { type OpenLedger, openLedger } from "./start/open-ledger.ts";
import { beginStart, type Start, type StartOptions } from "./start/start.ts";
import { followClock, watchWrites } from "./start/watch-node.ts";
import { claimRoot } from "./state-tree/claim-root.ts";
import { StateRoots } from "./state-tree/state-roots.ts";

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
