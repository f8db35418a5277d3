import type { NodeClient } from "../follower/node-client.ts";
import type { Replica } from "../follower/replica.ts";
import type { AuditMemory } from "./memory.ts";
import type { OwnAnswers } from "./own-answers.ts";

/** Shared by all parts of an audit. */
export interface AuditContext {
  readonly client: NodeClient;
  readonly replica: Replica;
  /** Responses of the copy. */
  readonly own: OwnAnswers;
  readonly memory: AuditMemory;
  /** Called after blocks have been replayed. Throws a `Finding` if a claimed state root differs. */
  readonly onPage?: () => void;
  readonly url: string;
  /** Reads that are compared in a round. */
  readonly sample: number;
  /** Unix seconds. */
  readonly clock: () => number;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
  /** Shows the progress of long work. */
  readonly progress: (what: string, total: number) => (done: number) => void;
}
