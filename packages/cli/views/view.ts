import { signedCsvLine } from "@moneta/protocol";
import type { RecordWithEffects } from "@moneta/protocol/sentences";
import { symbolText } from "@moneta/sdk/text";
import type { Members, Session } from "../session/session.ts";
import { type Column, fits, keyValues, table } from "../terminal/table.ts";
import { NOTHING_VISIBLE, visible } from "../terminal/visible-text.ts";
import { amountText, type TokenUnits } from "../values/amounts.ts";
import { timeText, utcText } from "../values/times.ts";
import { priceEach, type WireOffer } from "../values/token-price.ts";
import { USERS_NAMES, usersWord } from "../values/users-words.ts";
import { ENTRIES_NAMED_MAX, type Naming, sentenceText, shortIfId } from "./sentence.ts";

export type AmountText = (units: string, token: string) => string;

export type EachText = (
  offer: WireOffer,
  tokens: { readonly goods: string; readonly money: string },
) => string;

export interface View {
  /** `member` or `TITLE:member`; by default the first members. */
  readonly columns?: readonly string[];
  /** With their token: a member, `=` and a parameter of the request, or `NATIVE`. */
  readonly amounts?: Readonly<Record<string, string>>;
  readonly csv?: View;
  /** Whether `what` and each effect become sentences. Lists shorten ids without `--full`. */
  readonly areRecords?: true;
  /** The member with an item's id; its name becomes the member `name`. */
  readonly item?: string;
  readonly areTokens?: true;
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  readonly shown?: (members: Members, amount: AmountText, each: EachText) => Members;
}

export const NATIVE = "=";

const TITLES: Readonly<Record<string, string>> = {
  ...USERS_NAMES,
  createdate: "created",
  unlockdate: "unlocks",
  regdate: "listed",
  timestamp: "time",
  sn: "block",
  db_sn: "block",
  db_id: "block id",
  mrc010: "token",
  mrc010dexid: "listing",
  mrc402dexid: "listing",
  mrc402dexids: "listings",
  remainqtt: "remaining",
  mrc400: "project",
  mrc401ids: "items",
  mrc402: "item",
  mrc402ids: "items",
  remain_amount: "remaining",
  burnningamount: "burned",
  circulation_supply: "circulating",
  remainamount: "held by owner",
  saleamount: "on sale",
  auctionamount: "on auction",
  validationCode: "validation",
  meltint_fee: "melting fee",
  meltedamount: "melted",
  burnedamount: "burned",
  sell_dexid: "sale",
  auction_dexid: "auction",
  offerid: "offer",
};

const TWICE: Readonly<Record<string, string>> = {
  txid: "transaction_id",
  meltint_fee: "melting_fee",
};

const WORDS: ReadonlySet<string> = new Set(["kind", "side", "state", "status"]);

const RATES: ReadonlySet<string> = new Set([
  "sell_fee",
  "melting_fee",
  "meltint_fee",
  "creatorcommission",
  "platform_commission",
]);

