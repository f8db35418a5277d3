import { type JsonNode, type JsonShape, JsonTextError, parseJsonText } from "../text/json-text.ts";
import { KEYS_MAX } from "./key-set.ts";

/** Source: authority §2.1. */
const SIGNATURES_LENGTH_MAX = 65_536;

/** Source: authority §2.1. */
export interface KeySignature {
  readonly key: number;
  readonly signature: string;
  /** The data that its authenticator signs, base64url. */
  readonly authenticatordata?: string;
  readonly clientdata?: string;
}

export type SignaturesProblem =
  | { readonly code: "1007"; readonly reason: string }
  | { readonly code: "3002" | "3004"; readonly reason: string };

export function isSignatureList(text: string): boolean {
  return text.startsWith("[");
}

const MEMBERS = ["key", "signature", "authenticatordata", "clientdata"] as const;

const SHAPE: JsonShape = {
  kind: "array",
  max: KEYS_MAX,
  items: {
    kind: "object",
    members: new Map(MEMBERS.map((name) => [name, "shallow"])),
  },
};

/** A text that is no JSON array is the signature of key 0. Source: authority §2.1. */
export function parseKeySignatures(text: string): readonly KeySignature[] | SignaturesProblem {
  if (!isSignatureList(text)) {
    return [{ key: 0, signature: text }];
  }
  if (text.length > SIGNATURES_LENGTH_MAX) {
    const reason = `has more than ${SIGNATURES_LENGTH_MAX} characters, the most that signatures may have`;
    return { code: "3002", reason };
  }
  const parsed = parseJsonText(text, { shape: SHAPE });
  if (parsed instanceof JsonTextError) {
    return { code: "1007", reason: parsed.reason };
  }
  if (typeof parsed !== "object" || parsed?.kind !== "array") {
    return { code: "1007", reason: "it is no array" };
  }
  const { items, isCut } = parsed;
  if (items.length === 0 || isCut) {
    return { code: "3002", reason: `must have 1 to ${KEYS_MAX} signatures` };
  }
  const signatures: KeySignature[] = [];
  const places = new Set<number>();
  for (const [index, item] of items.entries()) {
    const read = readSignature(item);
    if (typeof read === "string") {
      return { code: "1007", reason: `of signature ${index} ${read}` };
    }
    if (places.has(read.key)) {
      return { code: "3004", reason: `has two signatures by key ${read.key}` };
    }
    places.add(read.key);
    signatures.push(read);
  }
  return signatures;
}

function readSignature(node: JsonNode): KeySignature | string {
  if (typeof node !== "object" || node?.kind !== "object") {
    return "it is no object";
  }
  const { members, unknownName } = node;
  if (unknownName !== undefined) {
    return `the members are ${MEMBERS.join(", ")} and no others`;
  }
  const place = members.get("key");
  const source = typeof place === "object" && place?.kind === "number" ? place.source : place;
  if (typeof source !== "string" || !/^(0|[1-9][0-9]{0,3})$/.test(source)) {
    return "key is not the place of a key, 0 for the first";
  }
  const texts: { [name: string]: string } = {};
  for (const name of MEMBERS.slice(1)) {
    const member = members.get(name);
    if (member !== undefined) {
      if (typeof member !== "string" || member === "") {
        return `${name} is no text`;
      }
      texts[name] = member;
    }
  }
  const { signature, authenticatordata, clientdata } = texts;
  if (signature === undefined) {
    return "signature is missing";
  }
  if ((authenticatordata === undefined) !== (clientdata === undefined)) {
    return "authenticatordata and clientdata belong together";
  }
  const key = Number(source);
  return authenticatordata === undefined || clientdata === undefined
    ? { key, signature }
    : { key, signature, authenticatordata, clientdata };
}
