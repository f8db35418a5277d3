import type { Brand } from "../brand.ts";
import { crc32 } from "./crc32.ts";

/** `MT`, 30 of `[0-9A-Za-z]`, their CRC-32 as 8 lower-case digits. Source: conventions §1.10. */
export type Address = Brand<string, "Address">;

export const ADDRESS_MIDDLE_LENGTH = 30;

const FORM = /^MT[0-9A-Za-z]{30}[0-9a-f]{8}$/;

/** Undefined if its form or its check digits are wrong. */
export function parseAddress(text: string): Address | undefined {
  // A number instead of a text, because each write has several addresses and texts are slow.
  return FORM.test(text) && Number.parseInt(text.slice(32), 16) === crc32(text.slice(2, 32))
    ? (text as Address)
    : undefined;
}

/** The address with these 30 characters of `[0-9A-Za-z]` inside. Source: accounts §3.1. */
export function addressAround(middle: string): Address {
  return `MT${middle}${crc32(middle).toString(16).padStart(8, "0")}` as Address;
}
