import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { PROJECT } from "../../../ledger/testing/trade/creations.ts";
import { createWallet, fund, temporaryKeys, type Wallet } from "../clients/wallet.ts";
import { type LightResponse, lightFetch } from "../light-fetch.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { newKey } from "../test-node.ts";
import {
  headersOf,
  isLater,
  pathOf,
  post,
  type Request,
  refusalOf,
  requestOf,
  shownBy,
  signed,
  type Target,
} from "./group-requests.ts";
import {
  type Answer,
  type Attempt,
  LIST_END,
  type Read,
  type Wish,
  type World,
  type Write,
} from "./ledger-model.ts";

const ADDRESSES = 4; // at first
const ADDRESSES_MAX = 7;
const ITEMS = 3;
/** So small that the order of payments decides which can be paid. */
const FUNDS = 100n;
const AMOUNT_MAX = 60;
/** Temporary keys per request: the request is a read, and should be rare. */
const KEYS = 200;
const PAUSE_MS = 100; // before repeating a write without a final response
const TRIES_MAX = 600;
/** Items are sold and given by their holder, as far as is known, in so many percent. */
const BY_HOLDER = 70;
/** Percentage of writes without a final response that are never repeated. */
const GIVEN_UP = 30;
/** Transactions that are read at the end, at most. */
const READ_AGAIN_MAX = 100;

export interface GroupOptions {
  /** Bytes of a memo behind its mark, at most: blocks fill a disk faster with it. */
  readonly ballastMax?: number;
  /** Gets `sends KEY` before each sending of a write, then `ID KEY`, `refused KEY` or `other KEY`. */
  readonly note?: (text: string) => void;
}

/** Addresses and items that only this group uses, and all requests about them. */
export class ClientGroup {
  readonly world: World;
  readonly attempts: Attempt[] = [];
  /** The addresses; those made by the clients come last. */
  readonly wallets: Wallet[];
  readonly items: readonly string[];
  readonly project: string;
  readonly open = new Set<Write>();
  readonly done: { readonly write: Write; readonly id: string }[] = [];
  readonly #keys = new Map<string, string[]>();
  /** The holders of the items, as far as responses show. */
  readonly #holders: Map<string, string>;
  readonly #byMark = new Map<string, Write>();
  readonly #newKeys = new Map<Write, Wallet["privateKey"]>();
  readonly #random: SeededRandom;
  readonly #ledgerId: string;
  readonly #options: GroupOptions;
  #writes = 0;

