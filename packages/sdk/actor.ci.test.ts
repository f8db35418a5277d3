import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../node/testing/forwarding-proxy.ts";
import { newKey, publicPem, TestNode } from "../node/testing/test-node.ts";
import { type Actor, Moneta, ProblemError, SigningKey, UnansweredError } from "./index.ts";

let shared: TestNode;
before(async () => {
  shared = await TestNode.start();
});
after(async () => {
  await shared?.[Symbol.asyncDispose]();
});

/** Two new addresses, one with coins, and a proxy of their own in front of the node. */
class Payment implements AsyncDisposable {
  readonly node: TestNode;
  readonly proxy: ForwardingProxy;
  readonly moneta: Moneta;
  readonly alice: Actor;
  readonly bob: Actor;

  private constructor(parts: Pick<Payment, "node" | "proxy" | "moneta" | "alice" | "bob">) {
    this.node = parts.node;
    this.proxy = parts.proxy;
    this.moneta = parts.moneta;
    this.alice = parts.alice;
    this.bob = parts.bob;
  }

  static async prepare(): Promise<Payment> {
    const node = shared;
    const proxy = await ForwardingProxy.to(node.url);
    const moneta = new Moneta(proxy.url);
    const alice = await moneta.createAddress(await SigningKey.generate());
    const bob = await moneta.createAddress(await SigningKey.generate());
    await moneta.faucet({ address: alice.address, amount: 1_000_000n });
    return new Payment({ node, proxy, moneta, alice, bob });
  }

  async coins({ address }: Actor): Promise<bigint | undefined> {
    return (await this.moneta.balanceOfToken({ address, token: 0 }))[0]?.balance;
  }

  asked(path: string): number {
    return this.proxy.asked.filter((one) => one.startsWith(path)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
  }
}

function codeOf(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ProblemError && error.code === code;
}

test("a payment arrives, and covers what only a full signature covers", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob, moneta } = payment;
  const memo = 'Ünïcode | "quotes" \\ \u2028 and\nlines';
  const { transaction_id } = await alice.transfer({ to: bob.address, token: 0, amount: 5n, memo });
  const { parameters, type } = await moneta.transaction({ transaction_id });
  assert.equal(type, "transfer");
  assert.equal(parameters[7], memo);
  assert.equal(await payment.coins(bob), 5n);
});

test("an address that accepts nothing but full signatures is paid from", async () => {
  await using payment = await Payment.prepare();
  const key = await SigningKey.generate({ curve: "P-521" });
  const strict = await payment.moneta.createAddress(key, { signed: "full", addinfo: "strict" });
  await payment.alice.transfer({ to: strict.address, token: 0, amount: 10n });
  await strict.transfer({ to: payment.bob.address, token: 0, amount: 4n });
  assert.equal(await payment.coins(strict), 6n);
});

for (const encoding of ["der", "ieee-p1363"] as const) {
  test(`another program may hold the key and sign, ${encoding}`, async () => {
    await using payment = await Payment.prepare();
    const key = newKey("secp384r1");
    const signer = {
      publicKeyPem: publicPem(key),
      sign: (bytes: Uint8Array) => sign("sha512", bytes, { key, dsaEncoding: encoding }),
    };
    const { address } = await payment.moneta.createAddress(signer);
    await payment.alice.transfer({ to: address, token: 0, amount: 3n });
    await payment.moneta
      .actor(address, signer.sign)
      .transfer({ to: payment.bob.address, token: 0, amount: 1n });
    assert.equal(await payment.coins(payment.bob), 1n);
  });
}

test("100 writes of one address under way at once are all done, with few requests for keys", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob } = payment;
  const all = Array.from({ length: 100 }, () =>
    alice.transfer({ to: bob.address, token: 0, amount: 2n }),
  );
  const ids = new Set((await Promise.all(all)).map(({ transaction_id }) => transaction_id));
  assert.equal(ids.size, 100);
  assert.equal(await payment.coins(bob), 200n);
  assert.ok(payment.asked("/nonce/") <= 2, `${payment.asked("/nonce/")} requests for keys`);
});

