import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { addJsonBody } from "../description/body-parameters.ts";
import type { Bundle } from "../description/bundle-body.ts";
import { Refused } from "../description/faults.ts";
import { type AnyOperation, isSigned } from "../description/operation.ts";
import type { Parameter } from "../description/parameter.ts";
import { unlockDate } from "../description/parameters/dates.ts";
import { refuseUnclean } from "../description/parameters/texts.ts";
import { explain } from "../description/problem.ts";
import { RawParameters } from "../description/raw-parameters.ts";
import { readRequest, readTexts } from "../description/request-reader.ts";
import { OPERATIONS, signedBundle } from "../descriptions.ts";
import { parseAddress } from "../keys/address.ts";
import { KeyProblem } from "../keys/key-problem.ts";
import { keyhashText } from "../keys/opening-key.ts";
import { parsePublicKey, publicKeyText } from "../keys/public-key.ts";
import { decodeBase64, parseSignature } from "../keys/signature-encoding.ts";
import { type Signer, signedStrings } from "../keys/signed-string.ts";
import { parseTemporaryKey } from "../keys/temporary-key.ts";
import { blockId, type Header, headerText, isHeader } from "../records/block.ts";
import { groupId, groupText } from "../records/group.ts";
import { contentText, operationText, parseOperationText } from "../records/operation.ts";
import { leafText, parseTransactionId, transactionId } from "../records/transaction.ts";
import { ONE_OF_EACH, OTHER_FAULTS } from "../testing/faults.ts";
import { codeAndParameter } from "../testing/requests.ts";
import { type Amount, decimalText, parseAmount, parseTokenId } from "../text/amount.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { firstCodePoints } from "../text/code-points.ts";
import { compactJson, JsonTextError, parseJsonText } from "../text/json-text.ts";
import { feeOf, parseRate, type Rate, rateText } from "../text/rate.ts";
import { parseVerifierKey, type VerifyEd25519, verifyCheckpoint } from "../tree/checkpoint.ts";
import { rootOf, verifyConsistency, verifyInclusion } from "../tree/merkle-proof.ts";
import { leafHash, MerkleTree, nodeHash } from "../tree/merkle-tree.ts";
import { type ProvenEntry, provenEntry } from "../tree/state-proof.ts";
import { statePath, stateRoot } from "../tree/state-tree.ts";
import { parseTileName, tileNameText } from "../tree/tile.ts";
import { makeFiles } from "./generate.ts";
import {
  bundleVectors,
  chainVectors,
  encodingVectors,
  errorVectors,
  groupVectors,
  idVectors,
  proofVectors,
  signatureVectors,
  signedStringVectors,
} from "./load.ts";
import { sha256 } from "./make/sha256.ts";
import { formOf } from "./make/signed-strings.ts";

for (const [file, text] of makeFiles()) {
  test(`npm run vectors writes the same ${file} again`, () =>
    assert.equal(readFileSync(new URL(file, import.meta.url), "utf8"), text));
}

const operationNamed = (name: string): AnyOperation =>
  OPERATIONS.find((operation) => operation.name === name) as AnyOperation;

describe("bundles", () => {
  const { ledger_id: ledgerId, vectors } = bundleVectors;
  for (const { name, body, full, keys } of vectors) {
    test(name, () => {
      const [signer] = signedBundle.signers;
      const implied = { ledgerId, actor: "" as const, decided: {} };
      assert.deepEqual(signedStrings(signer as Signer, { body }, implied), [full]);
      const request = readTexts(signedBundle, { body, signature: "MEQ=" });
      assert.ok(!(request instanceof Refused), "a node accepts its form");
      const { operations } = request.values["body"] as Bundle;
      assert.deepEqual(
        operations.map(({ operation, request: { params } }) => {
          const key = operation.signers[0]?.temporaryKey ?? "";
          return params[key];
        }),
        keys,
      );
    });
  }
});

