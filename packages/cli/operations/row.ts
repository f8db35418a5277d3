import {
  type AnyOperation,
  type AnyRead,
  isSigned,
  type Parameter,
  signersOf,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import type { Params, Session } from "../session/session.ts";
import type { TokenUnits } from "../values/amounts.ts";
import type { View } from "../views/view.ts";
import type { Trade } from "./trade.ts";

export type Description = AnyOperation | AnyRead;

/** The token of an amount, determined after all other parameters have been read. */
export type AmountOf = (params: Params, session: Session) => Promise<TokenUnits>;

/**
 * A list that needs no JSON: arguments and flags are the members of one entry, or the ids of a list
 * of ids. The first of these arguments may be JSON instead.
 */
export interface Element {
  readonly list: string;
  /**
   * The parameter that names a single item. Members of entries then have no flags: the operation
   * has parameters for one.
   */
  readonly alone?: string;
  /** Which names are single items; by default all. */
  readonly aloneIf?: (name: string) => boolean;
  /** The parameter without which the operation takes no list. */
  readonly onlyWith?: string;
  /** Members without flags, because another one means the same. */
  readonly without?: readonly string[];
  /**
   * `--count N` creates N equal entries, so this member, which must differ, cannot be given with
   * it.
   */
  readonly countedWithout?: string;
}

/**
 * A row of the table: which words send which operation or read. The description determines the
 * rest.
 */
export interface Row {
  readonly words: string;
  readonly otherWords?: readonly string[];
  readonly description: Description;
  /** What it does, if the text of the description does not fit a command line. */
  readonly about?: string;
  /**
   * Parameters and members of the element that are arguments, in this order; the others are flags.
   */
  readonly args?: readonly string[];
  /** Names of arguments in help, if they differ. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly element?: Element;
  readonly flagNames?: Readonly<Record<string, string>>;
  readonly defaults?: Params;
  /** The parameter whose default is the acting address. */
  readonly own?: string;
  /** Parameters that are looked up if they are not given. */
  readonly ifMissing?: Readonly<
    Record<
      string,
      {
        readonly about: string;
        readonly ask: (session: Session, params: Params) => Promise<string | undefined>;
      }
    >
  >;
  readonly publicKey?: string;
  /** The token of every parameter that is an amount. */
  readonly amounts?: Readonly<Record<string, AmountOf>>;
  /**
   * Whether `price` is per whole token. The wire has the price of the smallest traded part,
   * `min_trade_unit`.
   */
  readonly isPricedPerToken?: boolean;
  /**
   * Parameters that bind a trade to the shown terms, those given included. Throws a
   * `WrongUse` if there are none, because without them the trade could be done on any terms.
   */
  readonly guard?: (params: Params, session: Session) => Promise<Params>;
  readonly trade?: Trade;
  /** Notes before it is signed, a line each. */
  readonly notes?: (params: Params, session: Session) => Promise<readonly string[]>;
  /** A list that may also be given as lines of payees, and the token of their amounts. */
  readonly payees?: { readonly parameter: string; readonly of: AmountOf };
  /** Parameters without flags: this program cannot use them. */
  readonly without?: readonly string[];
  /** Lists of keys, which may be given as files, separated by commas. */
  readonly keyFiles?: readonly string[];
  /** Parameters that people write in another form than requests have. */
  readonly forms?: Readonly<
    Record<string, (given: string, session: Session) => string | Promise<string>>
  >;
  /** The description to send instead if a flag is given. */
  readonly ifGiven?: { readonly parameter: string; readonly description: Description };
  /** Whether the node makes its CSV, for people. */
  readonly hasStatement?: true;
  readonly view?: View;
  /**
   * Members of the response to a write that are printed alone, for scripts: the ids of what was
   * created.
   */
  readonly prints?: readonly string[];
  /** The name of a text that a write returns; without it only the text is printed. */
  readonly answers?: string;
  /** A note after a write that ends with the next command. */
  readonly next?: string | ((answer: WireAnswer, session: Session) => Promise<string>);
  readonly details?: string;
  /** Sends a write in its own way. */
  readonly send?: (params: Params, session: Session) => Promise<WireAnswer>;
  /** Runs instead of sending, after the parameters have been checked. */
  readonly perform?: (params: Params, given: Given, session: Session) => Promise<number>;
}

/**
 * The parameter that names the actor; undefined if only the temporary key determines it, or it is
 * unsigned.
 */
export function actorParameter(description: Description): string | undefined {
  return signersOf(description)[0]?.address;
}

/** Whether the user can give a parameter. */
export function isGiven(row: Row, name: string, parameter: Parameter<unknown>): boolean {
  return (
    parameter.role === "value" &&
    !parameter.wanted.startsWith("anything; it has no effect") &&
    name !== row.publicKey &&
    row.without?.includes(name) !== true &&
    (name !== row.element?.list || row.args?.includes(name) === true) &&
    !(name === "signed" && isSigned(row.description))
  );
}

/** The name of a parameter's flag: `min_trade_unit` is `--min-trade-unit`. */
export function flagName(row: Row, parameter: string): string {
  return (
    row.flagNames?.[parameter] ??
    (parameter === "fromAddr" ? "from" : parameter === "toAddr" ? "to" : parameter)
      .replaceAll("_", "-")
      .toLowerCase()
  );
}

export function argumentName(parameter: string): string {
  return (parameter === "toAddr" ? "to" : parameter).replaceAll("_", "-").toLowerCase();
}

/** Names for parameters that are called after a kind of token. */
const TITLES: Readonly<Record<string, string>> = {
  mrc010id: "token",
  dexid: "listing",
  mrc400id: "project",
  mrc401id: "item",
  mrc402id: "item",
  mrc020key: "seal",
  mrc040id: "order",
  transaction_id: "transaction",
  auction_start_price: "start-price",
  basetoken: "base",
  targettoken: "token",
  baseToken: "base",
  targetToken: "target",
};

export function argumentTitle(row: Row, parameter: string): string {
  return row.titles?.[parameter] ?? TITLES[parameter] ?? argumentName(parameter);
}

/** The name of a parameter as it stands on the command line. */
export function shownName(row: Row, name: string): string {
  return row.args?.includes(name)
    ? argumentTitle(row, name).toUpperCase()
    : `--${flagName(row, name)}`;
}
