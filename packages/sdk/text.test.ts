import assert from "node:assert/strict";
import { test } from "node:test";
import { hasVisible, nameText, symbolText, textParts, tokenText, visibleText } from "./text.ts";

const NOTHING = "(nothing)";

// Texts that people write, in which nothing is to be marked.
for (const { what, text } of [
  { what: "Latin with accents, composed and not", text: "Crème brûlée, cre\u0300me" },
  { what: "a family of joined emoji", text: "👨‍👩‍👧‍👦 and 🏳️‍🌈" },
  { what: "a keycap, a flag, the flag of Scotland", text: "1️⃣ 🇰🇷 🏴󠁧󠁢󠁳󠁣󠁴󠁿" },
  { what: "an emoji as text, and a modifier", text: "©︎ ❤️ 👍🏽" },
  { what: "Persian with a non-joiner", text: "می\u200cخواهم" },
  { what: "Devanagari with a joiner", text: "क्\u200dष" },
  { what: "Hebrew with points", text: "שָׁלוֹם" },
  { what: "Thai and Vietnamese", text: "น้ำ Tiê\u0301ng Viê\u0323t" },
  { what: "Korean, and decomposed", text: "한국어 한국" },
  { what: "an ideographic variant", text: "葛\u{e0100}" },
  {
    what: "an amount in a French locale, a time in an English one",
    text: "1\u202f000 3:45\u202fPM",
  },
  { what: "lines and tabs", text: "a\tb\r\nc" },
]) {
  test(`${what}: nothing is hidden`, () => assert.equal(visibleText(text), text));
}

for (const { what, text, shown } of [
  { what: "a joiner between Latin letters", text: "T\u200dS\u200cT", shown: "TU+200DSU+200CT" },
  { what: "a joiner at the end of an Arabic word", text: "سلام\u200d", shown: "سلامU+200D" },
  { what: "a variation selector on a letter", text: "T\ufe0fST\ufe00", shown: "TU+FE0FSTU+FE00" },
  { what: "a second variation selector", text: "❤\ufe0f\ufe0f", shown: "❤\ufe0fU+FE0F" },
  { what: "a variation selector on a digit", text: "1\ufe0f", shown: "1U+FE0F" },
  { what: "an ideographic selector on a letter", text: "T\u{e0100}", shown: "TU+E0100" },
  { what: "text in tags", text: "🏴\u{e0041}\u{e007f}", shown: "🏴U+E0041U+E007F" },
  {
    what: "zero-width space, word joiner, soft hyphen",
    text: "\u200bT\u2060S\u00adT",
    shown: "U+200BTU+2060SU+00ADT",
  },
  { what: "an override and an isolate", text: "\u202eTST\u2069", shown: "U+202ETSTU+2069" },
  {
    what: "Hangul fillers and a Braille blank",
    text: "\u3164\uffa0\u115f\u2800",
    shown: "U+3164U+FFA0U+115FU+2800",
  },
  {
    what: "private and unassigned characters",
    text: "\ue000\u{e1fff}\uffff",
    shown: "U+E000U+E1FFFU+FFFF",
  },
  { what: "half of a pair", text: "T\ud800", shown: "TU+D800" },
  { what: "a no-break space at the edge", text: "\u00a0TST\u2003", shown: "U+00A0TSTU+2003" },
  { what: "several unusual blanks", text: "a\u00a0\u00a0b", shown: "aU+00A0U+00A0b" },
  { what: "a mark that would stand on what is before", text: "\u0336TST", shown: "U+0336TST" },
  { what: "marks on a blank", text: "a \u0336\u0336b", shown: "a U+0336U+0336b" },
  {
    what: "a fifth mark",
    text: `T\u0300\u0301\u0302\u0303\u0304S`,
    shown: "T\u0300\u0301\u0302\u0303U+0304S",
  },
  { what: "the same mark twice", text: "T\u0301\u0301", shown: "T\u0301U+0301" },
]) {
  test(`${what}: shown as ${JSON.stringify(shown)}`, () => assert.equal(visibleText(text), shown));
}

test("a text of marks takes time in proportion to its length", () => {
  assert.equal(textParts(`a${"\u0300\u0301".repeat(500_000)}`).length, 1_000_000 - 3);
});

for (const text of [
  "",
  " ",
  "\u00a0",
  "\u200b",
  "\u2800",
  "\u3164",
  "\ufe0f\u200d",
  "\u0301",
  "\t",
]) {
  test(`${JSON.stringify(text)} has no visible character`, () => {
    assert.equal(hasVisible(text), false);
    assert.equal(tokenText({ id: "11", symbol: text }, NOTHING), "(nothing) #11");
    assert.equal(nameText(text, NOTHING), NOTHING);
  });
}

for (const { symbol, text } of [
  { symbol: "GLD", text: "GLD" },
  { symbol: "wETH2.e", text: "wETH2.e" },
  { symbol: "한국", text: "한국" },
  { symbol: "€", text: "€" },
  { symbol: "🐶", text: "🐶" },
  { symbol: "000,000 TST", text: '"000,000 TST"' },
  { symbol: "000", text: '"000"' },
  { symbol: "０００", text: '"０００"' },
  { symbol: "٠٠٠", text: '"٠٠٠"' },
  { symbol: "½", text: '"½"' },
  { symbol: ",000", text: '",000"' },
  { symbol: "\u2019000", text: '"\\\u2019000"' },
  { symbol: "·000", text: '"·000"' },
  { symbol: "T,000", text: '"T,000"' },
  { symbol: "TST ", text: '"TST "' },
  { symbol: "T\u00a0T", text: '"T\u00a0T"' },
  { symbol: "TST#0", text: '"TST#0"' },
  { symbol: 'TST" #0 "', text: '"TST\\" #0 \\""' },
  { symbol: "OOO", text: '"OOO"' },
  { symbol: "\u041eO\u039f", text: '"\u041eO\u039f"' },
  { symbol: "e9", text: '"e9"' },
  { symbol: "×10", text: '"×10"' },
  { symbol: "%", text: '"%"' },
  { symbol: "א000", text: '"א000"' },
]) {
  test(`the symbol ${symbol} stands beside an amount as ${text}`, () =>
    assert.equal(symbolText(symbol, NOTHING), text));
}

for (const { token, text } of [
  { token: { id: "0", symbol: "TST" }, text: "TST" },
  { token: { id: "11", symbol: "TST" }, text: "TST #11" },
  { token: { id: "11", symbol: "\u202eTST" }, text: '"U+202ETST" #11' },
  { token: { id: "11", symbol: "שלום" }, text: "#11 (שלום)" },
]) {
  test(`token ${token.id} is called ${text}`, () => assert.equal(tokenText(token, NOTHING), text));
}

for (const { name, text } of [
  { name: "Dragon Slayer 2", text: "Dragon Slayer 2" },
  { name: "용", text: "용" },
  { name: "5,000 TST", text: '"5,000 TST"' },
  { name: "+5 TST", text: '"+5 TST"' },
  { name: "5\uff0c000", text: '"5\uff0c000"' },
]) {
  test(`the name ${name} is shown as ${text}`, () => assert.equal(nameText(name, NOTHING), text));
}