describe("groups", () => {
  const { ledger_id: ledgerId, vectors } = groupVectors;

  for (const { name, operations, hashed, group } of vectors) {
    test(name, () => {
      const members = operations.map(({ operation: op, params }) => ({ op, params }));
      assert.equal(groupText(members, ledgerId), hashed);
      assert.equal(groupId(members, { ledgerId, sha256 }), group);
      for (const { operation, params, full } of operations) {
        const described = operationNamed(operation);
        const given = { ...params, group, signature: "MEQ=" };
        const request = readTexts(described, given, "member");
        assert(!(request instanceof Refused));
        assert.deepEqual(request.params, { ...params, group });
        const implied = { ledgerId, actor: "" as const, decided: {} };
        assert.deepEqual(signedStrings(described.signers[0] as Signer, request.params, implied), [
          full,
        ]);
      }
    });
  }
});

describe("signed strings", () => {
  const { ledger_id: ledgerId, vectors } = signedStringVectors;

  for (const { name, operation, signature = "signature", params, ...vector } of vectors) {
    test(name, () => {
      const { actor, decided, short, full } = vector;
      const implied = { ledgerId, actor: actor as never, decided };
      const { signers, parameters } = operationNamed(operation);
      const signer = signers.find((one) => one.signature === signature);
      assert(signer !== undefined);
      const isFullOnly = Object.keys(params).some((each) => parameters[each]?.needsFullSignature);
      assert.deepEqual(isFullOnly ? [] : signedStrings(signer, params, implied), short);
      assert.deepEqual(signedStrings(signer, { ...params, signed: "full" }, implied), [full]);
    });
  }

  const signedOnes = OPERATIONS.filter(isSigned);
  for (const operation of signedOnes) {
    test(`every form of ${operation.name}, its actor named and not, and every field that may stay unsent`, () => {
      const own = vectors.filter((vector) => vector.operation === operation.name);
      const forms = own.map(({ params }) => formOf(operation, params));
      const { signedIf = [] } = operation.signers[0] as Signer;
      const isDead = signedIf.some(({ when }) => when({}));
      assert.deepEqual(
        [...new Set(forms)].sort(),
        [...(isDead ? [] : [-1]), ...signedIf.keys()].sort(),
      );
      const optional = Object.entries(operation.parameters)
        .filter(
          ([name, parameter]) =>
            (parameter as Parameter<unknown>).optional &&
            (parameter as Parameter<unknown>).role === "value" &&
            name !== "signed",
        )
        .map(([name]) => name);
      for (const name of optional) {
        const present = new Set(own.map(({ params }) => params[name] !== undefined));
        assert.equal(present.size, 2, `${name} is there and is not`);
      }
    });
  }

  test("texts that need care have line ends, and what JSON libraries escape or may be tempted to write anew", () => {
    const tricky = vectors.filter(({ name }) => name.includes("texts that need care"));
    assert.ok(tricky.length > 30);
    for (const { name, full } of tricky) {
      assert.match(full, /\\r\\n/, name);
      assert.match(full, /\u2028|caf\\\\u00e9|\\r\\n\\t/, name);
    }
  });
});

describe("signatures", () => {
  const keyNamed = (name: string) =>
    signatureVectors.keys.find((key) => key.name === name) as (typeof signatureVectors.keys)[0];

  for (const key of signatureVectors.keys) {
    test(`${key.name}: both private keys are of the public one`, () => {
      for (const pem of [key.private_key_pkcs8, key.private_key_sec1]) {
        const publicKey = createPublicKey(createPrivateKey(pem));
        assert.equal(publicKey.export({ type: "spki", format: "pem" }), key.public_key);
      }
      assert.equal(publicKeyText(key.public_key_body), key.public_key);
      const { d } = createPrivateKey(key.private_key_pkcs8).export({ format: "jwk" });
      assert.equal(Buffer.from(d ?? "", "base64url").toString("hex"), key.private_scalar);
    });
  }

  for (const vector of signatureVectors.valid) {
    test(`${vector.name}: every form is read, and fits by the platform's own check`, () => {
      const data = Buffer.from(vector.text);
      const key = createPublicKey(keyNamed(vector.key).public_key);
      const digest = vector.digest.replace("-", "").toLowerCase();
      const { der, der_base64url, raw, raw_base64url, other_der, other_raw } = vector;
      for (const text of [der, der_base64url, other_der]) {
        const read = parseSignature(text)?.der;
        assert.ok(read !== undefined && verify(digest, data, key, read));
      }
      for (const text of [raw, raw_base64url, other_raw]) {
        const read = parseSignature(text)?.raw;
        const dsaEncoding = "ieee-p1363";
        assert.ok(read !== undefined && verify(digest, data, { key, dsaEncoding }, read));
      }
      assert.deepEqual(decodeBase64(der), decodeBase64(der_base64url));
    });
  }

  for (const { name, signature, code } of signatureVectors.refused) {
    test(`${name}: ${code === "2230" ? "is none" : "is one"}`, () =>
      assert.equal(parseSignature(signature) === undefined, code === "2230"));
  }
});

