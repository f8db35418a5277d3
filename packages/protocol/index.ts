export {
  type BatchElement,
  batchElements,
  DRY_MAX,
  GROUP_MAX,
  GROUP_MIN,
  groupElements,
  readBatchElement,
  readBatchLine,
  readGroupElement,
} from "./description/batch-elements.ts";
export { addJsonBody, elementText, PARAMETERS_MAX } from "./description/body-parameters.ts";
export {
  BUNDLE_BYTES_MAX,
  BUNDLE_MAX,
  type Bundle,
  type BundledOperation,
  bundledKey,
  bundleWeight,
  skips,
} from "./description/bundle-body.ts";
export {
  ALICE,
  BOBS_SIGNATURE,
  BOBS_TEMPORARY_KEY,
  NOW,
  SIGNATURE,
  TEMPORARY_KEY,
  TOMORROW,
} from "./description/examples.ts";
export {
  type Fault,
  type FaultCode,
  Refused,
  refuse,
  type StateCode,
} from "./description/faults.ts";
export {
  entriesOf,
  type GroupFault,
  isGroupable,
  type ReadMember,
  refuseGroupId,
  refuseMembers,
} from "./description/group-members.ts";
export type { JsonList } from "./description/json/json-list.ts";
export type { JsonMembers } from "./description/json/json-object.ts";
export type { JsonRecord } from "./description/json/json-objects.ts";
export { KINDS_OF_PROBLEM } from "./description/kinds-of-problem.ts";
export { aboutMember, aboutParameter, meaningOf } from "./description/meanings.ts";
export {
  type AnyOperation,
  type AnyRead,
  type Example,
  isSigned,
  type Operation,
  type Read,
  type Request,
  type Route,
  signersOf,
} from "./description/operation.ts";
export {
  FORM,
  givenSchema,
  type Parameter,
  type Parameters,
  type Schema,
  type ValueOf,
  type ValuesOf,
} from "./description/parameter.ts";
export {
  type GivenKey,
  keptKey,
  keptKeys,
  ORIGIN,
  ORIGINS_MAX,
  RPID,
} from "./description/parameters/address-keys.ts";
export { type BalanceCursor, cursorText } from "./description/parameters/cursor.ts";
export { UNLOCK_DATE_MAX } from "./description/parameters/dates.ts";
export { type BlockName, parseBlockName } from "./description/parameters/ids.ts";
export { explain, type Problem } from "./description/problem.ts";
export { RawParameters } from "./description/raw-parameters.ts";
export { GENERAL_REFUSALS, impliedRefusals, refusalsOf } from "./description/refusals.ts";
export { readRequest, readTexts, requestReader } from "./description/request-reader.ts";
export {
  itemsResult,
  listedResult,
  marketResult,
  orderExchangeResult,
  orderRequestResult,
  orderResult,
  type Result,
  sealedResult,
  tokenResult,
  transactionIdResult,
  unitItemsResult,
  unitListingsResult,
} from "./description/results.ts";
export {
  amount as amountSchema,
  byName,
  type HeldAs,
  integer as integerSchema,
  record as recordSchema,
  type SchemaOf,
  type Shown,
  text as textSchema,
  time as timeSchema,
} from "./description/shown.ts";
export {
  DERIVED_OPERATIONS,
  OPERATIONS,
  READS,
  RESERVED_WORDS,
  signedBundle,
} from "./descriptions.ts";
export {
  ADDRESS_MIDDLE_LENGTH,
  type Address,
  addressAround,
  parseAddress,
} from "./keys/address.ts";
export { KeyProblem } from "./keys/key-problem.ts";
export {
  type AddressKey,
  KEYS_MAX,
  type KeySet,
  soleKey,
  weightOfKeys,
} from "./keys/key-set.ts";
export { isSignatureList, type KeySignature, parseKeySignatures } from "./keys/key-signatures.ts";
export { keyhashText, type Sealed } from "./keys/opening-key.ts";
export { parsePublicKey, publicKeyText } from "./keys/public-key.ts";
export { type EncodedSignature, parseSignature } from "./keys/signature-encoding.ts";
export {
  isFullySigned,
  type SignedField,
  type Signer,
  signedAround,
  signedStrings,
  type Texts,
} from "./keys/signed-string.ts";
export {
  parseTemporaryKey,
  restriction,
  TEMPORARY_KEY_RANDOM_LENGTH,
  TEMPORARY_KEY_TAG_BYTES,
  TEMPORARY_KEY_TAG_LENGTH,
  type TemporaryKey,
  taggedText,
  untaggedKey,
} from "./keys/temporary-key.ts";
export { assertedBytes, challengeOf } from "./keys/webauthn.ts";
export { batch, dry } from "./operations/batch.ts";
export { bundle } from "./operations/bundle.ts";
export { coin, genesisProtocol } from "./operations/chain/genesis.ts";
export { protocol } from "./operations/chain/protocol.ts";
export { stateroot } from "./operations/chain/stateroot.ts";
export { address } from "./operations/coins/address.ts";
export { addressKeys } from "./operations/coins/address-keys.ts";
export { addressRecover } from "./operations/coins/address-recover.ts";
export { addressRecoverCancel } from "./operations/coins/address-recover-cancel.ts";
export { addressRecoverFinish } from "./operations/coins/address-recover-finish.ts";
export {
  EXCHANGE_SIDES,
  type ExchangeSide,
  exchange,
  paysFee,
  type SideOfExchange,
  sideOfExchange,
} from "./operations/coins/exchange.ts";
export { faucet } from "./operations/coins/faucet.ts";
export { GRANT_SECONDS_MAX, grant, OPEN_GRANTS_MAX } from "./operations/coins/grant.ts";
export { grantEnd } from "./operations/coins/grant-end.ts";
export { multitransfer } from "./operations/coins/multitransfer.ts";
export { transfer } from "./operations/coins/transfer.ts";
export { group } from "./operations/group.ts";
export type { ChangedItem } from "./operations/items/changed-items.ts";
export {
  ITEMS_MAX,
  type ItemGuards,
  isProjectId,
  itemNumberOf,
  type Transferable,
  transferableOf,
} from "./operations/items/item-data.ts";
export {
  type Attributes,
  NO_METADATA,
  refuseFrozenWithoutUrls,
} from "./operations/items/metadata.ts";
export { mrc400Create } from "./operations/items/mrc400-create.ts";
export { mrc400Update } from "./operations/items/mrc400-update.ts";
export { mrc401Acceptoffer } from "./operations/items/mrc401-acceptoffer.ts";
export { mrc401Auction } from "./operations/items/mrc401-auction.ts";
export { mrc401Auctionfinish } from "./operations/items/mrc401-auctionfinish.ts";
export { mrc401Bid } from "./operations/items/mrc401-bid.ts";
export { mrc401Buy } from "./operations/items/mrc401-buy.ts";
export { mrc401Create, type NewItem } from "./operations/items/mrc401-create.ts";
export { mrc401Melt } from "./operations/items/mrc401-melt.ts";
export { mrc401Offer } from "./operations/items/mrc401-offer.ts";
export { mrc401Offerfinish } from "./operations/items/mrc401-offerfinish.ts";
export { type ItemOffer, mrc401Sell } from "./operations/items/mrc401-sell.ts";
export { mrc401Transfer } from "./operations/items/mrc401-transfer.ts";
export { mrc401Unauction } from "./operations/items/mrc401-unauction.ts";
export { mrc401Unoffer } from "./operations/items/mrc401-unoffer.ts";
export { mrc401Unsell } from "./operations/items/mrc401-unsell.ts";
export { mrc401Update } from "./operations/items/mrc401-update.ts";
export { NO_POLICY, POLICIES_MAX, type Policy } from "./operations/items/policy.ts";
export { type PartnerRole, PROJECT_RECORD_FIELDS } from "./operations/items/project.ts";
export { OFFER_SECONDS, OPEN_OFFERS_MAX } from "./operations/offer.ts";
export { mrc040Cancel } from "./operations/orders/mrc040-cancel.ts";
export { mrc040Create } from "./operations/orders/mrc040-create.ts";
export { mrc040Exchange } from "./operations/orders/mrc040-exchange.ts";
export { mrc040Request } from "./operations/orders/mrc040-request.ts";
export { orderTotal } from "./operations/orders/order.ts";
export { PLATFORM_FIELDS } from "./operations/platform.ts";
export { mrc020 } from "./operations/seals/mrc020.ts";
export { mrc020Open } from "./operations/seals/mrc020-open.ts";
export { mrc010Acceptreqsell } from "./operations/tokens/mrc010-acceptreqsell.ts";
export { mrc010Auction } from "./operations/tokens/mrc010-auction.ts";
export { mrc010Auctionfinish } from "./operations/tokens/mrc010-auctionfinish.ts";
export { mrc010Bid } from "./operations/tokens/mrc010-bid.ts";
export { mrc010Buy } from "./operations/tokens/mrc010-buy.ts";
export { mrc010Reqsell } from "./operations/tokens/mrc010-reqsell.ts";
export { mrc010Sell } from "./operations/tokens/mrc010-sell.ts";
export { mrc010Unauction } from "./operations/tokens/mrc010-unauction.ts";
export { mrc010Unreqsell } from "./operations/tokens/mrc010-unreqsell.ts";
export { mrc010Unsell } from "./operations/tokens/mrc010-unsell.ts";
export { tokenAddTarget } from "./operations/tokens/token-add-target.ts";
export { tokenBurn } from "./operations/tokens/token-burn.ts";
export { tokenCreate } from "./operations/tokens/token-create.ts";
export { tokenIncrease } from "./operations/tokens/token-increase.ts";
export { paymentFor, refuseRest } from "./operations/tokens/token-offer.ts";
export { tokenRemoveTarget } from "./operations/tokens/token-remove-target.ts";
export { tokenSave } from "./operations/tokens/token-save.ts";
export { tokenSetBase } from "./operations/tokens/token-set-base.ts";
export { tokenUpdate } from "./operations/tokens/token-update.ts";
export { mrc402Acceptoffer } from "./operations/units/mrc402-acceptoffer.ts";
export { mrc402Auction } from "./operations/units/mrc402-auction.ts";
export { mrc402Auctionfinish } from "./operations/units/mrc402-auctionfinish.ts";
export { mrc402Bid } from "./operations/units/mrc402-bid.ts";
export { mrc402Burn } from "./operations/units/mrc402-burn.ts";
export { mrc402Buy } from "./operations/units/mrc402-buy.ts";
export {
  mrc402Create,
  type NewUnitItem,
  reservePerUnit,
} from "./operations/units/mrc402-create.ts";
export { mrc402Itemupdate } from "./operations/units/mrc402-itemupdate.ts";
export { mrc402Melt } from "./operations/units/mrc402-melt.ts";
export { mrc402Mint } from "./operations/units/mrc402-mint.ts";
export { mrc402Offer } from "./operations/units/mrc402-offer.ts";
export { mrc402Offerfinish } from "./operations/units/mrc402-offerfinish.ts";
export { mrc402Sell, type UnitOffer } from "./operations/units/mrc402-sell.ts";
export { mrc402Transfer } from "./operations/units/mrc402-transfer.ts";
export { mrc402Unauction } from "./operations/units/mrc402-unauction.ts";
export { mrc402Unoffer } from "./operations/units/mrc402-unoffer.ts";
export { mrc402Unsell } from "./operations/units/mrc402-unsell.ts";
export { mrc402Update } from "./operations/units/mrc402-update.ts";
export {
  EXTRA_FIELDS,
  INFORMATION_FIELDS,
  SIGNED_UNIT_FIELDS,
} from "./operations/units/unit-item.ts";
export { isUnitListingId } from "./operations/units/unit-listing.ts";
export { block, blockRaw, blocks, blocksRaw, height } from "./reads/chain/block.ts";
export {
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  tile,
  transactionProof,
} from "./reads/chain/checkpoint.ts";
export { BLOCK_EVENTS, events, readEventId } from "./reads/chain/events.ts";
export { groupRead } from "./reads/chain/group.ts";
export {
  addressTransactions,
  itemTransactions,
  transactions,
} from "./reads/chain/history.ts";
export { FOUND_DEFAULT, FOUND_MAX, type Found, search } from "./reads/chain/search.ts";
export { service } from "./reads/chain/service.ts";
export {
  DAY_HOURS,
  TOTAL_STEPS,
  TOTAL_STEPS_MAX,
  type TotalStep,
  totals,
} from "./reads/chain/totals.ts";
export { transaction } from "./reads/chain/transaction.ts";
export { addressRead } from "./reads/coins/address.ts";
export { addressByKey } from "./reads/coins/address-by-key.ts";
export { addressesOfKey } from "./reads/coins/addresses-of-key.ts";
export { balance, balanceOfToken } from "./reads/coins/balance.ts";
export { grantDetails, grants } from "./reads/coins/grants.ts";
export { grantPeriods, shownGrant } from "./reads/coins/shown-grant.ts";
export { shownKeySet } from "./reads/coins/shown-key-set.ts";
export { getkey, nonce, VALID_SECONDS_MAX } from "./reads/coins/temporary-key.ts";
export { type ItemMetadata, itemMetadata, unitItemMetadata } from "./reads/item-metadata.ts";
export {
  item,
  items,
  itemsOfAddress,
  project,
  projectMarket,
  projects,
} from "./reads/items/item.ts";
export { listedProject, shownItem, shownProject } from "./reads/items/shown-items.ts";
export { shownPolicy } from "./reads/items/shown-policy.ts";
export type { AnyListRead, ListRead } from "./reads/list-read.ts";
export { itemOffer, itemOffers, unitOffer, unitOffers } from "./reads/offers.ts";
export {
  ORDER_BOOK,
  order,
  orderBook,
  orders,
  orderTrade,
  orderTrades,
  pendingOrders,
} from "./reads/orders/order.ts";
export { shownLevel, shownOrder } from "./reads/orders/shown-orders.ts";
export { provenKeys } from "./reads/proven-entries.ts";
export { seal, seals } from "./reads/seals/seal.ts";
export { shownSeal } from "./reads/seals/shown-seal.ts";
export { shownItemOffer, shownUnitOffer } from "./reads/shown-offers.ts";
export { listedToken, shownToken, shownTokenListing } from "./reads/tokens/shown-tokens.ts";
export {
  CANDLE_STEPS,
  CANDLES_MAX,
  type CandleStep,
  token,
  tokenCandles,
  tokenHolders,
  tokenImageRead,
  tokenListing,
  tokenListings,
  tokens,
  tokenTrades,
  totalSupply,
} from "./reads/tokens/token.ts";
export { heldUnits, shownUnitItem, shownUnitListing } from "./reads/units/shown-units.ts";
export {
  holdersOfItem,
  holdingsOfAddress,
  unitItem,
  unitItems,
  unitListingRead,
  unitListings,
} from "./reads/units/unit-item.ts";
export {
  type Block,
  blockId,
  blockText,
  type Header,
  isHeader,
  NO_BLOCK,
  TIMESTAMP_MAX,
} from "./records/block.ts";
export { type DescribedRecord, describe } from "./records/describe.ts";
export {
  type GroupMember,
  groupId,
  groupText,
  type PlaceInGroup,
} from "./records/group.ts";
export { type MovedRecord, type Movement, movementOf } from "./records/movement.ts";
export { addMove, type Move, type MoveKind, ownMoves, saysTheSame } from "./records/moves.ts";
export { recordParameters } from "./records/named-parameters.ts";
export {
  contentText,
  type LedgerOperation,
  operationText,
  parseOperationText,
} from "./records/operation.ts";
export type { RecordForm } from "./records/record-form.ts";
export { RECORD_PARAMETERS, type RecordParameter } from "./records/record-parameters.ts";
export { type PartText, recordParts } from "./records/record-parts.ts";
export {
  ONLY_BY_NAME,
  RECORD_FORMS,
  RECORD_TYPES,
  type RecordType,
  type RecordValues,
} from "./records/record-types.ts";
export {
  leafText,
  type OperationRecord,
  operationRecords,
  parseTransactionId,
  type RecordPart,
  recordText,
  type TransactionName,
  type TransactionRecord,
  transactionId,
} from "./records/transaction.ts";
export {
  AMOUNT_MAX,
  type Amount,
  addAmounts,
  decimalText,
  isDecimal,
  isRestOfNumber,
  NATIVE_COIN,
  ONE,
  parseAmount,
  readDecimal,
  subtractAmounts,
  type TokenId,
  ZERO,
} from "./text/amount.ts";
export { drawBase62, encodeBase62, littleEndianBase62 } from "./text/base62.ts";
export { encodeBase62Number } from "./text/base62-number.ts";
export { canonicalJson, type Json } from "./text/canonical-json.ts";
export { codePointCount } from "./text/code-points.ts";
export {
  CSV_CONTENT_TYPE,
  csvLine,
  type PeoplesCell,
  peoplesCsvLine,
  signedCsvLine,
} from "./text/csv.ts";
export { itemName, type NamedItem, ownItemName, shortItemNumber } from "./text/item-name.ts";
export { itemNumber, withItemNumber } from "./text/item-number.ts";
export { type JsonNode, JsonTextError } from "./text/json-text.ts";
export { nearest, suggestion } from "./text/nearest.ts";
export { orderCost } from "./text/order-cost.ts";
export { feeOf, NO_RATE, parseRate, type Rate, rateText } from "./text/rate.ts";
export { shortId } from "./text/short-id.ts";
export { localTimeText, readTime, type TimeFault } from "./text/time-text.ts";
export {
  checkpointText,
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  signedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifierKey,
  verifierKeyText,
  verifyCheckpoint,
} from "./tree/checkpoint.ts";
export type { Sha256 } from "./tree/hashing.ts";
export {
  consistencyPath,
  inclusionPath,
  pathFrontier,
  rootOf,
  type Subtrees,
  verifyConsistency,
  verifyInclusion,
} from "./tree/merkle-proof.ts";
export { leafHash, MerkleTree, nodeHash, type SubtreeListener } from "./tree/merkle-tree.ts";
export {
  type EntryProof,
  entryProof,
  entryText,
  provenEntry,
  type StateProof,
} from "./tree/state-proof.ts";
export {
  bitOfPath,
  EMPTY_STATE_TREE,
  type StateLeaf,
  stateLeafHash,
  stateNodeHash,
  statePath,
  stateRoot,
  stateRootAbove,
} from "./tree/state-tree.ts";
export { TILE_HEIGHT, TILE_WIDTH, type TileName, tileNameText } from "./tree/tile.ts";
