import type { Attempt, VerifyingKey } from "@moneta/ledger/signature-check";

export interface KeyedAttempt {
  readonly key: VerifyingKey;
  readonly attempt: Attempt;
}

export interface AttemptVerifier {
  /** Number of attempts that were verified a second time. */
  readonly verifiedAgain: number;
  /** Whether each of the attempts is valid. */
  fit(attempts: readonly KeyedAttempt[]): readonly boolean[];
}

/** Verifies with the platform's OpenSSL. */
export class PlatformVerifier implements AttemptVerifier {
  readonly verifiedAgain = 0;

  fit(attempts: readonly KeyedAttempt[]): readonly boolean[] {
    return attempts.map(({ key, attempt }) => key.fits(attempt));
  }
}
