import { BOB } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { jsonObject, LINKS_MAX, NO_MEMBERS } from "../../description/json/json-object.ts";
import {
  aliased,
  optional,
  type Parameter,
  parameter,
  refuseValue,
} from "../../description/parameter.ts";
import { amount, quantity, rate } from "../../description/parameters/amounts.ts";
import { expireDate } from "../../description/parameters/dates.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { url } from "../../description/parameters/urls.ts";
import { country } from "../../description/parameters/words.ts";
import { AMOUNT_MAX, type Amount, NATIVE_COIN, ONE } from "../../text/amount.ts";
import { NO_RATE } from "../../text/rate.ts";
import { PLATFORM_FIELDS, platformExample, platformParameters } from "../platform.ts";

const LONG_TEXT_MAX = 40_960;
const MEMBERS_MAX = 5;
const MEMBERS_LENGTH_MAX = 1024;

const shareholders = jsonObject({
  lengthMax: MEMBERS_LENGTH_MAX,
  membersMax: MEMBERS_MAX,
  value: rate("10", 2),
  names: address(),
});

/** Source: mrc402 §2.5, §4. */
const reserves = jsonObject({
  lengthMax: MEMBERS_LENGTH_MAX,
  membersMax: MEMBERS_MAX,
  value: amount({ min: 1n }),
  names: tokenId(),
});

const links = jsonObject({
  lengthMax: LONG_TEXT_MAX,
  membersMax: LINKS_MAX,
  value: url({ use: "page", max: LONG_TEXT_MAX }),
});

function refuseDecimal(name: string): Refused {
  return refuseValue("0: units are indivisible", name);
}

/** Source: mrc402 §4. */
export const unitItemParameters = {
  name: optional(text({ max: 128, withoutBar: true }), ""),
  url: optional(url({ use: "item", max: 255, withoutBar: true }), ""),
  imageurl: optional(aliased(url({ use: "image", max: 255, withoutBar: true }), "image_url"), ""),
  totalsupply: optional(quantity()),
  creatorcommission: optional(rate("10", 2), NO_RATE),
  shareholder: optional(shareholders),
  initialreserve: optional(reserves),
  expiredate: optional(expireDate(), 0),
  data: optional(text({ max: LONG_TEXT_MAX, withoutBar: true }), ""),
  information: optional(text({ max: LONG_TEXT_MAX }), ""),
  socialmedia: optional(links),
  copyright_registration_country: optional(country(), ""),
  copyright_registrar: optional(text({ max: 128, withoutBar: true }), ""),
  copyright_registration_number: optional(text({ max: 64, withoutBar: true }), ""),
  category: optional(text({ max: 64, withoutBar: true }), ""),
  description: optional(text({ max: 4096, withoutBar: true }), ""),
  ...platformParameters,
} as const;

/** Source: mrc402 §4. */
export const standaloneParameters = {
  ...unitItemParameters,
  totalsupply: optional(quantity(), ONE),
  shareholder: optional(shareholders, NO_MEMBERS),
  initialreserve: optional(reserves, NO_MEMBERS),
  socialmedia: optional(links, NO_MEMBERS),
  decimal: optional(
    parameter<undefined>({
      wanted: "0: units are indivisible",
      schema: { type: "string", format: "token-id", pattern: "^0$" },
      isInteger: true,
      refusals: ["3005"],
      read: (given, name) => (given === "0" ? undefined : refuseDecimal(name)),
      malformed: (_raw, name) => refuseDecimal(name),
    }),
  ),
  allowtoken: optional(tokenId(), NATIVE_COIN),
  itemurl: optional(url({ use: "item", max: 255, withoutBar: true }), ""),
  itemimageurl: optional(url({ use: "image", max: 255, withoutBar: true }), ""),
} as const;

const COPYRIGHT_FIELDS = [
  "copyright_registration_country",
  "copyright_registrar",
  "copyright_registration_number",
] as const;

/** Any of them requires it. Source: mrc402 §4. */
export const LONG_FIELDS = [
  "totalsupply",
  "decimal",
  "creatorcommission",
  "shareholder",
  "initialreserve",
  "expiredate",
  "information",
  "socialmedia",
  ...COPYRIGHT_FIELDS,
  ...PLATFORM_FIELDS,
] as const;

/** Source: mrc402 §4. */
export const EXTRA_FIELDS = [
  "allowtoken",
  "category",
  "description",
  "itemurl",
  "itemimageurl",
  ...PLATFORM_FIELDS,
] as const;

/** The order of the long signed string and of records, after the creator. Source: mrc402 §4. */
export const SIGNED_UNIT_FIELDS = [
  "name",
  "creatorcommission",
  "totalsupply",
  "decimal",
  "url",
  "imageurl",
  "shareholder",
  "initialreserve",
  "expiredate",
  "data",
  "information",
  "socialmedia",
  ...COPYRIGHT_FIELDS,
] as const;

/** Source: mrc402 §9. */
export const unitItemInformation = {
  url: unitItemParameters.url,
  data: unitItemParameters.data,
  information: unitItemParameters.information,
  socialmedia: unitItemParameters.socialmedia,
  copyright_registration_country: unitItemParameters.copyright_registration_country,
  copyright_registrar: unitItemParameters.copyright_registrar,
  copyright_registration_number: unitItemParameters.copyright_registration_number,
} as const;

export const INFORMATION_FIELDS = [
  "url",
  "data",
  "information",
  "socialmedia",
  ...COPYRIGHT_FIELDS,
] as const;

export const unitInformationExample = {
  url: "https://prints.example/sunset",
  data: "edition of 20",
  information: "A sunset, printed on paper",
  socialmedia: JSON.stringify({ chat: "https://chat.example/prints" }),
  copyright_registration_country: "KR",
  copyright_registrar: "Copyright Commission",
  copyright_registration_number: "C-2026-000001",
} as const;

export const unitItemExample = {
  name: "Sunset",
  imageurl: "https://prints.example/sunset.png",
  totalsupply: "20",
  creatorcommission: "1.5",
  shareholder: JSON.stringify({ [BOB]: "2" }),
  initialreserve: JSON.stringify({ "0": "1" }),
  expiredate: "0",
  ...unitInformationExample,
  category: "art",
  description: "Prints of a painting",
  ...platformExample,
} as const;

export function unitItemId(): Parameter<string> {
  return recordId("a multi-unit item");
}

/** 1101 above the largest amount. Source: mrc402 §4. */
export function refuseReserveTotal(
  { members }: { readonly members: ReadonlyMap<string, Amount> },
  units: Amount,
  parameter: string,
): Refused | undefined {
  for (const [token, perUnit] of members) {
    if (perUnit * units > AMOUNT_MAX) {
      const wanted = "such that the reserve of all units is at most 10^40";
      return refuse({
        code: "1101",
        parameter: `${parameter}.${token}`,
        given: `${perUnit}`,
        wanted,
      });
    }
  }
  return undefined;
}
