import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { encodeBase62 } from "../text/base62.ts";
import {
  parseTemporaryKey,
  restriction,
  TEMPORARY_KEY_RANDOM_LENGTH,
  TEMPORARY_KEY_TAG_BYTES,
  TEMPORARY_KEY_TAG_LENGTH,
  taggedText,
  untaggedKey,
} from "./temporary-key.ts";

const EXAMPLE = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

test("accounts §7.2: the example is made of its parts", () => {
  const untagged = untaggedKey({ addressNumber: 1, expiry: 1767226200, random: "0123456789" });
  const tag = createHmac("sha256", new Uint8Array(32))
    .update(taggedText("a".repeat(64), "", untagged))
    .digest()
    .subarray(0, TEMPORARY_KEY_TAG_BYTES);
  assert.equal(untagged + encodeBase62(tag, TEMPORARY_KEY_TAG_LENGTH), EXAMPLE);
});

for (const text of [
  ...["", "abc", EXAMPLE.slice(0, 45), `${EXAMPLE}0`, `k${EXAMPLE.slice(1)}`, ` ${EXAMPLE}`],
  ...[`${EXAMPLE}\n`, `${EXAMPLE.slice(0, 45)}-`, `${EXAMPLE.slice(0, 45)}é`],
]) {
  test(`conventions §5.1: ${JSON.stringify(text)} has not the form of a temporary key`, () =>
    assert.equal(parseTemporaryKey(text), undefined));
}

test("printing and parsing are inverse", () =>
  fc.assert(
    fc.property(
      fc.nat(62 ** 7 - 1),
      fc.nat(62 ** 6 - 1),
      fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${TEMPORARY_KEY_RANDOM_LENGTH}}$`)),
      fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${TEMPORARY_KEY_TAG_LENGTH}}$`)),
      (addressNumber, expiry, random, tag) => {
        const untagged = untaggedKey({ addressNumber, expiry, random });
        assert.deepEqual(parseTemporaryKey(untagged + tag), {
          addressNumber,
          expiry,
          random,
          tag,
          untagged,
        });
      },
    ),
  ));

for (const { kind, restrictedTo } of [
  { kind: "multitransfer", restrictedTo: "multitransfer" },
  { kind: "transfer", restrictedTo: "" },
  { kind: "token", restrictedTo: "" },
  { kind: "anything", restrictedTo: "" },
]) {
  test(`accounts §7.1, §7 row 2: kind ${kind} restricts a key to ${restrictedTo || "nothing"}`, () =>
    assert.equal(
      restriction(kind, new Set(["transfer", "token", "multitransfer", "address"])),
      restrictedTo,
    ));
}
