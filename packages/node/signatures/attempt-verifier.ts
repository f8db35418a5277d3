import type { Attempt, VerifyingKey } from "@moneta/ledger/signature-check";

export interface KeyedAttempt {
  readonly key: VerifyingKey;
  readonly attempt: Attempt;
}

/** What verifies the attempts of a signature thread. */
export interface AttemptVerifier {
  /** How many attempts were verified a second time. */
  readonly verifiedAgain: number;
  /** Whether each of the attempts fits. */
  fit(attempts: readonly KeyedAttempt[]): readonly boolean[];
}

/** Verifies by the platform's OpenSSL. */
export class PlatformVerifier implements AttemptVerifier {
  readonly verifiedAgain = 0;

  fit(attempts: readonly KeyedAttempt[]): readonly boolean[] {
    return attempts.map(({ key, attempt }) => key.fits(attempt));
  }
}
