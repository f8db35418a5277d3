import { codePointsUpTo } from "./code-points.ts";

/** With the source of numbers and the positions of arrays and objects. */
export type JsonNode = string | boolean | null | JsonNumber | JsonArray | JsonObject;

export type JsonNumber = { readonly kind: "number"; readonly source: string };

interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it has no white space, so that its source is its compact encoding. */
  readonly isCompact: boolean;
}

export type JsonArray = Place & {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
  /** Reading stopped before them, at `end`. */
  readonly isCut: boolean;
};

/** Members that the shape knows, in the order of the text, under their unescaped names. */
export type JsonObject = Place & {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, JsonNode>;
  readonly unknownName?: string | undefined;
};

/**
 * The parts that are kept; the whole text is checked, except after a list's first extra item.
 * `shallow`: of an array or object only its position; `skipped`: only its end is found, and the
 * caller parses it.
 */
export type JsonShape = "whole" | "shallow" | "skipped" | JsonArrayShape | JsonObjectShape;

export interface JsonArrayShape {
  readonly kind: "array";
  readonly max: number;
  readonly items: JsonShape;
}

export interface JsonObjectShape {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, JsonShape>;
  readonly membersMax?: number;
}

/** `reason` is a clause without a full stop. */
export class JsonTextError {
  readonly reason: string;
  readonly end: number;
  /** Undefined if it is not JSON. */
  readonly limit: JsonLimit | undefined;

  constructor(reason: string, end: number, limit?: JsonLimit) {
    this.reason = reason;
    this.end = end;
    this.limit = limit;
  }
}

/** Too deep, too many members of one object, too many other values, a repeated name. */
export type JsonLimit = "depth" | "members" | "values" | "twice";

const DEPTH_MAX = 8;

/** Members and items in one text that no shape bounds. */
export const OTHER_VALUES_MAX = 20_000;

/**
 * Strict RFC 8259, linear time. Errors: malformed, a repeated name, deeper than `depthMax` (default
 * 8; the parser recurses that deep), more than 20,000 values that no shape bounds. The caller
 * handles lone surrogates. Source: conventions §1.8.
 */
export function parseJsonText(
  text: string,
  limits: {
    readonly depthMax?: number;
    readonly shape?: JsonShape;
    readonly counted?: OtherValues;
  } = {},
): JsonNode | JsonTextError {
  const parser = new Parser(text, limits.depthMax ?? DEPTH_MAX, limits.counted ?? { count: 0 });
  return parser.parse(limits.shape ?? "whole");
}

export interface OtherValues {
  count: number;
}

/** Source: conventions §1.8. */
export function compactSource({ text, start, end, isCompact }: Place): string {
  const source = text.slice(start, end);
  return isCompact ? source : compactJson(source);
}

/** All else stays byte for byte. Source: conventions §1.8. */
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

const LOWER_A = 0x61;
const UPPER_A = 0x41;
const UPPER_F = 0x46;

const ESCAPED: ReadonlySet<number> = new Set(
  [...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)),
);

