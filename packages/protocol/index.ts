export { ADDRESS_MIDDLE_LENGTH, type Address, addressAround, parseAddress } from "./address.ts";
export {
  AMOUNT_MAX,
  type Amount,
  addAmounts,
  decimalText,
  NATIVE_COIN,
  ONE,
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
export { addJsonBody, elementText, PARAMETERS_MAX } from "./body-parameters.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export type { ChangedItem } from "./changed-items.ts";
export {
  type Checkpoint,
  checkpointText,
  type NoteSignature,
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  signedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifierKey,
  verifierKeyText,
  verifyCheckpoint,
} from "./checkpoint.ts";
export { CSV_CONTENT_TYPE, csvLine } from "./csv.ts";
export { type Cursor, cursorText } from "./cursor.ts";
export { DERIVED_OPERATIONS, OPERATIONS, READS, RESERVED_WORDS } from "./descriptions.ts";
export type { CurveName } from "./elliptic-curve.ts";
export { ALICE, TOMORROW } from "./examples.ts";
export { type Fault, type FaultCode, Refused, refuse, type StateCode } from "./faults.ts";
export type { Sha256 } from "./hashing.ts";
export { ITEMS_MAX, itemNumberOf, type Transferable, transferableOf } from "./item-data.ts";
export type { JsonList } from "./json-list.ts";
export type { JsonMembers } from "./json-object.ts";
export type { JsonRecord } from "./json-objects.ts";
export {
  consistencyPath,
  inclusionPath,
  rootOf,
  type Subtrees,
  verifyConsistency,
  verifyInclusion,
} from "./merkle-proof.ts";
export { leafHash, MerkleTree, nodeHash, type SubtreeListener } from "./merkle-tree.ts";
export { EXTRA_FIELDS, INFORMATION_FIELDS, SIGNED_UNIT_FIELDS } from "./multi-unit-item.ts";
export { nearest, suggestion } from "./nearest.ts";
export {
  type AnyOperation,
  type AnyRead,
  type Example,
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
export { mrc010Acceptreqsell } from "./operations/mrc010-acceptreqsell.ts";
export { mrc010Auction } from "./operations/mrc010-auction.ts";
export { mrc010Auctionfinish } from "./operations/mrc010-auctionfinish.ts";
export { mrc010Bid } from "./operations/mrc010-bid.ts";
export { mrc010Buy } from "./operations/mrc010-buy.ts";
export { mrc010Reqsell } from "./operations/mrc010-reqsell.ts";
export { mrc010Sell } from "./operations/mrc010-sell.ts";
export { mrc010Unauction } from "./operations/mrc010-unauction.ts";
export { mrc010Unreqsell } from "./operations/mrc010-unreqsell.ts";
export { mrc010Unsell } from "./operations/mrc010-unsell.ts";
export { mrc400Create } from "./operations/mrc400-create.ts";
export { mrc400Update } from "./operations/mrc400-update.ts";
export { type ItemLot, mrc401Auction } from "./operations/mrc401-auction.ts";
export { mrc401Auctionfinish } from "./operations/mrc401-auctionfinish.ts";
export { mrc401Bid } from "./operations/mrc401-bid.ts";
export { mrc401Buy } from "./operations/mrc401-buy.ts";
export { mrc401Create, type NewItem } from "./operations/mrc401-create.ts";
export { mrc401Melt } from "./operations/mrc401-melt.ts";
export { type ItemOffer, mrc401Sell } from "./operations/mrc401-sell.ts";
export { mrc401Transfer } from "./operations/mrc401-transfer.ts";
export { mrc401Unauction } from "./operations/mrc401-unauction.ts";
export { mrc401Unsell } from "./operations/mrc401-unsell.ts";
export { mrc401Update } from "./operations/mrc401-update.ts";
export { mrc402Auction, type UnitLot } from "./operations/mrc402-auction.ts";
export { mrc402Auctionfinish } from "./operations/mrc402-auctionfinish.ts";
export { mrc402Bid } from "./operations/mrc402-bid.ts";
export { mrc402Burn } from "./operations/mrc402-burn.ts";
export { mrc402Buy } from "./operations/mrc402-buy.ts";
export { mrc402Create, type NewUnitItem, reservePerUnit } from "./operations/mrc402-create.ts";
export { mrc402Itemupdate } from "./operations/mrc402-itemupdate.ts";
export { mrc402Melt } from "./operations/mrc402-melt.ts";
export { mrc402Mint } from "./operations/mrc402-mint.ts";
export { mrc402Sell, type UnitOffer } from "./operations/mrc402-sell.ts";
export { mrc402Transfer } from "./operations/mrc402-transfer.ts";
export { mrc402Unauction } from "./operations/mrc402-unauction.ts";
export { mrc402Unsell } from "./operations/mrc402-unsell.ts";
export { mrc402Update } from "./operations/mrc402-update.ts";
export { multitransfer } from "./operations/multitransfer.ts";
export { protocol } from "./operations/protocol.ts";
export { tokenBurn } from "./operations/token-burn.ts";
export { tokenCreate } from "./operations/token-create.ts";
export { tokenIncrease } from "./operations/token-increase.ts";
export { tokenSave } from "./operations/token-save.ts";
export { tokenUpdate } from "./operations/token-update.ts";
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
export { PLATFORM_FIELDS } from "./platform.ts";
export { explain, KINDS_OF_PROBLEM, type Problem } from "./problem.ts";
export { type PartnerRole, PROJECT_RECORD_FIELDS } from "./project.ts";
export { type PublicKey, parsePublicKey, publicKeyText } from "./public-key.ts";
export { feeOf, NO_RATE, parseRate, type Rate, rateText } from "./rate.ts";
export { RawParameters, type RawValue } from "./raw-parameters.ts";
export { addressRead } from "./reads/address.ts";
export { addressByKey } from "./reads/address-by-key.ts";
export { balance, balanceOfToken } from "./reads/balance.ts";
export { BLOCKS, block, blockRaw, blocks, blocksRaw, height } from "./reads/block.ts";
export {
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  tile,
  transactionProof,
} from "./reads/checkpoint.ts";
export { BLOCK_EVENTS, events, readEventId } from "./reads/events.ts";
export { addressTransactions, HISTORY, TRANSACTIONS, transactions } from "./reads/history.ts";
export {
  ITEMS,
  item,
  items,
  itemsOfAddress,
  OWNED_ITEMS,
  PROJECTS,
  project,
  projects,
} from "./reads/item.ts";
export {
  HOLDERS,
  HOLDINGS,
  holdersOfItem,
  holdingsOfAddress,
  UNIT_ITEMS,
  UNIT_LISTINGS,
  unitItem,
  unitItems,
  unitListingRead,
  unitListings,
} from "./reads/multi-unit-item.ts";
export { service } from "./reads/service.ts";
export { getkey, nonce } from "./reads/temporary-key.ts";
export {
  TOKEN_HOLDERS,
  TOKEN_LISTINGS,
  TOKENS,
  token,
  tokenHolders,
  tokenImageRead,
  tokenListing,
  tokenListings,
  tokens,
  totalSupply,
} from "./reads/token.ts";
export { transaction } from "./reads/transaction.ts";
export {
  type Block,
  blockId,
  type Header,
  headerText,
  isHeader,
  NO_BLOCK,
  TIMESTAMP_MAX,
} from "./records/block.ts";
export {
  contentText,
  type LedgerOperation,
  operationText,
  parseOperationText,
} from "./records/operation.ts";
export {
  RECORD_FORMS,
  RECORD_PARAMETERS,
  type RecordForm,
  type RecordParameter,
  recordForm,
} from "./records/record-forms.ts";
export { type PartText, recordParts } from "./records/record-parts.ts";
export { RECORD_TYPES, type RecordType } from "./records/record-type.ts";
export {
  leafText,
  type RecordPart,
  recordText,
  type TransactionRecord,
  transactionId,
} from "./records/transaction.ts";
export { GENERAL_REFUSALS, impliedRefusals, refusalsOf } from "./refusals.ts";
export {
  balanceEntriesSchema,
  itemsResult,
  listedResult,
  marketResult,
  tokenResult,
  transactionIdResult,
  unitItemsResult,
  unitListingsResult,
} from "./results.ts";
export { type EncodedSignature, parseSignature } from "./signature-encoding.ts";
export {
  ACTOR,
  DECIDED,
  type Implied,
  type SignedField,
  signedAround,
  signedStrings,
} from "./signed-string.ts";
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
export { parseTileName, TILE_HEIGHT, TILE_WIDTH, type TileName, tileNameText } from "./tile.ts";
export { paymentFor, refuseRest } from "./token-offer.ts";
export { isUnitListingId } from "./unit-listing.ts";
