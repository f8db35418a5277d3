import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { localNumber, readNumber } from "./number-text.ts";

const twofold = (one: string, other: string) => ({ what: "twofold", one, other }) as const;
const NONE = { what: "form" } as const;

for (const [locale, text, is] of [
  ["en", "1,000.5", "1000.5"],
  ["en", "1,000", "1000"],
  ["en", "1.000", "1.000"],
  ["en", "1 000.5", "1000.5"],
  ["en", "1'000", "1000"],
  ["en", "1,5", NONE],
  ["en", "1,50", NONE],
  ["en", "1,0000", NONE],
  ["en", "10,00", NONE],
  ["en", "1,000,5", NONE],
  ["en", "1.000.000", NONE],
  ["en", "1.000,5", NONE],
  ["en", "1 000,000", NONE],
  ["en", "12,34,567", NONE],
  ["en", "0,500", NONE],
  ["en", "1.000,000", NONE],
  ["de", "1.000,5", "1000.5"],
  ["de", "1.000.000", "1000000"],
  ["de", "1\u202f000,5", "1000.5"],
  ["de", "1000,5", "1000.5"],
  ["de", "1,5", "1.5"],
  ["de", "1,500", "1.500"],
  ["de", "1.000", twofold("1000", "1")],
  ["de", "12.345", twofold("12345", "12.345")],
  ["de", "1.5", "1.5"],
  ["de", "0.500", "0.500"],
  ["de", "1000.125", "1000.125"],
  ["de", "1,000.5", NONE],
  ["de", "1.00,5", NONE],
  ["de", "1,5,5", NONE],
  ["de-CH", "1’000.5", "1000.5"],
  ["de-CH", "1'000.5", "1000.5"],
  ["de-CH", "1,5", NONE],
  // Austria groups by spaces, and often by points.
  ["de-AT", "1.000", twofold("1000", "1")],
  ["fr", "1 000,5", "1000.5"],
  ["fr", "1\u00a0000,5", "1000.5"],
  ["fr", "1.000", twofold("1000", "1")],
  ["fr", "1,000", "1.000"],
  ["ru", "1\u00a0000,5", "1000.5"],
  ["es", "1.000", twofold("1000", "1")],
  ["pt-BR", "1.000,50", "1000.50"],
  ["hi", "12,34,567.5", "1234567.5"],
  ["en-IN", "1,234,567", NONE],
  ["ar-EG", "١٬٠٠٠٫٥", "1000.5"],
  ["ar-EG", "1000.5", "1000.5"],
  ["ar-EG", "١0", NONE],
  ["ar-EG", "\u061c٥", "5"],
  ["fa", "۱٬۰۰۰٫۵", "1000.5"],
  ["ko", "1,000.5", "1000.5"],
  ["ko", "１０００", NONE],
  ...[
    "",
    " ",
    "-1",
    "−1",
    "+1",
    "1.",
    ".5",
    ",5",
    "01",
    "1e3",
    "1E3",
    "0x1",
    "NaN",
    "∞",
    "1_000",
  ].map((wrong) => ["en", wrong, NONE] as const),
  ...["1 ", " 1", "\u200e1"].map((right) => ["en", right, "1"] as const),
] as const) {
  test(`${locale}: ${JSON.stringify(text)} is ${JSON.stringify(is)}`, () =>
    assert.deepEqual(readNumber(text, locale), is));
}

const LOCALES = [
  ...[
    "en",
    "en-US",
    "en-GB",
    "en-IN",
    "en-ZA",
    "en-DE",
    "ko",
    "ko-KR",
    "ja",
    "zh",
    "de",
    "de-AT",
    "de-CH",
  ],
  ...[
    "de-LI",
    "fr",
    "fr-CH",
    "fr-CA",
    "es",
    "es-MX",
    "es-AR",
    "it",
    "it-CH",
    "pt-BR",
    "pt-PT",
    "nl",
  ],
  ...[
    "pl",
    "ru",
    "uk",
    "cs",
    "sv",
    "nb",
    "fi",
    "da",
    "tr",
    "id",
    "vi",
    "th",
    "hi",
    "mr",
    "ne",
    "bn",
  ],
  ...[
    "ta",
    "my",
    "ar",
    "ar-EG",
    "ar-MA",
    "fa",
    "ur",
    "he",
    "sl",
    "hr",
    "el",
    "hu",
    "ro",
    "bg",
    "et",
  ],
  ...["th-u-nu-thai", "ff-Adlm", "dz", "sw", "am", "eu", "gl", "ca", "is", "lv", "lt"],
];

test("what a page shows of a number is read as the same number, in every locale", () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 40n });
  for (const locale of LOCALES) {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        const padded = String(amount).padStart(decimals + 1, "0");
        const [whole, fraction] = [
          padded.slice(0, padded.length - decimals),
          padded.slice(padded.length - decimals).replace(/0+$/, ""),
        ];
        const plain = fraction === "" ? whole : `${whole}.${fraction}`;
        assert.equal(readNumber(localNumber(plain, locale), locale), plain, locale);
      }),
      { numRuns: 50 },
    );
    for (const plain of ["1000", "10000", "999999", "1000000", "1.125", "1000.125", "0.001"]) {
      assert.equal(readNumber(localNumber(plain, locale), locale), plain, locale);
    }
  }
});

test("no text that one locale shows is read as another number in another locale with points before decimals", () => {
  for (const shown of ["1000", "12345", "999999"].map((plain) => localNumber(plain, "de"))) {
    assert.deepEqual(
      ["de", "en", "fr"].map((locale) => readNumber(shown, locale)),
      [shown.replace("\u202f", ""), shown.replace("\u202f", ""), shown.replace("\u202f", "")],
    );
  }
});
