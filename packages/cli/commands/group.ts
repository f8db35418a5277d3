import { OPERATIONS } from "@moneta/protocol";
import type { Group, GroupForecast, SentWrite } from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { writeJson, writeNewJson } from "../session/durable-file.ts";
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
import { readOperations, type UnownedOperation } from "../values/proposed-operations.ts";
import { refusedForm } from "../values/request-form.ts";
import {
  effectsText,
  groupText,
  powersTexts,
  shownEffects,
  warningTexts,
} from "../views/group-text.ts";

const FILE_BYTES_MAX = 8 << 20;

const FILE = {
  name: "file",
  about: "the file of the group, which goes from one signer to the next",
};

const groupNew: Command = {
  words: "group new",
  about: "Proposes operations that are done together or not at all, and writes them to a file.",
  args: [
    FILE,
    {
      name: "operations",
      about: "a file with 2 to 16 operations; standard input if left out",
      isOptional: true,
    },
  ],
  flags: [
    {
      name: "valid",
      placeholder: "SECONDS",
      about:
        "how long all have to sign and submit, up to a day; ten minutes if left out. Whoever signs last can wait so long, so take as little as all need",
    },
  ],
  details:
    "An operation is what another command prints with --dry-run, where --from names whose operation it is: moneta transfer BOB 2 --dry-run. JSON lines as for moneta batch serve as well, each with the address that acts as its actor. Operations are done in the order given. Each of their owners signs the file with moneta group sign; whoever has all signatures submits it.",
  async run(given, session) {
    const file = newFile(given, "a group");
    const source = given.get("operations") ?? "-";
    const operations = readOperations(readSigned(source, FILE_BYTES_MAX));
    const valid = validSeconds(given);
    const moneta = await session.moneta();
    const { Group } = await import("@moneta/sdk");
    const group = await inOwnWords(async () =>
      Group.propose(moneta, await withActors(operations, session), {
        validSeconds: valid,
      }),
    );
    refuseForms(group);
    writeNewJson(file, group);
    await show(group, session);
    session.output.note(
      `Each signs with moneta group sign ${shellWord(file)}, in any order, and passes the file on.`,
    );
    return EXIT.done;
  },
};

const groupShow: Command = {
  words: "group show",
  about:
    "Shows the group in a file: its operations, who has signed, what each party gives and gets.",
  args: [FILE],
  flags: [],
  details:
    "What each gives and gets is a forecast of the node: until the group is done anybody may change prices, fees and balances.",
  async run(given, session) {
    const group = await readGroup(given.get("file") as string, session);
    await show(group, session, await session.ownAddressIfAny());
    return EXIT.done;
  },
};

const groupSign: Command = {
  words: "group sign",
  about:
    "Signs the operations of the acting address in the group of a file, after it has shown it.",
  args: [FILE],
  flags: [],
  details:
    "Whoever signs one operation signs all of them, their order and who else takes part: nobody can change, add or leave out one. A purchase of an item that does not name its price and token is not signed.",
  async run(given, session) {
    const file = given.get("file") as string;
    session.needKey();
    refuseStandardInput(file);
    const group = await readGroup(file, session);
    const address = await session.ownAddress();
    const done = session.output.isJson
      ? await transactionsOf(group, session)
      : await show(group, session, address);
    if (done !== undefined) {
      if (session.output.isJson) {
        session.output.printJson({ group: group.id, missing: [], transactions: done });
      } else {
        session.output.note("the group is done already: there is nothing to sign or to submit");
      }
      return EXIT.done;
    }
    const actor = await session.actor(address);
    // Others may have signed since it was read: the same group, with their signatures.
    const newest = await readGroup(file, session);
    if (newest.id !== group.id) {
      throw new WrongUse(`${file} has another group than before: look at it, and sign it again`);
    }
    await inOwnWords(() => newest.sign(actor));
    writeJson(file, newest);
    const { missing } = newest;
    if (session.output.isJson) {
      session.output.printJson({ group: group.id, signed_by: address, missing });
      return EXIT.done;
    }
    session.output.note(
      missing.length === 0
        ? `signed by ${address}; all have signed: moneta group submit ${shellWord(file)}`
        : `signed by ${address}; still to sign: ${missing.join(", ")}`,
    );
    return EXIT.done;
  },
};

