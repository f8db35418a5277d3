import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureSource } from "./picture-source.ts";

const CASES = {
  "": "none",
  "data:image/png;base64,AAAA": "inline",
  "DATA:image/svg+xml,%3Csvg/%3E": "inline",
  "data:text/html,<script>": "unloadable",
  "https://a.example/i.png": "remote",
  "https://user:secret@a.example/i.png": "unloadable",
  "http://a.example/i.png": "unloadable",
  "ipfs://b/1": "unloadable",
  "javascript:alert(1)": "unloadable",
  "//a.example/i.png": "unloadable",
  "i.png": "unloadable",
} as const;

for (const [url, kind] of Object.entries(CASES)) {
  test(`the source of ${url || "no URL"} is ${kind}`, () => {
    assert.equal(pictureSource(url).kind, kind);
  });
}

test("a remote picture names the host that would learn of the reader", () => {
  const source = pictureSource("https://A.example:8443/x");
  assert.deepEqual(source, {
    kind: "remote",
    url: "https://a.example:8443/x",
    host: "a.example:8443",
  });
});
