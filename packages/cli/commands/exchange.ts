import { exchange as description, isDecimal, parseAddress } from "@moneta/protocol";
import type { Exchange, ProposedExchange, SentWrite } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { type Command, EXIT, type Hints } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { writeJson, writeNewJson } from "../session/durable-file.ts";
import { inTokens } from "../session/explain-error.ts";
import { warnOfLookAlikes } from "../session/look-alikes.ts";
import type { Session } from "../session/session.ts";
import {
  inOwnWords,
  newFile,
  readSigned,
  refuseStandardInput,
  submitted,
  validSeconds,
} from "../session/signed-file.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { keyValues } from "../terminal/table.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, notDecimal, unitsOf } from "../values/amounts.ts";
import { refusedForm } from "../values/request-form.ts";
import { timeText } from "../values/times.ts";
import { isUnfinished } from "../views/group-text.ts";

const FILE_BYTES_MAX = 1 << 20;

const FILE = {
  name: "file",
  about: "the file of the exchange, which goes from one side to the other",
};

const FEE_FLAGS = [
  { name: "fee", placeholder: "AMOUNT", about: "a fee that the acting address pays" },
  { name: "feetoken", placeholder: "TOKEN", about: "the token of the fee; 0 if left out" },
  { name: "feeto", placeholder: "ADDRESS", about: "who receives the fee" },
];

const ENDED =
  "One of its temporary keys has served something else or has expired, so one half no longer counts: moneta exchange propose makes a new exchange.";

/** Temporary keys and signatures are in the file, so that running the command again changes nothing. */
const HINTS: Hints = {
  "2010":
    "Nothing was done. A half of the file is not signed by its address, or not for this text.",
  "2020": `Nothing was done. ${ENDED}`,
  "2021": `Nothing was done. ${ENDED}`,
};

const exchangePropose: Command = {
  words: "exchange propose",
  about:
    "Offers an address a swap of two tokens, signs the acting address's half, and writes it to a file.",
  args: [
    FILE,
    {
      name: "to",
      about: "the other side",
      wrong: (text, name) =>
        parseAddress(text) ? undefined : `${name} is "${text.slice(0, 60)}" but must be an address`,
    },
    { name: "amount", about: "what the acting address gives" },
    { name: "token", about: "id of its token; 0 is the native coin" },
    { name: "toamount", about: "what the other side gives for it" },
    { name: "totoken", about: "id of the token of that" },
  ],
  flags: [
    ...FEE_FLAGS,
    { name: "memo", placeholder: "TEXT", about: "a memo of the acting address" },
    { name: "tag", placeholder: "TEXT", about: "a tag of the acting address" },
    {
      name: "valid",
      placeholder: "SECONDS",
      about:
        "how long the other side has to accept, up to a day; ten minutes if left out. So long it can wait, so take as little as it needs",
    },
  ],
  details:
    "Nothing is held until the other side accepts with moneta exchange accept. moneta exchange withdraw takes the offer back.",
  async run(given, session) {
    const file = newFile(given, "an exchange");
    const valid = validSeconds(given);
    session.needKey();
    const proposed = await readProposal(given, session);
    const moneta = await session.moneta();
    const { Exchange } = await import("@moneta/sdk");
    const exchange = await inOwnWords(() =>
      Exchange.propose(moneta, proposed, {
        validSeconds: valid,
      }),
    );
    if (!session.output.isJson) {
      await warnOfLookAlikes(session, proposed.fromAddr);
    }
    await exchange.sign(await session.actor(proposed.fromAddr));
    writeNewJson(file, exchange);
    await show(exchange, session, proposed.fromAddr);
    session.output.note(`The other side accepts with moneta exchange accept ${shellWord(file)}.`);
    return EXIT.done;
  },
};

const exchangeShow: Command = {
  words: "exchange show",
  about: "Shows the exchange in a file: what each side gives and gets, and who has signed.",
  args: [FILE],
  flags: [],
  async run(given, session) {
    const exchange = await readExchange(given, session);
    await show(exchange, session, await session.ownAddressIfAny());
    return EXIT.done;
  },
};

const exchangeAccept: Command = {
  words: "exchange accept",
  about:
    "Signs the acting address's half of the exchange in a file, after it has shown it, and has it done.",
  args: [FILE],
  flags: [
    { name: "sign-only", about: "sign and do not submit, for somebody else who submits the file" },
  ],
  details:
    "All of it is done or nothing. If no answer came, accept it again: nothing is done twice.",
  hints: HINTS,
  async run(given, session) {
    session.needKey();
    refuseStandardInput(given.get("file") as string);
    const exchange = await readExchange(given, session);
    const address = await session.ownAddress();
    const { output } = session;
    if (!output.isJson) {
      // Not where the result goes.
      output.note(await exchangeText(exchange, session, address));
      await warnOfLookAlikes(session, address);
    }
    if (exchange.missing.includes(address)) {
      await inOwnWords(async () => exchange.sign(await session.actor(address)));
      // Before it is sent: the same bytes can be sent again if no answer comes.
      writeJson(given.get("file") as string, exchange);
    } else {
      await inOwnWords(async () => exchange.terms(address));
    }
    if (given.has("sign-only")) {
      output.note(`signed by ${address}`);
      return EXIT.done;
    }
    const find = (): Promise<SentWrite | undefined> => foundOf(exchange, session);
    const sent = await inOwnWords(() => submitted(() => exchange.submit(), find, session));
    printSent(sent, session);
    if (!output.isJson) {
      output.note("the exchange is done");
    }
    return EXIT.done;
  },
};

