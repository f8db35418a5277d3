import { randomInt } from "node:crypto";
import type { Attempt, VerifyingKey } from "@moneta/ledger/signature-check";
import { type BatchClaim, claimBatch, type NativeVerifier, Verdict } from "@moneta/native-verifier";
import type { AttemptVerifier, KeyedAttempt } from "./attempt-verifier.ts";
import type { ConfirmedKeys } from "./confirmed-keys.ts";

/** Neither verifier can be trusted. */
export class VerdictDifference extends Error {
  override readonly name: string = "VerdictDifference";
}

/** The platform verifies longer ones: hashing takes longest. */
const MESSAGE_BYTES_MAX = 1 << 20;

/**
 * Repeats a key's first valid signature, points off the curve, and one in `sample`. `fit` throws
 * `VerdictDifference`.
 */
export class SampledNativeVerifier implements AttemptVerifier {
  readonly #native: NativeVerifier;
  readonly #sample: number;
  readonly #confirmed: ConfirmedKeys;
  #verifiedAgain = 0;

  constructor(native: NativeVerifier, sample: number, confirmed: ConfirmedKeys) {
    this.#native = native;
    this.#sample = sample;
    this.#confirmed = confirmed;
  }

  get verifiedAgain(): number {
    return this.#verifiedAgain;
  }

  fit(attempts: readonly KeyedAttempt[]): readonly boolean[] {
    const verdicts = this.#verdictsOn(attempts);
    return attempts.map(({ key, attempt }, position) => {
      const verdict = verdicts[position];
      if (verdict === undefined) {
        return key.fits(attempt);
      }
      const isFit = verdict === Verdict.fits;
      const isNews = isFit ? !this.#confirmed.has(key.point) : verdict === Verdict.noKey;
      if (isNews || randomInt(this.#sample) === 0) {
        this.#confirm(key, attempt, isFit);
      }
      return isFit;
    });
  }

  /** Undefined for attempts that the native verifier does not get. */
  #verdictsOn(attempts: readonly KeyedAttempt[]): readonly (number | undefined)[] {
    const claims: BatchClaim[] = [];
    const positions: number[] = [];
    const all: (number | undefined)[] = [];
    for (const [position, { key, attempt }] of attempts.entries()) {
      const { curve, point } = key;
      const { digest, data: message } = attempt;
      if (message.length > MESSAGE_BYTES_MAX) {
        continue;
      }
      all[position] = Verdict.misfits; // of a signature without values for this curve
      for (const { r, s } of key.valuesOf(attempt)) {
        claims.push({ curve, point, digest, message, r, s });
        positions.push(position);
      }
    }
    const verdicts = this.#native.verify(claimBatch(claims));
    if (verdicts.length !== claims.length) {
      throw new Error(`${verdicts.length} verdicts on ${claims.length} claims`);
    }
    for (const [index, position] of positions.entries()) {
      all[position] = all[position] === Verdict.fits ? Verdict.fits : verdicts[index];
    }
    return all;
  }

  #confirm(key: VerifyingKey, attempt: Attempt, isFit: boolean): void {
    this.#verifiedAgain += 1;
    if (key.fits(attempt) !== isFit) {
      const { digest, data, signature } = attempt;
      const bytes = signature.der ?? signature.raw ?? new Uint8Array(0);
      throw new VerdictDifference(
        `the native verifier ${isFit ? "accepts" : "rejects"} a signature that the platform ${isFit ? "rejects" : "accepts"}: ` +
          `${key.curve} key ${keyText(key.point)}, ${digest}, signature ${Buffer.from(bytes).toString("base64")}, ` +
          `message in base64 ${Buffer.from(data).toString("base64")}. Run with --verifier platform, and report this`,
      );
    }
    if (isFit) {
      this.#confirmed.add(key.point);
    }
  }
}

function keyText(point: Uint8Array | undefined): string {
  return Buffer.from(point ?? []).toString("hex");
}
