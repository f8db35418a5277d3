import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS, parseTemporaryKey, type TemporaryKey } from "@moneta/protocol";
import { idVectors } from "@moneta/protocol/test-vectors";
import fc from "fast-check";
import { TemporaryKeys } from "./temporary-keys.ts";

const ZEROS = Buffer.alloc(32);
const OTHER = Buffer.alloc(32, 1);
const LEDGER_ID = "a".repeat(64);
/** The example of accounts §7. */
const EXAMPLE = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

function keys(...secrets: Buffer[]): TemporaryKeys {
  return new TemporaryKeys({ secrets, ledgerId: LEDGER_ID, seconds: 600 });
}

function parsed(text: string): TemporaryKey {
  const key = parseTemporaryKey(text);
  assert.ok(key !== undefined, text);
  return key;
}

test("accounts §7.2: the example is recognised as our key", () => {
  const key = parsed(EXAMPLE);
  assert.deepEqual([key.addressNumber, key.expiry], [1, 1767226200]);
  assert.ok(keys(ZEROS).isOurs(key, "transfer"));
  assert.ok(keys(ZEROS).isOurs(key, "multitransfer"));
});

test("accounts §7.2: with another secret or ledger the example is not ours", () => {
  assert.ok(!keys(OTHER).isOurs(parsed(EXAMPLE), "transfer"));
  const elsewhere = new TemporaryKeys({
    secrets: [ZEROS],
    ledgerId: "b".repeat(64),
    seconds: 600,
  });
  assert.ok(!elsewhere.isOurs(parsed(EXAMPLE), "transfer"));
});

test("accounts §7.2: a key with any character changed is not ours", () => {
  for (let at = 1; at < EXAMPLE.length; at += 1) {
    const changed =
      EXAMPLE.slice(0, at) + (EXAMPLE[at] === "z" ? "y" : "z") + EXAMPLE.slice(at + 1);
    const key = parseTemporaryKey(changed);
    assert.ok(key === undefined || !keys(ZEROS).isOurs(key, "transfer"), changed);
  }
});

test("accounts §7.2: the current and the previous secret are accepted, keys are made with the current one", () => {
  const both = keys(OTHER, ZEROS);
  assert.ok(both.isOurs(parsed(EXAMPLE), "transfer"));
  const made = parsed(both.issue(1, 0));
  assert.ok(keys(OTHER).isOurs(made, "transfer"));
  assert.ok(!keys(ZEROS).isOurs(made, "transfer"));
});

test("accounts §7.1: a key restricted to an operation is ours for no other", () => {
  const made = parsed(keys(ZEROS).issue(1, 0, { restrictedTo: "multitransfer" }));
  assert.ok(keys(ZEROS).isOurs(made, "multitransfer"));
  assert.ok(!keys(ZEROS).isOurs(made, "transfer"));
  assert.ok(!keys(ZEROS).isOurs(made, ""));
});

test("accounts §7.2: keys of the test vectors are recognised by their issuer alone, for their kind", () => {
  for (const { secret, ledger_id: ledgerId, kind, key } of idVectors.temporary_keys) {
    const issuer = (bytes: Buffer) => new TemporaryKeys({ secrets: [bytes], ledgerId, seconds: 1 });
    const read = parsed(key);
    assert.ok(issuer(Buffer.from(secret, "hex")).isOurs(read, kind));
    const isRestricted = OPERATIONS.some(({ name }) => name === kind) && kind !== "transfer";
    assert.equal(issuer(Buffer.from(secret, "hex")).isOurs(read, "mrc402bid"), !isRestricted);
    assert.ok(!issuer(Buffer.alloc(32, 9)).isOurs(read, kind));
  }
});

test("accounts §7.2: a key says whose it is and when it expires, and begins with a letter", () =>
  fc.assert(
    fc.property(fc.nat({ max: 62 ** 5 }), fc.nat({ max: 2 ** 31 - 1 }), (number, at) => {
      const text = keys(ZEROS).issue(number, at);
      assert.match(text, /^K[0-9A-Za-z]{45}$/);
      const { addressNumber, expiry } = parsed(text);
      assert.deepEqual([addressNumber, expiry], [number, at + 600]);
      assert.ok(keys(ZEROS).isOurs(parsed(text), "transfer"));
    }),
  ));

test("cluster §5: a clock that goes back an hour, and forth again, ends no fresh key", () => {
  const all = keys(ZEROS);
  const [at, hour, day] = [1_800_000_000, 3600, 86_400];
  const expiries = [at, at - hour, at + 5, at - 400 * day, at].map(
    (time) => parsed(all.issue(1, time)).expiry - 600,
  );
  assert.deepEqual(expiries, [at, at, at + 5, at - 400 * day, at]);
  all.issue(1, at + hour);
  assert.equal(parsed(all.issue(1, at, { seconds: day })).expiry, at + day);
});

test("conventions §5.1: of ten thousand keys of one address and second no two are equal", () => {
  const issuer = keys(ZEROS);
  const all = Array.from({ length: 10_000 }, () => issuer.issue(1, 0));
  assert.equal(new Set(all).size, all.length);
});

test("keys issued one after the other are in the order of their random digits", () => {
  const issuer = keys(ZEROS);
  const randoms = Array.from({ length: 1000 }, (_, index) => parsed(issuer.issue(index, 0)).random);
  assert.deepEqual(randoms, randoms.toSorted());
});

test("two nodes, or two starts, issue no equal keys for one address and second", () => {
  const all = [keys(ZEROS), keys(ZEROS)].flatMap((issuer) =>
    Array.from({ length: 10_000 }, () => issuer.issue(1, 0)),
  );
  assert.equal(new Set(all).size, all.length);
});
