import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { PROJECT } from "../../../ledger/testing/trade/creations.ts";
import { createWallet, fund, temporaryKeys, type Wallet } from "../clients/wallet.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { newKey, publicPem, signatureOf } from "../test-node.ts";
import {
  type Answer,
  type Attempt,
  LIST_END,
  type Read,
  UNKNOWN_MARK,
  unexplained,
  type Wish,
  type World,
  type Write,
} from "./ledger-model.ts";

const ADDRESSES = 4; // in a group, at first
const ADDRESSES_MAX = 7;
const ITEMS = 3;
/** So little that what can be paid depends on the order of payments. */
const FUNDS = 100n;
const AMOUNT_MAX = 60;
const ANSWER_WITHIN_MS = 120_000;
const PAUSE_MS = 100; // after a refusal that says "later"

/** Answers that are not final: the same request again gets another one. */
const LATER = /^900[12346]$/;

/** Of a client's turns, in percent; the rest are reads. */
const TURNS = { pay: 40, open: 3, item: 20, again: 5 } as const;
/** Items are sold and given by their holder, as far as is known, in so many percent. */
const BY_HOLDER = 70;
/** Writes without a final answer that are never repeated, in percent. */
const GIVEN_UP = 30;
/** Transactions that are read at the end, at most. */
const READ_AGAIN_MAX = 100;
/** Of writes, in percent: sent twice at once; sent at once with another one of the same key. */
const WAYS = { twice: 8, rival: 8 } as const;

interface Request {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Concurrent clients of one node, or of the nodes of a cluster, which record what they send and
 * what is answered. They form groups; only the addresses of a group deal with one another, so that
 * each group is explained by itself. A client sends one request at a time, or two at once.
 */
export class RecordingClients {
  readonly groups: readonly Group[];
  readonly #clients: readonly Client[];

  private constructor(groups: readonly Group[], clients: readonly Client[]) {
    this.groups = groups;
    this.#clients = clients;
  }

  /** Makes addresses with coins, and items. The node must have the faucet. */
  static async prepare(
    url: string,
    random: SeededRandom,
    { groups, clients }: { readonly groups: number; readonly clients: number },
  ): Promise<RecordingClients> {
    const made = await Promise.all(Array.from({ length: groups }, () => Group.make(url, random)));
    return new RecordingClients(
      made,
      made.flatMap((group, index) =>
        Array.from({ length: clients }, (_, n) => new Client(`${index}.${n}`, group, random)),
      ),
    );
  }

  /** Writes that were answered 200. */
  get doneCount(): number {
    return this.groups.reduce((sum, { done }) => sum + done.length, 0);
  }

  /** How often each answer was given. */
  summary(): string {
    const answers = Map.groupBy(this.#attempts, ({ sent, answer }) => {
      const what = answer?.is === "refused" ? answer.code : (answer?.is ?? "unanswered");
      return `${"wish" in sent ? sent.wish.kind : sent.kind} ${what}`;
    });
    const counts = [...answers].map(([what, all]) => `${what}: ${all.length}`);
    return `${this.#attempts.length} requests: ${counts.sort().join(", ")}`;
  }

  /**
   * Sends to the nodes until `isOver`, or until no node answers. Begins with repeats of most writes
   * that were not answered finally.
   */
  async run(urls: readonly string[], isOver: () => boolean = () => false): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.run(urls, isOver)));
  }

  /** Repeats what has no final answer, and reads everything. */
  async finish(url: string): Promise<void> {
    await Promise.all(this.groups.map((group) => group.finish(url)));
  }

  /** Fails unless some order explains all answers. After `finish` only. */
  assertExplained(): void {
    for (const [index, group] of this.groups.entries()) {
      const why = unexplained(group.attempts, group.world, { isComplete: true });
      assert.ok(why === undefined, `group ${index}: ${why}`);
    }
    assertHeightsGrow(this.#attempts);
  }

  get #attempts(): readonly Attempt[] {
    return this.groups.flatMap((group) => group.attempts);
  }
}

/** A request that is sent after an answer is answered from that block, or a later one. Source: conventions §2.3. */
function assertHeightsGrow(attempts: readonly Attempt[]): void {
  const answered = attempts.filter(({ height }) => height !== undefined);
  const byEnd = answered.toSorted((a, b) => a.end - b.end);
  let [next, newest] = [0, -1];
  for (const { begin, height = 0, client } of answered.toSorted((a, b) => a.begin - b.begin)) {
    for (; (byEnd[next]?.end ?? Number.POSITIVE_INFINITY) < begin; next += 1) {
      newest = Math.max(newest, byEnd[next]?.height ?? 0);
    }
    assert.ok(height >= newest, `${client} was shown block ${height} after block ${newest}`);
  }
}

