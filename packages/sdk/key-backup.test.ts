import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { byLane } from "../ledger/testing/lane.ts";
import { type Curve, SigningKey } from "./index.ts";
import {
  type BackedUpAccount,
  checkKeyBackup,
  KEY_BACKUP_LENGTH_MAX,
  KeyBackupError,
  type KeyBackupFault,
  openKeys,
  sealKeys,
} from "./key-backup.ts";
import backups from "./testing/key-backups.json" with { type: "json" };

// Written earlier, with a single iteration: deriving a key with as many as new files have takes
// most of the CPU.
const PASSPHRASE = backups.passphrase;
const [alice] = backups.one.accounts as [BackedUpAccount & { address: string; ledgerId: string }];
const sealed = JSON.stringify(backups.one.file, null, 2);

async function account(name: string, curve: Curve = "P-256"): Promise<BackedUpAccount> {
  const key = await SigningKey.generate({ curve, extractable: true });
  return { name, curve, privateKeyPem: await key.privateKeyPem() };
}

function rejects(text: string, passphrase: string, fault: KeyBackupFault): Promise<void> {
  return assert.rejects(
    openKeys(text, passphrase),
    (error) => error instanceof KeyBackupError && error.fault === fault && error.message !== "",
    text.slice(0, 200),
  );
}

test("what was sealed is opened again: several accounts, on every curve, with and without address", async () => {
  const accounts = [
    alice,
    await account("貯金 🐷", "P-384"),
    await account("the shop", "P-521"),
    { ...alice, name: "the same key on another ledger", ledgerId: "f".repeat(64) },
  ];
  assert.deepEqual(await openKeys(await sealKeys(accounts, PASSPHRASE), PASSPHRASE), accounts);
  for (const { accounts: kept, file } of [backups.one, backups.several]) {
    assert.deepEqual(await openKeys(JSON.stringify(file), PASSPHRASE), kept, "by earlier programs");
  }
});

test("a file shows its parameters, and nothing of what it holds; no two are alike", async () => {
  const own = await sealKeys([alice], PASSPHRASE);
  const { kdf, cipher, ...file } = JSON.parse(own);
  assert.deepEqual([kdf.name, kdf.hash, cipher.name], ["PBKDF2", "SHA-512", "AES-256-GCM"]);
  assert.ok(kdf.iterations >= 210_000);
  assert.deepEqual([file.kind, file.version], ["moneta key back-up", 1]);
  const secret = alice.privateKeyPem.split("\n")[1] ?? "-";
  for (const text of [own, Buffer.from(file.data, "base64").toString("latin1")]) {
    for (const hidden of [secret, "Alice", alice.address, alice.ledgerId, "PRIVATE KEY"]) {
      assert.ok(!text.includes(hidden), hidden);
    }
  }
  const again = JSON.parse(await sealKeys([alice], PASSPHRASE));
  assert.notEqual(again.kdf.salt, kdf.salt);
  assert.notEqual(again.cipher.iv, cipher.iv);
  assert.notEqual(again.check, file.check);
});

test("a passphrase counts as the same however the keyboard has composed its letters", async () => {
  const decomposed = PASSPHRASE.normalize("NFD");
  assert.notEqual(decomposed, PASSPHRASE);
  assert.deepEqual(await openKeys(sealed, decomposed), [alice]);
});

test("a wrong passphrase is distinguished from a damaged file", async () => {
  for (const wrong of ["", "correct horse", `${PASSPHRASE} `, PASSPHRASE.toUpperCase()]) {
    await rejects(sealed, wrong, "passphrase");
  }
});

test("a changed character anywhere is a damaged file, whatever the passphrase", () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat({ max: sealed.length - 1 }),
      fc.constantFrom(...'aZ09{" '),
      async (at, to) => {
        const changed = sealed.slice(0, at) + to + sealed.slice(at + 1);
        fc.pre(!isSame(changed));
        const opened = openKeys(changed, PASSPHRASE);
        await assert.rejects(opened, (error) => {
          const fault = changed.includes("moneta key back-up") ? "damaged" : "form";
          return error instanceof KeyBackupError && error.fault === fault;
        });
      },
    ),
    { numRuns: byLane({ quick: 20, long: 300 }) },
  ));

