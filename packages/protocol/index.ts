export { ADDRESS_MIDDLE_LENGTH, type Address, addressAround, parseAddress } from "./address.ts";
export {
  AMOUNT_MAX,
  type Amount,
  addAmounts,
  NATIVE_COIN,
  parseAmount,
  parseTokenId,
  subtractAmounts,
  type TokenId,
  ZERO,
} from "./amount.ts";
export {
  decodeBase62Number,
  drawBase62,
  encodeBase62,
  encodeBase62Number,
  littleEndianBase62,
} from "./base62.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export { DERIVED_OPERATIONS, OPERATIONS, READS } from "./descriptions.ts";
export type { CurveName } from "./elliptic-curve.ts";
export { type Fault, type FaultCode, Refused, refuse } from "./faults.ts";
export type { Sha256 } from "./hashing.ts";
export type { JsonList } from "./json-list.ts";
export {
  compactJson,
  type JsonArray,
  type JsonNode,
  type JsonNumber,
  type JsonObject,
  JsonTextError,
  parseJsonText,
} from "./json-text.ts";
export { MerkleTree } from "./merkle-tree.ts";
export {
  type AnyOperation,
  type AnyRead,
  type Method,
  type Operation,
  type Read,
  type Request,
  type Result,
  type Route,
  readRequest,
  type Texts,
} from "./operation.ts";
export { address } from "./operations/address.ts";
export { faucet } from "./operations/faucet.ts";
export { coin, genesisProtocol } from "./operations/genesis.ts";
export { multitransfer } from "./operations/multitransfer.ts";
export { transfer } from "./operations/transfer.ts";
export {
  type BalanceCursor,
  type BlockName,
  firstCodePoints,
  type Parameter,
  type Parameters,
  parseTransactionId,
  type Schema,
  type TransactionName,
  UNLOCK_DATE_MAX,
  type ValuesOf,
} from "./parameters.ts";
export { explain, type Problem } from "./problem.ts";
export { type PublicKey, parsePublicKey, publicKeyText } from "./public-key.ts";
export { parseRate, type Rate, rateText } from "./rate.ts";
export { RawParameters, type RawValue, rawValueOf } from "./raw-parameters.ts";
export { addressRead } from "./reads/address.ts";
export { addressByKey } from "./reads/address-by-key.ts";
export { balance, balanceOfToken } from "./reads/balance.ts";
export { block, blockRaw, height } from "./reads/block.ts";
export { service } from "./reads/service.ts";
export { getkey, nonce } from "./reads/temporary-key.ts";
export { transaction } from "./reads/transaction.ts";
export {
  type Block,
  blockId,
  type Header,
  headerText,
  isHeader,
  NO_BLOCK,
} from "./records/block.ts";
export {
  contentText,
  type LedgerOperation,
  operationText,
  parseOperationText,
} from "./records/operation.ts";
export {
  leafText,
  type RecordPart,
  recordText,
  type TransactionRecord,
  transactionId,
} from "./records/transaction.ts";
export { balanceEntriesSchema } from "./results.ts";
export { type EncodedSignature, parseSignature } from "./signature-encoding.ts";
export { signedString } from "./signed-string.ts";
export {
  parseTemporaryKey,
  restriction,
  TEMPORARY_KEY_RANDOM_LENGTH,
  TEMPORARY_KEY_TAG_BYTES,
  TEMPORARY_KEY_TAG_LENGTH,
  type TemporaryKey,
  taggedText,
  untaggedKey,
} from "./temporary-key.ts";
