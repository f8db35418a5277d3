import type { Session } from "../session/session.ts";
import type { Argument, Flag, Given } from "./arguments.ts";

export type Hints = Readonly<Record<string, string>>;

export interface Command {
  /** Such as `token sell`. */
  readonly words: string;
  readonly otherWords?: readonly string[];
  /** Its operation or read in the API. */
  readonly operation?: string;
  readonly about: string;
  readonly args: readonly Argument[];
  /** They replace common flags of the same name. */
  readonly flags: readonly Flag[];
  readonly details?: string;
  readonly hints?: Hints;
  run(given: Given, session: Session): Promise<number>;
}

/** Exit codes of client commands; commands for nodes have their own. */
export const EXIT = {
  done: 0,
  refused: 1,
  /** Nothing was sent. */
  misused: 2,
  unanswered: 3,
  failed: 70,
} as const;

export const COMMON_FLAGS: readonly Flag[] = [
  {
    name: "url",
    placeholder: "URL",
    about:
      "the node, or several nodes of one ledger in order of preference, separated by commas; else MONETA_URL, else http://127.0.0.1:20922",
  },
  {
    name: "ledger-id",
    placeholder: "ID",
    about:
      "the id of the expected ledger, from a source other than the node; else MONETA_LEDGER_ID: a node of another ledger is refused, and signatures are valid for this one only",
  },
  {
    name: "key",
    placeholder: "FILE",
    takesFile: true,
    about:
      "file of the private key, PEM; else MONETA_PRIVATE_KEY (the PEM text itself), MONETA_KEY (a file), ~/.config/moneta/key.pem",
  },
  {
    name: "with-key",
    placeholder: "FILES",
    takesFile: true,
    about:
      "files of further private keys that sign, separated by commas, where an address has several",
  },
  {
    name: "signer",
    placeholder: "PROGRAM",
    takesFile: true,
    about:
      "program that signs in place of a private key, for example with an HSM: it reads the text from standard input and writes the signature, DER or r‖s; --key is then the public key",
  },
  {
    name: "grant",
    placeholder: "ID",
    about: "the grant by which the key acts for another address: an agent's, from moneta grant new",
  },
  {
    name: "from",
    placeholder: "ADDRESS",
    about:
      "the address that acts; else MONETA_ADDRESS, else the one that moneta address use has chosen, else the one address of the key",
  },
  { name: "units", about: "amounts are integers of the smallest unit, given and shown" },
  {
    name: "json",
    about:
      "print the node's response as one JSON value, with amounts as texts in the smallest unit",
  },
  {
    name: "full",
    about:
      "show whole ids in histories and in lists wider than the terminal, not the short ones that moneta search takes",
  },
  { name: "help", about: "explain the command" },
];

export function commonFlagsOf({ flags }: Pick<Command, "flags">): readonly Flag[] {
  return COMMON_FLAGS.filter(({ name }) => !flags.some((own) => own.name === name));
}
