import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualTime } from "../simulator/virtual-time.ts";
import { CatchUp } from "./catch-up.ts";

/** Looks that a test answers, in virtual time. */
function hangingLooks(): {
  readonly catchUp: CatchUp;
  readonly looks: PromiseWithResolvers<number | undefined>[];
  readonly pass: (ms: number) => Promise<unknown>;
} {
  const time = new VirtualTime();
  const looks: PromiseWithResolvers<number | undefined>[] = [];
  const look = (): Promise<number | undefined> => {
    const asked = Promise.withResolvers<number | undefined>();
    looks.push(asked);
    return asked.promise;
  };
  const nodeTime = {
    nowMs: () => time.nowMs,
    wallMs: () => time.nowMs,
    after: (ms: number, call: () => void) => time.after(ms, call),
    soon: (call: () => void) => void time.after(0, call),
  };
  const pass = (ms: number): Promise<unknown> => time.passUntil(() => false, time.nowMs + ms);
  return { catchUp: new CatchUp(look, nodeTime), looks, pass };
}

test("cluster §4: while the log hangs, one look is under way, and one more waits for all that come", async () => {
  const { catchUp, looks, pass } = hangingLooks();
  const answers: (number | undefined)[] = [];
  for (let request = 0; request < 600; request += 1) {
    void catchUp.now().then((height) => answers.push(height));
    await pass(100);
  }
  assert.equal(looks.length, 1);
  await pass(5000);
  assert.deepEqual(new Set(answers), new Set([undefined]), "each has waited for five seconds");
  assert.equal(answers.length, 600);

  const waiting = Array.from({ length: 20 }, () => catchUp.now());
  looks[0]?.resolve(7);
  await pass(100);
  assert.equal(looks.length, 2, "what was read before they came says nothing to them");
  looks[1]?.resolve(8);
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([8]));
});

test("cluster §4: a look that fails holds up no other", async () => {
  const { catchUp, looks, pass } = hangingLooks();
  const failing = assert.rejects(catchUp.now(), /away/);
  await pass(10);
  const next = catchUp.now();
  looks[0]?.reject(new Error("the log is away"));
  await failing;
  await pass(100);
  looks[1]?.resolve(3);
  assert.equal(await next, 3);
});
