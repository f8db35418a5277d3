import { type Seal, seal } from "@moneta/sdk";

/** `computed` is the key's hash, or why it could not be computed. */
export interface CheckedKey {
  readonly verdict: "verified" | "wrong" | "unchecked";
  readonly computed: string;
}

/** Unchecked without WebCrypto, as over plain HTTP. Source: protocols §5.2. */
export async function checkKey(shown: Seal, ledgerId: string): Promise<CheckedKey> {
  const { owner, referencekey, opendate, algorithm, data, keyhash, publickey } = shown;
  const sealing = { ledgerId, owner, referencekey, opendate, algorithm, data };
  try {
    const { keyhash: computed } = await seal(sealing, publickey);
    return { verdict: computed === keyhash ? "verified" : "wrong", computed };
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    return { verdict: "unchecked", computed: error.message };
  }
}
