/** It must not be touched. The message is for the operator. */
export class UnusableLedger extends Error {
  override readonly name: string = "UnusableLedger";
  /** The file and its damage, without advice. */
  readonly damage: string | undefined;

  constructor(message: string, damage?: string) {
    super(message);
    this.damage = damage;
  }
}