describe("ids", () => {
  for (const { text, valid } of idVectors.addresses) {
    test(`${JSON.stringify(text)} is ${valid ? "an" : "no"} address`, () =>
      assert.equal(parseAddress(text), valid ? text : undefined));
  }

  test("addresses by Idempotency-Key are addresses", () => {
    for (const { address } of idVectors.addresses_by_idempotency_key) {
      assert.equal(parseAddress(address), address);
    }
  });

  for (const { ledger_id: ledgerId, keyhash, ...sealed } of idVectors.keyhashes) {
    test(`${sealed.source ?? "a key"} is bound to its ledger and all that is sealed with it`, () =>
      assert.equal(sha256.hex(keyhashText({ ...sealed, ledgerId })), keyhash));
  }

  test("temporary keys say what they were made of", () => {
    for (const { key, address_number, expiry, random } of idVectors.temporary_keys) {
      const read = parseTemporaryKey(key);
      assert.deepEqual(
        [read?.addressNumber, read?.expiry, read?.random],
        [address_number, expiry, random],
      );
    }
  });

  test("ids of transactions say where they are, and what in", () => {
    for (const { content, hash, height, position, id } of idVectors.transactions) {
      assert.equal(sha256.hex(content), hash);
      assert.equal(transactionId({ height, position, contentHash: hash }), id);
      assert.deepEqual(parseTransactionId(id), { id, height, position });
    }
  });
});

describe("encodings", () => {
  test("integers", () => {
    for (const { text, valid } of encodingVectors.integers) {
      assert.equal(parseAmount(text), valid ? BigInt(text) : undefined);
      assert.equal(parseTokenId(text), valid ? text : undefined);
    }
  });

  test("unlock dates", () => {
    for (const { text, valid } of encodingVectors.unlock_dates) {
      const read = unlockDate().read(text, "unlockdate");
      assert.equal(read instanceof Refused ? undefined : read, valid ? Number(text) : undefined);
    }
  });

  test("amounts as decimals", () => {
    for (const { amount, decimals, text } of encodingVectors.decimals) {
      assert.equal(decimalText(parseAmount(amount) as Amount, decimals), text);
    }
  });

  test("rates and fees", () => {
    for (const { text, decimals, canonical } of encodingVectors.rates) {
      const rate = parseRate(text, decimals);
      assert.equal(rate === undefined ? null : rateText(rate), canonical);
    }
    for (const { amount, rate, fee } of encodingVectors.fees) {
      assert.equal(feeOf(parseAmount(amount) as Amount, parseRate(rate) as Rate), BigInt(fee));
    }
  });

  test("texts", () => {
    for (const { text, valid } of encodingVectors.texts) {
      assert.equal(refuseUnclean(text, "memo") === undefined, valid, JSON.stringify(text));
    }
    for (const { text, length, kept } of encodingVectors.cut_texts) {
      assert.equal(firstCodePoints(text, length), kept);
    }
  });

  for (const { name, json, canonical } of encodingVectors.canonical_json) {
    test(`canonical JSON: ${name}`, () => {
      const value = JSON.parse(json) as Json;
      if (canonical === null) {
        assert.throws(() => canonicalJson(value));
      } else {
        assert.equal(canonicalJson(value), canonical);
        assert.equal(canonicalJson(JSON.parse(canonical) as Json), canonical);
      }
    });
  }

  for (const { name, text, compact } of encodingVectors.json_texts) {
    test(`JSON text: ${name}`, () => {
      const isRefused = parseJsonText(text) instanceof JsonTextError;
      assert.equal(isRefused ? null : compactJson(text), compact);
    });
  }

  for (const { name, operation, body, ...wanted } of encodingVectors.requests) {
    test(`request: ${operation}: ${name}`, () => {
      const { source: _, ...answer } = wanted;
      assert.deepEqual(answerTo(operationNamed(operation), body), answer);
    });
  }

  for (const { name, text, ...wanted } of encodingVectors.public_keys) {
    test(`public key: ${name}`, () => {
      const key = parsePublicKey(text);
      const { source: _, ...answer } = wanted;
      assert.deepEqual(
        key instanceof KeyProblem ? { code: key.code } : { curve: key.curve, body: key.body },
        answer,
      );
    });
  }

  test("tiles", () => {
    for (const { text, index, width } of encodingVectors.tiles) {
      const wanted = index === undefined || width === undefined ? undefined : { index, width };
      assert.deepEqual(parseTileName(text), wanted, text);
      assert.equal(wanted && tileNameText(wanted), wanted && text);
    }
  });

  function answerTo(operation: AnyOperation, body: string): object {
    const raw = new RawParameters(operation.parameters);
    const request = addJsonBody(raw, body, operation.parameters) ?? readRequest(operation, raw);
    if (!(request instanceof Refused)) {
      return { params: request.params };
    }
    const [code, parameter] = codeAndParameter(request.fault).split(" ");
    return { code, parameter };
  }
});

