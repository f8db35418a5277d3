import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../description/faults.ts";
import { unsignedOperation } from "../description/operation.ts";
import { optional } from "../description/parameter.ts";
import { text } from "../description/parameters/texts.ts";
import { url } from "../description/parameters/urls.ts";
import { readTexts } from "../description/request-reader.ts";
import { isUrl } from "./url.ts";

for (const { given, page, item = page, image } of [
  { given: "https://example.org/a?b#c", page: true, image: true },
  { given: "http://example.org", page: true, image: true },
  { given: "ipfs://bafy/1.png", page: false, item: true, image: true },
  { given: "ar://bNbA3TEQVL60xlgCcqdz4ZPH/1.json", page: false, item: true, image: true },
  { given: "data:image/png;base64,AAAA", page: false, image: true },
  { given: "data:image/svg+xml,<svg fill='#f00'/>", page: false, image: false },
  { given: "data:image/svg+xml,<svg fill='%23f00'/>", page: false, image: true },
  { given: "data:image/png;base64,AAAA#a", page: false, image: false },
  { given: "ipfs://bafy/1.svg#view", page: false, item: true, image: true },
  { given: "javascript:alert(1)", page: false, image: false },
  { given: "ftp://example.org/", page: false, image: false },
  { given: "/a", page: false, image: false },
  { given: "example.org", page: false, image: false },
  { given: "https://", page: false, image: false },
]) {
  test(`conventions §1.9: ${given} as a page: ${page}, of an item: ${item}, as an image: ${image}`, () =>
    assert.deepEqual(
      [isUrl(given, "page"), isUrl(given, "item"), isUrl(given, "image")],
      [page, item, image],
    ));
}

const described = unsignedOperation({
  name: "described",
  about: "A project, as far as this test needs one.",
  parameters: { name: text({ max: 3 }), home: optional(url({ use: "page", max: 20 }), "") },
  result: { kind: "text", about: "nothing", example: "" },
});

function codeOf(given: Readonly<Record<string, string>>, occasion: "admission" | "replay"): string {
  const request = readTexts(described, given, occasion);
  return request instanceof Refused ? request.fault.code : "read";
}

test("chain §6.4: a URL is checked on admission and not on replay, its length on both", () => {
  const given = { name: "a", home: "no URL" };
  assert.equal(codeOf(given, "admission"), "3005");
  assert.equal(codeOf(given, "replay"), "read");
  const long = { name: "a", home: `https://example.org/${"a".repeat(20)}` };
  assert.equal(codeOf(long, "admission"), "3005");
  assert.equal(codeOf(long, "replay"), "3005");
  assert.equal(codeOf({ name: "a", home: "https://example.org" }, "admission"), "read");
});

test("conventions §1.5: bounds of a text count code points", () => {
  assert.equal(codeOf({ name: "\u{1F600}\u{1F600}\u{1F600}" }, "admission"), "read");
  assert.equal(codeOf({ name: "abcd" }, "admission"), "3005");
});
