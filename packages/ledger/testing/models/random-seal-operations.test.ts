import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import type { Request } from "../admitted.ts";
import { checkCatalogue } from "../catalogue.ts";
import { TestClient } from "../test-client.ts";
import { assertReplaysAlike } from "../test-ledger.ts";
import { type Sealing, sealing } from "../trade/sealing.ts";
import { Picks } from "./trading-desk.ts";

const PER_BLOCK = 20;
const REFERENCES = ["a", "b", "c", "d", "e", "f"] as const;
const KEYS = ["one", "two", "three"] as const;

/** Sealed commitments as a plain map: address, key and date. */
interface Sealed {
  /** Undefined if no key opens it: the hash was copied from another address. */
  readonly key: string | undefined;
  readonly opendate: number;
  isOpen: boolean;
}

/** An operation, and a function that returns the model's outcome when it is sent. */
interface Step {
  readonly request: Request;
  readonly expected: (now: number) => string;
}

/** Seals and opens at random, a block after the other, while time passes. */
async function run(numbers: readonly number[], tally: Set<string>): Promise<void> {
  using client = await TestClient.open();
  const people = Object.values(await client.people(["p0", "p1", "p2"]));
  const model = new Map<string, Sealed>();
  const picks = new Picks(numbers);
  for (let blocks = 0; blocks < 12; blocks++) {
    client.now += picks.below(40);
    const steps = Array.from({ length: PER_BLOCK }, () => stepOf(client, people, model, picks));
    const answers = await client.block(steps.map(({ request }) => request));
    for (const [index, { request, expected }] of steps.entries()) {
      const wanted = expected(client.now);
      assert.equal(answers[index]?.code, wanted, JSON.stringify(request));
      tally.add(`${request[0]} ${wanted}`);
    }
    for (const [id, { key = "", isOpen, opendate }] of model) {
      const shown = client.entry(id);
      assert.deepEqual(
        [shown["is_open"], shown["publickey"], shown["opendate"]],
        [isOpen ? 1 : 0, isOpen ? key : "", opendate],
      );
    }
  }
  checkCatalogue(client.ledger);
  assertReplaysAlike(client.ledger);
}

function stepOf(
  client: TestClient,
  people: readonly Address[],
  model: Map<string, Sealed>,
  picks: Picks,
): Step {
  const owner = picks.of(people);
  const referencekey = picks.of(REFERENCES);
  const key = picks.of(KEYS);
  const id = `MRC020_${owner}_${referencekey}`;
  if (picks.below(2) === 0) {
    // A third of them have passed: every run has some that are refused for it.
    const opendate = client.now - 20 + picks.below(60);
    const given: Sealing = { key, referencekey, opendate: String(opendate) };
    const isCopied = picks.rarely(5);
    const rival = picks.of(people.filter((one) => one !== owner));
    const { keyhash } = sealing(client, isCopied ? rival : owner, given);
    return {
      request: ["mrc020", owner, { ...sealing(client, owner, given), keyhash }],
      expected: (now) => {
        if (model.has(id)) {
          return "409 7111";
        }
        if (opendate <= now) {
          return "400 1102";
        }
        model.set(id, { key: isCopied ? undefined : key, opendate, isOpen: false });
        return "done";
      },
    };
  }
  return {
    request: ["mrc020open", "", { mrc020key: id, key }],
    expected: (now) => {
      const sealed = model.get(id);
      if (sealed === undefined) {
        return "404 6004";
      }
      if (sealed.key !== key) {
        return "400 3006";
      }
      if (sealed.isOpen) {
        return "409 7113";
      }
      if (now < sealed.opendate) {
        return "409 7205";
      }
      sealed.isOpen = true;
      return "done";
    },
  };
}

const numbers = fc.array(fc.nat({ max: 1_000_003 }), { minLength: 900, maxLength: 1000 });

test("random sealed texts come to the same as in a plain map, and are replayed alike", async () => {
  const tally = new Set<string>();
  const runs = fc.asyncProperty(numbers, (given) => run(given, tally));
  await fc.assert(runs, { numRuns: 5, endOnFailure: true });
  const wanted = ["mrc020 done", "mrc020 409 7111", "mrc020 400 1102", "mrc020open done"];
  const refused = ["404 6004", "400 3006", "409 7113", "409 7205"];
  assert.deepEqual(
    [...wanted, ...refused.map((code) => `mrc020open ${code}`)].filter((one) => !tally.has(one)),
    [],
  );
});
