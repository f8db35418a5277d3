import { EventEmitter } from "node:events";
import type { CheckpointResult } from "@moneta/ledger";
import type { DropReason } from "../events/event-streams.ts";
import type { ClockJump } from "../ledger-clock.ts";
import type { BatchResult, LogReport, Ready } from "../ledger-thread/ledger-messages.ts";
import type { Settings } from "../settings.ts";
import type { FromStateTree } from "../state-tree/state-tree-messages.ts";
import type { WebhookNews } from "../webhooks/webhook-sender.ts";
import type { CausedHold } from "../write-state.ts";

/** Each is emitted once, where it happens; metrics, operator log and log watch listen. */
export class OperatorEvents extends EventEmitter<{
  opened: [{ readonly deployment: Settings["deployment"]; readonly ledger: string }];
  /** `route` is the path's pattern, which bounds the number of series. */
  request: [
    {
      readonly route: string;
      readonly method: string;
      readonly status: number;
      readonly seconds: number;
    },
  ];
  /** Refused as a whole, with the code of its problem. */
  problem: [string];
  connectionRefused: [{ readonly reason: "client" | "full"; readonly client: string }];
  batchStreams: [number];
  group: ["done" | "repeat" | "refused"];
  dryRun: [number];
  /** Number confirmed by the platform's verifier. */
  verified: [{ readonly count: number; readonly compared: number }];
  block: [BatchResult];
  /** The next rules if their version is unknown to this software. */
  newest: [Ready];
  checkpoint: [CheckpointResult];
  log: [LogReport];
  writes: [CausedHold | undefined];
  clockJumped: [ClockJump];
  clockReturned: [];
  ledgerFile: [{ readonly file: string; readonly isGone: boolean }];
  eventsSent: [number];
  streamDropped: [
    { readonly reason: DropReason; readonly client: string; readonly waiting: number },
  ];
  /** Its height, claimed roots that differ, reason of a rebuild. */
  stateTree: [Pick<FromStateTree, "height" | "wrong" | "rebuilt">];
  /** It must be rebuilt; the reason. */
  stateTreeDamaged: [string];
  /** Undefined after a read that succeeded. */
  archive: [string | undefined];
  /** It is retried. */
  failed: [
    {
      readonly work: "events" | "newest block file" | "checkpoint" | "auctions" | "state tree";
      readonly error: unknown;
    },
  ];
  checkpointRefused: [string];
  webhook: [WebhookNews];
  /** Another node of the cluster delivers from now on. */
  webhookLeft: [string];
  /** The ledger lacks the last delivered transaction. */
  webhookLost: [string];
}> {}
