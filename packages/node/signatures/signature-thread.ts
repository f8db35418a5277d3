import { parentPort } from "node:worker_threads";
import { SignatureChecker } from "@moneta/ledger/signature-check";
import type { SentClaim, Verified } from "./signature-messages.ts";

// A signature thread. Its answer to a message has a verdict for each claim.
const port = parentPort;
if (port === null) {
  throw new Error("this file runs as a worker");
}
const checker = new SignatureChecker();

port.on("message", (claims: readonly SentClaim[]) => {
  const verified: Verified = { verdicts: [], digests: [], verifications: 0 };
  for (const [publicKey, signature, texts, likely, search] of claims) {
    const key = checker.keyOf(publicKey);
    const before = key.verifications;
    const all =
      search === undefined
        ? texts
        : texts.map((choice) => `${search.before}${choice}${search.after}`);
    const verdict = key.check(all, signature, { likely, rank: search?.rank });
    verified.verdicts.push(verdict);
    const isUnusual = typeof verdict === "number" && key.lastDigest !== key.ownDigest;
    verified.digests.push(isUnusual ? key.lastDigest : undefined);
    verified.verifications += key.verifications - before;
  }
  port.postMessage(verified);
});
