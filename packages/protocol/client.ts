// Clients import descriptions as types only, because loading them is slow.

export type { FaultCode } from "./description/faults.ts";
export type { Problem } from "./description/problem.ts";
export { type Address, parseAddress } from "./keys/address.ts";
export { keyhashText, OPENING_KEY_MAX, type Sealed } from "./keys/opening-key.ts";
export { parseTemporaryKey } from "./keys/temporary-key.ts";
export {
  type DescribedAmount,
  type DescribedRecord,
  describe,
  type RecordDescription,
} from "./records/describe.ts";
export { groupText, type PlaceInGroup } from "./records/group.ts";
export {
  type MovedRecord,
  type Movement,
  movementOf,
  sumOfMovements,
} from "./records/movement.ts";
export { saysTheSame } from "./records/moves.ts";
export type { AmountRole, RecordForm, RecordKind } from "./records/record-form.ts";
export { RECORD_PARAMETERS, type RecordParameter } from "./records/record-parameters.ts";
export {
  RECORD_FORMS,
  RECORD_TYPES,
  type RecordParameterOf,
  type RecordType,
  recordForm,
  recordKind,
} from "./records/record-types.ts";
export { operationRecords } from "./records/transaction.ts";
export { type Amount, decimalText, isRestOfNumber, readDecimal } from "./text/amount.ts";
export { fromBase64, fromHex, toBase64, toHex } from "./text/byte-texts.ts";
export { canonicalJson, type Json } from "./text/canonical-json.ts";
export { hasAtMost } from "./text/code-points.ts";
export { hasForbiddenControl } from "./text/control-characters.ts";
export {
  itemName,
  type NamedItem,
  ownItemName,
  shortItemNumber,
} from "./text/item-name.ts";
export { isItemId, itemNumber, withItemNumber } from "./text/item-number.ts";
export { nearest, suggestion } from "./text/nearest.ts";
export { orderCost } from "./text/order-cost.ts";
export { feeOf, NO_RATE, parseRate } from "./text/rate.ts";
export { shortId } from "./text/short-id.ts";
export { localTimeText, readTime, type TimeFault } from "./text/time-text.ts";
