import { form, SIGNED } from "../record-form.ts";

const SUPPLY = "token amount signature";

/** Source: tokens §3 to §6. */
export const TOKEN_RECORDS = {
  tokenSave: [
    form({
      by: "tokensave",
      filed: { M: "owner" },
      kind: "tokens",
      parameters: `owner symbol token name url totalsupply decimal category reservedamount reserve tier type image ${SIGNED}`,
    }),
  ],
  tokenRegister: [
    form({
      by: "tokencreate coin",
      filed: { M: "owner" },
      kind: "tokens",
      parameters: `token owner symbol name url totalsupply decimal category reserve ${SIGNED}`,
      money: ["issues", "totalsupply", "token"],
    }),
  ],
  token_reserve: [
    form({
      by: "tokencreate coin",
      filed: { A: "receiver" },
      kind: "payments",
      parameters: "owner receiver amount token",
      money: ["in", "amount", "token"],
      parties: ["owner", "receiver"],
    }),
  ],
  tokenBurning: [
    form({
      by: "tokenburn",
      filed: { M: "the token's owner" },
      kind: "tokens",
      parameters: SUPPLY,
      money: ["out", "amount", "token"],
      optional: "memo",
    }),
  ],
  ownerBurning: [
    form({
      by: "tokenburn",
      filed: { A: "the token's owner" },
      kind: "tokens",
      parameters: SUPPLY,
      money: ["out", "amount", "token"],
      optional: "memo",
    }),
  ],
  tokenIncrease: [
    form({
      by: "tokenincrease",
      filed: { M: "the token's owner" },
      kind: "tokens",
      parameters: SUPPLY,
      money: ["in", "amount", "token"],
      optional: "memo",
    }),
  ],
  ownerIncrease: [
    form({
      by: "tokenincrease",
      filed: { A: "the token's owner" },
      kind: "tokens",
      parameters: SUPPLY,
      money: ["in", "amount", "token"],
      optional: "memo",
    }),
  ],
  tokenUpdate: [
    form({
      by: "tokenupdate",
      filed: { M: "the token's owner" },
      kind: "tokens",
      parameters: "token url info image signature",
    }),
  ],
} as const;

/** Source: protocols §8. */
export const PAIR_RECORDS = {
  SetBase: [
    form({
      by: "tokensetbase",
      filed: { M: "the owner of the target" },
      kind: "tokens",
      parameters: "base target",
    }),
  ],
  tokenAddTarget: [
    form({
      by: "tokenaddtarget",
      filed: { M: "the owner of the base" },
      kind: "tokens",
      parameters: `base target ${SIGNED}`,
    }),
  ],
  tokenRemoveTarget: [
    form({
      by: "tokenremovetarget",
      filed: { M: "the owner of the base" },
      kind: "tokens",
      parameters: `base target ${SIGNED}`,
    }),
  ],
} as const;
