import { exchange as description, isDecimal, parseAddress } from "@moneta/protocol";
import type { Given } from "../command-line/arguments.ts";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { warnOfLookAlikes } from "../session/look-alikes.ts";
import type { Session } from "../session/session.ts";
import { notDecimal, unitsOf } from "../values/amounts.ts";
import { refusedForm } from "../values/request-form.ts";

/** Prints the exchange of two tokens as an operation to propose. Source: protocols §2. */
export const exchange: Command = {
  words: "exchange",
  about: "Prints an exchange of two tokens with an address, for moneta propose. Sends nothing.",
  args: [
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
    { name: "fee", placeholder: "AMOUNT", about: "a fee that the acting address pays" },
    { name: "feetoken", placeholder: "TOKEN", about: "the token of the fee; 0 if left out" },
    { name: "feeto", placeholder: "ADDRESS", about: "who receives the fee" },
    { name: "memo", placeholder: "TEXT", about: "a memo of the acting address" },
    { name: "tag", placeholder: "TEXT", about: "a tag of the acting address" },
  ],
  details: "moneta exchange BOB 2 0 1.5 7 | moneta propose offer.json",
  async run(given, session) {
    const params = await readExchange(given, session);
    if (!session.output.isJson) {
      await warnOfLookAlikes(session, params["fromAddr"]);
    }
    session.output.printJson({ operation: description.name, params });
    return EXIT.done;
  },
};

/** Names of these parameters in messages, as in usage and flags. */
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

/** The parameters of the operation. Refuses those that every node would refuse. */
async function readExchange(
  given: Given,
  session: Session,
): Promise<Readonly<Record<string, string | undefined>>> {
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
  const units = async (name: keyof typeof texts, token: string): Promise<string> => {
    const text = texts[name] ?? "";
    return isInUnits ? text : String(unitsOf(text, SHOWN[name] ?? "", await session.units(token)));
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

/** Amounts for checks while decimals are not known. */
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
