import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, bundledKey } from "@moneta/protocol";
import fc from "fast-check";
import { derivedId } from "../../state/ids/derived-id.ts";
import type { Answer } from "../answer.ts";
import { checkCatalogue } from "../catalogue.ts";
import { byLane } from "../lane.ts";
import { TestClient } from "../test-client.ts";
import { assertReplaysAlike } from "../test-ledger.ts";
import { createToken } from "../trade/creations.ts";
import { actorParam, drawnParams } from "./drawn-params.ts";
import { assertHistories } from "./history-model.ts";

/** An operation of a bundle; its numbers select addresses and things. */
interface Drawn {
  readonly op: string;
  readonly a: number;
  readonly b: number;
  readonly amount: number;
}

interface DrawnBundle {
  readonly by: number;
  readonly skip: readonly string[] | undefined;
  readonly operations: readonly Drawn[];
}

const MONEY = ["transfer", "multitransfer"];
const OTHERS = [
  ...["tokensave", "tokencreate", "tokenburn", "tokenincrease", "mrc400create", "mrc400update"],
  ...["mrc401create", "mrc401sell", "mrc401unsell", "mrc401buy", "mrc401transfer", "mrc401melt"],
  ...["mrc401auction", "mrc401bid", "mrc401unauction", "mrc401update"],
  ...["mrc402create", "mrc402transfer", "mrc402sell", "mrc402buy", "mrc402burn", "mrc402mint"],
  ...["mrc402melt", "mrc402unsell", "mrc402update"],
  ...["mrc010sell", "mrc010buy", "mrc010unsell", "mrc010reqsell", "mrc010acceptreqsell"],
  ...[
    "tokensetbase",
    "tokenaddtarget",
    "mrc040create",
    "mrc040cancel",
    "mrc040request",
    "mrc040exchange",
    "mrc020",
  ],
];

function drawn(ops: readonly string[]): fc.Arbitrary<Drawn> {
  return fc.record({
    op: fc.constantFrom(...ops),
    a: fc.nat(50),
    b: fc.nat(50),
    amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 900 })),
  });
}

const bundles: fc.Arbitrary<DrawnBundle> = fc.record({
  by: fc.nat(2),
  skip: fc.constantFrom<readonly string[] | undefined>(
    ...[undefined, ["*"], ["*"], ["5001"], ["7108", "6004", "5000"]],
  ),
  operations: fc.oneof(
    fc.array(drawn(MONEY), { minLength: 1, maxLength: 12 }),
    fc.array(drawn([...MONEY, ...OTHERS]), { minLength: 1, maxLength: 12 }),
  ),
});

type Sent = { readonly [name: string]: unknown };

/** A run over a ledger with three addresses, which keeps the ids of what they create. */
class Run {
  readonly #client: TestClient;
  readonly #people: readonly Address[];
  readonly #made: string[] = [];
  #names = 0;
  #base = "";
  #target = "";

  constructor(client: TestClient, people: readonly Address[]) {
    this.#client = client;
    this.#people = people;
  }

