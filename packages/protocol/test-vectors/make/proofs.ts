import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { VERIFIER_KEY } from "../../description/examples.ts";
import {
  checkpointText,
  type NoteSignature,
  parseVerifierKey,
  signedNote,
  type VerifierKey,
  verifierKey,
  verifierKeyText,
} from "../../tree/checkpoint.ts";
import { consistencyPath, inclusionPath, rootOf, type Subtrees } from "../../tree/merkle-proof.ts";
import { leafHash, nodeHash } from "../../tree/merkle-tree.ts";
import type { ProofVectors } from "../vector-types.ts";
import { sha256 } from "./sha256.ts";
import { entryVectors, readVectors, stateRoots } from "./state-proofs.ts";

/**
 * Proofs over the tree whose leaf number i is the decimal text of i, checkpoints, and proofs of state
 * entries. Source: chain §12, proofs §2, §3, RFC 6962, C2SP.
 */
export function makeProofs(): ProofVectors {
  return {
    roots: SIZES.map((size) => ({ size, root: base64(root(size)) })),
    inclusion: [...INCLUSIONS.map(([index, size]) => inclusion(index, size)), ...wrongInclusions()],
    consistency: [
      ...CONSISTENCIES.map(([from, to]) => consistency(from, to)),
      ...wrongConsistencies(),
    ],
    verifier_keys: verifierKeys(),
    checkpoints: checkpoints(),
    state_roots: stateRoots(),
    entries: entryVectors(),
    reads: readVectors({ key: FIRST.text, note: noteOf }),
  };
}

const SMALL = [1, 2, 3, 4, 5, 6, 7, 8];
const SIZES = [...SMALL, 15, 16, 17, 255, 256, 257, 1000];
const INCLUSIONS = [
  ...SMALL.flatMap((size) => Array.from({ length: size }, (_, index) => [index, size] as const)),
  ...([
    [0, 17],
    [16, 17],
    [255, 256],
    [255, 257],
    [256, 257],
    [511, 1000],
    [512, 1000],
    [999, 1000],
  ] as const),
];
const CONSISTENCIES = [
  ...SMALL.flatMap((to) => Array.from({ length: to }, (_, before) => [before + 1, to] as const)),
  ...([
    [1, 1000],
    [255, 256],
    [256, 257],
    [256, 1000],
    [257, 1000],
    [512, 1000],
    [999, 1000],
    [1000, 1000],
  ] as const),
];

const subtree: Subtrees = (level, index) =>
  level === 0
    ? leafHash(sha256, String(index))
    : nodeHash(sha256, subtree(level - 1, 2 * index), subtree(level - 1, 2 * index + 1));

function root(size: number): Uint8Array {
  return rootOf(sha256, size, subtree);
}

type Inclusion = ProofVectors["inclusion"][number];
type Consistency = ProofVectors["consistency"][number];

function inclusion(index: number, size: number): Inclusion {
  const path = inclusionPath(sha256, { index, size }, subtree).map(base64);
  const name = `leaf ${index} of ${size}`;
  return { name, leaf: String(index), index, size, root: base64(root(size)), path, valid: true };
}

function consistency(from: number, to: number): Consistency {
  const path = consistencyPath(sha256, { from, to }, subtree).map(base64);
  const name = `from ${from} to ${to}`;
  const [from_root, to_root] = [base64(root(from)), base64(root(to))];
  return { name, from, to, from_root, to_root, path, valid: true };
}

function wrongInclusions(): Inclusion[] {
  const right = inclusion(5, 7);
  const { path } = right;
  return (
    [
      ["another leaf", { leaf: "6" }],
      ["another index", { index: 4 }],
      ["an index beyond the tree", { index: 7 }],
      ["another size", { size: 6 }],
      ["the root of another size", { root: base64(root(6)) }],
      ["one hash less", { path: path.slice(0, -1) }],
      ["one hash more", { path: [...path, path[0] as string] }],
      ["hashes in another order", { path: path.toReversed() }],
      ["one bit changed", { path: [changed(path[0] as string), ...path.slice(1)] }],
      ["no path", { path: [] }],
      ["the root for a leaf", { leaf: "5", index: 0, size: 1, path: [] }],
    ] as const
  ).map(([what, change]) => ({
    ...right,
    ...change,
    name: `${right.name}: ${what}`,
    valid: false,
  }));
}

