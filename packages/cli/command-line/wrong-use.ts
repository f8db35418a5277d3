/** What is wrong with the way a command was called, and what would be right, in words for the user. */
export class WrongUse extends Error {
  override readonly name: string = "WrongUse";
}
