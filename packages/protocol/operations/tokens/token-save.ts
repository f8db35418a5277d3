import { ALICE, BOB } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { jsonList, NO_ENTRIES } from "../../description/json/json-list.ts";
import { jsonObjects } from "../../description/json/json-objects.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, meaning, optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { unlockDate } from "../../description/parameters/dates.ts";
import { address } from "../../description/parameters/ids.ts";
import { decimalPlaces } from "../../description/parameters/integers.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { ignored, text } from "../../description/parameters/texts.ts";
import { tokenImage, url } from "../../description/parameters/urls.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { type Amount, ZERO } from "../../text/amount.ts";

/** Source: tokens §3. */
export const tokenSave = signedOperation({
  name: "tokensave",
  title: "Save the draft of a token",
  route: "POST /token",
  about:
    "Saves a draft of a token, from which POST /token/{tkey} creates it within 3600 s. A later draft of the same owner and name replaces it.",
  parameters: {
    owner: address(),
    symbol: text({ max: 32, withoutBar: true }),
    name: text({ max: 128, withoutBar: true }),
    totalsupply: optional(amount({ min: 0n }), ZERO),
    decimal: optional(decimalPlaces(), 0),
    reservedamount: optional(amount({ min: 0n }), ZERO),
    remainamount: ignored(),
    reserve: optional(
      jsonList({
        min: 0,
        max: 100,
        countFault: "1007",
        members: {
          address: meaning("address that receives", address()),
          value: meaning("amount that it receives", amount({ min: 1n })),
          unlockdate: optional(unlockDate(), 0),
        },
      }),
      NO_ENTRIES,
    ),
    tier: optional(jsonObjects({ max: 20, lengthMax: 16384 }), NO_ENTRIES),
    category: optional(text({ max: 64 }), ""),
    url: optional(url({ use: "page", max: 255, withoutBar: true }), ""),
    image: optional(tokenImage(), ""),
    type: wordOrFirst("010", "100", "101"),
    token: optional(meaning("has no effect", text({ max: 16, withoutBar: true })), ""),
    Temporarykey: aliased(temporaryKey(), "temporarykey", "tkey"),
  },
  // Clients write nothing or 0 in the place of the unknown id.
  example: {
    owner: ALICE,
    symbol: "GLD",
    name: "Gold",
    totalsupply: "100000",
    decimal: "2",
    reservedamount: "0",
    remainamount: "0",
    reserve: JSON.stringify([{ address: BOB, value: "40000", unlockdate: "0" }]),
    tier: "[]",
    category: "metal",
    url: "https://gold.example/",
    image: "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E",
    type: "010",
    token: "0",
  },
  actor: "owner",
  signed: [
    "owner",
    "symbol",
    { name: "token", absentAs: ["", "0"] },
    "name",
    "url",
    "Temporarykey",
  ],
  check: ({ owner, totalsupply, reservedamount, reserve }) =>
    checkReserves(totalsupply, reservedamount, reserve.entries, (entry) => entry.address === owner),
  refusals: ["1103", "3090"],
  result: {
    kind: "text",
    member: "tkey",
    about: "a new temporary key of the owner, to create the token with",
    example: "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
  },
});

function checkReserves<E extends { readonly value: Amount }>(
  totalSupply: Amount,
  reservedAmount: Amount,
  reserve: readonly E[],
  isOwn: (entry: E) => boolean,
): Refused | undefined {
  const sumOf = (entries: readonly E[]): bigint =>
    entries.reduce((sum, { value }) => sum + value, 0n);
  const sum = sumOf(reserve);
  if (sum > totalSupply) {
    const reason = `adds up to ${sum}, which is more than totalsupply ${totalSupply}`;
    return refuse({ code: "1103", parameter: "reserve", reason });
  }
  const received = totalSupply - sum + sumOf(reserve.filter(isOwn));
  if (reservedAmount > received) {
    const reason = `is ${reservedAmount} but the owner receives only ${received}`;
    return refuse({ code: "1103", parameter: "reservedamount", reason });
  }
  return undefined;
}
