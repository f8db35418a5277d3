import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createWallet, fund, temporaryKeys } from "../../testing/clients/wallet.ts";
import { ServiceProcess } from "../../testing/service-process.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import { type BalanceEntry, signatureOf } from "../../testing/test-node.ts";

test("batches §1.2: after kill -9 in the middle of a batch the same batch does each once", async () => {
  using directory = new TemporaryDirectory("batch");
  const data = join(directory.path, "data");
  const more = ["--block-operations-max", "1"];
  const height = async (url: string): Promise<number> =>
    Number(await (await fetch(`${url}/block`)).text());
  let body = "";
  let to = "";
  {
    await using service = await ServiceProcess.start({ data, more });
    const wallets = [await createWallet(service.url), await createWallet(service.url)] as const;
    const [from, payee] = wallets;
    to = payee.address;
    await fund(service.url, from, 10_000n);
    const keys = await temporaryKeys(service.url, { address: from.address, count: 1000 });
    const operations = keys.map((checkkey) => ({
      ...{ operation: "transfer", from: from.address, to, token: "0", amount: "1", checkkey },
      signature: signatureOf([from.address, to, "0", "1", checkkey].join("|"), from),
    }));
    body = JSON.stringify({ operations });
    const before = await height(service.url);
    const lost = postBatch(service.url, body).catch(() => undefined);
    // At the first of 1,000 blocks: the rest is what this process may come late by.
    while ((await height(service.url)) === before) {
      await delay(1);
    }
    await service.kill();
    assert.equal(await lost, undefined, "it was not answered");
  }
  await using service = await ServiceProcess.start({ data, more });
  const balance = async (): Promise<string> => {
    const entries = await (await fetch(`${service.url}/balance/${to}/0`)).json();
    return (entries as BalanceEntry[])[0]?.balance ?? "0";
  };
  const done = Number(await balance());
  assert.ok(done > 0 && done < 1000, `${done}`);
  const { results } = (await postBatch(service.url, body)) as {
    readonly results: readonly { readonly status: number }[];
  };
  assert.ok(results.every(({ status }) => status === 200));
  assert.equal(await balance(), "1000");
});

test("bundles §4: after kill -9 each bundle is done whole or not at all, and once when it is sent again", async () => {
  using directory = new TemporaryDirectory("bundle");
  const data = join(directory.path, "data");
  const more = ["--block-operations-max", "1"];
  const size = 20;
  let bundles: { body: string; signature: string }[] = [];
  let to = "";
  const post = async (url: string, { body, signature }: (typeof bundles)[0]): Promise<number> => {
    const headers = { "Content-Type": "application/json", "Moneta-Signature": signature };
    return (await fetch(`${url}/bundle`, { method: "POST", headers, body })).status;
  };
  const answered: Promise<number | undefined>[] = [];
  {
    await using service = await ServiceProcess.start({ data, more });
    const [from, payee] = [
      await createWallet(service.url),
      await createWallet(service.url),
    ] as const;
    to = payee.address;
    await fund(service.url, from, 10_000n);
    const { ledger_id: ledgerId } = (await (await fetch(service.url)).json()) as {
      ledger_id: string;
    };
    const keys = await temporaryKeys(service.url, { address: from.address, count: 100 });
    const payment = { operation: "transfer", from: from.address, to, token: "0", amount: "1" };
    bundles = keys.map((tkey) => {
      const operations = Array(size).fill(payment);
      const body = JSON.stringify({ actor: from.address, tkey, operations });
      return { body, signature: signatureOf(`moneta|1|${ledgerId}|bundle|${body}`, from) };
    });
    for (const bundle of bundles) {
      answered.push(post(service.url, bundle).catch(() => undefined));
    }
    await Promise.race(answered);
    await service.kill();
  }
  const statuses = await Promise.all(answered);
  const before = statuses.filter((status) => status === 200).length;
  await using service = await ServiceProcess.start({ data, more });
  const balance = async (): Promise<number> => {
    const entries = await (await fetch(`${service.url}/balance/${to}/0`)).json();
    return Number((entries as BalanceEntry[])[0]?.balance ?? "0");
  };
  const paid = await balance();
  assert.equal(paid % size, 0);
  assert.ok(paid >= before * size && before > 0, `${paid} paid, ${before} answered`);
  for (const bundle of bundles) {
    assert.equal(await post(service.url, bundle), 200);
  }
  assert.equal(await balance(), bundles.length * size);
});

async function postBatch(url: string, body: string): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  return await (await fetch(`${url}/batch`, { method: "POST", headers, body })).json();
}
