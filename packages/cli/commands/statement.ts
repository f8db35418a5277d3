import { decimalText, parseAmount, signedCsvLine } from "@moneta/protocol";
import { type MovedRecord, movementOf } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { balancePages } from "../session/balance-pages.ts";
import { namedToken } from "../session/named-token.ts";
import type { Members, Session } from "../session/session.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText } from "../values/amounts.ts";
import { secondsOf, TIME_FORMS, timeText, utcText } from "../values/times.ts";
import { recordSummary } from "../views/record-summary.ts";
import { payment } from "../views/record-views.ts";

/** Changes of balances by token, in the smallest unit, including locked amounts. */
type Movement = ReadonlyMap<string, bigint>;

const PAGE = 100;
/** Retries for balances that change between two pages. */
const ATTEMPTS_MAX = 5;

export const statement: Command = {
  words: "statement",
  about: "Shows the opening balances of an address, all changes, and the closing balances.",
  args: [
    { name: "address", about: "an address; the acting address if left out", isOptional: true },
  ],
  flags: [
    {
      name: "from",
      placeholder: "TIME",
      about: `when it begins, from the first record if left out: ${TIME_FORMS}`,
    },
    {
      name: "to",
      placeholder: "TIME",
      about: "when it ends, in the same forms; a day is included; now if left out",
    },
    { name: "token", placeholder: "TOKEN", about: "only this token" },
    { name: "csv", about: "print it for a spreadsheet, RFC 4180, times in UTC" },
  ],
  details:
    "Balances are all of an address, locked amounts included; what is held for offers, bids and reserves is in none. Amounts are exact: they are those of the records, counted back from what the address had at the end.",
  async run(given, session) {
    if (given.has("csv") && session.output.isJson) {
      throw new WrongUse("--csv and --json exclude each other: give one of them");
    }
    const span = spanOf(given);
    const named = given.get("token");
    const token = named && (await namedToken(named, "--token", session));
    if (token !== undefined && parseAmount(token) === undefined) {
      throw new WrongUse(
        `--token is "${token.slice(0, 40)}" but must be a token's id, symbol or name`,
      );
    }
    const address = given.get("address") ?? (await session.ownAddress());
    const made = await statementOf(address, { ...span, token }, session);
    if (session.output.isJson) {
      session.output.printJson(made);
    } else if (given.has("csv")) {
      session.output.print(await csvOf(made, session));
    } else {
      session.output.print(await textOf(made, session));
    }
    return EXIT.done;
  },
};

