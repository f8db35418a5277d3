import assert from "node:assert/strict";
import {
  type Address,
  explain,
  type FaultCode,
  GENERAL_REFUSALS,
  Refused,
  refusalsOf,
  type TransactionRecord,
} from "@moneta/protocol";
import type { Outcome } from "../executor.ts";
import {
  type AdmittedGroup,
  admitted,
  admittedGroup,
  type Params,
  type Request,
  ruled,
  type SendOptions,
} from "./admitted.ts";
import { Answer, problemSummary } from "./answer.ts";
import { checkRecord } from "./catalogue.ts";
import { LedgerSnapshot } from "./ledger-snapshot.ts";
import { assertConserved } from "./models/conservation.ts";
import { assertMovedValues } from "./moved-values.ts";
import { type Entry, entryShown } from "./shown/entry-shown.ts";
import { assertShownInRecords } from "./shown/shown-in-records.ts";
import { TestLedger } from "./test-ledger.ts";

/** The initial funds of an address: coins, and tokens 1, 2, ... of the issuer. */
export interface Funds {
  readonly coins?: bigint;
  readonly tokens?: { readonly [token: string]: bigint };
}

export interface GroupAnswer extends AdmittedGroup {
  /**
   * `done`, `repeat`, or the place, status, code and parameter of a refusal, such as
   * `1: 409 7108 mrc401id`.
   */
  readonly summary: string;
  readonly ids: readonly string[];
  /** Ids of the tokens, projects, items and listings that it has made. */
  readonly made: readonly string[];
}

/** Units that one address has of one item. */
export interface Holding {
  readonly balance: string;
  readonly saleamount: string;
  readonly auctionamount: string;
}

const COINS = 10n ** 18n;
const AMOUNT_MAX = 10n ** 40n;

/**
 * Sends operations to a ledger by wire name, without HTTP and signatures. After every block it
 * checks that tokens and units are conserved, and that records show all movements. Of an operation
 * that is alone in its block it checks the form of each record, and all that it shows.
 *
 * using client = await TestClient.open();
 * const { s, b } = await client.people(["s", "b"], { coins: 1000n });
 * const gold = await createToken(client, s); // also createProject, createItems, createUnits
 * const terms = { mrc010id: gold, amount: "10", price: "3", token: "0" };
 * const dexid = await client.make("mrc010sell", s, terms);
 * const answer = await client.send("mrc010buy", b, { dexid, amount: "10" });
 * assert.equal(answer.outcome, `done: s +30, b -30, b +10 of ${gold}`);
 * client.assertEntry(dexid, { state: "sold" }); // `summary` of a refusal: "409 7102 dexid"
 */
export class TestClient implements Disposable {
  readonly ledger: TestLedger;
  /** Has all of the tokens that the ledger was opened with: 10^40 each. */
  readonly issuer: Address;
  readonly #names: Map<string, Address> = new Map();
  #snapshot: LedgerSnapshot;

  private constructor(ledger: TestLedger, issuer: Address) {
    this.ledger = ledger;
    this.issuer = issuer;
    this.#snapshot = new LedgerSnapshot(ledger.database);
  }

  /** Nine tokens are enough for the 7 and 9 of the specification's examples. */
  static async open({ tokens = 0 }: { readonly tokens?: number } = {}): Promise<TestClient> {
    const ledger = await TestLedger.begin({ supply: String(COINS) });
    const [issuer] = (await ledger.createAddresses(1)) as [Address];
    const client = new TestClient(ledger, issuer);
    const names = Array.from({ length: tokens }, (_, index) => `Metal ${index + 1}`);
    const terms = { symbol: "MTL", totalsupply: String(AMOUNT_MAX) };
    for (const requests of [
      names.map((name): Request => ["tokensave", issuer, { name, ...terms }]),
      names.map((name): Request => ["tokencreate", issuer, {}, { decided: { name } }]),
    ]) {
      assertDone(await client.block(requests));
    }
    return client;
  }

  [Symbol.dispose](): void {
    this.ledger[Symbol.dispose]();
  }

  /** The clock, Unix seconds. */
  get now(): number {
    return this.ledger.now;
  }

  set now(now: number) {
    this.ledger.now = now;
  }

