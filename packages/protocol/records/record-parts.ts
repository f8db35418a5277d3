/** `parameters` and `values` are unparsed canonical JSON. */
export interface PartText {
  readonly address: string;
  readonly item?: string;
  readonly at?: number;
  readonly parameters: string;
  readonly token: number;
  readonly type: string;
  readonly values: string;
  readonly group?: string;
}

const HEAD = /\{"address":"([^"]*)",(?:"at":([0-9]+),)?(?:"item":("(?:[^"\\]|\\.)*"),)?/y;
const EFFECTS = '"effects":[';
const GROUP = /"group":(\{"count":[0-9]+,"id":"[0-9a-f]{64}","index":[0-9]+\}),/y;
const GROUP_START = '"group":';
const PARAMETERS = '"parameters":';
const AFTER_PARAMETERS = '],"token":';
const TAIL = /\],"token":([0-9]+),"type":"([^"]*)","values":/y;

/** Long members are not parsed: the text may have 8 MB. Source: chain §1.2, §4.4. */
export function recordParts(record: string): readonly PartText[] {
  const [head, afterHead] = match(HEAD, record, 0);
  const parts: PartText[] = [];
  let at = expect(record, afterHead, EFFECTS);
  while (record[at] === "{") {
    const [effectHead, afterEffectHead] = match(HEAD, record, at);
    const effect = restOf(record, afterEffectHead, effectHead);
    parts.push(effect.part);
    at = record[effect.end] === "," ? effect.end + 1 : effect.end;
  }
  at = expect(record, at, "],");
  let group: string | undefined;
  if (record.startsWith(GROUP_START, at)) {
    const [found, afterGroup] = match(GROUP, record, at);
    group = found[1];
    at = afterGroup;
  }
  parts.unshift(restOf(record, at, head).part);
  return group === undefined ? parts : parts.map((part) => ({ ...part, group: group as string }));
}

function restOf(
  record: string,
  from: number,
  [, address = "", at, item]: RegExpExecArray,
): { readonly part: PartText; readonly end: number } {
  const start = expect(record, from, PARAMETERS);
  // Quotation marks in parameters are escaped.
  const afterParameters = record.indexOf(AFTER_PARAMETERS, start);
  const [[, token, type = ""], valuesStart] = match(TAIL, record, afterParameters);
  const valuesEnd = endOfValue(record, valuesStart);
  const part = {
    address,
    ...(at === undefined ? {} : { at: Number(at) }),
    ...(item === undefined ? {} : { item: JSON.parse(item) as string }),
    parameters: record.slice(start, afterParameters + 1),
    token: Number(token),
    type,
    values: record.slice(valuesStart, valuesEnd),
  };
  return { part, end: expect(record, valuesEnd, "}") };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        if (depth === 0) {
          return at + 1;
        }
        break;
    }
  }
  throw notCanonical(start);
}

/** The engine finds the first quotation mark, which is nearly always the right one. */
function closingQuote(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (text.charCodeAt(first - 1) !== BACKSLASH) {
    return first === -1 ? text.length : first;
  }
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

function match(pattern: RegExp, text: string, at: number): [RegExpExecArray, number] {
  pattern.lastIndex = at;
  const found = at < 0 ? null : pattern.exec(text);
  if (found === null) {
    throw notCanonical(at);
  }
  return [found, pattern.lastIndex];
}

function expect(text: string, at: number, wanted: string): number {
  if (!text.startsWith(wanted, at)) {
    throw notCanonical(at);
  }
  return at + wanted.length;
}

function notCanonical(at: number): Error {
  return new Error(`the text is no record object in canonical form at ${at}`);
}
