import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { crc32 } from "node:zlib";
import type { AnyOperation, AnyRead, Parameter } from "@moneta/protocol";

// Values that a parameter must refuse, with their codes. The values follow from the schema that
// clients see. The codes are those of the chapters and not of the code: conventions §1 and §3 have
// those of each kind of value, the tables below those of single operations.

/** A text that a parameter refuses, and the code, perhaps with the name of a member. */
export interface Malformed {
  readonly text: string;
  readonly code: string;
  /** The place in a list or object, such as `[0].price`. */
  readonly member?: string;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly uniqueItems?: boolean;
}

/** Codes of problems that name no parameter, because only one can be meant. */
const WITHOUT_PARAMETER: ReadonlySet<string> = new Set(["6010", "9404"]);

/** Statuses of the codes in this table. Source: conventions §3, accounts §4. */
const STATUSES: Readonly<Record<string, number>> = {
  2010: 401,
  2020: 401,
  2021: 409,
  2230: 401,
  3102: 405,
  3103: 405,
  3104: 405,
  3105: 405,
  3106: 405,
  6001: 404,
  6004: 404,
  6008: 404,
  6009: 404,
  6010: 404,
  6014: 404,
  9404: 404,
};

/** Status, code and parameter, as `summaryOf` shows a problem. */
export function refusal(code: string, parameter: string, operation = ""): string {
  const named = WITHOUT_PARAMETER.has(code) ? "" : ` ${parameter}`;
  // The contract has 405 for the key of a new address. Source: accounts §2.
  const status = code.startsWith("310") && operation !== "address" ? 400 : STATUSES[code];
  return `${status ?? 400} ${code}${named}`;
}

/**
 * Codes for an amount or price of 0, other than 1101. Source: tokens §6, §8 to §10; protocols §9;
 * mrc402 §9 to §14.
 */
const ZEROS: Readonly<Record<string, RegExp>> = {
  1104: /^(mrc010(req)?sell|mrc040(create|request))\.price$|^mrc010auction\.auction_(start_price|bidding_unit)$/,
  1106: /^mrc402melt\.amount$/,
  1107: /^mrc010\w+\.amount$|^mrc040\w+\.qtt$|^mrc402(sell|buy|offer|acceptoffer)\.(itemdata\.)?amount$/,
  1108: /^mrc402auction\.(itemdata\.)?amount$/,
  1206: /^token(burn|increase)\.amount$|^mrc402(transfer|mint|burn)\.amount$/,
};

/**
 * Codes of malformed integers, other than 1101. Source: tokens §3, accounts §9, protocols §5, mrc401
 * §7 and §14, mrc402 §6, chain §11.
 */
const INTEGER_CODES: Readonly<Record<string, RegExp>> = {
  1003: /^tokensave\.decimal$/,
  1102: /\.(unlockdate|expiredate|opendate|frozen|sell_start|sell_end)$|^mrc401\w+\.itemdata\.(auction_)?end$|^mrc40[12]offer\.end$|^grant\.until$/,
  3005: /^mrc402create\.decimal$/,
  9404: /^tile\.level$/,
};

/** Codes of malformed ids and names, other than 3005. Source: chain §1, §3, §11; batches §2. */
const PATTERN_CODES: Readonly<Record<string, RegExp>> = {
  6001: /^(block|blockRaw|transactions)\.block$/,
  6008: /\.transaction_id$/,
  6009: /^groupTransactions\.id$/,
  9404: /\.tile$/,
};

/** Ids that may have any form: a malformed one is unknown. Source: mrc401 §1.2, market §1.1. */
const UNKNOWN_IDS = /\.(dexid|mrc40[012]id|mrc040id|mrc020key|offerid|grantid|id)$/;

/** Codes of malformed elements of comma-separated lists. Source: chain §10, §11. */
const ELEMENT_CODES: Readonly<Record<string, RegExp>> = {
  1101: /\.token$/,
  3190: /\.address$/,
  3005: /\.(type|item)$/,
};

/** Whether a parameter is an id that may be unknown, but not malformed. */
export function isUnknownId(operation: string, name: string): boolean {
  return UNKNOWN_IDS.test(`${operation}.${name}`);
}