interface Span {
  /** Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
}

function spanOf(given: Given): Span {
  const [from, to] = [given.get("from"), given.get("to")];
  const isDay = to !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(to);
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : Number(secondsOf(to, "--to"));
  const span = {
    from: from === undefined ? 0 : Number(secondsOf(from, "--from")),
    to: isDay ? endOfDay(end) : end,
  };
  if (span.from > span.to) {
    throw new WrongUse("--from is after --to: the span ends before it begins");
  }
  return span;
}

/** The last second of a local day, which need not have 24 hours. */
function endOfDay(midnight: number): number {
  const day = new Date(midnight * 1000);
  return (
    Math.floor(new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() / 1000) - 1
  );
}

interface Statement {
  readonly address: string;
  /** Unix seconds; absent if unbounded. */
  readonly from?: number;
  readonly to?: number;
  readonly height: number;
  readonly opening: readonly Balance[];
  readonly entries: readonly Entry[];
  readonly closing: readonly Balance[];
}

interface Balance {
  readonly token: string;
  readonly balance: bigint;
}

interface Entry {
  readonly timestamp: number;
  readonly type: string;
  readonly token: string;
  readonly amount: bigint;
  readonly balance: bigint;
  readonly transaction_id: string;
  readonly with: string;
  readonly about: string;
  readonly memo: string;
}

/**
 * Counts back from the balances at the end of the span, or from the current ones if the node keeps
 * no earlier ones. Source: proofs §1.
 */
async function statementOf(
  address: string,
  { from, to, token }: Span & { readonly token: string | undefined },
  session: Session,
): Promise<Statement> {
  await assertComplete(address, from, session);
  const { clock } = await session.moneta();
  const ended = to < clock.now() ? await balancesAt(address, session, to) : undefined;
  const { height, balances } = ended ?? (await balancesNow(address, session));
  const isWanted = (id: string): boolean => token === undefined || id === token;
  const inside: { readonly record: Members; readonly moved: Movement }[] = [];
  const until = ended === undefined ? undefined : to;
  for await (const record of historySince(address, { from, height, until }, session)) {
    const moved = movementOf(record as never as MovedRecord).tokens;
    if (Number(record["timestamp"]) <= to) {
      inside.push({ record, moved });
    } else {
      addTo(balances, moved, -1n);
    }
  }
  const closing = listed(balances, isWanted);
  const entries: Entry[] = [];
  for (const { record, moved } of inside) {
    for (const [id, amount] of moved) {
      if (isWanted(id)) {
        entries.push(entryOf(record, { token: id, amount, balance: balances.get(id) ?? 0n }));
      }
    }
    addTo(balances, moved, -1n);
  }
  return {
    address,
    ...(from === 0 ? {} : { from }),
    ...(to === Number.MAX_SAFE_INTEGER ? {} : { to }),
    height,
    opening: listed(balances, isWanted),
    entries: entries.reverse(),
    closing,
  };
}

/** Before the node's oldest block an opening balance would be wrong. Source: proofs §5.6. */
async function assertComplete(address: string, from: number, session: Session): Promise<void> {
  const read = async (name: string, params: Readonly<Record<string, string>>): Promise<Members> =>
    (await session.request(name, params)).body as Members;
  const { first_block: first, archive } = await read("service", {});
  if (first === undefined) {
    return;
  }
  const { timestamp } = await read("block", { block: String(first) });
  const { createdate } = await read("addressRead", { address });
  const since = Number(timestamp) + 1;
  if (Math.max(from, Number(createdate)) < since) {
    const where =
      archive === undefined ? "" : `, which are in the archive ${visible(String(archive))}`;
    throw new WrongUse(
      `this node has no blocks before ${timeText(since)}${where}: give --from @${since} or later, or --url of a node that has them`,
    );
  }
}

function entryOf(record: Members, changed: Pick<Entry, "token" | "amount" | "balance">): Entry {
  const { with: other, about } = recordSummary(record);
  return {
    timestamp: Number(record["timestamp"]),
    type: String(record["type"]),
    ...changed,
    transaction_id: String(record["id"]),
    with: other,
    about,
    memo: String(payment(record)["memo"] ?? ""),
  };
}

function addTo(balances: Map<string, bigint>, moved: Movement, sign: bigint): void {
  for (const [token, amount] of moved) {
    balances.set(token, (balances.get(token) ?? 0n) + sign * amount);
  }
}

function listed(
  balances: ReadonlyMap<string, bigint>,
  isWanted: (token: string) => boolean,
): readonly Balance[] {
  return [...balances]
    .filter(([token, balance]) => isWanted(token) && (balance !== 0n || token === "0"))
    .map(([token, balance]) => ({ token, balance }))
    .toSorted((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1));
}

interface BalancesAt {
  readonly height: number;
  readonly balances: Map<string, bigint>;
}

async function balancesAt(
  address: string,
  session: Session,
  at: number,
): Promise<BalancesAt | undefined> {
  try {
    return await balancesNow(address, session, { at: String(at) });
  } catch (thrown) {
    const { code } = thrown as { readonly code?: string };
    if (code === "6012" || code === "1101" || code === "3090") {
      return undefined; // or the ledger or the address began later
    }
    throw thrown;
  }
}

async function balancesNow(
  address: string,
  session: Session,
  at: { readonly at?: string } = {},
): Promise<BalancesAt> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const balances = new Map<string, bigint>([["0", 0n]]);
    const heights = new Set<string | null>();
    for await (const { body, headers } of balancePages("balance", { address, ...at }, session)) {
      heights.add(headers.get("ledger-height"));
      for (const { token, balance } of body as readonly { token: string; balance: string }[]) {
        balances.set(token, (balances.get(token) ?? 0n) + BigInt(balance));
      }
    }
    const [height] = heights;
    if (heights.size === 1) {
      return { height: Number(height), balances };
    }
  }
  throw new WrongUse(`the balances of ${address} change faster than they can be read: try again`);
}

