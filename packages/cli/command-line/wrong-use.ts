/** A wrong use of a command, with a message for the user that says what would be right. */
export class WrongUse extends Error {
  override readonly name: string = "WrongUse";
}
