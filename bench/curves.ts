import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export const CURVES = {
  p256: { title: "P-256", namedCurve: "prime256v1", digest: "sha256" },
  p384: { title: "P-384", namedCurve: "secp384r1", digest: "sha384" },
  p521: { title: "P-521", namedCurve: "secp521r1", digest: "sha512" },
} as const;

export type Curve = keyof typeof CURVES;

export interface KeyPair {
  readonly curve: Curve;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export function makeKeyPair(curve: Curve): KeyPair {
  return { curve, ...generateKeyPairSync("ec", { namedCurve: CURVES[curve].namedCurve }) };
}

export function signText(key: KeyPair, text: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    sign(CURVES[key.curve].digest, bytes, key.privateKey, (error, signature) => {
      if (error) {
        reject(error);
      } else {
        resolve(signature);
      }
    });
  });
}
