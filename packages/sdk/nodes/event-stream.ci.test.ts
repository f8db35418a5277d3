import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { until } from "../../node/testing/until.ts";
import { type Actor, type LedgerEvent, Moneta, ProblemError, SigningKey } from "../index.ts";

interface Stage extends AsyncDisposable {
  readonly node: TestNode;
  readonly proxy: ForwardingProxy;
  readonly moneta: Moneta;
  readonly alice: Actor;
  readonly bob: Actor;
  /** Alice pays Bob; answers the transaction's id. */
  pay(): Promise<string>;
}

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(async () => {
  await node?.[Symbol.asyncDispose]();
});

async function stage(): Promise<Stage> {
  const proxy = await ForwardingProxy.to(node.url);
  const moneta = new Moneta(proxy.url);
  const alice = await moneta.createAddress(await SigningKey.generate());
  const bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address });
  return {
    node,
    proxy,
    moneta,
    alice,
    bob,
    async pay() {
      const paid = await alice.transfer({ to: bob.address, token: 0, amount: 1n });
      return paid.transaction_id;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/** The next so many transactions of a stream. */
async function transactions(
  stream: AsyncGenerator<LedgerEvent, void, undefined>,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { value } = await stream.next();
    assert.ok(value !== undefined, "the stream continues");
    if (value.kind === "transaction") {
      ids.push(value.transaction.id);
      assert.equal(value.transaction.id, value.id);
    }
  }
  return ids;
}

test("payments come as they are made, whole", async () => {
  await using show = await stage();
  await using stream = show.moneta.events({ address: [show.bob.address], type: ["receive"] });
  const { value: first } = await stream.next();
  assert.deepEqual(first, { kind: "height", id: first?.id, height: await show.node.height() });
  const paid = await show.pay();
  let { value } = await stream.next();
  while (value?.kind === "height") {
    ({ value } = await stream.next()); // comes also where nothing else has come for a while
  }
  assert.ok(value?.kind === "transaction");
  assert.equal(value.id, paid);
  assert.equal(value.transaction.effects[0]?.address, show.bob.address);
});

test("lost connections, also one that ends in the middle of an event, lose and repeat nothing", async () => {
  await using show = await stage();
  const causes: unknown[] = [];
  const onReconnect = (cause: unknown): void => void causes.push(cause);
  await using stream = show.moneta.events({ address: [show.bob.address] }, { onReconnect });
  await stream.next();
  const expected: string[] = [];
  const seen: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    expected.push(await show.pay(), await show.pay());
    seen.push(...(await transactions(stream, 1)));
    const cut = Promise.withResolvers<void>();
    show.proxy.change = (_path, text) => {
      if (round !== 2 || !text.includes("event: transaction")) {
        return text;
      }
      cut.resolve();
      return text.slice(0, -20);
    };
    if (round !== 2) {
      show.proxy.breakOff(); // before the payment, which can then only come by a new connection
    }
    expected.push(await show.pay());
    if (round === 2) {
      await cut.promise;
      show.proxy.breakOff();
    }
    show.proxy.change = (_path, text) => text;
    seen.push(...(await transactions(stream, 2)));
  }
  assert.deepEqual(seen, expected);
  assert.equal(causes.length, 4);
});

test("a node that is away for a while is waited for", async () => {
  await using show = await stage();
  await using stream = show.moneta.events({ address: [show.bob.address] });
  await stream.next();
  const before = await show.pay();
  assert.deepEqual(await transactions(stream, 1), [before]);
  await show.node.stop();
  const next = transactions(stream, 1);
  show.proxy.target = undefined;
  await new Promise((resolve) => setTimeout(resolve, 300));
  await show.node.resume();
  show.proxy.target = show.node.url;
  const paid = await show.pay();
  assert.deepEqual(await next, [paid]);
});

test("it begins where the filter says: behind an event, or with a block", async () => {
  await using show = await stage();
  const paid = [await show.pay(), await show.pay(), await show.pay()];
  const address = [show.bob.address];
  await using behind = show.moneta.events({ address, after: paid[0] });
  assert.deepEqual(await transactions(behind, 2), paid.slice(1));
  const { db_sn } = await show.moneta.transaction({ transaction_id: paid[1] as string });
  await using with_ = show.moneta.events({ address, from: Number(db_sn) });
  assert.deepEqual(await transactions(with_, 2), paid.slice(1));
});

test("a stream that cannot be is refused at once, with the reason", async () => {
  await using show = await stage();
  for (const [filter, code] of [
    [{ address: ["MTnobody"] }, "3190"],
    [{ after: "f".repeat(64) }, "6008"],
    [{ from: 1_000_000 }, "1101"],
  ] as const) {
    const stream = show.moneta.events(filter);
    await assert.rejects(stream.next(), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.equal(error.code, code);
      return true;
    });
  }
});

test("it ends without an error when its signal says so, also while it waits to come back", async () => {
  await using show = await stage();
  const end = new AbortController();
  const stream = show.moneta.events({}, { signal: end.signal });
  await stream.next();
  const next = stream.next();
  end.abort();
  assert.deepEqual(await next, { done: true, value: undefined });

  show.proxy.target = undefined;
  show.proxy.breakOff();
  const later = new AbortController();
  const waiting = show.moneta.events({}, { signal: later.signal }).next();
  setTimeout(() => later.abort(), 100);
  assert.deepEqual(await waiting, { done: true, value: undefined });
});

test("who leaves the loop leaves no connection", async () => {
  await using show = await stage();
  for await (const event of show.moneta.events()) {
    assert.equal(event.kind, "height");
    break;
  }
  const open = async (): Promise<string> => {
    const { text } = await show.node.get("/metrics");
    return /^moneta_event_streams (\d+)$/m.exec(text)?.[1] ?? "?";
  };
  await until(async () => (await open()) === "0", "a connection is left");
});

test("line separators and colons in a memo change nothing of an event", async () => {
  await using world = await stage();
  const memo = "a\u2028b\u2029c: d\u0085e";
  const from = Number(await world.moneta.height()) + 1;
  await world.alice.transfer({ to: world.bob.address, token: 0, amount: 1n, memo });
  for await (const event of world.moneta.events({ address: [world.bob.address], from })) {
    if (event.kind === "transaction") {
      assert.ok(event.transaction.parameters.includes(memo));
      break;
    }
  }
});

test("a ledger that was replaced, which does not know the position, ends the stream with 6008", async () => {
  await using show = await stage();
  await using other = await TestNode.start();
  await using stream = show.moneta.events({ address: [show.bob.address] });
  await stream.next();
  show.proxy.target = other.url;
  show.proxy.breakOff();
  await assert.rejects(stream.next(), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.equal(error.code, "6008");
    return true;
  });
});
