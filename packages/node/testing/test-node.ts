import assert from "node:assert/strict";
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDatabase, NEWEST_VERSION } from "@moneta/ledger";
import { errorVectors } from "@moneta/protocol/test-vectors";
import { type RunningNode, startNode } from "../node.ts";
import { readSettings } from "../settings.ts";
import type { StartOptions } from "../start/start.ts";
import { isLight, lightFetch } from "./light-fetch.ts";
import { assertListed } from "./listed-codes.ts";
import { TemporaryDirectory } from "./temporary-directory.ts";

export type Curve = "prime256v1" | "secp384r1" | "secp521r1";
export type Digest = "sha256" | "sha384" | "sha512";
export type Params = Readonly<Record<string, string>>;

export interface KeyHolder {
  readonly address: string;
  readonly privateKey: KeyObject;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The time at which a test's clock begins. */
export const START = 1_767_225_600;

const ANSWER_WITHIN_MS = 120_000;

/**
 * A node in this process, with its own directory and the test's clock: `await using node = await
 * TestNode.start()`. Requests go through sockets; signatures are made by the specification, without
 * our code.
 */
export class TestNode implements AsyncDisposable {
  /** The node's clock, Unix seconds. */
  now = START;
  readonly data: string;
  /** The failure of the ledger thread, if there was one. */
  failure: Error | undefined;
  /** Options besides settings, for the next `resume`. */
  options: Pick<StartOptions, "heightAfterMs" | "webhookRetryMs" | "idleMs" | "addressesOf"> = {};
  /** Settings given as flags, for the next `resume`. */
  flags: readonly string[];
  readonly #temporary: TemporaryDirectory;
  #running: RunningNode | undefined;
  #operatorKey: KeyObject | undefined;

