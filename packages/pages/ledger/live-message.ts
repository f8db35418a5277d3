/** What tabs learn of the event stream that they share. */
export interface LiveMessage {
  readonly connection: "live" | "lost";
  /** The newest block, once it is known. */
  readonly height: number | undefined;
  /** How often the ledger behind the node has become another one, or an older state of it. */
  readonly replaced: number;
  /** Why the node, or what stands before it, refuses the stream, in its own words. */
  readonly refusal?: string | undefined;
  /** Why the node cannot write now, in its own words; undefined if it can, or is not known to. */
  readonly writesHold?: string | undefined;
}
