import { createPrivateKey, createPublicKey, ECDH } from "node:crypto";
import { addJsonBody } from "../../description/body-parameters.ts";
import { ALICE, BOB, PUBLIC_KEY, SIGNATURE, TEMPORARY_KEY } from "../../description/examples.ts";
import { Refused } from "../../description/faults.ts";
import type { AnyOperation } from "../../description/operation.ts";
import { unlockDate } from "../../description/parameters/dates.ts";
import { refuseUnclean } from "../../description/parameters/texts.ts";
import { RawParameters } from "../../description/raw-parameters.ts";
import { readRequest } from "../../description/request-reader.ts";
import { OPERATIONS } from "../../descriptions.ts";
import { KeyProblem } from "../../keys/key-problem.ts";
import { parsePublicKey, publicKeyText } from "../../keys/public-key.ts";
import { codeAndParameter } from "../../testing/requests.ts";
import { type Amount, decimalText, parseAmount } from "../../text/amount.ts";
import { canonicalJson, type Json } from "../../text/canonical-json.ts";
import { firstCodePoints } from "../../text/code-points.ts";
import { compactJson, JsonTextError, parseJsonText } from "../../text/json-text.ts";
import { feeOf, parseRate, type Rate, rateText } from "../../text/rate.ts";
import { parseTileName } from "../../tree/tile.ts";
import type { EncodingVectors } from "../vector-types.ts";
import { CURVES } from "./rfc6979.ts";
import { makeSignatures } from "./signatures.ts";

/** Forms of numbers, texts, JSON and public keys, accepted and refused. Source: conventions §1. */
export function makeEncodings(): EncodingVectors {
  return {
    integers: INTEGERS.map((text) => ({ text, valid: parseAmount(text) !== undefined })),
    unlock_dates: UNLOCK_DATES.map((text) => ({
      text,
      valid: !(unlockDate().read(text, "unlockdate") instanceof Refused),
    })),
    decimals: decimals(),
    rates: rates(),
    fees: fees(),
    texts: TEXTS.map((text) => ({ text, valid: refuseUnclean(text, "memo") === undefined })),
    cut_texts: CUT_TEXTS.map(({ text, length }) => ({
      text,
      length,
      kept: firstCodePoints(text, length),
    })),
    canonical_json: CANONICAL.map((given) => ({ ...given, canonical: canonical(given.json) })),
    json_texts: JSON_TEXTS.map((given) => ({ ...given, compact: compact(given.text) })),
    requests: requests(),
    public_keys: publicKeys(),
    tiles: tiles(),
  };
}

const MAX = `1${"0".repeat(40)}`;

const INTEGERS = [
  ...["0", "1", "9", "10", "9007199254740991", "9007199254740993", "9".repeat(40), MAX],
  ...[`1${"0".repeat(39)}1`, `2${"0".repeat(40)}`, "9".repeat(41), `1${"0".repeat(41)}`],
  ...["", "00", "01", "+1", "-1", "-0", "1.0", "1.", ".1", "1e3", "1E3", " 1", "1 ", "1\n", "\t1"],
  ...["0x1", "1_000", "1,000", "1 000", "Infinity", "NaN", "x", "１", "٣", "½", "null"],
];

const UNLOCK_DATES = [
  ...["0", "1", "1767225600", "2147483647", "2147483648", "4294967296", MAX],
  ...["-1", "01", "1.5", "x", "2026-01-01", " 0"],
];

function decimals(): EncodingVectors["decimals"] {
  return [
    ...["0", "1", "10", "100000000", "150000000", "123456789", "99999999", MAX].map((amount) => ({
      amount,
      decimals: 8,
    })),
    ...[0, 1, 2, 17, 18].map((places) => ({ amount: "1000000000000000000", decimals: places })),
    ...[0, 18].map((places) => ({ amount: MAX, decimals: places })),
    ...[0, 18].map((places) => ({ amount: "1", decimals: places })),
    { amount: "9".repeat(40), decimals: 18 },
  ].map(({ amount, decimals: places }) => ({
    amount,
    decimals: places,
    text: decimalText(parseAmount(amount) as Amount, places),
  }));
}

