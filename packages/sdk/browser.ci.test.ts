import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, CDPSession, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { launchChromium, withoutChromium } from "../node/testing/chromium.ts";
import { newKey, TestNode } from "../node/testing/test-node.ts";
import type * as sdk from "./index.ts";
import type * as backup from "./key-backup.ts";
import type * as passkey from "./passkey.ts";
import type * as proof from "./proof.ts";

// The library as a web page has it: bundled, in a real browser, calling a node of another origin.

/** Patience with a busy machine. */
const WITHIN_MS = 120_000;

interface Given {
  readonly sdk: typeof sdk;
  readonly proof: typeof proof;
  readonly backup: typeof backup;
  readonly passkey: typeof passkey;
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
  const entries = {
    sdk: "index.ts",
    proof: "proof.ts",
    backup: "key-backup.ts",
    passkey: "passkey.ts",
  };
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [
      name,
      fileURLToPath(new URL(file, import.meta.url)),
    ]),
  );
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const codes = new Map(
    output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : ""]),
  );
  site = createServer(({ url }, response) => {
    const code = codes.get(url ?? "");
    response.setHeader("Content-Type", code === undefined ? "text/html" : "text/javascript");
    response.end(code ?? "<!doctype html><title>A wallet</title>");
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
  page.setDefaultTimeout(WITHIN_MS);
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  return page;
}

/** Runs a program in the page; its answer must be JSON. */
async function inPage<T>(page: Page, program: (given: Given) => Promise<T>): Promise<T> {
  const pem = newKey("secp384r1").export({ type: "sec1", format: "pem" }).toString();
  const source = `Promise.all(["sdk", "proof", "backup", "passkey"].map((name) => import("/" + name + ".js"))).then(([sdk, proof, backup, passkey]) => (${program})({ sdk, proof, backup, passkey, url: ${JSON.stringify(node.url)}, pem: ${JSON.stringify(pem)} }))`;
  return (await page.evaluate(source)) as T;
}

test("a page makes a key that cannot be read, an address for it, and pays", { skip }, async () => {
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
  // A height comes also where nothing else has come for a while.
  assert.deepEqual([...new Set(types)], ["height", "transfer"]);
});

test("a refusal has its code in a page, too, and a request to an absent node is unanswered", {
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

test("a page over plain HTTP, which has no WebCrypto, checks what a node shows", {
  skip,
}, async () => {
  await using page = await browser.newPage({ locale: "en-US" });
  page.setDefaultTimeout(WITHIN_MS);
  // A name that is not localhost; the page and the node behind it are answered from here.
  await page.route("http://ledger.example/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const { port } = site.address() as AddressInfo;
    const isOfSite = pathname === "/" || pathname.endsWith(".js");
    const target = isOfSite ? `http://127.0.0.1:${port}` : node.url;
    const response = await route.fetch({ url: target + pathname + search });
    await route.fulfill({ response });
  });
  await page.goto("http://ledger.example/");
  await node.holder({ coins: 5n });
  const seen = await inPage(page, async ({ sdk, proof }) => {
    const moneta = new sdk.Moneta("http://ledger.example");
    const [entry] = (await moneta.transactions({ limit: 1 })).items;
    const shown = await moneta.transaction({ transaction_id: entry?.id ?? "" });
    const right = await proof.verifyTransaction(moneta, shown);
    const wrong = await proof.verifyTransaction(moneta, { ...shown, parameters: ["more"] });
    const block = await proof.verifyBlock(moneta, await moneta.block({ block: shown.db_sn }));
    const failed = wrong.checks.filter(({ result }) => result === "fails").map(({ name }) => name);
    return [typeof globalThis.crypto.subtle, right.verdict, failed.join(), block.verdict];
  });
  assert.deepEqual(seen, ["undefined", "verified", "record", "verified"]);
});

test("a page seals a key into a back-up, which another page opens and signs with", {
  skip,
}, async () => {
  await using page = await openPage();
  const [address, file] = await inPage(page, async ({ sdk, backup, url }) => {
    const key = await sdk.SigningKey.generate({ extractable: true });
    const { address } = await new sdk.Moneta(url).createAddress(key);
    await new sdk.Moneta(url).faucet({ address, amount: 10n });
    const account = { name: "Savings", address, curve: key.curve };
    const privateKeyPem = await key.privateKeyPem();
    return [address, await backup.sealKeys([{ ...account, privateKeyPem }], "correct horse")];
  });
  await using other = await openPage();
  await other.evaluate(`globalThis.file = ${JSON.stringify(file)}`);
  const done = await inPage(other, async ({ sdk, backup, url }) => {
    const { file } = globalThis as unknown as { readonly file: string };
    const fault = await backup
      .openKeys(file, "wrong horse")
      .catch((error: unknown) => error instanceof backup.KeyBackupError && error.fault);
    const [account] = await backup.openKeys(file, "correct horse");
    const key = await sdk.SigningKey.fromPem(account?.privateKeyPem ?? "");
    const alice = new sdk.Moneta(url).actor(account?.address ?? "", key);
    const bob = await new sdk.Moneta(url).createAddress(key);
    await alice.transfer({ to: bob.address, token: 0, amount: 4n });
    return [fault, account?.name, alice.address];
  });
  assert.deepEqual(done, ["passphrase", "Savings", address]);
});

/** A passkey of the machine itself that always finds and verifies a person; a CDP session ends it. */
async function addAuthenticator(page: Page, isUserVerified = true): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified, automaticPresenceSimulation: true },
    },
  });
  return session;
}

