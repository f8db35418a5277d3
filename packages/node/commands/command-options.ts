import { type ParseArgsConfig, parseArgs } from "node:util";
import { sha256 } from "@moneta/ledger";
import { parseVerifierKey } from "@moneta/protocol";
import { optionFault, SettingProblem } from "../settings.ts";
import { misuseOf, type NodeCommand, usageOf } from "./node-commands.ts";

type Flag = "string" | "strings" | "boolean";

/** Whether each flag takes a value, or several. */
const FLAGS: Readonly<Partial<Record<NodeCommand, Readonly<Record<string, Flag>>>>> = {
  init: {
    ledger: "string",
    coin: "string",
    symbol: "string",
    supply: "string",
    decimals: "string",
    "no-operator": "boolean",
  },
  audit: {
    data: "string",
    archive: "string",
    once: "boolean",
    key: "strings",
    recheck: "boolean",
    sample: "string",
    "block-bytes-max": "string",
    threads: "string",
    verifier: "string",
    patience: "string",
  },
  rebuild: {
    log: "string",
    "log-schema": "string",
    "log-password-file": "string",
    "from-archive": "string",
    key: "string",
  },
  log: { "log-schema": "string", "log-password-file": "string" },
  archive: { before: "string", key: "string" },
  prune: { before: "string", archive: "string", key: "string" },
  verify: { verifier: "string", archive: "string", key: "string" },
  backup: { keys: "string", "skip-verify": "boolean" },
  restore: { keys: "string", "skip-verify": "boolean" },
};

export interface Options {
  has(name: string): boolean;
  /** `""` if absent. */
  text(name: string): string;
  texts(name: string): readonly string[];
  /** Throws `SettingProblem` if absent. */
  required(name: string): string;
  /** Throws `SettingProblem` unless it is an integer from 0 to `max`. */
  integer(name: string, bounds: { readonly standard: number; readonly max: number }): number;
}

/** Throws `SettingProblem` for unknown or empty arguments, or another number of names. */
export function readOptions(
  command: NodeCommand,
  args: readonly string[],
  nameCount?: number,
): { readonly names: readonly string[]; readonly options: Options } {
  const flags = Object.entries(FLAGS[command] ?? {});
  const parsed = parse(
    command,
    args,
    Object.fromEntries(
      flags.map(([name, flag]) => [
        name,
        flag === "strings" ? { type: "string", multiple: true } : { type: flag },
      ]),
    ),
  );
  const { values, positionals: names } = parsed;
  if (names.includes("")) {
    // An unset variable. As a path it would mean the current directory.
    throw new SettingProblem(`a name is empty: usage: ${usageOf(command)}`);
  }
  if (nameCount !== undefined && names.length !== nameCount) {
    throw misuse(command, names);
  }
  const text = (name: string): string => String(values[name] ?? "");
  const options: Options = {
    has: (name) => values[name] === true,
    text,
    texts: (name) => (values[name] as readonly string[] | undefined) ?? [],
    required(name) {
      if (text(name) === "") {
        throw new SettingProblem(`--${name} is missing: usage: ${usageOf(command)}`);
      }
      return text(name);
    },
    integer(name, { standard, max }) {
      const given = text(name);
      if (given !== "" && (!/^[0-9]{1,9}$/.test(given) || Number(given) > max)) {
        throw new SettingProblem(`--${name} is "${given}" but must be an integer from 0 to ${max}`);
      }
      return given === "" ? standard : Number(given);
    },
  };
  return { names, options };
}

export function misuse(command: NodeCommand, names: readonly string[]): SettingProblem {
  return new SettingProblem(misuseOf(command, names));
}

/** Throws `SettingProblem`. */
export function verifierKeyOption(text: string): string {
  if (parseVerifierKey(sha256, text) === undefined) {
    throw new SettingProblem(
      `--key ${text}: must be a verifier key, as GET /checkpoint/key shows it`,
    );
  }
  return text;
}

function parse(
  command: NodeCommand,
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (thrown) {
    const noSuch = `${command} has no option`;
    const fault = optionFault(thrown as Error, { names: Object.keys(options), noSuch });
    throw new SettingProblem(`${fault} moneta ${command} --help lists them`);
  }
}
