import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type AddressKey, ALICE, explain, Refused } from "@moneta/protocol";
import { authorityVectors, idVectors, signatureVectors } from "@moneta/protocol/test-vectors";
import { keyClaims } from "../key-claims.ts";
import { derivedId } from "../state/ids/derived-id.ts";
import { itemIds } from "../state/ids/item-ids.ts";
import { SignatureChecker, type SignatureVerdict } from "./signature-check.ts";

// Vectors of signatures and ids agree with the ledger.

const checker = new SignatureChecker();

function verdict(key: string, text: string, signature: string): SignatureVerdict {
  const { public_key_body: body = "" } =
    signatureVectors.keys.find(({ name }) => name === key) ?? {};
  return checker.check(body, [text], signature);
}

for (const vector of signatureVectors.valid) {
  test(`conventions §4.3, §4.4: ${vector.name}: every form fits, and fits no other text`, () => {
    const { key, text, der, der_base64url, raw, raw_base64url, other_der, other_raw } = vector;
    for (const signature of [der, der_base64url, raw, raw_base64url, other_der, other_raw]) {
      assert.equal(verdict(key, text, signature), 0);
      assert.equal(verdict(key, `${text} `, signature), "misfits");
    }
  });
}

for (const { name, key, text, signature, code } of signatureVectors.refused) {
  test(`${name}: ${code}`, () =>
    assert.equal(verdict(key, text, signature), code === "2230" ? "malformed" : "misfits"));
}

for (const {
  name,
  text,
  keys,
  threshold,
  signatures,
  valid,
  step,
} of authorityVectors.signatures) {
  test(`authority §2, §3: ${name}`, () => {
    const claims = keyClaims(
      { signature: "signature" },
      {
        ...{
          address: ALICE as Address,
          signedTexts: [text],
          signatures: { signature: signatures },
        },
        keys: { keys: keys as readonly AddressKey[], threshold },
        newKeys: undefined,
      },
    );
    const fit =
      !(claims instanceof Refused) &&
      claims.every(({ publicKey, signedTexts, signature, exact }) => {
        const verifying = checker.keyOf(publicKey);
        return verifying?.check(signedTexts, signature, { exact }) === 0;
      });
    assert.equal(fit, valid);
    if (step !== undefined && claims instanceof Refused) {
      assert.match(explain(claims.fault).detail, new RegExp(`: step ${step}:`));
    }
  });
}

test("ids of projects, items that stand alone, and listings", () => {
  for (const { owner, tkey, id } of idVectors.projects) {
    assert.equal(derivedId("MRC400", owner, tkey), id);
  }
  for (const { creator, tkey, id } of idVectors.standalone_items) {
    assert.equal(derivedId("MRC402", creator, tkey), id);
  }
  for (const { creator, tkey, id } of idVectors.token_listings) {
    assert.equal(derivedId("DEX010", creator, tkey), id);
  }
  for (const { actor, tkey, place, id } of idVectors.unit_listings) {
    assert.equal(derivedId("DEX402", actor, tkey, String(place)), id);
  }
});

test("ids of items, whose number follows from their place or was sent", () => {
  for (const { kind, mrc400id, tkey, place, number, id } of idVectors.items) {
    const numbers = Array<undefined>(place + 1).fill(undefined);
    const request = { kind: kind as "MRC401" | "MRC402", mrc400id, tkey };
    assert.equal(itemIds({ ...request, numbers })[place], id);
    assert.deepEqual(itemIds({ ...request, numbers: [number] }), [id]);
  }
});
