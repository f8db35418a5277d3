export interface WebhookProgress {
  /**
   * Waits until this node is to deliver. Returns the first number not handled; undefined after
   * `end`.
   */
  begin(): Promise<number | undefined>;
  /** If not, nothing is delivered before the next `begin`. */
  readonly isMine: boolean;
  /** `""` before the first. If it returns false, deliveries may repeat. Throws `SyncFailure`. */
  keep(after: string): Promise<boolean>;
  end(): void;
}
