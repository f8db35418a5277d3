import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import type { Params, Request } from "../admitted.ts";
import { byLane } from "../lane.ts";
import { LedgerSnapshot } from "../ledger-snapshot.ts";
import { TestClient } from "../test-client.ts";
import { createItems, createProject, createToken, createUnits } from "../trade/creations.ts";
import { drawnParams, type Things } from "./drawn-params.ts";

// An agent and its accomplice try to exceed the grant. Whatever the agent sends, alone, in groups
// and in bundles, the limits of the grant hold after every block.

const DAY = 86_400;
/**
 * Coins that the agent may spend in a day, and the least price of the one item that it may sell.
 */
const LIMIT = 500n;
const MINPRICE = 100n;
const AGENT = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  .publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

const OPS = [
  ...["transfer", "multitransfer", "exchange", "mrc401transfer", "mrc401sell", "mrc401unsell"],
  ...["mrc401auction", "mrc401unauction", "mrc401buy", "mrc401bid", "mrc401melt", "mrc401offer"],
  ...["mrc401acceptoffer", "mrc401unoffer", "mrc401create", "mrc401update", "mrc400create"],
  ...["mrc400update", "mrc402create", "mrc402transfer", "mrc402mint", "mrc402burn", "mrc402melt"],
  ...["mrc402update", "mrc402sell", "mrc402buy", "mrc402auction", "mrc402bid", "mrc402offer"],
  ...["mrc402acceptoffer", "tokensave", "tokenburn", "tokenincrease", "tokenupdate"],
  ...["mrc010sell", "mrc010reqsell", "mrc010buy", "mrc010acceptreqsell", "mrc010auction"],
  ...["mrc010bid", "mrc040create", "mrc040cancel", "mrc040request", "mrc040exchange"],
] as const;
/** Operations that the grant allows in the right amounts: tried more often. */
const LIKELY = ["transfer", "mrc401sell", "mrc401unsell", "mrc401buy"] as const;
const UNSIGNED = ["mrc401auctionfinish", "mrc402auctionfinish"] as const;

interface Drawn {
  readonly op: (typeof OPS)[number] | (typeof UNSIGNED)[number];
  /** Whether the agent sends it for the address, rather than the accomplice for itself. */
  readonly isAgents: boolean;
  readonly thing: number;
  readonly to: number;
  readonly amount: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  op: fc.constantFrom(...OPS, ...UNSIGNED, ...LIKELY, ...LIKELY, ...LIKELY),
  isAgents: fc.nat(2).map((number) => number > 0),
  thing: fc.nat(60),
  to: fc.nat(2),
  amount: fc.constantFrom(1, 2, 99, 100, 200, 499, 500, 501),
});

/** Operations that the agent must be able to do: otherwise a grant that allows nothing would pass. */
const ALLOWED: readonly Drawn[] = [
  { op: "transfer", isAgents: true, thing: 0, to: 0, amount: 1 },
  { op: "mrc401sell", isAgents: true, thing: 0, to: 0, amount: 100 },
];

const sendings = fc.record({
  how: fc.constantFrom("alone", "alone", "group", "bundle"),
  wait: fc.constantFrom(0, 0, 0, 1, DAY / 2, DAY),
  all: fc.array(drawn, { minLength: 1, maxLength: 4 }),
});

class Run {
  readonly #client: TestClient;
  /** The address that grants, the only payee, and the accomplice. */
  readonly #people: readonly [Address, Address, Address];
  readonly #hasPayees: boolean;
  #grant = "";
  #gold = "";
  #silver = "";
  #projects: readonly string[] = [];
  /** Of the address, the first of which it may sell; then of the accomplice. */
  #items: readonly string[] = [];
  #classes: readonly string[] = [];
  readonly #made: string[] = [];
  #since = 0;
  #lost = 0n;
  #first: LedgerSnapshot;
  #before: LedgerSnapshot;
  /** Operations of the agent that were done. */
  readonly done: Set<string> = new Set();

  constructor(
    client: TestClient,
    people: readonly [Address, Address, Address],
    hasPayees: boolean,
  ) {
    this.#client = client;
    this.#people = people;
    this.#hasPayees = hasPayees;
    this.#first = new LedgerSnapshot(client.ledger.database);
    this.#before = this.#first;
  }

