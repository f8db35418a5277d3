import { form, SIGNED } from "../record-form.ts";

const TRANSFER = "from to amount token signature unlockdate tags memo";
const SIDES = ["from", "to"]
  .flatMap((side) =>
    ["Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken", "Tag", "Memo", "Sign"].map(
      (name) => `${side}${name}`,
    ),
  )
  .join(" ");

/** Source: accounts §4, §10, §11. */
export const COIN_RECORDS = {
  NewWallet: form("accounts", { M: "address" }, "address publickey addinfo", { by: "address" }),
  transfer: form("payments", { M: "from" }, TRANSFER, {
    money: ["out", "amount"],
    parties: ["from", "to"],
  }),
  receive: form("payments", { A: "to" }, TRANSFER, {
    by: "transfer multitransfer",
    money: ["in", "amount"],
    parties: ["from", "to"],
  }),
  multi_transfer: form("payments", { M: "from" }, `from transferlist token ${SIGNED}`),
} as const;

/** Source: protocols §3. */
export const EXCHANGE_RECORDS = {
  exchange: form("trades", { M: "fromAddr", A: "fromAddr" }, SIDES, {
    money: ["out", "fromAmount", "fromToken"],
    goods: ["in", "toAmount", "toToken"],
    parties: ["fromAddr", "toAddr"],
  }),
  exchangePair: form("trades", { A: "toAddr" }, SIDES, {
    by: "exchange",
    money: ["out", "toAmount", "toToken"],
    goods: ["in", "fromAmount", "fromToken"],
    parties: ["fromAddr", "toAddr"],
  }),
  exchangeFee: form("trades", { A: "fromFeesendto" }, SIDES, {
    by: "exchange",
    money: ["in", "fromFeeamount", "fromFeetoken"],
    parties: ["fromAddr", "fromFeesendto"],
  }),
  exchangeFeePair: form("trades", { A: "toFeesendto" }, SIDES, {
    by: "exchange",
    money: ["in", "toFeeamount", "toFeetoken"],
    parties: ["toAddr", "toFeesendto"],
  }),
} as const;

/** Source: authority §1.3, §4. */
export const KEY_RECORDS = {
  NewKeys: form("accounts", { M: "address" }, `address version ${SIGNED}`, {
    by: "addresskeys addressrecoverfinish",
  }),
  Recovery: form("accounts", { M: "address" }, `address version ${SIGNED}`, {
    by: "addressrecover",
  }),
  RecoveryCancelled: form("accounts", { M: "address" }, `address version ${SIGNED}`, {
    by: "addressrecovercancel",
  }),
} as const;

/** Source: authority §5. */
export const GRANT_RECORDS = {
  Grant: form("accounts", { M: "address", I: "grantid" }, `address grantid agent until ${SIGNED}`),
  GrantEnd: form("accounts", { M: "address", I: "grantid" }, `address grantid ${SIGNED}`),
} as const;
