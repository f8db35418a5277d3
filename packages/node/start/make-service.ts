import { PROTOCOL, type StateTree } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import type { ArchiveReads } from "../archive/archive-reads.ts";
import { diskUsage } from "../data-directory/disk-usage.ts";
import type { DryRuns } from "../dry-runs/dry-runs.ts";
import type { Events } from "../events/events.ts";
import type { Connections } from "../http/connections.ts";
import { EntryBundles } from "../http/reads/entry-bundles.ts";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import type { Service } from "../service.ts";
import { isFollower } from "../settings.ts";
import { VERSION } from "../version.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import type { Writing } from "./make-admission.ts";
import type { Data } from "./open-data.ts";
import type { OpenLedger } from "./open-ledger.ts";
import type { Start } from "./start.ts";
import { newestOf } from "./watch-node.ts";

export function makeService(
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

function notReadable({ storageFailure: failure }: LedgerQueue): Refused {
  const reason = `What was answered last cannot be read now: ${failure?.reason ?? "the disk refuses to be written"}`;
  return refuse({ code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS });
}
