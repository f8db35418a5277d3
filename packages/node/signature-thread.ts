import { parentPort } from "node:worker_threads";
import { BoundedCache, invariant, type SignatureVerdict, VerifyingKey } from "@moneta/ledger";

// One of the threads that verify signatures. A message is a list of keys, signatures and lists of texts in turn; the answer has a verdict for each three.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;

/** Keys kept ready to verify with; each holds some kilobytes outside of JavaScript's heap. */
const KEYS_MAX = 5000;
const keys: BoundedCache<VerifyingKey> = new BoundedCache(KEYS_MAX);

port.on("message", (claims: readonly (string | readonly string[])[]) => {
  const verdicts: SignatureVerdict[] = [];
  for (let i = 0; i < claims.length; i += 3) {
    const [publicKey, signature, texts] = claims.slice(i, i + 3) as [string, string, string[]];
    verdicts.push(keyOf(publicKey).check(texts, signature));
  }
  port.postMessage(verdicts);
});

function keyOf(publicKey: string): VerifyingKey {
  const known = keys.get(publicKey);
  if (known !== undefined) {
    return known;
  }
  const made = new VerifyingKey(publicKey);
  keys.set(publicKey, made);
  return made;
}
