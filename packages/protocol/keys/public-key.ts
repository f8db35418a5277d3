import { type CurveName, uncompressPoint } from "./elliptic-curve.ts";
import { KeyProblem } from "./key-problem.ts";
import { decodeBase64 } from "./signature-encoding.ts";

/** A canonical ECDSA public key: a named curve, an uncompressed point. Source: accounts §2. */
export type PublicKey = {
  readonly curve: CurveName;
  /** Two keys are equal if and only if their bodies are. */
  readonly body: string;
  /** 91, 120 or 158 bytes. */
  readonly der: Uint8Array;
};

const CODE_POINTS_MAX = 4096;

/**
 * PEM with any line ends and surrounding text, or its bare body. A problem repeats no part of the
 * text, which may be a private key. Source: accounts §2, steps 1 to 8.
 */
export function parsePublicKey(text: string): PublicKey | KeyProblem {
  if (text === "") {
    return new KeyProblem("3103", "The public key is missing.");
  }
  if (isTooLong(text)) {
    return new KeyProblem("3103", `The public key has more than ${CODE_POINTS_MAX} characters.`);
  }
  const body = findBody(text.replace(/^\ufeff/, "").replaceAll(/\\[nr]/g, "\n"));
  if (body instanceof KeyProblem) {
    return body;
  }
  const key = readBody(body);
  return key instanceof KeyProblem && body.includes(" ")
    ? new KeyProblem(key.code, `${key.reason} ${SPACES_HINT}`)
    : key;
}

/** PEM, 64 characters and LF a line. Source: accounts §2. */
export function publicKeyText(body: string): string {
  let lines = "";
  for (let start = 0; start < body.length; start += 64) {
    lines += `${body.slice(start, start + 64)}\n`;
  }
  return `${BEGIN_MARK}\n${lines}${END_MARK}\n`;
}

const BEGIN_MARK = "-----BEGIN PUBLIC KEY-----";
const END_MARK = "-----END PUBLIC KEY-----";

const DISCARD_IT =
  "This is a private key: discard it, because it is no longer secret, make a new pair of keys, and send only the public key of that.";
const NOT_A_KEY =
  "The public key is base64, but not of exactly one SubjectPublicKeyInfo in DER, which is what OpenSSL writes between the marks of a PUBLIC KEY.";
const SPACES_HINT =
  "It contains spaces: in a query or a form each + of the key must be sent as %2B, or it arrives as a space.";

function isTooLong(text: string): boolean {
  return (
    text.length > CODE_POINTS_MAX &&
    (text.length > 2 * CODE_POINTS_MAX || [...text].length > CODE_POINTS_MAX)
  );
}

function findBody(text: string): string | KeyProblem {
  const begin = text.indexOf("-----BEGIN ");
  if (begin === -1) {
    return text;
  }
  if (/-----BEGIN [^-]*PRIVATE KEY/.test(text)) {
    return new KeyProblem("3104", DISCARD_IT);
  }
  if (/^-----BEGIN (?!PUBLIC KEY-----).*?-----/.test(text.slice(begin))) {
    return new KeyProblem(
      "3104",
      "The PEM block is something else than a public key: its first line must be -----BEGIN PUBLIC KEY-----.",
    );
  }
  const end = text.indexOf("-----END ", begin);
  if (end === -1 || !text.startsWith(END_MARK, end)) {
    return new KeyProblem("3103", `The public key must end with ${END_MARK}.`);
  }
  if (text.indexOf("-----BEGIN ", begin + 1) !== -1) {
    return new KeyProblem("3103", "There is more than one PEM block: send one public key.");
  }
  return text.slice(begin + BEGIN_MARK.length, end);
}

