/** Why a text is no public key. Source: accounts §2. */
export type PublicKeyCode = "3102" | "3103" | "3104" | "3105" | "3106";

/** What is wrong with a text that is no public key, in a sentence without a part of the text. */
export class KeyProblem {
  readonly code: PublicKeyCode;
  readonly reason: string;

  constructor(code: PublicKeyCode, reason: string) {
    this.code = code;
    this.reason = reason;
  }
}
