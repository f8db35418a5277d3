import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { derivedId } from "./derived-id.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

test("mrc401 §2.1: the example of a project", () =>
  assert.equal(derivedId("MRC400", ALICE, KEY), "MRC400_c7735425f08d740230c98da57e9977dfc"));

test("market §1.1: a listing of tokens has the first 33 digits of SHA-256 of DEX010|creator|tkey", () => {
  const digest = createHash("sha256").update(`DEX010|${ALICE}|${KEY}`).digest("hex");
  assert.equal(derivedId("DEX010", ALICE, KEY), `DEX010_${digest.slice(0, 33)}`);
});

test("market §1.1: an id has 40 characters, and another one for each kind, creator and key", () =>
  fc.assert(
    fc.property(
      fc.constantFrom("DEX010", "MRC400", "MRC402", "DEX402"),
      fc.uniqueArray(fc.stringMatching(/^[0-9A-Za-z]{1,9}$/), { minLength: 2, maxLength: 4 }),
      (kind, [a, b, ...more]) => {
        const parts = [a, b, ...more] as string[];
        const id = derivedId(kind, ...parts);
        assert.match(id, new RegExp(`^${kind}_[0-9a-f]{33}$`));
        assert.equal(id.length, 40);
        assert.notEqual(derivedId(kind, ...parts.toReversed()), id);
        assert.notEqual(derivedId(kind, `${a}x`, ...parts.slice(1)), id);
        assert.notEqual(derivedId(kind === "DEX010" ? "DEX402" : "DEX010", ...parts), id);
      },
    ),
  ));
