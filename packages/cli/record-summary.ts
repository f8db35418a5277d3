import { type RecordKind, recordKind } from "./record-kinds.ts";
import type { AmountText, Members } from "./view.ts";

/** A record in a few words, all of which may be empty. */
export interface RecordSummary {
  /** What has been paid or gained, with its sign, or is asked for. */
  readonly amount: string;
  /** What that was for: tokens, or units of an item. */
  readonly goods: string;
  /** The other party. */
  readonly with: string;
  /** The item, listing or project. */
  readonly about: string;
}

/** What a record says to the address that it is filed under. Source: chain §9. */
export function recordSummary(record: Members, amountText: AmountText): RecordSummary {
  const parameters = record["parameters"] as readonly string[];
  const type = String(record["type"]);
  if (type === "multi_transfer") {
    return { ...ofMany(parameters, amountText), goods: "", about: "" };
  }
  const first = (parameters[0] ?? "").trimStart();
  const kind = recordKind(type);
  const {
    money,
    goods,
    parties = [],
    about = -1,
    each,
  } = kind.ifList !== undefined && first.startsWith("[") ? kind.ifList : kind;
  const text = (what: typeof goods): string => {
    const [direction, place, of] = what ?? ["+", -1, -1];
    const amount = parameters[place] ?? "";
    if (!/^[1-9][0-9]*$/.test(amount)) {
      return ""; // 0 and nothing have not moved
    }
    return of === "units"
      ? signed(direction, amount === "1" ? "1 unit" : `${amount} units`)
      : signed(direction, amountText(amount, parameters[of] ?? "0"));
  };
  const listed = first.startsWith("[") && about === 0 ? entriesOf(first) : undefined;
  const [entry] = listed ?? [];
  const asked =
    each !== undefined && listed?.length === 1 && typeof entry === "object"
      ? askedIn(entry, each, amountText)
      : "";
  return {
    amount: asked || text(money),
    goods: text(goods),
    with:
      parties
        .map((place) => parameters[place] ?? "")
        .find((party) => party !== record["address"]) ?? "",
    about: listed === undefined ? (parameters[about] ?? "") : namesOf(listed),
  };
}

/** What the one entry of a list asks; nothing where its members have other names, which clients may use. */
function askedIn(
  entry: Members,
  [direction, amount, token]: NonNullable<RecordKind["each"]>,
  amountText: AmountText,
): string {
  const [units, of] = [String(entry[amount] ?? ""), String(entry[token] ?? "0")];
  return /^[0-9]+$/.test(units) ? signed(direction, amountText(units, of)) : "";
}

/** `-1.5 TST`, `asks 1.5 TST`. */
function signed(direction: string, amount: string): string {
  return direction.length === 1 ? `${direction}${amount}` : `${direction} ${amount}`;
}

/** All that was paid together, and to how many. */
function ofMany(
  [, list = "[]", token = "0"]: readonly string[],
  amountText: AmountText,
): Pick<RecordSummary, "amount" | "with"> {
  const entries = entriesOf(list) as readonly Members[];
  const sum = entries.reduce((total, { amount }) => total + BigInt(String(amount)), 0n);
  return {
    amount: signed("-", amountText(String(sum), token)),
    with: entries.length === 1 ? "1 payee" : `${entries.length} payees`,
  };
}

/** A list as it was sent, of ids or of entries with ids. It has been read once by the ledger. */
function entriesOf(text: string): readonly (string | Members)[] {
  return JSON.parse(text) as readonly (string | Members)[];
}

function namesOf(entries: readonly (string | Members)[]): string {
  const [entry] = entries;
  return entries.length > 1
    ? `${entries.length} items`
    : typeof entry === "string"
      ? entry
      : String(entry?.["id"] ?? "");
}
