/** The position of a webhook, and whether this node is the one to deliver. */
export interface WebhookProgress {
  /**
   * Waits until this node is to deliver. Returns the running number of the first transaction not
   * handled; undefined after `end`.
   */
  begin(): Promise<number | undefined>;
  /** Whether it still is. Once it is not, nothing is delivered before the next `begin`. */
  readonly isMine: boolean;
  /**
   * Keeps the id of the newest transaction handled, `""` before the first. Returns whether it is
   * kept; if not, deliveries may repeat. Throws `SyncFailure`.
   */
  keep(after: string): Promise<boolean>;
  /** Ends the wait of `begin`. */
  end(): void;
}
