// Requests that cost a node far more than their sender, unless the node bounds its reading.
import { addressAround } from "@moneta/protocol";

/** A request that is costly without a valid signature. */
export interface CostlyRequest {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Made on use: all texts together have more than 100 MB. */
  readonly make: () => {
    readonly path: string;
    readonly body?: { readonly type: "form" | "json"; readonly text: string };
  };
  readonly answer: string;
}

const BODY_BYTES = 4 << 20;
const BUNDLE_BYTES = (1 << 20) - 10_000;
/** Leaves room for the rest of the head. */
const QUERY_BYTES = 500 << 10;

const PROJECT = `MRC400_${"0".repeat(33)}`;
const SOMEBODY: string = addressAround("1".repeat(30));
const NOBODY: string = addressAround("0".repeat(30));
/** Unsigned; no address has the temporary key. */
const UNSIGNED = "checkkey=K&signature=MEQ%3D";

const PAYMENT = `"from":"${NOBODY}","to":"${NOBODY}","token":"0","checkkey":"K","signature":"MEQ="`;

const BUNDLED = `"operation":"transfer","from":"${NOBODY}","to":"${SOMEBODY}","token":"0"`;

function filled(bytes: number, text: string): string {
  return text.repeat(Math.floor(bytes / text.length));
}

/** `make(0)`, `make(1)`, ... with a separator between them, as many as fit into a size. */
function counted(bytes: number, separator: string, make: (n: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, n = 0; ; n += 1) {
    const part = make(n);
    length += part.length + separator.length;
    if (length > bytes) {
      return parts.join(separator);
    }
    parts.push(part);
  }
}

function query(name: string, path: string, make: () => string, answer: string): CostlyRequest {
  return { name, method: "GET", make: () => ({ path: `${path}?${make()}` }), answer };
}

function path(name: string, make: () => string, answer: string): CostlyRequest {
  return { name, method: "GET", make: () => ({ path: make() }), answer };
}

function form(name: string, path: string, make: () => string, answer: string): CostlyRequest {
  return {
    name,
    method: "POST",
    make: () => ({ path, body: { type: "form", text: make() } }),
    answer,
  };
}

function json(name: string, path: string, make: () => string, answer: string): CostlyRequest {
  return {
    name,
    method: "POST",
    make: () => ({ path, body: { type: "json", text: make() } }),
    answer,
  };
}

/** The operations of a bundle, as the engine writes them and with white space. */
function bundle(name: string, make: () => string, answer: string): readonly CostlyRequest[] {
  return ["", " "].map((space) =>
    json(
      `bundle${space && " with white space"}: ${name}`,
      "/bundle?signature=MEQ%3D",
      () => `{"actor":"${NOBODY}","tkey":"K","operations":${make()}${space}}`,
      answer,
    ),
  );
}

/** A list as the value of a parameter, in each of the ways in which clients may send it. */
function list(name: string, make: () => string, answer: string): readonly CostlyRequest[] {
  const items = `/mrc401/${PROJECT}?tkey=K&signature=MEQ%3D`;
  return [
    form(`itemdata, form: ${name}`, items, () => `itemdata=${make()}`, answer),
    json(`itemdata, JSON text: ${name}`, items, () => textMember("itemdata", make()), answer),
    json(`itemdata, JSON: ${name}`, items, () => `{"itemdata":${make()}}`, answer),
  ];
}

function textMember(name: string, text: string): string {
  return JSON.stringify({ [name]: text });
}

/** Texts whose hashes V8 computes from their digits, so that collisions can be chosen. */
function alikeName(n: number): string {
  return String(n * 4096);
}

/** An item that could be valid, as large as it may be. */
function largeItem(): string {
  const url = (n: number): string => `"${n}":"https://a.example/${"u".repeat(370)}"`;
  const socialmedia = `{${Array.from({ length: 100 }, (_, n) => url(n)).join(",")}}`;
  return `{"information":"${"i".repeat(300)}","socialmedia":${JSON.stringify(socialmedia)}}`;
}

const TOO_MANY = "400 3002";

