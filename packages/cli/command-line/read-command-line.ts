import { parseArgs } from "node:util";
import { nearest, suggestion } from "@moneta/protocol";
import { type Argument, type Flag, type Given, isList, LIST } from "./arguments.ts";
import { COMMON_FLAGS, type Command, commonFlagsOf } from "./command.ts";
import { commandsMeant } from "./commands-meant.ts";
import { WrongUse } from "./wrong-use.ts";

export type Called =
  | { readonly kind: "command"; readonly command: Command; readonly given: Given }
  | { readonly kind: "help"; readonly words: string };

/** Parses the arguments of the process; throws a `WrongUse`. */
export function readCommandLine(args: readonly string[], commands: readonly Command[]): Called {
  refuseSecrets(args);
  if (args[0] === "-h" || args[0] === "-?") {
    return { kind: "help", words: "" };
  }
  const { leading, rest } = leadingFlags(args);
  const found = commandAt(rest, commands);
  const asksHelp = (some: readonly string[]): boolean =>
    some.slice(0, indexOr(some, "--")).some((arg) => arg === "--help" || arg === "-h");
  if (found === undefined) {
    const [word = ""] = rest;
    const isGroup = commands.some(({ words }) => words.startsWith(`${word} `));
    if (word === "" || (isGroup && (rest.length === 1 || asksHelp(rest)))) {
      return { kind: "help", words: word };
    }
    throw new WrongUse(unknownCommand(rest, commands));
  }
  const { command, count } = found;
  const all = [...leading, ...rest.slice(count)];
  if (asksHelp(all)) {
    return { kind: "help", words: command.words };
  }
  return { kind: "command", command, given: given(command, all) };
}

export function usageOf({ words, args, flags }: Command): string {
  const parts = [
    ...args.map((arg) => (arg.isOptional ? `[${titleOf(arg)}]` : titleOf(arg))),
    ...args.filter(({ isRepeated }) => isRepeated).map((arg) => `[${titleOf(arg)}...]`),
    ...flags.filter(({ isRequired }) => isRequired).map((flag) => flagText(flag)),
  ];
  return ["moneta", words, ...parts, "[flags]"].join(" ");
}

export function listUsageOf(command: Command): string | undefined {
  const slot = command.args.findIndex((arg) => arg.takesList && titleOf(arg) !== LIST);
  return slot === -1
    ? undefined
    : usageOf({
        ...command,
        args: [...command.args.slice(0, slot), { name: "list", title: LIST, about: "" }],
      });
}

export function titleOf({ name, title = name, choices }: Argument): string {
  return choices !== undefined && choices.length <= 4 ? choices.join("|") : title.toUpperCase();
}

export function flagText({ name, placeholder }: Flag): string {
  return placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
}

function indexOr<T>(all: readonly T[], one: T): number {
  const index = all.indexOf(one);
  return index === -1 ? all.length : index;
}

function leadingFlags(args: readonly string[]): {
  readonly leading: readonly string[];
  readonly rest: readonly string[];
} {
  let count = 0;
  while (count < args.length && (args[count] as string).startsWith("--")) {
    const [name, value] = (args[count] as string).slice(2).split("=", 2) as [string, string?];
    const flag = COMMON_FLAGS.find((each) => each.name === name);
    if (flag === undefined) {
      throw new WrongUse(
        `there is no flag --${printable(name)} that could stand before a command.${suggestion(
          name,
          COMMON_FLAGS.map((each) => each.name),
          "--",
        )} moneta help explains; moneta serve takes the settings of a node`,
      );
    }
    count += flag.placeholder === undefined || value !== undefined ? 1 : 2;
  }
  return { leading: args.slice(0, count), rest: args.slice(count) };
}

function commandAt(
  rest: readonly string[],
  commands: readonly Command[],
): { readonly command: Command; readonly count: number } | undefined {
  for (const count of [2, 1]) {
    const words = rest.slice(0, count).join(" ");
    const command = commands.find(
      (each) => each.words === words || each.otherWords?.includes(words),
    );
    if (command !== undefined && rest.length >= count) {
      return { command, count };
    }
  }
  return undefined;
}

function unknownCommand(rest: readonly string[], commands: readonly Command[]): string {
  const [first = "", second = ""] = rest;
  const meant = commandsMeant(rest, commands);
  return commands.some(({ words }) => words.startsWith(`${first} `))
    ? `there is no command ${first} ${printable(second)}.${meant} moneta help ${first} lists them`
    : `there is no command ${printable(first)}.${meant} moneta help lists them`;
}

/** Shows a mistyped word in a message, and hides any other text. */
function printable(word: string): string {
  return /^[\w-]{1,40}$/.test(word) ? word : "of this name";
}

