// The parts that proof checks need at run time: neither descriptions nor operations.

export { provenKeys } from "./reads/proven-entries.ts";
export { blockId, type Header, isHeader } from "./records/block.ts";
export {
  leafText,
  parseTransactionId,
  type TransactionName,
} from "./records/transaction.ts";
export { fromBase64, fromHex, toBase64, toHex } from "./text/byte-texts.ts";
export { canonicalJson, type Json } from "./text/canonical-json.ts";
export {
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  type VerifierKey,
  type VerifyEd25519,
  verifierKeyText,
  verifyCheckpoint,
} from "./tree/checkpoint.ts";
export type { Sha256 } from "./tree/hashing.ts";
export { pathFrontier, verifyConsistency, verifyInclusion } from "./tree/merkle-proof.ts";
export { leafHash, MerkleTree } from "./tree/merkle-tree.ts";
export { type EntryProof, provenEntry, type StateProof } from "./tree/state-proof.ts";
export { TILE_WIDTH, tileNameText } from "./tree/tile.ts";
