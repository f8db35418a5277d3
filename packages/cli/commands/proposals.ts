import { OPERATIONS } from "@moneta/protocol";
import type { Proposal, ProposalForecast } from "@moneta/sdk";
import { type Command, EXIT, type Hints } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { writeJson, writeNewJson } from "../session/durable-file.ts";
import { warnOfLookAlikes } from "../session/look-alikes.ts";
import {
  inOwnWords,
  newFile,
  readProposal,
  readText,
  refuseStandardInput,
  submitted,
  validSeconds,
} from "../session/proposal-file.ts";
import type { Session } from "../session/session.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { readOperations } from "../values/proposed-operations.ts";
import { wrongForm } from "../values/request-form.ts";
import {
  effectsText,
  powersTexts,
  proposalText,
  shownEffects,
  signedText,
  warningTexts,
  whoseKeys,
} from "../views/proposal-text.ts";

const FILE = {
  name: "file",
  about: "the file of the proposal, which goes from one signer to the next",
};

/** A repeated command changes nothing, because temporary keys and signatures are in the file. */
const HINTS_OF_SUBMIT: Hints = {
  "2010": "Nothing was done. The address that acts there signs again: moneta sign FILE.",
  "2020":
    "Nothing was done. A temporary key has expired; a new proposal has new ones: moneta propose.",
  "2021":
    "Nothing was done. A temporary key has served something else, so that a new proposal is needed: moneta propose.",
};

const propose: Command = {
  words: "propose",
  about:
    "Proposes an operation, or several that are done together or not at all, and writes them to a file to be signed.",
  args: [
    FILE,
    {
      name: "operations",
      about: "a file with 1 to 16 operations; standard input if left out",
      isOptional: true,
    },
  ],
  flags: [
    {
      name: "valid",
      placeholder: "SECONDS",
      about:
        "how long all have to sign and submit, up to a day; ten minutes by default. Until then the last signer can watch prices before deciding, so choose the shortest time that works",
    },
  ],
  details:
    "An operation is the output of another command with --dry-run, where --from names the acting address: moneta transfer BOB 2 --dry-run; or the output of moneta exchange. Lines as for moneta batch are accepted too, each with its acting address as actor. Operations are done in the given order. All signers sign the file with moneta sign; anybody who has all signatures submits it.",
  async run(given, session) {
    const file = newFile(given);
    const operations = readOperations(readText(given.get("operations") ?? "-"));
    const valid = validSeconds(given);
    const moneta = await session.moneta();
    const { Proposal } = await import("@moneta/sdk");
    // An operation with several signers names them; other ones without an actor get the acting
    // address.
    const isUnowned = ({ actor, operation }: (typeof operations)[number]): boolean =>
      actor === undefined &&
      OPERATIONS.find(({ name }) => name === operation)?.signers.length === 1;
    const own = operations.some(isUnowned) ? await session.ownAddress() : undefined;
    const proposal = await inOwnWords(() =>
      Proposal.propose(
        moneta,
        operations.map((one) => (isUnowned(one) ? { ...one, actor: own } : one)),
        { validSeconds: valid },
      ),
    );
    refuseForms(proposal);
    writeNewJson(file, proposal);
    await show(proposal, session);
    session.output.note(
      `Each signs with moneta sign ${shellWord(file)}, in any order, and passes the file on.`,
    );
    return EXIT.done;
  },
};

const showProposal: Command = {
  words: "show",
  about:
    "Shows the proposal in a file: its operations, its signatures, what each party gives and gets.",
  args: [FILE],
  flags: [],
  details:
    "What each party gives and gets is a forecast of the node: until the proposal is done anybody may change prices, fees and balances.",
  async run(given, session) {
    const proposal = await readProposal(given.get("file") as string, session);
    await show(proposal, session, await session.ownAddressIfAny());
    return EXIT.done;
  },
};

const sign: Command = {
  words: "sign",
  about:
    "Signs the proposal in a file, after showing it, for the acting address or the one that has the key.",
  args: [FILE],
  flags: [],
  details:
    "A signature covers all operations, their order and the other signers: none can be changed, added or removed. A purchase of an item that does not name its price and token is not signed. Where several keys of an address sign, each adds its signature at its place among them, until their weights suffice; moneta show lists which have signed.",
  async run(given, session) {
    const file = given.get("file") as string;
    session.needKey();
    refuseStandardInput(file);
    const proposal = await readProposal(file, session);
    const address = await signerOf(proposal, session);
    const { output } = session;
    const done = output.isJson
      ? await proposal.transactions()
      : await show(proposal, session, address);
    if (done !== undefined) {
      if (output.isJson) {
        output.printJson({ id: proposal.id, missing: [], transactions: done });
      } else {
        output.note("the proposal is done already: there is nothing to sign or to submit");
      }
      return EXIT.done;
    }
    const actor = await session.actor(address);
    // Others may have signed since it was read.
    const newest = await readProposal(file, session);
    if (newest.id !== proposal.id) {
      throw new WrongUse(`${file} has another proposal than before: look at it, and sign it again`);
    }
    await inOwnWords(() => newest.sign(actor));
    writeJson(file, newest);
    const { missing, weights } = newest;
    if (output.isJson) {
      output.printJson({ id: proposal.id, signed_by: address, missing, weights });
      return EXIT.done;
    }
    const left = weights
      .filter(({ given, needed }) => given < needed)
      .map((one) => (one.given === 0 ? whoseKeys(one) : `${whoseKeys(one)}, ${signedText(one)}`));
    output.note(
      missing.length === 0
        ? `signed by ${address}; all have signed: moneta submit ${shellWord(file)}`
        : `signed by ${address}; still to sign: ${left.join("; ")}`,
    );
    return EXIT.done;
  },
};

