export interface WebhookProgress {
  /** Waits for this node's turn. The first number not handled; undefined after `end`. */
  begin(): Promise<number | undefined>;
  /** If not, nothing is delivered before the next `begin`. */
  readonly isMine: boolean;
  /** `""` before the first. If false, deliveries may repeat. Throws `SyncFailure`. */
  keep(after: string): Promise<boolean>;
  end(): void;
}