test("one write after another needs no request for a key: each comes with the answer before", async () => {
  await using payment = await Payment.prepare();
  for (let writes = 0; writes < 5; writes += 1) {
    await payment.alice.transfer({ to: payment.bob.address, token: 0, amount: 1n });
  }
  assert.equal(payment.asked("/nonce/"), 0);
});

test("a write whose response is lost is retried, and nothing is paid twice", async () => {
  await using payment = await Payment.prepare();
  let left = 3;
  payment.proxy.loses = ({ url }) => url === "/transfer" && left-- > 0;
  const { alice, bob } = payment;
  await alice.transfer({ to: bob.address, token: 0, amount: 7n });
  assert.equal(payment.asked("/transfer"), 4);
  assert.equal(await payment.coins(bob), 7n);
});

test("the creation of an address whose response is lost is retried, and there is one address", async () => {
  await using payment = await Payment.prepare();
  let left = 2;
  payment.proxy.loses = ({ url }) => url === "/address" && left-- > 0;
  const key = await SigningKey.generate();
  const { address } = await payment.moneta.createAddress(key);
  const { publicKeyPem: publickey } = key;
  assert.deepEqual(await payment.moneta.addressByKey({ publickey }), [address]);
});

test("what cannot be retried is not: the error says that it may have happened", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.loses = ({ url }) => url === "/faucet";
  const { address } = payment.bob;
  await assert.rejects(payment.moneta.faucet({ address, amount: 5n }), (error) => {
    assert.ok(error instanceof UnansweredError);
    assert.equal(error.mayHaveHappened, true);
    return true;
  });
  assert.equal(payment.asked("/faucet"), 2); // one of them in the beginning
  assert.equal(await payment.coins(payment.bob), 5n);
});

test("where no connection is possible, nothing can have happened", async () => {
  const gone = await ForwardingProxy.to("http://127.0.0.1");
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  const moneta = new Moneta(url, { retries: 1, ledgerId: "a".repeat(64) });
  const alice = moneta.actor(`MT${"0".repeat(38)}`, await SigningKey.generate());
  for (const call of [
    () => moneta.height(),
    () => alice.transfer({ to: "MT", token: 0, amount: 1n }),
    () => moneta.faucet({ address: alice.address }),
  ]) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof UnansweredError);
      assert.equal(error.mayHaveHappened, false);
      assert.match(error.message, /^http:\/\/127\.0\.0\.1:\d+ did not respond: .*ECONNREFUSED/);
      return true;
    });
  }
});

test("a node that is not ready yet is asked again after the time that it names", async () => {
  await using payment = await Payment.prepare();
  let left = 2;
  payment.proxy.answer = ({ url }, response) => {
    const refuses = url === "/transfer" && left-- > 0;
    if (refuses) {
      const headers = { "Content-Type": "application/problem+json", "Retry-After": "0" };
      const problem = { code: "9002", status: 503, title: "Overloaded", detail: "Come back." };
      response.writeHead(503, headers).end(JSON.stringify(problem));
    }
    return refuses;
  };
  await payment.alice.transfer({ to: payment.bob.address, token: 0, amount: 1n });
  assert.equal(payment.asked("/transfer"), 3);
});

test("a wait of more than a minute is reported to the caller instead", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.answer = ({ url }, response) => {
    const refuses = url === "/transfer";
    if (refuses) {
      const headers = { "Content-Type": "application/problem+json", "Retry-After": "3600" };
      const problem = { code: "9001", status: 429, title: "Too many", detail: "Later." };
      response.writeHead(429, headers).end(JSON.stringify(problem));
    }
    return refuses;
  };
  const { alice, bob } = payment;
  await assert.rejects(alice.transfer({ to: bob.address, token: 0, amount: 1n }), codeOf("9001"));
  assert.equal(payment.asked("/transfer"), 1);
});

