// `Uint8Array.toBase64` is not in all browsers and Nodes; `atob` is in no standard of the language.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Source: RFC 4648 §4. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    for (let shift = 18; shift >= 0; shift -= 6) {
      text += DIGITS.charAt((bits >> shift) & 63);
    }
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return text.slice(0, text.length - missing) + "=".repeat(missing);
}

/** Undefined if it is malformed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // A repeated group in the pattern would need a stack as deep as the text is long.
  if (text.length % 4 !== 0 || !/^[0-9A-Za-z+/]*={0,2}$/.test(text)) {
    return undefined;
  }
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let length = 0;
  for (let at = 0; at < digits.length; at += 1) {
    bits = ((bits << 6) | DIGITS.indexOf(digits.charAt(at))) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[length] = (bits >> count) & 0xff;
      length += 1;
    }
  }
  // Surplus bits must be 0, so that a value has only one text.
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined;
}

/** Two lower-case digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The caller ensures that there is nothing else. */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) {
      length += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
    }
  }
  return length;
}
