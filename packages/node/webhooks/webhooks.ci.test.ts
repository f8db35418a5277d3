import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { SettingProblem } from "../settings.ts";
import {
  bundleBody,
  payment,
  sendBundle,
  signedBundle,
} from "../testing/requests/bundle-requests.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { type KeyHolder, TestNode, transactionIdOf } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { type Delivery, WebhookReceiver } from "../testing/webhook-receiver.ts";

// Real receivers over real sockets. Signatures are checked by the Standard Webhooks specification,
// without our code.

const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString("base64")}`;

const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end("not now");
  };

/** A node whose webhooks retry at once. */
function start(...webhooks: readonly object[]): Promise<TestNode> {
  const flags = ["--shutdown-seconds", "600", "--webhooks", JSON.stringify(webhooks)];
  return TestNode.with({ webhookRetryMs: 5 }, ...flags);
}

async function restart(node: TestNode, ...webhooks: readonly object[]): Promise<void> {
  await node.stop();
  node.flags = ["--webhooks", JSON.stringify(webhooks)];
  await node.resume();
}

async function pay(node: TestNode, to: KeyHolder): Promise<string> {
  const params = { to: to.address, amount: "1" };
  const request = await node.fullTransfer(node.treasury, params);
  return transactionIdOf(await node.post("/transfer", request));
}

/**
 * Whether one of the signatures is that of id, time and raw body. Source: Standard Webhooks,
 * "verifying signatures".
 */
function isSigned({ headers, body }: Delivery, key: Buffer): boolean {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": given } = headers;
  assert.match(String(time), /^[0-9]{10}$/);
  assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60);
  const expected = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return String(given).split(" ").includes(`v1,${expected}`);
}

/** The order of the ledger. */
function byId(a: Delivery, b: Delivery): number {
  return String(a.headers["webhook-id"]) < String(b.headers["webhook-id"]) ? -1 : 1;
}

test("a webhook gets the transactions that match its filter, signed, with their numbers, in the form of GET /transaction", async () => {
  await using receiver = await WebhookReceiver.listen();
  const first = { url: receiver.url("/all?of=them"), secret: SECRET };
  await using node = await start(first);
  const a = await node.holder();
  const b = await node.holder();
  const ids = [await pay(node, a), await pay(node, b), await pay(node, a)];
  await receiver.comes(5);
  assert.deepEqual(receiver.ids.toSorted().slice(2), ids);
  const sequences: number[] = [];
  for (const delivery of receiver.deliveries.toSorted(byId)) {
    const { headers, path, body } = delivery;
    assert.equal(path, "/all?of=them");
    assert.equal(headers["content-type"], "application/json");
    assert.ok(isSigned(delivery, KEY));
    const shown = await node.get(`/transaction/${headers["webhook-id"]}`);
    const at = new Date(node.now * 1000).toISOString();
    const { sequence } = JSON.parse(body) as { sequence: number };
    sequences.push(sequence);
    assert.equal(
      body,
      `{"type":"transaction","timestamp":"${at}","sequence":${sequence},"data":${shown.text}}`,
    );
  }
  // Ids sort in the order of the ledger, and so do sequence numbers.
  const [first0 = 0] = sequences;
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => first0 + index),
  );

  await using ofB = await WebhookReceiver.listen();
  const second = { url: ofB.url(), secret: SECRET, address: [b.address], type: "receive", from: 0 };
  await restart(node, first, second);
  ids.push(await pay(node, b));
  await ofB.comes(2);
  assert.deepEqual(ofB.ids.toSorted(), [ids[1], ids[3]]);
  await receiver.comes(6);
  assert.deepEqual(receiver.ids.toSorted().slice(2), ids);

  // Bundles row 7: once if a record of one of its operations matches.
  const c = await node.holder({ coins: 10n });
  const bundles: string[] = [];
  for (const payees of [[b, a, b], [a], [a, b]]) {
    const all = payees.map((payee) => payment(c, payee, "1"));
    const body = await bundleBody(node, c, all);
    bundles.push(transactionIdOf(await sendBundle(node, signedBundle(node, c, body))));
  }
  // The record has the address and, of another, the type.
  const paid = await node.transfer(b, { to: a.address, amount: "1" });
  transactionIdOf(await node.post("/transfer", paid));
  ids.push(await pay(node, b));
  await ofB.comes(5);
  assert.deepEqual(ofB.ids.toSorted().slice(2), [bundles[0], bundles[2], ids[4]]);
  const bundle = ofB.deliveries.find(({ headers }) => headers["webhook-id"] === bundles[0]);
  const shown = await node.get(`/transaction/${bundles[0]}`);
  const { data } = JSON.parse(bundle?.body ?? "") as { data: object };
  assert.deepEqual(data, JSON.parse(shown.text));
});

test("in the order of addresses a delivery is repeated until it succeeds, before later ones of its addresses alone", async () => {
  await using receiver = await WebhookReceiver.listen();
  await using elsewhere = await WebhookReceiver.listen();
  const webhook = { url: receiver.url(), secret: SECRET, type: "transfer", order: "address" };
  await using node = await start(webhook);
  const a = await node.holder();
  receiver.answers.push(
    answering(500),
    answering(404),
    answering(302, { Location: elsewhere.url() }),
    (response) => response.socket?.destroy(),
    (response) => response.end("x".repeat(200_000)),
  );
  const ids = [await pay(node, a), await pay(node, a)];
  await receiver.comes(6);
  assert.deepEqual(receiver.ids, [...Array(5).fill(ids[0]), ids[1]]);
  assert.equal(new Set(receiver.deliveries.slice(0, 5).map(({ body }) => body)).size, 1);
  assert.ok(receiver.deliveries.every((delivery) => isSigned(delivery, KEY)));
  assert.deepEqual(elsewhere.deliveries, []);

  await receiver.close();
  ids.push(await pay(node, a), await pay(node, a));
  const failed = /moneta_webhook_deliveries_total\{webhook="[^"]+",outcome="failed"\} (\d+)/;
  // Updated with each attempt: the first ones may precede the second payment.
  const isBehind = /moneta_webhook_lag_transactions\{[^}]+\} 2\n/;
  await until(async () => {
    const metrics = (await node.get("/metrics")).text;
    return Number(failed.exec(metrics)?.[1]) >= 6 && isBehind.test(metrics);
  });
  await receiver.open();
  await receiver.comes(8);
  assert.deepEqual(receiver.ids.slice(6), ids.slice(2));
  const { text } = await node.get("/metrics");
  assert.ok(!text.includes(SECRET.slice(6)) && !text.includes("/hook"));

  // Transactions of other addresses do not wait for it.
  const [payer, payee, c, d] = [
    await node.holder({ coins: 9n }),
    await node.holder({ coins: 9n }),
    await node.holder(),
    await node.holder({ coins: 9n }),
  ] as const;
  await receiver.comes(11);
  const answered = Promise.withResolvers<ServerResponse>();
  receiver.answers.push(answered.resolve);
  const send = async (from: KeyHolder, to: string): Promise<string> =>
    transactionIdOf(
      await node.post("/transfer", await node.fullTransfer(from, { to, amount: "1" })),
    );
  const held = await send(payer, c.address);
  const response = await answered.promise;
  const behind = await send(payer, payee.address);
  const free = await send(d, node.treasury.address);
  await receiver.comes(13);
  response.end();
  await receiver.comes(14);
  assert.deepEqual(receiver.ids.slice(11), [held, free, behind]);
});

test("a restart loses nothing, and repeats at most the pending delivery", async () => {
  await using receiver = await WebhookReceiver.listen();
  const webhook = { url: receiver.url(), secret: SECRET, type: "transfer", order: "address" };
  await using node = await start(webhook);
  const a = await node.holder();
  const ids = [await pay(node, a)];
  await receiver.comes(1);
  // A receiver that never answers does not delay the end.
  receiver.answers.push(() => undefined);
  ids.push(await pay(node, a), await pay(node, a));
  await receiver.comes(2);
  const asked = performance.now();
  await node.stop();
  assert.ok(performance.now() - asked < 60_000, "it waits for no receiver");
  await node.resume();
  ids.push(await pay(node, a));
  await receiver.comes(5);
  assert.deepEqual(receiver.ids, [ids[0], ids[1], ...ids.slice(1)]);

  // Another secret and an equivalent filter: the same webhook. Two secrets: two signatures.
  const other = randomBytes(24);
  const secrets = [SECRET, `whsec_${other.toString("base64")}`];
  await restart(node, { ...webhook, secret: secrets, type: ["transfer"] });
  await pay(node, a);
  await receiver.comes(6);
  const last = receiver.deliveries.at(-1) as Delivery;
  assert.ok(isSigned(last, KEY) && isSigned(last, other));

  // Another filter: another webhook, which begins with the next block.
  await receiver.close();
  await restart(node, { ...webhook, token: "0" });
  const missed = await pay(node, a);
  await node.stop();
  await receiver.open();
  await node.resume();
  await receiver.comes(7);
  assert.equal(receiver.ids[6], missed);
});

test("a killed node resumes its deliveries, and repeats have the same ids", async () => {
  await using receiver = await WebhookReceiver.listen();
  using directory = new TemporaryDirectory("webhooks");
  const config = join(directory.path, "config.json");
  const webhooks = [{ url: receiver.url(), secret: SECRET, type: "NewWallet", from: 1 }];
  writeFileSync(config, JSON.stringify({ webhooks }));
  const data = join(directory.path, "data");
  const options = { data, more: ["--config", config] };
  const ids: string[] = [];
  {
    await using service = await ServiceProcess.start(options);
    const url = `${service.url}/address`;
    for (let n = 0; n < 5; n += 1) {
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams({ publickey: PUBLIC_KEY }),
      });
      ids.push(response.headers.get("transaction-id") as string);
    }
    await service.kill();
  }
  await using _service = await ServiceProcess.start(options);
  while (new Set(receiver.ids).size < ids.length) {
    await receiver.comes(receiver.deliveries.length + 1);
  }
  assert.deepEqual([...new Set(receiver.ids)].toSorted(), ids);
  const [file = ""] = readdirSync(join(data, "webhooks"));
  assert.ok(!readFileSync(join(data, "webhooks", file), "utf8").includes(SECRET));
});

/** Of the private key 1. */
const PUBLIC_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

test("transactions behind one that fails are delivered meanwhile, ten at a time; a restart repeats it", async () => {
  await using receiver = await WebhookReceiver.listen();
  const webhook = { url: receiver.url(), secret: SECRET, type: "transfer" };
  const flags = ["--webhooks", JSON.stringify([webhook])];
  // What fails is not repeated before the restart.
  await using node = await TestNode.with({ webhookRetryMs: 3_600_000 }, ...flags);
  const a = await node.holder();
  const held: ServerResponse[] = [];
  const hold = (response: ServerResponse): void => {
    held.push(response);
  };
  receiver.answers.push(...Array<typeof hold>(10).fill(hold));
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) {
    ids.push(await pay(node, a));
  }
  await receiver.comes(10);
  assert.equal(receiver.deliveries.length, 10);
  const failed = [0, 7].map((index) => receiver.ids[index] as string);
  for (const [index, response] of held.entries()) {
    response.writeHead(failed.includes(receiver.ids[index] as string) ? 500 : 204).end();
  }
  await receiver.comes(50);
  assert.deepEqual(receiver.ids.toSorted(), ids);
  assert.match(
    (await node.get("/metrics")).text,
    /moneta_webhook_deliveries_total\{.*"failed"\} 2\n/,
  );

  await node.stop();
  await node.resume();
  await receiver.comesAgain(failed[0] as string);
  await receiver.comesAgain(failed[1] as string);
});

test("a receiver that answers with Retry-After is sent the delivery then, and nothing until then", async () => {
  await using busy = await WebhookReceiver.listen();
  await using other = await WebhookReceiver.listen();
  const webhooks = [busy, other].map((each) => ({
    ...{ url: each.url(), secret: SECRET, type: "transfer" },
  }));
  const flags = ["--webhooks", JSON.stringify(webhooks)];
  await using node = await TestNode.with({ webhookRetryMs: 3_600_000 }, ...flags);
  const a = await node.holder();
  busy.answers.push(answering(429, { "Retry-After": "3600" }));
  other.answers.push(answering(503, { "Retry-After": "1" }));
  const id = await pay(node, a);
  await busy.comes(1);
  await other.comesAgain(id);
  for (let count = 3; count < 7; count += 1) {
    await pay(node, a);
    await other.comes(count);
  }
  assert.equal(busy.deliveries.length, 1);
});

test("the first block of a webhook must exist, and its position file must be well-formed", async () => {
  const webhook = { url: "http://127.0.0.1:1/", secret: SECRET };
  await assert.rejects(start({ ...webhook, from: 5 }), isProblem(/\[0\] from is 5 .* at most 1/));
  await using node = await start(webhook);
  await node.stop();
  const folder = join(node.data, "webhooks");
  const [file = ""] = readdirSync(folder);
  writeFileSync(join(folder, file), "{");
  await assert.rejects(node.resume(), isProblem(/cannot be read.*Remove it/));
  // Another ledger.
  writeFileSync(join(folder, file), JSON.stringify({ after: "0".repeat(64) }));
  await node.resume();
});

function isProblem(says: RegExp): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof SettingProblem && says.test(thrown.message);
}
