import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/wallet`, ...path.map(encodeURIComponent)].join("/");

/** The URL of each view of the wallet. None has anything secret. Source: explorer §1, §3. */
export const walletLink: {
  readonly home: () => string;
  readonly send: (request?: string) => string;
  readonly sendMany: () => string;
  readonly receive: () => string;
  readonly history: () => string;
  readonly accounts: () => string;
  readonly newAccount: () => string;
  readonly backUp: () => string;
  readonly restore: () => string;
  readonly sweep: () => string;
} = {
  home: () => at(),
  /** `request` is a payment request, a `moneta:` URI. */
  send: (request) =>
    request === undefined ? at("send") : `${at("send")}?request=${encodeURIComponent(request)}`,
  sendMany: () => at("send-many"),
  receive: () => at("receive"),
  history: () => at("history"),
  accounts: () => at("accounts"),
  newAccount: () => at("new-account"),
  backUp: () => at("back-up"),
  restore: () => at("restore"),
  sweep: () => at("sweep"),
};
