import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { crc32 } from "./crc32.ts";

test("the check value of CRC-32 (IEEE 802.3) is that of its catalogue", () =>
  assert.equal(crc32("123456789"), 0xcbf43926));

test("any ASCII text has the CRC-32 that zlib computes", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) =>
      assert.equal(crc32(text), zlibCrc32(text)),
    ),
  ));
