import { randomInt } from "node:crypto";
import type { Attempt, VerifyingKey } from "@moneta/ledger/signature-check";
import { type BatchClaim, claimBatch, type NativeVerifier, Verdict } from "@moneta/native-verifier";
import type { AttemptVerifier, KeyedAttempt } from "./attempt-verifier.ts";
import type { ConfirmedKeys } from "./confirmed-keys.ts";

/** Two verifiers differ about a signature: none of them can be believed. */
export class VerdictDifference extends Error {
  override readonly name: string = "VerdictDifference";
}

/**
 * Verifies by the native verifier, and a part of that again by the platform: the first signature
 * that fits a key, and one in `sample` of all, chosen by chance. `fit` throws `VerdictDifference`.
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
    const fits = this.#fitNatively(attempts);
    for (const [position, { key, attempt }] of attempts.entries()) {
      const isFit = fits[position] as boolean;
      if ((isFit && !this.#confirmed.has(key.point)) || randomInt(this.#sample) === 0) {
        this.#confirm(key, attempt, isFit);
      }
    }
    return fits;
  }

  #fitNatively(attempts: readonly KeyedAttempt[]): boolean[] {
    const claims: BatchClaim[] = [];
    const positions: number[] = [];
    for (const [position, { key, attempt }] of attempts.entries()) {
      const { curve, point } = key;
      const { digest, data: message } = attempt;
      for (const { r, s } of key.valuesOf(attempt)) {
        claims.push({ curve, point, digest, message, r, s });
        positions.push(position);
      }
    }
    const verdicts = this.#native.verify(claimBatch(claims));
    if (verdicts.length !== claims.length) {
      throw new Error(`${verdicts.length} verdicts on ${claims.length} claims`);
    }
    const fits = attempts.map(() => false);
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict === Verdict.noKey) {
        throw new Error(`a key that has been accepted is no key: ${keyText(claims[index]?.point)}`);
      }
      if (verdict === Verdict.fits) {
        fits[positions[index] as number] = true;
      }
    }
    return fits;
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
