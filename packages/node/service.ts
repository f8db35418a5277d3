import type { LedgerReader } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import type { Admission } from "./admission/admission.ts";
import type { TemporaryKeys } from "./admission/temporary-keys.ts";
import type { CheckpointSigner } from "./checkpoint-signer.ts";
import type { EventStreams } from "./events/event-streams.ts";
import type { Faucet } from "./faucet.ts";
import type { EntryBundles } from "./http/entry-bundles.ts";
import type { LedgerQueue } from "./ledger-thread/ledger-queue.ts";
import type { Metrics } from "./metrics.ts";
import type { Settings } from "./settings.ts";

/** What handlers of requests work with. */
export interface Service {
  readonly settings: Settings;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly ledgerId: string;
  /** `ledger` of block 0. */
  readonly ledgerName: string;
  readonly queue: LedgerQueue;
  readonly admission: Admission;
  readonly keys: TemporaryKeys;
  readonly faucet: Faucet | undefined;
  /** Undefined if this node signs no checkpoints. */
  readonly checkpoints: CheckpointSigner | undefined;
  readonly bundles: EntryBundles;
  /** Who may announce new versions of the rules, `""` if nobody may. Source: chain §8. */
  readonly operator: Address | "";
  readonly events: EventStreams;
  readonly metrics: Metrics;
  /** Called with what must end the process; with a `SyncFailure` before anything more is answered. */
  readonly onFailure: (error: Error) => void;
  /** False once it has been asked to stop: for some time everything is still answered. */
  readonly isReady: () => boolean;
  /** Whether the next answer on a connection is its last. */
  readonly isEnding: () => boolean;
  /** The reader, seeing what was the newest block when it was first asked for among the events at hand. */
  readonly reading: () => LedgerReader;
  /** The reader, seeing what is the newest block now: for what has just been written. */
  readonly readingNewest: () => LedgerReader;
}

/**
 * Opens the reader when it is first asked for and closes it when the events at hand have been dealt with: requests that arrive together share one
 * look at the ledger, and the log of changes is never kept from being reused for long.
 */
export function readingPerTurn(
  reader: LedgerReader,
  clock: () => number,
): Pick<Service, "reading" | "readingNewest"> {
  const closeIfOpen = (): void => {
    if (reader.isOpen) {
      reader.close();
    }
  };
  const reading = (): LedgerReader => {
    if (!reader.isOpen) {
      reader.open(clock());
      setImmediate(closeIfOpen);
    }
    return reader;
  };
  return {
    reading,
    readingNewest() {
      closeIfOpen();
      return reading();
    },
  };
}
