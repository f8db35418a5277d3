export interface NodeCommandText {
  readonly usage: string;
  readonly about: string;
}

export const NODE_COMMANDS = {
  init: {
    usage: "init FOLDER --ledger NAME --coin NAME --symbol SYMBOL --supply N [options]",
    about: "Makes keys, genesis file and settings of a production deployment.",
  },
  serve: {
    usage: "serve [settings]",
    about: "Runs a node.",
  },
  verify: {
    usage: "verify DIR [--verifier WORD] | verify --archive ARCHIVE [--key KEY]",
    about:
      "Recomputes the chain in DIR completely, signatures included, or checks an archive's files.",
  },
  audit: {
    usage: "audit URL [options]",
    about: "Follows a node from outside, checking its blocks and a sample of its responses.",
  },
  rebuild: {
    usage: "rebuild DIR [--log URL | --from-archive ARCHIVE]",
    about: "Rebuilds state and views from the blocks; the node must not run.",
  },
  log: {
    usage: "log copy FROM TO | log sql [--log-schema NAME]",
    about:
      "Copies a chain between a data directory and PostgreSQL, or prints the tables of a cluster.",
  },
  snapshot: {
    usage: "snapshot DIR FILE",
    about:
      "Writes the state of a node, which may run, into one file for another node to start from.",
  },
  archive: {
    usage: "archive DIR ARCHIVE --before HEIGHT | archive get ARCHIVE ID",
    about:
      "Writes the older blocks of a node, which may run, as static files, or reads one transaction of them.",
  },
  prune: {
    usage: "prune DIR --before HEIGHT --archive ARCHIVE [--key KEY]",
    about: "Removes the older blocks of a stopped node, which an archive has.",
  },
  backup: {
    usage: "backup DIR BACKUP [--keys KEYS] [--skip-verify]",
    about: "Copies all that belongs to a node, which may run, and verifies the copy.",
  },
  restore: {
    usage: "restore BACKUP DIR [--keys KEYS] [--skip-verify]",
    about: "Makes a data directory from a back-up, and verifies it.",
  },
} as const satisfies Readonly<Record<string, NodeCommandText>>;

export type NodeCommand = keyof typeof NODE_COMMANDS;

export function isCommand(word: string): word is NodeCommand {
  return Object.hasOwn(NODE_COMMANDS, word);
}

export function usageOf(command: NodeCommand): string {
  return `moneta ${NODE_COMMANDS[command].usage}`;
}

export function misuseOf(command: NodeCommand, names: readonly string[]): string {
  const forms = NODE_COMMANDS[command].usage.split(" | ").map((form) =>
    form
      .replace(/ (\[|--).*/, "")
      .split(" ")
      .slice(1),
  );
  const isMeant = (form: readonly string[]): boolean =>
    /^[a-z]/.test(form[0] ?? "") && form[0] === names[0];
  const form = forms.find(isMeant) ?? forms[0] ?? [];
  const missing = form.slice(names.length);
  const [more] = names.slice(form.length);
  const wrong =
    missing.length > 0
      ? `${missing.join(", ").replace(/, (?=[^,]*$)/, " and ")} ${missing.length === 1 ? "is" : "are"} missing`
      : more === undefined
        ? "these options exclude each other"
        : `${more} is one name too many`;
  return `${wrong}: usage: ${usageOf(command)}; see moneta ${command} --help`;
}
