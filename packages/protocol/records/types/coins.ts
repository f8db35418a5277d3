import { form, PARTIES, SIGNED } from "../record-form.ts";

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
  NewWallet: [
    form({
      by: "address",
      filed: { M: "address" },
      kind: "accounts",
      parameters: "address publickey addinfo",
    }),
  ],
  transfer: [
    form({
      by: "transfer",
      filed: { M: "from" },
      kind: "payments",
      parameters: TRANSFER,
      money: ["out", "amount", "token"],
      ...PARTIES,
    }),
  ],
  receive: [
    form({
      by: "transfer multitransfer",
      filed: { A: "to" },
      kind: "payments",
      parameters: TRANSFER,
      money: ["in", "amount", "token"],
      ...PARTIES,
    }),
  ],
  multi_transfer: [
    form({
      by: "multitransfer",
      filed: { M: "from" },
      kind: "payments",
      parameters: `from transferlist token ${SIGNED}`,
    }),
  ],
} as const;

/** Source: protocols §3. */
export const EXCHANGE_RECORDS = {
  exchange: [
    form({
      by: "exchange",
      filed: { M: "fromAddr", A: "fromAddr" },
      kind: "trades",
      parameters: SIDES,
      money: ["out", "fromAmount", "fromToken"],
      goods: ["in", "toAmount", "toToken"],
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  exchangePair: [
    form({
      by: "exchange",
      filed: { A: "toAddr" },
      kind: "trades",
      parameters: SIDES,
      money: ["out", "toAmount", "toToken"],
      goods: ["in", "fromAmount", "fromToken"],
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  exchangeFee: [
    form({
      by: "exchange",
      filed: { A: "fromFeesendto" },
      kind: "trades",
      parameters: SIDES,
      money: ["in", "fromFeeamount", "fromFeetoken"],
      parties: ["fromAddr", "fromFeesendto"],
    }),
  ],
  exchangeFeePair: [
    form({
      by: "exchange",
      filed: { A: "toFeesendto" },
      kind: "trades",
      parameters: SIDES,
      money: ["in", "toFeeamount", "toFeetoken"],
      parties: ["toAddr", "toFeesendto"],
    }),
  ],
} as const;

/** Source: authority §1.3, §4. */
export const KEY_RECORDS = {
  NewKeys: [
    form({
      by: "addresskeys addressrecoverfinish",
      filed: { M: "address" },
      kind: "accounts",
      parameters: `address version ${SIGNED}`,
    }),
  ],
  Recovery: [
    form({
      by: "addressrecover",
      filed: { M: "address" },
      kind: "accounts",
      parameters: `address version ${SIGNED}`,
    }),
  ],
  RecoveryCancelled: [
    form({
      by: "addressrecovercancel",
      filed: { M: "address" },
      kind: "accounts",
      parameters: `address version ${SIGNED}`,
    }),
  ],
} as const;

/** Source: authority §5. */
export const GRANT_RECORDS = {
  Grant: [
    form({
      by: "grant",
      filed: { M: "address", I: "grantid" },
      kind: "accounts",
      parameters: `address grantid agent until ${SIGNED}`,
    }),
  ],
  GrantEnd: [
    form({
      by: "grantend",
      filed: { M: "address", I: "grantid" },
      kind: "accounts",
      parameters: `address grantid ${SIGNED}`,
    }),
  ],
} as const;
