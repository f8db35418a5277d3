/**
 * May be right soon without a change, such as a directory in use. The message is for the operator.
 */
export class NotYet extends Error {
  override readonly name: string = "NotYet";
}
