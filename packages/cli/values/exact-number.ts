/** For JSON.parse: refuses numbers that have been rounded, because an amount would be another one. */
export function exactNumber(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new Error(`${name} is a number that is no exact integer; write it as text`);
  }
  return value;
}
