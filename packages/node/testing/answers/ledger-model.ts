import assert from "node:assert/strict";
import { type Call, type Explanation, linearize } from "./linearization.ts";

/** The content of a write; `by` signs it. */
export type Wish =
  | { readonly kind: "pay"; readonly by: string; readonly to: string; readonly amount: bigint }
  | { readonly kind: "open" }
  | { readonly kind: "sell"; readonly by: string; readonly item: string; readonly price: bigint }
  | { readonly kind: "unsell"; readonly by: string; readonly item: string }
  | { readonly kind: "buy"; readonly by: string; readonly item: string }
  | { readonly kind: "give"; readonly by: string; readonly item: string; readonly to: string }
  | Bundle;

/** Payments under one signature: all or none, or those that `skips` does not leave out. */
export interface Bundle {
  readonly kind: "bundle";
  readonly by: string;
  readonly payments: readonly { readonly to: string; readonly amount: bigint }[];
  /** Whether payments above the balance are left out. */
  readonly skips: boolean;
}

/** A write, however often it is sent. */
export interface Write {
  readonly wish: Wish;
  /** Its temporary key, or that which makes the creation of an address repeatable. */
  readonly key: string;
  /** Identifies its records: no other write's records contain it. */
  readonly mark: string;
  /** Behind the mark in the memos of payments. */
  readonly ballast?: string;
}

export interface Read {
  readonly kind: "balance" | "item" | "transaction" | "history" | "owned" | "onSale";
  /** The address, item or transaction; of `onSale` nothing. */
  readonly of: string;
}

export type Answer =
  /** The write is done. `made`: the address that it has made; `paid`: which payments of a bundle. */
  | { readonly is: "done"; readonly id: string; readonly made?: string; readonly paid?: string }
  /** `spendable`: the payer's balance, from the refusal; `index`: the operation of a bundle. */
  | {
      readonly is: "refused";
      readonly code: string;
      readonly spendable?: bigint;
      readonly index?: number;
    }
  /**
   * The result of a read: one text, the code of its refusal, or the entries of a list. A
   * transaction is
   * `id mark`, that of a payment with the payer's balance after it; a history has the newest first,
   * and ends with `LIST_END` if no page follows.
   */
  | { readonly is: "shown"; readonly shown: string | readonly string[] };

/** A request that a client has sent. Times are those of the clients' clock, ms. */
export interface Attempt {
  readonly client: string;
  readonly url: string;
  readonly sent: Write | Read;
  readonly begin: number;
  readonly end: number;
  readonly answer: Answer | undefined;
  readonly height: number | undefined;
}

/** The state of some addresses that deal only with one another. */
export interface World {
  readonly balances: ReadonlyMap<string, bigint>;
  /** `price` is 0 for an item that is not on sale. */
  readonly items: ReadonlyMap<string, { readonly holder: string; readonly price: bigint }>;
}

interface State extends World {
  readonly doneByKey: ReadonlyMap<string, Done>;
  /** Transactions that concern each address, the newest first. */
  readonly histories: ReadonlyMap<string, readonly string[]>;
  /** The number of executed transactions with known ids, which are in this order. */
  readonly known: number;
}

interface Done {
  readonly write: Write;
  /** Of a bundle, which payments were done. */
  readonly paid: string | undefined;
  /** Its `GET /transaction` response. */
  readonly shown: string;
}

/** Refusals that guarantee that the request has changed nothing, whatever the state was. */
const NOTHING_WRITTEN: ReadonlySet<string> = new Set(["9001", "9002", "9003", "9006"]);
/** A refusal that leaves open whether the write is done. Source: conventions §3. */
const IN_DOUBT = "9004";

/**
 * Why no order of the concurrent requests explains all responses; undefined if one does.
 * `isComplete`: the histories of all addresses were read at the end, so other writes have not
 * happened.
 * `mayLag`: reads may show an earlier block than the newest, as at a node of a cluster.
 */
export function unexplained(
  attempts: readonly Attempt[],
  world: World,
  { isComplete, mayLag = false }: { readonly isComplete: boolean; readonly mayLag?: boolean },
): string | undefined {
  const facts = factsOf(attempts);
  if (typeof facts === "string") {
    return facts;
  }
  const ids = [...facts.values()].map(({ id }) => id).sort();
  const known = {
    ...{ facts, heights: ids.map(heightOf), isComplete, rankOf: rankIn(ids) },
    ...(mayLag ? { sentAt: firstSent(attempts, facts, ids) } : {}),
  };
  const calls = attempts.map((attempt) => callOf(attempt, known));
  const initial: State = { ...world, doneByKey: new Map(), histories: new Map(), known: 0 };
  const explanation = linearize(calls, { initial, keyOf });
  return explanation.kind === "explained" ? undefined : report(explanation);
}

