export type { Reads } from "./proofs/answers.ts";
export type { ProofOptions } from "./proofs/check-checkpoint.ts";
export { compareKeys, type KeyComparison } from "./proofs/compare-keys.ts";
export type { Check, CheckedCheckpoint, CheckName, ProofReport } from "./proofs/report.ts";
export { verifyBlock } from "./proofs/verify-block.ts";
export { type ShownEntry, verifyEntry } from "./proofs/verify-entry.ts";
export { verifyGrowth } from "./proofs/verify-growth.ts";
export {
  type AskedRead,
  type ProvenState,
  type ReadProofOptions,
  type ReadReport,
  verifyRead,
  verifyResponse,
  verifyShown,
} from "./proofs/verify-read.ts";
export { verifyTransaction, verifyTransactionProof } from "./proofs/verify-transaction.ts";
