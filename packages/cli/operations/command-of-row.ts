import type { Parameter } from "@moneta/protocol";
import { type Argument, type Flag, type Given, LIST } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import type { Session } from "../session/session.ts";
import { aboutParameter, choicesOf, placeholderOf, TIME } from "../values/parameter-text.ts";
import { aboutList, COUNT, isOfIds, listArgument, membersOf } from "./element.ts";
import { readParams } from "./read-params.ts";
import {
  actorParameter,
  argumentName,
  argumentTitle,
  type DescribedCommand,
  type Description,
  flagName,
  isGiven,
} from "./row.ts";
import { readOf, writeOf } from "./send.ts";

/** The command that a line of the table stands for. */
export function commandOf(line: DescribedCommand): Command {
  const { description, args = [] } = line;
  const parameters = {
    ...line.ifGiven?.description.parameters,
    ...description.parameters,
    ...omitted(membersOf(line), description.parameters),
  };
  const names = Object.keys(parameters).filter((name) => isGiven(line, name, parameters[name]));
  const unknown = args.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${line.words}: there is no parameter ${unknown}`);
  }
  return {
    words: line.words,
    otherWords: line.otherWords ?? [],
    about: line.about ?? description.about,
    args: args.map((name): Argument => {
      const parameter = parameters[name] as Parameter<unknown>;
      return {
        name: argumentName(name),
        title: isWholeList(line, name) ? LIST : argumentTitle(line, name),
        about: aboutOf(line, name, parameter),
        isOptional: isOptional(line, name, parameter),
        ...(name === listArgument(line) && { takesList: true, isRepeated: isOfIds(line) }),
        ...choices(parameter),
      };
    }),
    flags: [
      ...names
        .filter((name) => !args.includes(name) && flagName(line, name) !== "from")
        .map((name): Flag => {
          const parameter = parameters[name] as Parameter<unknown>;
          return {
            name: flagName(line, name),
            placeholder: placeholderOf(parameter),
            about: aboutOf(line, name, parameter),
            isRequired: !isOptional(line, name, parameter),
            ...(isPart(line, name) ? { placeholder: "AMOUNT" } : choices(parameter)),
          };
        }),
      ...countFlag(line),
      ...ownFlags(description),
    ],
    ...(line.details === undefined ? {} : { details: line.details }),
    run: (given, session) => run(line, given, session),
  };
}

function omitted<T>(
  all: Readonly<Record<string, T>>,
  without: object,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in without)));
}

/** Whether an argument is the list and nothing else, because entries have flags only. */
function isWholeList(line: DescribedCommand, name: string): boolean {
  return name === line.element?.list && !isOfIds(line);
}

function countFlag({ element }: DescribedCommand): readonly Flag[] {
  const about = "how many that are alike, 1 if left out";
  return element?.countedWithout === undefined ? [] : [{ name: COUNT, placeholder: "N", about }];
}

function ownFlags({ kind, parameters, result }: Description): readonly Flag[] {
  if (kind === "write") {
    return [
      { name: "dry-run", about: "print what would be signed and sent, as JSON, and send nothing" },
    ];
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

function isOptional(line: DescribedCommand, name: string, parameter: Parameter<unknown>): boolean {
  if (isWholeList(line, name)) {
    return true;
  }
  const { args = [], element } = line;
  const isOfEntry = element?.alone !== undefined || name in membersOf(line);
  if (isOfEntry && !args.includes(element?.list ?? "") && args.includes(name)) {
    return false; // what may be left out is left out with JSON in its place
  }
  return (
    parameter.optional ||
    (!(name in line.description.parameters) && !(name in membersOf(line))) ||
    name === line.own ||
    name === actorParameter(line.description) ||
    line.ifMissing?.[name] !== undefined ||
    line.defaults?.[name] !== undefined
  );
}

/** Whether a parameter is the smallest part of a token that is traded, which is given in decimals of the token. */
function isPart(line: DescribedCommand, name: string): boolean {
  return line.isPricedPerToken === true && name === "min_trade_unit";
}

function aboutOf(line: DescribedCommand, name: string, parameter: Parameter<unknown>): string {
  const notes = [
    ...(name === actorParameter(line.description) ? ["who acts, as --from"] : []),
    ...(name === line.own ? ["the acting address if left out"] : []),
    ...(line.ifMissing?.[name] === undefined ? [] : [line.ifMissing[name].about]),
    ...(line.defaults?.[name] === undefined ? [] : [`${line.defaults[name]} if left out`]),
  ];
  if (isPart(line, name)) {
    return "the smallest part of the token that is traded, in decimals; found from the price if left out; with --units a number of smallest units, which the price is for";
  }
  if (line.isPricedPerToken && name === "price") {
    return "the price of one whole token, in decimals, such as 1.5; with --units that of --min-trade-unit, an integer of the smallest unit";
  }
  const isAmount = line.amounts?.[name] !== undefined;
  const zero = parameter.wanted.includes("from 0") || parameter.optional;
  const about = line.times?.includes(name)
    ? TIME
    : isAmount
      ? `an amount in decimals, such as 1.5${zero ? "" : ", more than 0"}; with --units an integer of the smallest unit`
      : aboutParameter(parameter);
  const { element } = line;
  if (element === undefined || name !== listArgument(line)) {
    return [about, ...notes].join("; ");
  }
  const list = aboutList(line, element);
  if (isWholeList(line, name)) {
    return `in the place of flags, for several: ${list}`;
  }
  const ids = list.replace("JSON text of an array of ", "");
  return isOfIds(line)
    ? `${ids}, or one list of them`
    : [about, `or, for several, ${list}`].join("; ");
}

function choices(parameter: Parameter<unknown>): { readonly choices?: readonly string[] } {
  const words = choicesOf(parameter);
  return words === undefined ? {} : { choices: words };
}

async function run(line: DescribedCommand, given: Given, session: Session): Promise<number> {
  const asked = line.ifGiven;
  const description =
    asked !== undefined && given.has(flagName(line, asked.parameter))
      ? asked.description
      : line.description;
  const params = await readParams({ ...line, description }, given, session);
  if (line.perform !== undefined) {
    return await line.perform(params, given, session);
  }
  return description.kind === "write"
    ? await writeOf(line, params, given, session)
    : await readOf({ ...line, description }, params, given, session);
}