function codeIn(codes: Readonly<Record<string, RegExp>>, place: string): string | undefined {
  return Object.keys(codes).find((code) => codes[code]?.test(place));
}

const ADDRESS_PATTERN = "^MT[0-9A-Za-z]{30}[0-9a-f]{8}$";
/** Longer ones do not fit into a query string. */
const URI_LENGTH_MAX = 100_000;
const CONTROL_CHARACTER = "a\u0001b";

/** Texts that a parameter refuses, independent of the other parameters. */
export function malformedTexts(
  { name: operation }: AnyOperation | AnyRead,
  name: string,
  { schema, role, takesJson, takesAnything, cutAt }: Parameter<unknown>,
  given = "[]",
): readonly Malformed[] {
  const place = `${operation}.${name}`;
  if (role === "temporaryKey") {
    return [{ text: "abc", code: "2020" }];
  }
  if (role === "signature") {
    const one = { key: 0, signature: "MEQ=" };
    return [
      ...["abc!", "AAAA", "MEQ="].map((text) => ({ text, code: "2230" })),
      ...["[", "[1]", '[{"key":0}]', '[{"key":-1,"signature":"MEQ="}]'].map((text) => ({
        text,
        code: "1007",
      })),
      { text: JSON.stringify(Array(17).fill(one)), code: "3002" },
      { text: "[]", code: "3002" },
      { text: JSON.stringify([one, one]), code: "3004" },
    ];
  }
  if (role === "grant") {
    return [{ text: "x", code: "6014" }];
  }
  if (role === "forbidden") {
    return [{ text: "x", code: "3005" }];
  }
  if ((schema as Schema).type === "boolean") {
    return [{ text: "x", code: "3005" }];
  }
  if (takesAnything) {
    return [];
  }
  if (name === "agent" || name === "publickey") {
    // Any text is the key of some address or of none.
    return operation === "addressByKey" ? [] : malformedKeys();
  }
  if (takesJson) {
    return malformedJson(place, schema as Schema, given);
  }
  if (isUnknownId(operation, name) && (schema as Schema).pattern === undefined) {
    return [{ text: "x", code: "6004" }];
  }
  if (name === "cursor") {
    return [{ text: "x", code: "3005" }];
  }
  if (place === "events.after") {
    return [
      { text: "x", code: "3005" },
      { text: "1".repeat(64), code: "6008" },
    ];
  }
  return malformedBySchema(place, schema as Schema, cutAt !== undefined);
}

function malformedBySchema(place: string, schema: Schema, isCut = false): readonly Malformed[] {
  if (schema.anyOf !== undefined) {
    return malformedBySchema(place, schema.anyOf[0] as Schema, isCut);
  }
  if (schema.enum !== undefined) {
    return ["x", ` ${schema.enum[0]}`].map((text) => ({ text, code: "3005" }));
  }
  const bad = (code: string, ...texts: readonly string[]): readonly Malformed[] =>
    texts.map((text) => ({ text, code }));
  switch (schema.format) {
    case "amount":
    case "token-id":
    case "unix-time":
    case "integer": {
      const isIn = (text: string): boolean => new RegExp(schema.pattern ?? "").test(text);
      const code = codeIn(INTEGER_CODES, place) ?? "1101";
      return [
        ...bad(code, "x", "01", "-1", "+1", "1.5", "1e3"),
        ...bad(code, `1${"0".repeat(39)}1`),
        ...(code === "1003" ? bad("1004", "19") : []),
        ...(isIn("0") ? [] : bad(codeIn(ZEROS, place) ?? code, "0")),
      ];
    }
    case "uri":
      return [
        ...bad("3005", "nowhere", "javascript:alert(1)"),
        ...((schema.maxLength ?? URI_LENGTH_MAX) < URI_LENGTH_MAX
          ? bad("3005", "https://a.example/".padEnd((schema.maxLength ?? 0) + 1, "x"))
          : []),
      ];
    case "comma-separated":
      return [
        ...bad(codeIn(ELEMENT_CODES, place) ?? "3005", "?"),
        ...(/^events\.(?!token$)/.test(place) ? bad("1101", tooManyElements(place)) : []),
      ];
    default:
  }
  if (schema.pattern === ADDRESS_PATTERN) {
    return bad("3190", "MT", "MTAlice00000000000000000000000005dc33c91");
  }
  if (schema.pattern !== undefined && schema.pattern !== "^[^|]*$") {
    return bad(codeIn(PATTERN_CODES, place) ?? "3005", "?");
  }
  return [
    ...bad("1006", CONTROL_CHARACTER),
    ...(schema.pattern === undefined ? [] : bad("3005", "a|b")),
    ...(schema.maxLength === undefined || isCut
      ? []
      : bad("3005", "é".repeat(schema.maxLength + 1))),
  ];
}