  private constructor(
    parts: Pick<ClientGroup, "wallets" | "items" | "project"> & { readonly ledgerId: string },
    random: SeededRandom,
    options: GroupOptions,
  ) {
    this.#options = options;
    this.wallets = parts.wallets;
    this.items = parts.items;
    this.project = parts.project;
    this.#ledgerId = parts.ledgerId;
    this.#random = random;
    this.#holders = new Map(parts.items.map((item, n) => [item, holderOf(parts.wallets, n)]));
    this.world = {
      balances: new Map(parts.wallets.map(({ address }) => [address, FUNDS])),
      items: new Map([...this.#holders].map(([item, holder]) => [item, { holder, price: 0n }])),
    };
  }

  static async make(
    url: string,
    random: SeededRandom,
    options: GroupOptions = {},
  ): Promise<ClientGroup> {
    const wallets = await Promise.all(
      Array.from({ length: ADDRESSES }, async () => {
        const wallet = await createWallet(url);
        await fund(url, wallet, FUNDS);
        return wallet;
      }),
    );
    const maker = await createWallet(url);
    const tkeys = await temporaryKeys(url, { address: maker.address, count: 2 + ITEMS });
    const send = async (
      fields: string,
      path: string,
      params: Request["params"],
    ): Promise<string> => {
      const all: Request["params"] = { ...params, tkey: tkeys.pop() as string };
      const response = await post(url, signed({ path, params: all }, fields, maker));
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return text;
    };
    const project = await send(
      "owner|name|url|imageurl|category|itemurl|itemimageurl|partner|data|tkey",
      "/mrc400",
      { ...PROJECT, owner: maker.address },
    );
    const itemdata = JSON.stringify(Array.from({ length: ITEMS }, () => ({})));
    const created = await send("mrc400id|itemdata|tkey", `/mrc401/${project}`, {
      ...{ mrc400id: project, creator: maker.address, itemdata },
    });
    const items = (JSON.parse(created) as { mrc401ids: string[] }).mrc401ids.sort();
    for (const [n, item] of items.entries()) {
      await send("fromAddr|toAddr|mrc401id|tkey", `/mrc401/transfer/${item}`, {
        ...{ mrc401id: item, fromAddr: maker.address, toAddr: holderOf(wallets, n) },
      });
    }
    const service = (await (await fetch(`${url}/`)).json()) as { readonly ledger_id: string };
    const ledgerId = service.ledger_id;
    return new ClientGroup({ wallets, items, project, ledgerId }, random, options);
  }

  /** A write with a key of its signer; undefined if no node responds. */
  async write(url: string, wish: Wish, givenKey?: string): Promise<Write | undefined> {
    this.#writes += 1;
    const name = `m${this.#writes}`;
    const key =
      givenKey ?? (wish.kind === "open" ? `key-${name}` : await this.#takeKey(url, wish.by));
    if (key === undefined) {
      return undefined;
    }
    // Records of payments and addresses show a text of the client, others the temporary key.
    const mark = wish.kind === "pay" || wish.kind === "open" ? name : key;
    const { ballastMax = 0 } = this.#options;
    const ballast = "x".repeat(
      ballastMax === 0 ? 0 : this.#random.integer({ min: 0, max: ballastMax }),
    );
    const write = { wish, key, mark, ballast };
    this.#byMark.set(mark, write);
    return write;
  }

  /** Sends a write, the first time or again, and records the response. */
  async send(client: string, target: Target, write: Write): Promise<Attempt> {
    this.open.add(write);
    const request = requestOf(write, this.#signerOf(write), this.#ledgerId);
    this.#options.note?.(`sends ${write.key}`);
    const attempt = await this.#record({ client, target, sent: write }, async () => {
      const headers = { ...headersOf(target), ...request.headers };
      const response = await post(target.url, { ...request, headers });
      const text = await response.text();
      const id = response.headers.get("transaction-id");
      const nextKey = response.headers.get("replay-nonce");
      if (nextKey !== null && write.wish.kind !== "open") {
        this.#keys.get(write.wish.by)?.push(nextKey);
      }
      if (response.status !== 200) {
        return { response, answer: refusalOf(response.status, text) };
      }
      assert.ok(id !== null, text);
      const { kind } = write.wish;
      const made = kind === "open" ? { made: text } : {};
      const paid = kind === "bundle" ? { paid: paidBy(text) } : {};
      return { response, answer: { is: "done", id, ...made, ...paid } };
    });
    const { answer } = attempt;
    this.#options.note?.(`${noteOf(answer)} ${write.key}`);
    if (answer?.is === "done" && !this.done.some((one) => one.write === write)) {
      this.done.push({ write, id: answer.id });
      this.#note(write, answer.made);
    }
    if (answer !== undefined && !isLater(answer)) {
      this.open.delete(write);
    }
    return attempt;
  }

  /** Sends a read, and records its result. `isWhole`: all pages of a list. */
  read(client: string, target: Target, read: Read, isWhole = false): Promise<Attempt> {
    return this.#record({ client, target, sent: read }, async () => {
      const get = async (path: string): Promise<{ response: LightResponse; text: string }> => {
        const response = await lightFetch(target.url + path, { headers: headersOf(target) });
        return { response, text: await response.text() };
      };
      const path = pathOf(read, this.project);
      const { response, text } = await get(path);
      if (response.status !== 200) {
        const refused = refusalOf(response.status, text);
        return {
          response,
          answer: isLater(refused) ? undefined : { is: "shown", shown: refused.code },
        };
      }
      let shown = this.#shown(read, text);
      for (let page = text; isWhole && read.kind === "history" && !shown.includes(LIST_END); ) {
        const { cursor } = JSON.parse(page) as { readonly cursor: string };
        page = (await get(`${path}&cursor=${encodeURIComponent(cursor)}`)).text;
        shown = [...shown, ...this.#shown(read, page)];
      }
      // A bundle has several records of an address.
      shown = read.kind === "history" ? [...new Set(shown as readonly string[])] : shown;
      return { response, answer: { is: "shown", shown } };
    });
  }

  async finish(target: Target): Promise<void> {
    const client = "at the end";
    for (const write of this.open) {
      if (this.#random.integer({ min: 1, max: 100 }) <= GIVEN_UP) {
        this.open.delete(write);
      }
    }
    for (let tries = 0; this.open.size > 0; tries += 1) {
      assert.ok(tries < TRIES_MAX, `no final answer to ${[...this.open].map(({ mark }) => mark)}`);
      await Promise.all([...this.open].map((write) => this.send(client, target, write)));
      await delay(this.open.size > 0 ? PAUSE_MS : 0);
    }
    const reads: Read[] = [
      ...this.wallets.flatMap(({ address: of }) =>
        (["balance", "history", "owned"] as const).map((kind) => ({ kind, of })),
      ),
      ...this.items.map((of) => ({ kind: "item", of }) as const),
      ...this.done
        .slice(-READ_AGAIN_MAX)
        .map(({ id: of }) => ({ kind: "transaction", of }) as const),
      { kind: "onSale", of: "" },
    ];
    for (let left = reads, tries = 0; left.length > 0; tries += 1) {
      assert.ok(tries < TRIES_MAX, `no answer to ${JSON.stringify(left[0])}`);
      const shown = await Promise.all(left.map((read) => this.read(client, target, read, true)));
      left = left.filter((_, index) => shown[index]?.answer === undefined);
      await delay(left.length > 0 ? PAUSE_MS : 0);
    }
  }

  async #record(
    {
      client,
      target: { url, newest = 0 },
      sent,
    }: { readonly client: string; readonly target: Target; readonly sent: Write | Read },
    ask: () => Promise<{ readonly response: LightResponse; readonly answer: Answer | undefined }>,
  ): Promise<Attempt> {
    const begin = performance.now();
    let attempt: Attempt;
    try {
      const { response, answer } = await ask();
      const height = Number(response.headers.get("ledger-height"));
      const end = performance.now();
      attempt = { client, url, sent, begin, end, answer, height };
      const isBehind = answer === undefined || isLater(answer);
      assert.ok(isBehind || height >= newest, `block ${height} instead of ${newest} or later`);
    } catch (error) {
      if (!(error instanceof TypeError && error.cause !== undefined)) {
        throw error; // no lost connection
      }
      const end = Number.POSITIVE_INFINITY;
      attempt = { client, url, sent, begin, end, answer: undefined, height: undefined };
    }
    this.attempts.push(attempt);
    return attempt;
  }

