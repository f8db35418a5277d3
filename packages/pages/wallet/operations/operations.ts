import { ITEM_OPERATIONS } from "./items.ts";
import type { Acting, AnyOperationForm } from "./operation-form.ts";
import { ORDER_OPERATIONS } from "./orders.ts";
import { PROJECT_OPERATIONS } from "./projects.ts";
import type { Subject } from "./subject.ts";
import { TOKEN_OPERATIONS } from "./tokens.ts";
import { UNIT_OPERATIONS } from "./units.ts";

/** Every operation with a form of this kind. Source: explorer §3 */
export const OPERATIONS: readonly AnyOperationForm[] = [
  ...TOKEN_OPERATIONS,
  ...ITEM_OPERATIONS,
  ...UNIT_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...ORDER_OPERATIONS,
];

/** The operations that the ledger would let somebody do with a subject now. */
export function openOperations(subject: Subject, by: Acting): readonly AnyOperationForm[] {
  return OPERATIONS.filter(({ on, isOpenTo }) => on === subject.kind && isOpenTo(subject, by));
}

/** The operation that a path names. */
export function operationAt(subject: Subject, action: string): AnyOperationForm | undefined {
  return OPERATIONS.find((form) => form.on === subject.kind && form.action === action);
}
