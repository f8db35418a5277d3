export type EncodedSignature = {
  /** SEQUENCE of r and s. */
  readonly der: Uint8Array | undefined;
  /** r ‖ s, 64, 96 or 132 bytes. */
  readonly raw: Uint8Array | undefined;
};

const VALUE_BYTES_MAX = 66;

/** The longest DER form, 141 bytes, with a CR LF after every fourth digit. */
const TEXT_LENGTH_MAX = 288;

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const LONG_LENGTH = 0x81;

/** DER or raw, base64 or base64url, white space ignored. Source: conventions §4.3. */
export function parseSignature(text: string): EncodedSignature | undefined {
  const bytes =
    text.length <= TEXT_LENGTH_MAX ? decodeBase64(text.replaceAll(/[ \t\r\n]/g, "")) : undefined;
  if (bytes === undefined) {
    return undefined;
  }
  const der = isDerSignature(bytes) ? bytes : undefined;
  const raw = isRawLength(bytes.length) ? bytes : undefined;
  return der === undefined && raw === undefined ? undefined : { der, raw };
}

export function signatureValues(
  { der, raw }: EncodedSignature,
  valueBytes: number,
): { readonly r: Uint8Array; readonly s: Uint8Array }[] {
  const values: { readonly r: Uint8Array; readonly s: Uint8Array }[] = [];
  if (der !== undefined) {
    const start = der[1] === LONG_LENGTH ? 3 : 2;
    const middle = start + 2 + (der[start + 1] as number);
    const r = padded(der.subarray(start + 2, middle), valueBytes);
    const s = padded(der.subarray(middle + 2), valueBytes);
    if (r !== undefined && s !== undefined) {
      values.push({ r, s });
    }
  }
  if (raw?.length === 2 * valueBytes) {
    values.push({ r: raw.subarray(0, valueBytes), s: raw.subarray(valueBytes) });
  }
  return values;
}

function padded(bytes: Uint8Array, length: number): Uint8Array | undefined {
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (digits.length > length) {
    return undefined;
  }
  const whole = new Uint8Array(length);
  whole.set(digits, length - digits.length);
  return whole;
}

/**
 * Base64, base64url or a mix, up to two `=`; undefined if malformed or empty. Surplus bits are
 * ignored. Source: conventions §4.3; accounts §2, step 4.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  let length = text.length;
  for (let padding = 0; padding < 2 && text.charCodeAt(length - 1) === EQUALS_SIGN; padding += 1) {
    length -= 1;
  }
  if (length === 0 || length % 4 === 1) {
    return undefined;
  }
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let end = 0;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? (BASE64_DIGITS[code] as number) : NO_DIGIT;
    if (digit === NO_DIGIT) {
      return undefined;
    }
    bits = (bits << 6) | digit;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      // Storing into a byte drops the higher bits, which are already stored.
      bytes[end] = bits >> bitCount;
      end += 1;
    }
  }
  return bytes;
}

const EQUALS_SIGN = 0x3d;
const NO_DIGIT = 255;

const BASE64_DIGITS: Uint8Array = new Uint8Array(128).fill(NO_DIGIT);
for (const alphabet of ["+/", "-_"]) {
  const digits = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`;
  for (let value = 0; value < digits.length; value += 1) {
    BASE64_DIGITS[digits.charCodeAt(value)] = value;
  }
}

function isDerSignature(bytes: Uint8Array): boolean {
  // A content of 128 bytes or more (P-521) needs a second byte for its length.
  const isLong = bytes[1] === LONG_LENGTH;
  const contentStart = isLong ? 3 : 2;
  const contentLength = bytes.length - contentStart;
  if (
    bytes[0] !== SEQUENCE ||
    bytes[contentStart - 1] !== contentLength ||
    isLong !== contentLength >= 0x80
  ) {
    return false;
  }
  const middle = endOfPositiveInteger(bytes, contentStart);
  return middle !== undefined && endOfPositiveInteger(bytes, middle) === bytes.length;
}

function endOfPositiveInteger(bytes: Uint8Array, start: number): number | undefined {
  const length = bytes[start + 1] as number;
  const first = bytes[start + 2] as number;
  const end = start + 2 + length;
  if (bytes[start] !== INTEGER || !(length >= 1) || end > bytes.length || first >= 0x80) {
    return undefined;
  }
  if (first !== 0) {
    return length <= VALUE_BYTES_MAX ? end : undefined;
  }
  // A leading 00 is only valid if the value would be negative without it.
  const isNeeded = length >= 2 && (bytes[start + 3] as number) >= 0x80;
  return isNeeded && length - 1 <= VALUE_BYTES_MAX ? end : undefined;
}

function isRawLength(length: number): boolean {
  return length === 64 || length === 96 || length === 132;
}
