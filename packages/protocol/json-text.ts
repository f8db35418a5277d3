/** A value of a JSON text, with what `JSON.parse` loses: the source of numbers, and where arrays and objects stood. */
export type JsonNode = string | boolean | null | JsonNumber | JsonArray | JsonObject;

/** A number as it was written, for example `1e3`. */
export type JsonNumber = { readonly kind: "number"; readonly source: string };

/** `text.slice(start, end)` is the array's source. */
export type JsonArray = {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
  readonly start: number;
  readonly end: number;
};

/** Members in the order of the text, under their unescaped names; `text.slice(start, end)` is the object's source. */
export type JsonObject = {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, JsonNode>;
  readonly start: number;
  readonly end: number;
};

/** Why a text is not the JSON that we take; `reason` is a clause without a full stop, for a sentence about the text. */
export class JsonTextError {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const DEPTH_MAX = 8;

/**
 * Parses a JSON text strictly by RFC 8259, in time linear in its length. An error is: what is no JSON, a name twice in
 * one object (names are compared after unescaping), and nesting deeper than `depthMax` (default 8; a scalar has depth 0,
 * `[]` depth 1; the parser recurses that deep). Escapes may make lone surrogates: the caller decides about those.
 * Source: conventions §1.8.
 */
export function parseJsonText(
  text: string,
  limits: { readonly depthMax?: number } = {},
): JsonNode | JsonTextError {
  return new Parser(text, limits.depthMax ?? DEPTH_MAX).parse();
}

/**
 * The source of a valid JSON text without insignificant white space. All else stays byte for byte: escapes, number
 * forms and the order of members. Source: conventions §1.8.
 */
export function compactJson(source: string): string {
  let compact = "";
  let copied = 0;
  let position = 0;
  while (position < source.length) {
    const code = source.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(source, position);
    } else if (isSpace(code)) {
      compact += source.slice(copied, position);
      position = endOfSpace(source, position);
      copied = position;
    } else {
      position += 1;
    }
  }
  return copied === 0 ? source : compact + source.slice(copied);
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

const ESCAPED: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
  }).map(([letter, meant]) => [letter.charCodeAt(0), meant]),
);

/**
 * One pass over one text. Each `read` method begins at `#position`, leaves it behind what it has read, and answers
 * undefined once `#error` is set.
 */
