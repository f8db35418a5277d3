import type { StateTree } from "@moneta/ledger";
import type { Address, Refused } from "@moneta/protocol";
import type { Admission } from "./admission/admission.ts";
import type { TemporaryKeys } from "./admission/temporary-keys.ts";
import type { ArchiveReads } from "./archive/archive-reads.ts";
import type { CheckpointNotes } from "./checkpoint-notes.ts";
import type { DryRuns } from "./dry-runs/dry-runs.ts";
import type { EventStreams } from "./events/event-streams.ts";
import type { Faucet } from "./faucet.ts";
import type { EntryBundles } from "./http/reads/entry-bundles.ts";
import type { LongPages } from "./http/reads/long-pages.ts";
import type { LedgerQueue } from "./ledger-thread/ledger-queue.ts";
import type { LogWatch } from "./log-watch.ts";
import type { Metrics } from "./operator/metrics.ts";
import type { OperatorEvents } from "./operator/operator-events.ts";
import type { ReadingPerTurn } from "./reading-per-turn.ts";
import type { Settings } from "./settings.ts";
import type { ChosenVerifier } from "./signatures/chosen-verifier.ts";
import type { WriteState } from "./write-state.ts";

export interface Service extends ReadingPerTurn {
  readonly settings: Settings;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly ledgerId: string;
  /** `ledger` of block 0. */
  readonly ledgerName: string;
  readonly verifier: ChosenVerifier["name"];
  readonly queue: LedgerQueue;
  /** Undefined if reads see all answered writes. Source: conventions §2.3. */
  readonly caughtUp: () => Promise<Refused | undefined> | undefined;
  /** Source: cluster §8. */
  readonly isFollower: boolean;
  readonly admission: Admission;
  readonly keys: TemporaryKeys;
  readonly faucet: Faucet | undefined;
  readonly checkpoints: CheckpointNotes | undefined;
  /** Undefined if this node keeps none. Source: proofs §2. */
  readonly stateTree: StateTree | undefined;
  readonly bundles: EntryBundles;
  readonly longPages: LongPages;
  readonly dryRuns: DryRuns;
  readonly archive: ArchiveReads | undefined;
  /** It may announce new versions of the rules; or `""`. Source: chain §8. */
  readonly operator: Address | "";
  readonly events: EventStreams;
  readonly metrics: Metrics;
  readonly operatorEvents: OperatorEvents;
  readonly log: LogWatch | undefined;
  /** The process must end; for a `SyncFailure` before any further response. */
  readonly onFailure: (error: Error) => void;
  /** False once a shutdown has begun, while requests are still answered. */
  readonly isReady: () => boolean;
  readonly writes: WriteState;
  /** The next response on a connection is its last. */
  readonly isEnding: () => boolean;
}
