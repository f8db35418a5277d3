import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { TemporaryDirectory } from "../../node/testing/temporary-directory.ts";
import { chooseAddress } from "./chosen-address.ts";
import { writeJson } from "./durable-file.ts";

const KEY = "-----BEGIN PRIVATE KEY-----";

function withLinks(folder: string, ...links: readonly string[]): string {
  const key = join(folder, "key.pem");
  writeFileSync(key, KEY);
  for (const link of links) {
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(key, join(folder, link));
  }
  return key;
}

test("a file is not written through a link that another user has put next to it", () => {
  using folder = new TemporaryDirectory("links");
  const key = withLinks(folder.path, "swap.json.part", "swap.json");
  const file = join(folder.path, "swap.json");
  writeJson(file, { a: 1 });
  assert.equal(readFileSync(key, "utf8"), KEY);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { a: 1 });
  assert.ok(lstatSync(file).isFile(), "the file itself is no link either");
  assert.deepEqual(readdirSync(folder.path).sort(), ["key.pem", "swap.json", "swap.json.part"]);
});

test("nor is the choice of an address, which only its user can read", () => {
  using folder = new TemporaryDirectory("links");
  const choice = { fingerprint: "f", ledgerId: "a".repeat(64) };
  const file = join("moneta", "addresses", "f", choice.ledgerId);
  const key = withLinks(folder.path, `${file}.${process.pid}.part`);
  chooseAddress(choice, "MT1", { XDG_CONFIG_HOME: folder.path });
  assert.equal(readFileSync(key, "utf8"), KEY);
  assert.equal(readFileSync(join(folder.path, file), "utf8"), "MT1\n");
  assert.equal(statSync(join(folder.path, file)).mode & 0o777, 0o600);
});

test("what cannot be written leaves nothing behind", () => {
  using folder = new TemporaryDirectory("links");
  const file = join(folder.path, "swap.json");
  mkdirSync(join(file, "in the way"), { recursive: true });
  assert.throws(() => writeJson(file, {}), { name: "WrongUse", message: /cannot be written/ });
  assert.deepEqual(readdirSync(folder.path), ["swap.json"]);
});