  async begin(): Promise<void> {
    const client = this.#client;
    const [p, ...others] = this.#people as [Address, ...Address[]];
    const supply = { totalsupply: "100000", decimal: "0" };
    this.#base = await createToken(client, p, { name: "Base", ...supply });
    this.#target = await createToken(client, p, { name: "Target", ...supply });
    await client.done("tokensetbase", p, { token: this.#target, baseToken: this.#base });
    await client.done("tokenaddtarget", p, { token: this.#base, targetToken: this.#target });
    for (const token of [this.#base, this.#target]) {
      for (const to of others) {
        await client.done("transfer", p, { to, token, amount: "5000" });
      }
    }
    this.#made.push(this.#base, this.#target);
  }

  /** Sends a bundle; compares one that has only payments with their calculated result. */
  async send({ by, skip, operations }: DrawnBundle): Promise<string> {
    const client = this.#client;
    const actor = this.#people[by] as Address;
    const tkey = client.ledger.key(actor);
    const own: string[] = [];
    const sent = operations.map((one, index) => {
      const key = bundledKey(tkey, index);
      if (one.op === "mrc400create") {
        own.push(derivedId("MRC400", actor, key));
      } else if (one.op === "mrc402create") {
        own.push(derivedId("MRC402", actor, key));
      }
      return this.#sentOf(one, actor, own);
    });
    const wanted = operations.every(({ op }) => MONEY.includes(op))
      ? this.#paid(sent, actor, skip)
      : undefined;
    const body = JSON.stringify({ actor, tkey, operations: sent, skip });
    const before = this.#people.map((each) => BigInt(client.held(each)));
    // Another operation keeps the block of a bundle that is refused.
    const { treasury } = client.ledger;
    const more = { to: client.issuer, token: "0", amount: "1" };
    const [answer] = (await client.block([
      ["bundle", actor, { body }],
      ["transfer", treasury, more],
    ])) as [Answer, Answer];
    this.#made.push(...answer.made);
    assert.doesNotMatch(answer.summary, / (10\d\d|3005)/, answer.problem?.detail ?? "");
    if (wanted !== undefined) {
      const moved = this.#people.map(
        (each, index) => BigInt(client.held(each)) - (before[index] as bigint),
      );
      assert.deepEqual(moved, wanted.moved);
      assert.equal(answer.code, wanted.summary);
      if (answer.code === "done") {
        assert.equal(answer.record.parameters[1], JSON.stringify(wanted.skipped));
      }
    }
    return answer.code;
  }

  /** The result of payments in coins: an independent model of a bundle. Source: bundles §4. */
  #paid(sent: readonly Sent[], actor: Address, skip: readonly string[] = []) {
    const moved = this.#people.map(() => 0n);
    const place = this.#people.indexOf(actor);
    const skipped: [number, string][] = [];
    const spendable = BigInt(this.#client.held(actor));
    for (const [index, one] of sent.entries()) {
      const list = (one["transferlist"] as { address: Address; amount: string }[] | undefined) ?? [
        { address: one["to"] as Address, amount: one["amount"] as string },
      ];
      const sum = list.reduce((total, { amount }) => total + BigInt(amount), 0n);
      if (spendable + (moved[place] as bigint) < sum) {
        if (!skip.includes("*") && !skip.includes("5001")) {
          return { summary: "400 5001", moved: this.#people.map(() => 0n), skipped };
        }
        skipped.push([index, "5001"]);
        continue;
      }
      moved[place] = (moved[place] as bigint) - sum;
      for (const { address, amount } of list) {
        const payee = this.#people.indexOf(address);
        moved[payee] = (moved[payee] as bigint) + BigInt(amount);
      }
    }
    return skipped.length === sent.length
      ? { summary: "400 5001", moved: this.#people.map(() => 0n), skipped }
      : { summary: "done", moved, skipped };
  }

  #one(number: number, form: RegExp, own: readonly string[] = []): string {
    const fitting = [...this.#made, ...own].filter((id) => form.test(id));
    return fitting.length === 0 ? "MRC400_none" : (fitting[number % fitting.length] as string);
  }

  #sentOf({ op, a, b, amount: number }: Drawn, actor: Address, own: readonly string[]): Sent {
    const amount = String(number);
    const others = this.#people.filter((one) => one !== actor);
    const token = this.#one(a, /^[0-9]+$/);
    const isOrder = op.startsWith("mrc040");
    this.#names += 1;
    const params = drawnParams(op, {
      by: actor,
      to: others[a % others.length] as Address,
      project: this.#one(a, /^MRC400_[0-9a-f]{33}$/, own),
      item: this.#one(b, /^MRC400_[0-9a-f]+_/),
      units: this.#one(a, /^MRC402_/, own),
      token: "0",
      goods: op.startsWith("token") && token === this.#base ? this.#target : token,
      price: isOrder ? String(1 + (b % 3)) : amount,
      amount,
      start: "1",
      end: String(this.#client.now + 4000),
      made: this.#one(b, isOrder ? /^MRC040/ : /^DEX010/),
      side: number % 2 === 0 ? "SELL" : "BUY",
      pair: { basetoken: this.#base, targettoken: this.#target },
      name: `N${this.#names}`,
    });
    return { operation: op, ...actorParam(op, actor), ...params };
  }
}

const RUNS = byLane({ quick: 12, long: 400 });

test("bundles §5.4: random bundles of all operations, with and without skip, lose no unit, show what moved, have whole histories, and are replayed, rebuilt and forecast alike", async () => {
  const tally = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(bundles, { minLength: 20, maxLength: 30 }), async (all) => {
      using client = await TestClient.open();
      const people = await client.people(["p", "q", "r"], { coins: 1000n });
      client.ledger.isForecast = true;
      const run = new Run(client, Object.values(people));
      await run.begin();
      for (const bundle of all) {
        const code = await run.send(bundle);
        tally.set(code, (tally.get(code) ?? 0) + 1);
      }
      for (const { type, effects } of client.ledger.records()) {
        for (const effect of type === "bundle" ? effects : []) {
          tally.set(effect.type, (tally.get(effect.type) ?? 0) + 1);
        }
      }
      checkCatalogue(client.ledger);
      assertHistories(client.ledger);
      assertReplaysAlike(client.ledger);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // Nearly all of the operations are done in some bundle of many runs.
  const types = new Set([...tally.keys()].filter((name) => !/^(done|[0-9])/.test(name)));
  assert.ok(types.size >= byLane({ quick: 10, long: 30 }), [...types].join());
});
