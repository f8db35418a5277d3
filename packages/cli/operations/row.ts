import type { AnyOperation, AnyRead, Parameter } from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import type { Params, Session } from "../session/session.ts";
import type { TokenUnits } from "../values/amounts.ts";
import type { View } from "../views/view.ts";
import type { Trade } from "./trade.ts";

export type Description = AnyOperation | AnyRead;

/** Of which token a parameter is an amount: asked once all other parameters have been read. */
export type AmountOf = (params: Params, session: Session) => Promise<TokenUnits>;

/**
 * A list in JSON that can be given without JSON: one entry in arguments and flags, named after the members that the list's description says it has; or, of a list of ids, the ids one
 * after the other. JSON may stand in the place of the first of these arguments.
 */
export interface Element {
  /** The parameter that is the list. */
  readonly list: string;
  /** The parameter by which one alone is named; the members of the list have no flags then, because the operation has parameters for one. */
  readonly alone?: string;
  /** What such a name must be for that; any if absent. */
  readonly aloneIf?: (name: string) => boolean;
  /** The parameter without which there is no entry: the operation does something else then. */
  readonly onlyWith?: string;
  /** Members that cannot be given, because another one says the same. */
  readonly without?: readonly string[];
  /** `--count N` makes so many that are alike, which therefore cannot have this member. */
  readonly countedWithout?: string;
}

/** A line of the table: which words on the command line are which operation or read. All that it does not say follows from the description. */
export interface DescribedCommand {
  readonly words: string;
  readonly otherWords?: readonly string[];
  readonly description: Description;
  /** What it does, where the description speaks of requests. */
  readonly about?: string;
  /** The parameters, and members of the element, that stand behind the words, in this order; the others are flags. */
  readonly args?: readonly string[];
  /** What arguments are called in help, where it is not their name. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly element?: Element;
  /** Flags whose names are not their parameters', because other flags have those. */
  readonly flagNames?: Readonly<Record<string, string>>;
  /** Parameters that have a value here if they are not given. */
  readonly defaults?: Params;
  /** The parameter that is the acting address if it is not given. */
  readonly own?: string;
  /** Parameters that are found out if they are not given. */
  readonly ifMissing?: Readonly<
    Record<
      string,
      {
        readonly about: string;
        readonly ask: (session: Session, params: Params) => Promise<string | undefined>;
      }
    >
  >;
  /** The parameter that is the public key of the key. */
  readonly publicKey?: string;
  /** Of every parameter that is an amount, which token it is of. */
  readonly amounts?: Readonly<Record<string, AmountOf>>;
  /** Whether `price` is that of one whole token of `amount`, and `min_trade_unit` is an amount of it, too: the wire has the price of the smallest part that is traded. */
  readonly isPricedPerToken?: boolean;
  /** Parameters that keep a trade to what was shown, where they are not given. */
  readonly guard?: (params: Params, session: Session) => Promise<Params>;
  readonly trade?: Trade;
  /** A list in JSON that may be given as a list of payees as well, and which token their amounts are of. */
  readonly payees?: { readonly parameter: string; readonly of: AmountOf };
  /** Parameters that are times though their descriptions do not say so. */
  readonly times?: readonly string[];
  /** The description that is asked instead where a flag is given. */
  readonly ifGiven?: { readonly parameter: string; readonly description: Description };
  readonly view?: View;
  /** The member of what a write is answered with that is printed alone, so that a script has no more to do with it: the ids of what was made. */
  readonly prints?: readonly string[];
  /** What a bare text is called that a write is answered with; without it the text is all that is printed. */
  readonly answers?: string;
  /** Told after a write, for people; ends with the command that comes next. */
  readonly next?: string | ((answer: WireAnswer, session: Session) => Promise<string>);
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
    (name !== line.element?.list || line.args?.includes(name) === true) &&
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

export function argumentTitle(line: DescribedCommand, parameter: string): string {
  return line.titles?.[parameter] ?? TITLES[parameter] ?? argumentName(parameter);
}

/** The name of a parameter as it stands on the command line. */
export function shownName(line: DescribedCommand, name: string): string {
  return line.args?.includes(name)
    ? argumentTitle(line, name).toUpperCase()
    : `--${flagName(line, name)}`;
}
