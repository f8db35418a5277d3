import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { READS } from "../descriptions.ts";
import { PROVEN_ENTRIES, provenKeys } from "../reads/proven-entries.ts";
import { sha256 } from "../test-vectors/make/sha256.ts";
import { type EntryProof, type ProvenEntry, provenEntry } from "./state-proof.ts";

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
