/** What a node takes as one body, in characters. Source: batches §1.1. */
const FILE_LENGTH_MAX = 4 << 20;

/**
 * The members of a JSON object that may come from anybody, as text or parsed. Throws what `fail`
 * makes of a message.
 */
export function readSignedFile(
  json: unknown,
  fail: (message: string) => Error,
): Readonly<Record<string, unknown>> {
  let value = json;
  if (typeof json === "string") {
    if (json.length > FILE_LENGTH_MAX) {
      throw fail(`it has more than ${FILE_LENGTH_MAX} characters`);
    }
    try {
      value = JSON.parse(json);
    } catch {
      throw fail("it is no JSON text");
    }
  }
  if (!isObject(value)) {
    throw fail("it is no JSON object");
  }
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value of others in a message, at most 80 characters of it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