/** Facts about a write from reads and from responses to any of its attempts. */
interface Facts {
  readonly id: string;
  readonly made?: string;
}

/** By the marks of writes that were done; text if a write has two ids, or two writes have one. */
function factsOf(attempts: readonly Attempt[]): ReadonlyMap<string, Facts> | string {
  const facts = new Map<string, Facts>();
  const marks = new Map<string, string>();
  const compared = new Set<string>();
  for (const { sent, answer } of attempts) {
    const found =
      answer?.is === "done"
        ? [`${answer.id} ${(sent as Write).mark}`]
        : answer?.is === "shown" && typeof answer.shown !== "string"
          ? answer.shown
          : [];
    // Each history repeats the entries of earlier ones.
    for (const entry of found.filter((each) => answer?.is === "done" || !compared.has(each))) {
      compared.add(entry);
      const [id = "", mark] = entry.split(" ");
      if (mark === undefined || mark === UNKNOWN_MARK) {
        continue;
      }
      const known = facts.get(mark);
      if (known !== undefined && known.id !== id) {
        return `${mark} has two transactions: ${known.id} and ${id}`;
      }
      if ((marks.get(id) ?? mark) !== mark) {
        return `transaction ${id} is that of ${marks.get(id)} and of ${mark}`;
      }
      const made = answer?.is === "done" ? answer.made : undefined;
      facts.set(mark, { ...known, id, ...(made === undefined ? {} : { made }) });
      marks.set(id, mark);
    }
  }
  return facts;
}

/** The mark of a record that no write of the clients has made. */
export const UNKNOWN_MARK = "?";

/** Follows the last entry of a list. */
export const LIST_END = "end";

interface Known {
  readonly facts: ReadonlyMap<string, Facts>;
  /** Blocks of the transactions, in their order. */
  readonly heights: readonly number[];
  readonly isComplete: boolean;
  /** If reads may lag: when each of the transactions was first sent. */
  readonly sentAt?: readonly number[];
  readonly rankOf: (id: string) => number;
}

function firstSent(
  attempts: readonly Attempt[],
  facts: ReadonlyMap<string, Facts>,
  ids: readonly string[],
): readonly number[] {
  const times = new Map<string | undefined, number>();
  for (const { sent, begin } of attempts) {
    const id = "wish" in sent ? facts.get(sent.mark)?.id : undefined;
    times.set(id, Math.min(begin, times.get(id) ?? begin));
  }
  return ids.map((id) => times.get(id) ?? 0);
}

function rankIn(ids: readonly string[]): Known["rankOf"] {
  const ranks = new Map(ids.map((id, rank) => [id, rank]));
  return (id) => ranks.get(id) as number;
}

/** An id begins with block and position, so ids are in the order of the ledger. Source: chain §4.3. */
function heightOf(id: string): number {
  return Number.parseInt(id.slice(0, 16), 16);
}

function callOf(attempt: Attempt, known: Known): Call<State> {
  const { client, sent, begin, end, answer, height } = attempt;
  const name = (): string =>
    `${client}: ${described(sent)}: ${described(answer)}, block ${height}, ${Math.round(begin)} to ${Math.round(end)} ms`;
  const call = { name, begin, end, isOptional: false };
  if (!("wish" in sent)) {
    assert.ok(answer?.is === "shown" || answer === undefined);
    if (answer === undefined || height === undefined) {
      return { ...call, isOptional: true, after: (state) => state };
    }
    const count = countUpTo(known.heights, height);
    // One that lags may be as early as the newest transaction that it shows: from 0 on, each would
    // be tried at every step.
    const shown = known.sentAt === undefined ? begin : (known.sentAt[count - 1] ?? 0);
    return {
      ...call,
      begin: Math.min(begin, shown),
      after: readAfter(sent, answer.shown, count),
    };
  }
  const isOpen = answer === undefined || (answer.is === "refused" && answer.code === IN_DOUBT);
  if (isOpen) {
    const mayBe = known.facts.has(sent.mark) || !known.isComplete;
    return {
      ...call,
      end: Number.POSITIVE_INFINITY,
      isOptional: true,
      after: (state) => (mayBe ? written(state, sent, known) : undefined),
    };
  }
  return { ...call, after: (state) => write(state, sent, answer, known) };
}

function countUpTo(heights: readonly number[], height: number): number {
  return heights.findLastIndex((each) => each <= height) + 1;
}