export const COSTLY_REQUESTS: readonly CostlyRequest[] = [
  ...bundle("nested arrays", () => `[${"[".repeat(500_000)}${"]".repeat(500_000)}]`, "400 1007"),
  ...bundle("objects without members", () => `[${filled(BUNDLE_BYTES, "{},")}{}]`, "400 3002"),
  ...bundle(
    "an operation of many members",
    () => `[{"operation":"transfer",${counted(BUNDLE_BYTES, ",", (n) => `"k${n}":""`)}}]`,
    "413 9413",
  ),
  ...bundle(
    "payments as large as may be",
    () =>
      `[${counted(BUNDLE_BYTES, ",", (n) => `{${BUNDLED},"amount":"${n + 1}","memo":"${"m".repeat(2040)}"}`)}]`,
    "404 3090",
  ),
  query("query: &&&", "/block", () => filled(QUERY_BYTES, "&"), "431 9431"),
  query("query: many names", "/block", () => counted(QUERY_BYTES, "&", String), "431 9431"),
  query(
    "query: %2c in a list",
    "/transactions",
    () => `type=${filled(QUERY_BYTES, "a,")}`,
    "400 3005",
  ),
  query("query: + in a value", "/block", () => `x=${filled(QUERY_BYTES, "+")}`, "200"),
  query("query: %41 in a value", "/block", () => `x=${filled(QUERY_BYTES, "%41")}`, "200"),

  path("path: a long parameter", () => `/balance/${filled(QUERY_BYTES, "a")}`, "400 3190"),
  path("path: %41", () => `/balance/${filled(QUERY_BYTES, "%41")}`, "400 3190"),
  path("path: ///", () => filled(QUERY_BYTES, "/"), "404 9404"),
  path("path: a/a/a/", () => `/${filled(QUERY_BYTES, "a/")}`, "404 9404"),
  path(
    "path: a tile of x000/",
    () => `/tlog/tile/0/${filled(QUERY_BYTES, "x000/")}000`,
    "404 9404",
  ),

  form("form: &&& of 1 MiB", "/transfer", () => filled(1 << 20, "&"), "413 9413"),
  form("form: &&&", "/transfer", () => filled(BODY_BYTES, "&"), "413 9413"),
  form("form: ===", "/transfer", () => filled(BODY_BYTES, "="), "400 1000"),
  form("form: a=1&a=1&", "/transfer", () => filled(BODY_BYTES, "a=1&"), "413 9413"),
  form("form: many names", "/transfer", () => counted(BODY_BYTES, "&", String), "413 9413"),
  form("form: +++", "/transfer", () => `memo=${filled(BODY_BYTES - 8, "+")}`, "400 1000"),
  form("form: %41", "/transfer", () => `memo=${filled(BODY_BYTES - 8, "%41")}`, "400 1000"),
  form(
    "form: %41 and a malformed end",
    "/transfer",
    () => `memo=${filled(BODY_BYTES - 8, "%41")}%`,
    "400 1006",
  ),
  form(
    "form: a public key of spaces",
    "/address",
    () => `publickey=${filled(BODY_BYTES - 16, "+")}`,
    "405 3103",
  ),

  json(
    "JSON: many members",
    "/transfer",
    () => `{${counted(BODY_BYTES, ",", (n) => `"${n.toString(36)}":1`)}}`,
    "413 9413",
  ),
  json(
    "JSON: members of one hash",
    "/transfer",
    () => `{${counted(BODY_BYTES, ",", (n) => `"${alikeName(n)}":1`)}}`,
    "413 9413",
  ),
  json(
    "JSON: a key again and again",
    "/transfer",
    () => `{${filled(BODY_BYTES - 8, '"a":1,')}"a":1}`,
    "400 1007",
  ),
  json(
    "JSON: [[],[], in a member",
    "/transfer",
    () => `{"a":[${filled(BODY_BYTES - 16, "[],")}1]}`,
    "400 1007",
  ),
  json(
    "JSON: {},{}, in a member",
    "/transfer",
    () => `{"a":[${filled(BODY_BYTES - 16, "{},")}1]}`,
    "400 1007",
  ),
  json(
    "JSON: white space",
    "/transfer",
    () => `{"a":[1${filled(BODY_BYTES - 16, " \n")}]}`,
    "400 1000",
  ),
  json(
    "JSON: white space in a list",
    "/multitransfer",
    () => `{"transferlist":[{}${filled(BODY_BYTES - 32, " \n")}]}`,
    "400 1000",
  ),
  json("JSON: [[[[", "/transfer", () => `{"a":${filled(BODY_BYTES - 16, "[")}`, "400 1007"),
  json(
    "JSON: a long number",
    "/transfer",
    () => `{${PAYMENT},"amount":${filled(BODY_BYTES - 256, "1")}}`,
    "400 1101",
  ),
  json(
    "JSON: a long number for a list",
    "/multitransfer",
    () =>
      `{"from":"${NOBODY}","token":"0","checkkey":"K","signature":"MEQ=","transferlist":1.${filled(BODY_BYTES - 256, "0")}}`,
    "400 1007",
  ),
  json(
    "JSON: a long fraction",
    "/transfer",
    () => `{${PAYMENT},"amount":1.${filled(BODY_BYTES - 256, "0")}}`,
    "400 1101",
  ),
  json(
    "JSON: \\u0041",
    "/transfer",
    () => `{"memo":"${filled(BODY_BYTES - 16, "\\u0041")}"}`,
    "400 1000",
  ),
  json(
    "JSON: escapes without an end",
    "/transfer",
    () => `{"memo":"${filled(BODY_BYTES - 16, "\\n")}`,
    "400 1007",
  ),
  json(
    "JSON: names of escapes",
    "/transfer",
    () => `{${counted(BODY_BYTES - 16, ",", (n) => `"\\u0041${n}":1`)}}`,
    "413 9413",
  ),
  json(
    "JSON: 4 MiB and no end",
    "/transfer",
    () => `{"memo":"${filled(BODY_BYTES - 16, "\u00e9")}`.slice(0, BODY_BYTES / 2),
    "400 1007",
  ),

  ...list("[{},{},", () => `[${filled(BODY_BYTES - 64, "{},")}{}]`, "400 3002"),
  ...list("[[],[],", () => `[${filled(BODY_BYTES - 64, "[],")}[]]`, "400 1007"),
  ...list("[1,1,", () => `[${filled(BODY_BYTES - 64, "1,")}1]`, "400 1007"),
  ...list(
    "an element of many members",
    () =>
      `[{${counted(BODY_BYTES - 64, ",", (n) => `"${n.toString(36)}":1`).slice(0, BODY_BYTES / 2)}`,
    "400 1007",
  ),
  ...list(
    "100 elements of members of one hash",
    () =>
      `[${Array.from({ length: 100 }, () => `{${counted(BODY_BYTES / 130, ",", (n) => `"${alikeName(n)}":1`)}}`).join(",")}]`,
    "400 1007",
  ),
  ...list(
    "an element of an array of many",
    () => `[{"a":[${filled(BODY_BYTES - 128, "1,")}1]}]`,
    "400 1007",
  ),
  form(
    "transferlist: {},{}",
    "/multitransfer",
    () => `from=${NOBODY}&token=0&${UNSIGNED}&transferlist=[${filled(BODY_BYTES - 256, "{},")}{}]`,
    "400 3002",
  ),
  form(
    "transferlist: as large as may be",
    "/multitransfer",
    () =>
      `from=${NOBODY}&token=0&${UNSIGNED}&transferlist=[${Array.from(
        { length: 100 },
        (_, n) =>
          `{"address":"${SOMEBODY}","amount":"1","unlockdate":"0","tag":"${n}","memo":"${"m".repeat(40_000)}"}`,
      ).join(",")}]`,
    "404 3090",
  ),
  form(
    "itemdata: as large as may be",
    `/mrc402/${PROJECT}`,
    () => {
      const item = encodeURIComponent(largeItem());
      const count = Math.min(100, Math.floor((BODY_BYTES - 64) / (item.length + 3)));
      return `tkey=K&signature=MEQ%3D&itemdata=[${Array.from({ length: count }, () => item).join("%2C")}]`;
    },
    "404 6004",
  ),
  json(
    "itemdata, JSON text: as large as may be",
    `/mrc402/${PROJECT}`,
    () => {
      const item = largeItem();
      const count = Math.min(
        100,
        Math.floor((BODY_BYTES - 64) / (JSON.stringify(item).length + 1)),
      );
      const itemdata = `[${Array.from({ length: count }, () => item).join(",")}]`;
      return JSON.stringify({ itemdata, tkey: "K", signature: "MEQ=" });
    },
    "404 6004",
  ),

  ...["/batch", "/batch?dry=1", "/group", "/group?dry=1"].flatMap((path) => [
    json(`${path}: {},{}`, path, () => operations(`${filled(BODY_BYTES - 64, "{},")}{}`), TOO_MANY),
    json(`${path}: [[[[`, path, () => operations(filled(BODY_BYTES - 64, "[")), "400 1007"),
    json(
      `${path}: an operation of many members`,
      path,
      () => operations(`{"a":{${counted(BODY_BYTES - 64, ",", (n) => `"${n.toString(36)}":1`)}},{`),
      "400 1007",
    ),
  ]),
  // All but the last are read before the body is found to be no JSON.
  json(
    "/batch: 1,000 operations as large as may be, and an end that is none",
    "/batch",
    () => operations(`${largePayments(999)},{]`),
    "400 1007",
  ),
  json(
    "/batch?dry=1: 16 operations as large as may be, and an end that is none",
    "/batch?dry=1",
    () => operations(`${largePayments(15)},{]`),
    "400 1007",
  ),
  json(
    "/group?dry=1: 16 operations as large as may be, and an end that is none",
    "/group?dry=1",
    () => operations(`${largePayments(15)},{]`),
    "400 1007",
  ),
  json(
    "/group?dry=1: 16 operations as large as may be",
    "/group?dry=1",
    () => operations(largePayments(16)),
    "200",
  ),
];

function operations(texts: string): string {
  return `{"operations":[${texts}]}`;
}

/** Lists of 100 payments with valid forms, `count` of them, together almost 4 MiB. */
function largePayments(count: number): string {
  const memo = Math.max(0, Math.floor((BODY_BYTES - 1024) / count / 100) - 160);
  const entry = (n: number): string =>
    `{"address":"${SOMEBODY}","amount":"1","unlockdate":"0","tag":"${n}","memo":"${"m".repeat(memo)}"}`;
  const entries = count > 100 ? 30 : 100;
  const list = Array.from({ length: entries }, (_, n) => entry(n)).join(",");
  const one = `{"operation":"multitransfer","from":"${NOBODY}","token":"0","checkkey":"K","signature":"MEQ=","transferlist":[${list}]}`;
  return Array.from({ length: count }, () => one).join(",");
}
