import { type AddressKey, KEY_WEIGHT_MAX, KEYS_MAX } from "../../keys/key-set.ts";
import type { PublicKey } from "../../keys/public-key.ts";
import { type Refused, refuse } from "../faults.ts";
import { type JsonList, jsonList } from "../json/json-list.ts";
import { jsonTexts } from "../json/json-texts.ts";
import { optional, type Parameter, parameter, refuseValue } from "../parameter.ts";
import { boundedInteger } from "./integers.ts";
import { publicKey } from "./keys.ts";
import { pattern } from "./texts.ts";
import { wordOrFirst } from "./words.ts";

/** Origins of one passkey. Source: authority §1.2. */
export const ORIGINS_MAX = 5;

/** The domain of a passkey. Source: authority §1.2. */
export const RPID: RegExp =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** An origin whose pages may ask a passkey for a signature. Source: authority §1.2. */
export const ORIGIN: RegExp =
  /^(?:https:\/\/[a-z0-9.-]{1,253}|http:\/\/localhost)(?::[1-9][0-9]{0,4})?$/;

const rpid: Parameter<string> = pattern(
  RPID,
  "the domain of a passkey in lower case, such as wallet.example: no port, no dot at its end, no IP address",
);

const origins: Parameter<JsonList<string>> = jsonTexts({ min: 1, max: ORIGINS_MAX, of: "origins" });

/** A JSON boolean, or its text. */
const verified: Parameter<boolean> = parameter<boolean>({
  wanted: "true if the authenticator must verify the person, else false",
  schema: { type: "boolean" },
  takesAnything: true,
  refusals: ["3005"],
  read: (given, name) =>
    given === "true" ? true : given === "false" ? false : refuseValue("true or false", name),
});

/** How a key signs, and of a passkey its domain. Source: authority §1.2. */
export const keyKind = {
  kind: wordOrFirst("raw", "webauthn"),
  rpid: optional(rpid, ""),
  origins: optional(origins),
  verified: optional(verified),
} as const;

const members = {
  publickey: publicKey(),
  ...keyKind,
  weight: optional(boundedInteger({ min: 1n, max: BigInt(KEY_WEIGHT_MAX) }), 1),
} as const;

export type { AddressKey };

export interface GivenKey {
  readonly publickey: PublicKey;
  readonly kind: "raw" | "webauthn";
  readonly rpid: string;
  readonly origins: JsonList<string> | undefined;
  readonly verified: boolean | undefined;
  readonly weight?: number;
}

/** A given key with its defaults. Source: authority §1.2. */
export function keptKey({
  publickey: { body: publickey },
  kind,
  rpid,
  origins: list,
  verified: isVerified = true,
  weight = 1,
}: GivenKey): AddressKey {
  const key = { publickey, kind, weight };
  const given = list?.entries ?? [`https://${rpid}`];
  return kind === "raw" ? key : { ...key, rpid, origins: given, verified: isVerified };
}

export function keptKeys({ entries }: JsonList<GivenKey>): readonly AddressKey[] {
  return entries.map(keptKey);
}

/** A passkey needs a domain and P-256; other keys have no such members. Source: authority §1.2. */
export function refuseKeyOfKind(key: GivenKey, path = ""): Refused | undefined {
  if (key.kind === "raw") {
    const strange = (["rpid", "origins", "verified"] as const).find(
      (name) => (key[name] ?? "") !== "",
    );
    return strange === undefined
      ? undefined
      : refuse({
          ...{ code: "3005", parameter: `${path}${strange}` },
          reason: "belongs to keys of kind webauthn alone",
        });
  }
  if (key.rpid === "") {
    return refuseValue("the domain of the passkey", `${path}rpid`);
  }
  if (key.publickey.curve !== "P-256") {
    const reason = `is on ${key.publickey.curve}, but passkeys are on P-256`;
    return refuse({ code: "3005", parameter: `${path}publickey`, reason });
  }
  const wrong = key.origins?.entries.findIndex((origin) => !ORIGIN.test(origin)) ?? -1;
  return wrong === -1
    ? undefined
    : refuseValue(
        "an origin in lower case, such as https://wallet.example",
        `${path}origins[${wrong}]`,
      );
}

/** Source: authority §1.2. */
export function keyList(): Parameter<JsonList<GivenKey>> {
  return jsonList({
    min: 1,
    max: KEYS_MAX,
    members,
    identity: ({ publickey }) => publickey.body,
    checkEntry: (key, parameter) => refuseKeyOfKind(key, `${parameter}.`),
  });
}

/** The weight that signatures must reach together. Source: authority §1.1. */
export function threshold(): Parameter<number> {
  return boundedInteger({ min: 1n, max: BigInt(KEYS_MAX * KEY_WEIGHT_MAX) });
}