/** The named address, else the only signer that has the key, else the acting address. */
async function signerOf(proposal: Proposal, session: Session): Promise<string> {
  const { placeOfKey } = await import("@moneta/sdk");
  const { publicKeyPem } = await session.signingKey();
  const own = proposal.weights
    .filter(({ keys }) => placeOfKey(keys, publicKeyPem) !== -1)
    .map((one) => one.address);
  const [address, ...others] = new Set(own);
  return session.namedAddress === undefined && address !== undefined && others.length === 0
    ? address
    : await session.ownAddress();
}

const submit: Command = {
  words: "submit",
  about:
    "Submits the proposal in a file, once all have signed, and prints the ids of its transactions.",
  args: [FILE],
  flags: [],
  details:
    "It is done as a whole or not at all. After a lost response, submit it again: nothing is done twice.",
  hints: HINTS_OF_SUBMIT,
  async run(given, session) {
    const file = given.get("file") as string;
    const proposal = await readProposal(file, session);
    const { id, missing } = proposal;
    // The keys may have changed since a finished proposal was signed.
    if (missing.length > 0 && (await proposal.transactions()) === undefined) {
      throw new WrongUse(
        `it still needs the signature of ${missing.join(", ")}: moneta sign ${shellWord(file)}`,
      );
    }
    const results = await inOwnWords(() => submitted(proposal, session));
    const ids = results.map(({ transaction_id }) => transaction_id).join("\n");
    session.output.result({ id, results }, ids, "the proposal is done");
    return EXIT.done;
  },
};

const withdraw: Command = {
  words: "withdraw",
  about: "Withdraws the signatures of the acting address from a proposal that is not done.",
  args: [FILE],
  flags: [],
  details:
    "Uses a temporary key of the proposal for a greeting to another signer, which moves nothing. Refused with 2021 if the proposal is done already.",
  hints: {
    "2020": "There is nothing to withdraw: these signatures have expired.",
    "2021":
      "There is nothing to withdraw: the proposal is done, or the temporary key has served something else.",
  },
  async run(given, session) {
    session.needKey();
    const proposal = await readProposal(given.get("file") as string, session);
    const address = await session.ownAddress();
    const actor = await session.actor(address);
    const sent = await inOwnWords(() => session.patiently(proposal.withdraw(actor), true));
    session.output.result(
      sent,
      sent.transaction_id,
      `the proposal can no longer be done with the signatures of ${address}`,
    );
    return EXIT.done;
  },
};

/** In the order of use. Source: batches §2, protocols §2. */
export const PROPOSAL_COMMANDS: readonly Command[] = [
  propose,
  showProposal,
  sign,
  submit,
  withdraw,
];

/** Prints a proposal as `address` sees it. Returns its transactions; undefined if not done. */
async function show(
  proposal: Proposal,
  session: Session,
  address?: string,
): Promise<readonly string[] | undefined> {
  const { output } = session;
  const done = await proposal.transactions();
  const foreseen = await forecastOf(proposal, session);
  // The node may no longer recognize the repeat of a finished proposal, and refuses it.
  const forecast = done === undefined || foreseen?.problem === undefined ? foreseen : undefined;
  if (output.isJson) {
    const effects = forecast === undefined ? [] : shownEffects(proposal, forecast);
    const { code, message: detail, index } = forecast?.problem ?? {};
    output.printJson({
      id: proposal.id,
      ...proposal.toJSON(),
      expires_at: proposal.expiresAt,
      missing: proposal.missing,
      weights: proposal.weights,
      warnings: proposal.warnings(),
      owner_powers: await proposal.ownerPowers(),
      effects,
      ...(done !== undefined && { transactions: done }),
      ...(code !== undefined && { problem: { code, detail, index } }),
    });
    return done;
  }
  output.print(await proposalText(proposal, session));
  if (done !== undefined) {
    output.print(["", "It is done, by the transactions", ...done].join("\n"));
  }
  const powers = done === undefined ? await proposal.ownerPowers() : [];
  for (const text of done === undefined
    ? [...warningTexts(proposal), ...powersTexts(powers)]
    : []) {
    output.warn(text);
  }
  if (forecast !== undefined) {
    output.print(await effectsText(proposal, forecast, { address, session }));
    const own = address === undefined ? undefined : forecast.of(address);
    if (done === undefined && own !== undefined && own.gives.length > 0 && own.gets.length === 0) {
      output.warn("you give something and get nothing for it");
    }
  }
  await warnOfLookAlikes(session, address);
  return done;
}

async function forecastOf(
  proposal: Proposal,
  session: Session,
): Promise<ProposalForecast | undefined> {
  try {
    return await proposal.forecast();
  } catch (thrown) {
    const { ProblemError } = await import("@moneta/sdk");
    if (!(thrown instanceof ProblemError)) {
      throw thrown;
    }
    session.output.note(`What each party would give and get is not known: ${thrown.message}`);
    return undefined;
  }
}

/** Throws a `WrongUse` for an operation that its form alone makes invalid. */
function refuseForms(proposal: Proposal): void {
  for (const [index, { operation, params }] of proposal.operations.entries()) {
    const description = OPERATIONS.find(({ name }) => name === operation);
    const wrong = description && wrongForm(description, params);
    if (wrong !== undefined) {
      throw new WrongUse(`operation ${index + 1}: ${wrong.detail}`);
    }
  }
}
