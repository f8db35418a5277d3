// Clients that use nothing of ours: their only sources are the interface and
// docs/specification/conventions.md.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

const run = promisify(execFile);

let service: ServiceProcess;

before(async () => {
  service = await ServiceProcess.start();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

test("the start prints the key by which checkpoints are verified, and a public ledger shows the same", async () => {
  const keys = (await read("/checkpoint/key")) as string;
  assert.deepEqual(
    [...service.output().matchAll(/^checkpoints +(.*)$/gm)].map(([, key]) => key),
    keys.trimEnd().split("\n"),
  );
});

const commands = ["bash", "curl", "openssl"];
const missing = commands.filter((command) => spawnSync(command, ["--version"]).error);
const skip = missing.length > 0 ? `not on this machine: ${missing.join(", ")}` : false;

describe("bash with curl and openssl", () => {
  const script = fileURLToPath(new URL("foreign-client.sh", import.meta.url));

  for (const curve of ["prime256v1", "secp384r1", "secp521r1"]) {
    for (const digest of ["sha256", "sha384", "sha512"]) {
      test(
        `a key on ${curve} and a DER signature with ${digest} move coins by form`,
        { skip },
        () => paysWith(curve, digest, "form"),
      );
    }
  }

  test("all parameters may stand in the query string", { skip }, () =>
    paysWith("secp384r1", "sha384", "query"),
  );

  async function paysWith(curve: string, digest: string, place: string): Promise<void> {
    const { stdout } = await run("bash", [script, service.url, curve, digest, place]);
    const printed = (name: string): unknown =>
      JSON.parse(new RegExp(`^${name}: (.*)$`, "m").exec(stdout)?.[1] ?? "null");
    assert.deepEqual(printed("from"), [{ token: "0", balance: "650", unlockdate: 0 }]);
    assert.deepEqual(printed("to"), [{ token: "0", balance: "350", unlockdate: 0 }]);
    const { transaction_id: id } = printed("transaction") as { transaction_id: string };
    const { parameters } = (await read(`/transaction/${id}`)) as { parameters: string[] };
    assert.equal(parameters[7], "thanks & until tomorrow, 50 % + more");
  }

  for (const { shape, pemOf } of [
    { shape: "line ends as openssl writes them", pemOf: (pem: string) => pem },
    { shape: "CRLF", pemOf: (pem: string) => pem.replaceAll("\n", "\r\n") },
    { shape: "line ends escaped as \\n", pemOf: (pem: string) => pem.replaceAll("\n", "\\n") },
    { shape: "no line end after the last mark", pemOf: (pem: string) => pem.trimEnd() },
  ]) {
    test(`a PEM key with ${shape} is the same key`, { skip }, async () => {
      using directory = new TemporaryDirectory("pem");
      const privateFile = join(directory.path, "private.pem");
      await run("openssl", [
        "ecparam",
        "-name",
        "prime256v1",
        "-genkey",
        "-noout",
        "-out",
        privateFile,
      ]);
      const { stdout: pem } = await run("openssl", ["pkey", "-in", privateFile, "-pubout"]);
      const file = join(directory.path, "public.pem");
      writeFileSync(file, pemOf(pem));
      const { stdout: address } = await run("curl", [
        "--silent",
        "--show-error",
        "--fail-with-body",
        "--data-urlencode",
        `publickey@${file}`,
        `${service.url}/address`,
      ]);
      assert.match(address, /^MT[0-9A-Za-z]{30}[0-9a-f]{8}$/);
      const { publickey } = (await read(`/address/${address}?view=full`)) as { publickey: string };
      assert.equal(publickey, pem);
      assert.deepEqual(await post("/address/bykey", { publickey: pem }), [address]);
    });
  }
});

describe("WebCrypto", () => {
  for (const curve of ["P-256", "P-384", "P-521"]) {
    for (const hash of ["SHA-256", "SHA-384", "SHA-512"]) {
      test(`a key on ${curve} and a raw signature with ${hash} move coins by JSON`, async () => {
        const payer = await Holder.create({ curve, hash });
        const payee = await Holder.create({ curve, hash });
        await post("/faucet", { address: payer.address, amount: "1000" });
        await payer.pay({ to: payee.address, amount: "300", checkkey: await payer.checkkey() });
        assert.deepEqual(await payer.balance(), { free: "700" });
        assert.deepEqual(await payee.balance(), { free: "300" });
      });
    }

    test(`a raw signature on ${curve} may be base64url without padding`, async () => {
      const [payer, payee] = await funded({ curve });
      await payer.pay(
        { to: payee.address, amount: "1", checkkey: await payer.checkkey() },
        { alphabet: "base64url", omitPadding: true },
      );
      assert.deepEqual(await payee.balance(), { free: "1" });
    });
  }

  test("the public key may be the bare base64 of its DER", async () => {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-384" },
      false,
      ["sign", "verify"],
    );
    const spki = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
    for (const publickey of [
      spki.toBase64(),
      spki.toBase64({ alphabet: "base64url", omitPadding: true }),
    ]) {
      assert.match((await post("/address", { publickey })) as string, /^MT/);
    }
  });

  test("token and amount may be JSON numbers, signed as their decimal text", async () => {
    const [payer, payee] = await funded();
    const { address: from } = payer;
    const to = payee.address;
    const checkkey = await payer.checkkey();
    const signature = await payer.sign(`${from}|${to}|0|300|${checkkey}`);
    await post("/transfer", { from, to, token: 0, amount: 300, checkkey, signature });
    assert.deepEqual(await payee.balance(), { free: "300" });
  });

  test("a signature over anything else, or by anybody else, is refused with 2010", async () => {
    const [payer, payee] = await funded();
    const { address: from } = payer;
    const to = payee.address;
    const checkkey = await payer.checkkey();
    const body = { from, to, token: "0", amount: "300", checkkey };
    const signed = `${from}|${to}|0|300|${checkkey}`;
    for (const signature of [
      await payer.sign(`${from}|${to}|0|301|${checkkey}`),
      await payer.sign(`${signed}|`),
      await payee.sign(signed),
    ]) {
      await refuses("/transfer", { ...body, signature }, { status: 401, code: "2010" });
    }
    assert.deepEqual(await payer.balance(), { free: "1000" });
  });

  test("a transfer list may be an array in the JSON body, signed in its compact encoding", async () => {
    const [payer, b, c] = await funded();
    const transferlist = [
      { address: b.address, amount: "100", unlockdate: "0", tag: "rent", memo: "für März / €" },
      { amount: 200, address: c.address, unlockdate: 0 },
      { address: b.address, amount: "0", unlockdate: "0", memo: "a | b" },
    ];
    const checkkey = await payer.checkkey();
    const { address: from } = payer;
    const signature = await payer.sign(`${from}|${JSON.stringify(transferlist)}|0|${checkkey}`);
    await post("/multitransfer", { from, transferlist, token: "0", checkkey, signature });
    assert.deepEqual(await payer.balance(), { free: "700" });
    assert.deepEqual(await b.balance(), { free: "100" });
    assert.deepEqual(await c.balance(), { free: "200" });
  });

  for (const { place, send } of [
    { place: "a JSON body", send: post },
    { place: "a form", send: postForm },
    { place: "the query string", send: postQuery },
  ]) {
    test(`a transfer list may be text in ${place}, signed byte for byte`, async () => {
      const [payer, b, c] = await funded();
      const transferlist = ` [ {"address": "${b.address}", "amount":"100",\r\n "unlockdate":"0"},
        {"unlockdate":0, "memo":"caf\\u00e9 a\\/b", "amount":"200", "address":"${c.address}"} ]\t`;
      const checkkey = await payer.checkkey();
      const { address: from } = payer;
      const compact = JSON.stringify(JSON.parse(transferlist));
      const wrong = await payer.sign(`${from}|${compact}|0|${checkkey}`);
      const body = { from, transferlist, token: "0", checkkey };
      await refuses("/multitransfer", { ...body, signature: wrong }, { status: 401, code: "2010" });
      const signature = await payer.sign(`${from}|${transferlist}|0|${checkkey}`);
      const { transaction_id: id } = (await send("/multitransfer", { ...body, signature })) as {
        transaction_id: string;
      };
      assert.deepEqual(await payer.balance(), { free: "700" });
      assert.deepEqual(await b.balance(), { free: "100" });
      assert.deepEqual(await c.balance(), { free: "200" });
      const { parameters, effects } = (await read(`/transaction/${id}`)) as {
        parameters: string[];
        effects: { parameters: string[] }[];
      };
      assert.equal(parameters[1], transferlist);
      assert.equal(effects[1]?.parameters[7], "café a/b");
    });
  }
});

describe("a full signature, made from conventions §4.5 alone", () => {
  const later = "2147483647";
  const texts = { tags: "rent", memo: 'until "März" \\ €\u{1f600}\t\u007f', unlockdate: later };

  test("covers memo, tags and unlock date, whatever name or order they are sent in", async () => {
    const [payer, payee] = await funded();
    const parameters = {
      from: payer.address,
      to: payee.address,
      token: "0",
      amount: "300",
      checkkey: await payer.checkkey(),
      ...texts,
      signed: "full",
    };
    const signature = await payer.sign(await fullString("transfer", parameters));
    const { checkkey: tkey, tags: tag, ...others } = parameters;
    await post("/transfer", { signature, tag, tkey, ...others });
    assert.deepEqual(await payee.balance(), { free: "0", [later]: "300" });
  });

  for (const changed of [
    { memo: "another memo" },
    { tags: "" },
    { unlockdate: "0" },
    { amount: "301" },
    { signed: "" },
  ]) {
    test(`does not fit when ${Object.keys(changed)} is another`, async () => {
      const [payer, payee] = await funded();
      const { address: from } = payer;
      const to = payee.address;
      const checkkey = await payer.checkkey();
      const parameters = {
        from,
        to,
        token: "0",
        amount: "300",
        checkkey,
        ...texts,
        signed: "full",
      };
      const signature = await payer.sign(await fullString("transfer", parameters));
      await refuses(
        "/transfer",
        { ...parameters, ...changed, signature },
        { status: 401, code: "2010" },
      );
      await post("/transfer", { ...parameters, signature });
    });
  }

  test("holds for transfer lists", async () => {
    const [payer, b] = await funded();
    const list = [{ address: b.address, amount: "5", unlockdate: "0", memo: "für März" }];
    const parameters = {
      from: payer.address,
      transferlist: JSON.stringify(list),
      token: "0",
      checkkey: await payer.checkkey(),
      signed: "full",
    };
    const signature = await payer.sign(await fullString("multitransfer", parameters));
    await post("/multitransfer", { ...parameters, transferlist: list, signature });
    assert.deepEqual(await b.balance(), { free: "5" });
  });

  test("is all that an address made with signed=full accepts", async () => {
    const payer = await Holder.create({ signed: "full" });
    const payee = await Holder.create();
    await post("/faucet", { address: payer.address, amount: "1000" });
    const { address: from } = payer;
    const to = payee.address;
    const checkkey = await payer.checkkey();
    const short = { from, to, token: "0", amount: "300", checkkey };
    const shortSignature = await payer.sign(`${from}|${to}|0|300|${checkkey}`);
    await refuses(
      "/transfer",
      { ...short, signature: shortSignature },
      { status: 401, code: "2010" },
    );
    const full = { ...short, signed: "full" };
    const signature = await payer.sign(await fullString("transfer", full));
    await post("/transfer", { ...full, signature });
    assert.deepEqual(await payee.balance(), { free: "300" });
  });

  /** Parameters that are absent or empty are left out. Texts as JSON.stringify writes them are those of RFC 8785. */
  async function fullString(
    operation: string,
    parameters: Record<string, string>,
  ): Promise<string> {
    const { id: ledgerId } = (await read("/block/0")) as { id: string };
    const names = Object.keys(parameters).sort();
    const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, parameters[name]])));
    return `moneta|1|${ledgerId}|${operation}|${json}`;
  }
});

