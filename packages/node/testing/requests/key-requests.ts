import type { KeyObject } from "node:crypto";
import { type AssertionChanges, assertionOf } from "../passkey.ts";
import {
  type Answered,
  type KeyHolder,
  newKey,
  type Params,
  publicPem,
  signatureOf,
  type TestNode,
} from "../test-node.ts";

export const RPID = "wallet.example";

export interface Key {
  readonly privateKey: KeyObject;
  readonly weight?: number;
  readonly rpid?: string;
  readonly verified?: boolean;
}

export interface Keys {
  readonly keys: readonly Key[];
  readonly threshold: number;
}

export function raw(weight = 1, curve: Parameters<typeof newKey>[0] = "prime256v1"): Key {
  return { privateKey: newKey(curve), weight };
}

export function passkey(): Required<Pick<Key, "privateKey" | "rpid">> {
  return { privateKey: newKey(), rpid: RPID };
}

export function keyJson({ privateKey, rpid, verified, weight = 1 }: Key): object {
  const publickey = publicPem(privateKey);
  return rpid === undefined
    ? { publickey, weight }
    : {
        publickey,
        weight,
        kind: "webauthn",
        rpid,
        ...(verified === undefined ? {} : { verified }),
      };
}

/** The full signed string of an operation's parameters. Source: conventions §4.5. */
export function signedText({ ledgerId }: TestNode, operation: string, params: Params): string {
  const present = Object.entries(params).filter(([, text]) => text !== "");
  const sorted = Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `moneta|1|${ledgerId}|${operation}|${JSON.stringify(sorted)}`;
}

export function signaturesOf(text: string, signers: readonly (readonly [number, Key])[]): string {
  return JSON.stringify(signers.map(([key, one]) => ({ key, ...signatureBy(text, one) })));
}

export function signatureBy(
  text: string,
  { privateKey, rpid }: Key,
  changes?: AssertionChanges,
): object {
  const curve = privateKey.asymmetricKeyDetails?.namedCurve;
  const digest = curve === "secp521r1" ? "sha512" : curve === "secp384r1" ? "sha384" : "sha256";
  return rpid === undefined
    ? { signature: signatureOf(text, { privateKey }, { digest }) }
    : assertionOf(text, { privateKey, rpid }, changes);
}

export function allOf({ keys }: Keys): readonly (readonly [number, Key])[] {
  return keys.map((key, index) => [index, key]);
}

/** Sends a change of keys, signed by some of the present ones and proven by all new ones. */
export async function changeKeys(
  node: TestNode,
  address: string,
  { keys, threshold }: Keys,
  by: readonly (readonly [number, Key])[],
  {
    operation = "addresskeys",
    path = `/address/keys/${address}`,
    version = 1,
    more = {},
    proof,
  }: {
    readonly operation?: string;
    readonly path?: string;
    readonly version?: number;
    readonly more?: Params;
    readonly proof?: (text: string) => string;
  } = {},
): Promise<Answered> {
  const params: Params = {
    address,
    keys: JSON.stringify(keys.map(keyJson)),
    threshold: String(threshold),
    version: String(version),
    tkey: await node.key({ address } as KeyHolder),
    signed: "full",
    ...more,
  };
  const text = signedText(node, operation, params);
  const { address: _, ...body } = params;
  return await node.post(path, {
    ...body,
    signature: signaturesOf(text, by),
    proof: proof?.(text) ?? signaturesOf(text, allOf({ keys, threshold })),
  });
}

/** Sends a payment of 1 coin with these signatures of it. */
export async function pay(
  node: TestNode,
  from: string,
  sign: (text: string) => string,
  to = node.treasury.address,
): Promise<Answered> {
  const params: Params = {
    ...{ from, to, token: "0", amount: "1" },
    ...{ checkkey: await node.key({ address: from } as KeyHolder), signed: "full" },
  };
  return await node.post("/transfer", {
    ...params,
    signature: sign(signedText(node, "transfer", params)),
  });
}

export function payBy(
  node: TestNode,
  from: string,
  signers: readonly (readonly [number, Key])[],
  to?: string,
): Promise<Answered> {
  return pay(node, from, (text) => signaturesOf(text, signers), to);
}

/** Keys with the places that they claim to have. */
export type By = readonly (readonly [place: number, key: Key])[];

export interface SignedBy {
  readonly operation: string;
  readonly path: string;
  readonly params: Params;
  readonly inPath?: string;
  readonly by: By;
  readonly proof?: By;
}

/** Sends an operation of an address with signatures by any given keys. */
export async function sendBy(
  node: TestNode,
  address: string,
  { operation, path, params, inPath, by, proof }: SignedBy,
): Promise<Answered> {
  const keyName = operation === "transfer" ? "checkkey" : "tkey";
  const tkey = await node.key({ address } as KeyHolder);
  const sent: Params = { ...params, [keyName]: tkey, signed: "full" };
  const text = signedText(node, operation, sent);
  const [[place, key] = []] = by;
  const isPlain = by.length === 1 && place === 0 && key?.rpid === undefined && key !== undefined;
  const body = Object.entries(sent).filter(([name]) => name !== inPath);
  return await node.post(path, {
    ...Object.fromEntries(body),
    signature: isPlain ? signatureOf(text, key) : signaturesOf(text, by),
    ...(proof === undefined ? {} : { proof: signaturesOf(text, proof) }),
  });
}