  /** New addresses with the same funds each; `outcome` uses these names for them. */
  async people<const N extends string>(
    names: readonly N[],
    { coins = 0n, tokens = {} }: Funds = {},
  ): Promise<Readonly<Record<N, Address>>> {
    const made = await this.ledger.createAddresses(names.length);
    const people = Object.fromEntries(names.map((name, index) => [name, made[index]]));
    for (const [name, address] of Object.entries(people)) {
      this.#names.delete(name);
      this.#names.set(name, address as Address);
    }
    const funds = Object.entries({ 0: coins, ...tokens }).filter(([, amount]) => amount > 0n);
    const payments = funds.flatMap(([token, amount]) =>
      made.map((to) => this.#payment(to, amount, { token })),
    );
    assertDone(await this.block(payments));
    return people as Record<N, Address>;
  }

  /** Pays coins from the treasury, or another token from its issuer or from `from`. */
  async pay(
    to: Address,
    amount: bigint,
    more: { readonly token?: string; readonly from?: Address; readonly unlockdate?: number } = {},
  ): Promise<void> {
    assertDone(await this.block([this.#payment(to, amount, more)]));
  }

  #payment(
    to: Address,
    amount: bigint,
    {
      token = "0",
      from = token === "0" ? this.ledger.treasury : this.issuer,
      unlockdate = 0,
    }: { readonly token?: string; readonly from?: Address; readonly unlockdate?: number },
  ): Request {
    const sent = { to, token, amount: String(amount), unlockdate: String(unlockdate) };
    return ["transfer", from, sent];
  }

  /**
   * Sends one request, in a block of its own. Its actor is `by` and its temporary key a fresh one
   * of `by`, unless `params` has others; `""` leaves the actor out.
   */
  async send(...request: Request): Promise<Answer> {
    const [answer] = await this.block([request]);
    return answer as Answer;
  }

  async done(...request: Request): Promise<Answer> {
    const answer = await this.send(...request);
    assert.equal(answer.summary, "done", `${request[0]}: ${answer.problem?.detail}`);
    return answer;
  }

  /**
   * Sends an operation that must succeed; returns the id of the token, project, item or listing
   * that it creates.
   */
  async make(...request: Request): Promise<string> {
    const [id] = (await this.done(...request)).made;
    assert(id !== undefined, `${request[0]} makes something`);
    return id;
  }

  /** Sends requests that come into one block, as far as they are not refused. */
  async block(requests: readonly Request[]): Promise<readonly Answer[]> {
    const before = this.#snapshot;
    const head = this.ledger.ledger.head;
    const all = requests.map((request) => admitted(this.ledger, request));
    const texts = all.flatMap(({ text }) => (text instanceof Refused ? [] : [text]));
    const { outcomes } = await this.ledger.execute(...texts);
    const after = new LedgerSnapshot(this.ledger.database, before);
    if (this.ledger.ledger.head === head) {
      assert.deepEqual(after, before, "what is refused changes nothing");
    } else {
      assertConserved(after);
    }
    const records = this.#recordsOf(outcomes);
    assertMovedValues(records, before, after);
    this.#snapshot = after;
    const [record] = records;
    if (record !== undefined && texts.length === 1) {
      checkRecord(record, texts[0] as string);
      if (record.type !== "bundle") {
        this.ledger.reading(() =>
          assertShownInRecords(record, { ledger: this.ledger, before, after }),
        );
      }
    }
    let executed = 0;
    return all.map(({ op, text, tkey, signature }) => {
      const outcome =
        text instanceof Refused
          ? ({ kind: "refused", fault: text.fault } as const)
          : (outcomes[executed++] as Outcome);
      const record =
        outcome.kind === "refused" ? undefined : this.ledger.record(outcome.transactionIds[0]);
      if (outcome.kind === "refused" && outcome.index === undefined) {
        assertListed(op, outcome.fault.code);
      }
      return new Answer({
        ...{ outcome, record, tkey, signature, before, after },
        names: this.#names,
      });
    });
  }

  #recordsOf(outcomes: readonly Outcome[]): readonly TransactionRecord[] {
    const ids = outcomes.flatMap((outcome) =>
      outcome.kind === "done" ? outcome.transactionIds : [],
    );
    return this.ledger.reading(() => ids.map((id) => this.ledger.record(id)));
  }

  /** Sends requests that are done together or not at all, in a block of their own. */
  async group(requests: readonly Request[]): Promise<GroupAnswer> {
    return await this.sendGroup(admittedGroup(this.ledger, requests));
  }

  /** The same of a group that has been made, perhaps sent before. */
  async sendGroup(group: AdmittedGroup): Promise<GroupAnswer> {
    const before = this.#snapshot;
    const head = this.ledger.ledger.head;
    const { outcomes } = await this.ledger.execute(group.texts);
    const after = new LedgerSnapshot(this.ledger.database, before);
    if (this.ledger.ledger.head === head) {
      assert.deepEqual(after, before, "what is refused changes nothing");
    } else {
      assertConserved(after);
    }
    assertMovedValues(this.#recordsOf(outcomes), before, after);
    this.#snapshot = after;
    const outcome = outcomes[0] as Outcome;
    return {
      ...group,
      summary:
        outcome.kind === "refused"
          ? `${outcome.index}: ${problemSummary(explain(outcome.fault))}`
          : outcome.kind,
      ids: outcome.kind === "refused" ? [] : outcome.transactionIds,
      made: after.newSince(before),
    };
  }

  /**
   * Sends a request and corrects its faults in turn: each change reveals the next fault, whose
   * parameter may be left out. `key` stands for faults of temporary key and signature.
   */
  async mending(
    op: string,
    { by, stranger }: { readonly by: Address; readonly stranger: Address },
    changes: readonly (readonly [change: Params, answer: string, options?: SendOptions])[],
  ): Promise<void> {
    const [signer] = ruled(op).operation.signers;
    assert(signer !== undefined, `${op} is signed`);
    const { temporaryKey: name, address: actor } = signer;
    const keyFaults = [
      ["401 2020", by, { [name]: "abc" }],
      ["401 2020", by, { [name]: this.ledger.key(stranger) }],
      ["409 2021", by, { [name]: await this.usedKey(by) }],
      ["401 2010", stranger, {}],
    ] as const;
    let params: Params = { ...(actor && { [actor]: by }), [name]: this.ledger.key(by) };
    const wrong: string[] = [];
    for (const [change, expected, options] of changes) {
      params = { ...params, ...change };
      const attempts = expected === "key" ? keyFaults : ([[expected, by, {}]] as const);
      for (const [wanted, signer, fault] of attempts) {
        const { summary: reported } = await this.send(op, signer, { ...params, ...fault }, options);
        if (!reported.startsWith(wanted) || /^\w/.test(reported.slice(wanted.length))) {
          const what = JSON.stringify({ ...change, ...fault }).slice(0, 300);
          wrong.push(`${what}: ${reported}, not ${wanted}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  }

  /** A temporary key that an operation without movements has used. */
  async usedKey(by: Address): Promise<string> {
    const greeting = [{ address: this.issuer, amount: "0", unlockdate: "0", memo: "hello" }];
    return (await this.done("multitransfer", by, { transferlist: greeting, token: "0" })).tkey;
  }

  /** The `GET` response of a token, project, item or listing. */
  entry<T extends object = Entry>(id: string): T {
    return this.ledger.reading(() => entryShown(this.ledger.reader.state, id)) as T;
  }

  /** Some members of an entry have these values. */
  assertEntry(id: string, members: object): void {
    const entry = this.entry(id);
    assert.deepEqual(entry, { ...entry, ...members });
  }

  /** Balances of a token, such as `970`; locked amounts as `50@1767225700`. */
  held(by: Address, token = "0"): string {
    return this.ledger
      .balances(by, token)
      .map(({ balance, unlockdate }) => (unlockdate === 0 ? balance : `${balance}@${unlockdate}`))
      .join(" + ");
  }

  /** Units of an item that an address holds. Source: mrc402 §2.2. */
  holding(by: Address, item: string): Holding {
    const holding = this.#snapshot.document(`holding/${by}/${item}`);
    const {
      balance = "0",
      saleamount = "0",
      auctionamount = "0",
    } = (holding ?? {}) as Partial<Holding>;
    return { balance, saleamount, auctionamount };
  }

  /** Units of an address in short: `96`, or `2 + 8 on sale + 1 on auction`. */
  units(by: Address, item: string): string {
    const { balance, saleamount, auctionamount } = this.holding(by, item);
    return [
      balance,
      ...(saleamount === "0" ? [] : [`${saleamount} on sale`]),
      ...(auctionamount === "0" ? [] : [`${auctionamount} on auction`]),
    ].join(" + ");
  }
}

function assertListed(op: string, code: FaultCode): void {
  const listed = [...refusalsOf(ruled(op).operation), ...GENERAL_REFUSALS];
  assert.ok(listed.includes(code), `${op} does not list ${code}`);
}

function assertDone(answers: readonly Answer[]): void {
  for (const { summary: reported, problem } of answers) {
    assert.equal(reported, "done", `refused: ${problem?.detail}`);
  }
}
