import { parentPort, workerData } from "node:worker_threads";
import type { VerifyingKey } from "@moneta/ledger/signature-check";
import { type Attempt, type Checked, SignatureChecker } from "@moneta/ledger/signature-check";
import { type AttemptVerifier, PlatformVerifier } from "./attempt-verifier.ts";
import type { SentClaim, SignatureThreadData, Verified } from "./signature-messages.ts";

// The reply to a message has a verdict for each claim.
const port = parentPort;
if (port === null) {
  throw new Error("this file runs as a worker");
}
/** The native verifier's parsed keys take up to twice as much. */
const NATIVE_KEY_BYTES_MAX = 8 << 20;

const checker = new SignatureChecker();
const verifier = await verifierFor(workerData as SignatureThreadData);
port.on("message", (claims: readonly SentClaim[]) => port.postMessage(verifyAll(claims)));

interface Open {
  readonly position: number;
  readonly key: VerifyingKey;
  readonly attempts: Generator<Attempt, Checked, boolean>;
  attempt: Attempt;
}

/** Each round verifies one attempt of every open claim. */
function verifyAll(claims: readonly SentClaim[]): Verified {
  const verified: Verified = { verdicts: [], digests: [], verifications: 0, again: 0 };
  const againBefore = verifier.verifiedAgain;
  let open: Open[] = [];
  const take = (position: number, key: VerifyingKey, { verdict, digest }: Checked): void => {
    verified.verdicts[position] = verdict;
    verified.digests[position] = digest === key.ownDigest ? undefined : digest;
  };
  for (const [position, [publicKey, signature, texts, likely, search, exact]] of claims.entries()) {
    const key = checker.keyOf(publicKey);
    if (key === undefined) {
      verified.verdicts[position] = "misfits";
      continue;
    }
    const all =
      search === undefined
        ? texts
        : texts.map((choice) => `${search.before}${choice}${search.after}`);
    const attempts = key.attempts(all, signature, { likely, rank: search?.rank, exact });
    const first = attempts.next();
    if (first.done === true) {
      take(position, key, first.value);
    } else {
      open.push({ position, key, attempts, attempt: first.value });
    }
  }
  while (open.length > 0) {
    const fits = verifier.fit(open);
    verified.verifications += open.length;
    open = open.filter((claim, index) => {
      const next = claim.attempts.next(fits[index] as boolean);
      if (next.done === true) {
        take(claim.position, claim.key, next.value);
        return false;
      }
      claim.attempt = next.value;
      return true;
    });
  }
  verified.again = verifier.verifiedAgain - againBefore;
  return verified;
}

/** Loaded only if chosen, because every start waits for these threads. */
async function verifierFor({
  verifier: chosen,
  confirmed,
}: SignatureThreadData): Promise<AttemptVerifier> {
  if (chosen.name === "platform") {
    return new PlatformVerifier();
  }
  const { loadAddon } = await import("@moneta/native-verifier");
  const { SampledNativeVerifier } = await import("./sampled-native-verifier.ts");
  const { ConfirmedKeys } = await import("./confirmed-keys.ts");
  const native = loadAddon(chosen.addon, NATIVE_KEY_BYTES_MAX);
  return new SampledNativeVerifier(native, chosen.sample, new ConfirmedKeys(confirmed));
}
