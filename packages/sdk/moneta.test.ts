import assert from "node:assert/strict";
import { test } from "node:test";
import { Moneta } from "./index.ts";

for (const [url, shown] of [
  [undefined, "undefined"],
  [null, "null"],
  ["", '""'],
  ["127.0.0.1:20922", '"127.0.0.1:20922"'],
  ["ftp://127.0.0.1", '"ftp://127.0.0.1"'],
  [20922, "20922"],
  [{ url: "http://127.0.0.1" }, '{"url":"http://127.0.0.1"}'],
  [[], "[]"],
  [["http://127.0.0.1", "x"], '["http://127.0.0.1","x"]'],
] as const) {
  test(`new Moneta(${url === undefined ? "" : shown}) says what it takes`, () => {
    const message = `new Moneta() takes the URL of a node, such as "http://127.0.0.1:20922", or a list of them, and not ${shown}`;
    assert.throws(() => new Moneta(url as never), { name: "TypeError", message });
  });
}

test("a URL may end with slashes, and may be of HTTPS or have a path", () => {
  assert.equal(new Moneta("http://127.0.0.1:20922//").url, "http://127.0.0.1:20922");
  assert.equal(new Moneta("https://ledger.example/node/").url, "https://ledger.example/node");
});
