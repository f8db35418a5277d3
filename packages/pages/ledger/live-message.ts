/** State of the event stream that tabs share. */
export interface LiveMessage {
  readonly connection: "live" | "lost";
  /** The newest block, once it is known. */
  readonly height: number | undefined;
  /**
   * The number of times that the node's ledger was replaced by another one, or by an older state.
   */
  readonly replaced: number;
  /** The reason of a refused stream, in the words of the node or of the proxy before it. */
  readonly refusal?: string | undefined;
  /** Why the node cannot write now, in its own words; undefined if it can, or is not known to. */
  readonly writesHold?: string | undefined;
}
