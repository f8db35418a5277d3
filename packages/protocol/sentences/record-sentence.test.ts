import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RECORD_FORMS, RECORD_TYPES } from "../records/record-types.ts";
import { ENGLISH } from "./english.ts";
import { KOREAN } from "./korean.ts";
import { recordSentence, type SentencePart } from "./record-sentence.ts";
import { recordTexts } from "./record-texts.ts";

const ITEM = `MRC400_${"0".repeat(32)}_${"a".repeat(40)}`;
const PAYMENTS = JSON.stringify([
  { from_addr: "BOB", to_addr: ITEM, amount: "80", token: "0", type: "mrc401_recv_refund" },
  { from_addr: "ANN", to_addr: ITEM, amount: "100", token: "0", type: "mrc401_buy" },
  { from_addr: ITEM, to_addr: "ANN", trade_amount: "3", trade_id: "7", type: "mrc010_recv_item" },
  { from_addr: ITEM, to_addr: "BOB", amount: "100", token: "0", type: "mrc401_recv_sell" },
]);

/** What each parameter of a record may be; all others are their own names. */
const GIVEN: Readonly<Record<string, string>> = {
  amount: "1500",
  auction_start_price: "5",
  bid: "100",
  cost: "5",
  dexid: "DEX010_1",
  doneqtt: "5",
  fromAmount: "100",
  fromFeeamount: "5",
  fromFeetoken: "0",
  fromToken: "7",
  initial_reserve: "9",
  initial_token: "0",
  item: ITEM,
  itemdata: JSON.stringify([{ id: ITEM, price: "5", start: "5", token: "0" }]),
  items: ITEM,
  min_trade_unit: "100",
  mrc010id: "7",
  mrc400id: `MRC400_${"0".repeat(32)}`,
  payment: "100",
  payments: PAYMENTS,
  price: "5",
  qtt: "10",
  refund: "5",
  toAmount: "30",
  toFeeamount: "1",
  toFeetoken: "9",
  toToken: "9",
  token: "0",
  totalsupply: "50",
  transferlist: '[{"address":"BOB","amount":"5"}]',
  unlockdate: "1795361394",
};

function recordOf(type: (typeof RECORD_TYPES)[number], form: number, given = GIVEN) {
  const names = RECORD_FORMS[type][form]?.parameters ?? [];
  const parameters = names.map((name) =>
    name.startsWith("=") ? name.slice(1) : (given[name] ?? name.toUpperCase()),
  );
  return { type, address: "ME", parameters };
}

function partText(part: SentencePart): string {
  if (typeof part === "string") {
    return part;
  }
  switch (part.is) {
    case "address":
      return part.address;
    case "amount":
      return `${part.amount} of ${part.token}`;
    case "token":
      return `token ${part.token}`;
    case "thing":
      return part.name ?? part.id;
    case "time":
      return `at ${part.time}`;
    case "text":
      return part.text;
  }
}

function textOf(record: Parameters<typeof recordSentence>[0], texts = ENGLISH): string {
  return recordSentence(record, { texts, number: String }).map(partText).join("");
}

describe("every type of record has a sentence", () => {
  for (const [language, texts] of [
    ["English", ENGLISH],
    ["Korean", KOREAN],
  ] as const) {
    for (const type of RECORD_TYPES) {
      for (const form of RECORD_FORMS[type].keys()) {
        test(`${type}, form ${form}, in ${language}`, () => {
          const sentence = textOf(recordOf(type, form), texts);
          assert.ok(!/[…[\]{}|]/.test(sentence), sentence);
          assert.ok(sentence.length > 10, sentence);
          const badge = recordTexts(texts, type)?.badge ?? "";
          assert.ok(badge.length > 1 && badge.length < 16, badge);
        });
      }
    }
  }
});

