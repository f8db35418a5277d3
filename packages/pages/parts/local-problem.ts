/** A failure in this browser; its message is for the reader. */
export class LocalProblem extends Error {
  override readonly name: string = "LocalProblem";
}
