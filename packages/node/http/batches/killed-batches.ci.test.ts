import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { walletPayments } from "../../testing/requests/batch-requests.ts";
import { ServiceProcess } from "../../testing/service-process.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import { type BalanceEntry, signatureOf } from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

const BUNDLES = 100;
const BUNDLE_SIZE = 20;

interface Bundle {
  readonly body: string;
  readonly signature: string;
}

test("batches §1.2, bundles §4: after kill -9 each operation of a batch and each bundle is done once when it is sent again, and a bundle whole or not at all", async () => {
  using directory = new TemporaryDirectory("batch");
  const data = join(directory.path, "data");
  const more = ["--block-operations-max", "1"];
  let batch = "";
  let bundles: readonly Bundle[] = [];
  let payees: readonly string[] = [];
  let answered = 0;
  {
    await using service = await ServiceProcess.start({ data, more });
    const { url } = service;
    const paid = await walletPayments(url, 10_000n);
    const bundled = await walletPayments(url, 10_000n);
    payees = [paid.to, bundled.to];
    batch = JSON.stringify({ operations: await paid.next() });
    const { ledger_id: ledgerId } = (await (await fetch(url)).json()) as { ledger_id: string };
    bundles = (await bundled.next()).slice(0, BUNDLES).map(({ checkkey: tkey, ...payment }) => {
      const { signature: _, ...operation } = payment as Record<string, string>;
      const operations = Array(BUNDLE_SIZE).fill(operation);
      const body = JSON.stringify({ actor: bundled.from.address, tkey, operations });
      const text = `moneta|1|${ledgerId}|bundle|${body}`;
      return { body, signature: signatureOf(text, bundled.from) };
    });
    const lost = post(url, "/batch", { body: batch }).catch(() => undefined);
    const sent = bundles.map(async (bundle) => {
      const response = await post(url, "/bundle", bundle).catch(() => undefined);
      answered += response?.status === 200 ? 1 : 0;
    });
    // At the first of 1,100 blocks: the rest is what this process may come late by.
    await until(async () => answered > 0 && (await coinsOf(url, paid.to)) > 0);
    await service.kill();
    await Promise.all(sent);
    assert.equal(await lost, undefined, "the batch was not answered");
  }
  await using service = await ServiceProcess.start({ data, more });
  const { url } = service;
  const [ofBatch = 0, ofBundles = 0] = await Promise.all(payees.map((to) => coinsOf(url, to)));
  assert.ok(ofBatch > 0 && ofBatch < 1000, `${ofBatch}`);
  assert.equal(ofBundles % BUNDLE_SIZE, 0);
  assert.ok(ofBundles >= answered * BUNDLE_SIZE, `${ofBundles} paid, ${answered} answered`);

  const { results } = (await (await post(url, "/batch", { body: batch })).json()) as {
    readonly results: readonly { readonly status: number }[];
  };
  assert.ok(results.every(({ status }) => status === 200));
  for (const bundle of bundles) {
    assert.equal((await post(url, "/bundle", bundle)).status, 200);
  }
  assert.deepEqual(await Promise.all(payees.map((to) => coinsOf(url, to))), [
    1000,
    BUNDLES * BUNDLE_SIZE,
  ]);
});

async function coinsOf(url: string, address: string): Promise<number> {
  const entries = (await (await fetch(`${url}/balance/${address}/0`)).json()) as BalanceEntry[];
  return Number(entries[0]?.balance ?? "0");
}

function post(url: string, path: string, { body, signature }: Partial<Bundle>): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    ...(signature && { "Moneta-Signature": signature }),
  };
  return fetch(`${url}${path}`, { method: "POST", headers, body: body as string });
}
