import { EventEmitter } from "node:events";
import type { DropReason } from "../events/event-streams.ts";
import type { ClockJump } from "../ledger-clock.ts";
import type {
  BatchResult,
  CheckpointResult,
  LogReport,
  Ready,
} from "../ledger-thread/ledger-messages.ts";
import type { Settings } from "../settings.ts";
import type { FromStateTree } from "../state-tree/state-tree-messages.ts";
import type { WebhookNews } from "../webhooks/webhook-sender.ts";
import type { CausedHold } from "../write-state.ts";

/**
 * Events of a node for its operator. Each is emitted once, where it happens; metrics, the operator
 * log and the state of a shared log listen.
 */
export class OperatorEvents extends EventEmitter<{
  opened: [{ readonly deployment: Settings["deployment"]; readonly ledger: string }];
  /** An answered request. `route` is the pattern of its path, which bounds the number of series. */
  request: [
    {
      readonly route: string;
      readonly method: string;
      readonly status: number;
      readonly seconds: number;
    },
  ];
  /** A request that was refused as a whole, with the code of its problem. */
  problem: [string];
  connectionRefused: [{ readonly reason: "client" | "full"; readonly client: string }];
  /** Open streams of operations. */
  batchStreams: [number];
  group: ["done" | "repeat" | "refused"];
  /** Time of a dry run on its thread, ms. */
  dryRun: [number];
  /** Verified signatures, and how many of them the platform's verifier confirmed. */
  verified: [{ readonly count: number; readonly compared: number }];
  block: [BatchResult];
  /** The newest readable block, and the next rules if their version is unknown to this software. */
  newest: [Ready];
  /** The result of a WAL flush into ledger.db. */
  checkpoint: [CheckpointResult];
  /** The state of a shared log. */
  log: [LogReport];
  /** A change of the reason for which nothing can be written; undefined if writes are possible. */
  writes: [CausedHold | undefined];
  clockJumped: [ClockJump];
  clockReturned: [];
  /** The ledger's file was removed, moved or replaced while it is open, or is back. */
  ledgerFile: [{ readonly file: string; readonly isGone: boolean }];
  eventsSent: [number];
  streamDropped: [
    { readonly reason: DropReason; readonly client: string; readonly waiting: number },
  ];
  /** A step of the state tree: its height, claimed roots that differ, reason of a rebuild. */
  stateTree: [Pick<FromStateTree, "height" | "wrong" | "rebuilt">];
  /** The state tree is damaged and must be rebuilt; the reason. */
  stateTreeDamaged: [string];
  /** Why a read of the archive has failed; undefined after one that succeeded. */
  archive: [string | undefined];
  /** Why work failed that is retried. */
  failed: [
    {
      readonly work: "events" | "newest block file" | "checkpoint" | "auctions" | "state tree";
      readonly error: unknown;
    },
  ];
  /** Why the newest checkpoint of a shared log is not of this ledger. */
  checkpointRefused: [string];
  webhook: [WebhookNews];
  /** Another node of the cluster delivers to a webhook from now on. */
  webhookLeft: [string];
  /** The ledger lacks the last transaction that was delivered to a webhook. */
  webhookLost: [string];
}> {}