const exchangeWithdraw: Command = {
  words: "exchange withdraw",
  about:
    "Takes back the acting address's half of the exchange in a file, as long as it is not done.",
  args: [FILE],
  flags: [],
  details:
    "The temporary key of that half is used for a greeting to the other side, which moves nothing. Refused with 2021 if the exchange is done already.",
  hints: {
    "2020": "There is nothing to withdraw: this half has expired.",
    "2021":
      "There is nothing to withdraw: the exchange is done, or the key of this half has served something else.",
  },
  async run(given, session) {
    session.needKey();
    const exchange = await readExchange(given, session);
    const address = await session.ownAddress();
    const actor = await session.actor(address);
    const sent = await inOwnWords(() => session.patiently(exchange.withdraw(actor), true));
    printSent(sent, session);
    if (!session.output.isJson) {
      session.output.note(`the exchange can no longer be done with this half of ${address}`);
    }
    return EXIT.done;
  },
};

/** Commands for exchanges, in the order in which they are used. Source: protocols §2. */
export const EXCHANGE_COMMANDS: readonly Command[] = [
  exchangePropose,
  exchangeShow,
  exchangeAccept,
  exchangeWithdraw,
];

/** What messages call these parameters, as usage and flags show them. */
const SHOWN: Readonly<Record<string, string>> = {
  fromAddr: "the acting address",
  fromAmount: "AMOUNT",
  fromToken: "TOKEN",
  fromFeesendto: "--feeto",
  fromFeeamount: "--fee",
  fromFeetoken: "--feetoken",
  toAddr: "TO",
  toAmount: "TOAMOUNT",
  toToken: "TOTOKEN",
};

/** Refuses what no node would ever do before it is signed and handed over. */
async function readProposal(given: Given, session: Session): Promise<ProposedExchange> {
  const [fee, feeto] = [given.get("fee"), given.get("feeto")];
  if ((fee === undefined) !== (feeto === undefined)) {
    throw new WrongUse("--fee and --feeto belong together: how much, and who receives it");
  }
  if (fee === undefined && given.has("feetoken")) {
    throw new WrongUse("--feetoken is the token of a fee: --fee and --feeto are missing");
  }
  for (const [name, shown] of Object.entries(SHOWN)) {
    session.names.set(name, shown);
  }
  const fromAddr = await session.ownAddress();
  const toAddr = given.get("to") ?? "";
  const [fromToken, toToken] = [given.get("token") ?? "", given.get("totoken") ?? ""];
  const [fromAmount, toAmount] = [given.get("amount") ?? "", given.get("toamount") ?? ""];
  const feetoken = given.get("feetoken") ?? "0";
  const fees = feeto === undefined ? {} : { fromFeesendto: feeto, fromFeetoken: feetoken };
  const terms = { fromAddr, fromToken, ...fees, toAddr, toToken };
  const texts = { fromAmount, toAmount, ...(fee !== undefined && { fromFeeamount: fee }) };
  const isInUnits = session.isInUnits;
  refuseForm({ ...terms, ...(isInUnits ? texts : standIns(texts)) }, session);
  const units = async (name: keyof typeof texts, token: string): Promise<bigint> => {
    const text = texts[name] ?? "";
    return BigInt(isInUnits ? text : unitsOf(text, SHOWN[name] ?? "", await session.units(token)));
  };
  return {
    fromAddr,
    fromAmount: await units("fromAmount", fromToken),
    fromToken,
    ...fees,
    ...(fee !== undefined && { fromFeeamount: await units("fromFeeamount", feetoken) }),
    fromTag: given.get("tag"),
    fromMemo: given.get("memo"),
    toAddr,
    toAmount: await units("toAmount", toToken),
    toToken,
  };
}

/** Amounts by which the rest can be checked as long as their decimals are not known. */
function standIns(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(texts).map(([name, text]) => {
    const isNothing = isDecimal(text) && !/[1-9]/.test(text);
    if (!isDecimal(text) || (isNothing && name !== "fromFeeamount")) {
      throw new WrongUse(notDecimal(text, SHOWN[name] ?? name));
    }
    return [name, isNothing ? "0" : "1"] as const;
  });
  return Object.fromEntries(all);
}

function refuseForm(params: Readonly<Record<string, string>>, session: Session): void {
  const refused = refusedForm(description, params);
  if (refused !== undefined) {
    throw new WrongUse(session.inOwnWords(refused.detail));
  }
}