function rates(): EncodingVectors["rates"] {
  const four = [
    ...["0", "1", "10", "2.5", "2.50", "2.5000", "0.0001", "99.9999", "100", "100.0000", "0.0"],
    ...["999.9999", "", "-1", "+1", "01", "00.5", ".5", "2.", "1e1", " 1", "1 ", "1.00000", "1,5"],
    ...["1000", "10000", "99999.9999", "100000", "x", "1.5%", "1.2.3", "１"],
  ].map((text) => ({ text, decimals: 4 }));
  const two = ["9.99", "10.00", "9.999", "0.001", "10"].map((text) => ({ text, decimals: 2 }));
  return [...four, ...two].map((given) => {
    const rate = parseRate(given.text, given.decimals);
    return { ...given, canonical: rate === undefined ? null : rateText(rate) };
  });
}

function fees(): EncodingVectors["fees"] {
  return [
    ...([
      ["30", "2.5"],
      ["120", "2.5"],
      ["150", "2.5"],
      ["1000", "2.5"],
      ["9", "10"],
      ["10", "10"],
    ] as const),
    ...([
      ["999999", "0.0001"],
      ["1000000", "0.0001"],
      [MAX, "99.9999"],
      ["0", "100"],
    ] as const),
    ...([
      ["9".repeat(40), "100"],
      ["9".repeat(40), "33.3333"],
      [MAX, "0"],
      ["1", "99.9999"],
    ] as const),
  ].map(([amount, rate]) => ({
    amount,
    rate,
    fee: String(feeOf(parseAmount(amount) as Amount, parseRate(rate) as Rate)),
  }));
}

const TEXTS = [
  ...["a", " a ", "a\tb", "a\rb", "a\nb", "a\r\nb", "|", "é", "\u{1f600}", "\u007f", "\u0080"],
  ...["\u2028", "\ufeff", "\uffff", "\u{10ffff}", "\ud83d\ude00"],
  ...["\u0000", "a\u0000", "\u0001", "\u0008", "\u000b", "\u000c", "\u000e", "\u001b", "\u001f"],
  ...["\ud834", "\udd1e", "\udd1e\ud834", "a\ud834b"],
];

const CUT_TEXTS = [
  { text: "coffee", length: 64 },
  { text: "a".repeat(65), length: 64 },
  { text: "é".repeat(65), length: 64 },
  { text: "\u{1d11e}".repeat(65), length: 64 },
  { text: `${"e\u0301".repeat(32)}e\u0301`, length: 64 },
  { text: `${"a".repeat(63)}\u{1f600}b`, length: 64 },
];

const CANONICAL = [
  {
    name: "members in the order of their UTF-16 code units",
    source: "RFC 8785, section 3.2.3",
    json: '{\n  "\\u20ac": "Euro Sign",\n  "\\r": "Carriage Return",\n  "\\ufb33": "Hebrew Letter Dalet With Dagesh",\n  "1": "One",\n  "\\ud83d\\ude00": "Emoji: Grinning Face",\n  "\\u0080": "Control",\n  "\\u00f6": "Latin Small Letter O With Diaeresis"\n}',
  },
  {
    name: "escapes",
    source: "RFC 8785, section 3.2.2, the member string",
    json: '{"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
  },
  {
    name: "every control character",
    json: `"${Array.from({ length: 33 }, (_, code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}\\u007f\\u0080\\u2028\\u2029"`,
  },
  { name: "nothing is normalized", json: '["e\\u0301","\\u00e9","\\ufeff","\\uffff"]' },
  { name: "empty", json: ' { "b" : [ ] , "a" : { } , "" : "" } ' },
  { name: "names that look like numbers", json: '{"10":1,"9":2,"1":3,"01":4}' },
  { name: "upper case before lower case", json: '{"b":1,"B":2,"a":3,"_":4}' },
  { name: "a name that means something to JavaScript", json: '{"__proto__":1,"a":2}' },
  { name: "nested", json: '[{"b":[{"d":1,"c":{"f":2,"e":3}}],"a":"\\u0041"}]' },
  { name: "the largest number", json: "[0,9007199254740991]" },
  { name: "a number written otherwise", json: "[1e3,1.0,-0]" },
  { name: "a number above the largest", json: "9007199254740992" },
  { name: "a fraction", json: "1.5" },
  { name: "a negative number", json: "-1" },
  { name: "half a surrogate pair", json: '"\\ud834"' },
  { name: "half a surrogate pair in a name", json: '{"\\udd1e":1}' },
];