  async begin(): Promise<void> {
    const client = this.#client;
    const [a, b, c] = this.#people;
    this.#gold = await createToken(client, a);
    this.#silver = await createToken(client, c);
    this.#projects = [await createProject(client, a), await createProject(client, c)];
    const [own = "", others = ""] = this.#projects;
    this.#items = [
      ...(await createItems(client, own, a, {}, {}, {})),
      ...(await createItems(client, others, c, {}, {})),
    ];
    this.#classes = [
      await createUnits(client, a, { totalsupply: "100" }),
      await createUnits(client, c, { totalsupply: "100" }),
    ];
    const { record } = await client.done("grant", a, {
      ...{ address: a, agent: AGENT, operations: OPS, until: String(client.now + 30 * DAY) },
      limits: [{ token: "0", amount: String(LIMIT), period: String(DAY) }],
      payees: this.#hasPayees ? [b] : [],
      items: [{ id: this.#items[0], minprice: String(MINPRICE), token: "0" }],
    });
    this.#grant = record.parameters[1] as string;
    this.#since = client.now;
    this.#first = new LedgerSnapshot(client.ledger.database);
    this.#before = this.#first;
  }

  async send({
    how,
    wait,
    all,
  }: {
    how: string;
    wait: number;
    all: readonly Drawn[];
  }): Promise<void> {
    const client = this.#client;
    const [a] = this.#people;
    client.now += wait + 1;
    const requests = all.map((one) => this.#requestOf(one));
    if (how === "group") {
      const signed = requests.filter(([, by]) => by !== "");
      if (signed.length > 1) {
        const { made, summary: reported } = await client.group(signed);
        this.#note(made, reported === "done" ? signed : []);
        this.#check();
      }
    } else if (how === "bundle") {
      const operations = requests
        .filter(([op, by]) => by === a && op !== "exchange")
        .map(([operation, , { grant: _, signed: __, ...params } = {}]) => ({
          operation,
          ...params,
        }));
      if (operations.length > 0) {
        const tkey = client.ledger.key(a);
        const body = JSON.stringify({
          actor: a,
          tkey,
          grant: this.#grant,
          skip: ["*"],
          operations,
        });
        this.#note((await client.send("bundle", a, { body })).made, []);
        this.#check();
      }
    } else {
      for (const request of requests) {
        const { made, summary: reported } = await client.send(...request);
        this.#note(made, reported === "done" ? [request] : []);
        this.#check();
      }
    }
  }

  #note(made: readonly string[], done: readonly Request[]): void {
    this.#made.push(...made);
    for (const [op, , params] of done) {
      if (params?.["grant"] !== undefined || params?.["fromGrant"] !== undefined) {
        this.done.add(op);
      }
    }
  }

  #requestOf({ op, isAgents, ...pick }: Drawn): Request {
    const [a, , c] = this.#people;
    const by = isAgents ? a : c;
    if (op.endsWith("auctionfinish")) {
      return [op, "", this.#paramsOf(op, by, pick)];
    }
    const params = this.#paramsOf(op, by, pick);
    // The agent signs for the address, whichever side proposes an exchange.
    const name = op !== "exchange" ? "grant" : isAgents ? "fromGrant" : "toGrant";
    const isByGrant = isAgents || op === "exchange";
    return [op, by, isByGrant ? { ...params, [name]: this.#grant, signed: "full" } : params];
  }

  #paramsOf(
    op: string,
    by: Address,
    { thing, to, amount }: Omit<Drawn, "op" | "isAgents">,
  ): Params {
    const [a, , c] = this.#people;
    const pick = <T>(all: readonly T[]): T => all[thing % all.length] as T;
    const made = (prefix: string): string =>
      pick([...this.#made.filter((id) => id.startsWith(prefix)), `${prefix}_${"0".repeat(33)}`]);
    const others = this.#people.filter((one) => one !== by);
    const person = others[to % others.length] as Address;
    // Mostly the one that may be sold, and of small amounts.
    const item = thing % 3 === 0 ? (this.#items[0] as string) : pick(this.#items);
    const units = pick(this.#classes);
    const [project = ""] = this.#projects;
    const token = pick(["0", "0", "0", this.#gold, this.#silver]);
    const price = String(amount);
    const some = String(Math.min(amount, 2));
    const end = String(this.#client.now + DAY);
    const name = String(thing);
    const prefix = op.startsWith("mrc010") ? "DEX010" : op.startsWith("mrc040") ? "MRC040" : "";
    const things: Things = {
      ...{ by, to: person, project, item, units, token, price, amount: some, end, name },
      goods: by === a || op.startsWith("token") ? this.#gold : this.#silver,
      start: price,
      made: made(prefix || (op.startsWith("mrc401") ? "OFF401" : "OFF402")),
      side: pick(["BUY", "SELL"]),
      pair: { basetoken: "0", targettoken: pick([this.#gold, this.#silver]) },
    };
    switch (op) {
      case "exchange":
        return {
          ...{ fromAmount: price, fromToken: token, toAddr: by === a ? c : a },
          ...{ toAmount: "1", toToken: token === "0" ? this.#silver : "0" },
        };
      case "mrc401create":
        return { mrc400id: project, itemdata: [pick([{}, { to: person }, { sell_price: price }])] };
      case "mrc401offer":
        return drawnParams(op, { ...things, item: pick([item, project]) });
      case "mrc401sell":
        return drawnParams(op, { ...things, token: pick(["0", "0", this.#silver]) });
      case "mrc401update":
        return { mrc400id: item.slice(0, 40), itemdata: [{ id: item, sell_fee: "50" }] };
      case "mrc400update":
        return { mrc400id: project, partner: { [c]: "seller" } };
      default:
        return drawnParams(op, things);
    }
  }

  /** Checks the limits of the grant against all changes of the newest block. */
  #check(): void {
    const [before, after] = [this.#before, new LedgerSnapshot(this.#client.ledger.database)];
    this.#before = after;
    const [a, , c] = this.#people;
    const [first = "", ...kept] = this.#items.slice(0, 3);
    const balance = ({ balances }: LedgerSnapshot, whose: Address, token = "0"): bigint =>
      balances.get(`${whose} ${token}`) ?? 0n;

    const lost = balance(before, a) - balance(after, a);
    assert.ok(lost <= LIMIT, `lost ${lost} at once`);
    this.#lost += lost > 0n ? lost : 0n;
    const days = BigInt(Math.floor((this.#client.now - this.#since) / DAY) + 1);
    assert.ok(this.#lost <= days * LIMIT, `lost ${this.#lost} in ${days} days`);
    assert.ok(balance(after, a, this.#gold) >= balance(before, a, this.#gold), "gold stays");
    if (this.#hasPayees) {
      for (const token of ["0", this.#gold, this.#silver]) {
        const got = balance(after, c, token) - balance(this.#first, c, token);
        assert.ok(got <= 0n, `the accomplice got ${got} of token ${token}`);
      }
    }

    const [was, is] = [before, after].map((one) => one.document(`mrc401/${first}`));
    if ((was?.["owner"] || a) === a) {
      const { sell_price: sells, auction_start_price: starts } = is ?? {};
      for (const price of [sells, starts].map((text) => BigInt((text || "0") as string))) {
        assert.ok(price === 0n || price >= MINPRICE, `offered for ${price}`);
      }
      const brought = BigInt((is?.["last_trade_amount"] || "0") as string);
      assert.ok((is?.["owner"] || a) === a || brought >= MINPRICE, `sold for ${brought}`);
    }
    for (const key of [
      ...kept.map((id) => `mrc401/${id}`),
      ...[`mrc402/${this.#classes[0]}`, `mrc400/${this.#projects[0]}`, `token/${this.#gold}`],
    ]) {
      assert.deepEqual(after.document(key), this.#first.document(key), key);
    }
    const holding = `holding/${a}/${this.#classes[0]}`;
    assert.deepEqual(after.document(holding), this.#first.document(holding));
    const own = ({ owner }: { readonly owner?: unknown }): boolean => owner === a;
    assert.equal(after.documents("project").filter(own).length, 1);
    assert.equal(after.documents("token").filter(own).length, 1);
  }
}

for (const hasPayees of [true, false]) {
  test(`authority §5.3: an agent and its accomplice get no more than a grant allows, ${hasPayees ? "with" : "without"} payees`, async () => {
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(sendings, { minLength: 30, maxLength: 60 }), async (all) => {
        using client = await TestClient.open();
        const people = await client.people(["a", "b", "c"], { coins: 100_000n });
        const run = new Run(client, [people.a, people.b, people.c], hasPayees);
        await run.begin();
        for (const sending of all) {
          await run.send(sending);
        }
        for (const op of run.done) {
          done.add(op);
        }
      }),
      {
        ...{ numRuns: byLane({ quick: 5, long: 500 }), endOnFailure: true },
        examples: [[[{ how: "alone", wait: 0, all: ALLOWED }]]],
      },
    );
    for (const { op } of ALLOWED) {
      assert.ok(done.has(op), `the agent does ${op}; it does ${[...done].join()}`);
    }
  });
}
