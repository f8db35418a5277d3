import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openingKey, type Seal, seal } from "@moneta/sdk";
import { checkKey } from "./check-key.ts";

const ledgerId = "a".repeat(64);
const key = openingKey("bid 4200");
const bound = { opendate: 1_767_312_000, data: "ciphertext", algorithm: "none" };
const sealed = await seal(
  {
    ...{ ledgerId, owner: "MTAlice00000000000000000000000005dc33c90", referencekey: "bid_1" },
    ...bound,
  },
  key,
);
const shown: Seal = {
  ...{ id: `MRC020_${sealed.owner}_bid_1`, ...sealed, ...bound },
  ...{ createdate: 1_767_300_000, publickey: key, is_open: 1, opened: 1_767_312_001 },
};

test("the key that was sealed makes the keyhash", async () => {
  assert.deepEqual(await checkKey(shown, ledgerId), {
    verdict: "verified",
    computed: shown.keyhash,
  });
});

describe("the keyhash is another one", () => {
  for (const [name, value] of [
    ["publickey", `${key} `],
    ["keyhash", "0".repeat(64)],
    ["owner", "MTBob0000000000000000000000000093b4a3a6"],
    ["referencekey", "bid_2"],
    ["opendate", 1_767_312_001],
    ["algorithm", ""],
    ["data", "ciphertexT"],
  ] as const) {
    test(`with another ${name}`, async () => {
      assert.equal((await checkKey({ ...shown, [name]: value }, ledgerId)).verdict, "wrong");
    });
  }

  test("on another ledger", async () => {
    assert.equal((await checkKey(shown, "b".repeat(64))).verdict, "wrong");
  });
});

test("a key that no ledger accepts is not checked, with the reason", async () => {
  const { verdict, computed } = await checkKey({ ...shown, publickey: "\ud800" }, ledgerId);
  assert.equal(verdict, "unchecked");
  assert.match(computed, /^A key is a text of 1 to 4096 characters/);
});
