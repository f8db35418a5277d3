export interface LiveMessage {
  readonly connection: "live" | "lost";
  readonly height: number | undefined;
  /** How often another ledger, or an older state, took the place of the node's. */
  readonly replaced: number;
  /** In the words of the node or of a proxy. */
  readonly refusal?: string | undefined;
  /** In the node's words; undefined if it can write or it is not known. */
  readonly writesHold?: string | undefined;
}