test("a proxy that fails is no ledger that refuses: the write is sent again", async () => {
  await using payment = await Payment.prepare();
  let left = 2;
  payment.proxy.answer = ({ url }, response) => {
    const fails = url === "/transfer" && left-- > 0;
    if (fails) {
      response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway</h1>");
    }
    return fails;
  };
  await payment.alice.transfer({ to: payment.bob.address, token: 0, amount: 1n });
  assert.equal(await payment.coins(payment.bob), 1n);
});

test("a response 200 of something else than a ledger counts as no response", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.answer = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome to our network</h1>");
    return true;
  };
  const hasty = new Moneta(payment.proxy.url, { retries: 1 });
  await assert.rejects(hasty.height(), {
    name: "UnansweredError",
    message: /status 200 of something else than a ledger/,
  });
});

test("an answer that is no JSON is none, and the write may have been done", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.change = (path, body) => (path === "/transfer" ? body.slice(0, -1) : body);
  const { alice, bob } = payment;
  await assert.rejects(alice.transfer({ to: bob.address, token: 0, amount: 1n }), {
    name: "UnansweredError",
    mayHaveHappened: true,
  });
});

test("a node has no say in what a signature means: its ledger id must be a hash", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.change = (path, body) =>
    path === "/" ? body.replace(/"ledger_id":"\w+"/, `"ledger_id":"x|y"`) : body;
  const fresh = new Moneta(payment.proxy.url);
  const carol = await fresh.createAddress(await SigningKey.generate());
  await assert.rejects(
    carol.transfer({ to: payment.bob.address, token: 0, amount: 1n }),
    /no ledger id/,
  );
  assert.throws(() => new Moneta(payment.proxy.url, { ledgerId: "main" }), /no ledger id/);
});

test("a refusal after an attempt without an answer is no proof that nothing was done", async () => {
  await using payment = await Payment.prepare();
  let asked = 0;
  payment.proxy.loses = ({ url }) => url === "/transfer";
  payment.proxy.answer = ({ url }, response) => {
    const expired = url === "/transfer" && asked++ > 0;
    if (expired) {
      const problem = { code: "2020", status: 401, title: "Key", detail: "It has expired." };
      const headers = { "Content-Type": "application/problem+json" };
      response.writeHead(401, headers).end(JSON.stringify(problem));
    }
    return expired;
  };
  const { alice, bob } = payment;
  await assert.rejects(alice.transfer({ to: bob.address, token: 0, amount: 1n }), (error) => {
    assert.ok(error instanceof UnansweredError);
    assert.equal(error.mayHaveHappened, true);
    return true;
  });
});

test("an attempt that takes too long is given up, and made again", async () => {
  await using payment = await Payment.prepare();
  let left = 1;
  payment.proxy.answer = ({ url }) => url === "/transfer" && left-- > 0; // and says nothing
  const hasty = new Moneta(payment.proxy.url, { timeoutMs: 2_000, retries: 30 });
  const key = await SigningKey.generate();
  const carol = await hasty.createAddress(key);
  await payment.node.pay({ ...carol, privateKey: newKey() }, 10n);
  await carol.transfer({ to: payment.bob.address, token: 0, amount: 4n });
  assert.equal(await payment.coins(payment.bob), 4n);
});

test("keys that expired before they were used are replaced unseen", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob } = payment;
  await alice.transfer({ to: bob.address, token: 0, amount: 1n });
  payment.node.now += 3601; // keys are valid for an hour
  await alice.transfer({ to: bob.address, token: 0, amount: 1n });
  assert.equal(await payment.coins(bob), 2n);
});

test("a refused write leaves its key to the next one", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob } = payment;
  const tooMuch = 10n ** 20n;
  for (let writes = 0; writes < 3; writes += 1) {
    await assert.rejects(
      alice.transfer({ to: bob.address, token: 0, amount: tooMuch }),
      codeOf("5001"),
    );
  }
  await alice.transfer({ to: bob.address, token: 0, amount: 1n });
  assert.equal(payment.asked("/nonce/"), 0);
});

