import { explain, isDecimal, meaningOf, type Parameter, Refused } from "@moneta/protocol";
import { type Argument, type Flag, type Given, LIST } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { isTokenName } from "../session/named-token.ts";
import type { Session } from "../session/session.ts";
import { isShortId } from "../session/whole-id.ts";
import { notDecimal } from "../values/amounts.ts";
import { aboutParameter, isSwitch, placeholderOf, sortOf } from "../values/parameter-text.ts";
import { DIGIT_MEMOS } from "../values/payees.ts";
import { choicesOf } from "../values/users-words.ts";
import { VERIFIER_KEY } from "../views/proof-report.ts";
import { aboutList, COUNT, isOfIds, listArgument, membersOf } from "./element.ts";
import { readParams } from "./read-params.ts";
import {
  actorParameter,
  argumentName,
  argumentTitle,
  type Description,
  flagName,
  isGiven,
  type Row,
  takesShortId,
} from "./row.ts";
import { sendRead, sendWrite } from "./send.ts";

export function commandOf(row: Row): Command {
  const { description, args = [] } = row;
  const parameters = {
    ...row.ifGiven?.description.parameters,
    ...description.parameters,
    ...omitted(membersOf(row), description.parameters),
  };
  const names = Object.keys(parameters).filter((name) => isGiven(row, name, parameters[name]));
  const unknown = args.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${row.words}: there is no parameter ${unknown}`);
  }
  return {
    words: row.words,
    otherWords: row.otherWords ?? [],
    operation: description.name,
    about: row.about ?? description.about,
    args: args.map((name): Argument => {
      const parameter = parameters[name] as Parameter<unknown>;
      return {
        name: argumentName(name),
        title: isWholeList(row, name) ? LIST : argumentTitle(row, name),
        about: aboutOf(row, name, parameter),
        isOptional: isOptional(row, name, parameter),
        wrong: (text, shown) => wrongArgument(row, { name, parameter, text, shown }),
        ...(name === listArgument(row) && { takesList: true, isRepeated: isOfIds(row) }),
        ...choices(parameter),
      };
    }),
    flags: [
      ...names
        .filter((name) => !args.includes(name) && flagName(row, name) !== "from")
        .map((name): Flag => {
          const parameter = parameters[name] as Parameter<unknown>;
          if (isSwitch(parameter)) {
            return { name: flagName(row, name), about: aboutOf(row, name, parameter) };
          }
          return {
            name: flagName(row, name),
            wireName: argumentName(name),
            placeholder: placeholderOf(parameter),
            about: aboutOf(row, name, parameter),
            isRequired: !isOptional(row, name, parameter),
            ...(isPart(row, name) ? { placeholder: "AMOUNT" } : choices(parameter)),
          };
        }),
      ...countFlag(row),
      ...payeesFlag(row),
      ...ownFlags(row),
      ...("proof" in parameters ? [KNOWN_KEYS] : []),
      ...statementFlags(row),
    ],
    ...(row.details === undefined ? {} : { details: row.details }),
    run: (given, session) => run(row, given, session),
  };
}

function wrongArgument(
  row: Row,
  {
    name,
    parameter,
    text,
    shown,
  }: {
    readonly name: string;
    readonly parameter: Parameter<unknown>;
    readonly text: string;
    readonly shown: string;
  },
): string | undefined {
  if (row.amounts?.[name] !== undefined) {
    return isDecimal(text) ? undefined : notDecimal(text, shown);
  }
  const sort = sortOf(parameter);
  if (row.forms?.[name] !== undefined || (takesShortId(row, name) && isShortId(text))) {
    return undefined;
  }
  if (sort === "token" ? isTokenName(text) : !["address", "number", "text"].includes(sort)) {
    return undefined;
  }
  const read = parameter.read(text, shown);
  return read instanceof Refused ? explain(read.fault).detail.replace(/\.$/, "") : undefined;
}

function omitted<T>(
  all: Readonly<Record<string, T>>,
  without: object,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in without)));
}

/** Whether an argument can only be the list, because members of entries are flags. */
function isWholeList(row: Row, name: string): boolean {
  return name === row.element?.list && !isOfIds(row);
}

const KNOWN_KEYS: Flag = {
  name: VERIFIER_KEY,
  placeholder: "KEYS",
  about:
    "with --proof: verifier keys that you know from a source other than the node, separated by commas; by default the node's own",
};

function countFlag({ element }: Row): readonly Flag[] {
  const about = "how many that are alike, 1 if left out";
  return element?.countedWithout === undefined ? [] : [{ name: COUNT, placeholder: "N", about }];
}

function statementFlags({ hasStatement }: Row): readonly Flag[] {
  return hasStatement === true
    ? [
        { name: "bom", about: "with --csv: begin with a byte order mark, for Excel" },
        {
          name: "exact",
          about: 'with --csv: write long numbers and memos as ="007", which spreadsheets keep',
        },
      ]
    : [];
}

function payeesFlag({ payees }: Row): readonly Flag[] {
  const about =
    "memos of digits only, as in ADDRESS,1,5, are memos: 1 with the memo 5 is paid, not 1.5";
  return payees === undefined ? [] : [{ name: DIGIT_MEMOS, about }];
}

function ownFlags({ description, perform }: Row): readonly Flag[] {
  const { kind, parameters, result } = description;
  if (kind === "write") {
    const about = "print what would be signed and sent, as JSON, and send nothing";
    return perform === undefined ? [{ name: "dry-run", about }] : [];
  }
  if (result.kind === "file") {
    const about = "file to write to; else standard output";
    return [{ name: "output", placeholder: "FILE", about, takesFile: true }];
  }
  return [
    ...("cursor" in parameters
      ? [{ name: "all", about: "all pages of the list, one after the other" }]
      : []),
    ...(isListed(result)
      ? [{ name: "csv", about: "print the list for a spreadsheet, RFC 4180, times in UTC" }]
      : []),
  ];
}

function isListed(result: Description["result"]): boolean {
  const { type, properties } = result.kind === "json" ? result.schema : {};
  return type === "array" || (properties !== undefined && "items" in (properties as object));
}

function isOptional(row: Row, name: string, parameter: Parameter<unknown>): boolean {
  if (isWholeList(row, name)) {
    return true;
  }
  const { args = [], element } = row;
  const isOfEntry = element?.alone !== undefined || name in membersOf(row);
  if (isOfEntry && !args.includes(element?.list ?? "") && args.includes(name)) {
    return false; // it may be absent only if JSON stands in its place
  }
  return (
    parameter.optional ||
    (!(name in row.description.parameters) && !(name in membersOf(row))) ||
    name === row.own ||
    name === actorParameter(row.description) ||
    row.ifMissing?.[name] !== undefined ||
    row.defaults?.[name] !== undefined
  );
}

function isPart(row: Row, name: string): boolean {
  return row.isPricedPerToken === true && name === "min_trade_unit";
}

function aboutOf(row: Row, name: string, parameter: Parameter<unknown>): string {
  const notes = [
    ...(name === actorParameter(row.description) ? ["the acting address, as --from"] : []),
    ...(name === row.own ? ["the acting address if left out"] : []),
    ...(row.ifMissing?.[name] === undefined ? [] : [row.ifMissing[name].about]),
    ...(row.defaults?.[name] === undefined ? [] : [`${row.defaults[name]} if left out`]),
  ];
  if (isPart(row, name)) {
    return "the smallest part of the token that is traded, in decimals; found from the price if left out; with --units a number of smallest units, which the price is for";
  }
  if (row.isPricedPerToken && name === "price") {
    return "the price of one whole token, in decimals, such as 1.5; with --units that of --min-trade-unit, an integer of the smallest unit";
  }
  const isAmount = row.amounts?.[name] !== undefined;
  const zero = parameter.wanted.includes("from 0") || parameter.optional;
  const means = meaningOf(name, parameter);
  const about = isAmount
    ? `${means === "" ? "" : `${means}; `}an amount in decimals, such as 1.5${zero ? "" : ", more than 0"}; with --units an integer of the smallest unit`
    : aboutParameter(name, parameter);
  const { element } = row;
  if (element === undefined || name !== listArgument(row)) {
    return [about, ...notes].join("; ");
  }
  const list = aboutList(row, element);
  if (isWholeList(row, name)) {
    return `in the place of flags, for several: ${list}`;
  }
  const ids = list.replace("JSON text of an array of ", "");
  return isOfIds(row)
    ? `${ids}, or one list of them`
    : [about, `or, for several, ${list}`].join("; ");
}

function choices(parameter: Parameter<unknown>): { readonly choices?: readonly string[] } {
  const words = choicesOf(parameter);
  return words === undefined ? {} : { choices: words };
}

async function run(row: Row, given: Given, session: Session): Promise<number> {
  const asked = row.ifGiven;
  const description =
    asked !== undefined && given.has(flagName(row, asked.parameter))
      ? asked.description
      : row.description;
  for (const name of Object.keys(asked?.description.parameters ?? {})) {
    if (!(name in description.parameters) && given.has(flagName(row, name))) {
      throw new WrongUse(
        `--${flagName(row, name)} needs --${flagName(row, asked?.parameter ?? "")}`,
      );
    }
  }
  if (given.has(VERIFIER_KEY) && (!given.has("proof") || session.output.isJson)) {
    throw new WrongUse(
      `--${VERIFIER_KEY} needs --proof without --json, which prints the response unchecked, for moneta proof check`,
    );
  }
  const params = await readParams({ ...row, description }, given, session);
  if (row.perform !== undefined) {
    return await row.perform(params, given, session);
  }
  return description.kind === "write"
    ? await sendWrite(row, params, given, session)
    : await sendRead({ ...row, description }, params, given, session);
}