/** The state after a write with this response; undefined if the response is wrong in this state. */
function write(state: State, sent: Write, answer: Answer, known: Known): State | undefined {
  if (answer.is === "refused") {
    const expected = NOTHING_WRITTEN.has(answer.code) ? answer : refusal(state, sent);
    return expected?.code === answer.code &&
      expected.spendable === answer.spendable &&
      expected.index === answer.index
      ? state
      : undefined;
  }
  if (answer.is === "shown") {
    return undefined;
  }
  const earlier = state.doneByKey.get(sent.key);
  const after = earlier === undefined ? written(state, sent, known) : state;
  const done = after?.doneByKey.get(sent.key);
  return done?.paid !== answer.paid
    ? undefined
    : done?.write === sent
      ? after // perhaps a repeat; `factsOf` has compared the ids
      : undefined;
}

/** How a write is refused in this state; undefined if it is done, or was. Source: mrc401, accounts. */
function refusal(
  { doneByKey, balances, items }: State,
  { wish, key, mark }: Write,
): { readonly code: string; readonly spendable?: bigint; readonly index?: number } | undefined {
  const earlier = doneByKey.get(key);
  if (earlier !== undefined) {
    return earlier.write.mark === mark ? undefined : { code: "2021" };
  }
  if (wish.kind === "open") {
    return undefined;
  }
  const spendable = balances.get(wish.by) ?? 0n;
  if (wish.kind === "pay") {
    return spendable < wish.amount ? { code: "5001", spendable } : undefined;
  }
  if (wish.kind === "bundle") {
    const { paid, refused } = paidOf(wish, spendable);
    return wish.skips && paid.includes("1") ? undefined : refused;
  }
  const { holder, price } = items.get(wish.item) ?? { holder: "", price: 0n };
  if (wish.kind === "buy") {
    const code = holder === wish.by ? "3004" : price === 0n ? "7106" : undefined;
    return code !== undefined
      ? { code }
      : spendable < price
        ? { code: "5000", spendable }
        : undefined;
  }
  if (holder !== wish.by) {
    return { code: "7001" };
  }
  const isOnSale = price > 0n;
  if (wish.kind === "unsell") {
    return isOnSale ? undefined : { code: "7106" };
  }
  return isOnSale ? { code: "7108" } : undefined;
}

/** Which payments of a bundle are done, a digit each, and the first refusal. Source: bundles §4. */
function paidOf(
  { payments }: Bundle,
  balance: bigint,
): {
  readonly paid: string;
  readonly refused?: { readonly code: string; readonly spendable: bigint; readonly index: number };
} {
  let spendable = balance;
  let refused:
    | { readonly code: string; readonly spendable: bigint; readonly index: number }
    | undefined;
  const paid = payments.map(({ amount }, index) => {
    if (spendable < amount) {
      refused ??= { code: "5001", spendable, index };
      return "0";
    }
    spendable -= amount;
    return "1";
  });
  return { paid: paid.join(""), ...(refused === undefined ? {} : { refused }) };
}

/** The state after a write is done; undefined if it would be refused, or cannot have this id. */
function written(state: State, sent: Write, known: Known): State | undefined {
  const { id, made } = known.facts.get(sent.mark) ?? {};
  const isNext = id === undefined || known.rankOf(id) === state.known;
  if (state.doneByKey.has(sent.key) || refusal(state, sent) !== undefined || !isNext) {
    return undefined;
  }
  const balances = new Map(state.balances);
  const items = new Map(state.items);
  const histories = new Map(state.histories);
  const concerns = (...addresses: readonly string[]): void => {
    for (const address of addresses) {
      histories.set(address, [`${id} ${sent.mark}`, ...(histories.get(address) ?? [])]);
    }
  };
  const move = (from: string, to: string, amount: bigint): void => {
    balances.set(from, (balances.get(from) ?? 0n) - amount);
    balances.set(to, (balances.get(to) ?? 0n) + amount);
  };
  const { wish } = sent;
  const paid = wish.kind === "bundle" ? paidOf(wish, balances.get(wish.by) ?? 0n).paid : undefined;
  switch (wish.kind) {
    case "bundle": {
      const done = wish.payments.filter((_, index) => paid?.[index] === "1");
      for (const { to, amount } of done) {
        move(wish.by, to, amount);
      }
      concerns(...new Set([wish.by, ...done.map(({ to }) => to)]));
      break;
    }
    case "pay":
      move(wish.by, wish.to, wish.amount);
      concerns(wish.by, wish.to);
      break;
    case "open":
      if (made !== undefined) {
        balances.set(made, 0n);
        concerns(made);
      }
      break;
    case "sell":
    case "unsell": {
      items.set(wish.item, { holder: wish.by, price: wish.kind === "sell" ? wish.price : 0n });
      concerns(wish.by);
      break;
    }
    case "give":
      items.set(wish.item, { holder: wish.to, price: 0n });
      concerns(wish.by, wish.to);
      break;
    case "buy": {
      const { holder, price } = items.get(wish.item) as { holder: string; price: bigint };
      move(wish.by, holder, price);
      items.set(wish.item, { holder: wish.by, price: 0n });
      concerns(wish.by, holder);
      break;
    }
  }
  const left = wish.kind === "pay" ? ` ${balances.get(wish.by)}` : "";
  const doneByKey = new Map(state.doneByKey).set(sent.key, {
    write: sent,
    paid,
    shown: `${id} ${sent.mark}${left}`,
  });
  const rank = state.known + (id === undefined ? 0 : 1);
  return { balances, items, histories, doneByKey, known: rank };
}