test("an unsigned draft is forecast, and its key serves the write that follows", async () => {
  await using payment = await Payment.prepare();
  const { moneta, alice, bob } = payment;
  const request = { to: bob.address, token: 0, amount: 5n };
  const draft = await alice.draft("transfer", request);
  assert.equal(draft.params["signature"], undefined);
  const [record] = await moneta.dryRun([draft]);
  assert.ok(record !== undefined && !(record instanceof ProblemError));
  assert.equal(record.type, "transfer");
  assert.equal(await payment.coins(bob), 0n, "nothing is done");
  const key = draft.params["checkkey"];
  alice.keepKey(String(key));
  assert.equal((await alice.prepare("transfer", request)).params["checkkey"], key);
  await assert.rejects(alice.draft("exchange", {}), TypeError);
});

test("a refusal says what is wrong with which parameter, and its code can be switched on", async () => {
  await using payment = await Payment.prepare();
  const { alice } = payment;
  await assert.rejects(alice.transfer({ to: "MTnobody", token: 0, amount: 1n }), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual(
      { code: error.code, status: error.status, parameter: error.parameter },
      { code: "3190", status: 400, parameter: "to" },
    );
    assert.match(error.message, /MTnobody/);
    return true;
  });
});

test("the signature of another key is refused, and so is a ledger that is not the one meant", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob, moneta } = payment;
  const stranger = moneta.actor(alice.address, await SigningKey.generate());
  await assert.rejects(
    stranger.transfer({ to: bob.address, token: 0, amount: 1n }),
    codeOf("2010"),
  );
  const key = await SigningKey.generate();
  const elsewhere = new Moneta(payment.proxy.url, { ledgerId: "f".repeat(64) });
  const carol = await elsewhere.createAddress(key);
  await assert.rejects(carol.transfer({ to: bob.address, token: 0, amount: 1n }), codeOf("2010"));
});

test("what was written is in what is read afterwards, of whatever node", async () => {
  await using payment = await Payment.prepare();
  const heights: (string | undefined)[] = [];
  payment.proxy.answer = ({ headers }) => {
    heights.push(headers["ledger-height-min"] as string | undefined);
    return false;
  };
  const height = Number(await payment.node.height());
  await payment.moneta.height();
  assert.deepEqual(heights, [String(height)]);
  const impatient = new Moneta(payment.proxy.url, { retries: 0 });
  await assert.rejects(impatient.height({ minHeight: height + 5 }), codeOf("9003"));
});

test("the traceparent of a call goes with it, and not with the next one", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob, moneta } = payment;
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const sent: [string | undefined, unknown][] = [];
  payment.proxy.answer = ({ url, headers }) => {
    sent.push([url, headers["traceparent"]]);
    return false;
  };
  await alice.transfer({ to: bob.address, token: 0, amount: 1n }, { traceparent });
  await moneta.height({ traceparent });
  await moneta.height();
  const calls = sent.filter(([url]) => url === "/transfer" || url === "/block");
  assert.deepEqual(calls, [
    ["/transfer", traceparent],
    ["/block", traceparent],
    ["/block", undefined],
  ]);
});

test("a call ends when its signal says so", async () => {
  await using payment = await Payment.prepare();
  payment.proxy.answer = () => true; // and says nothing
  const reason = new Error("the user has left");
  const end = new AbortController();
  const call = payment.moneta.height({ signal: end.signal });
  setTimeout(() => end.abort(reason), 50);
  await assert.rejects(call, reason);
  await assert.rejects(payment.moneta.height({ signal: end.signal }), reason);
});

test("requests by name answer what was on the wire", async () => {
  await using payment = await Payment.prepare();
  const { alice, bob, moneta } = payment;
  const paid = await alice.request("transfer", { to: bob.address, token: "0", amount: "12" });
  assert.equal(paid.status, 200);
  assert.equal(
    paid.headers.get("transaction-id"),
    (paid.body as { transaction_id: string }).transaction_id,
  );
  const { body } = await moneta.request("balance", { address: bob.address });
  assert.deepEqual(body, [{ token: "0", balance: "12", unlockdate: 0 }]);
  for (const name of ["teleport", "constructor", "__proto__"]) {
    await assert.rejects(moneta.request(name, {}), { name: "TypeError", message: RegExp(name) });
  }
});
