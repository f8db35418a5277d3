import {
  type Address,
  type AddressKey,
  assertedBytes,
  challengeOf,
  type KeySet,
  type KeySignature,
  parseKeySignatures,
  Refused,
  refuse,
  type Signer,
  type Texts,
  weightOfKeys,
} from "@moneta/protocol";
import { sha256 } from "./sha256.ts";
import type { KeySetEntry } from "./state/key-set-entry.ts";

export interface KeyClaim {
  readonly parameter: string;
  readonly publicKey: string;
  /** The signature must be of one of these texts. */
  readonly signedTexts: readonly string[];
  readonly signature: string;
  /**
   * Encoding of the texts, for the digest of the curve's own size. Otherwise UTF-8 and any digest.
   * Source: authority §2.2.
   */
  readonly exact?: "utf8" | "latin1";
  readonly isProof?: true;
  readonly refused?: Refused;
}

/** The keys that recover an address; none if it has no recovery. Source: authority §4.1. */
export function recoveryKeys(entry: KeySetEntry | undefined): KeySet {
  return { keys: entry?.recoverykeys ?? [], threshold: entry?.recoverythreshold ?? 1 };
}

interface Signing {
  readonly address: Address;
  readonly signedTexts: readonly string[];
  readonly signatures: Texts;
  readonly keys: KeySet;
  readonly newKeys: KeySet | undefined;
}

/**
 * The signatures to verify, in order. Refused with 3005 for an unknown key, 2011 for too little
 * weight, 2010 (2012 for a proof) for an assertion of another request. Source: authority §1.3, §2,
 * §3.
 */
export function keyClaims(
  { signature, proof }: Pick<Signer, "signature" | "proof">,
  { newKeys, ...signing }: Signing,
): readonly [KeyClaim, ...KeyClaim[]] | Refused {
  const own = claimsIn(signature, signing);
  if (own instanceof Refused || proof === undefined || newKeys === undefined) {
    return own;
  }
  const proofs = claimsIn(proof, { ...signing, keys: newKeys });
  if (proofs instanceof Refused) {
    const refused = asProof(proofs, proof);
    if (refused.fault.code !== "2012") {
      return refused;
    }
    const last = own.length - 1;
    return own.map((claim, index) =>
      index === last ? { ...claim, refused } : claim,
    ) as unknown as typeof own;
  }
  return [...own, ...proofs.map((claim): KeyClaim => ({ ...claim, isProof: true }))];
}

/** Faults of a proof's signatures are 2012. Source: authority §1.3. */
function asProof(refused: Refused, proof: string): Refused {
  const { fault } = refused;
  if (fault.code === "2011") {
    const reason = `weighs ${fault.given}, but the new keys need weight ${fault.needed}`;
    return refuse({ code: "2012", parameter: proof, reason });
  }
  return fault.code === "2010" && "reason" in fault
    ? refuse({ code: "2012", parameter: fault.parameter, reason: `does not fit: ${fault.reason}` })
    : refused;
}

function claimsIn(
  parameter: string,
  { address, signedTexts, signatures, keys: set }: Omit<Signing, "newKeys">,
): readonly [KeyClaim, ...KeyClaim[]] | Refused {
  const text = signatures[parameter] ?? "";
  const { keys, threshold } = set;
  const given = parseKeySignatures(text);
  if ("code" in given) {
    return refuse({ ...given, parameter });
  }
  const isList = given.length > 1 || given[0]?.signature !== text;
  const nameOf = (index: number): string => (isList ? `${parameter}[${index}]` : parameter);
  const unknown = given.findIndex(({ key }) => key >= keys.length);
  if (unknown !== -1) {
    const reason =
      keys.length === 0
        ? `is by a recovery key, but ${address} has no recovery`
        : `is by key ${given[unknown]?.key}, but the keys of ${address} have the places 0 to ${keys.length - 1}`;
    return refuse({ code: "3005", parameter: nameOf(unknown), reason });
  }
  const weight = weightOfKeys(given.map(({ key }) => keys[key] as AddressKey));
  if (weight < threshold) {
    return refuse({
      ...{ code: "2011", parameter, actor: address, needed: threshold, given: weight },
    });
  }
  let challenge: string | undefined;
  const claims: KeyClaim[] = [];
  for (const [index, one] of given.entries()) {
    const key = keys[one.key] as AddressKey;
    const name = nameOf(index);
    const claim =
      key.kind === "raw"
        ? rawClaim(one, { key, signedTexts, isList })
        : passkeyClaim(
            one,
            key,
            () => (challenge ??= challengeOf(signedTexts[0] ?? "", sha256.bytes)),
          );
    if (typeof claim === "string") {
      return refuse({ code: "2010", parameter: name, reason: claim });
    }
    claims.push({ ...claim, parameter: name });
  }
  // Keys of dearer curves are longer.
  return claims.toSorted((a, b) => a.publicKey.length - b.publicKey.length) as [
    KeyClaim,
    ...KeyClaim[],
  ];
}

function rawClaim(
  { signature, clientdata }: KeySignature,
  {
    key: { publickey: publicKey },
    signedTexts,
    isList,
  }: {
    readonly key: AddressKey;
    readonly signedTexts: readonly string[];
    readonly isList: boolean;
  },
): Omit<KeyClaim, "parameter"> | string {
  if (clientdata !== undefined) {
    return "it has the data of a passkey, but the key is none";
  }
  const claim = { publicKey, signedTexts, signature };
  return isList ? { ...claim, exact: "utf8" } : claim;
}

function passkeyClaim(
  { signature, authenticatordata, clientdata }: KeySignature,
  key: AddressKey,
  challenge: () => string,
): Omit<KeyClaim, "parameter"> | string {
  if (authenticatordata === undefined || clientdata === undefined) {
    return "the key is a passkey, so the signature is an array of objects with key, signature, authenticatordata and clientdata";
  }
  const assertion = { authenticatordata, clientdata, signature };
  const bytes = assertedBytes(assertion, { key, challenge: challenge(), sha256: sha256.bytes });
  return typeof bytes === "string"
    ? bytes
    : {
        publicKey: key.publickey,
        signedTexts: [Buffer.from(bytes).toString("latin1")],
        signature,
        exact: "latin1",
      };
}