const groupSubmit: Command = {
  words: "group submit",
  about:
    "Has the group in a file done, once all have signed, and prints the ids of its transactions.",
  args: [FILE],
  flags: [],
  details:
    "It is done as a whole or not at all. If no answer came, submit it again: nothing is done twice.",
  async run(given, session) {
    const file = given.get("file") as string;
    const group = await readGroup(file, session);
    if (group.missing.length > 0) {
      throw new WrongUse(
        `it still needs the signature of ${group.missing.join(", ")}: moneta group sign ${shellWord(file)}`,
      );
    }
    const find = (): Promise<readonly SentWrite[] | undefined> => foundOf(group, session);
    const results = await inOwnWords(() => submitted(() => group.submit(), find, session));
    const ids = results.map(({ transaction_id }) => transaction_id);
    if (session.output.isJson) {
      session.output.printJson({ group: group.id, results });
      return EXIT.done;
    }
    session.output.print(ids.join("\n"));
    session.output.note(`group ${group.id} is done`);
    return EXIT.done;
  },
};

/** Commands for groups, in the order in which they are used. Source: batches §2. */
export const GROUP_COMMANDS: readonly Command[] = [groupNew, groupShow, groupSign, groupSubmit];

/**
 * Prints a group for whom `address` is, and what everybody would give and get. Returns the
 * transactions that have done it; undefined if it is not done.
 */
async function show(
  group: Group,
  session: Session,
  address?: string,
): Promise<readonly string[] | undefined> {
  const { output } = session;
  const done = await transactionsOf(group, session);
  // Of what is done the node says the records, as long as it knows a repeat.
  const told = await forecastOf(group, session);
  const forecast = done === undefined || told?.problem === undefined ? told : undefined;
  if (output.isJson) {
    const effects = forecast === undefined ? [] : shownEffects(group, forecast);
    const { code, message: detail, index } = forecast?.problem ?? {};
    output.printJson({
      group: group.id,
      ledger_id: group.ledgerId,
      expires_at: group.expiresAt,
      missing: group.missing,
      operations: group.toJSON().operations,
      warnings: group.warnings(),
      owner_powers: await group.ownerPowers(),
      effects,
      ...(done !== undefined && { transactions: done }),
      ...(code !== undefined && { problem: { code, detail, index } }),
    });
    return done;
  }
  output.print(groupText(group, output));
  if (done !== undefined) {
    output.print(["", "It is done, by the transactions", ...done].join("\n"));
  }
  const powers = done === undefined ? await group.ownerPowers() : [];
  for (const text of done === undefined ? [...warningTexts(group), ...powersTexts(powers)] : []) {
    output.warn(text);
  }
  if (forecast !== undefined) {
    output.print(await effectsText(group, forecast, { address, session }));
    await warnOfLookAlikes(session, address);
    const own = address === undefined ? undefined : forecast.of(address);
    if (done === undefined && own !== undefined && own.gives.length > 0 && own.gets.length === 0) {
      output.warn("you give, and get nothing for it");
    }
  }
  return done;
}

/** What has done it, as submitting it returned it. */
async function foundOf(group: Group, session: Session): Promise<readonly SentWrite[] | undefined> {
  const ids = await transactionsOf(group, session);
  return ids?.map((id) => ({ transaction_id: id }));
}

/** The transactions that have done it; undefined if it is not done. */
async function transactionsOf(
  { id, missing }: Group,
  session: Session,
): Promise<readonly string[] | undefined> {
  if (missing.length > 0) {
    return undefined;
  }
  const { ProblemError } = await import("@moneta/sdk");
  try {
    return await (await session.moneta()).groupTransactions({ id });
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "6009") {
      return undefined;
    }
    throw thrown;
  }
}

/** What the node expects of the group; undefined where it makes no forecasts. */
async function forecastOf(group: Group, session: Session): Promise<GroupForecast | undefined> {
  try {
    return await group.forecast();
  } catch (thrown) {
    const { ProblemError } = await import("@moneta/sdk");
    if (!(thrown instanceof ProblemError)) {
      throw thrown;
    }
    session.output.note(`What everybody would give and get is not known: ${thrown.message}`);
    return undefined;
  }
}

async function readGroup(file: string, session: Session): Promise<Group> {
  const { Group } = await import("@moneta/sdk");
  const text = readSigned(file, FILE_BYTES_MAX);
  const moneta = await session.moneta();
  return await inOwnWords(() => Group.from(text, moneta), `${file} is no group to be trusted: `);
}

/** Throws a `WrongUse` for an operation that every node would refuse by its form alone. */
function refuseForms(group: Group): void {
  for (const [index, { operation, params }] of group.operations.entries()) {
    const description = OPERATIONS.find(({ name }) => name === operation);
    const refused = description && refusedForm(description, params);
    if (refused !== undefined) {
      throw new WrongUse(`operation ${index + 1}: ${refused.detail}`);
    }
  }
}

async function withActors(
  operations: readonly UnownedOperation[],
  session: Session,
): Promise<readonly (UnownedOperation & { readonly actor: string })[]> {
  const own = operations.some(({ actor }) => actor === undefined) ? await session.ownAddress() : "";
  return operations.map((one) => ({ ...one, actor: one.actor ?? own }));
}
