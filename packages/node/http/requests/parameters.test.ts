import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Answered,
  type KeyHolder,
  parsed,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const TEST_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";
const MIB = 1024 * 1024;

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 1_000_000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

function form(path: string, body: string): Promise<Answered> {
  return node.request(path, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
}

/** A valid request, whose memo comes from its JSON body. */
async function memoIn(json: string): Promise<Answered> {
  const { memo: _, ...params } = await node.transfer(a, { to: b.address, amount: "1" });
  return node.postJson("/transfer", `${JSON.stringify(params).slice(0, -1)},"memo":${json}}`);
}

async function memoOf(answer: Answered): Promise<string | undefined> {
  return (await node.transaction(transactionIdOf(answer))).parameters[7];
}

test("conventions §1.1: parameters of path, query string and body are merged", async () => {
  const { from, to, token, ...rest } = await node.transfer(a, { to: b.address, amount: "1" });
  const query = new URLSearchParams({ from: from as string, to: to as string });
  const answer = await node.post(`/transfer?${query}`, { ...rest, token: token as string });
  assert.equal(summaryOf(answer), "200");
  const other = await node.transfer(a, { to: b.address, amount: "1" });
  const { signature, ...others } = other;
  const path = `/transfer?signature=${encodeURIComponent(signature)}`;
  assert.equal(summaryOf(await node.postJson(path, others)), "200");
});

test("conventions §1.1: two values in path and query string: 1005", async () => {
  const { address } = a;
  assert.equal(
    summaryOf(await node.get(`/balance/${address}?address=${b.address}`)),
    "400 1005 address",
  );
  assert.equal(summaryOf(await node.get(`/balance/${address}?address=${address}`)), "200");
});

test("conventions §1.1: a GET takes its parameters from the query string, unknown names are ignored", async () => {
  const answer = await node.get(`/nonce/${a.address}?count=2&unknown=%20&unknown=2&=x&&a`);
  assert.equal(parsed<string[]>(answer).length, 2);
});

for (const { unknown, wanted, detail } of [
  {
    unknown: { unlockDate: "1900000000" },
    wanted: "1008 unlockDate",
    detail: / name is unlockdate\.$/,
  },
  { unknown: { unlockDate: "" }, wanted: "1008 unlockDate", detail: / name is unlockdate\.$/ },
  { unknown: { Memo: "rent" }, wanted: "1008 Memo", detail: / name is memo\.$/ },
  { unknown: { dry: "1" }, wanted: "1008 dry", detail: /refuses unknown names\.$/ },
  {
    unknown: { ["x".repeat(5000)]: "1" },
    wanted: `1008 ${"x".repeat(100)}...`,
    detail: /refuses unknown names\.$/,
  },
]) {
  test(`conventions §4.5: with signed=full an unknown name is refused wherever it stands: ${wanted.slice(0, 30)}`, async () => {
    const before = await node.balances(b);
    const full = await node.fullTransfer(a, { to: b.address, amount: "1" });
    const signed = node.fullySigned("transfer", { ...full, ...unknown }, a);
    const query = new URLSearchParams(signed as Record<string, string>);
    for (const answer of [
      await node.request(`/transfer?${query}`, { method: "POST" }),
      await node.post("/transfer", signed),
      await node.postJson("/transfer", signed),
      await node.post(`/transfer?${new URLSearchParams(unknown as Record<string, string>)}`, full),
    ]) {
      assert.equal(summaryOf(answer), `400 ${wanted}`);
      assert.match(parsed<{ detail: string }>(answer).detail, detail);
    }
    const batch = { operations: [{ operation: "transfer", ...signed }] };
    const [element] = parsed<{ results: { problem: { code: string } }[] }>(
      await node.postJson("/batch", batch),
    ).results;
    assert.equal(element?.problem.code, "1008");
    assert.deepEqual(await node.balances(b), before);
    // The temporary key has not been used.
    assert.equal(summaryOf(await node.post("/transfer", full)), "200");
  });
}

test("conventions §4.5: with signed=full an unknown key of a list's object is refused, without it ignored", async () => {
  const transferlist = JSON.stringify([
    { address: b.address, amount: "1", unlockdate: "0" },
    { address: b.address, amount: "1", unlockdate: "0", unlockDate: "1900000000" },
  ]);
  const params = { from: a.address, token: "0", transferlist, checkkey: await node.key(a) };
  const answer = await node.post("/multitransfer", node.fullySigned("multitransfer", params, a));
  assert.equal(summaryOf(answer), "400 1008 transferlist[1].unlockDate");
  assert.match(parsed<{ detail: string }>(answer).detail, / name is unlockdate\.$/);
  const short = await node.multitransfer(a, transferlist);
  assert.equal(summaryOf(await node.post("/multitransfer", short)), "200");
});

for (const path of [
  "/",
  "/block",
  "/block/0",
  "/block/0/raw",
  "/balance/:a",
  "/balance/:a/0",
  "/address/:a",
  "/nonce/:a",
  "/getkey/token/:a",
  "/openapi.json",
]) {
  test(`conventions §1.2: a slash behind ${path} changes nothing`, async () => {
    const filled = path.replace(":a", a.address);
    assert.equal(summaryOf(await node.get(filled)), "200");
    assert.equal(summaryOf(await node.get(`${filled}/`)), "200");
    assert.equal(summaryOf(await node.get(`${filled}/?x=1`)), "200");
  });
}

test("conventions §1.2: POST with a slash behind the path", async () => {
  assert.equal(summaryOf(await node.post("/address/", { publickey: TEST_KEY })), "200");
  assert.equal(summaryOf(await node.post("/address/bykey/", { publickey: TEST_KEY })), "200");
  assert.equal(summaryOf(await node.post("/faucet/", { address: a.address })), "200");
});

test("conventions §1.3: a request head just below 512 KiB is read", async () => {
  const memo = "m".repeat(512 * 1024 - 2000);
  const params = await node.transfer(a, { to: b.address, amount: "1", memo });
  assert.equal(summaryOf(await node.postQuery("/transfer", params)), "200");
});

test("conventions §1.3: a larger one is 431", async () => {
  const answer = await node.raw(
    `GET /block?x=${"x".repeat(520 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 431 /);
  assert.match(answer, /content-type: application\/problem\+json/i);
  assert.match(answer, /"status":431/);
  const headers = await node.raw(
    `GET /block HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(600 * 1024)}\r\n\r\n`,
  );
  assert.match(headers, /^HTTP\/1\.1 431 /);
});

test("conventions §1.3: a body of 4 MiB is read, a larger one is 413", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const start = `${new URLSearchParams(params)}&other=`;
  const answer = await form("/transfer", start.padEnd(4 * MIB, "x"));
  assert.equal(summaryOf(answer), "200");
  const { status, text } = await form("/transfer", start.padEnd(4 * MIB + 1, "x"));
  assert.equal(status, 413, text);
  assert.match(parsed<{ code: string }>({ text } as Answered).code, /^\d{4}$/);
});

test("conventions §1.3: a body that is sent in chunks without its length is limited, too", async () => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${"x".repeat(64 * 1024)}\r\n`;
  const answer = await node.raw(
    `POST /transfer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}0\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

test("conventions §1.3: the largest body is a setting", async () => {
  await using small = await TestNode.start("--body-bytes-max", "2048");
  const send = (bytes: number): Promise<Answered> =>
    small.post("/address", { publickey: TEST_KEY, other: "x".repeat(bytes) });
  assert.equal(summaryOf(await send(1000)), "200");
  assert.equal((await send(3000)).status, 413);
});

test("conventions §1.4: an optional parameter that is empty counts as absent", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const empty = { tags: "", memo: "", unlockdate: "", signed: "" };
  assert.equal(summaryOf(await node.post("/transfer", { ...params, ...empty })), "200");
  assert.equal(summaryOf(await node.get(`/balance/${a.address}?limit=&after=`)), "200");
  assert.equal(summaryOf(await node.get(`/nonce/${a.address}?count=`)), "200");
});

test("conventions §1.4: null in a JSON body counts as absent", async () => {
  const answer = await memoIn("null");
  assert.equal(await memoOf(answer), "");
});

test("conventions §1.5: a text arrives as it was sent", async () => {
  const memo = "\t\r\n a ée\u0301😀\u007f\u0085<&\"'%+|İıſK\uffff ";
  for (const send of [node.post, node.postQuery, node.postJson]) {
    const params = await node.transfer(a, { to: b.address, amount: "1", memo });
    assert.equal(await memoOf(await send.call(node, "/transfer", params)), memo);
  }
});

for (const encoded of ["%", "%4", "%zz", "%C3", "%C3%28", "%ED%A0%80", "%C0%80", "%F5%80%80%80"]) {
  test(`conventions §1.5: malformed percent-encoding ${encoded}: 1006`, async () => {
    const params = await node.transfer(a, { to: b.address, amount: "1" });
    const text = `${new URLSearchParams(params)}&memo=${encoded}`;
    const inQuery = await node.raw(
      `POST /transfer?${text} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    assert.match(inQuery, /^HTTP\/1\.1 400 .*"code":"1006"/s);
    assert.match(summaryOf(await form("/transfer", text)), /^400 1006/);
    const inPath = await node.raw(
      `GET /balance/${encoded} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.match(inPath, /^HTTP\/1\.1 400 .*"code":"1006"/s);
    const inName = await form("/transfer", `${text.split("&memo")[0]}&${encoded}=1`);
    assert.match(summaryOf(inName), /^400 1006/);
  });
}

test("conventions §1.5: bytes that are no UTF-8: 1006", async () => {
  for (const type of ["application/x-www-form-urlencoded", "application/json"]) {
    const answer = await node.request("/transfer", {
      method: "POST",
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      headers: { "Content-Type": type },
    });
    assert.match(summaryOf(answer), /^400 1006/);
  }
});

test("conventions §1.5: half a surrogate pair in a JSON body: 1006", async () => {
  assert.equal(summaryOf(await memoIn('"\\ud800"')), "400 1006 memo");
  assert.equal(summaryOf(await memoIn('"\\udc00\\ud800"')), "400 1006 memo");
  assert.equal(await memoOf(await memoIn('"\\ud83d\\ude00"')), "😀");
});

for (const { json, answer } of [
  { json: '{"a":1', answer: "400 1007" },
  { json: "[]", answer: "400 1007" },
  { json: '{"a":1}x', answer: "400 1007" },
  { json: '\ufeff{"a":1}', answer: "400 1000" },
  { json: '{"memo":"a","memo":"b"}', answer: "400 1007" },
  { json: '{"__proto__":{"from":"x"},"constructor":1,"toString":2}', answer: "400 1000" },
  { json: "{}", answer: "400 1000" },
  { json: "", answer: "400 1000" },
]) {
  test(`conventions §1.8: the JSON body ${JSON.stringify(json)}: ${answer}`, async () => {
    const [status, code] = summaryOf(await node.postJson("/transfer", json)).split(" ");
    assert.equal(`${status} ${code}`, answer);
  });
}

const gzip = Buffer.from("1f8b08000000000000ff", "hex");
const utf16 = Buffer.from("\ufefffrom=x", "utf16le");
for (const [what, type, body, answer, says] of [
  [
    "JSON as a form",
    FORM,
    ' {"from":"x"}',
    "415 9415",
    /is application\/json, but its Content-Type says/,
  ],
  ["a list as a form", FORM, '[{"from":"x"}]', "415 9415", /send Content-Type: application\/json/],
  [
    "a form as JSON",
    JSON_TYPE,
    "from=x&to=y",
    "400 1007",
    /is a form: send Content-Type: application\/x-www/,
  ],
  ["a byte order mark before JSON is ignored", JSON_TYPE, '\ufeff{"a":1}', "400 1000", /missing/],
  ["a byte order mark before a form", FORM, "\ufefffrom=x", "400 1006", /byte order mark/],
  ["gzip", FORM, gzip, "400 1006", /compressed \(gzip\)/],
  ["UTF-16", `${JSON_TYPE}; charset=utf-16`, utf16, "400 1006", /UTF-16/],
  ["an empty object as a form", FORM, "{}", "400 1000", /from is missing/],
] as const) {
  test(`conventions §1.1: a refusal names the cause: ${what}`, async () => {
    const headers = { "Content-Type": type };
    const refused = await node.request("/transfer", { method: "POST", body, headers });
    assert.match(summaryOf(refused), new RegExp(`^${answer}`));
    assert.match((JSON.parse(refused.text) as { detail: string }).detail, says);
  });
}

test("invisible characters of a value are shown in a refusal", async () => {
  const { text } = await node.get("/balance/%EF%BB%BFMTx%E2%80%8B");
  assert.match((JSON.parse(text) as { detail: string }).detail, /"\\ufeffMTx\\u200b"/);
});

for (const { type, answer } of [
  { type: "application/json; charset=utf-8", answer: "200" },
  { type: "Application/JSON", answer: "200" },
  { type: "text/plain", answer: "415 9415" },
  { type: "text/json", answer: "415 9415" },
  { type: "application/xml", answer: "415 9415" },
  { type: "multipart/form-data; boundary=x", answer: "415 9415" },
  { type: "application/jsonx", answer: "415 9415" },
  { type: "nonsense", answer: "415 9415" },
]) {
  test(`a body of type ${type}: ${answer}`, async () => {
    const params = await node.transfer(a, { to: b.address, amount: "1" });
    const answered = await node.postJson("/transfer", params, { "Content-Type": type });
    assert.equal(summaryOf(answered), answer);
  });
}

for (const encoding of ["gzip", "deflate, gzip", "br", "x", "identity, gzip"]) {
  test(`a body in the content encoding ${encoding}: 415, which names it and what is read`, async () => {
    const params = await node.transfer(a, { to: b.address, amount: "1" });
    const answer = await node.postJson("/transfer", params, { "Content-Encoding": encoding });
    assert.equal(summaryOf(answer), "415 9415");
    const { detail } = parsed<{ detail: string }>(answer);
    assert.ok(detail.includes(`content encoding "${encoding}"`), detail);
    assert.equal(answer.headers.get("accept-encoding"), "identity");
  });
}

test("a body in the content encoding identity is one as it is", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  assert.equal(
    summaryOf(await node.postJson("/transfer", params, { "Content-Encoding": "Identity" })),
    "200",
  );
});

test("a body without a type: 415", async () => {
  const answer = await node.raw(
    "POST /transfer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\na=b",
  );
  assert.match(answer, /^HTTP\/1\.1 415 .*"code":"9415"/s);
});

test("an empty body of any type, and none at all, is no body", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
    const answer = await node.postQuery("/transfer", params, { "Content-Type": type });
    assert.equal(summaryOf(answer), "200", type);
  }
  assert.equal(summaryOf(await node.postQuery("/transfer", params)), "200");
});
