/** The requested data belongs to a block that this ledger's file no longer has. */
export class NotKept extends Error {
  override readonly name: string = "NotKept";
  /** The first block after block 0 that it has. */
  readonly since: number;

  constructor(since: number) {
    super(`the ledger's file has the blocks from ${since} on and block 0, and not those between`);
    this.since = since;
  }
}
