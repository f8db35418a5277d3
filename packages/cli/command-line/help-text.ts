import type { Output } from "../terminal/output.ts";
import { wrapped as wrappedTo } from "../terminal/table.ts";
import type { Flag } from "./arguments.ts";
import { COMMON_FLAGS, type Command, commonFlagsOf } from "./command.ts";
import { flagText, listUsageOf, titleOf, usageOf } from "./read-command-line.ts";

const GROUPS: Readonly<Record<string, string>> = {
  key: "the private key of this machine's user",
  address: "addresses, and what they hold",
  token: "tokens and their market",
  order: "the order exchange: orders, books and trades of pairs of tokens",
  project: "projects of items",
  item: "items of projects and their trade",
  units: "multi-unit items and their market",
  grant: "what the key of a program may do for an address",
  seal: "texts that are sealed now and opened later",
  group: "the transactions of operations that were done together",
  proof: "proofs and signed checkpoints, for auditors",
  rules: "versions of the rules",
};

const SECTIONS: readonly (readonly [title: string, words: readonly string[]])[] = [
  [
    "Run and check nodes",
    [
      "init",
      "serve",
      "backup",
      "restore",
      "snapshot",
      "archive",
      "prune",
      "verify",
      "rebuild",
      "log",
      "audit",
    ],
  ],
  [
    "Keys, addresses and payments",
    [
      ...["key", "address", "balance", "transfer", "multitransfer", "faucet", "history"],
      ...["statement", "grant"],
    ],
  ],
  ["Tokens and items", ["token", "order", "project", "item", "units"]],
  ["Between people", ["exchange", "propose", "show", "sign", "submit", "withdraw", "seal"]],
  ["Many operations", ["batch"]],
  ["Programs that act", ["mcp"]],
  [
    "The ledger",
    [
      "info",
      "height",
      "block",
      "blocks",
      "tx",
      "transactions",
      "group",
      "totals",
      "search",
      "watch",
      "proof",
      "rules",
    ],
  ],
  ["This program", ["completion", "help"]],
];

const EXIT_CODES = `Exit codes of client commands: 0 done, 1 the ledger refused, 2 wrong usage and nothing was sent, 3 no response from a node, 70 a bug in this program.`;

const START = `A first payment, on a test deployment:
  moneta key new
  moneta address new
  moneta faucet
  moneta transfer ADDRESS 1.5`;

/** Help for a command, for those that begin with a word, or for all (`""`). */
export function helpFor(words: string, commands: readonly Command[], output: Output): string {
  const command = commands.find((each) => each.words === words || each.otherWords?.includes(words));
  const group = commands.filter((each) => each.words.startsWith(`${words} `));
  if (words === "") {
    return overview(commands, output);
  }
  const parts = [
    ...(command === undefined ? [] : [commandHelp(command, output)]),
    ...(group.length === 0 ? [] : [groupHelp(words, group, output)]),
  ];
  return parts.join("\n\n");
}

function overview(commands: readonly Command[], output: Output): string {
  const about = (word: string): string =>
    GROUPS[word] ?? firstSentence(commands.find(({ words }) => words === word)?.about ?? "");
  const title = (word: string): string => (word in GROUPS ? `${word} ...` : word);
  return [
    "Moneta, a ledger of coins, tokens, NFTs and the addresses that hold them",
    "Usage: moneta COMMAND [flags]",
    ...SECTIONS.map(([name, words]) =>
      [
        `${output.styled("bold", name)}:`,
        listed(words.map((word) => [title(word), about(word)])),
      ].join("\n"),
    ),
    "moneta help COMMAND explains a command, such as moneta help token sell.",
    [`${output.styled("bold", "Flags of all client commands")}:`, flagList(COMMON_FLAGS)].join(
      "\n",
    ),
    START,
    wrapped(EXIT_CODES, 0),
  ].join("\n\n");
}

function groupHelp(word: string, group: readonly Command[], output: Output): string {
  return [
    `${output.styled("bold", `moneta ${word} ...`)}${word in GROUPS ? `: ${GROUPS[word]}` : ""}`,
    listed(group.map(({ words, about }) => [words, firstSentence(about)])),
    `moneta help ${word} COMMAND explains one of them.`,
  ].join("\n\n");
}

function commandHelp(command: Command, output: Output): string {
  const { words, otherWords = [], about, args, flags, details } = command;
  const isOfNode = flags.length === 0 && details?.startsWith("Usage: ") === true;
  const bold = (text: string): string => output.styled("bold", text);
  const usages = isOfNode ? [] : [usageOf(command), listUsageOf(command)];
  const section = (title: string, text: string): string =>
    text === "" ? "" : `${bold(title)}:\n${text}`;
  const common = commonFlagsOf(command).map(flagText).join(", ");
  return [
    wrapped(`${bold(`moneta ${words}`)}: ${about}`, 0),
    usages
      .filter((usage) => usage !== undefined)
      .map((usage, index) => `${index === 0 ? "Usage" : "   or"}: ${usage}`)
      .join("\n"),
    otherWords.length === 0 ? "" : `Also: moneta ${otherWords.join(", moneta ")}`,
    section("Arguments", listed(args.map((arg) => [titleOf(arg), arg.about]))),
    section("Flags", flagList(flags)),
    ...(details ?? "").split("\n").map((paragraph) => wrapped(paragraph, 0)),
    isOfNode ? "" : wrapped(`Flags of all client commands: ${common}`, 0),
    isOfNode ? "" : wrapped(EXIT_CODES, 0),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function flagList(flags: readonly Flag[]): string {
  return flags.map((flag) => `  ${flagText(flag)}\n${wrapped(required(flag), 6)}`).join("\n");
}

function required({ about, isRequired }: Flag): string {
  return isRequired ? `${about}; required` : about;
}

function listed(pairs: readonly (readonly [name: string, about: string])[]): string {
  const width = Math.min(24, Math.max(...pairs.map(([name]) => name.length)));
  return pairs
    .map(([name, about]) => {
      const text = wrapped(about, width + 4).trimStart();
      const isLong = name.length > width;
      return `  ${name.padEnd(width)}${isLong ? `\n${" ".repeat(width + 4)}` : "  "}${text}`;
    })
    .join("\n");
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.;]) /)[0]?.replace(/[.;]$/, "") ?? text;
}

function wrapped(text: string, indent: number): string {
  return wrappedTo(text, Math.min(process.stdout.columns ?? 80, 100), " ".repeat(indent));
}