function canonical(json: string): string | null {
  try {
    return canonicalJson(JSON.parse(json) as Json);
  } catch {
    return null;
  }
}

const JSON_TEXTS = [
  { name: "blanks, tabs and line ends", text: ' [ 1 ,\t"a b" ,\r\n{ "c" : null } ] ' },
  {
    name: "escapes and forms of numbers stay",
    text: '{"b":"caf\\u00e9 \\/ \\n","a":[1.0,1E+2,-0]}',
  },
  { name: "order of members stays", text: '{"b": 1, "a": 2, "10": 3, "9": 4}' },
  { name: "blanks in strings stay", text: '[" a \\" b ", "\\\\"]' },
  { name: "8 deep", text: "[[[[[[[[]]]]]]]]" },
  { name: "9 deep", text: "[[[[[[[[[]]]]]]]]]" },
  { name: "a name twice", text: '{"a":1,"a":1}' },
  { name: "a name twice, once escaped", text: '{"a":1,"\\u0061":2}' },
  { name: "a name twice, deeper", text: '[{"b":{"a":1,"c":2,"a":3}}]' },
  { name: "one name in two objects", text: '[{"a":1},{"a":1}]' },
  { name: "a comma too many", text: "[1,]" },
  { name: "a comment", text: "[1 /* one */]" },
  { name: "single quotes", text: "['a']" },
  { name: "a leading zero", text: "[01]" },
  { name: "a sign", text: "[+1]" },
  { name: "no number", text: "[NaN]" },
  { name: "a line end in a string", text: '["a\nb"]' },
  { name: "an escape that is none", text: '["\\x41"]' },
  { name: "something behind it", text: "[] []" },
  { name: "a byte order mark", text: "\ufeff[]" },
  { name: "a no-break space", text: "[\u00a01]" },
  { name: "nothing", text: "" },
];

function compact(text: string): string | null {
  return parseJsonText(text) instanceof JsonTextError ? null : compactJson(text);
}

/**
 * JSON bodies and the texts of their parameters. Source: conventions §1.1, §1.4, §1.5, §1.6, §1.8.
 */