export async function recordText(
  record: Members,
  view: View,
  params: Members,
  session: Session,
): Promise<string> {
  const described = await withSentences(
    [record],
    view,
    { isWhole: true, namesItems: true },
    session,
  );
  const { records, units } = await prepared(described, view, params, session);
  const [shown = record] = records;
  const place = (name: string): number => {
    const index = view.order?.indexOf(name) ?? -1;
    return index === -1 ? Number.POSITIVE_INFINITY : index;
  };
  const pairs = Object.entries(shown)
    .toSorted(([a], [b]) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
    .filter(([name, value]) => !((TWICE[name] ?? "") in shown) && !isNothing(name, value))
    .filter(([name]) => view.hidden?.includes(name) !== true)
    .map(([name, value]): [string, string] => [
      titleOf(name),
      valueText(name, value, { record: shown, view, params, units, isLong: true }),
    ]);
  return keyValues(pairs, session.output);
}

export async function listText(
  entries: readonly Members[],
  view: View,
  params: Members,
  session: Session,
): Promise<string> {
  const { columns, rows } = await cellsOf(entries, view, { params, isCsv: false }, session);
  const { output } = session;
  const isWhole = session.isFull || fits(columns, rows, output.width);
  return table(columns, isWhole ? rows : rows.map(withShortParties), output);
}

/** Of a list that is too wide. The first column is what the list is of. */
function withShortParties([first = "", ...others]: readonly string[]): readonly string[] {
  return [first, ...others.map((text) => (PARTY.test(text) ? shortIfId(text) : text))];
}

const PARTY = /^(?:MT[0-9A-Za-z]{38}|[0-9a-f]{64})$/;

/** RFC 4180, with times in UTC and without formulas. */
export async function listCsv(
  entries: readonly Members[],
  view: View,
  params: Members,
  session: Session,
): Promise<string> {
  const { columns, rows } = await cellsOf(entries, view, { params, isCsv: true }, session);
  return [columns.map(({ title }) => title.toLowerCase()), ...rows].map(signedCsvLine).join("");
}

async function cellsOf(
  entries: readonly Members[],
  view: View,
  { params, isCsv }: { readonly params: Members; readonly isCsv: boolean },
  session: Session,
): Promise<{ readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] }> {
  const isShort = view.areRecords === true && !isCsv && !session.isFull;
  const described = await withSentences(
    entries,
    view,
    {
      isWhole: !isShort,
      namesItems: !isCsv && entries.length <= ENTRIES_NAMED_MAX,
      own: params["address"] as string,
    },
    session,
  );
  const named =
    view.item === undefined || isCsv || entries.length > ENTRIES_NAMED_MAX
      ? described
      : await withNames(described, view.item, session);
  const { records: shown, units } = await prepared(named, view, params, session);
  const columns = (view.columns ?? Object.keys(shown[0] ?? {}).slice(0, 6)).map((column) => {
    const [title, name = title] = column.split(":") as [string, string?];
    const isNumber =
      view.amounts?.[name] !== undefined ||
      shown.every(
        (entry) => /^[0-9]*$/.test(String(entry[name] ?? "")) && !isTime(name, entry[name]),
      );
    const shownTitle = (column.includes(":") ? title : titleOf(name)).toUpperCase();
    return { name, title: shownTitle, isNumber, isMain: name === "what" };
  });
  const rows = shown.map((record) =>
    columns.map(({ name }) => {
      if (isNothing(name, record[name])) {
        return "";
      }
      if (isCsv && isTime(name, record[name])) {
        return utcText(record[name] as number);
      }
      const of = { record, view, params, units, isLong: false, isCsv };
      const text = valueText(name, record[name], of);
      return isShort && name === "id" ? shortIfId(text) : text;
    }),
  );
  return { columns, rows };
}

async function withNames(
  entries: readonly Members[],
  item: string,
  session: Session,
): Promise<readonly Members[]> {
  return await Promise.all(
    entries.map(async (entry) => ({ ...entry, name: await session.nameOf(String(entry[item])) })),
  );
}

async function withSentences(
  entries: readonly Members[],
  { areRecords }: View,
  naming: Naming,
  session: Session,
): Promise<readonly Members[]> {
  if (areRecords !== true) {
    return entries;
  }
  const sentence = (record: unknown): Promise<string> =>
    sentenceText(record as RecordWithEffects, naming, session);
  return await Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      what: await sentence(entry),
      effects: await Promise.all(((entry["effects"] ?? []) as readonly unknown[]).map(sentence)),
    })),
  );
}

async function prepared(
  given: readonly Members[],
  view: View,
  params: Members,
  session: Session,
): Promise<{
  readonly records: readonly Members[];
  readonly units: ReadonlyMap<string, TokenUnits>;
}> {
  const tokens = new Set<string>();
  const shown = (amount: AmountText, each: EachText): readonly Members[] =>
    given.map((record) => view.shown?.(record, amount, each) ?? record);
  // The first pass collects tokens, the second formats amounts.
  const before = shown(
    (amount, token) => {
      tokens.add(token);
      return amount;
    },
    (offer, { goods, money }) => {
      tokens.add(goods).add(money);
      return offer.price;
    },
  );
  const units = await unitsFor(before, { view, params, others: tokens }, session);
  const records = shown(
    (amount, token) => {
      const known = units.get(token);
      return known === undefined ? amount : amountText(amount, known);
    },
    (offer, tokens) => eachText(offer, tokens, units),
  );
  return { records, units };
}

