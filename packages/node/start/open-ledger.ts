import { genesisOperations, LedgerReader } from "@moneta/ledger";
import type { SourceData } from "../follower/follower-messages.ts";
import { LongPages } from "../http/reads/long-pages.ts";
import { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import { type ReadingPerTurn, readingPerTurn } from "../reading-per-turn.ts";
import { isFollower, type Settings, sourceOf } from "../settings.ts";
import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import { SignaturePool } from "../signatures/signature-pool.ts";
import { type Data, logKeysOf } from "./open-data.ts";
import type { Start } from "./start.ts";

export interface OpenLedger extends ReadingPerTurn {
  readonly queue: LedgerQueue;
  readonly signatures: SignaturePool;
  readonly reader: LedgerReader;
  readonly longPages: LongPages;
  readonly ledgerId: string;
  readonly ledgerName: string;
}

export async function openLedger(
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
      takeAddressNumbers: () => reader.state.takeFoundNumbers(),
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
