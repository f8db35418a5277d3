import { ITEM_OPERATIONS } from "./items.ts";
import { OFFER_OPERATIONS } from "./offers.ts";
import type { Acting, OperationForm } from "./operation-form.ts";
import { ORDER_OPERATIONS } from "./orders.ts";
import { PROJECT_OPERATIONS } from "./projects.ts";
import type { Subject } from "./subject.ts";
import { TOKEN_OPERATIONS } from "./tokens.ts";
import { UNIT_OPERATIONS } from "./units.ts";

/** Source: explorer §3 */
export const OPERATIONS: readonly OperationForm[] = [
  ...TOKEN_OPERATIONS,
  ...ITEM_OPERATIONS,
  ...UNIT_OPERATIONS,
  ...OFFER_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...ORDER_OPERATIONS,
];

/** By the subject's state and owner; the node decides. */
export function openOperations(subject: Subject, by: Acting): readonly OperationForm[] {
  return OPERATIONS.filter(({ on, isOffered }) => on === subject.kind && isOffered(subject, by));
}

export function operationAt(subject: Subject, action: string): OperationForm | undefined {
  return OPERATIONS.find((form) => form.on === subject.kind && form.action === action);
}
