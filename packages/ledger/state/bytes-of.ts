/** Of the object or array itself, and of its place in the one around it. */
const OBJECT_BYTES = 64;
/** A member without its value: of a common shape, and with names of its own. */
const PLACE_BYTES = 8;
const MEMBER_BYTES = 48;
const STRING_BYTES = 32;
const NUMBER_BYTES = 16;
const BIGINT_BYTES = 48;

export function documentBytes(document: unknown): number {
  if (typeof document !== "object" || document === null) {
    return 0;
  }
  let bytes = OBJECT_BYTES;
  // A list of the values would take twice the time.
  for (const name in document) {
    bytes += PLACE_BYTES + bytesOf(document[name as never]);
  }
  return bytes;
}

/**
 * Heap bytes at most: two for each UTF-16 code unit, objects as dictionaries, V8's largest form.
 */
export function bytesOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value === "" ? 0 : STRING_BYTES + 2 * value.length;
    case "bigint":
      return BIGINT_BYTES;
    case "object":
      return value === null ? 0 : OBJECT_BYTES + bytesIn(value);
    default:
      return NUMBER_BYTES;
  }
}

function bytesIn(value: object): number {
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const element of value) {
      bytes += bytesOf(element);
    }
    return bytes;
  }
  for (const [name, member] of Object.entries(value)) {
    bytes += MEMBER_BYTES + 2 * name.length + bytesOf(member);
  }
  return bytes;
}