test("authority §3: a page makes a passkey, an address for it, and pays; a second key joins it, and both sign", {
  skip,
}, async () => {
  await using page = await openPage();
  await addAuthenticator(page);
  const done = await inPage(page, async ({ sdk, passkey, url }) => {
    const moneta = new sdk.Moneta(url);
    const key = await passkey.Passkey.create({ name: "Alice" });
    const alice = await moneta.createAddress(key);
    const { address } = alice;
    await moneta.faucet({ address, amount: 10n });
    const to = (await moneta.createAddress(await sdk.SigningKey.generate())).address;
    await alice.transfer({ to, token: 0, amount: 1n });
    const kept = new passkey.Passkey(JSON.parse(JSON.stringify(key)));
    await moneta.actor(address, kept).transfer({ to, token: 0, amount: 1n });

    const card = await sdk.SigningKey.generate();
    const both = sdk.signTogether([
      [0, key],
      [1, card],
    ]);
    const keys = [
      { publickey: key.publicKeyPem, ...key.keyParameters },
      { publickey: card.publicKeyPem },
    ];
    await alice.addresskeys({ keys, threshold: 2, version: 1, proof: both });
    await moneta.actor(address, both).transfer({ to, token: 0, amount: 1n });
    const alone = await alice
      .transfer({ to, token: 0, amount: 1n })
      .catch((error: { readonly code?: string }) => error.code);
    const [coins] = await moneta.balance({ address: to });
    return { alone, has: String(coins?.balance), rpid: key.rpid };
  });
  assert.deepEqual(done, { alone: "2011", has: "3", rpid: "localhost" });
});

test("authority §3: a passkey is refused for another page's domain, and by the browser once it is removed", {
  skip,
}, async () => {
  await using page = await openPage();
  const session = await addAuthenticator(page);
  const made = await inPage(page, async ({ sdk, passkey, url }) => {
    const key = await passkey.Passkey.create({ name: "Alice" });
    const moneta = new sdk.Moneta(url);
    const { address } = await moneta.createAddress({
      publicKeyPem: key.publicKeyPem,
      keyParameters: { kind: "webauthn", rpid: "wallet.example" },
      sign: key.sign,
    });
    await moneta.faucet({ address, amount: 10n });
    const to = (await moneta.createAddress(await sdk.SigningKey.generate())).address;
    const other = await moneta
      .actor(address, key)
      .transfer({ to, token: 0, amount: 1n })
      .catch(({ message }: Error) => message);
    const { id, publicKeyPem, rpid } = key;
    return { other: String(other), kept: { id, publicKeyPem, rpid } };
  });
  assert.match(made.other, /step 5: the origin in clientdata must be https:\/\/wallet.example/);
  await session.send("WebAuthn.disable");
  await addAuthenticator(page);
  const gone = (await page.evaluate(
    `import("/passkey.js").then(({ Passkey }) => new Passkey(${JSON.stringify(made.kept)}).sign(new Uint8Array(3))).catch(({ name }) => name)`,
  )) as string;
  assert.equal(gone, "NotAllowedError");
});
