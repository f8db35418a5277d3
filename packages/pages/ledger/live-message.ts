/** What tabs learn of the event stream that they share. */
export interface LiveMessage {
  readonly connection: "live" | "lost";
  /** The newest block, once it is known. */
  readonly height: number | undefined;
}