function printSent(sent: SentWrite, { output }: Session): void {
  if (output.isJson) {
    output.printJson(sent);
  } else {
    output.print(sent.transaction_id);
  }
}

/** Prints an exchange, and whether it is done, or would be now. */
async function show(exchange: Exchange, session: Session, address?: string): Promise<void> {
  const { output } = session;
  const { missing, expiresAt } = exchange;
  const done = await transactionOf(exchange, session);
  const forecast = done === undefined ? await forecastOf(exchange, session) : undefined;
  if (output.isJson) {
    const problem = forecast === undefined ? {} : { problem: forecast };
    const outcome = done === undefined ? problem : { transaction_id: done };
    output.printJson({ ...exchange.toJSON(), expires_at: expiresAt, missing, ...outcome });
    return;
  }
  output.print(await exchangeText(exchange, session, address));
  await warnOfLookAlikes(session, address);
  if (done !== undefined) {
    output.print(`\nIt is done, by the transaction ${done}.`);
  }
  if (forecast !== undefined) {
    const means = isUnfinished(forecast)
      ? "the node has not finished its forecast"
      : "now it would be refused";
    output.warn(`${means}: ${visible(forecast.detail)} (${forecast.code})`);
  }
}

/** What each side gives and gets, first the one that reads it. */
async function exchangeText(
  exchange: Exchange,
  session: Session,
  address: string | undefined,
): Promise<string> {
  const { output } = session;
  const { missing, expiresAt, signers } = exchange;
  const head = keyValues(
    [
      ["ledger", exchange.ledgerId],
      ["valid until", timeText(expiresAt, true)],
    ],
    output,
  );
  const ordered = signers.toSorted((a, b) => Number(b === address) - Number(a === address));
  const sides = await Promise.all(
    ordered.map(async (side) => {
      const { gives, gets, fee } = exchange.terms(side);
      const who = `${side}${side === address ? " (you)" : ""}, ${missing.includes(side) ? "not signed yet" : "signed"}`;
      const lines = [
        `gives ${await text(gives, session)}`,
        `gets ${await text(gets, session)}`,
        ...(fee === undefined ? [] : [`pays a fee of ${await text(fee, session)} to ${fee.to}`]),
        ...texts(exchange, side),
      ];
      return [output.styled("bold", who), ...lines].join("\n  ");
    }),
  );
  return [head, ...sides].join("\n\n");
}

/** Tag and memo of a side. */
function texts({ params }: Exchange, address: string): readonly string[] {
  const side = params["fromAddr"] === address ? "from" : "to";
  return ["Tag", "Memo"].flatMap((name) => {
    const given = params[`${side}${name}`];
    return given === undefined ? [] : [`${name.toLowerCase()}: ${visible(given)}`];
  });
}

async function text(
  { amount, token }: { readonly amount: bigint; readonly token: string },
  session: Session,
): Promise<string> {
  const known = session.isInUnits ? undefined : await session.units(token).catch(() => undefined);
  return visible(
    known === undefined ? `${amount} of token ${token}` : amountText(String(amount), known),
  );
}

/** What has done it, as submitting it returned it. */
async function foundOf(exchange: Exchange, session: Session): Promise<SentWrite | undefined> {
  const id = await transactionOf(exchange, session);
  return id === undefined ? undefined : { transaction_id: id };
}

/** The transaction that has done it; undefined if there is none, or nobody can tell. */
async function transactionOf(exchange: Exchange, session: Session): Promise<string | undefined> {
  const { missing, expiresAt, ledgerId, params, signers } = exchange;
  const [actor = ""] = signers;
  if (missing.length > 0) {
    return undefined;
  }
  const moneta = await session.moneta();
  const { UnansweredError } = await import("@moneta/sdk");
  // Done before its keys expire, a day after they were made at the latest.
  const write = { ledgerId, params, signature: "", preparedAt: expiresAt };
  try {
    const found = await moneta.findSent({ operation: "exchange", actor, ...write });
    return found?.transaction_id;
  } catch (thrown) {
    if (thrown instanceof UnansweredError && thrown.mayHaveHappened) {
      return undefined; // a history that is too long to be searched
    }
    throw thrown;
  }
}

/** Why the node would refuse it now; undefined if it would not, or makes no forecasts. */
async function forecastOf(
  exchange: Exchange,
  session: Session,
): Promise<{ readonly code: string; readonly detail: string } | undefined> {
  const { ProblemError } = await import("@moneta/sdk");
  try {
    const result = await exchange.forecast();
    return result instanceof ProblemError
      ? { code: result.code, detail: await inTokens(result, session) }
      : undefined;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) {
      throw thrown;
    }
    session.output.note(`Whether it would be done now is not known: ${thrown.message}`);
    return undefined;
  }
}

async function readExchange(given: Given, session: Session): Promise<Exchange> {
  const { Exchange } = await import("@moneta/sdk");
  const file = given.get("file") as string;
  const json = readSigned(file, FILE_BYTES_MAX);
  const moneta = await session.moneta();
  return await inOwnWords(() => Exchange.from(json, moneta), `${file} is no exchange: `);
}