/** Addresses and items that nobody else deals with, and what was sent about them. */
class Group {
  readonly world: World;
  readonly attempts: Attempt[] = [];
  /** The addresses; those made by the clients come last. */
  readonly wallets: Wallet[];
  readonly items: readonly string[];
  readonly project: string;
  /** Writes without a final answer. */
  readonly open = new Set<Write>();
  readonly done: { readonly write: Write; readonly id: string }[] = [];
  readonly #keys = new Map<string, string[]>();
  /** The holders of the items, as far as answers have told. */
  readonly #holders: Map<string, string>;
  readonly #byMark = new Map<string, Write>();
  readonly #newKeys = new Map<Write, Wallet["privateKey"]>();
  readonly #random: SeededRandom;
  #writes = 0;

  private constructor(parts: Pick<Group, "wallets" | "items" | "project">, random: SeededRandom) {
    this.wallets = parts.wallets;
    this.items = parts.items;
    this.project = parts.project;
    this.#random = random;
    this.#holders = new Map(parts.items.map((item, n) => [item, holderOf(parts.wallets, n)]));
    this.world = {
      balances: new Map(parts.wallets.map(({ address }) => [address, FUNDS])),
      items: new Map([...this.#holders].map(([item, holder]) => [item, { holder, price: 0n }])),
    };
  }

  static async make(url: string, random: SeededRandom): Promise<Group> {
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
    return new Group({ wallets, items, project }, random);
  }

  /** A write with a key of its signer; undefined if no node answers. */
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
    const write = { wish, key, mark };
    this.#byMark.set(mark, write);
    return write;
  }

  /** Sends a write, the first time or again, and records the answer. */
  async send(client: string, { url, headers = {} }: Target, write: Write): Promise<Attempt> {
    this.open.add(write);
    const request = this.#request(write);
    const attempt = await this.#record(client, write, async () => {
      const response = await post(url, { ...request, headers: { ...headers, ...request.headers } });
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
      const made = write.wish.kind === "open" ? { made: text } : {};
      return { response, answer: { is: "done", id, ...made } };
    });
    const { answer } = attempt;
    if (answer?.is === "done" && !this.done.some((one) => one.write === write)) {
      this.done.push({ write, id: answer.id });
      this.#note(write, answer.made);
    }
    if (answer !== undefined && !(answer.is === "refused" && LATER.test(answer.code))) {
      this.open.delete(write);
    }
    return attempt;
  }

  /** Sends a read, and records what it shows. `isWhole`: all pages of a list. */
  read(
    client: string,
    { url, headers = {} }: Target,
    read: Read,
    isWhole = false,
  ): Promise<Attempt> {
    return this.#record(client, read, async () => {
      const get = async (path: string): Promise<{ response: Response; text: string }> => {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const response = await fetch(url + path, { headers, signal });
        return { response, text: await response.text() };
      };
      const path = this.#path(read);
      const { response, text } = await get(path);
      if (response.status !== 200) {
        const refused = refusalOf(response.status, text);
        const isLater = LATER.test(refused.code);
        return { response, answer: isLater ? undefined : { is: "shown", shown: refused.code } };
      }
      let shown = this.#shown(read, JSON.parse(text));
      for (let page = text; isWhole && read.kind === "history" && !shown.includes(LIST_END); ) {
        const { cursor } = JSON.parse(page) as { readonly cursor: string };
        page = (await get(`${path}&cursor=${encodeURIComponent(cursor)}`)).text;
        shown = [...shown, ...this.#shown(read, JSON.parse(page))];
      }
      return { response, answer: { is: "shown", shown } };
    });
  }

  async finish(url: string): Promise<void> {
    const client = "at the end";
    for (const write of this.open) {
      if (this.#random.integer({ min: 1, max: 100 }) <= GIVEN_UP) {
        this.open.delete(write);
      }
    }
    for (let tries = 0; this.open.size > 0; tries += 1) {
      assert.ok(tries < 600, `no final answer to ${[...this.open].map(({ mark }) => mark)}`);
      await Promise.all([...this.open].map((write) => this.send(client, { url }, write)));
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
    await Promise.all(reads.map((read) => this.read(client, { url }, read, true)));
  }

  async #record(
    client: string,
    sent: Write | Read,
    ask: () => Promise<{ readonly response: Response; readonly answer: Answer | undefined }>,
  ): Promise<Attempt> {
    const begin = performance.now();
    let attempt: Attempt;
    try {
      const { response, answer } = await ask();
      const height = Number(response.headers.get("ledger-height"));
      const end = performance.now();
      attempt = { client, sent, begin, end, answer, height };
    } catch (error) {
      if (!(error instanceof TypeError && error.cause !== undefined)) {
        throw error; // no lost connection
      }
      const end = Number.POSITIVE_INFINITY;
      attempt = { client, sent, begin, end, answer: undefined, height: undefined };
    }
    this.attempts.push(attempt);
    return attempt;
  }

  async #takeKey(url: string, address: string): Promise<string | undefined> {
    const keys = this.#keys.get(address) ?? [];
    this.#keys.set(address, keys);
    if (keys.length === 0) {
      keys.push(...(await temporaryKeys(url, { address, count: 20 })));
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

  #request(write: Write): Request {
    const { wish, key, mark } = write;
    if (wish.kind === "open") {
      const privateKey = this.#newKeys.get(write) ?? newKey();
      this.#newKeys.set(write, privateKey);
      const params = { publickey: publicPem(privateKey), addinfo: mark };
      return { path: "/address", params, headers: { "Idempotency-Key": key } };
    }
    const wallet = this.wallets.find(({ address }) => address === wish.by) as Wallet;
    switch (wish.kind) {
      case "pay": {
        const { by: from, to, amount } = wish;
        const params = { from, to, token: "0", amount: String(amount), checkkey: key, memo: mark };
        return signed({ path: "/transfer", params }, "from|to|token|amount|checkkey", wallet);
      }
      case "sell":
      case "unsell": {
        const { by: seller, item: id } = wish;
        const element = wish.kind === "sell" ? { id, price: String(wish.price), token: "0" } : id;
        const params = { seller, itemdata: JSON.stringify([element]), tkey: key };
        return signed({ path: `/mrc401/${wish.kind}`, params }, "seller|itemdata|tkey", wallet);
      }
      case "buy": {
        const params = { mrc401id: wish.item, buyer: wish.by, tkey: key };
        return signed({ path: `/mrc401/buy/${wish.item}`, params }, "mrc401id|tkey", wallet);
      }
      case "give": {
        const { by: fromAddr, to: toAddr, item: mrc401id } = wish;
        const params = { fromAddr, toAddr, mrc401id, tkey: key };
        const path = `/mrc401/transfer/${mrc401id}`;
        return signed({ path, params }, "fromAddr|toAddr|mrc401id|tkey", wallet);
      }
    }
  }

  #path({ kind, of }: Read): string {
    switch (kind) {
      case "balance":
        return `/balance/${of}`;
      case "item":
        return `/mrc401/${of}`;
      case "transaction":
        return `/transaction/${of}`;
      case "history":
        return `/address/${of}/transactions?limit=100`;
      case "owned":
        return `/address/${of}/items?limit=100`;
      case "onSale":
        return `/mrc401?mrc400id=${this.project}&state=sale&limit=100`;
    }
  }

  /** What the model compares. */
  #shown({ kind }: Read, body: unknown): string | readonly string[] {
    switch (kind) {
      case "balance":
        return (body as readonly { balance: string }[]).map(({ balance }) => balance).join(" ");
      case "item": {
        const { holder, sell_price: price } = body as { holder: string; sell_price: string };
        return `${holder} ${price}`;
      }
      case "transaction": {
        const record = body as RecordShown;
        const left = record.type === "transfer" ? ` ${record.values.balance?.[0]?.balance}` : "";
        return [`${record.id} ${this.#markOf(record)}${left}`];
      }
      case "history": {
        const { items, cursor } = body as { items: readonly RecordShown[]; cursor?: string };
        const entries = items.map((record) => `${record.id} ${this.#markOf(record)}`);
        return cursor === undefined ? [...entries, LIST_END] : entries;
      }
      case "owned":
      case "onSale":
        return (body as { items: readonly { id: string }[] }).items.map(({ id }) => id).sort();
    }
  }

  #markOf({ type, parameters }: RecordShown): string {
    const mark =
      type === "transfer" || type === "receive"
        ? parameters[7]
        : type === "NewWallet"
          ? parameters[2]
          : parameters.at(-1);
    return mark !== undefined && this.#byMark.has(mark) ? mark : UNKNOWN_MARK;
  }

  /** Some write that nobody has sent yet. */
  async someWrite(url: string, kind: "pay" | "open" | "item"): Promise<Write | undefined> {
    if (kind === "open" && this.wallets.length < ADDRESSES_MAX) {
      return this.write(url, { kind: "open" });
    }
    const [by, to] = this.#two();
    const amount = BigInt(this.#random.integer({ min: 1, max: AMOUNT_MAX }));
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

  /** Another write with the same key. */
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

/** A node, and headers for it. */
interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

class Client {
  readonly #name: string;
  readonly #group: Group;
  readonly #random: SeededRandom;

  constructor(name: string, group: Group, random: SeededRandom) {
    this.#name = name;
    this.#group = group;
    this.#random = random;
  }

  async run(urls: readonly string[], isOver: () => boolean): Promise<void> {
    const group = this.#group;
    const left = [...group.open].filter(() => this.#happens(70));
    while (!isOver()) {
      const target = { url: this.#random.pick(urls) };
      const repeated = left.pop();
      const attempts = await (repeated === undefined
        ? this.#turn(target)
        : Promise.all([group.send(this.#name, target, repeated)]));
      if (attempts.length === 0 || attempts.some(({ end }) => end === Number.POSITIVE_INFINITY)) {
        return;
      }
      if (attempts.some(({ answer }) => answer?.is !== "shown" && isLater(answer))) {
        await delay(PAUSE_MS);
      }
    }
  }

  /** One or two requests; none if the node does not answer. */
  async #turn(target: Target): Promise<readonly Attempt[]> {
    const group = this.#group;
    const turn = this.#random.integer({ min: 1, max: 100 });
    const bounds = { open: TURNS.pay + TURNS.open };
    if (turn > bounds.open + TURNS.item + TURNS.again) {
      return [await group.read(this.#name, target, group.someRead())];
    }
    if (turn > bounds.open + TURNS.item) {
      const { write } = group.done.length > 0 ? this.#random.pick(group.done) : {};
      return [
        write === undefined
          ? await group.read(this.#name, target, group.someRead())
          : await group.send(this.#name, target, write),
      ];
    }
    const kind = turn <= TURNS.pay ? "pay" : turn <= bounds.open ? "open" : "item";
    const write = await group.someWrite(target.url, kind);
    if (write === undefined) {
      return [];
    }
    const other = this.#happens(WAYS.twice)
      ? write
      : this.#happens(WAYS.rival) && write.wish.kind !== "open"
        ? await group.rivalOf(target.url, write)
        : undefined;
    const sent = other === undefined ? [write] : [write, other];
    return Promise.all(sent.map((each) => group.send(this.#name, target, each)));
  }

  #happens(percent: number): boolean {
    return this.#random.integer({ min: 1, max: 100 }) <= percent;
  }
}

interface RecordShown {
  readonly id: string;
  readonly type: string;
  readonly parameters: readonly string[];
  readonly values: { readonly balance?: readonly { readonly balance: string }[] };
}

function holderOf(wallets: readonly Wallet[], item: number): string {
  return (wallets[item % wallets.length] as Wallet).address;
}

function isLater(answer: Answer | undefined): boolean {
  return answer?.is === "refused" && LATER.test(answer.code);
}

function refusalOf(status: number, text: string): Answer & { readonly is: "refused" } {
  assert.ok(status >= 400, text);
  const { code, spendable } = JSON.parse(text) as { code: string; spendable?: string };
  return {
    is: "refused",
    code,
    ...(spendable === undefined ? {} : { spendable: BigInt(spendable) }),
  };
}

function signed({ path, params }: Request, fields: string, by: Wallet): Request {
  const text = fields
    .split("|")
    .map((field) => params[field] ?? "")
    .join("|");
  return { path, params: { ...params, signature: signatureOf(text, by) } };
}

function post(url: string, { path, params, headers = {} }: Request): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    // What is in the path is not repeated.
    body: new URLSearchParams(
      Object.entries(params).filter(([, value]) => !path.endsWith(`/${value}`)),
    ),
    headers,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
}
