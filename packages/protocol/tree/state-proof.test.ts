import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { READS } from "../descriptions.ts";
import { PROVEN_ENTRIES, provenKeys } from "../reads/proven-entries.ts";
import { sha256 } from "../test-vectors/make/sha256.ts";
import { toBase64, toHex } from "../text/byte-texts.ts";
import { type EntryProof, type ProvenEntry, provenEntry } from "./state-proof.ts";
import { bitOfPath, PATH_BITS, stateLeafHash, statePath } from "./state-tree.ts";

const CHAPTER = new URL("../../../docs/specification/proofs.md", import.meta.url);

test("proofs §3.6: the root of §2.1 follows from each entry of the example", () => {
  const [, text = ""] = /```json\n(.*?)```/s.exec(readFileSync(CHAPTER, "utf8")) ?? [];
  const shown = JSON.parse(text) as EntryProof[];
  for (const entry of shown) {
    const { root } = provenEntry(sha256, entry.key, entry) as ProvenEntry;
    assert.equal(
      Buffer.from(root).toString("hex"),
      "98ac3ddf0a4f77eba34485f8a17767eaab4b41c74839e6d540edc1a4875058b4",
    );
  }
  assert.equal(shown.length, 2);
});

/** The first key `count/N` from N on whose path begins with this bit. */
function keyFrom(from: number, bit: number): string {
  const key = `count/${from}`;
  return bitOfPath(statePath(sha256, key), 0) === bit ? key : keyFrom(from + 1, bit);
}

/** A tree of two entries, one on each side; a missing key would be on the left. */
const [LEFT, RIGHT] = [keyFrom(0, 0), keyFrom(0, 1)];
const MISSING = keyFrom(Number(LEFT.slice("count/".length)) + 1, 0);
const leafOf = (key: string) => ({ path: statePath(sha256, key), valueHash: sha256.bytes("1") });
const otherOf = (key: string) => {
  const { path, valueHash } = leafOf(key);
  return { path: toHex(path), hash: toHex(valueHash) };
};
const ZERO_HASH = new Uint8Array(32);
const siblings = [toBase64(stateLeafHash(sha256, leafOf(RIGHT)))];
const PRESENT = { key: LEFT, value: 1, siblings };
const ABSENT = { key: MISSING, value: null, siblings, other: otherOf(LEFT) };

test("proofs §3.1: a value and a missing entry are proven under the same root", () => {
  const [present, absent] = [PRESENT, ABSENT].map((shown) =>
    provenEntry(sha256, shown.key, shown),
  ) as [ProvenEntry, ProvenEntry];
  assert.deepEqual([present.value, absent.value], [1, null]);
  assert.deepEqual(present.root, absent.root);
});

for (const { what, key = LEFT, shown } of [
  { what: "of another key", key: MISSING, shown: PRESENT },
  { what: "with more siblings than bits", shown: { ...PRESENT, siblings: Array(257).fill("") } },
  { what: "with zero bytes written out", shown: { ...PRESENT, siblings: [toBase64(ZERO_HASH)] } },
  { what: "with a sibling of 31 bytes", shown: { ...PRESENT, siblings: ["A".repeat(42)] } },
  { what: "with a value that no entry can have", shown: { ...PRESENT, value: 0.5 } },
  { what: "with value and other", shown: { ...PRESENT, other: otherOf(RIGHT) } },
  {
    what: "that an existing entry is missing, by its own leaf",
    shown: { ...PRESENT, value: null, other: otherOf(LEFT) },
  },
  {
    what: "that an existing entry is missing, by its own leaf at the end of its path",
    shown: { ...PRESENT, value: null, siblings: Array(PATH_BITS).fill(""), other: otherOf(LEFT) },
  },
  {
    what: "that an entry is missing, by a leaf from elsewhere",
    key: MISSING,
    shown: { ...ABSENT, other: otherOf(RIGHT) },
  },
  {
    what: "that an entry is missing, by a leaf in upper case",
    key: MISSING,
    shown: { ...ABSENT, other: { ...ABSENT.other, path: ABSENT.other.path.toUpperCase() } },
  },
]) {
  test(`proofs §3.1: a proof ${what} proves nothing`, () =>
    assert.equal(typeof provenEntry(sha256, key, shown), "string"));
}

test("proofs §3.1: provable reads have all parameters that their keys contain", () => {
  for (const [name, keys] of Object.entries(PROVEN_ENTRIES)) {
    const read = READS.find((one) => one.name === name);
    const params = Object.keys(read?.parameters ?? {}).map((parameter) => [parameter, "x"]);
    assert.equal(provenKeys(name, Object.fromEntries(params))?.length, keys.length, name);
    assert.equal(provenKeys(name, {}), undefined);
  }
  assert.equal(provenKeys("tokens", {}), undefined);
  assert.equal(provenKeys("constructor", {}), undefined);
});
