import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import type { Request } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import { checkCatalogue, typesOf } from "../catalogue.ts";
import { byLane } from "../lane.ts";
import { assertReplaysAlike } from "../test-ledger.ts";
import { OrderMarket, tradesOf } from "../trade/order-market.ts";
import { type ModelOrder, OrderModel, type Side } from "./order-model.ts";
import { LIMIT } from "./random-runs.ts";
import { Picks } from "./trading-desk.ts";

const PEOPLE = ["p0", "p1", "p2", "p3", "p4", "p5"] as const;
const EACH = 5000n;
const PER_BLOCK = 25;

type Tally = Map<string, number>;

/** An operation, and a function that returns the model's outcome when it is sent. */
interface Step {
  readonly request: Request;
  readonly expected: () => string;
  /** The order that it registers. */
  readonly made?: () => ModelOrder | undefined;
}

/** Runs random operations against the ledger and the model, a block after the other. */
async function run(numbers: readonly number[], steps: number, tally: Tally): Promise<void> {
  using market = await OrderMarket.open();
  const people = await market.people(PEOPLE, { base: EACH, target: EACH });
  const names = Object.values(people);
  const model = new OrderModel(1, names, EACH);
  const cancelled = new Set<ModelOrder>();
  const picks = new Picks(numbers);
  for (let done = 0; done < steps; done += PER_BLOCK) {
    if (!picks.rarely(4)) {
      await openPair(market, model);
    }
    const known = model.orders.length;
    const all = Array.from({ length: PER_BLOCK }, () =>
      stepOf(market, model, { picks, names, cancelled, known }),
    );
    const answers = await market.client.block(all.map(({ request }) => request));
    for (const [index, { request, expected, made }] of all.entries()) {
      const answer = answers[index] as Answer;
      const wanted = expected();
      assert.equal(problemSummary(answer), wanted, `${done + index}: ${JSON.stringify(request)}`);
      const outcome = `${request[0]} ${wanted.slice(0, 8).replace(/^done.*/, "done")}`;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      const order = made?.();
      if (order !== undefined) {
        order.id = answer.record.parameters[6] as string;
      }
    }
    for (const name of names) {
      const { base, target } = model.held(name);
      assert.equal(market.held(name), `${base} ${target}`);
    }
    for (const order of model.orders.filter(({ rest }) => rest > 0n)) {
      const { remainqtt, held } = market.client.entry(order.id);
      assert.deepEqual([remainqtt, held], [String(order.rest), String(model.holds(order))]);
    }
  }
  for (const type of checkCatalogue(market.client.ledger)) {
    tally.set(`record ${type}`, 1);
  }
  assertReplaysAlike(market.client.ledger);
}

function problemSummary(answer: Answer): string {
  return answer.code === "done" ? `done ${tradesOf(answer).join(", ")}` : answer.code;
}

/** Mostly opens the pair again, which steps have closed. */
async function openPair(market: OrderMarket, model: OrderModel): Promise<void> {
  if (!model.isBased) {
    const { client, issuer, base, target } = market;
    await client.done("tokensetbase", issuer, { token: target, baseToken: base });
    model.isBased = true;
  }
  if (!model.isAdmitted) {
    await market.admitTarget();
    model.isAdmitted = true;
  }
}

/** A change of the pair by the owner of both tokens. Source: protocols §8. */
function pairStep({ issuer, base, target }: OrderMarket, model: OrderModel, picks: Picks): Step {
  const changing = (request: Request, of: "isBased" | "isAdmitted", to: boolean): Step => ({
    request,
    expected: () => {
      if (model[of] === to) {
        return "400 4900";
      }
      model[of] = to;
      return "done ";
    },
  });
  const isBased = picks.below(2) === 0;
  const isAdmitted = picks.below(2) === 0;
  const admitting = isAdmitted ? "tokenaddtarget" : "tokenremovetarget";
  return picks.below(2) === 0
    ? changing(
        ["tokensetbase", issuer, { token: target, baseToken: isBased ? base : "0" }],
        "isBased",
        isBased,
      )
    : changing([admitting, issuer, { token: base, targetToken: target }], "isAdmitted", isAdmitted);
}

