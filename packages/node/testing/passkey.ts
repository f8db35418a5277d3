import { createHash, type KeyObject, sign } from "node:crypto";

/** Claims of a test's authenticator that differ from the right ones. */
export interface AssertionChanges {
  readonly client?: Readonly<Record<string, unknown>>;
  readonly clientText?: string;
  readonly flags?: number;
  readonly rpid?: string;
  readonly by?: KeyObject;
}

/** A signature by a passkey, as a parameter's array has it, without the place of the key. */
export interface MadeAssertion {
  readonly signature: string;
  readonly authenticatordata: string;
  readonly clientdata: string;
}

/**
 * Signs a text as an authenticator and a browser do, by W3C Web Authentication, without our code:
 * present and verified by default, at `https://` and the domain.
 */
export function assertionOf(
  text: string,
  key: { readonly privateKey: KeyObject; readonly rpid: string },
  changes: AssertionChanges = {},
): MadeAssertion {
  const client = {
    type: "webauthn.get",
    challenge: createHash("sha256").update(text).digest("base64url"),
    origin: `https://${key.rpid}`,
    crossOrigin: false,
    ...changes.client,
  };
  const clientData = Buffer.from(changes.clientText ?? JSON.stringify(client));
  const authenticatorData = Buffer.concat([
    createHash("sha256")
      .update(changes.rpid ?? key.rpid)
      .digest(),
    Buffer.from([changes.flags ?? 0x05, 0, 0, 0, 1]),
  ]);
  const signed = Buffer.concat([
    authenticatorData,
    createHash("sha256").update(clientData).digest(),
  ]);
  return {
    signature: sign("sha256", signed, changes.by ?? key.privateKey).toString("base64url"),
    authenticatordata: authenticatorData.toString("base64url"),
    clientdata: clientData.toString("base64url"),
  };
}
