/** Source: accounts §7.2. */
export const BASE62_DIGITS: string =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Throws if it needs more digits. Source: accounts §7.2. */
export function encodeBase62Number(value: number, digits: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < digits; i += 1) {
    text = (BASE62_DIGITS[rest % 62] as string) + text;
    rest = Math.floor(rest / 62);
  }
  if (rest !== 0 || !Number.isSafeInteger(value)) {
    throw new Error(`${value} does not fit into ${digits} digits`);
  }
  return text;
}

/** Leading `0` allowed; undefined if malformed or not a safe integer. */
export function decodeBase62Number(text: string): number | undefined {
  let value = 0;
  for (let i = 0; i < text.length; i += 1) {
    const digit = BASE62_DIGITS.indexOf(text.charAt(i));
    value = value * 62 + digit;
    if (digit < 0 || value > Number.MAX_SAFE_INTEGER) {
      return undefined;
    }
  }
  return text === "" ? undefined : value;
}
