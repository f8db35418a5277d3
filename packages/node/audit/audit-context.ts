import type { NodeClient } from "../follower/node-client.ts";
import type { Replica } from "../follower/replica.ts";
import type { AuditMemory } from "./memory.ts";
import type { OwnAnswers } from "./own-answers.ts";

export interface AuditContext {
  readonly client: NodeClient;
  readonly replica: Replica;
  readonly own: OwnAnswers;
  readonly memory: AuditMemory;
  /** After blocks are replayed. Throws a `Finding` if a claimed state root differs. */
  readonly onPage?: () => void;
  readonly url: string;
  readonly sample: number;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly say: (line: string) => void;
  readonly progress: (what: string, total: number) => (done: number) => void;
}
