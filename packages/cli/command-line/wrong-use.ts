/** A wrong use of a command; the message says what is right. */
export class WrongUse extends Error {
  override readonly name: string = "WrongUse";
}
