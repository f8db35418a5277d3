/**
 * Something that may be right soon without a change of settings, such as a directory that another
 * process uses. The message is for the operator.
 */
export class NotYet extends Error {
  override readonly name: string = "NotYet";
}
