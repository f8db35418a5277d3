/** For JSON.parse: refuses rounded numbers, because an amount would change. */
export function exactNumber(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new Error(`${name} is a number that is no exact integer; write it as text`);
  }
  return value;
}

/** The fault of JSON.parse in one line: its own messages quote several. */
export function whyNoJson(thrown: Error, text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return thrown instanceof SyntaxError
    ? `${JSON.stringify(line.slice(0, 40))} is no JSON`
    : thrown.message;
}