/** Whether a text is still the same JSON value. */
function isSame(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(sealed));
  } catch {
    return false;
  }
}

/** The back-up with some members replaced and the checksum that fits, as only an attacker makes it. */
async function forged(change: (file: { readonly kdf: object }) => object): Promise<string> {
  const { checksum: _, ...file } = JSON.parse(sealed);
  const changed = { ...file, ...change(file) };
  const sorted = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value;
  const bytes = new TextEncoder().encode(JSON.stringify(sorted(changed)));
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("base64");
  return JSON.stringify({ ...changed, checksum: digest });
}

test("a forged file costs little, and yields no keys of others", async () => {
  assert.deepEqual(await openKeys(await forged(() => ({})), PASSPHRASE), [alice]);
  for (const [iterations, fault] of [
    [10_000_001, "form"],
    [Number.MAX_SAFE_INTEGER, "form"],
    [0, "damaged"],
    [2, "passphrase"],
  ] as const) {
    const file = await forged(({ kdf }) => ({ kdf: { ...kdf, iterations } }));
    await rejects(file, PASSPHRASE, fault);
  }
  // The header is authenticated, and so is what is encrypted.
  const other = backups.several.file;
  await rejects(await forged(() => ({ cipher: other.cipher })), PASSPHRASE, "damaged");
  await rejects(await forged(() => ({ data: other.data })), PASSPHRASE, "damaged");
  await rejects(await forged(() => ({ check: other.check })), PASSPHRASE, "passphrase");
  await rejects(await forged(() => ({ data: "" })), PASSPHRASE, "damaged");
  await rejects(await forged(() => ({ version: 2 })), PASSPHRASE, "version");
});

test("a file that is no back-up is refused as such", async () => {
  for (const text of ["", "x", "null", "[]", "{}", '{"kind":"x"}', alice.privateKeyPem]) {
    await rejects(text, PASSPHRASE, "form");
  }
  await rejects(`${sealed}${" ".repeat(KEY_BACKUP_LENGTH_MAX)}`, PASSPHRASE, "form");
  const half = sealed.slice(0, sealed.length / 2);
  await rejects(half, PASSPHRASE, "damaged");
  await assert.rejects(checkKeyBackup(half), { name: "KeyBackupError", fault: "damaged" });
  await checkKeyBackup(sealed);
});

test("nothing is sealed that could not be restored", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const other = privateKey.export({ type: "pkcs8", format: "pem" });
  const damaged = alice.privateKeyPem.replace(/\n(....)/, "\nAAAA");
  for (const [wrong, message] of [
    [[], "a back-up has 1 to 1000 accounts"],
    [[{ ...alice, name: "" }], "accounts[0]: name must be a text of 1 to 100 characters"],
    [[alice, { ...alice, address: "MTx" }], "accounts[1]: address must be an address"],
    [[{ ...alice, ledgerId: "x" }], "accounts[0]: ledgerId must be 64 hex digits"],
    [[{ ...alice, curve: "P-384" }], "accounts[0]: privateKeyPem must be PEM"],
    [[{ ...alice, privateKeyPem: damaged }], "accounts[0]: The private key is"],
    [
      [
        {
          ...alice,
          privateKeyPem: other,
        },
      ],
      "accounts[0]: The private key is on none of the curves",
    ],
  ] as [BackedUpAccount[], string][]) {
    await assert.rejects(sealKeys(wrong, PASSPHRASE), (error: Error) => {
      assert.equal(error.name, "TypeError");
      assert.ok(error.message.startsWith(message), error.message);
      return true;
    });
  }
  await assert.rejects(sealKeys([alice], "1234567"), {
    name: "TypeError",
    message: "The passphrase must have 8 to 1000 characters.",
  });
});
