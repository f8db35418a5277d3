import { BOB } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import {
  type JsonMembers,
  jsonObject,
  LINKS_MAX,
  NO_MEMBERS,
} from "../../description/json/json-object.ts";
import {
  address,
  amount,
  country,
  date,
  optionalTokenId,
  type Parameter,
  quantity,
  rate,
  recordId,
  text,
  tokenId,
  url,
} from "../../description/parameters.ts";
import { AMOUNT_MAX, type Amount, NATIVE_COIN, ONE, type TokenId } from "../../text/amount.ts";
import type { Rate } from "../../text/rate.ts";
import { PLATFORM_FIELDS, platformExample, platformParameters } from "../platform.ts";

const LONG_TEXT_MAX = 40_960;
const MEMBERS_MAX = 5;
const MEMBERS_LENGTH_MAX = 1024;

/** The latest date from which an item may be melted: the end of the year 9999. Source: mrc401 §7, mrc402 §4. */
export const EXPIRE_DATE_MAX = 253_402_300_799;

/** Parts of every trade, by who gets them. Source: mrc402 §4. */
const shareholders: Parameter<JsonMembers<Rate> | undefined> = jsonObject({
  lengthMax: MEMBERS_LENGTH_MAX,
  membersMax: MEMBERS_MAX,
  value: rate({ max: "10", decimals: 2 }),
  names: address(),
});

/** Amounts per unit, by token. Source: mrc402 §2.5, §4. */
const reserves: Parameter<JsonMembers<Amount> | undefined> = jsonObject({
  lengthMax: MEMBERS_LENGTH_MAX,
  membersMax: MEMBERS_MAX,
  value: amount({ min: 1n }),
  names: tokenId(),
});

/** What can be said of a multi-unit item that is new, alone or in a project. Source: mrc402 §4. */
export const unitItemParameters = {
  name: text({ max: 128, optional: true, withoutBar: true }),
  url: url({ use: "page", max: 255, optional: true, withoutBar: true }),
  imageurl: url({
    use: "image",
    max: 255,
    optional: true,
    withoutBar: true,
    aliases: ["image_url"],
  }),
  totalsupply: quantity({ optional: true }),
  creatorcommission: rate({ max: "10", decimals: 2, optional: true }),
  shareholder: shareholders,
  initialreserve: reserves,
  expiredate: date({
    max: EXPIRE_DATE_MAX,
    zero: "lets it be melted at any time",
    optional: true,
  }),
  data: text({ max: LONG_TEXT_MAX, optional: true, withoutBar: true }),
  information: text({ max: LONG_TEXT_MAX, optional: true }),
  socialmedia: jsonObject({
    lengthMax: LONG_TEXT_MAX,
    membersMax: LINKS_MAX,
    value: url({ use: "page", max: LONG_TEXT_MAX }),
  }),
  copyright_registration_country: country(),
  copyright_registrar: text({ max: 128, optional: true, withoutBar: true }),
  copyright_registration_number: text({ max: 64, optional: true, withoutBar: true }),
  category: text({ max: 64, optional: true, withoutBar: true }),
  description: text({ max: 4096, optional: true, withoutBar: true }),
  ...platformParameters,
} as const;

/** What an item standing alone takes: what is left out has a value. Source: mrc402 §4. */
export const standaloneParameters = {
  ...unitItemParameters,
  totalsupply: quantity({ absent: ONE }),
  shareholder: { ...shareholders, absent: NO_MEMBERS } as Parameter<JsonMembers<Rate>>,
  initialreserve: { ...reserves, absent: NO_MEMBERS } as Parameter<JsonMembers<Amount>>,
  socialmedia: { ...unitItemParameters.socialmedia, absent: NO_MEMBERS } as Parameter<
    JsonMembers<string>
  >,
  decimal: {
    ...optionalTokenId(),
    schema: { type: "string", format: "token-id", pattern: "^0$" },
    wanted: "0: units are indivisible",
    refusals: ["3005"],
    absent: undefined,
    read: (given: string, name: string) =>
      given === "0"
        ? undefined
        : refuse({ code: "3005", parameter: name, reason: "must be 0: units are indivisible" }),
    malformed: (_raw: unknown, name: string) =>
      refuse({ code: "3005", parameter: name, reason: "must be 0: units are indivisible" }),
  } as Parameter<undefined>,
  allowtoken: { ...optionalTokenId(), absent: NATIVE_COIN } as Parameter<TokenId>,
  itemurl: url({ use: "page", max: 255, optional: true, withoutBar: true }),
  itemimageurl: url({ use: "image", max: 255, optional: true, withoutBar: true }),
} as const;

const COPYRIGHT_FIELDS = [
  "copyright_registration_country",
  "copyright_registrar",
  "copyright_registration_number",
] as const;

/** Fields that only the long signed string covers: any of them demands it. Source: mrc402 §4. */
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

/** Fields that stand at the end of the long signed string, and of the record, if any of them is given. Source: mrc402 §4. */
export const EXTRA_FIELDS = [
  "allowtoken",
  "category",
  "description",
  "itemurl",
  "itemimageurl",
  ...PLATFORM_FIELDS,
] as const;

/** The order of the long signed string and of records, behind the creator. Source: mrc402 §4. */
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

/** What can be told of an item later. Source: mrc402 §9. */
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

/** Of an item in a project or alone. */
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

/** The id of a multi-unit item, in a project or alone. */
export function unitItemId(): Parameter<string> {
  return recordId("a multi-unit item");
}

/** Refused with 1101 if the reserve of all units is more than any amount may be. Source: mrc402 §4. */
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