function requests(): EncodingVectors["requests"] {
  const rest = `"checkkey":"${TEMPORARY_KEY}","signature":"${SIGNATURE}"}`;
  const both = `{"from":"${ALICE}","to":"${BOB}",`;
  const pay = (members: string): string => `${both}${members},${rest}`;
  const coin = '"token":"0","amount":"100"';
  const list = (text: string): string =>
    `{"from":"${ALICE}","transferlist":${text},"token":"0",${rest}`;
  const entry = `{"address":"${BOB}","amount":"1","unlockdate":"0"}`;
  const transfers = [
    { name: "texts", body: pay(coin) },
    {
      name: "numbers for integers",
      source: "accounts §10, row 9",
      body: pay('"token":0,"amount":300'),
    },
    { name: "numbers that are integers written otherwise", body: pay('"token":-0,"amount":1e2') },
    { name: "1.0 is an integer", body: pay('"token":0.0,"amount":1.0') },
    { name: "the largest safe integer", body: pay('"token":0,"amount":9007199254740991') },
    { name: "an integer that is not safe", body: pay('"token":0,"amount":9007199254740992') },
    {
      name: "what only rounds to an integer",
      body: pay('"token":0,"amount":1.00000000000000000001'),
    },
    { name: "a fraction", body: pay('"token":0,"amount":1.5') },
    { name: "a negative number", body: pay('"token":0,"amount":-1') },
    { name: "true", body: pay('"token":0,"amount":true') },
    { name: "a number where text is wanted", body: pay(`${coin},"memo":5`) },
    { name: "a list where text is wanted", body: pay(`${coin},"memo":["a"]`) },
    {
      name: "a leading zero",
      source: "accounts §10, row 3",
      body: pay('"token":"0","amount":"01"'),
    },
    { name: "amount 0", source: "accounts §10, row 3", body: pay('"token":"0","amount":"0"') },
    { name: "other names", body: pay(`${coin},"tag":"rent","memo":"May"`) },
    { name: "two names, one value", body: pay(`${coin},"tag":"rent","tags":"rent"`) },
    { name: "two names, two values", body: pay(`${coin},"tag":"rent","tags":"May"`) },
    { name: "empty and null count as absent", body: pay(`${coin},"tags":"","memo":null`) },
    { name: "a required one that is empty", body: pay('"token":"","amount":"1"') },
    { name: "a required one that is absent", body: pay('"token":"0"') },
    { name: "unknown names", body: pay(`${coin},"colour":"red","a":[1,{"b":2}]`) },
    { name: "nothing is trimmed", body: pay(`${coin},"memo":" a\\tb\\r\\n "`) },
    {
      name: "an escape is what it means",
      body: pay(`${coin},"memo":"caf\\u00e9 \\/ \\ud83d\\ude00"`),
    },
    { name: "tags of 65 characters are cut", body: pay(`${coin},"tags":"${"é".repeat(65)}"`) },
    {
      name: "tags of 65 characters are whole if the signature covers them",
      body: pay(`${coin},"signed":"full","tags":"${"é".repeat(65)}"`),
    },
    { name: "a control character", body: pay(`${coin},"memo":"a\\u0000"`) },
    { name: "half a surrogate pair", body: pay(`${coin},"memo":"\\ud834"`) },
    {
      name: "a date out of bounds",
      source: "accounts §10, row 7",
      body: pay(`${coin},"unlockdate":2147483648`),
    },
    { name: "signed is another word", body: pay(`${coin},"signed":"short"`) },
    { name: "to itself", source: "accounts §10, row 4", body: pay(coin).replace(BOB, ALICE) },
    {
      name: "a malformed address",
      source: "accounts §10, row 4",
      body: pay(coin).replace(BOB, "MTBob"),
    },
  ].map((given) => ({ operation: "transfer", ...given }));
  const lists = [
    { name: "a list for its text", source: "accounts §11, row 11", body: list(`[${entry}]`) },
    {
      name: "a list with blanks, escapes and numbers: its text is the compact one",
      body: list(
        `[ {"unlockdate" : 0,\r\n "memo": "caf\\u00e9 a\\/b | c", "amount":1.0, "address":"${BOB}"} ]`,
      ),
    },
    {
      name: "a text stays as it is",
      source: "accounts §11, rows 9 and 10",
      body: list(
        JSON.stringify(
          ` [ {"memo":"caf\\u00e9 a\\/b", "unlockdate":0,"amount":"1","address":"${BOB}"} ]\n`,
        ),
      ),
    },
    { name: "an empty list", source: "accounts §11, row 6", body: list("[]") },
    { name: "an object", source: "accounts §11, row 7", body: list("{}") },
    { name: "a list of numbers", source: "accounts §11, row 7", body: list("[1]") },
    { name: "no JSON", source: "accounts §11, row 7", body: list('"x"') },
    {
      name: "a name twice in an entry",
      source: "accounts §11, row 7",
      body: list(JSON.stringify(`[${entry.replace("}", ',"amount":"1"}')}]`)),
    },
    {
      name: "amount 0 without a memo",
      source: "accounts §11, row 5",
      body: list(`[${entry.replace('"1"', '"0"')}]`),
    },
    {
      name: "amount 0 with a memo",
      source: "accounts §11, row 5",
      body: list(`[${entry.replace('"1"', '"0"').replace("}", ',"memo":"hi"}')}]`),
    },
    {
      name: "an entry without a date",
      source: "accounts §11, row 8",
      body: list(`[${entry.replace(',"unlockdate":"0"', "")}]`),
    },
    {
      name: "101 entries",
      source: "accounts §11, row 6",
      body: list(`[${Array(101).fill(entry)}]`),
    },
    {
      name: "9 deep",
      body: list(JSON.stringify(`[${entry.replace("}", ',"x":[[[[[[[]]]]]]]}')}]`)),
    },
  ].map((given) => ({ operation: "multitransfer", ...given }));
  return [...transfers, ...lists].map((given) => ({ ...given, ...answerTo(given) }));
}

