import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sendRequest } from "../../testing/requests/signed-request.ts";
import { issued, tokenRecord, updateRequest } from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  problemOf,
  refusalCode,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

interface Image {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function imageOf(token: string, headers: Record<string, string> = {}): Promise<Image> {
  const response = await fetch(`${node.url}/token/${token}/image`, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><text>é +</text></svg>';

function percent(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

for (const { what, image, type, bytes } of [
  {
    what: "a PNG in base64",
    image: `data:image/png;base64,${PNG.toString("base64")}`,
    type: "image/png",
    bytes: PNG,
  },
  {
    what: "every byte in base64 without padding",
    image: `data:image/webp;base64,${EVERY_BYTE.toString("base64").replaceAll("=", "")}`,
    type: "image/webp",
    bytes: EVERY_BYTE,
  },
  {
    what: "base64 that is percent-encoded",
    image: `data:image/gif;base64,${encodeURIComponent(EVERY_BYTE.toString("base64"))}`,
    type: "image/gif",
    bytes: EVERY_BYTE,
  },
  {
    what: "every byte percent-encoded",
    image: `data:image/avif,${percent(EVERY_BYTE)}`,
    type: "image/avif",
    bytes: EVERY_BYTE,
  },
  {
    what: "an SVG, percent-encoded",
    image: `data:image/svg+xml,${encodeURIComponent(SVG)}`,
    type: "image/svg+xml",
    bytes: Buffer.from(SVG),
  },
  {
    what: "an SVG as browsers take it, hardly encoded",
    image: `data:image/svg+xml;charset=utf-8,${SVG.replace("é", "%C3%A9").replaceAll("#", "%23")}`,
    type: "image/svg+xml",
    bytes: Buffer.from(SVG),
  },
  {
    what: "an SVG in base64",
    image: `data:image/svg+xml;charset=utf-8;base64,${Buffer.from(SVG).toString("base64")}`,
    type: "image/svg+xml",
    bytes: Buffer.from(SVG),
  },
]) {
  test(`tokens: the image of a token is served with its own type: ${what}`, async () => {
    const token = await issued(node, o, { image });
    const { status, headers, bytes: served } = await imageOf(token);
    assert.equal(status, 200, served.toString());
    const [media] = (headers.get("content-type") ?? "").split(";");
    assert.equal(media, type);
    assert.deepEqual(served, bytes);
    assert.equal(headers.get("content-length"), String(bytes.length));
    assertInert(headers);
    assert.equal((await tokenRecord(node, token))["image"], image);
  });
}

/** Nothing in the image can run, whoever opens it in a browser. */
function assertInert(headers: Headers): void {
  const policy = (headers.get("content-security-policy") ?? "")
    .split(";")
    .map((part) => part.trim());
  assert.ok(policy.includes("sandbox"), policy.join("; "));
  assert.ok(policy.includes("default-src 'none'"), policy.join("; "));
  assert.ok(!policy.some((part) => part.startsWith("script-src")), policy.join("; "));
  assert.equal(headers.get("x-content-type-options"), "nosniff");
}

for (const { what, change } of [
  { what: "no image", change: {} },
  { what: "an image elsewhere", change: { image: "https://gold.example/bar.png" } },
  { what: "an image on IPFS", change: { image: "ipfs://bafy/bar.png" } },
]) {
  test(`tokens: of a token with ${what} there is none to serve: 404 6011`, async () => {
    const token = await issued(node, o, change);
    const answer = await node.get(`/token/${token}/image`);
    assert.equal(refusalCode(answer), "404 6011");
    assert.notEqual(problemOf(answer).detail, "");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  });
}

for (const { path, answer } of [
  { path: "/token/999999/image", answer: "404 4001 token" },
  { path: "/token/x/image", answer: "400 1101 token" },
  { path: "/token/01/image", answer: "400 1101 token" },
  { path: "/token/0/image", answer: "404 6011" },
]) {
  test(`tokens: GET ${path}: ${answer}`, async () => {
    assert.match(summaryOf(await node.get(path)), new RegExp(`^${answer}`));
    assert.match(summaryOf(await node.get(`${path}/`)), new RegExp(`^${answer}`));
  });
}

for (const image of [
  "data:image/png;base64,@@@@",
  "data:image/png;base64,A",
  "data:image/png",
  "data:image/png;base64",
  "data:image/png,%zz",
  "data:image/png%0d%0aX-Evil: 1;base64,AAAA",
  "data:image/png,",
  "data:image/,x",
  "data:image/x y,z",
  "data:image/png;base64;base64,AAAA",
]) {
  test(`tokens: the image ${image} is refused when it is saved, or served without harm, or 6011`, async () => {
    let token: string;
    try {
      token = await issued(node, o, { image });
    } catch (refusal) {
      assert.match(String(refusal), /3005/);
      return;
    }
    const { status, headers, bytes } = await imageOf(token);
    assert.equal(headers.get("x-evil"), null);
    if (status === 200) {
      assert.match(headers.get("content-type") ?? "", /^image\/[\w.+-]+(;[\x20-\x7e]*)?$/);
      assertInert(headers);
    } else {
      const answer: Answered = { status, headers, text: bytes.toString() };
      assert.equal(refusalCode(answer), "404 6011");
    }
  });
}

test("tokens: an update changes the image and its ETag; the largest one is served whole", async () => {
  const token = await issued(node, o, { image: "data:image/png;base64,AAAA" });
  const { headers } = await imageOf(token);
  const known = { "If-None-Match": headers.get("etag") ?? "none" };
  const unchanged = await imageOf(token, known);
  assert.equal(unchanged.status, 304);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("ledger-height"), String(await node.height()));

  const image = "data:image/jpeg,".padEnd(1_048_576, "x");
  const update = await updateRequest(node, o, { token, image });
  assert.equal(summaryOf(await sendRequest(node, update)), "200");
  const { status, headers: then, bytes } = await imageOf(token, known);
  assert.equal(status, 200);
  assert.equal(then.get("content-type"), "image/jpeg");
  assert.equal(bytes.toString(), "x".repeat(1_048_576 - "data:image/jpeg,".length));
});
