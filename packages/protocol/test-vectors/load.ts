import authorityJson from "./authority.json" with { type: "json" };
import bundlesJson from "./bundles.json" with { type: "json" };
import chainJson from "./chain.json" with { type: "json" };
import encodingsJson from "./encodings.json" with { type: "json" };
import errorsJson from "./errors.json" with { type: "json" };
import groupsJson from "./groups.json" with { type: "json" };
import idsJson from "./ids.json" with { type: "json" };
import proofsJson from "./proofs.json" with { type: "json" };
import signaturesJson from "./signatures.json" with { type: "json" };
import signedStringsJson from "./signed-strings.json" with { type: "json" };
import type {
  AuthorityVectors,
  BundleVectors,
  ChainVectors,
  EncodingVectors,
  ErrorVectors,
  GroupVectors,
  IdVectors,
  ProofVectors,
  SignatureVectors,
  SignedStringVectors,
} from "./vector-types.ts";

// The test vectors for tests in TypeScript, in Node and browsers. README.md explains each member.

export const signedStringVectors: SignedStringVectors = signedStringsJson as SignedStringVectors;
export const signatureVectors: SignatureVectors = signaturesJson as SignatureVectors;
export const authorityVectors: AuthorityVectors = authorityJson as AuthorityVectors;
export const groupVectors: GroupVectors = groupsJson as GroupVectors;
export const bundleVectors: BundleVectors = bundlesJson;
export const idVectors: IdVectors = idsJson;
export const encodingVectors: EncodingVectors = encodingsJson;
export const chainVectors: ChainVectors = chainJson;
export const proofVectors: ProofVectors = proofsJson;
export const errorVectors: ErrorVectors = errorsJson;

export type {
  AuthorityVector,
  AuthorityVectors,
  BundleVectors,
  ChainVectors,
  EncodingVectors,
  ErrorVectors,
  GroupVector,
  GroupVectors,
  IdVectors,
  KeyName,
  KeyVector,
  ProofVectors,
  RefusedSignature,
  SignatureVector,
  SignatureVectors,
  SignedStringVector,
  SignedStringVectors,
} from "./vector-types.ts";
