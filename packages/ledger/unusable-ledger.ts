/** A ledger that this software cannot open and must not touch. The message is for the operator. */
export class UnusableLedger extends Error {
  override readonly name: string = "UnusableLedger";
}
