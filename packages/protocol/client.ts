// What clients need at run time. Most of what it costs to load this package are the descriptions, which they have as types.
export { type Address, parseAddress } from "./address.ts";
export { type Amount, decimalText } from "./amount.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export type { FaultCode } from "./faults.ts";
export { nearest, suggestion } from "./nearest.ts";
export type { Problem } from "./problem.ts";
export {
  type AmountRole,
  RECORD_FORMS,
  RECORD_PARAMETERS,
  type RecordForm,
  type RecordParameter,
  recordForm,
} from "./records/record-forms.ts";
export { RECORD_TYPES, type RecordType } from "./records/record-type.ts";
