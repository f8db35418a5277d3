import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readPublicKey } from "./key-file.ts";
import { programSigner } from "./signing-program.ts";

const folder = mkdtempSync(join(tmpdir(), "signer-"));
after(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode });
  return file;
}

/** Lines for Node.js that have the private key and standard input. */
function program(name: string, lines: string): string {
  const start = `#!${process.execPath}\n`;
  const read = `const { sign, createPrivateKey } = require("node:crypto");
const { readFileSync } = require("node:fs");
const key = createPrivateKey(readFileSync(${JSON.stringify(privateFile)}));
const text = readFileSync(0);
`;
  return written(name, start + read + lines, 0o700);
}

const pair = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
const privateFile = written(
  "key.pem",
  pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
);
const publicFile = written(
  "public.pem",
  pair.publicKey.export({ type: "spki", format: "pem" }) as string,
);
const key = readPublicKey(publicFile, {});
const TEXT = new TextEncoder().encode("signed text");

test("a program signs instead of a private key, as DER or r and s", async () => {
  for (const [dsaEncoding, length] of [
    ["der", 100],
    ["ieee-p1363", 96],
  ] as const) {
    const lines = `process.stdout.write(sign("sha384", text, { key, dsaEncoding: "${dsaEncoding}" }))`;
    const signature = await programSigner(program(dsaEncoding, lines), key).sign(TEXT);
    assert.ok(signature instanceof Uint8Array && Math.abs(signature.length - length) <= 6);
  }
});

for (const [name, lines, says] of [
  [
    "silent",
    "",
    /wrote no signature by the key in .*public\.pem: it must be DER or r‖s, with sha384/,
  ],
  ["other", 'process.stdout.write(sign("sha256", text, key))', /wrote no signature by the key/],
  ["failing", "process.exit(3)", /did not sign: it ended with 3$/],
  ["killed", "process.kill(process.pid)", /did not sign: it ended with SIGTERM$/],
  ["endless", 'process.stdout.write("x".repeat(4096))', /did not sign: .*ENOBUFS/],
] as const) {
  test(`a program that is ${name} signs nothing, and the message names it`, () =>
    assert.throws(() => programSigner(program(name, lines), key).sign(TEXT), {
      name: "WrongUse",
      message: says,
    }));
}

test("a missing program is named", () =>
  assert.throws(() => programSigner(join(folder, "none"), key).sign(TEXT), {
    name: "WrongUse",
    message: /none did not sign: .*ENOENT/,
  }));