/** So many characters are read one by one before the engine searches for the end. */
const NEARBY = 64;
const NO_SPACE = /[^ \t\r\n]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const SPECIAL = /[\\\u0000-\u001f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, and what ends a string.
const SPECIAL_OR_QUOTE = /["\\\u0000-\u001f]/g;

/** Each `read` moves `#position` to the value's end, and returns undefined once `#error` is set. */
class Parser {
  readonly #text: string;
  readonly #depthMax: number;
  #position = 0;
  #special = -1;
  #spaces = 0;
  readonly #otherValues: OtherValues;
  #isCut = false;
  #error: JsonTextError | undefined;

  constructor(text: string, depthMax: number, otherValues: OtherValues) {
    this.#text = text;
    this.#depthMax = depthMax;
    this.#otherValues = otherValues;
  }

  parse(shape: JsonShape): JsonNode | JsonTextError {
    this.#skipSpace();
    const node = this.#readValue(0, shape);
    if (!this.#isCut) {
      this.#skipSpace();
      if (node !== undefined && this.#position < this.#text.length) {
        this.#failExpecting("the end of the text");
      }
    }
    return this.#error ?? (node as JsonNode);
  }

  #readValue(depth: number, shape: JsonShape): JsonNode | undefined {
    switch (this.#text.charCodeAt(this.#position)) {
      case QUOTE:
        return this.#readString();
      case BRACE_OPEN:
        return shape === "skipped" ? this.#skipNested() : this.#readObject(depth + 1, shape);
      case BRACKET_OPEN:
        return shape === "skipped" ? this.#skipNested() : this.#readArray(depth + 1, shape);
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

  /** Skips an array or object of any depth by its brackets alone. */
  #skipNested(): JsonArray | JsonObject | undefined {
    const text = this.#text;
    const start = this.#position;
    let open = 0;
    for (let position = start; position < text.length; ) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        position = endOfString(text, position);
        continue;
      }
      position += 1;
      if (code === BRACE_OPEN || code === BRACKET_OPEN) {
        open += 1;
      } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) {
        open -= 1;
        if (open === 0) {
          this.#position = position;
          const place = { text, start, end: position, isCompact: false };
          return text.charCodeAt(start) === BRACE_OPEN
            ? { kind: "object", members: new Map(), ...place }
            : { kind: "array", items: [], isCut: false, ...place };
        }
      }
    }
    this.#position = text.length;
    return this.#failExpecting("`}` or `]`");
  }

  #readObject(depth: number, shape: JsonShape): JsonObject | undefined {
    if (depth > this.#depthMax) {
      return this.#failDepth();
    }
    const place = this.#enter();
    const members = new Map<string, JsonNode>();
    if (this.#skipSpace() === BRACE_CLOSE) {
      this.#position += 1;
      return { kind: "object", members, ...this.#left(place) };
    }
    const known = typeof shape === "object" && shape.kind === "object" ? shape : undefined;
    // Names without values, only to find repeated ones.
    const otherNames = new Set<string>();
    for (let count = 1; ; count += 1) {
      const nameStart = this.#position;
      if (this.#text.charCodeAt(nameStart) !== QUOTE) {
        return this.#failExpecting(count === 1 ? '`"` or `}`' : '`"`');
      }
      if (count > (known?.membersMax ?? Number.POSITIVE_INFINITY)) {
        return this.#failMembers(count - 1);
      }
      const name = this.#readString();
      if (name === undefined) {
        return undefined;
      }
      const memberShape = known?.members.get(name);
      if (memberShape === undefined && !this.#countOther()) {
        return undefined;
      }
      if (this.#skipSpace() !== COLON) {
        return this.#failExpecting("`:`");
      }
      this.#position += 1;
      this.#skipSpace();
      const value = this.#readValue(depth, memberShape ?? (shape === "whole" ? shape : "shallow"));
      if (value === undefined) {
        return undefined;
      }
      const isNew =
        memberShape !== undefined || shape === "whole"
          ? addNew(members, name, value)
          : addNewName(otherNames, name);
      if (!isNew) {
        const what = "the second key of the same name in one object begins";
        return this.#failAt(nameStart, what, { limit: "twice" });
      }
      const code = this.#isCut ? BRACE_CLOSE : this.#skipSpace();
      if (code === BRACE_CLOSE) {
        this.#position += this.#isCut ? 0 : 1;
        const [unknownName] = otherNames;
        return { kind: "object", members, unknownName, ...this.#left(place) };
      }
      if (code !== COMMA) {
        return this.#failExpecting("`,` or `}`");
      }
      this.#position += 1;
      this.#skipSpace();
    }
  }

  #readArray(depth: number, shape: JsonShape): JsonArray | undefined {
    if (depth > this.#depthMax) {
      return this.#failDepth();
    }
    const place = this.#enter();
    const items: JsonNode[] = [];
    if (this.#skipSpace() === BRACKET_CLOSE) {
      this.#position += 1;
      return { kind: "array", items, isCut: false, ...this.#left(place) };
    }
    const known = typeof shape === "object" && shape.kind === "array" ? shape : undefined;
    const itemShape = known?.items ?? (shape === "whole" ? shape : "shallow");
    const isKept = known !== undefined || shape === "whole";
    for (let count = 1; ; count += 1) {
      if (known !== undefined && count > known.max) {
        this.#isCut = true;
        return { kind: "array", items, isCut: true, ...this.#left(place) };
      }
      if (known === undefined && !this.#countOther()) {
        return undefined;
      }
      const item = this.#readValue(depth, itemShape);
      if (item === undefined) {
        return undefined;
      }
      if (isKept) {
        items.push(item);
      }
      if (this.#isCut) {
        return { kind: "array", items, isCut: false, ...this.#left(place) };
      }
      const code = this.#skipSpace();
      if (code === BRACKET_CLOSE) {
        this.#position += 1;
        return { kind: "array", items, isCut: false, ...this.#left(place) };
      }
      if (code !== COMMA) {
        return this.#failExpecting("`,` or `]`");
      }
      this.#position += 1;
      this.#skipSpace();
    }
  }

  #enter(): { readonly start: number; readonly spaces: number } {
    const place = { start: this.#position, spaces: this.#spaces };
    this.#position += 1;
    return place;
  }

  #left({ start, spaces }: { readonly start: number; readonly spaces: number }): Place {
    return { text: this.#text, start, end: this.#position, isCompact: spaces === this.#spaces };
  }

  /** False if there are too many. */
  #countOther(): boolean {
    this.#otherValues.count += 1;
    if (this.#otherValues.count <= OTHER_VALUES_MAX) {
      return true;
    }
    this.#failAt(
      this.#position,
      `there are more than ${OTHER_VALUES_MAX} values in it, the first one too many stands`,
      { limit: "values" },
    );
    return false;
  }

  /** Without escapes, the usual case, it is a slice of the text. */
  #readString(): string | undefined {
    const text = this.#text;
    const start = this.#position + 1;
    // For short strings, the usual case, a loop is faster than a search.
    const nearby = start + NEARBY;
    for (let position = start; position < nearby; position += 1) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        this.#position = position + 1;
        return text.slice(start, position);
      }
      // The comparison is also false for NaN, after the end of the text.
      if (code === BACKSLASH || !(code >= SPACE)) {
        return this.#readEscapedString(start, position);
      }
    }
    const end = text.indexOf('"', nearby);
    const special = this.#specialFrom(nearby);
    if (end !== -1 && end < special) {
      this.#position = end + 1;
      return text.slice(start, end);
    }
    return this.#readEscapedString(start, Math.min(special, text.length));
  }

  /** Searches once for all. */
  #specialFrom(position: number): number {
    if (this.#special < position) {
      SPECIAL.lastIndex = position;
      this.#special = SPECIAL.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY;
    }
    return this.#special;
  }

  #readEscapedString(start: number, stop: number): string | undefined {
    const text = this.#text;
    let position = stop;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        this.#position = position + 1;
        // Joining a long string character by character takes ten times as long.
        return JSON.parse(text.slice(start - 1, position + 1)) as string;
      }
      if (code === BACKSLASH) {
        const length = escapeLength(text, position);
        if (length === 0) {
          return this.#failAt(position, "a backslash that begins no escape of JSON stands");
        }
        position += length;
      } else if (code >= SPACE) {
        position = endOfPlain(text, position + 1);
      } else if (position < text.length) {
        return this.#failAt(position, "a control character stands unescaped in a string");
      } else {
        const what = "a string without a closing quote begins";
        return this.#failAt(start - 1, what, { end: position });
      }
    }
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

  #skipDigits(): boolean {
    const start = this.#position;
    let position = start;
    let code = this.#text.charCodeAt(position);
    while (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
      position += 1;
      code = this.#text.charCodeAt(position);
    }
    this.#position = position;
    return position > start;
  }

  #skipSpace(): number {
    const code = this.#text.charCodeAt(this.#position);
    if (!isSpace(code)) {
      return code;
    }
    this.#spaces += 1;
    this.#position = endOfSpace(this.#text, this.#position);
    return this.#text.charCodeAt(this.#position);
  }

  #failDepth(): undefined {
    const max = this.#depthMax;
    return this.#failAt(
      this.#position,
      `arrays and objects are nested more than ${max} deep, the first too deep stands`,
      { limit: "depth" },
    );
  }

  #failMembers(max: number): undefined {
    const reason = `it has more than ${max} members`;
    this.#error = new JsonTextError(reason, this.#position, "members");
    return undefined;
  }

  #failExpecting(expected: string): undefined {
    if (this.#position >= this.#text.length) {
      const reason = `the text ends where ${expected} is expected`;
      this.#error = new JsonTextError(reason, this.#position);
      return undefined;
    }
    const found = String.fromCodePoint(this.#text.codePointAt(this.#position) as number);
    return this.#failAt(
      this.#position,
      `${expected} is expected instead of ${JSON.stringify(found)}`,
    );
  }

  /** Messages count characters from 1; the text counts code units from 0. */
  #failAt(
    position: number,
    what: string,
    { end = position, limit }: { readonly end?: number; readonly limit?: JsonLimit } = {},
  ): undefined {
    const character = codePointsUpTo(this.#text, position) + 1;
    this.#error = new JsonTextError(`${what} at character ${character}`, end, limit);
    return undefined;
  }
}