function wrongConsistencies(): Consistency[] {
  const right = consistency(3, 7);
  const { path, from_root, to_root } = right;
  return (
    [
      ["another old size", { from: 4 }],
      ["another new size", { to: 9 }],
      ["a tree that shrinks", { from: 7, to: 3, from_root: to_root, to_root: from_root }],
      ["another old root", { from_root: base64(root(2)) }],
      ["another new root", { to_root: base64(root(8)) }],
      ["one hash less", { path: path.slice(0, -1) }],
      ["one hash more", { path: [...path, path[0] as string] }],
      ["hashes in another order", { path: path.toReversed() }],
      ["one bit changed", { path: [...path.slice(0, -1), changed(path.at(-1) as string)] }],
      ["no path", { path: [] }],
      ["equal sizes, other roots", { from: 7, path: [] }],
      ["equal sizes, and a path", { from: 7, from_root: to_root }],
    ] as const
  ).map(([what, change]) => ({
    ...right,
    ...change,
    name: `${right.name}: ${what}`,
    valid: false,
  }));
}

const ORIGIN = "ledger.example/main";

/** An Ed25519 key by its seed, hex. */
class Signer {
  readonly seed: string;
  readonly key: VerifierKey;

  constructor(name: string, seed: string) {
    this.seed = seed;
    const { x = "" } = createPublicKey(this.#privateKey()).export({ format: "jwk" });
    this.key = verifierKey(sha256, { name, publicKey: Buffer.from(x, "base64url") });
  }

  get text(): string {
    return verifierKeyText(this.key);
  }

  sign(text: string): NoteSignature {
    const { name, keyId } = this.key;
    return { name, keyId, signature: sign(null, Buffer.from(text), this.#privateKey()) };
  }

  #privateKey(): ReturnType<typeof createPrivateKey> {
    // RFC 8410 puts this head before the seed.
    const der = Buffer.from(`302e020100300506032b657004220420${this.seed}`, "hex");
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  }
}

const FIRST = new Signer(ORIGIN, "01".repeat(32));
const SECOND = new Signer(ORIGIN, "02".repeat(32));
const WITNESS = new Signer("witness.example/w1", "03".repeat(32));

function verifierKeys(): ProofVectors["verifier_keys"] {
  const { text } = FIRST;
  const [name = "", id = "", encoded = ""] = text.split("+");
  const rest = text.slice(name.length + id.length + 2);
  const wrong = (
    [
      ["another id", `${name}+00000000+${rest}`],
      ["an id in upper case", `${name}+${id.toUpperCase()}+${rest}`],
      ["another name", `ledger.example/other+${id}+${rest}`],
      ["no name", `+${id}+${rest}`],
      ["a blank in the name", `ledger.example main+${id}+${rest}`],
      [
        "a key of another kind",
        text.replace(rest, Buffer.from(`02${"11".repeat(32)}`, "hex").toString("base64")),
      ],
      ["a key that is too short", `${name}+${id}+${rest.slice(0, -4)}`],
      ["a line end behind it", `${text}\n`],
      ["nothing", ""],
      ["only a name", encoded === "" ? "" : name],
    ] as const
  ).map(([what, one]) => ({ name: what, text: one, valid: false }));
  return [
    { name: "the first key", text, valid: true, private_seed: FIRST.seed },
    { name: "the second key", text: SECOND.text, valid: true, private_seed: SECOND.seed },
    { name: "a witness", text: WITNESS.text, valid: true, private_seed: WITNESS.seed },
    { name: "the key of the documentation", text: VERIFIER_KEY, valid: true },
    {
      name: "a key of another implementation",
      source: "golang.org/x/mod/sumdb/note, package documentation",
      text: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
      valid: true,
    },
    ...wrong,
  ].map((vector) => {
    if ((parseVerifierKey(sha256, vector.text) !== undefined) !== vector.valid) {
      throw new Error(`verifier key: ${vector.name}`);
    }
    return vector;
  });
}

/** A checkpoint that the first key has signed. */
function noteOf(tree: { readonly size: number; readonly root: Uint8Array }): string {
  const text = checkpointText({ origin: ORIGIN, ...tree });
  return signedNote(text, [FIRST.sign(text)]);
}

type CheckpointVector = ProofVectors["checkpoints"][number];

function checkpoints(): CheckpointVector[] {
  const size = 1000;
  const text = checkpointText({ origin: ORIGIN, size, root: root(size) });
  const note = noteOf({ size, root: root(size) });
  const both = signedNote(text, [SECOND.sign(text), FIRST.sign(text)]);
  const known = { origin: ORIGIN, size, root: base64(root(size)) };
  const right = (name: string, one: string, keys: readonly Signer[]): CheckpointVector => ({
    name,
    note: one,
    keys: keys.map((key) => key.text),
    valid: true,
    ...known,
  });
  const wrong = (
    name: string,
    one: string,
    keys: readonly Signer[] = [FIRST],
  ): CheckpointVector => ({
    name,
    note: one,
    keys: keys.map((key) => key.text),
    valid: false,
  });
  const extended = `${text}an extension line, which means nothing to us\n`;
  const unsigned = (one: string): string => signedNote(one, [FIRST.sign(one)]);
  const halfWrong = signedNote(text, [FIRST.sign(text), SECOND.sign(`${text}x`)]);
  return [
    right("signed by one key", note, [FIRST]),
    right("the key is one of several that are known", note, [SECOND, WITNESS, FIRST]),
    right("signed by an old and a new key, both known", both, [FIRST, SECOND]),
    right("signed by an old and a new key, one known", both, [SECOND]),
    right("signed by a witness, too", signedNote(text, [FIRST.sign(text), WITNESS.sign(text)]), [
      FIRST,
    ]),
    right("an extension line", unsigned(extended), [FIRST]),
    wrong("another size", note.replace("\n1000\n", "\n1001\n")),
    wrong("another root", note.replace(base64(root(size)), base64(root(257)))),
    wrong("another origin", note.replace(ORIGIN, "ledger.example/other")),
    wrong("one bit of the signature changed", changedSignature(note)),
    wrong("signed by another key", signedNote(text, [SECOND.sign(text)])),
    wrong("no key is known", note, []),
    wrong("one of two known keys has signed something else", halfWrong, [FIRST, SECOND]),
    wrong("no signature", `${text}\n`),
    wrong("no empty line", note.replace("\n\n", "\n")),
    wrong("no line end at its end", note.slice(0, -1)),
    wrong("CRLF", note.replaceAll("\n", "\r\n")),
    wrong("a size with a leading zero", unsigned(text.replace("\n1000\n", "\n01000\n"))),
    wrong("a negative size", unsigned(text.replace("\n1000\n", "\n-1000\n"))),
    wrong("a root that is too short", unsigned(text.replace(base64(root(size)), "AAAA"))),
    wrong("a root without padding", unsigned(text.replace("=\n", "\n"))),
    wrong("a hyphen in place of the dash", note.replace("\u2014", "-")),
    wrong("nothing", ""),
  ];
}

function base64(bytes: Uint8Array): string {
  return bytes.toBase64();
}

function changed(text: string): string {
  const bytes = Uint8Array.fromBase64(text);
  bytes[7] = (bytes[7] as number) ^ 1;
  return bytes.toBase64();
}

/** The note with one bit of the last signature changed. */
function changedSignature(note: string): string {
  const encoded = note.trimEnd().split(" ").at(-1) as string;
  return note.replace(encoded, changed(encoded));
}
