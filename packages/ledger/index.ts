export { leafOf } from "./chain/block-builder.ts";
export {
  type Genesis,
  GenesisProblem,
  genesisContent,
  genesisOperations,
  readGenesis,
} from "./chain/genesis.ts";
export { InvalidBlock } from "./chain/invalid-block.ts";
export {
  NEWEST_VERSION,
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  UnknownRules,
  type UnknownVersion,
  unknownVersionFault,
} from "./chain/protocol-version.ts";
export { isRepeat } from "./chain/repeat.ts";
export { type Digest, type SignatureVerdict, VerifyingKey } from "./chain/signature-check.ts";
export type { CheckpointResult } from "./checkpoints.ts";
export { firstDifference } from "./compare-views.ts";
export {
  checkpoint,
  closeWhole,
  commit,
  copyDatabase,
  type Database,
  damageOf,
  failureOf,
  holdOpen,
  immutableName,
  openForCheckpoints,
  openForReading,
  openForWriting,
  openScratch,
  StorageFailure,
  storageFailure,
  takeLock,
} from "./database.ts";
export {
  type DryOperation,
  type DryOutcome,
  type DryResult,
  type DryRun,
  DryRunner,
} from "./dry-runner.ts";
export type { KeyVersions, Outcome, Unit } from "./executor.ts";
export { fileProblem } from "./file-problem.ts";
export { genesisBlock } from "./genesis-block.ts";
export { damagedIndex } from "./index-check.ts";
export { invariant } from "./invariant.ts";
export type { KeyClaim } from "./key-claims.ts";
export {
  checkKeys,
  isFullOnly,
  type KeyChecks,
  keyHolder,
  type ReadOperation,
  type RequiredSignature,
  requiredSignatures,
  temporaryKeysOf,
} from "./ladder.ts";
export { type Attempt, type Execution, Ledger } from "./ledger.ts";
export {
  BehindLog,
  type BlockLog,
  type BlockPlace,
  Diverged,
  type EngineTrouble,
  LogUnavailable,
  ROW_DROPPED,
  type SharedLog,
  type Turn,
  type TurnMeasured,
} from "./log/block-log.ts";
export { type ChangedEntriesOfBlock, changedHashes } from "./log/changed-entries.ts";
export { copyLedger } from "./log/copy-ledger.ts";
export { checkLedgerFile } from "./log/ledger-format.ts";
export { LocalLog } from "./log/local-log.ts";
export {
  EngineUrl,
  type EngineUrlParts,
  EngineUrlProblem,
  withoutPasswords,
} from "./log/postgres/engine-url.ts";
export { SHARED_LENGTH_MAX } from "./log/postgres/row-bounds.ts";
export { writePrunedCopy } from "./log/pruned-copy.ts";
export { NotKept } from "./not-kept.ts";
export { NotYet } from "./not-yet.ts";
export { LedgerReader, type TransactionLeaf } from "./reader.ts";
export type { SignatureClaim } from "./replay.ts";
export { isBeyond, opposite, TRADES_MAX } from "./rules/orders/matching.ts";
export { RULES } from "./rules/registry.ts";
export { choicesOf, type RuledOperation } from "./rules/rule.ts";
export { isOpenPair } from "./rules/tokens/pair.ts";
export { sha256 } from "./sha256.ts";
export type { BalanceEntry } from "./state/balances/balances.ts";
export { BoundedCache } from "./state/bounded-cache.ts";
export {
  type AddressEntry,
  type DocumentKind,
  named,
  PROTOCOL,
  STATE_ROOT,
} from "./state/entries.ts";
export { GRANT } from "./state/grant-entry.ts";
export { derivedId } from "./state/ids/derived-id.ts";
export { itemIds } from "./state/ids/item-ids.ts";
export { ITEM, type Item } from "./state/item-entry.ts";
export { KEY_SET, KEY_USE, keySetOf } from "./state/key-set-entry.ts";
export { ITEM_OFFER, UNIT_OFFER } from "./state/offer-entry.ts";
export { ORDER, type OrderSide } from "./state/order-entry.ts";
export { PROJECT, type Project } from "./state/project-entry.ts";
export { SEAL, sealId } from "./state/seal-entry.ts";
export { type KeepState, keptState } from "./state/tables/earlier-entries.ts";
export type { TokenEntry } from "./state/token-entry.ts";
export { TOKEN_LISTING } from "./state/token-listing-entry.ts";
export { UNIT_ITEM, type UnitItem } from "./state/units/unit-item-entry.ts";
export { unitItemView } from "./state/units/unit-item-view.ts";
export { UNIT_LISTING } from "./state/units/unit-listing-entry.ts";
export { DamagedStateTree } from "./state-tree/damaged-state-tree.ts";
export type { BlockOfRoot, KeptRoot, KeptRoots } from "./state-tree/kept-roots.ts";
export { StateTree } from "./state-tree/state-tree.ts";
export { checkLogEnd } from "./stored-check.ts";
export { SyncFailure, syncFile, syncFolderOf } from "./sync-failure.ts";
export { areTablesCurrent, areTablesMissing, dropTables, refusePruned } from "./tables.ts";
export { TablesFromEntries } from "./tables-from-entries.ts";
export { SYSTEM_TIME, type Time } from "./time.ts";
export { UnusableLedger } from "./unusable-ledger.ts";
export type { DueAuction } from "./views/due-auctions.ts";
export type { Head } from "./views/head.ts";
export type { List } from "./views/lists/list-view.ts";
export type { PlacedTransaction } from "./views/lists/listed-ledger.ts";
export { LISTS } from "./views/lists/lists.ts";
export { orderTradeJson } from "./views/order-trades.ts";
export type { FoundName } from "./views/search.ts";
export { NEVER_TRADED } from "./views/token-markets.ts";
export { tokenView } from "./views/token-view.ts";
export type { LeafTile } from "./views/tree.ts";