interface Page {
  readonly items: readonly Members[];
  readonly cursor?: string;
}

async function* historySince(
  address: string,
  {
    from,
    height,
    until,
  }: { readonly from: number; readonly height: number; readonly until: number | undefined },
  session: Session,
): AsyncGenerator<Members> {
  const params = {
    ...{ address, limit: String(PAGE) },
    ...(from > 0 && { since: String(from) }),
    ...(until !== undefined && { until: String(until) }),
  };
  const { everyItem } = await import("@moneta/sdk");
  for await (const record of everyItem(async (cursor) => {
    const page = { ...params, ...(cursor !== undefined && { cursor }) };
    return (await session.request("addressTransactions", page)).body as Page;
  })) {
    if (Number(record["db_sn"]) <= height) {
      yield record;
    }
  }
}

async function textOf(
  { address, from, to, height, opening, entries, closing }: Statement,
  session: Session,
): Promise<string> {
  const shown = async (token: string, amount: bigint): Promise<string> => {
    const text = await inTokens(token, amount < 0n ? -amount : amount, session);
    return amount < 0n ? `-${text}` : text;
  };
  const sums = async (title: string, balances: readonly Balance[]): Promise<string> => {
    const lines = await Promise.all(balances.map(({ token, balance }) => shown(token, balance)));
    return [`${title}:`, ...(lines.length === 0 ? ["nothing"] : lines)].join("\n  ");
  };
  const rows = await Promise.all(
    entries.map(async (entry) => [
      timeText(entry.timestamp),
      entry.type,
      `${entry.amount > 0n ? "+" : ""}${await shown(entry.token, entry.amount)}`,
      await shown(entry.token, entry.balance),
      visible(entry.with),
      visible(entry.about),
      visible(entry.memo),
      entry.transaction_id,
    ]),
  );
  const since = from === undefined ? "from the beginning" : `from ${timeText(from)}`;
  const until = to === undefined ? `to block ${height}` : `to ${timeText(to)}`;
  const columns = [
    { title: "TIME" },
    { title: "TYPE" },
    { title: "AMOUNT", isNumber: true },
    { title: "BALANCE", isNumber: true },
    ...["WITH", "ABOUT", "MEMO", "TRANSACTION"].map((title) => ({ title })),
  ];
  return [
    `${visible(address)}, ${since} ${until}`,
    await sums("opening balance", opening),
    rows.length === 0 ? "nothing has changed" : table(columns, rows, session.output),
    await sums("closing balance", closing),
  ].join("\n\n");
}

async function csvOf(
  { opening, entries, closing, from, to }: Statement,
  session: Session,
): Promise<string> {
  const number = async (token: string, amount: bigint): Promise<string> => {
    const { decimal } = session.isInUnits ? { decimal: 0 } : await session.units(token);
    const size = amount < 0n ? -amount : amount;
    return `${amount < 0n ? "-" : ""}${decimalText(size as never, decimal)}`;
  };
  const symbol = async (token: string): Promise<string> => (await session.units(token)).symbol;
  const sums = (title: string, time: number | undefined, balances: readonly Balance[]) =>
    balances.map(async ({ token, balance }) => [
      ...[time === undefined ? "" : utcText(time), title, "", await number(token, balance)],
      ...[token, await symbol(token)],
    ]);
  const changes = entries.map(async ({ timestamp, type, token, amount, balance, ...entry }) => [
    ...[utcText(timestamp), type, await number(token, amount), await number(token, balance)],
    ...[token, await symbol(token), entry.with, entry.about, entry.memo, entry.transaction_id],
  ]);
  const lines = await Promise.all([
    ...sums("opening balance", from, opening),
    ...changes,
    ...sums("closing balance", to, closing),
  ]);
  const titles = [
    "time",
    "type",
    "amount",
    "balance",
    "token",
    "symbol",
    "with",
    "about",
    "memo",
    "transaction",
  ];
  return [titles, ...lines.map((line) => titles.map((_, index) => line[index] ?? ""))]
    .map(signedCsvLine)
    .join("");
}

async function inTokens(token: string, amount: bigint, session: Session): Promise<string> {
  return session.isInUnits
    ? `${amount} of token ${token}`
    : visible(amountText(String(amount), await session.units(token)));
}