  async #takeKey(url: string, address: string): Promise<string | undefined> {
    const keys = this.#keys.get(address) ?? [];
    this.#keys.set(address, keys);
    if (keys.length === 0) {
      const response = await lightFetch(`${url}/nonce/${address}?count=${KEYS}`).catch(
        () => undefined,
      );
      const text = await response?.text();
      keys.push(...(response?.ok && text !== undefined ? (JSON.parse(text) as string[]) : []));
    }
    return keys.pop();
  }

  #note(write: Write, made: string | undefined): void {
    const { wish } = write;
    if (wish.kind === "buy" || wish.kind === "give") {
      this.#holders.set(wish.item, wish.kind === "buy" ? wish.by : wish.to);
    }
    const privateKey = this.#newKeys.get(write);
    if (made !== undefined && privateKey !== undefined) {
      this.wallets.push({ address: made, privateKey });
    }
  }

  /** The signer of a write: its address, or the key of the address that it makes. */
  #signerOf(write: Write): Pick<Wallet, "privateKey"> {
    const { wish } = write;
    if (wish.kind !== "open") {
      return this.wallets.find(({ address }) => address === wish.by) as Wallet;
    }
    const privateKey = this.#newKeys.get(write) ?? newKey();
    this.#newKeys.set(write, privateKey);
    return { privateKey };
  }

  #shown(read: Read, text: string): string | readonly string[] {
    return shownBy(read, JSON.parse(text), (mark) => this.#byMark.has(mark));
  }

  async someWrite(
    url: string,
    kind: "pay" | "bundle" | "open" | "item",
  ): Promise<Write | undefined> {
    if (kind === "open" && this.wallets.length < ADDRESSES_MAX) {
      return this.write(url, { kind: "open" });
    }
    const [by, to] = this.#two();
    const amount = BigInt(this.#random.integer({ min: 1, max: AMOUNT_MAX }));
    if (kind === "bundle") {
      const payees = this.wallets.filter(({ address }) => address !== by);
      const payments = Array.from({ length: this.#random.integer({ min: 2, max: 4 }) }, () => ({
        to: this.#random.pick(payees).address,
        amount: BigInt(this.#random.integer({ min: 1, max: AMOUNT_MAX })),
      }));
      return this.write(url, { kind, by, payments, skips: this.#random.pick([true, false]) });
    }
    if (kind !== "item") {
      return this.write(url, { kind: "pay", by, to, amount });
    }
    const item = this.#random.pick(this.items);
    const what = this.#random.pick([
      "sell",
      "sell",
      "unsell",
      "buy",
      "buy",
      "buy",
      "give",
    ] as const);
    if (what === "buy") {
      return this.write(url, { kind: what, by, item });
    }
    const holder = this.#holders.get(item) ?? by;
    const isHolder = this.#random.integer({ min: 1, max: 100 }) <= BY_HOLDER;
    const seller = isHolder && holder !== to ? holder : by;
    switch (what) {
      case "sell":
        return this.write(url, { kind: what, by: seller, item, price: amount });
      case "unsell":
        return this.write(url, { kind: what, by: seller, item });
      case "give":
        return this.write(url, { kind: what, by: seller, item, to });
    }
  }

  rivalOf(url: string, { wish, key }: Write): Promise<Write | undefined> {
    assert.ok(wish.kind !== "open");
    const to = this.wallets.find(({ address }) => address !== wish.by)?.address as string;
    const amount = wish.kind === "pay" ? wish.amount + 1n : 1n;
    return this.write(url, { kind: "pay", by: wish.by, to, amount }, key);
  }

  someRead(): Read {
    const [of] = this.#two();
    const done = this.done.length > 0 ? this.#random.pick(this.done) : undefined;
    return this.#random.pick<Read>([
      { kind: "balance", of },
      { kind: "balance", of },
      { kind: "history", of },
      { kind: "owned", of },
      { kind: "onSale", of: "" },
      { kind: "item", of: this.#random.pick(this.items) },
      done === undefined ? { kind: "balance", of } : { kind: "transaction", of: done.id },
    ]);
  }

  #two(): readonly [string, string] {
    // The first ones are busy.
    const one = this.#random.pick([...this.wallets.slice(0, 2), ...this.wallets]);
    const other = this.#random.pick(this.wallets.filter((wallet) => wallet !== one));
    return [one.address, other.address];
  }
}

/** `refused`: nothing was written. */
function noteOf(answer: Answer | undefined): string {
  if (answer?.is === "done") {
    return answer.id;
  }
  return answer?.is === "refused" && answer.code === "9002" ? "refused" : "other";
}

function holderOf(wallets: readonly Wallet[], item: number): string {
  return (wallets[item % wallets.length] as Wallet).address;
}

/** Which operations of a bundle were done, a digit each. */
function paidBy(text: string): string {
  const { results } = JSON.parse(text) as { results: readonly { status: number }[] };
  return results.map(({ status }) => (status === 200 ? "1" : "0")).join("");
}
