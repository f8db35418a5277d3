import { form, SIGNED } from "../record-form.ts";

const SUPPLY = "token amount signature";

/** Records of tokens. Source: tokens §3 to §6. */
export const TOKEN_RECORDS = {
  tokenSave: [
    form({
      says: "saved the draft of a token",
      by: "tokensave",
      filed: { M: "owner" },
      kind: "tokens",
      parameters: `owner symbol token name url totalsupply decimal category reservedamount reserve tier type image ${SIGNED}`,
    }),
  ],
  tokenRegister: [
    form({
      says: "created a token",
      by: "tokencreate coin",
      filed: { M: "owner" },
      kind: "tokens",
      parameters: `token owner symbol name url totalsupply decimal category reserve ${SIGNED}`,
      money: ["issues", "totalsupply", "token"],
    }),
  ],
  token_reserve: [
    form({
      says: "received a part of a new token",
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
      says: "burned units of a token",
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
      says: "burned units of its token",
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
      says: "issued units of a token",
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
      says: "issued units of its token",
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
      says: "changed the texts of a token",
      by: "tokenupdate",
      filed: { M: "the token's owner" },
      kind: "tokens",
      parameters: "token url info image signature",
    }),
  ],
} as const;

/** Records of pairs. Source: protocols §8. */
export const PAIR_RECORDS = {
  SetBase: [
    form({
      says: "set the token that a token is traded for",
      by: "tokensetbase",
      filed: { M: "the owner of the target" },
      kind: "tokens",
      parameters: "base target",
    }),
  ],
  tokenAddTarget: [
    form({
      says: "admitted a token as one that is traded for its own",
      by: "tokenaddtarget",
      filed: { M: "the owner of the base" },
      kind: "tokens",
      parameters: `base target ${SIGNED}`,
    }),
  ],
  tokenRemoveTarget: [
    form({
      says: "took a token out of those that are traded for its own",
      by: "tokenremovetarget",
      filed: { M: "the owner of the base" },
      kind: "tokens",
      parameters: `base target ${SIGNED}`,
    }),
  ],
} as const;