function answerTo({ operation: name, body }: { operation: string; body: string }) {
  const operation = OPERATIONS.find((one) => one.name === name) as AnyOperation;
  const raw = new RawParameters(operation.parameters);
  const request = addJsonBody(raw, body, operation.parameters) ?? readRequest(operation, raw);
  if (!(request instanceof Refused)) {
    return { params: request.params };
  }
  const [code = "", parameter] = codeAndParameter(request.fault).split(" ");
  return parameter === undefined ? { code } : { code, parameter };
}

/** The test key in every form, keys on other curves, refused texts. Source: accounts §2, §4. */
function publicKeys(): EncodingVectors["public_keys"] {
  const pem = PUBLIC_KEY;
  const body = pem.replaceAll(/-----.*-----|\n/g, "");
  const der = Uint8Array.fromBase64(body);
  const short = "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY=";
  const { keys } = makeSignatures();
  const [one] = keys;
  const inner = der.slice(2);
  const forms = [
    { name: "PEM with LF", source: "accounts §4, row 1", text: pem },
    { name: "PEM with CRLF", source: "accounts §4, row 2", text: pem.replaceAll("\n", "\r\n") },
    { name: "PEM with CR", text: pem.replaceAll("\n", "\r") },
    {
      name: "PEM with \\n as two characters",
      source: "accounts §4, row 2",
      text: pem.replaceAll("\n", "\\n"),
    },
    { name: "PEM with \\r\\n as four characters", text: pem.replaceAll("\n", "\\r\\n") },
    { name: "PEM without line ends", source: "accounts §4, row 2", text: pem.replaceAll("\n", "") },
    { name: "PEM with blanks for line ends", text: pem.replaceAll("\n", " ") },
    { name: "PEM between white space", text: ` \t\r\n${pem} \t\r\n` },
    { name: "the body only", source: "accounts §4, row 2", text: body },
    { name: "the body on many lines", text: body.replaceAll(/.{10}/g, "$& \t\r\n") },
    { name: "base64 without padding", text: body.replaceAll("=", "") },
    { name: "base64 with half of its padding", text: body.slice(0, -1) },
    {
      name: "base64url without padding",
      source: "accounts §4, row 2",
      text: der.toBase64({ alphabet: "base64url", omitPadding: true }),
    },
    { name: "base64url with padding", text: der.toBase64({ alphabet: "base64url" }) },
    { name: "compressed", source: "accounts §2", text: short },
    { name: "compressed in PEM", text: publicKeyText(short) },
    { name: "4096 characters with white space", text: body.padEnd(4096) },
    ...keys.slice(1).flatMap(({ name, public_key, public_key_body }) => [
      { name: `${name}, PEM`, text: public_key },
      {
        name: `${name}, compressed`,
        text: compressed(public_key_body, name as keyof typeof CURVES),
      },
    ]),
  ];
  const refused = [
    { name: "nothing", source: "accounts §4, row 3", text: "" },
    { name: "hello", source: "accounts §4, row 3", text: "hello" },
    { name: "marks without end mark", source: "accounts §4, row 3", text: pem.slice(0, -26) },
    { name: "white space", text: " \r\n" },
    { name: "two blocks", text: pem + pem },
    { name: "text before the marks", text: `key: ${pem}` },
    { name: "a padding alone", text: "==" },
    { name: "three =", text: `${body}=` },
    { name: "a length of 1 modulo 4", text: `${body.slice(0, -2)}AAA` },
    { name: "a no-break space", text: `${body}\u00a0` },
    { name: "4097 characters", text: body.padEnd(4097) },
    { name: "a private key, PKCS#8", text: one?.private_key_pkcs8 ?? "" },
    {
      name: "a private key, SEC1",
      source: "accounts §4, row 6",
      text: one?.private_key_sec1 ?? "",
    },
    {
      name: "a certificate",
      source: "accounts §4, row 6",
      text: pem.replaceAll("PUBLIC KEY", "CERTIFICATE"),
    },
    { name: "five bytes", source: "accounts §4, row 4", text: "aGVsbG8=" },
    {
      name: "one byte appended",
      source: "accounts §4, row 4",
      text: Uint8Array.of(...der, 0).toBase64(),
    },
    {
      name: "its last byte changed",
      source: "accounts §4, row 4",
      text: der.with(90, 0xf6).toBase64(),
    },
    { name: "its last byte left out", text: der.slice(0, -1).toBase64() },
    {
      name: "a length in more bytes than it needs",
      text: Uint8Array.of(0x30, 0x81, inner.length, ...inner).toBase64(),
    },
    { name: "compressed, of no point", text: noPoint() },
    { name: "the point at infinity", text: "MBkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDAgAA" },
    { name: "a point in hybrid form", text: der.with(26, 0x07).toBase64() },
    { name: "RSA", source: "accounts §4, row 5", text: RSA },
    { name: "Ed25519", source: "accounts §4, row 5", text: ED25519 },
    { name: "secp256k1", source: "accounts §4, row 5", text: secp256k1() },
    { name: "parameters written out", source: "accounts §4, row 5", text: EXPLICIT },
  ];
  return [...forms, ...refused].map((given) => {
    const key = parsePublicKey(given.text);
    return key instanceof KeyProblem
      ? { ...given, code: key.code }
      : { ...given, curve: key.curve, body: key.body };
  });
}

