import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type Address, type AddressKey, addressAround, Refused } from "@moneta/protocol";
import fc from "fast-check";
import { assertionOf, type MadeAssertion } from "../node/testing/passkey.ts";
import { SignatureChecker } from "./chain/signature-check.ts";
import { keyClaims } from "./key-claims.ts";
import { byLane } from "./testing/lane.ts";

const RPID = "wallet.example";
const TEXT = `moneta|1|${"0".repeat(64)}|transfer|{}`;
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const KEY: AddressKey = {
  publickey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  ...{ kind: "webauthn", weight: 1, rpid: RPID, origins: [`https://${RPID}`] },
};
const checker = new SignatureChecker();
const RIGHT = assertionOf(TEXT, { privateKey, rpid: RPID });

/** What comes of signatures that are sent: the code and reason of a refusal, or whether they fit. */
function problemSummary(signature: string): string | boolean {
  const claims = keyClaims(
    { signature: "signature" },
    {
      ...{ address: addressAround("1".repeat(30)) as Address, signedTexts: [TEXT] },
      ...{ signatures: { signature }, keys: { keys: [KEY], threshold: 1 }, newKeys: undefined },
    },
  );
  if (claims instanceof Refused) {
    const { fault } = claims;
    return `${fault.code} ${"reason" in fault ? fault.reason : ""}`;
  }
  return claims.every(
    ({ publicKey: body, signedTexts, signature: sent, exact }) =>
      checker.keyOf(body)?.check(signedTexts, sent, { exact }) === 0,
  );
}

function bytesOf(signature: string): Buffer {
  return Buffer.from(signature, "base64url");
}

const CLIENT = Buffer.from(RIGHT.clientdata, "base64url").toString();
/** Texts in the place of the client data: nearly right ones, JSON of all kinds, and anything. */
const clients = fc.oneof(
  fc
    .tuple(fc.nat(CLIENT.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 4 }))
    .map(([at, cut, put]) => CLIENT.slice(0, at) + put + CLIENT.slice(at + cut)),
  fc
    .tuple(fc.constantFrom("type", "challenge", "origin", "topOrigin", "__proto__"), fc.json())
    .map(([name, value]) => `${CLIENT.slice(0, -1)},"${name}":${value}}`),
  fc
    .tuple(fc.constantFrom("crossOrigin", "tokenBinding", "unknown"), fc.json())
    .map(([name, value]) => `{"${name}":${value},${CLIENT.slice(1)}`),
  fc
    .nat(2000)
    .map((depth) => `${CLIENT.slice(0, -1)},"x":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  fc.json(),
  fc.string({ unit: "binary" }),
);
/** Bytes with some of them changed, cut, or put in, and any text in the place of base64url. */
function near(right: string): fc.Arbitrary<string> {
  const bytes = Buffer.from(right, "base64url");
  return fc.oneof(
    fc
      .tuple(fc.nat(bytes.length), fc.nat(3), fc.uint8Array({ maxLength: 40 }))
      .map(([at, cut, put]) =>
        Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]).toString("base64url"),
      ),
    fc.string({ unit: "binary" }),
    fc.constantFrom(`${right}=`, `${right}A`, right.slice(0, -1), "A".repeat(60_000), ""),
  );
}
const assertions: fc.Arbitrary<Partial<MadeAssertion>> = fc.oneof(
  clients.map((text) => ({ clientdata: Buffer.from(text).toString("base64url") })),
  near(RIGHT.clientdata).map((clientdata) => ({ clientdata })),
  near(RIGHT.authenticatordata).map((authenticatordata) => ({ authenticatordata })),
  near(RIGHT.signature).map((signature) => ({ signature })),
);

test("authority §3: of an assertion that is changed anywhere the failed step is named, or its signature does not fit", () => {
  assert.equal(problemSummary(JSON.stringify([{ key: 0, ...RIGHT }])), true);
  const reported = new Set<string>();
  fc.assert(
    fc.property(assertions, (changes) => {
      const changed = { ...RIGHT, ...changes };
      // A signature has several forms. Source: conventions §4.3.
      const isRight =
        changed.authenticatordata === RIGHT.authenticatordata &&
        changed.clientdata === RIGHT.clientdata &&
        bytesOf(changed.signature).equals(bytesOf(RIGHT.signature));
      const text = JSON.stringify([{ key: 0, ...changed }]);
      const answer = problemSummary(text);
      if (typeof answer === "string") {
        assert.match(answer, /^(?:2010 step [1-9][0-9]?: |1007 .|3002 .)/);
        reported.add(answer.slice(0, 12));
      } else {
        assert.equal(answer, isRight);
      }
    }),
    { numRuns: byLane({ quick: 400, long: 100_000 }) },
  );
  assert.ok(reported.size >= 8, [...reported].join());
});

test("authority §2.1: any other list of signatures is refused by a code, and none passes for the right one", () => {
  const right = JSON.stringify([{ key: 0, ...RIGHT }]);
  const texts = fc.oneof(
    fc
      .tuple(fc.nat(right.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 4 }))
      .map(([at, cut, put]) => right.slice(0, at) + put + right.slice(at + cut)),
    fc
      .array(fc.record({ key: fc.jsonValue(), signature: fc.jsonValue() }))
      .map((all) => JSON.stringify(all)),
    fc.json().map((text) => `[${text}]`),
    fc.string({ unit: "binary" }).map((text) => `[${text}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const answer = problemSummary(text);
      if (typeof answer === "string") {
        assert.match(answer, /^(?:1007|2010|2011|3002|3004|3005) /);
      } else if (answer) {
        const [{ key, signature, ...rest }] = JSON.parse(text);
        assert.deepEqual(
          { key: String(key), signature: RIGHT.signature, ...rest },
          { key: "0", ...RIGHT },
        );
        assert.ok(bytesOf(signature).equals(bytesOf(RIGHT.signature)));
      }
    }),
    { numRuns: byLane({ quick: 400, long: 100_000 }) },
  );
});