/** `given` is a list that is accepted, from which those are made that have too much or too little. */
function malformedJson(place: string, schema: Schema, given: string): readonly Malformed[] {
  const { minItems = 0, maxItems, items = {} } = schema;
  if (schema.type !== "array") {
    const [, name = ""] = place.split(".");
    return [
      ...["x", "{", "[]", "null"].map((text) => ({ text, code: "1007" })),
      ...(malformedObjects(place.slice(0, 6))[name] ?? []),
    ];
  }
  const list = JSON.parse(given) as readonly unknown[];
  const first = list[0] as Readonly<Record<string, unknown>>;
  const tooMany = place.startsWith("tokensave.") ? "1007" : "3002";
  return [
    ...["x", "[", "{}", "null"].map((text) => ({ text, code: "1007" })),
    ...(minItems > 0 ? [{ text: "[]", code: "3002" }] : []),
    ...(maxItems === undefined
      ? []
      : [{ text: JSON.stringify(Array(maxItems + 1).fill(first)), code: tooMany }]),
    ...(/\.(itemdata|keys|recoverykeys|origins)$|^grant\.(operations|limits|payees|items)$/.test(
      place,
    )
      ? [{ text: JSON.stringify([first, first]), code: "3004", member: "[1]" }]
      : []),
    ...(items.type === "string" && items.pattern !== undefined
      ? malformedBySchema(place, items).map(({ text, code }) => ({
          ...{ text: JSON.stringify([text]), code, member: "[0]" },
        }))
      : []),
    ...(items.properties === undefined || isWhole(place)
      ? []
      : malformedMembers(place, items, first)),
  ];
}

/** Public keys that are refused. Source: accounts §2. */
function malformedKeys(): readonly Malformed[] {
  const pem = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
  const { publicKey: ofOtherCurve } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const { publicKey: ofOtherAlgorithm, privateKey } = generateKeyPairSync("ed25519");
  return [
    { text: "hello", code: "3103" },
    { text: "é".repeat(4097), code: "3103" },
    { text: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), code: "3104" },
    { text: "AAAA", code: "3105" },
    { text: pem(ofOtherAlgorithm), code: "3106" },
    { text: pem(ofOtherCurve), code: "3102" },
  ];
}

/** A well-formed address. Source: conventions §1.10. */
function addressOf(number: number): string {
  const body = String(number).padStart(30, "0");
  return `MT${body}${crc32(body).toString(16).padStart(8, "0")}`;
}

/** More elements than a comma-separated list may have. Source: chain §11. */
function tooManyElements(place: string): string {
  const numbers = Array.from({ length: 101 }, (_, number) => number);
  return numbers
    .map((number) => (place.endsWith(".address") ? addressOf(number) : "transfer"))
    .join(",");
}

