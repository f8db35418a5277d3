import { form, SIGNED } from "../record-form.ts";

const SUPPLY = "token amount signature";

/** Source: tokens §3 to §6. */
export const TOKEN_RECORDS = {
  tokenSave: form(
    "tokens",
    { M: "owner" },
    `owner symbol token name url totalsupply decimal category reservedamount reserve tier type image ${SIGNED}`,
  ),
  tokenRegister: form(
    "tokens",
    { M: "owner" },
    `token owner symbol name url totalsupply decimal category reserve ${SIGNED}`,
    { by: "tokencreate coin", money: ["issues", "totalsupply"] },
  ),
  token_reserve: form("payments", { A: "receiver" }, "owner receiver amount token", {
    by: "tokencreate coin",
    money: ["in", "amount"],
    parties: ["owner", "receiver"],
  }),
  tokenBurning: form("tokens", { M: "the token's owner" }, SUPPLY, {
    by: "tokenburn",
    optional: "memo",
    money: ["out", "amount"],
  }),
  ownerBurning: form("tokens", { A: "the token's owner" }, SUPPLY, {
    by: "tokenburn",
    optional: "memo",
    money: ["out", "amount"],
  }),
  tokenIncrease: form("tokens", { M: "the token's owner" }, SUPPLY, {
    optional: "memo",
    money: ["in", "amount"],
  }),
  ownerIncrease: form("tokens", { A: "the token's owner" }, SUPPLY, {
    by: "tokenincrease",
    optional: "memo",
    money: ["in", "amount"],
  }),
  tokenUpdate: form("tokens", { M: "the token's owner" }, "token url info image signature"),
} as const;

/** Source: protocols §8. */
export const PAIR_RECORDS = {
  SetBase: form("tokens", { M: "the owner of the target" }, "base target", { by: "tokensetbase" }),
  tokenAddTarget: form("tokens", { M: "the owner of the base" }, `base target ${SIGNED}`),
  tokenRemoveTarget: form("tokens", { M: "the owner of the base" }, `base target ${SIGNED}`),
} as const;
