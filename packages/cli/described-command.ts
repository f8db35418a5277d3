import type { AnyOperation, AnyRead, Parameter } from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { TokenUnits } from "./amounts.ts";
import type { Given } from "./command.ts";
import type { Session } from "./session.ts";
import type { View } from "./view.ts";

export type Description = AnyOperation | AnyRead;

/** Parameters as texts on the wire's terms. */
export type Params = Readonly<Record<string, string>>;

/** Of which token a parameter is an amount: asked once all other parameters have been read. */
export type AmountOf = (params: Params, session: Session) => Promise<TokenUnits>;

/** A line of the table: which words on the command line are which operation or read. All that it does not say follows from the description. */
export interface DescribedCommand {
  readonly words: string;
  readonly otherWords?: readonly string[];
  readonly description: Description;
  /** What it does, where the description speaks of requests. */
  readonly about?: string;
  /** The parameters that stand behind the words, in this order; the others are flags. */
  readonly args?: readonly string[];
  /** Flags whose names are not their parameters', because other flags have those. */
  readonly flagNames?: Readonly<Record<string, string>>;
  /** Parameters that have a value here if they are not given. */
  readonly defaults?: Params;
  /** The parameter that is the acting address if it is not given. */
  readonly own?: string;
  /** Parameters that the node is asked for if they are not given. */
  readonly ifMissing?: Readonly<
    Record<
      string,
      { readonly about: string; readonly ask: (session: Session) => Promise<WireAnswer> }
    >
  >;
  /** The parameter that is the public key of the key. */
  readonly publicKey?: string;
  /** Of every parameter that is an amount, which token it is of. */
  readonly amounts?: Readonly<Record<string, AmountOf>>;
  /** A list in JSON that may be given as a list of payees as well, and which token their amounts are of. */
  readonly payees?: { readonly parameter: string; readonly of: AmountOf };
  /** Parameters that are times though their descriptions do not say so. */
  readonly times?: readonly string[];
  /** The description that is asked instead where a flag is given. */
  readonly ifGiven?: { readonly parameter: string; readonly description: Description };
  readonly view?: View;
  /** What a bare text is called that a write is answered with; without it the text is all that is printed. */
  readonly answers?: string;
  /** Told after a write, for people; ends with the command that comes next. */
  readonly next?: string;
  readonly details?: string;
  /** How a write is sent, where it is not by its name. */
  readonly send?: (params: Params, session: Session) => Promise<WireAnswer>;
  /** What is done with the parameters, once they have been checked, instead of sending them. */
  readonly perform?: (params: Params, given: Given, session: Session) => Promise<number>;
}

/** The parameter that names who acts; undefined where the temporary key alone tells, or where nobody signs. */
export function actorParameter(description: Description): string | undefined {
  return description.kind === "write" ? description.actor : undefined;
}

export function isSigned(description: Description): boolean {
  return description.kind === "write" && description.temporaryKey !== undefined;
}

/** Whether a parameter is the user's to give. */
export function isGiven(
  line: DescribedCommand,
  name: string,
  parameter: Parameter<unknown>,
): boolean {
  return (
    parameter.role === "value" &&
    !parameter.wanted.startsWith("anything; it has no effect") &&
    name !== line.publicKey &&
    !(name === "signed" && isSigned(line.description))
  );
}

/** The name of a parameter's flag: `min_trade_unit` is `--min-trade-unit`. */
export function flagName(line: DescribedCommand, parameter: string): string {
  return (
    line.flagNames?.[parameter] ??
    (parameter === "fromAddr" ? "from" : parameter === "toAddr" ? "to" : parameter)
      .replaceAll("_", "-")
      .toLowerCase()
  );
}

export function argumentName(parameter: string): string {
  return (parameter === "toAddr" ? "to" : parameter).replaceAll("_", "-").toLowerCase();
}

/** What parameters are called that have the names of their kinds of tokens. */
const TITLES: Readonly<Record<string, string>> = {
  mrc010id: "token",
  dexid: "listing",
  mrc400id: "project",
  mrc401id: "item",
  mrc402id: "item",
  transaction_id: "transaction",
  auction_start_price: "start-price",
};

export function argumentTitle(parameter: string): string {
  return TITLES[parameter] ?? argumentName(parameter);
}

/** The name of a parameter as it stands on the command line. */
export function shownName(line: DescribedCommand, name: string): string {
  return line.args?.includes(name)
    ? argumentTitle(name).toUpperCase()
    : `--${flagName(line, name)}`;
}
