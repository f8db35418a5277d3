import type { Attempt, VerifyingKey } from "@moneta/ledger/signature-check";

export interface KeyedAttempt {
  readonly key: VerifyingKey;
  readonly attempt: Attempt;
}

export interface AttemptVerifier {
  readonly verifiedAgain: number;
  fit(attempts: readonly KeyedAttempt[]): readonly boolean[];
}

export class PlatformVerifier implements AttemptVerifier {
  readonly verifiedAgain = 0;

  fit(attempts: readonly KeyedAttempt[]): readonly boolean[] {
    return attempts.map(({ key, attempt }) => key.fits(attempt));
  }
}