/**
 * The state after a read with this result: the same state, or undefined if the result is wrong in
 * it. A read shows the effects of exactly the `known` transactions up to its block.
 */
function readAfter(
  { kind, of }: Read,
  shown: string | readonly string[],
  known: number,
): (state: State) => State | undefined {
  return (state) =>
    state.known === known && isShown(state, { kind, of }, shown) ? state : undefined;
}

/** Refusals of reads whose transaction or address is in a later block than theirs. */
const UNKNOWN = { transaction: "6008", address: "3090" } as const;
const OF_ADDRESSES: ReadonlySet<Read["kind"]> = new Set(["balance", "history", "owned"]);

function isShown(
  { balances, items, histories, doneByKey }: State,
  { kind, of }: Read,
  shown: string | readonly string[],
): boolean {
  if (OF_ADDRESSES.has(kind) && !balances.has(of)) {
    return shown === UNKNOWN.address;
  }
  switch (kind) {
    case "balance":
      return shown === String(balances.get(of));
    case "item": {
      const { holder, price } = items.get(of) ?? {};
      return shown === `${holder} ${price}`;
    }
    case "transaction": {
      const found = [...doneByKey.values()].find((done) => done.shown.startsWith(`${of} `));
      return isSame(shown, found === undefined ? UNKNOWN.transaction : [found.shown]);
    }
    case "owned":
      return isSame(
        shown,
        itemsWhere(items, ({ holder }) => holder === of),
      );
    case "onSale":
      return isSame(
        shown,
        itemsWhere(items, ({ price }) => price > 0n),
      );
    case "history": {
      const entries = [shown].flat();
      const known = entries.filter(
        (each) => each !== LIST_END && !each.endsWith(` ${UNKNOWN_MARK}`),
      );
      const all = histories.get(of) ?? [];
      // Entries from before the clients began are the oldest.
      const isWhole = known.length < entries.length;
      return isSame(known, isWhole ? all : all.slice(0, known.length));
    }
  }
}

function itemsWhere(
  items: World["items"],
  isWanted: (item: { readonly holder: string; readonly price: bigint }) => boolean,
): readonly string[] {
  return [...items]
    .filter(([, item]) => isWanted(item))
    .map(([id]) => id)
    .sort();
}

function isSame(shown: string | readonly string[], expected: string | readonly string[]): boolean {
  return JSON.stringify(shown) === JSON.stringify(expected);
}

function keyOf({ balances, items, doneByKey, known }: State): string {
  const all = [...balances, ...[...items].map(([id, { holder, price }]) => [id, holder, price])];
  return `${known} ${doneByKey.size} ${all.join(" ")}`;
}

/** The last calls that an order explains, the state there, and the calls that are not explained. */
function report({ kind, order, state, next }: Explanation<State>): string {
  const lines = [
    `${kind}: ${order.length} calls are explained, the last of them:`,
    ...order.slice(-15).map(({ name }) => `  ${name()}`),
    `then ${described([[...state.balances], [...state.items]])}, and no order of these:`,
    ...next.map(({ name }) => `  ${name()}`),
  ];
  return lines.join("\n");
}

/** As JSON, with short addresses, keys and ids: of an id its block and its end. */
function described(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
  return (
    text
      ?.replaceAll(/\b[0-9a-f]{58}(?=[0-9a-f]{6}\b)/g, (id) => `${heightOf(id)}…`)
      .replaceAll(/\w{6}(\w{20,})(?=\w{6})/g, (all) => `${all.slice(0, 6)}…`) ?? "no answer"
  );
}
