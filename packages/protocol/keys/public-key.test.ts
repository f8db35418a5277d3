import assert from "node:assert/strict";
import { createPublicKey, ECDH, generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import type { CurveName } from "./elliptic-curve.ts";
import { KeyProblem } from "./key-problem.ts";
import { type PublicKey, parsePublicKey, publicKeyText } from "./public-key.ts";

const TEST_BODY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";
const TEST_COMPRESSED =
  "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY=";
const TEST_PEM = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
-----END PUBLIC KEY-----
`;
const TEST_DER: Uint8Array = Uint8Array.fromBase64(TEST_BODY);

const CURVES: readonly {
  readonly curve: CurveName;
  readonly nodeName: string;
  readonly derLength: number;
  readonly coordinateLength: number;
  readonly compressedHead: string;
}[] = [
  {
    curve: "P-256",
    nodeName: "prime256v1",
    derLength: 91,
    coordinateLength: 32,
    compressedHead: "3039301306072a8648ce3d020106082a8648ce3d030107032200",
  },
  {
    curve: "P-384",
    nodeName: "secp384r1",
    derLength: 120,
    coordinateLength: 48,
    compressedHead: "3046301006072a8648ce3d020106052b81040022033200",
  },
  {
    curve: "P-521",
    nodeName: "secp521r1",
    derLength: 158,
    coordinateLength: 66,
    compressedHead: "3058301006072a8648ce3d020106052b81040023034400",
  },
];

function parsed(text: string): PublicKey {
  const key = parsePublicKey(text);
  assert(!(key instanceof KeyProblem), JSON.stringify(key));
  return key;
}

function refusal(text: string): { readonly code: string; readonly reason: string } {
  const refused = parsePublicKey(text);
  assert(refused instanceof KeyProblem, "taken");
  assert.match(refused.reason, /^[A-Z].*\.$/);
  return refused;
}

function spki(key: KeyObject): Uint8Array {
  return Uint8Array.from(key.export({ type: "spki", format: "der" }));
}

function changed(bytes: Uint8Array, index: number, value: number): string {
  return bytes.with(index, value).toBase64();
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const explicit = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" });

test("the canonical text has 64 characters a line and LF after every line", () => {
  assert.equal(publicKeyText(TEST_BODY), TEST_PEM);
  assert.equal(
    publicKeyText("a".repeat(128)),
    `-----BEGIN PUBLIC KEY-----\n${`${"a".repeat(64)}\n`.repeat(2)}-----END PUBLIC KEY-----\n`,
  );
});

for (const { curve, nodeName, derLength, coordinateLength, compressedHead } of CURVES) {
  test(`${curve}: what Node exports is the canonical key, and its compressed form leads to it`, () => {
    for (let i = 0; i < 10; i += 1) {
      const { publicKey } = generateKeyPairSync("ec", { namedCurve: nodeName });
      const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
      const der = spki(publicKey);
      const key = parsed(pem);
      assert.equal(der.length, derLength);
      assert.deepEqual(key, { curve, body: der.toBase64(), der });
      assert.equal(publicKeyText(key.body), pem);

      const point = der.subarray(-1 - 2 * coordinateLength);
      const short = ECDH.convertKey(point, nodeName, undefined, "hex", "compressed") as string;
      const compressed = Uint8Array.fromHex(compressedHead + short);
      assert(
        createPublicKey({ key: Buffer.from(compressed), type: "spki", format: "der" }).equals(
          publicKey,
        ),
      );
      assert.deepEqual(parsed(compressed.toBase64()), key);
    }
  });
}

const MARKS = { begin: "-----BEGIN PUBLIC KEY-----", end: "-----END PUBLIC KEY-----" };

/** Besides those of the test vectors. */
for (const { row, what, text, code } of [
  { row: 3, what: "marks without body", text: `${MARKS.begin}\n${MARKS.end}`, code: "3103" },
  {
    row: 3,
    what: "marks that share their dashes",
    text: "-----BEGIN PUBLIC KEY-----END PUBLIC KEY-----",
    code: "3103",
  },
  { row: 3, what: "a cut begin mark", text: "-----BEGIN PUBLIC KEY", code: "3103" },
  {
    row: 3,
    what: "another end mark",
    text: TEST_PEM.replace("END PUBLIC", "END PRIVATE"),
    code: "3103",
  },
  {
    row: 3,
    what: "a header in the block",
    text: TEST_PEM.replace("-\nM", "-\nComment: mine\n\nM"),
    code: "3103",
  },
  { row: 3, what: "a `=` inside", text: TEST_BODY.replace("Y", "="), code: "3103" },
  { row: 4, what: "unused bits in the BIT STRING", text: changed(TEST_DER, 25, 1), code: "3105" },
  { row: 4, what: "an OCTET STRING", text: changed(TEST_DER, 23, 4), code: "3105" },
  {
    row: 4,
    what: "an indefinite length",
    text: Uint8Array.of(0x30, 0x80, ...TEST_DER.subarray(2), 0, 0).toBase64(),
    code: "3105",
  },
  {
    row: 4,
    what: "a point of P-256 in a key of P-384",
    text: Uint8Array.fromHex(
      `3056301006072a8648ce3d020106052b81040022034200${TEST_DER.subarray(26).toHex()}`,
    ).toBase64(),
    code: "3105",
  },
  {
    row: 5,
    what: "id-ecPublicKey without parameters",
    text: Uint8Array.fromHex(
      `304f300906072a8648ce3d0201034200${TEST_DER.subarray(26).toHex()}`,
    ).toBase64(),
    code: "3102",
  },
  {
    row: 6,
    what: "PEM RSA PUBLIC KEY",
    text: rsa.publicKey.export({ type: "pkcs1", format: "pem" }) as string,
    code: "3104",
  },
  {
    row: 6,
    what: "a certificate after other text",
    text: `Bag Attributes\n${TEST_PEM.replaceAll("PUBLIC KEY", "CERTIFICATE")}`,
    code: "3104",
  },
  {
    row: 6,
    what: "a mark of its own making",
    text: TEST_PEM.replaceAll("PUBLIC KEY", "X-KEY"),
    code: "3104",
  },
]) {
  test(`accounts §4 row ${row}: ${what} is ${code}`, () => assert.equal(refusal(text).code, code));
}

test("a length counts code points", () => {
  assert.equal(refusal("😀".repeat(4096)).reason.includes("4096"), false);
  assert.equal(refusal("😀".repeat(4097)).reason.includes("4096"), true);
});

for (const { what, text } of [
  { what: "SEC 1 PEM", text: p256.privateKey.export({ type: "sec1", format: "pem" }) as string },
  {
    what: "encrypted PEM",
    text: p256.privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-128-cbc",
      passphrase: "x",
    }) as string,
  },
  {
    what: "PKCS #8 in bare base64",
    text: p256.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  },
  {
    what: "a private key between marks of a public one",
    text: publicKeyText(
      p256.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    ),
  },
]) {
  test(`a refusal of a private key (${what}) advises to discard it, and repeats nothing of it`, () => {
    const { reason } = refusal(text);
    assert.match(reason, /discard/);
    for (let i = 0; i + 12 < text.length; i += 1) {
      const part = text.slice(i, i + 12);
      assert(!reason.includes(part) || !/^[A-Za-z0-9+/]*$/.test(part), part);
    }
  });
}

test("a + that became a space is explained, and only then", () => {
  assert.match(refusal(TEST_BODY.replace("9KE5", " KE5")).reason, /%2B/);
  assert.match(refusal(TEST_PEM.replace("+vOb", " ").replace("6zOg", " zOg")).reason, /%2B/);
  assert.doesNotMatch(refusal(TEST_BODY.replace("9KE5", "\nKE5")).reason, /%2B/);
});

for (const [what, text] of [
  ["a byte order mark before PEM", `\ufeff${TEST_PEM}`],
  ["a byte order mark before the bare base64", `\ufeff${TEST_BODY}`],
  ["text before and after the marks (RFC 7468 §2)", `Subject: alice\n${TEST_PEM}that is all\n`],
] as const) {
  test(`accounts §2 steps 2 and 3: ${what} is ignored`, () =>
    assert.equal(parsed(text).body, TEST_BODY));
}

test("two texts of one key with left-over bits are the same key", () =>
  assert.equal(parsed(TEST_COMPRESSED.replace("Y=", "Z")).body, TEST_BODY));

test("changed DER never throws, and what is taken is canonical", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(
        TEST_DER,
        Uint8Array.fromBase64(TEST_COMPRESSED),
        spki(rsa.publicKey),
        spki(explicit.publicKey),
      ),
      fc.nat(),
      fc.uint8Array({ maxLength: 4 }),
      fc.nat(4),
      (der, place, inserted, removed) => {
        const at = place % (der.length + 1);
        const bytes = [...der.subarray(0, at), ...inserted, ...der.subarray(at + removed)];
        const key = parsePublicKey(Uint8Array.from(bytes).toBase64());
        if (!(key instanceof KeyProblem)) {
          assert.deepEqual(parsePublicKey(key.body), key);
        }
      },
    ),
    { numRuns: 500 },
  ));

test("no text throws", () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom(
            MARKS.begin,
            MARKS.end,
            "-----BEGIN ",
            "PRIVATE KEY",
            "\\n",
            " ",
            TEST_BODY,
          ),
          anyText(),
        ),
      ),
      (parts) => {
        parsePublicKey(parts.join(""));
      },
    ),
  ));