function stepOf(
  market: OrderMarket,
  model: OrderModel,
  {
    picks,
    names,
    cancelled,
    known,
  }: {
    readonly picks: Picks;
    readonly names: readonly Address[];
    readonly cancelled: Set<ModelOrder>;
    readonly known: number;
  },
): Step {
  if (picks.rarely(30)) {
    return pairStep(market, model, picks);
  }
  const by = picks.of(names);
  const side: Side = picks.of(["SELL", "BUY"]);
  const qtt = BigInt(1 + picks.below(30)) * (picks.rarely(3) ? 1n : 10n);
  const price = 95n + BigInt(picks.below(11));
  const terms = market.terms(side, qtt, price);
  const what = picks.below(known === 0 ? 4 : 10);
  if (what < 5) {
    let made: ModelOrder | undefined;
    return {
      request: ["mrc040create", by, terms],
      expected: () => {
        const reported = model.create(by, side, qtt, price);
        made = reported.startsWith("done") ? model.orders.at(-1) : undefined;
        return reported;
      },
      made: () => made,
    };
  }
  if (what < 7) {
    const minimum = BigInt(1 + picks.below(3)) * (picks.rarely(3) ? 10n : 1n);
    const minqtt = minimum > qtt ? qtt : minimum;
    return {
      request: ["mrc040request", by, { ...terms, minqtt: String(minqtt) }],
      expected: () => model.request(by, side, qtt, price, minqtt),
    };
  }
  // Mostly a waiting order.
  const waiting = model.orders.slice(0, known).filter(({ rest }) => rest > 0n);
  const order =
    waiting.length === 0 || picks.rarely(6)
      ? (model.orders[picks.below(known)] as ModelOrder)
      : picks.of(waiting);
  const mrc040id = order.id;
  if (what < 9) {
    const part = picks.units(order.rest);
    const amount = part === "0" ? "1" : part;
    return {
      request: ["mrc040exchange", by, { mrc040id, qtt: amount }],
      expected: () => model.take(by, order, BigInt(amount), cancelled.has(order)),
    };
  }
  const owner = picks.rarely(5) ? by : (order.by as Address);
  return {
    request: ["mrc040cancel", owner, { mrc040id }],
    expected: () => {
      const reported = model.cancel(owner, order, cancelled.has(order));
      if (reported.startsWith("done")) {
        cancelled.add(order);
      }
      return reported;
    },
  };
}

const numbers = fc.array(fc.nat({ max: 1_000_003 }), { minLength: 900, maxLength: 1000 });

test("protocols §11 row 46: random orders come to the same as in a model that sorts a plain list, and are replayed alike", () =>
  fc.assert(
    fc.asyncProperty(numbers, (given) => run(given, 300, new Map())),
    { numRuns: byLane({ quick: 1, long: 40 }), ...LIMIT },
  ));

test("among them every operation is done, and refused for each of its reasons", async () => {
  const tally: Tally = new Map();
  const runs = fc.asyncProperty(numbers, (given) => run(given, 600, tally));
  await fc.assert(runs, { numRuns: 2, seed: 1, endOnFailure: true });
  const wanted = {
    mrc040create: "done 400_3004 400_3005 400_5000 409_7114",
    mrc040request: "done 400_3004 409_7114 409_7117",
    mrc040exchange: "done 400_3004 409_7101 409_7102 409_7114 409_7115",
    mrc040cancel: "done 403_7001 409_7101 409_7102",
    tokensetbase: "done 400_4900",
    tokenaddtarget: "done 400_4900",
    tokenremovetarget: "done 400_4900",
  };
  const outcomes = Object.entries(wanted).flatMap(([op, codes]) =>
    codes.split(" ").map((code) => `${op} ${code.replace("_", " ")}`),
  );
  assert.deepEqual(
    outcomes.filter((outcome) => !tally.has(outcome)),
    [],
  );
  const types = [...typesOf("protocols")].filter((type) => /^(stodex|SetBase|token)/.test(type));
  assert.deepEqual(
    types.filter((type) => !tally.has(`record ${type}`)),
    [],
  );
});
