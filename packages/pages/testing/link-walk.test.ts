import assert from "node:assert/strict";
import { test } from "node:test";
import { leadOf } from "./link-walk.ts";

const SAFE = { target: "_blank", rel: "noopener noreferrer" };
const PLAIN = { target: "", rel: "" };

for (const [href, node, marks, text, lead] of [
  ["http://127.0.0.1:8/wallet", "http://127.0.0.1:8", PLAIN, "Wallet", "here"],
  ["http://localhost:8/wallet", "http://127.0.0.1:8", PLAIN, "Wallet", "renamed"],
  ["http://[::1]:8/wallet", "http://localhost:8", PLAIN, "Wallet", "renamed"],
  ["http://localhost:9/wallet", "http://127.0.0.1:8", PLAIN, "localhost:9", "unsafe"],
  ["https://localhost:8/wallet", "http://127.0.0.1:8", PLAIN, "localhost:8", "unsafe"],
  ["http://localhost:8/wallet", "http://ledger.example:8", PLAIN, "localhost:8", "unsafe"],
  ["http://localhost.example:8/", "http://127.0.0.1:8", PLAIN, "localhost.example:8", "unsafe"],
  ["https://shop.example/", "http://127.0.0.1:8", SAFE, "shop.example", "out"],
  ["https://shop.example/", "http://127.0.0.1:8", SAFE, "My bank", "unsafe"],
  ["mailto:a@shop.example", "http://127.0.0.1:8", PLAIN, "Mail", "out"],
] as const) {
  test(`from ${node} a link to ${href}, "${text}", target "${marks.target}": ${lead}`, () => {
    assert.equal(leadOf({ href, text, ...marks }, node), lead);
  });
}
