import {
  address,
  addressByKey,
  addressesOfKey,
  addressKeys,
  addressRead,
  addressRecover,
  addressRecoverCancel,
  addressRecoverFinish,
  addressTransactions,
  balance,
  balanceOfToken,
  exchange,
  faucet,
  getkey,
  grant,
  grantDetails,
  grantEnd,
  grants,
  itemsOfAddress,
  multitransfer,
  nonce,
  transfer,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { Given } from "../../command-line/arguments.ts";
import { EXIT } from "../../command-line/command.ts";
import { WrongUse } from "../../command-line/wrong-use.ts";
import { chooseFirst } from "../../commands/address.ts";
import { signingKeys } from "../../session/key-list.ts";
import { warnOfLookAlikes } from "../../session/look-alikes.ts";
import type { Params, Session } from "../../session/session.ts";
import { grantLimits, keyInFile, listOf } from "../../values/grant-texts.ts";
import * as views from "../../views/record-views.ts";
import { NATIVE } from "../../views/view.ts";
import { nativeCoin, of } from "../amount-of.ts";
import type { Row } from "../row.ts";
import * as trades from "../trade.ts";

/** Creates one address, even if the request is retried. */
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
    // The address exists nevertheless.
    session.output.warn((thrown as Error).message);
  }
  return { status: 200, headers: new Headers(), body: created };
}

async function afterAddress({ body }: WireAnswer, session: Session): Promise<string> {
  const acting = session.namedAddress ?? (await session.chosenAddress());
  return acting === undefined || acting === body
    ? "The address can be paid now. On a test deployment: moneta faucet"
    : `The address can be paid now. ${acting} still acts for this key; to change that: moneta address use ${body}`;
}

const NEXT_VERSION = {
  about: "the next version of the keys",
  ask: async (session: Session, params: Params): Promise<string | undefined> => {
    const address = params["address"] ?? (await session.ownAddress());
    const { keyset } = await session.lookUp<{
      readonly keyset: { readonly version: number };
    }>("addressRead", { address, view: "full" });
    return String(keyset.version + 1);
  },
};

const ONE_KEY = {
  about: "1 where there is one key",
  ask: async (session: Session): Promise<string | undefined> =>
    session.listedKeys.get("keys")?.length === 1 ? "1" : undefined,
};

/** The new keys sign a change of keys as well. Source: authority §1.3. */
function sendWithProof(name: string): NonNullable<Row["send"]> {
  return async (params, session) => {
    const listed = session.listedKeys.get("keys");
    if (listed === undefined) {
      throw new WrongUse("the new keys have to sign: name the files of their private keys");
    }
    const { signTogether } = await import("@moneta/sdk");
    const proof = signTogether((await signingKeys(listed)).map((key, place) => [place, key]));
    const actor = await session.actor(params["address"] ?? (await session.ownAddress()));
    return await session.patiently(actor.request(name, { ...params, proof }), true);
  };
}

async function noFee(_: Session, { fromFeesendto, fromFeetoken }: Params): Promise<undefined> {
  if ((fromFeesendto ?? fromFeetoken) !== undefined) {
    throw new WrongUse("--fee is missing: a fee takes --fee AMOUNT and --fee-to ADDRESS");
  }
}

/** Source: protocols §2. */
async function printExchange(params: Params, _: Given, session: Session): Promise<number> {
  if (!session.output.isJson) {
    await warnOfLookAlikes(session, params["fromAddr"]);
  }
  session.output.printJson({ operation: exchange.name, params });
  return EXIT.done;
}

export const COINS: readonly Row[] = [
  {
    words: "address new",
    description: address,
    about: "Creates an address for the key.",
    publicKey: "publickey",
    without: ["kind", "rpid", "origins", "verified"],
    send: createAddress,
    next: afterAddress,
  },
  {
    words: "address keys",
    description: addressKeys,
    args: ["keys"],
    titles: { keys: "files" },
    keyFiles: ["keys", "recoverykeys"],
    own: "address",
    ifMissing: { version: NEXT_VERSION, threshold: ONE_KEY },
    send: sendWithProof(addressKeys.name),
    details:
      "FILES are those of the private keys that the address is to have, separated by commas: moneta key new --key FILE makes one. Each of them signs the change, and has weight 1; JSON sets other weights. --recovery-keys takes files of public keys, --recovery-delay seconds. Afterwards several keys sign with --key FILE --with-key FILES.",
  },
  {
    words: "address recover",
    description: addressRecover,
    args: ["keys", "address"],
    titles: { keys: "files" },
    keyFiles: ["keys"],
    ifMissing: { version: NEXT_VERSION, threshold: ONE_KEY },
    send: sendWithProof(addressRecover.name),
    details:
      "The key is one of the recovery keys of the address, with --with-key several. FILES are those of the private keys that the address is to have.",
  },
  { words: "address recover-cancel", description: addressRecoverCancel, own: "address" },
  {
    words: "address recover-finish",
    description: addressRecoverFinish,
    args: ["address"],
  },
  {
    words: "address shared",
    about: "Lists addresses for which the key signs with others, or which it may recover.",
    description: addressesOfKey,
    publicKey: "publickey",
    view: views.SHARED_ADDRESSES,
  },
  {
    words: "grant new",
    description: grant,
    args: ["agent", "operations"],
    titles: { agent: "key" },
    forms: {
      agent: keyInFile,
      limits: grantLimits,
      payees: (given) => listOf(given),
      items: (given) => listOf(given, (id) => ({ id })),
    },
    element: { list: "operations" },
    own: "address",
    prints: ["grantid"],
    details:
      "KEY is the file of the agent's key, or its text. Limits are written as 5/day, 100 of 7: at most 5 coins a day, 100 of token 7 in all. Payees and items are ids with commas between them; items with a minimum price are JSON. The agent's commands have --key FILE --grant ID.",
  },
  { words: "grant end", description: grantEnd, args: ["grantid"] },
  {
    words: "grant show",
    description: grantDetails,
    args: ["grantid"],
    view: views.GRANT,
  },
  {
    words: "grant list",
    description: grants,
    own: "address",
    forms: { agent: keyInFile },
    view: views.GRANTS,
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
      "Commands of this program get temporary keys by themselves: this is for other clients.",
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
    words: "exchange",
    description: exchange,
    about: "Prints an exchange of two tokens with an address, for moneta propose. Sends nothing.",
    args: ["toAddr", "fromAmount", "fromToken", "toAmount", "toToken"],
    titles: { fromAmount: "amount", fromToken: "token" },
    flagNames: {
      ...{ fromFeeamount: "fee", fromFeetoken: "fee-token", fromFeesendto: "fee-to" },
      ...{ fromTag: "tag", fromMemo: "memo" },
    },
    // The other side signs these.
    without: ["toFeesendto", "toFeeamount", "toFeetoken", "toTag", "toMemo"],
    amounts: {
      ...{ fromAmount: of("fromToken"), fromFeeamount: of("fromFeetoken") },
      ...{ toAmount: of("toToken"), toFeeamount: of("toFeetoken") },
    },
    ifMissing: {
      fromFeeamount: { about: "needs --fee-to", ask: noFee },
      fromFeetoken: {
        about: "0 if left out",
        ask: async (_, { fromFeeamount }) => (fromFeeamount === undefined ? undefined : "0"),
      },
    },
    perform: printExchange,
    details: "moneta exchange BOB 2 0 1.5 7 | moneta propose offer.json",
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
    hasStatement: true,
    view: views.RECORDS,
  },
];
