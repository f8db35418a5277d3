import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { launchChromium, withoutChromium } from "../node/testing/chromium.ts";
import { newKey, TestNode } from "../node/testing/test-node.ts";
import type * as sdk from "./index.ts";

// The library as a web page has it: bundled, in a real browser, calling a node of another origin.

/** What a program in the page is given. */
interface Given {
  readonly sdk: typeof sdk;
  readonly url: string;
  readonly pem: string;
}

// Of what pages have and Node has not, what is used below.
interface PageRequest<T> {
  result: T;
  onsuccess: () => void;
  onupgradeneeded: () => void;
}
interface PageStore {
  put(value: unknown, key: string): void;
  getAll(): PageRequest<sdk.KeyPair[]>;
  getAllKeys(): PageRequest<string[]>;
}
declare const indexedDB: {
  open(name: string): PageRequest<{
    createObjectStore(name: string): PageStore;
    transaction(
      name: string,
      mode?: "readwrite",
    ): { objectStore(name: string): PageStore; oncomplete: () => void };
  }>;
};

let node: TestNode;
let site: Server;
let browser: Browser;

const skip = withoutChromium();

before(async () => {
  if (skip !== false) {
    return;
  }
  const input = fileURLToPath(new URL("./index.ts", import.meta.url));
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  site = createServer(({ url }, response) => {
    const isCode = url === "/sdk.js";
    response.setHeader("Content-Type", isCode ? "text/javascript" : "text/html");
    response.end(isCode ? output[0].code : "<!doctype html><title>A wallet</title>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  [node, browser] = await Promise.all([TestNode.start(), launchChromium()]);
});

after(async () => {
  await browser?.close();
  site?.close();
  await node?.[Symbol.asyncDispose]();
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage({ locale: "en-US" });
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  return page;
}

/** Runs a program in the page; what it answers has to be JSON. */
async function inPage<T>(page: Page, program: (given: Given) => Promise<T>): Promise<T> {
  const pem = newKey("secp384r1").export({ type: "sec1", format: "pem" }).toString();
  const source = `import("/sdk.js").then((sdk) => (${program})({ sdk, url: ${JSON.stringify(node.url)}, pem: ${JSON.stringify(pem)} }))`;
  return (await page.evaluate(source)) as T;
}

test("a page makes a key that nobody can read, an address for it, and pays", { skip }, async () => {
  await using page = await openPage();
  const done = await inPage(page, async ({ sdk, url }) => {
    const moneta = new sdk.Moneta(url);
    const key = await sdk.SigningKey.generate();
    const alice = await moneta.createAddress(key, { signed: "full" });
    const bob = await moneta.createAddress(await sdk.SigningKey.generate({ curve: "P-521" }));
    await moneta.faucet({ address: alice.address });
    const payments = Array.from({ length: 20 }, () =>
      alice.transfer({ to: bob.address, token: 0, amount: sdk.parseDecimal("0.5", 8) }),
    );
    await Promise.all(payments);
    const [coins] = await moneta.balance({ address: bob.address });
    const refused = await key.privateKeyPem().catch((error: Error) => error.message);
    return { has: sdk.decimalText(coins?.balance ?? 0n, 8), refused };
  });
  assert.equal(done.has, "10");
  assert.match(done.refused, /not extractable/);
});

test("a page takes a key from a PEM file, on another curve", { skip }, async () => {
  await using page = await openPage();
  const has = await inPage(page, async ({ sdk, url, pem }) => {
    const moneta = new sdk.Moneta(url);
    const carol = await moneta.createAddress(await sdk.SigningKey.fromPem(pem));
    const dave = await moneta.createAddress(await sdk.SigningKey.fromPem(pem));
    await moneta.faucet({ address: carol.address, amount: 3n });
    await carol.transfer({ to: dave.address, token: 0, amount: 3n, memo: "é | \u{1f600}" });
    return String((await moneta.balance({ address: dave.address }))[0]?.balance);
  });
  assert.equal(has, "3");
});

test("a key that is not extractable is kept in IndexedDB over a reload, and signs again", {
  skip,
}, async () => {
  await using page = await openPage();
  const address = await inPage(page, async ({ sdk, url }) => {
    const key = await sdk.SigningKey.generate();
    const { address } = await new sdk.Moneta(url).createAddress(key);
    await new sdk.Moneta(url).faucet({ address, amount: 10n });
    const opening = indexedDB.open("wallet");
    await new Promise<void>((resolve) => {
      opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
      opening.onsuccess = () => resolve();
    });
    const saving = opening.result.transaction("keys", "readwrite");
    saving.objectStore("keys").put(key.keyPair, address);
    await new Promise<void>((resolve) => {
      saving.oncomplete = () => resolve();
    });
    return address;
  });
  await page.reload();
  const left = await inPage(page, async ({ sdk, url }) => {
    const opening = indexedDB.open("wallet");
    await new Promise<void>((resolve) => {
      opening.onsuccess = () => resolve();
    });
    const store = opening.result.transaction("keys").objectStore("keys");
    const [names, pairs] = [store.getAllKeys(), store.getAll()];
    await new Promise<void>((resolve) => {
      pairs.onsuccess = () => resolve();
    });
    const moneta = new sdk.Moneta(url);
    const key = await sdk.SigningKey.fromKeyPair(pairs.result[0] as sdk.KeyPair);
    const alice = moneta.actor(String(names.result[0]), key);
    const bob = await moneta.createAddress(key);
    await alice.transfer({ to: bob.address, token: 0, amount: 4n });
    return [alice.address, String((await moneta.balance({ address: alice.address }))[0]?.balance)];
  });
  assert.deepEqual(left, [address, "6"]);
});

test("a page hears of payments as they are made", { skip }, async () => {
  await using page = await openPage();
  const types = await inPage(page, async ({ sdk, url }) => {
    const moneta = new sdk.Moneta(url);
    const alice = await moneta.createAddress(await sdk.SigningKey.generate());
    const heard: string[] = [];
    for await (const event of moneta.events({ address: [alice.address] })) {
      heard.push(event.kind === "transaction" ? event.transaction.type : event.kind);
      if (heard.length === 1) {
        await moneta.faucet({ address: alice.address });
      }
      if (event.kind === "transaction") {
        break;
      }
    }
    return heard;
  });
  assert.deepEqual(types, ["height", "transfer"]);
});

test("a refusal has its code in a page, too, and what is not there is said to be unanswered", {
  skip,
}, async () => {
  await using page = await openPage();
  const heard = await inPage(page, async ({ sdk, url }) => {
    const nowhere = new sdk.Moneta("http://127.0.0.1:1", { retries: 0 });
    const nobody = await nowhere.height().catch((error: Error) => error.name);
    const moneta = new sdk.Moneta(url);
    const code = await moneta
      .addressRead({ address: "MTnobody" })
      .catch((error: unknown) =>
        error instanceof sdk.ProblemError ? [error.code, error.parameter] : error,
      );
    return [nobody, code];
  });
  assert.deepEqual(heard, ["UnansweredError", ["3190", "address"]]);
});