describe("the chain", () => {
  for (const {
    name,
    transactions,
    root,
    changes_object,
    changes,
    ...block
  } of chainVectors.blocks) {
    test(name, () => {
      const header = JSON.parse(block.header) as Header;
      assert.ok(isHeader(header));
      const tree = new MerkleTree(sha256);
      for (const [position, one] of transactions.entries()) {
        const operation = parseOperationText(one.operation);
        assert.ok(operation !== undefined);
        assert.equal(operationText(operation), one.operation);
        assert.equal(contentText(one.operation), one.content);
        assert.equal(sha256.hex(one.operation), one.operation_hash);
        assert.equal(sha256.hex(one.content), one.content_hash);
        assert.equal(sha256.hex(one.record), one.record_hash);
        const contentHash = one.content_hash;
        assert.equal(transactionId({ height: header.sn, position, contentHash }), one.id);
        const { id, operation_hash: operationHash, record_hash: recordHash } = one;
        const { timestamp } = header;
        assert.equal(leafText({ id, operationHash, recordHash, timestamp }), one.leaf);
        tree.append(one.leaf);
      }
      assert.equal(tree.root().toHex(), root);
      assert.equal(canonicalJson(JSON.parse(changes_object) as Json), changes_object);
      assert.equal(sha256.hex(changes_object), changes);
      assert.deepEqual([header.root, header.changes], [root, changes]);
      assert.equal(headerText(header), block.header);
      assert.equal(blockId(header, sha256), block.id);
    });
  }

  test("chain §4.8: the chapter has the values of the vector", () => {
    const [worked] = chainVectors.blocks.filter(({ source }) => source === "chain §4.8");
    assert.ok(worked !== undefined);
    const { transactions, root, changes_object, changes, header, id } = worked;
    const [{ content, operation: _, record: __, ...transaction } = { content: "" }] = transactions;
    const chapter = readFileSync(
      new URL("../../../docs/specification/chain.md", import.meta.url),
      "utf8",
    );
    for (const value of [
      ...[content, ...Object.values(transaction), root, changes_object, changes, header, id],
    ]) {
      assert.ok(chapter.includes(`\`${value}\``), String(value));
    }
  });

  test("trees", () => {
    for (const { leaves, root } of chainVectors.trees) {
      const tree = new MerkleTree(sha256);
      for (const leaf of leaves) {
        tree.append(leaf);
      }
      assert.equal(tree.root().toHex(), root);
    }
  });
});