function readBody(body: string): PublicKey | KeyProblem {
  const bytes = decodeBase64(body.replaceAll(/[ \t\r\n]+/g, ""));
  if (bytes === undefined) {
    return new KeyProblem(
      "3103",
      "The public key is not base64: send what OpenSSL or WebCrypto writes as PEM, or the base64 between its marks.",
    );
  }
  const info = readKeyInfo(bytes);
  if (info === undefined) {
    return isPrivateKey(bytes)
      ? new KeyProblem("3105", DISCARD_IT)
      : new KeyProblem("3105", NOT_A_KEY);
  }
  if (info.algorithm.toHex() !== EC_PUBLIC_KEY) {
    return new KeyProblem(
      "3106",
      "The public key is not an elliptic-curve key (id-ecPublicKey): make one on P-256, P-384 or P-521.",
    );
  }
  const parameters = info.parameters.toHex();
  const form = FORMS.find((one) => one.parameters === parameters);
  if (form === undefined) {
    return new KeyProblem(
      "3102",
      "The public key does not name one of the curves P-256 (prime256v1), P-384 (secp384r1) and P-521 (secp521r1).",
    );
  }
  const point = uncompressPoint(form.curve, info.point);
  if (point === undefined) {
    return new KeyProblem(
      "3105",
      `The public key holds no point of its curve, ${form.curve}, in uncompressed or compressed form: it must have been changed on its way.`,
    );
  }
  const der = Uint8Array.fromHex(form.prefix + point.toHex());
  return { curve: form.curve, body: der.toBase64(), der };
}

const EC_PUBLIC_KEY = "2a8648ce3d0201";

/** Hex of the algorithm's parameters and of the bytes before the point. */
const FORMS: readonly {
  readonly curve: CurveName;
  readonly parameters: string;
  readonly prefix: string;
}[] = [
  {
    curve: "P-256",
    parameters: "06082a8648ce3d030107",
    prefix: "3059301306072a8648ce3d020106082a8648ce3d030107034200",
  },
  {
    curve: "P-384",
    parameters: "06052b81040022",
    prefix: "3076301006072a8648ce3d020106052b81040022036200",
  },
  {
    curve: "P-521",
    parameters: "06052b81040023",
    prefix: "30819b301006072a8648ce3d020106052b8104002303818600",
  },
];

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;

/** Source: RFC 5280, section 4.1. */
type KeyInfo = {
  readonly algorithm: Uint8Array;
  readonly parameters: Uint8Array;
  readonly point: Uint8Array;
};

function readKeyInfo(bytes: Uint8Array): KeyInfo | undefined {
  const [info] = readElements(bytes, 1) ?? [];
  if (info?.tag !== SEQUENCE) {
    return undefined;
  }
  const [algorithm, key] = readElements(info.content, 2) ?? [];
  if (algorithm?.tag !== SEQUENCE || key?.tag !== BIT_STRING || key.content[0] !== 0) {
    return undefined;
  }
  const [identifier, parameters] =
    readElements(algorithm.content, 1) ?? readElements(algorithm.content, 2) ?? [];
  if (identifier?.tag !== OBJECT_IDENTIFIER || identifier.content.length === 0) {
    return undefined;
  }
  return {
    algorithm: identifier.content,
    parameters: parameters?.whole ?? new Uint8Array(),
    point: key.content.subarray(1),
  };
}

/** Whether the bytes begin like a PKCS #8 or SEC 1 private key. */
function isPrivateKey(bytes: Uint8Array): boolean {
  const sequence = readElement(bytes);
  const version = sequence?.tag === SEQUENCE ? readElement(sequence.content) : undefined;
  return (
    version?.tag === INTEGER && version.content.length === 1 && (version.content[0] as number) <= 1
  );
}

type Element = { readonly tag: number; readonly content: Uint8Array; readonly whole: Uint8Array };

/** The elements of DER; undefined if there are not exactly `count`, or other bytes follow. */
function readElements(bytes: Uint8Array, count: number): readonly Element[] | undefined {
  const elements: Element[] = [];
  let rest = bytes;
  while (rest.length > 0 && elements.length < count) {
    const element = readElement(rest);
    if (element === undefined) {
      return undefined;
    }
    elements.push(element);
    rest = rest.subarray(element.whole.length);
  }
  return rest.length === 0 && elements.length === count ? elements : undefined;
}

/** The tag has one byte; the length is definite, minimal and below 65536, enough for any text. */
function readElement(bytes: Uint8Array): Element | undefined {
  const [tag, short, high, low] = bytes;
  if (tag === undefined || short === undefined || (tag & 0x1f) === 0x1f) {
    return undefined;
  }
  let start = 2;
  let length = short;
  if (short === 0x81 && high !== undefined && high >= 0x80) {
    start = 3;
    length = high;
  } else if (short === 0x82 && high !== undefined && high > 0 && low !== undefined) {
    start = 4;
    length = high * 0x100 + low;
  } else if (short >= 0x80) {
    return undefined;
  }
  const end = start + length;
  if (end > bytes.length) {
    return undefined;
  }
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(0, end) };
}
