import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type Document, documentOf, operationsOf } from "../../testing/clients/openapi-document.ts";
import { parsed, TestNode } from "../../testing/test-node.ts";

let node: TestNode;
before(async () => {
  node = await TestNode.startWithOperator();
});
after(() => node[Symbol.asyncDispose]());

const LANGUAGES = ["curl", "JavaScript"];

test("the page's document is compressed for clients that accept it; a current copy gets 304", async () => {
  const path = "/docs/openapi.json";
  const compressed = await rawGet(path, { "Accept-Encoding": "br, gzip" });
  assert.equal(compressed.headers["content-encoding"], "gzip");
  assert.ok(compressed.body.length < 100_000);
  for (const encoding of ["identity", "gzip;q=0", "br"]) {
    const plain = await rawGet(path, { "Accept-Encoding": encoding });
    assert.equal(plain.headers["content-encoding"], undefined, encoding);
    assert.deepEqual(plain.body, gunzipSync(compressed.body), encoding);
  }
  const { headers } = await node.get(path);
  assert.equal(headers.get("vary"), "Accept-Encoding");
  const again = await node.get(path, { "If-None-Match": headers.get("etag") ?? "" });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("HEAD is answered like GET without its content, other methods with 405", async () => {
  const path = "/docs/openapi.json";
  const head = await node.request(path, { method: "HEAD" });
  assert.deepEqual([head.status, head.text], [200, ""]);
  const post = await node.post(path, {});
  assert.deepEqual(
    [post.status, post.headers.get("allow"), parsed<{ code: string }>(post).code],
    [405, "GET", "9405"],
  );
});

test("GET / says where the reference and its document are", async () => {
  const { documentation, openapi } = parsed<Record<string, string>>(await node.get("/"));
  assert.deepEqual(
    { documentation, openapi },
    { documentation: "/docs", openapi: "/openapi.json" },
  );
});

test("every operation is in a group of the document and has a sample in each language", async () => {
  const document = parsed<Document & { tags: { name: string }[] }>(await node.get("/openapi.json"));
  const groups = new Set<string>();
  for (const [method, path, operation] of operationsOf(document)) {
    const { tags } = operation as unknown as { tags: string[] };
    assert.equal(tags.length, 1);
    groups.add(tags[0] as string);
    const labels = operation["x-codeSamples"].map(({ label }) => label);
    assert.deepEqual(labels.slice(0, LANGUAGES.length), LANGUAGES, `${method} ${path}`);
    assert.equal(labels.length % LANGUAGES.length, 0);
  }
  assert.deepEqual([...groups].sort(), document.tags.map(({ name }) => name).sort());
});

test("no sample has a cursor, which would be refused on every ledger but the example's", async () => {
  const document = parsed<Document>(await node.get("/openapi.json"));
  const lists = operationsOf(document).filter(([, , { parameters }]) =>
    parameters.some(({ name }) => name === "cursor"),
  );
  assert.ok(lists.length > 10);
  for (const [method, path, operation] of lists) {
    for (const { label, source } of operation["x-codeSamples"]) {
      assert.doesNotMatch(source, /cursor/, `${method} ${path} ${label}`);
    }
  }
});

test("samples name the node as its client does, and nothing that is no plain host", async () => {
  const urlFor = async (host: string): Promise<string> => {
    const { body } = await rawGet("/openapi.json", { Host: host });
    const document = JSON.parse(String(body)) as Document & { servers: { url: string }[] };
    const [sample] = document.paths["/block"]?.["get"]?.["x-codeSamples"] ?? [];
    const [{ url = "" } = {}] = document.servers;
    assert.equal(sample?.source, `curl -sS ${url}/block`);
    return url;
  };
  assert.equal(await urlFor("ledger.example"), "http://ledger.example");
  assert.equal(await urlFor("[::1]:20922"), "http://[::1]:20922");
  for (const host of ["a;rm -rf /", "a$(id)", "x.example/path", '"', "a b"]) {
    assert.equal(await urlFor(host), "http://127.0.0.1:20922", host);
  }
});

test("requests under many host names at once each get a document of their own, and delay no other requests", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `node-${index}.example`);
  let left = names.length;
  const asked = names.map(async (host, index) => {
    const encoding = index % 2 === 0 ? "gzip" : "identity";
    const headers = { Host: host, "Accept-Encoding": encoding };
    const { body, headers: sent } = await rawGet("/openapi.json", headers);
    left -= 1;
    const text = sent["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    assert.deepEqual(JSON.parse(text.toString()).servers, [{ url: `http://${host}` }]);
  });
  let others = 0;
  while (left > 0) {
    await Promise.race([node.get("/health").then(() => (others += 1)), Promise.all(asked)]);
  }
  await Promise.all(asked);
  // Between two documents there is a turn for others, and an answer takes a few of them.
  assert.ok(others > names.length / 2, `${others} others were answered meanwhile`);
});

/** Calls `note` whenever a document is made. */
function watchMaking(note: () => void): Disposable {
  const { service } = node.running as { service: { ledgerId: string } };
  const { ledgerId } = service;
  Object.defineProperty(service, "ledgerId", {
    configurable: true,
    get() {
      note();
      return ledgerId;
    },
  });
  return {
    [Symbol.dispose]() {
      Object.defineProperty(service, "ledgerId", { value: ledgerId });
    },
  };
}

test("a document that could not be made is made at the next request", async () => {
  const headers = { Host: "unlucky.example" };
  {
    using _failing = watchMaking(() => {
      throw new Error("EMFILE");
    });
    assert.equal((await rawGet("/openapi.json", headers)).status, 500);
  }
  assert.equal((await rawGet("/openapi.json", headers)).status, 200);
});

test("a document that is in use is kept, under however many names others are requested", async () => {
  const ask = async (host: string) => {
    assert.equal((await rawGet("/openapi.json", { Host: host })).status, 200);
  };
  await ask("real.example");
  let made = 0;
  using _counting = watchMaking(() => {
    made += 1;
  });
  for (let index = 0; index < 20; index += 1) {
    await ask(`foreign-${index}.example`);
    await ask("real.example");
  }
  assert.equal(made, 20);
});

test("dates of examples lie ahead by one to two days, whenever the document is requested", async () => {
  const DAY_SECONDS = 86_400;
  for (const days of [0, 1, 400]) {
    node.now += days * DAY_SECONDS;
    const { paths } = parsed<Document>(await node.get("/openapi.json"));
    const transfer = paths["/transfer"]?.["post"];
    const { example } = transfer?.requestBody?.content["application/json"] ?? {};
    const date = Number((example as Record<string, string>)["unlockdate"]);
    assert.ok(date - node.now >= DAY_SECONDS && date - node.now <= 2 * DAY_SECONDS, `${date}`);
    assert.match(transfer?.["x-codeSamples"][0]?.source ?? "", new RegExp(`"${date}"`));
  }
});

test("the page shows every parameter once, with what must be there", async () => {
  const { paths } = documentOf(await node.get("/docs/openapi.json"));
  const burn = paths["/token/burn/{tkey}"]?.["put"];
  assert.deepEqual(
    burn?.parameters.map(({ name }) => name),
    ["tkey"],
  );
  const body = burn?.requestBody?.content["application/json"]?.schema;
  assert.deepEqual(body?.required, ["token", "amount", "signature"]);
  assert.ok(body?.properties?.["memo"] !== undefined);
});

test("the page has a sample in each language for every example of a body that can be picked, and names none that cannot", async () => {
  for (const [method, path, operation] of operationsOf(
    parsed<Document>(await node.get("/docs/openapi.json")),
  )) {
    const what = `${method} ${path}`;
    const samples = operation["x-codeSamples"];
    const { examples = {} } = operation.requestBody?.content["application/json"] ?? {};
    const picked = new Set(samples.map(({ example }) => example));
    assert.deepEqual(
      [...picked],
      Object.keys(examples).length > 0 ? Object.keys(examples) : [undefined],
      what,
    );
    for (const example of picked) {
      const labels = samples.filter((one) => one.example === example).map(({ label }) => label);
      assert.deepEqual(labels.slice(0, LANGUAGES.length), LANGUAGES, what);
      assert.equal(new Set(labels).size, labels.length, what);
    }
  }
});

test("the times of examples are around today, so that a span of hours stays one", async () => {
  const { now } = node;
  node.now += 400 * 86_400;
  const document = parsed<Document>(await node.get("/docs/openapi.json"));
  const { parameters = [] } = document.paths["/totals"]?.["get"] ?? {};
  const query = parameters.map(({ name, example, examples }) => [
    name,
    String(example ?? examples?.["main"]?.value ?? ""),
  ]);
  node.now = now;
  const balance = document.paths["/balance/{address}"]?.["get"]?.["x-codeSamples"];
  assert.doesNotMatch(JSON.stringify(balance), /after/, "a sample is of the first page");
  const { status, text } = await node.get(`/totals?${new URLSearchParams(query)}`);
  assert.equal(status, 200, text);
});

/** A raw answer: `fetch` would decompress it and choose the host itself. */
function rawGet(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}> {
  const { hostname, port } = new URL(node.url);
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}
