import {
  address,
  addressByKey,
  addressRead,
  addressTransactions,
  balance,
  balanceOfToken,
  faucet,
  getkey,
  itemsOfAddress,
  multitransfer,
  nonce,
  transfer,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import { chooseFirst } from "../../commands/address.ts";
import type { Params, Session } from "../../session/session.ts";
import * as views from "../../views/record-views.ts";
import { NATIVE } from "../../views/view.ts";
import { nativeCoin, of } from "../amount-of.ts";
import type { Row } from "../row.ts";
import * as trades from "../trade.ts";

/** Creates one address, even if a response is lost and the request is retried. */
async function createAddress({ addinfo, signed }: Params, session: Session): Promise<WireAnswer> {
  const moneta = await session.moneta();
  const creating = moneta.createAddress(await session.signingKey(), {
    ...(addinfo === undefined ? {} : { addinfo }),
    ...(signed === "full" ? { signed } : {}),
  });
  const { address: created } = await session.patiently(creating, true);
  try {
    await chooseFirst(created, session);
  } catch (thrown) {
    // The address exists all the same.
    session.output.warn((thrown as Error).message);
  }
  return { status: 200, headers: new Headers(), body: created };
}

/**
 * The next step after a new address: get coins for it, or select it if another one keeps acting.
 */
async function afterAddress({ body }: WireAnswer, session: Session): Promise<string> {
  const acting = session.namedAddress ?? (await session.chosenAddress());
  return acting === undefined || acting === body
    ? "The address can be paid now. On a test deployment: moneta faucet"
    : `The address can be paid now. ${acting} goes on acting for this key; to change that: moneta address use ${body}`;
}

/** Addresses, balances, payments. */
export const COINS: readonly Row[] = [
  {
    words: "address new",
    description: address,
    about: "Creates an address for the key.",
    publicKey: "publickey",
    send: createAddress,
    next: afterAddress,
  },
  {
    words: "address show",
    description: addressRead,
    args: ["address"],
    own: "address",
    view: views.ADDRESS,
  },
  {
    words: "address list",
    about: "Lists the addresses of the key, oldest first.",
    description: addressByKey,
    publicKey: "publickey",
  },
  {
    words: "address items",
    description: itemsOfAddress,
    args: ["address"],
    own: "address",
    view: views.OWNED_ITEMS,
  },
  {
    words: "address temporary-key",
    description: nonce,
    args: ["address"],
    own: "address",
    ifGiven: { parameter: "kind", description: getkey },
    details:
      "Commands of this program get their temporary keys themselves: this is for other clients.",
  },
  {
    words: "balance",
    description: balance,
    args: ["address"],
    own: "address",
    ifGiven: { parameter: "token", description: balanceOfToken },
    view: views.BALANCES,
  },
  {
    words: "transfer",
    trade: { doing: "paying", done: "paid", terms: trades.paymentTerms },
    description: transfer,
    args: ["to", "amount"],
    defaults: { token: "0" },
    amounts: { amount: of("token") },
    details: "moneta multitransfer pays several at once.",
  },
  {
    words: "multitransfer",
    trade: { doing: "paying", done: "paid", terms: trades.paymentTerms },
    description: multitransfer,
    args: ["transferlist"],
    defaults: { token: "0" },
    payees: { parameter: "transferlist", of: of("token") },
    details:
      'A file may have a line ADDRESS,AMOUNT or ADDRESS,AMOUNT,MEMO for each payee, with amounts in decimals: moneta multitransfer @payees.csv. Or the list is JSON, with amounts of the smallest unit: [{"address": "MT...", "amount": "150000000", "unlockdate": "0", "memo": "rent"}].',
  },
  {
    words: "faucet",
    description: faucet,
    args: ["address"],
    own: "address",
    amounts: { amount: nativeCoin },
    view: { amounts: { amount: NATIVE } },
  },
  {
    words: "history",
    description: addressTransactions,
    args: ["address"],
    own: "address",
    times: ["since", "until"],
    hasStatement: true,
    view: views.HISTORY,
  },
];
