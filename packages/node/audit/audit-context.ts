import type { AuditMemory } from "./memory.ts";
import type { NodeClient } from "./node-client.ts";
import type { Replica } from "./replica.ts";

/** What all parts of an audit share. */
export interface AuditContext {
  readonly client: NodeClient;
  readonly replica: Replica;
  readonly memory: AuditMemory;
  readonly url: string;
  /** How many blocks and proofs a round requests one by one, besides the newest. */
  readonly sample: number;
  /** Unix seconds. */
  readonly clock: () => number;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
  /** Shows the progress of long work. */
  readonly progress: (what: string, total: number) => (done: number) => void;
}
