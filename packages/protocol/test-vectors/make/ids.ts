import { createHmac } from "node:crypto";
import {
  ALICE,
  BOB,
  CIPHER,
  LETTER,
  MARKET,
  OPENING_KEY,
  PROJECT,
  PUBLIC_KEY,
  REFERENCE,
  TEMPORARY_KEY,
  TOMORROW,
} from "../../description/examples.ts";
import { OPERATIONS } from "../../descriptions.ts";
import { ADDRESS_MIDDLE_LENGTH, addressAround, parseAddress } from "../../keys/address.ts";
import { keyhashText, type Sealed } from "../../keys/opening-key.ts";
import {
  restriction,
  TEMPORARY_KEY_TAG_BYTES,
  TEMPORARY_KEY_TAG_LENGTH,
  taggedText,
  untaggedKey,
} from "../../keys/temporary-key.ts";
import { transactionId } from "../../records/transaction.ts";
import { encodeBase62, littleEndianBase62 } from "../../text/base62.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { IdVectors } from "../vector-types.ts";
import { makeChain } from "./chain.ts";
import { sha256 } from "./sha256.ts";
import { LEDGER_ID } from "./signed-strings.ts";

const OTHER_KEY = TEMPORARY_KEY.replace("0123456789", "9876543210");

/** Derived ids, and texts that are or are not addresses. */
export function makeIds(): IdVectors {
  return {
    addresses: addresses(),
    addresses_by_idempotency_key: byIdempotencyKey(),
    keyhashes: keyhashes(),
    temporary_keys: temporaryKeys(),
    projects: [
      { source: "mrc401 §2.1", ...project(ALICE, TEMPORARY_KEY) },
      project(BOB, TEMPORARY_KEY),
      project(ALICE, OTHER_KEY),
    ],
    items: items(),
    standalone_items: [ALICE, BOB].map((creator) => ({
      creator,
      tkey: TEMPORARY_KEY,
      id: derived("MRC402", creator, TEMPORARY_KEY),
    })),
    token_listings: [ALICE, BOB].map((creator) => ({
      creator,
      tkey: TEMPORARY_KEY,
      id: derived("DEX010", creator, TEMPORARY_KEY),
    })),
    unit_listings: [0, 1, 99].map((place) => ({
      actor: ALICE,
      tkey: TEMPORARY_KEY,
      place,
      id: derived("DEX402", ALICE, TEMPORARY_KEY, place),
    })),
    transactions: transactions(),
  };
}

/** Commitments of addresses to keys, those of protocols §7 among them. */
function keyhashes(): IdVectors["keyhashes"] {
  const bid: Sealed = {
    ...{ ledgerId: "a".repeat(64), owner: ALICE, referencekey: "sealed_bid_1" },
    ...{ opendate: String(TOMORROW), algorithm: "", data: "" },
    key: "bid 4200; salt 9f3c1e0a7b5d2c48",
  };
  const letter: Sealed = {
    ...{ ...bid, referencekey: REFERENCE, algorithm: CIPHER, data: LETTER, key: OPENING_KEY },
  };
  const of = ({ ledgerId: ledger_id, ...sealed }: Sealed, source?: string) => ({
    ...(source === undefined ? {} : { source }),
    ...{ ledger_id, ...sealed },
    keyhash: sha256.hex(keyhashText({ ledgerId: ledger_id, ...sealed })),
  });
  return [
    of(bid, "protocols §7, R1"),
    of(letter, "protocols §7, R2"),
    of({ ...bid, owner: BOB }, "protocols §7, row 6"),
    of({ ...bid, ledgerId: LEDGER_ID }),
    of({ ...bid, key: 'he said "\\u0041"\t\r\n\u007f\u2028 and é 𝄞 <&>' }),
    of({ ...bid, key: "𝄞".repeat(4096) }),
  ];
}

/** Source: market §1.1, mrc401 §2.1, mrc402 §2.1. */
function derived(kind: string, ...parts: readonly (string | number)[]): string {
  return `${kind}_${sha256.hex([kind, ...parts].join("|")).slice(0, 33)}`;
}

function project(owner: string, tkey: string): IdVectors["projects"][number] {
  return { owner, tkey, id: derived("MRC400", owner, tkey) };
}

/** Numbers that the node gives to items, and one that was sent. Source: mrc401 §7, mrc402 §5. */
function items(): IdVectors["items"] {
  return ["MRC401", "MRC402"].flatMap((kind) => [
    ...[0, 1, 99].map((place) => {
      const number = sha256.hex([kind, PROJECT, TEMPORARY_KEY, place].join("|")).slice(0, 40);
      const id = `${PROJECT}_${number}`;
      return { kind, mrc400id: PROJECT, tkey: TEMPORARY_KEY, place, number, id };
    }),
  ]);
}

