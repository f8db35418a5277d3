export {
  type AmountRole,
  type DescribedAmount,
  type DescribedRecord,
  describe,
  hasForbiddenControl,
  isItemId,
  isRestOfNumber,
  itemName,
  itemNumber,
  localTimeText,
  type MovedRecord,
  type Movement,
  movementOf,
  orderCost,
  parseAddress,
  RECORD_TYPES,
  type RecordDescription,
  type RecordKind,
  type RecordParameter,
  type RecordParameterOf,
  type RecordType,
  readDecimal,
  readTime,
  recordKind,
  shortId,
  shortItemNumber,
  type TimeFault,
  withItemNumber,
} from "@moneta/protocol/client";
export { Actor } from "./actor.ts";
export type * from "./api.ts";
export type { CallOptions, WireAnswer } from "./call.ts";
export type { Curve } from "./keys/pem.ts";
export {
  type AnySigner,
  type KeyPair,
  keyBody,
  placeOfKey,
  type Sign,
  type Signer,
  SigningKey,
  signTogether,
} from "./keys/signing-key.ts";
export { expiresAt } from "./keys/temporary-keys.ts";
export { Moneta, type MonetaOptions } from "./moneta.ts";
export { type ProblemCode, ProblemError, type Shortfall, UnansweredError } from "./nodes/errors.ts";
export {
  type EventFilter,
  type EventOptions,
  eventsOf,
  type LedgerEvent,
} from "./nodes/event-stream.ts";
export { everyItem } from "./nodes/every-item.ts";
export { type AttributeValue, attributeText, attributeValue } from "./values/attributes.ts";
export { decimalText, parseDecimal } from "./values/decimals.ts";
export {
  afterFees,
  guardsOf,
  type OwnerPowers,
  ownerPowers,
  ownerPowersText,
  partOf,
  type TermsOfItem,
} from "./values/owner-powers.ts";
export { type PaymentRequest, parsePaymentUri, paymentUri } from "./values/payment-uri.ts";
export type { BatchWrite } from "./writes/batch.ts";
export type {
  BundledOperation,
  BundleOptions,
  BundleResults,
  SentBundle,
} from "./writes/bundle.ts";
export type { ForecastRecord, ForecastWrite } from "./writes/dry-run.ts";
export type { Pipeline } from "./writes/pipeline.ts";
export {
  type FoundWrite,
  isTransactionOf,
  type PreparedWrite,
  type SentWrite,
} from "./writes/prepared-write.ts";
export {
  type OpenTerm,
  Proposal,
  type ProposalWarning,
  type ProposedOperation,
  type SignerWeight,
} from "./writes/proposal.ts";
export {
  ProposalError,
  type ProposalFile,
  type ProposalOperation,
} from "./writes/proposal-file.ts";
export {
  type ProposalEffects,
  ProposalForecast,
  type ProposalStep,
  type Thing,
} from "./writes/proposal-forecast.ts";
export type { ProposalOwnerPowers } from "./writes/proposal-powers.ts";
export { openingKey, type Sealing, type SealRequest, seal } from "./writes/sealing.ts";
