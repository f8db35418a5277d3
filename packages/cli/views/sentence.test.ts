import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../session/session.ts";
import { Output } from "../terminal/output.ts";
import { sentenceText } from "./sentence.ts";

const ME = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";

/** Without a node: the session has learned the tokens. */
const session = new Session(new Map(), new Output(), { MONETA_URL: "http://127.0.0.1:1" });
session.learn({ id: "7", symbol: "GLD", decimal: 2 });
const units = new Session(new Map([["units", ""]]), new Output(), {});

const paid = (memo: string, token = "7") => ({
  type: "transfer",
  address: ME,
  parameters: [ME, BOB, "150", token, "S", "0", "", memo],
});
const sealed = (name: string) => ({
  type: "MRC020Open",
  address: ME,
  parameters: [`MRC020_${ME}_${name}`, ME, "key"],
});

for (const [record, naming, says, of = session] of [
  [paid(""), {}, "MTAlice0…c33c90 paid MTBob000…59bcba 1.5 GLD #7"],
  [paid(""), { own: ME }, "this address paid MTBob000…59bcba 1.5 GLD #7"],
  [paid(""), { own: ME, isWhole: true }, `${ME} paid ${BOB} 1.5 GLD #7`],
  [paid(""), { own: ME }, "this address paid MTBob000…59bcba 150 of token 7", units],
  [
    paid("a\tb” and got “9\u001b[31m\u202e", "8"),
    { own: ME },
    "this address paid MTBob000…59bcba 150 of token 8: “a b\\u201d and got \\u201c9\\u001b[31m\\u202e”",
  ],
  [
    paid("a".repeat(81)),
    { own: ME },
    `this address paid MTBob000…59bcba 1.5 GLD #7: “${"a".repeat(79)}…”`,
  ],
  [
    paid("", "8 and 9 TST"),
    { own: ME },
    "this address paid MTBob000…59bcba 150 of token “8 and 9 TST”",
  ],
  [sealed("will"), { own: ME }, "The text will of this address was opened by the key “key”"],
  [
    sealed("x of BOB”"),
    { own: ME },
    "The text “x of BOB\\u201d” of this address was opened by the key “key”",
  ],
  [
    { type: "later\u0007", address: "", parameters: [] },
    {},
    "a record of the unknown type later\\u0007",
  ],
] as const) {
  test(says, async () => {
    assert.equal(await sentenceText(record, { isWhole: false, ...naming }, of), says);
  });
}