class Parser {
  readonly #text: string;
  readonly #depthMax: number;
  #position = 0;
  #error: JsonTextError | undefined;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  parse(): JsonNode | JsonTextError {
    this.#skipSpace();
    const node = this.#readValue(0);
    this.#skipSpace();
    if (node !== undefined && this.#position < this.#text.length) {
      this.#failExpecting("the end of the text");
    }
    return this.#error ?? (node as JsonNode);
  }

  /** Reads a value inside of `depth` arrays and objects. */
  #readValue(depth: number): JsonNode | undefined {
    switch (this.#text.charCodeAt(this.#position)) {
      case QUOTE:
        return this.#readString();
      case BRACE_OPEN:
        return this.#readObject(depth + 1);
      case BRACKET_OPEN:
        return this.#readArray(depth + 1);
      case LOWER_T:
        return this.#readWord("true", true);
      case LOWER_F:
        return this.#readWord("false", false);
      case LOWER_N:
        return this.#readWord("null", null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(depth: number): JsonObject | undefined {
    if (depth > this.#depthMax) {
      return this.#failDepth();
    }
    const start = this.#position;
    const members = new Map<string, JsonNode>();
    this.#position += 1;
    if (this.#skipSpace() === BRACE_CLOSE) {
      this.#position += 1;
      return { kind: "object", members, start, end: this.#position };
    }
    for (;;) {
      const nameStart = this.#position;
      if (this.#text.charCodeAt(nameStart) !== QUOTE) {
        return this.#failExpecting(members.size === 0 ? '`"` or `}`' : '`"`');
      }
      const name = this.#readString();
      if (name === undefined) {
        return undefined;
      }
      if (this.#skipSpace() !== COLON) {
        return this.#failExpecting("`:`");
      }
      this.#position += 1;
      this.#skipSpace();
      const value = this.#readValue(depth);
      if (value === undefined) {
        return undefined;
      }
      // Comparing sizes finds a second occurrence without looking the name up twice.
      const countBefore = members.size;
      members.set(name, value);
      if (members.size === countBefore) {
        return this.#failAt(nameStart, "the second key of the same name in one object begins");
      }
      const code = this.#skipSpace();
      if (code === BRACE_CLOSE) {
        this.#position += 1;
        return { kind: "object", members, start, end: this.#position };
      }
      if (code !== COMMA) {
        return this.#failExpecting("`,` or `}`");
      }
      this.#position += 1;
      this.#skipSpace();
    }
  }

  #readArray(depth: number): JsonArray | undefined {
    if (depth > this.#depthMax) {
      return this.#failDepth();
    }
    const start = this.#position;
    const items: JsonNode[] = [];
    this.#position += 1;
    if (this.#skipSpace() === BRACKET_CLOSE) {
      this.#position += 1;
      return { kind: "array", items, start, end: this.#position };
    }
    for (;;) {
      const item = this.#readValue(depth);
      if (item === undefined) {
        return undefined;
      }
      items.push(item);
      const code = this.#skipSpace();
      if (code === BRACKET_CLOSE) {
        this.#position += 1;
        return { kind: "array", items, start, end: this.#position };
      }
      if (code !== COMMA) {
        return this.#failExpecting("`,` or `]`");
      }
      this.#position += 1;
      this.#skipSpace();
    }
  }

  /** Reads a string; one without escapes, as nearly all are, is a slice of the text. */
  #readString(): string | undefined {
    const text = this.#text;
    const start = this.#position + 1;
    let position = start;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        this.#position = position + 1;
        return text.slice(start, position);
      }
      // The comparison is false for what follows the end of the text, NaN, too.
      if (code === BACKSLASH || !(code >= SPACE)) {
        return this.#readRestOfString(start, position);
      }
      position += 1;
    }
  }

  /** Reads on in a string that begins at `start` and has the first character of note at `stop`. */
  #readRestOfString(start: number, stop: number): string | undefined {
    const text = this.#text;
    let value = "";
    let copied = start;
    let position = stop;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        this.#position = position + 1;
        return value + text.slice(copied, position);
      }
      if (code === BACKSLASH) {
        const character = this.#unescape(position);
        if (character === undefined) {
          return undefined;
        }
        value += text.slice(copied, position) + character;
        position += text.charCodeAt(position + 1) === LOWER_U ? 6 : 2;
        copied = position;
      } else if (code >= SPACE) {
        position += 1;
      } else if (position < text.length) {
        return this.#failAt(position, "a control character stands unescaped in a string");
      } else {
        return this.#failAt(start - 1, "a string without a closing quote begins");
      }
    }
  }

  /** The code unit that the escape at `position` means. */
  #unescape(position: number): string | undefined {
    const letter = this.#text.charCodeAt(position + 1);
    if (letter === LOWER_U) {
      const digits = this.#text.slice(position + 2, position + 6);
      if (/^[0-9a-fA-F]{4}$/.test(digits)) {
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    return (
      ESCAPED.get(letter) ??
      this.#failAt(position, "a backslash that begins no escape of JSON stands")
    );
  }

  #readNumber(): JsonNumber | undefined {
    const start = this.#position;
    if (this.#text.charCodeAt(start) === MINUS) {
      this.#position += 1;
    }
    if (this.#text.charCodeAt(this.#position) === DIGIT_ZERO) {
      this.#position += 1;
    } else if (!this.#skipDigits()) {
      return this.#failExpecting(this.#position === start ? "a value" : "a digit");
    }
    if (this.#text.charCodeAt(this.#position) === POINT) {
      this.#position += 1;
      if (!this.#skipDigits()) {
        return this.#failExpecting("a digit");
      }
    }
    const code = this.#text.charCodeAt(this.#position);
    if (code === LOWER_E || code === UPPER_E) {
      this.#position += 1;
      const sign = this.#text.charCodeAt(this.#position);
      if (sign === PLUS || sign === MINUS) {
        this.#position += 1;
      }
      if (!this.#skipDigits()) {
        return this.#failExpecting("a digit");
      }
    }
    return { kind: "number", source: this.#text.slice(start, this.#position) };
  }

  #readWord<T extends boolean | null>(word: string, value: T): T | undefined {
    if (!this.#text.startsWith(word, this.#position)) {
      return this.#failExpecting("a value");
    }
    this.#position += word.length;
    return value;
  }

  /** Goes behind a run of digits, and says whether there was one. */
  #skipDigits(): boolean {
    const start = this.#position;
    let code = this.#text.charCodeAt(start);
    while (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
      this.#position += 1;
      code = this.#text.charCodeAt(this.#position);
    }
    return this.#position > start;
  }

  /** Goes to the next character that is no white space, and answers its code; NaN at the end of the text. */
  #skipSpace(): number {
    const code = this.#text.charCodeAt(this.#position);
    if (!isSpace(code)) {
      return code;
    }
    this.#position = endOfSpace(this.#text, this.#position);
    return this.#text.charCodeAt(this.#position);
  }

  #failDepth(): undefined {
    const max = this.#depthMax;
    return this.#failAt(
      this.#position,
      `arrays and objects are nested more than ${max} deep, the first too deep stands`,
    );
  }

  #failExpecting(expected: string): undefined {
    if (this.#position >= this.#text.length) {
      this.#error = new JsonTextError(`the text ends where ${expected} is expected`);
      return undefined;
    }
    const found = String.fromCodePoint(this.#text.codePointAt(this.#position) as number);
    return this.#failAt(
      this.#position,
      `${expected} is expected instead of ${JSON.stringify(found)}`,
    );
  }

  /** Users count characters, from 1; the text counts code units, from 0. */
  #failAt(position: number, what: string): undefined {
    let character = 1;
    for (const _ of this.#text.slice(0, position)) {
      character += 1;
    }
    this.#error = new JsonTextError(`${what} at character ${character}`);
    return undefined;
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

/** The first position from `position` on that holds no white space. */
function endOfSpace(text: string, position: number): number {
  let end = position;
  while (isSpace(text.charCodeAt(end))) {
    end += 1;
  }
  return end;
}

/** The position behind the string that begins with the quote at `position`. */
function endOfString(text: string, position: number): number {
  let end = position + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) {
      return end + 1;
    }
    end += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}
