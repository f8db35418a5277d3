import { randomFillSync, timingSafeEqual } from "node:crypto";
import {
  drawBase62,
  encodeBase62,
  encodeBase62Number,
  TEMPORARY_KEY_RANDOM_LENGTH,
  TEMPORARY_KEY_TAG_BYTES,
  TEMPORARY_KEY_TAG_LENGTH,
  type TemporaryKey,
  taggedText,
  untaggedKey,
  VALID_SECONDS_MAX,
} from "@moneta/protocol";
import { HmacSha256 } from "./hmac-sha256.ts";

/**
 * A counter: keys issued together are neighbours in the index of used keys. The tag makes keys
 * unpredictable.
 */
const COUNT_DIGITS = 3;
const COUNTS = 62 ** COUNT_DIGITS;

/** Recognizes its own keys without storing any. Source: conventions §5.1, accounts §7. */
export class TemporaryKeys {
  #hmacs: readonly HmacSha256[] = [];
  #current = "";
  readonly #ledgerId: string;
  readonly #seconds: number;
  #count = 0;
  /** The latest time at which a key was issued, Unix seconds. */
  #latest = 0;

  constructor(options: {
    readonly secrets: readonly Buffer[];
    readonly ledgerId: string;
    readonly seconds: number;
  }) {
    this.setSecrets(options.secrets);
    this.#ledgerId = options.ledgerId;
    this.#seconds = options.seconds;
  }

  setSecrets(secrets: readonly Buffer[]): void {
    const texts = secrets.map((secret) => secret.toString("hex")).join();
    if (texts !== this.#current) {
      this.#current = texts;
      this.#hmacs = secrets.map((secret) => new HmacSha256(secret));
    }
  }

  /** `restrictedTo` is an operation's name or `""`. */
  issue(
    addressNumber: number,
    at: number,
    options: {
      readonly restrictedTo?: string | undefined;
      readonly seconds?: number | undefined;
    } = {},
  ): string {
    const { restrictedTo = "", seconds = this.#seconds } = options;
    // A clock that goes back and forth must not expire new keys. A day is no such step.
    this.#latest = this.#latest - at > VALID_SECONDS_MAX ? at : Math.max(this.#latest, at);
    this.#count = (this.#count + 1) % COUNTS;
    const drawn = drawBase62(TEMPORARY_KEY_RANDOM_LENGTH - COUNT_DIGITS, randomByte);
    const random = `${encodeBase62Number(this.#count, COUNT_DIGITS)}${drawn}`;
    const expiry = Math.min(this.#latest + seconds, at + VALID_SECONDS_MAX);
    const untagged = untaggedKey({ addressNumber, expiry, random });
    return `${untagged}${this.#tag(this.#hmacs[0] as HmacSha256, restrictedTo, untagged)}`;
  }

  isOurs(key: TemporaryKey, operationName: string): boolean {
    return this.#hmacs.some((hmac) =>
      ["", operationName].some((restrictedTo) =>
        isEqual(key.tag, this.#tag(hmac, restrictedTo, key.untagged)),
      ),
    );
  }

  #tag(hmac: HmacSha256, restrictedTo: string, untagged: string): string {
    const text = taggedText(this.#ledgerId, restrictedTo, untagged);
    return encodeBase62(
      hmac.of(text).subarray(0, TEMPORARY_KEY_TAG_BYTES),
      TEMPORARY_KEY_TAG_LENGTH,
    );
  }
}

function isEqual(a: string, b: string): boolean {
  return (
    a.length === b.length && timingSafeEqual(Buffer.from(a, "latin1"), Buffer.from(b, "latin1"))
  );
}

// A call of the generator costs more than a byte.
const pool: Buffer = Buffer.alloc(4096);
let used: number = pool.length;

export function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  used += 1;
  return byte;
}
