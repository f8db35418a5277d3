/** A ledger that this software cannot open and must not touch. The message is for the operator. */
export class UnusableLedger extends Error {
  override readonly name: string = "UnusableLedger";
  /** The file and its damage, without advice; undefined if it is unusable for another reason. */
  readonly damage: string | undefined;

  constructor(message: string, damage?: string) {
    super(message);
    this.damage = damage;
  }
}