/** Objects that are refused, by the name of their parameter. Source: mrc401 §4, mrc402 §6. */
function malformedObjects(kind: string): Readonly<Record<string, readonly Malformed[]>> {
  const numbers = [1, 2, 3, 4, 5, 6];
  const object = (entries: readonly (readonly [string, string])[]): string =>
    JSON.stringify(Object.fromEntries(entries));
  const bad = (code: string, ...texts: readonly string[]): readonly Malformed[] =>
    texts.map((text) => ({ text, code }));
  const badMember = (
    code: string,
    name: string,
    ...values: readonly string[]
  ): readonly Malformed[] =>
    values.map((value) => ({ text: object([[name, value]]), code, member: `.${name}` }));
  const links = numbers.map((number): [string, string] => [`${number}`, "https://a.example/"]);
  return {
    socialmedia: [
      ...badMember("3005", "a", "nowhere"),
      ...bad("3005", object(links).padEnd(40_961)),
      ...(kind === "mrc402"
        ? bad(
            "3002",
            object(Array.from({ length: 101 }, (_, at) => [`${at}`, "https://a.example/"])),
          )
        : []),
    ],
    attributes: [
      ...bad("3005", JSON.stringify({ a: ["x"] }), JSON.stringify({ a: { b: 1 } })).map((one) => ({
        ...one,
        member: ".a",
      })),
      ...['{"a":1.5}', '{"a":-1}', '{"a":1e3}', '{"a":9007199254740992}', '{"a":null}'].map(
        (text) => ({ text, code: "3005", member: ".a" }),
      ),
      ...badMember("3005", "a", "é".repeat(257)),
      ...bad("3005", '{"a:b":1}', '{"":1}', object([["é".repeat(65), "1"]])),
      ...bad("3005", object(Array.from({ length: 33 }, (_, at) => [`${at}`, "1"]))),
      ...bad("3005", object([["a", "1"]]).padEnd(4097)),
    ],
    partner: [
      ...badMember("3190", "MT", "seller"),
      ...badMember("3005", addressOf(1), "king"),
      ...bad("3005", object([[addressOf(1), "seller"]]).padEnd(40_961)),
    ],
    shareholder: [
      ...badMember("3190", "MT", "1"),
      ...badMember("3005", addressOf(1), "10.01", "2.555"),
      ...bad("3002", object(numbers.map((number) => [addressOf(number), "1"]))),
    ],
    initialreserve: [
      ...badMember("1101", "x", "1"),
      ...badMember("1101", "0", "0"),
      ...bad("3002", object(numbers.map((number) => [`${number}`, "1"]))),
      ...bad("3005", object([["0", "1"]]).padEnd(1025)),
    ],
  };
}

/** Elements of batches and groups have the parameters of their operations. */
function isWhole(place: string): boolean {
  return place.endsWith(".operations");
}

function malformedMembers(
  place: string,
  { required = [], properties = {} }: Schema,
  first: Readonly<Record<string, unknown>>,
): readonly Malformed[] {
  const one = (change: Readonly<Record<string, unknown>>): string =>
    JSON.stringify([{ ...first, ...change }]);
  return Object.entries(properties).flatMap(([name, schema]) => [
    ...(required.includes(name)
      ? [
          {
            ...{ text: one({ [name]: undefined }), member: `[0].${name}` },
            code: name === "publickey" ? "3103" : "1000",
          },
        ]
      : []),
    ...(name === "publickey"
      ? malformedKeys().map(({ text, code }) => ({
          ...{ text: one({ publickey: text }), code },
          member: `[0].${name}`,
        }))
      : []),
    ...(schema.type === "string" &&
    (name !== "id" || schema.pattern !== undefined) &&
    name !== "publickey"
      ? malformedBySchema(`${place}.${name}`, schema).map(({ text, code }) => ({
          text: one({ [name]: text }),
          code,
          member: `[0].${name}`,
        }))
      : []),
  ]);
}

/** The code for a JSON value that is neither text nor number; undefined where any is accepted. */
export function notTextCode(
  { name: operation }: AnyOperation | AnyRead,
  name: string,
  { schema, takesJson, takesAnything }: Parameter<unknown>,
): string | undefined {
  const { format = "", pattern = "" } = schema as Schema;
  if (takesAnything) {
    return undefined;
  }
  if (takesJson) {
    return "1007";
  }
  if (/^(amount|token-id|unix-time|integer)$/.test(format)) {
    return codeIn(INTEGER_CODES, `${operation}.${name}`) ?? "1101";
  }
  if (name === "publickey" && operation === "address") {
    return "3103";
  }
  const isRate = pattern.includes("(\\.[0-9]{1,");
  return pattern === ADDRESS_PATTERN ? "3190" : isRate ? "3005" : "1006";
}
