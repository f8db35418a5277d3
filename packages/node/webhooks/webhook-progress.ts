/** The position of a webhook, and whether this node delivers. */
export interface WebhookProgress {
  /**
   * Waits until this node is to deliver. Returns the running number of the first transaction not
   * handled; undefined after `end`.
   */
  begin(): Promise<number | undefined>;
  /** Whether it still delivers. If not, nothing is delivered before the next `begin`. */
  readonly isMine: boolean;
  /**
   * Stores the id of the newest handled transaction, `""` before the first. Returns whether it is
   * stored; if not, deliveries may repeat. Throws `SyncFailure`.
   */
  keep(after: string): Promise<boolean>;
  /** Ends the wait of `begin`. */
  end(): void;
}