/** Comparing sizes saves a second look-up. */
function addNew(members: Map<string, JsonNode>, name: string, value: JsonNode): boolean {
  const before = members.size;
  members.set(name, value);
  return members.size > before;
}

function addNewName(names: Set<string>, name: string): boolean {
  const before = names.size;
  names.add(name);
  return names.size > before;
}

function escapeLength(text: string, position: number): number {
  const letter = text.charCodeAt(position + 1);
  if (letter !== LOWER_U) {
    return ESCAPED.has(letter) ? 2 : 0;
  }
  for (let at = position + 2; at < position + 6; at += 1) {
    if (!isHexDigit(text.charCodeAt(at))) {
      return 0;
    }
  }
  return 6;
}

function isHexDigit(code: number): boolean {
  return (
    (code >= DIGIT_ZERO && code <= DIGIT_NINE) ||
    (code >= LOWER_A && code <= LOWER_F) ||
    (code >= UPPER_A && code <= UPPER_F)
  );
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

function endOfSpace(text: string, position: number): number {
  const nearby = position + NEARBY;
  for (let end = position; end < nearby; end += 1) {
    if (!isSpace(text.charCodeAt(end))) {
      return end;
    }
  }
  NO_SPACE.lastIndex = nearby;
  return NO_SPACE.exec(text)?.index ?? text.length;
}

function endOfString(text: string, position: number): number {
  let end = position + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) {
      return end + 1;
    }
    end = code === BACKSLASH ? end + 2 : endOfPlain(text, end + 1);
  }
  return text.length;
}

function endOfPlain(text: string, position: number): number {
  const nearby = position + NEARBY;
  for (let end = position; end < nearby; end += 1) {
    const code = text.charCodeAt(end);
    // The last comparison is also false for NaN, after the end of the text.
    if (code === QUOTE || code === BACKSLASH || !(code >= SPACE)) {
      return Math.min(end, text.length);
    }
  }
  SPECIAL_OR_QUOTE.lastIndex = nearby;
  return SPECIAL_OR_QUOTE.exec(text)?.index ?? text.length;
}