function addresses(): IdVectors["addresses"] {
  const source = "accounts §3";
  const specified = [
    ALICE,
    BOB,
    "MT00000000000000000000000000000100e2eb14",
    "MTATLnT6SGKE8RU0CBPoDRfUXL5lr4SLece1a6ee",
  ].map((text) => ({ text, source }));
  const others = [
    MARKET,
    addressAround("z".repeat(30)),
    addressAround("ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"),
    ALICE.toLowerCase(),
    ALICE.replace("MT", "mt"),
    ALICE.replace("MT", "MX"),
    ALICE.slice(0, -1),
    `${ALICE}0`,
    ALICE.slice(0, 32) + ALICE.slice(32).toUpperCase(),
    ` ${ALICE}`,
    `${ALICE} `,
    `${ALICE}\n`,
    ALICE.replace("Alice", "Alicf"),
    ALICE.replace("Alice", "Alic_"),
    ALICE.replace("Alice", "Alicé"),
    ALICE.replace("c90", "c91"),
    "MT",
    "",
  ].map((text) => ({ text }));
  return [...specified, ...others].map(({ text, ...source }) => ({
    text,
    valid: parseAddress(text) !== undefined,
    ...source,
  }));
}

/** Source: accounts §4. */
function byIdempotencyKey(): IdVectors["addresses_by_idempotency_key"] {
  const body = PUBLIC_KEY.replaceAll(/-----.*-----|\n/g, "");
  return [
    { source: "accounts §4, row 8", addinfo: "hello", signed: "", idempotency_key: "key-1" },
    { addinfo: "hello", signed: "full", idempotency_key: "key-1" },
    { addinfo: "", signed: "", idempotency_key: "key-1" },
    { addinfo: 'é "q" \\ \t\n\u007f\u2028\u{1f600}', signed: "", idempotency_key: "~ !\"'\\" },
    { addinfo: "é".repeat(2048), signed: "", idempotency_key: "k".repeat(255) },
  ].map(({ addinfo, signed, idempotency_key, ...source }) => {
    const hashed = canonicalJson(["address", body, addinfo, signed, idempotency_key]);
    const middle = littleEndianBase62(sha256.bytes(hashed), ADDRESS_MIDDLE_LENGTH);
    const address = addressAround(middle);
    return { ...source, public_key_body: body, addinfo, signed, idempotency_key, hashed, address };
  });
}

/** Source: accounts §7.2. */
function temporaryKeys(): IdVectors["temporary_keys"] {
  const names = new Set(OPERATIONS.map(({ name }) => name));
  const specified = {
    secret: "00".repeat(32),
    ledger_id: LEDGER_ID,
    kind: "",
    address_number: 1,
    expiry: 1767226200,
    random: "0123456789",
  };
  return [
    { source: "accounts §7", ...specified },
    { ...specified, kind: "transfer" },
    { ...specified, kind: "token" },
    { ...specified, kind: "wallet" },
    { ...specified, kind: "multitransfer" },
    { ...specified, kind: "mrc402buy" },
    { ...specified, address_number: 0, expiry: 0, random: "0000000000" },
    { ...specified, address_number: 62 ** 7 - 1, expiry: 62 ** 6 - 1, random: "zzzzzzzzzz" },
    { ...specified, secret: "0123456789abcdef".repeat(4), ledger_id: "0123456789abcdef".repeat(4) },
  ].map((given) => {
    const { secret, ledger_id, kind, address_number: addressNumber, expiry, random } = given;
    const untagged = untaggedKey({ addressNumber, expiry, random });
    const tagged = taggedText(ledger_id, restriction(kind, names), untagged);
    const mac = createHmac("sha256", Buffer.from(secret, "hex")).update(tagged).digest();
    const bytes = mac.subarray(0, TEMPORARY_KEY_TAG_BYTES);
    return { ...given, key: untagged + encodeBase62(bytes, TEMPORARY_KEY_TAG_LENGTH) };
  });
}

/** Source: chain §4.3. */
function transactions(): IdVectors["transactions"] {
  const [worked] = makeChain().blocks;
  const content = worked?.transactions[0]?.content as string;
  const hash = sha256.hex(content);
  const bare = canonicalJson({
    actor: "",
    decided: {},
    op: "migrate",
    params: { version: "2" },
    v: 1,
  });
  const root = canonicalJson({
    actor: "",
    decided: {},
    op: "stateroot",
    params: {
      height: "258",
      root: "7c7b28d6cb81fffcde4a142b921e799c8dad985952da71895046bdf671108454",
    },
    v: 1,
  });
  return [
    { source: "chain §4.8", content, height: 258, position: 0 },
    { content, height: 0, position: 9999 },
    { content, height: Number.MAX_SAFE_INTEGER, position: 0xffffffff },
    { content: bare, height: 1, position: 1 },
    { source: "proofs §2.2", content: root, height: 259, position: 0 },
    { content: content.replace('"100"', '"101"'), height: 258, position: 0 },
  ].map(({ content: text, height, position, ...source }) => {
    const contentHash = text === content ? hash : sha256.hex(text);
    const id = transactionId({ height, position, contentHash });
    return { ...source, content: text, hash: contentHash, height, position, id };
  });
}