  private constructor(flags: readonly string[]) {
    this.flags = flags;
    this.#temporary = new TemporaryDirectory("node");
    this.data = join(this.#temporary.path, "data");
  }

  static start(...flags: string[]): Promise<TestNode> {
    return TestNode.with({}, ...flags);
  }

  static async with(options: TestNode["options"], ...flags: string[]): Promise<TestNode> {
    const node = new TestNode(flags);
    node.options = options;
    try {
      await node.resume();
      return node;
    } catch (thrown) {
      node.#temporary[Symbol.dispose]();
      throw thrown;
    }
  }

  /**
   * Starts a node with a copy of the ledger and keys of a running one, perhaps changed, to diverge
   * from it.
   */
  static async copyOf(
    other: TestNode,
    change: (database: DatabaseSync) => void = () => undefined,
    ...flags: string[]
  ): Promise<TestNode> {
    const node = new TestNode(flags);
    node.now = other.now;
    cpSync(other.data, node.data, {
      recursive: true,
      filter: (file) => !/(ledger|lock)\.db|newest-block/.test(file),
    });
    const ledger = join(node.data, "ledger.db");
    await copyDatabase(join(other.data, "ledger.db"), ledger, () => undefined);
    const database = new DatabaseSync(ledger);
    change(database);
    database.close();
    await node.resume();
    return node;
  }

  static async startWithOperator(...flags: string[]): Promise<TestNode> {
    const node = new TestNode(flags);
    try {
      await node.#prepareOperator();
      return node;
    } catch (thrown) {
      node.#temporary[Symbol.dispose]();
      throw thrown;
    }
  }

  async #prepareOperator(): Promise<void> {
    const [treasury, operator] = [newKey(), newKey()];
    const file = join(this.#temporary.path, "genesis.json");
    const amount = String(10n ** 18n);
    const genesis = {
      protocol: NEWEST_VERSION,
      ledger: "localhost/test",
      operator: { publickey: publicPem(operator) },
      coin: {
        name: "Test Coin",
        symbol: "TST",
        decimal: 8,
        totalsupply: amount,
        treasury: [{ publickey: publicPem(treasury), amount }],
      },
    };
    writeFileSync(file, JSON.stringify(genesis));
    mkdirSync(this.data);
    const pem = treasury.export({ type: "pkcs8", format: "pem" });
    writeFileSync(join(this.data, "treasury.pem"), pem);
    this.flags = [...this.flags, "--genesis", file];
    await this.resume();
    this.#operatorKey = operator;
  }

  get operatorKey(): string {
    return publicPem(this.#operatorKey as KeyObject);
  }

  /** The operator, who may announce new versions of the rules. */
  get operator(): KeyHolder {
    assert.ok(this.#operatorKey !== undefined, "the node was started with an operator");
    return { address: this.running.service.operator, privateKey: this.#operatorKey };
  }

  async resume(): Promise<void> {
    const settings = readSettings(
      [
        ...["--data", this.data, "--port", "0", "--log-level", "silent", "--threads", "1"],
        // Most tests need no second address.
        ...["--shutdown-grace", "0", "--operator-listen", "public"],
        // By default tests close auctions themselves, to the second.
        ...(this.flags.includes("--finish-auctions") ? [] : ["--finish-auctions", "no"]),
        // Tests do not expect the blocks of state roots.
        ...(this.flags.includes("--state-roots") ? [] : ["--state-roots", "0"]),
        ...this.flags,
      ],
      {},
    );
    this.#running = await startNode(settings, {
      idleMs: 0,
      ...this.options,
      // A cluster has its engine's time, which tests do not set.
      ...(this.flags.includes("--log") ? {} : { clock: () => this.now }),
      onFailure: (error) => {
        this.failure = error;
      },
    });
  }

  /**
   * Stops the node, lets the test change its database, and starts it again on the same directory.
   */
  async restart(between: (database: DatabaseSync) => void = () => undefined): Promise<void> {
    await this.stop();
    const database = new DatabaseSync(join(this.data, "ledger.db"));
    between(database);
    database.close();
    await this.resume();
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** `Date` of responses is `now` until the end, for clients that take the ledger's time from it. */
  showTime(): Disposable {
    subscribe("http.server.request.start", this.#onRequest);
    return {
      [Symbol.dispose]: () => {
        unsubscribe("http.server.request.start", this.#onRequest);
      },
    };
  }

  readonly #onRequest = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (this.#running?.urls.some((url) => Number(new URL(url).port) === request.socket.localPort)) {
      response.setHeader("Date", new Date(this.now * 1000).toUTCString());
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    unsubscribe("http.server.request.start", this.#onRequest);
    await this.stop();
    this.#temporary[Symbol.dispose]();
    assert.equal(this.failure, undefined);
  }

  get running(): RunningNode {
    assert.ok(this.#running !== undefined, "the node runs");
    return this.#running;
  }

  get url(): string {
    return this.running.urls[0] as string;
  }

  get ledgerId(): string {
    return this.running.service.ledgerId;
  }

  get treasury(): KeyHolder {
    return {
      address: this.running.treasury as string,
      privateKey: createPrivateKey(readFileSync(join(this.data, "treasury.pem"))),
    };
  }

  async request(path: string, init: RequestInit = {}): Promise<Answered> {
    const response = isLight(init)
      ? await lightFetch(this.url + path, init)
      : await fetch(this.url + path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...init });
    const text = await response.text();
    if (response.headers.get("content-type") === "application/problem+json" && text !== "") {
      const { method = "GET" } = init;
      assertListed({ method, url: path }, JSON.parse(text) as ProblemBody);
    }
    return { status: response.status, headers: response.headers, text };
  }

  get(path: string, headers: Params = {}): Promise<Answered> {
    return this.request(path, { headers });
  }

  post(path: string, params: Params, headers: Params = {}): Promise<Answered> {
    return this.request(path, { method: "POST", body: new URLSearchParams(params), headers });
  }

  put(path: string, params: Params, headers: Params = {}): Promise<Answered> {
    return this.request(path, { method: "PUT", body: new URLSearchParams(params), headers });
  }

  postJson(path: string, body: unknown, headers: Params = {}): Promise<Answered> {
    return this.request(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });
  }

  postQuery(path: string, params: Params, headers: Params = {}): Promise<Answered> {
    return this.request(`${path}?${new URLSearchParams(params)}`, { method: "POST", headers });
  }

  /** Sends raw bytes, and returns all that comes back until the node closes the connection. */
  raw(bytes: string | Uint8Array, withinMs: number = ANSWER_WITHIN_MS): Promise<string> {
    const { port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), "127.0.0.1");
      socket.setTimeout(withinMs, () => {
        socket.destroy();
        const head = Buffer.from(bytes).toString("latin1", 0, 100);
        reject(new Error(`no end within ${withinMs} ms of the answer to ${JSON.stringify(head)}`));
      });
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      // The node may close while we still write: the response is complete before.
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
      socket.write(bytes);
    });
  }

  /** A new address for a new key, with an amount of the native coin. */
  async holder(
    options: {
      readonly coins?: bigint;
      readonly curve?: Curve;
      readonly params?: Params;
      readonly privateKey?: KeyObject;
    } = {},
  ): Promise<KeyHolder> {
    const privateKey = options.privateKey ?? newKey(options.curve);
    const created = await this.post("/address", {
      publickey: publicPem(privateKey),
      ...options.params,
    });
    assert.equal(created.status, 200, created.text);
    const holder = { address: created.text, privateKey };
    if (options.coins !== undefined) {
      await this.pay(holder, options.coins);
    }
    return holder;
  }

  /** Returns the transaction's id. */
  async pay(
    to: KeyHolder,
    amount: bigint,
    { token = "0", unlockdate = 0 }: { token?: string; unlockdate?: number } = {},
  ): Promise<string> {
    const answer = await this.post(
      "/transfer",
      await this.fullTransfer(this.treasury, {
        to: to.address,
        token,
        amount: String(amount),
        unlockdate: String(unlockdate),
      }),
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.headers.get("transaction-id") ?? "";
  }

  async key({ address }: KeyHolder, kind?: string): Promise<string> {
    const path = kind === undefined ? `/nonce/${address}` : `/getkey/${kind}/${address}`;
    const answer = await this.get(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.text;
  }

  /**
   * Parameters of a transfer with a short signature. `params` may have fields that it does not
   * cover.
   */
  async transfer(
    from: KeyHolder,
    params: Params & { readonly to: string; readonly amount: string },
    signing: Signing = {},
  ): Promise<Record<string, string> & { signature: string; checkkey: string }> {
    const checkkey = params["checkkey"] ?? (await this.key(from));
    const all = { token: "0", ...params, from: from.address, checkkey };
    const signed = [all.from, all.to, all.token, all.amount, all.checkkey].join("|");
    return { ...all, signature: signatureOf(signed, signing.by ?? from, signing) };
  }

  /** Transfers of these amounts with short signatures, whose keys a request has 1,000 of. */
  async transfers(
    from: KeyHolder,
    to: KeyHolder,
    amounts: readonly (number | string)[],
    headers: Params = {},
  ): Promise<(Record<string, string> & { signature: string; checkkey: string })[]> {
    const keys: string[] = [];
    while (keys.length < amounts.length) {
      const count = Math.min(amounts.length - keys.length, 1000);
      keys.push(
        ...parsed<string[]>(await this.get(`/nonce/${from.address}?count=${count}`, headers)),
      );
    }
    return await Promise.all(
      amounts.map((amount, index) =>
        this.transfer(from, {
          to: to.address,
          amount: String(amount),
          checkkey: keys[index] as string,
        }),
      ),
    );
  }

  async fullTransfer(
    from: KeyHolder,
    params: Params & { readonly to: string; readonly amount: string },
    signing: Signing = {},
  ): Promise<Record<string, string> & { signature: string; checkkey: string }> {
    const checkkey = params["checkkey"] ?? (await this.key(from));
    const all = { token: "0", ...params, from: from.address, checkkey };
    return this.fullySigned("transfer", all, signing.by ?? from, signing);
  }

  /**
   * Adds a short signature over the named parameters in order, with empty strings for absent ones.
   * Adds a fresh temporary key of the signer as `keyName`, unless there is one.
   */
  async shortlySigned<P extends Params>(
    by: KeyHolder,
    fields: readonly string[],
    params: P,
    { keyName = "tkey", ...signing }: Signing & { readonly keyName?: string } = {},
  ): Promise<P & { readonly signature: string }> {
    const all: Params = { ...params, [keyName]: params[keyName] ?? (await this.key(by)) };
    const text = fields.map((name) => all[name] ?? "").join("|");
    return { ...(all as P), signature: signatureOf(text, signing.by ?? by, signing) };
  }

  fullySigned<P extends Params>(
    operation: string,
    params: P,
    by: KeyHolder,
    signing: Signing = {},
  ): P & { readonly signed: "full"; readonly signature: string } {
    const all = { ...params, signed: "full" as const };
    const present = Object.entries(all).filter(([, text]) => text !== "");
    const sorted = Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = `moneta|1|${this.ledgerId}|${operation}|${JSON.stringify(sorted)}`;
    return { ...all, signature: signatureOf(text, by, signing) };
  }

  async multitransfer(
    from: KeyHolder,
    transferlist: string | readonly object[],
    { token = "0", signing = {} }: { token?: string; signing?: Signing } = {},
  ): Promise<Record<string, string> & { signature: string; checkkey: string }> {
    const checkkey = await this.key(from);
    const text = typeof transferlist === "string" ? transferlist : JSON.stringify(transferlist);
    const signed = [from.address, text, token, checkkey].join("|");
    const signature = signatureOf(signed, signing.by ?? from, signing);
    return { from: from.address, transferlist: text, token, checkkey, signature };
  }

  /**
   * Balance entries of a token, or of all, as `balance` or `balance@unlockdate`, prefixed by the
   * token if of all.
   */
  async balances({ address }: KeyHolder, token?: string): Promise<string[]> {
    const answer = await this.get(
      token === undefined ? `/balance/${address}` : `/balance/${address}/${token}`,
    );
    assert.equal(answer.status, 200, answer.text);
    return parsed<BalanceEntry[]>(answer).map(
      (entry) =>
        (token === undefined ? `${entry.token}: ` : "") +
        entry.balance +
        (entry.unlockdate === 0 ? "" : `@${entry.unlockdate}`),
    );
  }

  /** Whether reads have to wait for acknowledged blocks. */
  get isBehind(): boolean {
    return this.#running?.service.queue.isBehind === true;
  }

  async transaction(id: string): Promise<Transaction> {
    const answer = await this.get(`/transaction/${id}`);
    assert.equal(answer.status, 200, answer.text);
    return parsed<Transaction>(answer);
  }

  async height(): Promise<number> {
    return Number((await this.get("/block")).text);
  }

  /** The value of a metric, such as `moneta_height` or `name{label="value"}`; NaN if it has none. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get("/metrics");
    const line = text.split("\n").find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }
}

export interface BalanceEntry {
  readonly token: string;
  readonly balance: string;
  readonly unlockdate: number;
}

export interface RecordPart {
  readonly type: string;
  readonly address: string;
  readonly token: number;
  readonly parameters: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Transaction extends RecordPart {
  readonly id: string;
  readonly db_sn: string;
  readonly db_id: string;
  readonly timestamp: number;
  readonly validationCode: string;
  readonly effects: readonly RecordPart[];
}

export interface Signing {
  readonly by?: KeyHolder;
  readonly digest?: Digest;
  readonly form?: "der" | "ieee-p1363";
  readonly text?: "base64" | "base64url";
}

export function signatureOf(
  text: string,
  { privateKey }: Pick<KeyHolder, "privateKey">,
  { digest = "sha256", form = "der", text: encoding = "base64" }: Signing = {},
): string {
  return sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: form }).toString(encoding);
}

export function newKey(namedCurve: Curve = "prime256v1"): KeyObject {
  return generateKeyPairSync("ec", { namedCurve }).privateKey;
}

export function publicPem(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
}

export function parsed<T = unknown>({ text }: Answered): T {
  return JSON.parse(text) as T;
}

export function transactionIdOf(answer: Answered): string {
  assert.equal(answer.status, 200, answer.text);
  return parsed<{ transaction_id: string }>(answer).transaction_id;
}

/**
 * `200`, or status, code and parameter, such as `400 1101 amount`. Also checks the form of an
 * error.
 */
export function summaryOf(answer: Answered): string {
  if (answer.status < 400) {
    return String(answer.status);
  }
  const problem = problemOf(answer);
  return [answer.status, problem.code, problem.parameter].filter((part) => part).join(" ");
}

export function refusalCode(answer: Answered): string {
  return summaryOf(answer).split(" ").slice(0, 2).join(" ");
}

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly parameter?: string;
  readonly needed?: string;
  readonly given?: string;
  readonly spendable?: string;
  readonly left?: string;
  readonly token?: string;
  readonly item?: string;
  readonly first_block?: number;
  readonly oldest?: string;
  readonly archive?: string;
  /** Of a group: the operation that it is about. */
  readonly index?: number;
}

/** The body of an error, checked against conventions §3 and the test vectors. */
export function problemOf({ status, headers, text }: Answered): ProblemBody {
  assert.equal(headers.get("content-type"), "application/problem+json", text);
  const problem = JSON.parse(text) as ProblemBody;
  const { type, title, detail, code, parameter, ...more } = problem;
  const { needed, given, spendable, left, token, item, first_block, oldest, archive } = more;
  const what = token === undefined ? { item } : { token };
  const shortfall = /^500[012]$/.test(code)
    ? { needed, spendable, ...what }
    : code === "2011"
      ? { needed, given }
      : code === "7005"
        ? { needed, left, token }
        : {};
  const kept =
    code === "6013" ? { first_block, ...(oldest && { oldest }), ...(archive && { archive }) } : {};
  const place = more.index === undefined ? {} : { index: more.index };
  assert.deepEqual(more, { status, ...shortfall, ...kept, ...place }, text);
  const known = errorVectors.errors.filter((vector) => vector.code === code);
  assert.ok(
    known.some((one) => one.status === status && one.type === type && one.title === title),
    text,
  );
  for (const words of [detail, parameter ?? "-", ...Object.values(shortfall)]) {
    assert.ok(typeof words === "string" && words !== "", text);
  }
  return problem;
}

/**
 * Adds tokens without requests: the treasury gets 10^18 of each. They are not in the blocks, so
 * `verify` would refuse the ledger.
 */
export function withTokens(...ids: readonly number[]): (database: DatabaseSync) => void {
  return (database) => {
    const coin = JSON.parse(
      database.prepare("SELECT value FROM token WHERE key = 'token/0'").get()?.["value"] as string,
    ) as object;
    for (const id of ids) {
      const token = { ...coin, id: String(id), name: `Token ${id}`, symbol: `T${id}` };
      database
        .prepare("INSERT INTO token (key, symbol, listed, value) VALUES (?, ?, ?, ?)")
        .run(`token/${id}`, token.symbol, JSON.stringify(token), JSON.stringify(token));
      database
        .prepare("INSERT INTO token_texts SELECT ?, value FROM token_texts WHERE key = 'token/0'")
        .run(`token/${id}`);
      database
        .prepare("INSERT INTO balance VALUES (0, ?, ?, 0, '0', 0)")
        .run(id, "1000000000000000000");
    }
  };
}
