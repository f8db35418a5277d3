import type { AmountRole, RecordForm } from "./record-form.ts";
import type { RecordParameter } from "./record-parameters.ts";
import { type RecordType, recordForm } from "./record-types.ts";

/** Source: chain §3, §10. */
export interface DescribedRecord {
  readonly type: string;
  readonly address: string;
  readonly parameters: readonly string[];
}

/** In the smallest unit, from the point of view of one address. */
export interface DescribedAmount {
  /**
   * `in` and `out` moved; `asks`, `starts`, `offers`, `wants` are terms; `issues` is new supply.
   */
  readonly role: AmountRole;
  readonly amount: bigint;
  /** Undefined for units of the record's item. */
  readonly token: string | undefined;
}

export interface RecordDescription {
  readonly type: RecordType | undefined;
  readonly parameters: { readonly [N in RecordParameter]?: string };
  /** The money that moved, or that is requested or offered. */
  readonly money: DescribedAmount | undefined;
  readonly goods: DescribedAmount | undefined;
  readonly others: readonly string[];
  readonly about: readonly string[];
}

/**
 * By default for the address that it is filed under; the other party gets the reverse, others
 * nothing.
 */
export function describe(
  record: DescribedRecord,
  address: string = record.address,
): RecordDescription {
  const { type, parameters } = record;
  const form = recordForm(type, parameters.length);
  if (form === undefined) {
    return NOTHING_KNOWN;
  }
  const named = parametersByName(form, parameters);
  const ids = aboutIn(form, named);
  const view = viewpoint(form, named, record.address, address);
  const seen = (amount: DescribedAmount | undefined): DescribedAmount | undefined =>
    amount === undefined ? undefined : view(amount);
  const described = {
    type: type as RecordType,
    parameters: named,
    about: ids.map(idOf),
  };
  if (named.transferlist !== undefined) {
    const payments = entriesIn(named.transferlist).filter((entry) => typeof entry === "object");
    const sum = payments.reduce((total, { amount }) => total + (wholeAmount(amount) ?? 0n), 0n);
    return {
      ...described,
      money: seen({ role: "out", amount: sum, token: named.token }),
      goods: undefined,
      others: payments.map(({ address: payee }) => String(payee)),
    };
  }
  const { money, goods, parties = [] } = form;
  const other = parties.map((name) => named[name]).find((party) => party !== address);
  return {
    ...described,
    money: seen(asked(form, ids) ?? amountIn(named, money)),
    goods: seen(amountIn(named, goods)),
    others: other === undefined || other === "" ? [] : [other],
  };
}

const NOTHING_KNOWN: RecordDescription = {
  type: undefined,
  parameters: {},
  money: undefined,
  goods: undefined,
  others: [],
  about: [],
};

type Named = { [N in RecordParameter]?: string };

function parametersByName(form: RecordForm, parameters: readonly string[]): Named {
  const named: Named = {};
  for (const [index, name] of [...form.parameters, ...form.optional].entries()) {
    const text = parameters[index];
    if (text !== undefined && !name.startsWith("=")) {
      named[name as RecordParameter] = text;
    }
  }
  return named;
}

function viewpoint(
  { parties = [] }: RecordForm,
  named: Named,
  filed: string,
  address: string,
): (amount: DescribedAmount) => DescribedAmount | undefined {
  if (address === filed) {
    return (amount) => amount;
  }
  const takesPart = parties.some((name) => named[name] === address);
  return (amount) => {
    const isMoved = amount.role === "in" || amount.role === "out";
    if (!isMoved) {
      return amount;
    }
    return takesPart ? { ...amount, role: amount.role === "in" ? "out" : "in" } : undefined;
  };
}

function amountIn(
  named: Named,
  what: RecordForm["money"] | RecordForm["goods"],
): DescribedAmount | undefined {
  if (what === undefined) {
    return undefined;
  }
  const [role, name, token] = what;
  const amount = wholeAmount(named[name]);
  return amount === undefined || amount === 0n
    ? undefined
    : { role, amount, token: token === undefined ? undefined : named[token] };
}

type Entry = string | Readonly<Record<string, unknown>>;

/** Undefined if its members have the other names that clients may use. */
function asked({ each }: RecordForm, entries: readonly Entry[]): DescribedAmount | undefined {
  const [entry] = entries;
  if (each === undefined || entries.length !== 1 || typeof entry !== "object") {
    return undefined;
  }
  const [role, name, token] = each;
  const amount = wholeAmount(entry[name]);
  return amount === undefined ? undefined : { role, amount, token: String(entry[token] ?? "0") };
}

function wholeAmount(value: unknown): bigint | undefined {
  const text = String(value ?? "");
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined;
}

function aboutIn({ about }: RecordForm, named: Named): readonly Entry[] {
  const text = about === undefined ? "" : (named[about] ?? "");
  const isList = (about === "itemdata" || about === "items") && text.trimStart().startsWith("[");
  return isList ? entriesIn(text) : text === "" ? [] : [text];
}

function idOf(entry: Entry): string {
  return typeof entry === "string" ? entry : String(entry["id"] ?? "");
}

/** Malformed lists have none, because a wrong node must not break a page. */
function entriesIn(text: string): readonly Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}
