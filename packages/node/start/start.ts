import { SYSTEM_TIME } from "@moneta/ledger";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import type { UnwritableDisk } from "../data-directory/unwritable-disk.ts";
import type { addressesOf } from "../http/servers.ts";
import { LedgerClock } from "../ledger-clock.ts";
import { LogWatch } from "../log-watch.ts";
import { Metrics } from "../operator/metrics.ts";
import { OperatorEvents } from "../operator/operator-events.ts";
import { logForOperator } from "../operator/operator-log.ts";
import { isFollower, type Settings } from "../settings.ts";
import { WriteState } from "../write-state.ts";

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

/** What every stage of a start has. */
export interface Start {
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

export function beginStart(
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
export function clockTolerance(settings: Settings): number {
  return settings.deployment === "production" && settings["accept-time"] === "no"
    ? settings["clock-tolerance-seconds"]
    : Infinity;
}