describe("proofs", () => {
  const bytes = (texts: readonly string[]): Uint8Array[] =>
    texts.map((text) => Uint8Array.fromBase64(text));

  const verifyEd25519: VerifyEd25519 = ({ publicKey, text, signature }) => {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text), key, signature);
  };

  test("roots of the tree whose leaves are the decimal texts of their numbers", () => {
    const subtree = (level: number, index: number): Uint8Array =>
      level === 0
        ? leafHash(sha256, String(index))
        : nodeHash(sha256, subtree(level - 1, 2 * index), subtree(level - 1, 2 * index + 1));
    for (const { size, root } of proofVectors.roots) {
      assert.equal(rootOf(sha256, size, subtree).toBase64(), root);
    }
  });

  for (const { name, leaf, index, size, root, path, valid } of proofVectors.inclusion) {
    test(`inclusion: ${name}: ${valid ? "right" : "wrong"}`, () => {
      const claim = { leafHash: leafHash(sha256, leaf), index, size, path: bytes(path) };
      const [rootBytes] = bytes([root]) as [Uint8Array];
      assert.equal(verifyInclusion(sha256, { ...claim, root: rootBytes }), valid);
    });
  }

  for (const { name, from, to, from_root, to_root, path, valid } of proofVectors.consistency) {
    test(`consistency: ${name}: ${valid ? "right" : "wrong"}`, () => {
      const [fromRoot, toRoot] = bytes([from_root, to_root]) as [Uint8Array, Uint8Array];
      const claim = { from, to, fromRoot, toRoot, path: bytes(path) };
      assert.equal(verifyConsistency(sha256, claim), valid);
    });
  }

  for (const { name, text, valid, private_seed: seed } of proofVectors.verifier_keys) {
    test(`verifier key: ${name}: ${valid ? "right" : "wrong"}`, async () => {
      const key = parseVerifierKey(sha256, text);
      assert.equal(key !== undefined, valid);
      if (key !== undefined && seed !== undefined) {
        const der = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex");
        const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
        const signature = sign(null, Buffer.from("x"), privateKey);
        assert.ok(await verifyEd25519({ publicKey: key.publicKey, text: "x", signature }));
      }
    });
  }

  for (const { name, note, keys, valid, ...wanted } of proofVectors.checkpoints) {
    test(`checkpoint: ${name}: ${valid ? "right" : "wrong"}`, async () => {
      const known = keys.map((text) => parseVerifierKey(sha256, text));
      const read = await verifyCheckpoint(note, known as never, verifyEd25519);
      const { origin, size, root } = read ?? {};
      assert.equal(read !== undefined, valid);
      assert.deepEqual(valid ? { origin, size, root: root?.toBase64() } : {}, wanted);
    });
  }

  for (const { name, entries, root } of proofVectors.state_roots) {
    test(`proofs §2.1: the state tree of ${name}`, () => {
      const leaves = Object.entries(entries).map(([key, value]) => ({
        path: statePath(sha256, key),
        valueHash: sha256.bytes(canonicalJson(value)),
      }));
      assert.equal(stateRoot(sha256, leaves).toHex(), root);
    });
  }

  for (const { name, key, shown, root, valid } of proofVectors.entries) {
    test(`proofs §3.2: ${name}: ${valid ? "right" : "wrong"}`, () => {
      const read = provenEntry(sha256, key, shown);
      assert.equal(typeof read !== "string" && read.root.toHex() === root, valid, String(read));
      assert.ok(!valid || isDeepStrictEqual((read as ProvenEntry).value, shown.value));
    });
  }

  test("proofs §3.2: a changed byte anywhere in an entry is refused", () => {
    for (const { key, shown, root, valid } of proofVectors.entries) {
      const text = Buffer.from(JSON.stringify(shown));
      for (let at = 0; valid && at < text.length; at += 1) {
        for (const difference of [1, 32]) {
          const changed = Buffer.from(text);
          changed[at] = (text[at] as number) ^ difference;
          let entry: unknown;
          try {
            entry = JSON.parse(changed.toString());
          } catch {
            continue; // no JSON any more
          }
          const read = provenEntry(sha256, key, entry);
          assert.ok(
            typeof read === "string" ||
              read.root.toHex() !== root ||
              isDeepStrictEqual(entry, shown),
            `${changed}`,
          );
        }
      }
    }
  });
});

describe("errors", () => {
  test("every code has its example, which is explained as the vectors state", () => {
    const codes = Object.keys(ONE_OF_EACH).sort();
    assert.deepEqual([...new Set(errorVectors.errors.map(({ code }) => code))], codes);
    const reported = [...Object.values(ONE_OF_EACH), ...OTHER_FAULTS].map((fault) =>
      explain(fault),
    );
    for (const problem of errorVectors.errors) {
      assert.ok(
        reported.some((one) => isDeepStrictEqual(one, problem)),
        problem.detail,
      );
    }
    assert.equal(errorVectors.errors.length, reported.length);
  });
});
