import { jsonList } from "../../description/json/json-list.ts";
import { unsignedOperation } from "../../description/operation.ts";
import {
  address,
  amount,
  optionalAddress,
  optionalInteger,
  text,
  unlockDate,
} from "../../description/parameters.ts";

const nothing = { kind: "text", about: "nothing: no request makes it", example: "" } as const;

/** Lays down what a ledger is, as the first transaction of block 0. Source: chain §8. */
export const genesisProtocol = unsignedOperation({
  name: "protocol",
  title: "Announce new rules",
  about: "Fixes what the ledger is called, who operates it and how long auctions last.",
  parameters: {
    version: text(),
    height: text(),
    ledger: text(),
    operator: optionalAddress(),
    note: text({ optional: true }),
    auctionMin: optionalInteger({ min: 0, max: 2147483647 }),
    auctionMax: optionalInteger({ min: 0, max: 2147483647 }),
  },
  result: nothing,
});

/** Brings the native coin into being, as the last transaction of block 0. Source: accounts §12, chain §8. */
export const coin = unsignedOperation({
  name: "coin",
  about: "Creates the native coin and pays all of it to the treasury.",
  parameters: {
    name: text(),
    symbol: text(),
    decimal: optionalInteger({ min: 0, max: 18 }),
    totalsupply: amount({ min: 1n }),
    owner: optionalAddress(),
    treasury: jsonList({
      min: 1,
      max: 100,
      members: { address: address(), value: amount({ min: 1n }), unlockdate: unlockDate() },
    }),
  },
  result: nothing,
});
