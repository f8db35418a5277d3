import { type Result, read } from "../operation.ts";
import { address, optionalBalanceCursor, optionalInteger, tokenId } from "../parameters.ts";
import { balanceEntriesSchema } from "../results.ts";

const paging = {
  limit: optionalInteger({ min: 1, max: 10000 }),
  after: optionalBalanceCursor(),
};
const result: Result = { kind: "json", about: "the balance entries", schema: balanceEntriesSchema };

/** Lists the balances of an address. Source: accounts §9. */
export const balance = read({
  name: "balance",
  route: "GET /balance/{address}",
  about: "Lists the balances of an address, free and locked ones.",
  parameters: { address: address(), ...paging },
  cache: "revalidate",
  result,
});

/** Lists the balances of an address in one token. Source: accounts §9. */
export const balanceOfToken = read({
  name: "balanceOfToken",
  route: "GET /balance/{address}/{token}",
  about: "Lists the balances of an address in one token.",
  parameters: { address: address(), token: tokenId(), ...paging },
  cache: "revalidate",
  result,
});
