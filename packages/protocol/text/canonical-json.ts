export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * RFC 8785. Throws on a lone surrogate and on a number that is not an integer from 0 to 2^53 - 1.
 * Source: chain §1.3.
 */
export function canonicalJson(value: Json): string {
  // Nearly all objects are ordered already; the engine's printer is several times faster.
  return isOrdered(value) ? JSON.stringify(value) : print(value);
}

/** If it returns true, all strings and numbers are checked. */
function isOrdered(value: Json): boolean {
  if (typeof value === "string") {
    checkText(value);
    return true;
  }
  if (typeof value !== "object" || value === null) {
    checkScalar(value);
    return true;
  }
  if (isArray(value)) {
    for (const item of value) {
      if (!isOrdered(item)) {
        return false;
      }
    }
    return true;
  }
  let previous = "";
  for (const key of Object.keys(value)) {
    if (key < previous) {
      return false;
    }
    checkText(key);
    if (!isOrdered(value[key] as Json)) {
      return false;
    }
    previous = key;
  }
  return true;
}

function print(value: Json): string {
  if (typeof value === "string") {
    checkText(value);
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) {
    checkScalar(value);
    return String(value);
  }
  if (isArray(value)) {
    return `[${value.map(print).join(",")}]`;
  }
  let members = "";
  // Without a comparator `sort` orders by UTF-16 code units.
  for (const key of Object.keys(value).sort()) {
    const separator = members === "" ? "" : ",";
    members += `${separator}${print(key)}:${print(value[key] as Json)}`;
  }
  return `{${members}}`;
}

function checkText(text: string): void {
  if (!text.isWellFormed()) {
    throw new Error("canonical JSON of a text with a lone surrogate");
  }
}

/** Refuses also an `undefined` that a cast has hidden. */
function checkScalar(value: number | boolean | null): void {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new Error(`canonical JSON of the number ${value}`);
    }
  } else if (typeof value !== "boolean" && value !== null) {
    throw new Error(`canonical JSON of a value of type ${typeof value}`);
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
