import {
  ALICE,
  BOB,
  GRANT,
  PROJECT,
  SECOND_KEY_BODY,
  TOMORROW,
} from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { jsonList, NO_ENTRIES } from "../../description/json/json-list.ts";
import { jsonTexts } from "../../description/json/json-texts.ts";
import { signedOperation } from "../../description/operation.ts";
import { meaning, optional, type ValuesOf } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { grantEnd } from "../../description/parameters/dates.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { agentKey, temporaryKey } from "../../description/parameters/keys.ts";
import { pattern, text } from "../../description/parameters/texts.ts";
import { market } from "../../description/results.ts";
import { noted, text as shownText } from "../../description/shown.ts";

/** Source: authority §5.1. */
export const GRANT_SECONDS_MAX = 31_536_000;

/** Source: authority §5.1. */
export const OPEN_GRANTS_MAX = 100;

const limits = {
  token: tokenId(),
  amount: amount({ min: 1n }),
  period: optional(boundedInteger({ min: 0n, max: BigInt(GRANT_SECONDS_MAX) }), 0),
} as const;

const items = {
  id: meaning(
    "",
    pattern(
      /^(?:token:(?:0|[1-9][0-9]{0,40})|MRC40[02]_[0-9A-Za-z_-]{1,100})$/,
      "the id of a project, an item or a multi-unit item, or token: and the id of a token",
    ),
  ),
  minprice: optional(amount({ min: 1n })),
  token: optional(tokenId()),
} as const;

/** Source: authority §5.1. */
export const grant = signedOperation({
  name: "grant",
  title: "Let another key act for an address",
  route: "POST /grant",
  about:
    "Lets another key, the agent's, do some operations for an address: it signs them with `grant`. Limits bound what they spend, payees whom they pay, items what they list, change or move. What no limit names cannot be spent, and what no item names cannot be touched; without payees anybody can be paid.",
  parameters: {
    address: address(),
    agent: agentKey(),
    operations: meaning(
      "operations that the agent may do",
      jsonTexts({
        ...{ min: 1, max: 50, of: "names of operations" },
        each: pattern(/^[a-z0-9]{1,32}$/, "the name of an operation, such as transfer"),
      }),
    ),
    limits: optional(
      meaning(
        "amounts that the agent may spend",
        jsonList({
          ...{ min: 0, max: 10, members: limits },
          identity: ({ token, period }) => `${token} ${period}`,
        }),
      ),
      NO_ENTRIES,
    ),
    payees: optional(jsonTexts({ min: 0, max: 100, of: "addresses", each: address() }), NO_ENTRIES),
    items: optional(
      meaning(
        "items and tokens that the agent may list, change or move",
        jsonList({
          ...{ min: 0, max: 100, members: items, distinctBy: "id" },
          checkEntry: (item, parameter) => refuseMinimum(item, parameter),
        }),
      ),
      NO_ENTRIES,
    ),
    until: grantEnd(),
    note: optional(text({ max: 255 }), ""),
    tkey: temporaryKey(),
  },
  example: {
    address: ALICE,
    agent: SECOND_KEY_BODY,
    operations: '["transfer","mrc401sell"]',
    limits: JSON.stringify([{ token: "0", amount: "500", period: "86400" }]),
    payees: JSON.stringify([BOB]),
    items: JSON.stringify([{ id: PROJECT, minprice: "100", token: "0" }]),
    until: String(TOMORROW),
    note: "the game",
  },
  actor: "address",
  signed: [],
  fullOnly: true,
  isAlone: true,
  refusals: ["3090", "4001", "7126"],
  result: market("Granted", "the id of the transaction, twice, and that of the grant", {
    grantid: [noted(shownText, "id of the grant"), GRANT],
  }),
});

/** A minimum price has its token. Source: authority §5.1. */
function refuseMinimum(
  { id, minprice, token }: ValuesOf<typeof items>,
  parameter: string,
): Refused | undefined {
  if ((minprice === undefined) !== (token === undefined)) {
    const missing = minprice === undefined ? "minprice" : "token";
    return refuse({ code: "1000", parameter: `${parameter}.${missing}` });
  }
  const reason = "belongs to items and projects: limits bound what is traded of a token";
  return minprice !== undefined && id.startsWith("token:")
    ? refuse({ code: "3005", parameter: `${parameter}.minprice`, reason })
    : undefined;
}
