/** A failure in this browser, not at the node; its message is for the reader. */
export class LocalProblem extends Error {
  override readonly name: string = "LocalProblem";
}