function given(command: Command, args: readonly string[]): Given {
  const flags = [...command.flags, ...commonFlagsOf(command)];
  const named = new Map([
    ...flags.map((flag) => [flag.wireName ?? flag.name, flag] as const),
    ...flags.map((flag) => [flag.name, flag] as const),
  ]);
  const { tokens } = parseArgs({
    args: withHyphens(args, named).map((arg) => (NEGATIVE.test(arg) ? MARK + arg : arg)),
    options: Object.fromEntries(
      Array.from(named, ([name, { placeholder }]) => [
        name,
        { type: placeholder === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") {
      positionals.push(unmarked(token.value));
    } else if (token.kind === "option") {
      const flag = named.get(token.name);
      const value = unmarked(flagValue(flag, token, values, { command, flags }));
      values.set(flag?.name ?? token.name, value);
    }
  }
  const listAt = command.args.findIndex(
    ({ takesList }, index) => takesList && isList(positionals[index] ?? ""),
  );
  const taken = listAt === -1 ? command.args : command.args.slice(0, listAt + 1);
  if (listAt === -1 && taken.at(-1)?.isRepeated && positionals.length > taken.length) {
    positionals.push(positionals.splice(taken.length - 1).join(" "));
  }
  if (positionals.length > taken.length) {
    const takes = listAt !== -1 ? "a list" : taken.map(titleOf).join(" ");
    const most = takes === "" ? "no arguments" : `${takes} and no more`;
    // Interactive zsh passes comments on as arguments.
    const advice = positionals.includes("#")
      ? "zsh takes comments behind a command after setopt interactive_comments"
      : "write a value with blanks in quotes";
    throw new WrongUse(`${command.words} takes ${most}: ${advice}\nusage: ${usageOf(command)}`);
  }
  for (const [index, value] of positionals.entries()) {
    const argument = command.args[index] as Argument;
    refuseOther((argument.title ?? argument.name).toUpperCase(), argument.choices, value);
    values.set(argument.name, value);
  }
  refuseMissing({ ...command, args: taken }, values);
  return values;
}

/** Looks like a flag, but is refused as an amount. */
const NEGATIVE = /^-[0-9.]/;

/** Hides a negative number from the parser of flags; arguments cannot contain it. */
const MARK = "\u0000";

function unmarked(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** Flags may have underscores, like parameters. Values stay unchanged. */
function withHyphens(args: readonly string[], named: ReadonlyMap<string, Flag>): string[] {
  let isValue = false;
  let isOver = false;
  return args.map((arg) => {
    if (isValue || isOver) {
      isValue = false;
      return arg;
    }
    isOver = arg === "--";
    const [, underscored, rest = ""] = /^--([a-zA-Z_-]+)(=.*)?$/s.exec(arg) ?? [];
    if (underscored === undefined) {
      return arg;
    }
    const name = underscored.replaceAll("_", "-");
    isValue = rest === "" && named.get(name)?.placeholder !== undefined;
    return `--${name}${rest}`;
  });
}

function flagValue(
  flag: Flag | undefined,
  token: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
  before: ReadonlyMap<string, string>,
  { command, flags }: { readonly command: Command; readonly flags: readonly Flag[] },
): string {
  if (flag === undefined) {
    const names = flags.map(({ name }) => name);
    const meant = suggestion(token.name, names, "--");
    throw new WrongUse(
      `${command.words} has no flag ${token.rawName.startsWith("--") ? "--" : "-"}${printable(token.name)}.${meant} moneta help ${command.words} lists them`,
    );
  }
  if (before.has(flag.name)) {
    throw new WrongUse(`--${flag.name} is given twice: give it once`);
  }
  if (flag.placeholder === undefined) {
    if (token.value !== undefined) {
      throw new WrongUse(`--${flag.name} takes no value`);
    }
    return "";
  }
  if (token.value === undefined) {
    throw new WrongUse(`--${flag.name} needs a value: ${flagText(flag)}, ${flag.about}`);
  }
  refuseOther(`--${flag.name}`, flag.choices, unmarked(token.value));
  return token.value;
}

function refuseOther(name: string, choices: readonly string[] | undefined, value: string): void {
  if (choices !== undefined && !choices.includes(value)) {
    const like = nearest(value, choices);
    const meant = like === undefined ? "" : `. Did you mean ${like}?`;
    throw new WrongUse(`${name} is "${value.slice(0, 40)}" but must be ${oneOf(choices)}${meant}`);
  }
}

function oneOf(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

function refuseMissing(command: Command, values: ReadonlyMap<string, string>): void {
  const missing = [
    ...command.args.filter((arg) => !arg.isOptional && !values.has(arg.name)).map(titleOf),
    ...command.flags.filter((flag) => flag.isRequired && !values.has(flag.name)).map(flagText),
  ];
  // An unset variable gives no argument, so later ones move up.
  const moved = missing.length === 0 ? undefined : command.args.flatMap(wrongIn(values)).at(0);
  if (moved !== undefined) {
    throw new WrongUse(`${moved}; is a variable empty?\nusage: ${usageOf(command)}`);
  }
  if (missing.length > 0) {
    const are = missing.length === 1 ? "is missing" : "are missing";
    throw new WrongUse(`${missing.join(", ")} ${are}\nusage: ${usageOf(command)}`);
  }
}

function wrongIn(values: ReadonlyMap<string, string>): (arg: Argument) => readonly string[] {
  return (arg) => {
    const text = values.get(arg.name);
    const isUnknown = text === undefined || (arg.takesList && isList(text));
    const wrong = isUnknown ? undefined : arg.wrong?.(text, titleOf(arg));
    return wrong === undefined ? [] : [wrong];
  };
}

const SECRET_FLAG =
  /^--?(private|priv|secret|signing)[-_]?key([-_]?(pem|text|hex))?$|^--?(secret|pem|passwd|password|passphrase|pin|mnemonic|seed([-_]?phrase)?)$/i;

/** Never repeats them in a message. */
function refuseSecrets(args: readonly string[]): void {
  const isSecret = args.some(
    (arg) =>
      SECRET_FLAG.test(arg.split("=")[0] as string) || /-----BEGIN [A-Z ]*PRIVATE KEY/.test(arg),
  );
  if (isSecret) {
    throw new WrongUse(
      "a secret must not be in an argument: others on this machine can see with what a command is called, and the shell keeps it in its history. Put the key into a file and name it with --key FILE or MONETA_KEY, or put the PEM text into the variable MONETA_PRIVATE_KEY. A key that has been in an argument should be replaced",
    );
  }
}
