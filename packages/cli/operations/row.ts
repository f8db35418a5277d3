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
import { USERS_NAMES } from "../values/users-words.ts";
import type { View } from "../views/view.ts";
import type { Trade } from "./trade.ts";

export type Description = AnyOperation | AnyRead;

export type AmountOf = (params: Params, session: Session) => Promise<TokenUnits>;

/** A list without JSON: arguments and flags are the members of one entry, or ids. */
export interface Element {
  readonly list: string;
  /** The parameter for a single item. Members of entries then have no flags. */
  readonly alone?: string;
  readonly aloneIf?: (name: string) => boolean;
  /** The parameter that a list needs. */
  readonly onlyWith?: string;
  /** Members without flags, because another one means the same. */
  readonly without?: readonly string[];
  /** The member that must differ, so `--count` excludes it. */
  readonly countedWithout?: string;
}

/** Which words send which operation or read. The description determines the rest. */
export interface Row {
  readonly words: string;
  readonly otherWords?: readonly string[];
  readonly description: Description;
  /** If the description's text does not fit a command line. */
  readonly about?: string;
  /** Parameters and members that are arguments, in order; the others are flags. */
  readonly args?: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
  readonly element?: Element;
  readonly flagNames?: Readonly<Record<string, string>>;
  readonly defaults?: Params;
  /** The parameter whose default is the acting address. */
  readonly own?: string;
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
  readonly amounts?: Readonly<Record<string, AmountOf>>;
  /** Whether `price` is per whole token. The wire has that of `min_trade_unit`. */
  readonly isPricedPerToken?: boolean;
  /**
   * Parameters that bind a trade to the shown terms. Throws a `WrongUse` if there are none: the
   * trade could be done on any terms.
   */
  readonly guard?: (params: Params, session: Session) => Promise<Params>;
  readonly trade?: Trade;
  readonly notes?: (params: Params, session: Session) => Promise<readonly string[]>;
  /** A list that may be lines of payees, and the token of their amounts. */
  readonly payees?: { readonly parameter: string; readonly of: AmountOf };
  readonly without?: readonly string[];
  /** Lists of keys, which may be files, separated by commas. */
  readonly keyFiles?: readonly string[];
  readonly forms?: Readonly<
    Record<string, (given: string, session: Session) => string | Promise<string>>
  >;
  readonly ifGiven?: { readonly parameter: string; readonly description: Description };
  readonly hasStatement?: true;
  readonly view?: View;
  /** Members of the response that are printed alone, for scripts. */
  readonly prints?: readonly string[];
  readonly answers?: string;
  readonly next?: string | ((answer: WireAnswer, session: Session) => Promise<string>);
  readonly details?: string;
  readonly send?: (params: Params, session: Session) => Promise<WireAnswer>;
  /** Runs instead of sending, after the checks. */
  readonly perform?: (params: Params, given: Given, session: Session) => Promise<number>;
}

/** Undefined if only the temporary key determines the actor, or it is unsigned. */
export function actorParameter(description: Description): string | undefined {
  return signersOf(description)[0]?.address;
}

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

export function flagName(row: Row, parameter: string): string {
  const own = parameter === "fromAddr" ? "from" : parameter === "toAddr" ? "to" : parameter;
  return row.flagNames?.[parameter] ?? hyphened(USERS_NAMES[own] ?? own);
}

function hyphened(name: string): string {
  return name.replaceAll(/[_ ]/g, "-").toLowerCase();
}

export function argumentName(parameter: string): string {
  return hyphened(parameter === "toAddr" ? "to" : parameter);
}

export function argumentTitle(row: Row, parameter: string): string {
  return row.titles?.[parameter] ?? hyphened(USERS_NAMES[parameter] ?? argumentName(parameter));
}

export function shownName(row: Row, name: string): string {
  return row.args?.includes(name)
    ? argumentTitle(row, name).toUpperCase()
    : `--${flagName(row, name)}`;
}

/** Whether a parameter may be a short id; a searched text is as it was written. */
export function takesShortId({ description }: Row, name: string): boolean {
  return !isSigned(description) && name !== "text";
}