function compressed(body: string, name: keyof typeof CURVES): string {
  const { bytes, namedCurve } = CURVES[name];
  const point = Uint8Array.fromBase64(body).slice(-1 - 2 * bytes);
  const short = ECDH.convertKey(point, namedCurve, undefined, "hex", "compressed") as string;
  const algorithm = {
    "P-256": "301306072a8648ce3d020106082a8648ce3d030107",
    "P-384": "301006072a8648ce3d020106052b81040022",
    "P-521": "301006072a8648ce3d020106052b81040023",
  }[name];
  const bits = `03${(bytes + 2).toString(16)}00${short}`;
  const length = (algorithm.length + bits.length) / 2;
  return Uint8Array.fromHex(`30${length.toString(16)}${algorithm}${bits}`).toBase64();
}

/** x = 1: 1^3 - 3 * 1 + b is not a square on P-256. */
function noPoint(): string {
  const head = "3039301306072a8648ce3d020106082a8648ce3d03010703220002";
  return Uint8Array.fromHex(head + "01".padStart(64, "0")).toBase64();
}

function secp256k1(): string {
  // Private scalar 1, so that the key is the curve's base point.
  const der = `303e020100301006072a8648ce3d020106052b8104000a042730250201010420${"1".padStart(64, "0")}`;
  const privateKey = createPrivateKey({
    key: Buffer.from(der, "hex"),
    format: "der",
    type: "pkcs8",
  });
  return createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
}

const RSA =
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDUvgVsh0/XSgrA8hLESL/aY1yyWRDMIxfA5XCZ8vCnikt+sQbun1hkseBB+3aXnUGftN7oX7PO2baXALTQRsR/altjd0roW56flKdvScmXCJUjvlEIUXF6Adkb/xndrOrMLkebSUB+Iv75GhBhjCvdV4oEh8N6gGB9EzUVGSZiywIDAQAB";
/** Of the seed of 32 zero bytes. */
const ED25519 = "MCowBQYDK2VwAyEAO2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=";
/** The test key as OpenSSL writes it with -param_enc explicit. */
const EXPLICIT =
  "MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=";

/** Source: C2SP tlog-tiles. */
function tiles(): EncodingVectors["tiles"] {
  return [
    ...["000", "067", "999", "x001/000", "x001/x234/067", "000.p/1", "000.p/255"],
    ...["x001/x234/067.p/255", "0", "00", "0000", "x000/000", "x001", "001/000", "x01/000"],
    ...["000.p", "000.p/", "000.p/0", "000.p/01", "000.p/256", "000.P/1", "000/", "/000", "-01"],
    ...["00a", "x001/x000", "", "０００", "x999/x999/x999/x999/x999/x999/999"],
  ].map((text) => ({ text, ...parseTileName(text) }));
}
