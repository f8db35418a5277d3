import assert from "node:assert/strict";
import { verify } from "node:crypto";
import { test } from "node:test";
import {
  errorVectors,
  groupVectors,
  signatureVectors,
  signedStringVectors,
} from "@moneta/protocol/test-vectors";
import { CALLS } from "./api.ts";
import { ProblemError, SigningKey } from "./index.ts";
import { fullSignedString, wireTexts } from "./values/wire-text.ts";
import { readProposal } from "./writes/proposal-file.ts";

const { ledger_id: ledgerId, vectors } = signedStringVectors;

for (const { name, operation, params, full } of vectors) {
  test(`${operation}, ${name}: what is signed`, () => {
    const texts = wireTexts({ ...params, signed: "full" }, true);
    assert.equal(fullSignedString(operation, texts, ledgerId), full);
  });
}

for (const { name, operations, group } of groupVectors.vectors) {
  test(`the id of a group, ${name}, and what each signs`, async () => {
    const ledger_id = groupVectors.ledger_id;
    const signers = operations.map(({ operation, params }) => {
      const { actor = "" } = CALLS[operation] ?? {};
      return [params[actor] ?? "MTAlice00000000000000000000000005dc33c90"];
    });
    const file = {
      ...{ ledger_id, signers },
      operations: operations.map(({ operation, params }) => ({ operation, ...params, group })),
    };
    const read = await readProposal(file, ledger_id);
    assert.equal(read.id, group);
    assert.deepEqual(
      read.operations.map((one) => fullSignedString(one.operation, one.params, ledger_id)),
      operations.map(({ full }) => full),
    );
  });
}

for (const key of signatureVectors.keys) {
  for (const pem of [key.private_key_pkcs8, key.private_key_sec1]) {
    test(`key ${key.name} from ${pem.slice(11, 25)} has its public key, and signs`, async () => {
      const imported = await SigningKey.fromPem(pem);
      assert.equal(imported.publicKeyPem, key.public_key);
      assert.equal(imported.curve, key.curve);
      const text = new TextEncoder().encode(vectors[0]?.full);
      const signature = await imported.sign(text);
      const digest = { "P-256": "sha256", "P-384": "sha384", "P-521": "sha512" }[imported.curve];
      const verifier = { key: key.public_key, dsaEncoding: "ieee-p1363" } as const;
      assert.ok(verify(digest, text, verifier, signature));
    });
  }
}

for (const { code, status, title, ...example } of errorVectors.errors) {
  test(`${code} ${title}: an error has all members of the problem`, () => {
    const { listings = [], parameter } = example;
    const error = new ProblemError({ code, status, title, ...example });
    assert.equal(error.message, example.detail);
    assert.deepEqual(
      [error.code, error.status, error.title, error.parameter, error.listings],
      [code, status, title, parameter, listings],
    );
  });
}
