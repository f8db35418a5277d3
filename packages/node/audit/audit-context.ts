import type { AuditMemory } from "./memory.ts";
import type { NodeClient } from "./node-client.ts";
import type { Replica } from "./replica.ts";

/** What every part of an audit works with. */
export interface AuditContext {
  readonly client: NodeClient;
  readonly replica: Replica;
  readonly memory: AuditMemory;
  /** How many blocks and proofs of a round are asked for one by one, besides the newest. */
  readonly sample: number;
  /** Unix seconds. */
  readonly clock: () => number;
  /** Says something to the operator, a line. */
  readonly say: (line: string) => void;
  /** Says how far long work has come. */
  readonly progress: (what: string, total: number) => (done: number) => void;
}