/** The holder of a key in a browser, and its address. */
class Holder {
  readonly address: string;
  readonly #privateKey: CryptoKey;
  readonly #hash: string;

  private constructor(address: string, privateKey: CryptoKey, hash: string) {
    this.address = address;
    this.#privateKey = privateKey;
    this.#hash = hash;
  }

  static async create({
    curve = "P-256",
    hash = "SHA-256",
    signed = "",
  }: {
    readonly curve?: string;
    readonly hash?: string;
    readonly signed?: string;
  } = {}): Promise<Holder> {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: curve },
      false,
      ["sign", "verify"],
    );
    const spki = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
    const publickey = `-----BEGIN PUBLIC KEY-----\n${spki.toBase64()}\n-----END PUBLIC KEY-----\n`;
    const address = (await post("/address", { publickey, signed })) as string;
    return new Holder(address, privateKey, hash);
  }

  async checkkey(): Promise<string> {
    return (await read(`/nonce/${this.address}`)) as string;
  }

  /** The raw r‖s form that browsers make, in base64. */
  async sign(
    text: string,
    form: { alphabet?: "base64" | "base64url"; omitPadding?: boolean } = {},
  ): Promise<string> {
    const algorithm = { name: "ECDSA", hash: this.#hash };
    const bytes = new TextEncoder().encode(text);
    const signature = await crypto.subtle.sign(algorithm, this.#privateKey, bytes);
    return new Uint8Array(signature).toBase64(form);
  }

  async pay(
    payment: { readonly to: string; readonly amount: string; readonly checkkey: string },
    form: { alphabet?: "base64" | "base64url"; omitPadding?: boolean } = {},
  ): Promise<void> {
    const { to, amount, checkkey } = payment;
    const signature = await this.sign(`${this.address}|${to}|0|${amount}|${checkkey}`, form);
    await post("/transfer", { from: this.address, to, token: "0", amount, checkkey, signature });
  }

  /** The native coin: `free`, and locked amounts by date. */
  async balance(): Promise<Record<string, string>> {
    const entries = (await read(`/balance/${this.address}`)) as {
      token: string;
      balance: string;
      unlockdate: number;
    }[];
    assert.ok(entries.every(({ token }) => token === "0"));
    return Object.fromEntries(
      entries.map(({ balance, unlockdate }) => [unlockdate || "free", balance]),
    );
  }
}

/** One with 1000, and two with nothing. */
async function funded(options: { curve?: string } = {}): Promise<[Holder, Holder, Holder]> {
  const holders = await Promise.all([
    Holder.create(options),
    Holder.create(options),
    Holder.create(options),
  ]);
  await post("/faucet", { address: holders[0].address, amount: "1000" });
  return holders;
}

function read(path: string): Promise<unknown> {
  return answered(fetch(service.url + path));
}

function post(path: string, body: Record<string, unknown>): Promise<unknown> {
  return answered(postJson(path, body));
}

function postForm(path: string, body: Record<string, string>): Promise<unknown> {
  const form = new URLSearchParams(body);
  return answered(fetch(service.url + path, { method: "POST", body: form }));
}

function postQuery(path: string, body: Record<string, string>): Promise<unknown> {
  const query = new URLSearchParams(body);
  return answered(fetch(`${service.url}${path}?${query}`, { method: "POST" }));
}

function postJson(path: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function answered(request: Promise<Response>): Promise<unknown> {
  const response = await request;
  const body = await response.text();
  assert.equal(response.status, 200, body);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return isJson ? JSON.parse(body) : body;
}

async function refuses(
  path: string,
  body: Record<string, unknown>,
  expected: { readonly status: number; readonly code: string },
): Promise<void> {
  const response = await postJson(path, body);
  const problem = (await response.json()) as { code: string; detail: string };
  assert.deepEqual({ status: response.status, code: problem.code }, expected, problem.detail);
}
