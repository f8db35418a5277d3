import assert from "node:assert/strict";
import { test } from "node:test";
import { idVectors } from "@moneta/protocol/test-vectors";
import { openingKey, seal } from "../index.ts";

for (const { ledger_id: ledgerId, key, keyhash, source, ...vector } of idVectors.keyhashes) {
  test(`the keyhash of ${source ?? JSON.stringify(key.slice(0, 20))} is that of the test vectors`, async () => {
    const request = await seal({ ...vector, ledgerId, opendate: Number(vector.opendate) }, key);
    assert.equal(request.keyhash, keyhash);
    assert.ok(!JSON.stringify(request).includes(JSON.stringify(key)), "the key is not in it");
  });
}

test("protocols §5.3: keys have at least 16 random bytes, and no two are the same", () => {
  assert.match(openingKey(), /^[0-9a-f]{64}$/);
  assert.match(openingKey("bid 4200"), /^bid 4200; salt [0-9a-f]{32}$/);
  const keys = Array.from({ length: 1000 }, () => openingKey("bid 4200"));
  assert.equal(new Set(keys).size, 1000);
});

test("a key that could never open anything is refused before it is sealed", async () => {
  const ledgerId = "a".repeat(64);
  const owner = "MTAlice00000000000000000000000005dc33c90";
  const sealing = { ledgerId, owner, referencekey: "x", opendate: 1_767_312_000 };
  for (const key of ["", "a\u0000b", "\ud800", "𝄞".repeat(4097)]) {
    await assert.rejects(seal(sealing, key), TypeError);
  }
  assert.throws(() => openingKey("x".repeat(4090)), TypeError);
  const { keyhash } = await seal(sealing, "𝄞".repeat(4096));
  assert.match(keyhash, /^[0-9a-f]{64}$/);
});
