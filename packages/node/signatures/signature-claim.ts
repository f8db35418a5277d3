import { InvalidBlock, type SignatureClaim } from "@moneta/ledger";
import type { SignaturePool } from "./signature-pool.ts";

/**
 * Checks a signature of a block. Returns what is wrong with the block if it does not fit. Source:
 * chain §6.5.
 */
export async function checkClaim(
  signatures: SignaturePool,
  claim: SignatureClaim,
): Promise<InvalidBlock | undefined> {
  const { publicKey, signedTexts: texts, signature } = claim;
  return typeof (await signatures.check({ publicKey, texts, signature })) === "number"
    ? undefined
    : new InvalidBlock(claim, "its signature does not fit the signed string and its actor's key");
}
