export {
  type AmountRole,
  orderCost,
  parseAddress,
  RECORD_TYPES,
  type RecordParameter,
} from "@moneta/protocol/client";
export { Actor } from "./actor.ts";
export type * from "./api.ts";
export type { BatchWrite } from "./batch.ts";
export type { CallOptions, WireAnswer } from "./call.ts";
export { decimalText, parseDecimal } from "./decimals.ts";
export {
  type DescribedAmount,
  type DescribedRecord,
  describe,
  type RecordDescription,
} from "./describe.ts";
export type { ForecastRecord, ForecastWrite } from "./dry-run.ts";
export { type ProblemCode, ProblemError, type Shortfall, UnansweredError } from "./errors.ts";
export type { EventFilter, EventOptions, LedgerEvent } from "./event-stream.ts";
export { everyItem } from "./every-item.ts";
export {
  Exchange,
  ExchangeError,
  type ExchangeFile,
  type ExchangeTerms,
  type ProposedExchange,
} from "./exchange.ts";
export {
  Group,
  GroupError,
  type GroupFile,
  type GroupOperation,
  type GroupWarning,
  type OpenTerm,
  type ProposedOperation,
} from "./group.ts";
export {
  type GroupEffects,
  GroupForecast,
  type GroupStep,
  type Thing,
} from "./group-forecast.ts";
export { Moneta, type MonetaOptions } from "./moneta.ts";
export { type Movement, type MovementSources, movementOf } from "./movement.ts";
export { type PaymentRequest, parsePaymentUri, paymentUri } from "./payment-uri.ts";
export type { Curve } from "./pem.ts";
export {
  type FoundWrite,
  isTransactionOf,
  type PreparedWrite,
  type SentWrite,
} from "./prepared-write.ts";
export { openingKey, type Sealing, type SealRequest, seal } from "./sealing.ts";
export { type KeyPair, type Sign, type Signer, SigningKey } from "./signing-key.ts";