describe("sentences say", () => {
  for (const [type, given, sentence, form = 0] of [
    ["transfer", { unlockdate: "0", memo: "rent" }, "FROM paid TO 1500 of 0: “rent”"],
    ["transfer", { unlockdate: "99", memo: "" }, "FROM paid TO 1500 of 0, locked until at 99"],
    ["exchange", { fromMemo: "deal" }, "FROMADDR exchanged 100 of 7 for 30 of 9 of TOADDR: “deal”"],
    ["exchangeFeePair", {}, "TOFEESENDTO received 1 of 9 from TOADDR"],
    ["NewWallet", { addinfo: "" }, "ADDRESS joined the ledger"],
    ["tokenRegister", { owner: "" }, "A token was created and 50 of 0 issued"],
    ["token_reserve", { owner: "" }, "RECEIVER received 1500 of 0 of a new token"],
    [
      "Chaincode Install or Update",
      { height: "0", note: "" },
      "Version VERSION of the rules from block 0, announced by ME",
    ],
    ["multi_transfer", {}, "FROM paid 5 of 0 to BOB"],
    ["multi_transfer", { transferlist: "no list" }, "FROM made several payments"],
    ["mrc010sell", {}, "ADDRESS offered 1500 of 7 at 5 of 0 per 100 of 7"],
    ["transfer_mrc010buy", {}, "TAKER bought 1500 of 7 for 100 of 0"],
    ["transfer_mrc010bid", { amount: "0" }, "BIDDER bid 100 of 0 in the auction DEX010_1"],
    ["mrc010_buy", {}, "OTHER bought 3 of 7 from CREATOR for 100 of 0"],
    ["mrc401create", { itemdata: "[{},{}]" }, /^ACTOR created 2 items in the project MRC400_0+$/],
    ["mrc401create", { itemdata: "[{}]" }, /^ACTOR created 1 item in the project MRC400_0+$/],
    ["mrc401transfer", {}, `FROMADDR gave the item ${ITEM} to TOADDR`],
    ["mrc401transfer", { items: '["A","B"]' }, "FROMADDR gave 2 items to TOADDR"],
    ["mrc401_auctionwinning", {}, `WINNER won the item ${ITEM} from BOB for 100 of 0`],
    ["mrc401_melt", { payments: "[]" }, /^OWNER melted the item MRC400_[0-9a_]+$/],
    ["mrc402melt", { amount: "" }, /^ACTOR melted units of the item MRC400_[0-9a_]+$/],
    ["mrc402sell", { itemdata: "[]" }, "ACTOR put units of 0 items on sale", 1],
    ["mrc402unsell", { itemdata: '["DEX402_1"]' }, "ACTOR took the listing DEX402_1 off sale", 1],
  ] as const) {
    test(`${type} ${JSON.stringify(given)}`, () => {
      const text = textOf(recordOf(type, form, { ...GIVEN, ...given }));
      if (typeof sentence === "string") {
        assert.equal(text, sentence);
      } else {
        assert.match(text, sentence);
      }
    });
  }
});

test("a record with anything in its parameters has a sentence", () => {
  for (const type of RECORD_TYPES) {
    for (const form of RECORD_FORMS[type].keys()) {
      for (const text of ["", "-1", "[null,7,{}]", "{", "9".repeat(400), "\u202e<b>"]) {
        const names = RECORD_FORMS[type][form]?.parameters ?? [];
        const given = Object.fromEntries(names.map((name) => [name, text]));
        assert.ok(textOf(recordOf(type, form, given)).length > 0);
      }
    }
  }
});

test("what a transaction did to an item says who sold it, and many addresses are counted", () => {
  const bought = recordOf("transfer_mrc401buy", 0);
  const ofItem = { ...recordOf("mrc401_buy", 0), address: "" };
  assert.equal(
    textOf({ ...bought, effects: [ofItem] }),
    `BUYER bought the item ${ITEM} from SELLER for 100 of 0`,
  );
  const payees = ["B", "C", "D", "B"].map((address) => ({ address, amount: "1" }));
  const given = { ...GIVEN, transferlist: JSON.stringify(payees) };
  assert.equal(textOf(recordOf("multi_transfer", 0, given)), "FROM paid 4 of 0 to B, C and 1 more");
});

test("a type of a later version is named", () => {
  const record = { type: "later", address: "ME", parameters: ["1"] };
  assert.equal(textOf(record), "ME: a record of the unknown type later");
});

test("English verbs are the same after “You” as after an address", () => {
  const texts = Object.values(ENGLISH.types).flatMap(([, sentence]) => sentence.split("|"));
  const inflected = texts.filter((text) => /^\{\w+\} (?:was|were|is|are|has|have)\b/.test(text));
  assert.deepEqual(inflected, []);
});
