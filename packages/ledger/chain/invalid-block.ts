/** A block that does not follow from the blocks before it and the rules. Source: chain §6.4. */
export class InvalidBlock extends Error {
  override readonly name: string = "InvalidBlock";
  readonly height: number;
  /** The place of the transaction that does not fit, undefined if it is the block itself. */
  readonly position: number | undefined;
  readonly reason: string;

  constructor(at: { readonly height: number; readonly position?: number }, reason: string) {
    const place = at.position === undefined ? "" : `, transaction ${at.position}`;
    super(`block ${at.height}${place}: ${reason}`);
    this.height = at.height;
    this.position = at.position;
    this.reason = reason;
  }
}

/** Thrown by a rule for an operation that no request can have produced. */
export class InvalidDecision extends Error {
  override readonly name: string = "InvalidDecision";
}
