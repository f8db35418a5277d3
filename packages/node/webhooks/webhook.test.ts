import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readSettings, SettingProblem } from "../settings.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { signature } from "./webhook-request.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const GOOD = { url: "https://receiver.example/hook", secret: SECRET };

test("signatures are those of the Standard Webhooks specification", () => {
  // The vector of the specification's reference libraries.
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
  const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  assert.equal(
    signature(message, 1614265330, [key]),
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("webhooks may be a flag, a variable, or text or an array in the file", () => {
  using directory = new TemporaryDirectory("webhook-settings");
  const list = [{ ...GOOD, token: [0, "7"], address: "MTAlice00000000000000000000000005dc33c90" }];
  const file = (content: object): string => {
    const path = join(directory.path, "config.json");
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const text = JSON.stringify(list);
  for (const { webhooks } of [
    readSettings(["--webhooks", text], {}),
    readSettings([], { MONETA_WEBHOOKS: text }),
    readSettings(["--config", file({ webhooks: text })], {}),
    readSettings(["--config", file({ webhooks: list })], {}),
  ]) {
    assert.equal(webhooks.length, 1);
    assert.deepEqual(webhooks[0]?.filter, {
      token: ["0", "7"],
      address: ["MTAlice00000000000000000000000005dc33c90"],
    });
    assert.equal(webhooks[0]?.from, undefined);
  }
  assert.deepEqual(readSettings([], {}).webhooks, []);
});

for (const [what, given, says] of [
  ["no JSON", "{", /array/],
  ["no array", GOOD, /array/],
  ["a text in the array", ["x"], /\[0\] must be an object/],
  ["no url", [{ secret: SECRET }], /\[0\] url/],
  ["another scheme", [{ ...GOOD, url: "ftp://x/" }], /\[0\] url/],
  ["a password in the url", [{ ...GOOD, url: "http://a:b@x/" }], /\[0\] url/],
  ["no secret", [GOOD, { url: "http://x/" }], /\[1\] secret/],
  ["a secret without its prefix", [{ ...GOOD, secret: SECRET.slice(6) }], /\[0\] secret/],
  ["a short secret", [{ ...GOOD, secret: "whsec_c2hvcnQ=" }], /\[0\] secret/],
  ["no secret in the list", [{ ...GOOD, secret: [] }], /\[0\] secret/],
  ["an order of another kind", [{ ...GOOD, order: "ledger" }], /order must be "address"/],
  ["an unknown member", [{ ...GOOD, adress: "x" }], /"adress"/],
  ["a malformed address", [{ ...GOOD, address: "MTx" }], /MTx/],
  ["a malformed token", [{ ...GOOD, token: ["x"] }], /token/],
  ["a filter of another kind", [{ ...GOOD, type: { a: 1 } }], /type must be text/],
  ["blocks", [{ ...GOOD, type: "block" }], /block/],
  ["a type that is none", [{ ...GOOD, type: "transfers" }], /type has "transfers"/],
  ["a negative block", [{ ...GOOD, from: -1 }], /from/],
  [
    "two alike",
    [
      { ...GOOD, type: "transfer,receive" },
      { ...GOOD, type: ["receive", "transfer"] },
    ],
    /another one/,
  ],
] as [string, unknown, RegExp][]) {
  test(`webhooks with ${what} are refused, and no secret is shown`, () =>
    assert.throws(
      () =>
        readSettings(["--webhooks", typeof given === "string" ? given : JSON.stringify(given)], {}),
      (thrown: unknown) =>
        thrown instanceof SettingProblem &&
        thrown.message.startsWith("--webhooks: ") &&
        says.test(thrown.message) &&
        !thrown.message.includes(SECRET.slice(6)) &&
        !thrown.message.includes("c2hvcnQ"),
    ));
}
