export type PublicKeyCode = "3102" | "3103" | "3104" | "3105" | "3106";

/** The sentence repeats no part of the text. Source: accounts §2. */
export class KeyProblem {
  readonly code: PublicKeyCode;
  readonly reason: string;

  constructor(code: PublicKeyCode, reason: string) {
    this.code = code;
    this.reason = reason;
  }
}