/** The wire's price if the tokens are unknown. */
function eachText(
  offer: WireOffer,
  tokens: { readonly goods: string; readonly money: string },
  known: ReadonlyMap<string, TokenUnits>,
): string {
  const [goods, money] = [known.get(tokens.goods), known.get(tokens.money)];
  return goods === undefined || money === undefined
    ? `${offer.price} for ${offer.min_trade_unit}`
    : priceEach(offer, { goods, money });
}

interface Place {
  readonly record: Members;
  readonly view: View;
  readonly params: Members;
  readonly units: ReadonlyMap<string, TokenUnits>;
  readonly isLong: boolean;
  readonly isCsv?: boolean;
}

function valueText(name: string, value: unknown, place: Place): string {
  const token = tokenOf(name, place);
  const units = token === undefined ? undefined : place.units.get(token);
  if (units !== undefined && /^[0-9]+$/.test(String(value))) {
    return visible(amountText(String(value), units));
  }
  if (name === "symbol" && place.isCsv !== true) {
    return visible(symbolText(String(value), NOTHING_VISIBLE));
  }
  if (WORDS.has(name)) {
    return visible(usersWord(String(value)));
  }
  if (RATES.has(name)) {
    return `${visible(String(value))} %`;
  }
  if (isTime(name, value)) {
    return timeText(value as number, place.isLong);
  }
  if (Array.isArray(value)) {
    const lines = value.map((each) => (typeof each === "string" ? visible(each) : compact(each)));
    return lines.join(place.isLong ? "\n" : " ");
  }
  if (place.isLong && typeof value === "string" && value.startsWith("data:")) {
    return `a ${visible(value.slice(0, DATA_HEAD_MAX).split(/[;,]/)[0] ?? "")} URL of ${value.length} characters, with --json whole`;
  }
  return typeof value === "object" && value !== null ? compact(value) : visible(String(value));
}

/** A media type of usual length. */
const DATA_HEAD_MAX = 40;

function compact(value: unknown): string {
  return visible(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}` : each)));
}

function tokenOf(
  name: string,
  { record, view, params }: Pick<Place, "record" | "view" | "params">,
): string | undefined {
  const where = view.amounts?.[name];
  if (where === undefined) {
    return undefined;
  }
  const token =
    where === NATIVE ? "0" : where.startsWith("=") ? params[where.slice(1)] : record[where];
  return token === undefined || token === "" ? undefined : String(token);
}

/** Of all tokens in amounts; none with --units. */
async function unitsFor(
  records: readonly Members[],
  {
    view,
    params,
    others,
  }: { readonly view: View; readonly params: Members; readonly others: ReadonlySet<string> },
  session: Session,
): Promise<ReadonlyMap<string, TokenUnits>> {
  if (session.isInUnits || view.amounts === undefined) {
    return new Map();
  }
  if (view.areTokens) {
    for (const { id, symbol, decimal } of records as readonly (Members & TokenUnits)[]) {
      session.learn({ id, symbol, decimal });
    }
  }
  const names = Object.keys(view.amounts);
  const tokens = records.flatMap((record) =>
    names
      .filter((name) => !isNothing(name, record[name]))
      .flatMap((name) => tokenOf(name, { record, view, params }) ?? []),
  );
  const units = [...new Set([...tokens, ...others])].map(
    async (token) => [token, await session.units(token)] as const,
  );
  return new Map(await Promise.all(units));
}

function titleOf(name: string): string {
  return TITLES[name] ?? name.replaceAll("_", " ");
}

function isTime(name: string, value: unknown): boolean {
  return (
    typeof value === "number" &&
    /(date|timestamp|auction_end|latest_end|^opened|^end|^sell_start|^sell_end|^held_since|^frozen|^until|^ended)$/.test(
      name,
    )
  );
}

const PRICE = /^(sell|buy|auction|last_trade|initial|face)_/;
const FEE = /(fee|commission)$/;

function isNothing(name: string, value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (value === 0 && isTime(name, value)) ||
    ((PRICE.test(name) || FEE.test(name)) && (value === "0" || value === 0)) ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}
