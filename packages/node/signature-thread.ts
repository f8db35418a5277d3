import { parentPort } from "node:worker_threads";
import { SignatureChecker, type SignatureVerdict } from "@moneta/ledger/signature-check";

// One of the threads that verify signatures. A message is a list of keys, signatures and lists of texts in turn; the answer has a verdict for each three.
const port = parentPort;
if (port === null) {
  throw new Error("this file runs as a worker");
}
const checker = new SignatureChecker();

port.on("message", (claims: readonly (string | readonly string[])[]) => {
  const verdicts: SignatureVerdict[] = [];
  for (let i = 0; i < claims.length; i += 3) {
    const [publicKey, signature, texts] = claims.slice(i, i + 3) as [string, string, string[]];
    verdicts.push(checker.check(publicKey, texts, signature));
  }
  port.postMessage(verdicts);
});
