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
 * So many of a key's random digits are a counter. Keys that are issued together, and used at about
 * the same time, are then neighbours in the ledger's index of used keys. The tag makes a key
 * unpredictable; the other digits distinguish nodes and starts.
 */
const COUNT_DIGITS = 3;
const COUNTS = 62 ** COUNT_DIGITS;

/**
 * Issues temporary keys, and recognizes its own without storing any. Source: conventions §5.1,
 * accounts §7.
 */
export class TemporaryKeys {
  /** With the current secret, and with others that are accepted. */
  #hmacs: readonly HmacSha256[] = [];
  #current = "";
  readonly #ledgerId: string;
  readonly #seconds: number;
  #count = 0;
  /** The latest time at which a key was issued, Unix seconds. */
  #latest = 0;

  /**
   * `secrets` are the current one and possibly the previous one; keys are valid for `seconds` by
   * default.
   */
  constructor(options: {
    readonly secrets: readonly Buffer[];
    readonly ledgerId: string;
    readonly seconds: number;
  }) {
    this.setSecrets(options.secrets);
    this.#ledgerId = options.ledgerId;
    this.#seconds = options.seconds;
  }

  /** Replaces the secrets: keys are issued with the first one. */
  setSecrets(secrets: readonly Buffer[]): void {
    const texts = secrets.map((secret) => secret.toString("hex")).join();
    if (texts !== this.#current) {
      this.#current = texts;
      this.#hmacs = secrets.map((secret) => new HmacSha256(secret));
    }
  }

  /**
   * A new key for the address with this number, at a ledger time; `restrictedTo` is an operation's
   * name or `""`.
   */
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

  /** Whether this deployment issued the key, for any operation or for the named one. */
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

// Takes many bytes from the generator at once, because a call costs more than a byte.
const pool: Buffer = Buffer.alloc(4096);
let used: number = pool.length;

/** A byte of the operating system's generator. */
export function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  used += 1;
  return byte;
}
