import { jsonList } from "../../description/json/json-list.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { unlockDate } from "../../description/parameters/dates.ts";
import { address } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { text } from "../../description/parameters/texts.ts";

const nothing = { kind: "text", about: "nothing: no request makes it", example: "" } as const;

/** Source: chain §8. */
export const genesisProtocol = unsignedOperation({
  name: "protocol",
  title: "Announce new rules",
  about: "Fixes the name and operator of the ledger, and how long auctions last.",
  parameters: {
    version: text(),
    height: text(),
    ledger: text(),
    operator: optional(address()),
    note: optional(text(), ""),
    auctionMin: optional(boundedInteger({ min: 0n, max: 2147483647n })),
    auctionMax: optional(boundedInteger({ min: 0n, max: 2147483647n })),
  },
  result: nothing,
});

/** Source: accounts §12, chain §8. */
export const coin = unsignedOperation({
  name: "coin",
  about: "Creates the native coin and pays all of it to the treasury.",
  parameters: {
    name: text(),
    symbol: text(),
    decimal: optional(boundedInteger({ min: 0n, max: 18n })),
    totalsupply: amount({ min: 1n }),
    owner: optional(address()),
    treasury: jsonList({
      min: 1,
      max: 100,
      members: { address: address(), value: amount({ min: 1n }), unlockdate: unlockDate() },
    }),
  },
  result: nothing,
});
