import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { documentState } from "./document-hash.ts";

const DOCUMENT = '{"name":"Sword"}';
const HASH = createHash("sha256").update(DOCUMENT).digest("hex");

let server: Server;
let url: string;
before(async () => {
  server = createServer(({ url: path }, response) => {
    if (path === "/none") {
      response.writeHead(404).end(DOCUMENT);
    } else if (path === "/long") {
      response.end("x".repeat((4 << 20) + 1));
    } else {
      response.end(path === "/changed" ? `${DOCUMENT} ` : DOCUMENT);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

for (const { path, state } of [
  { path: "/document", state: "as minted" },
  { path: "/changed", state: "changed" },
  { path: "/none", state: "unread" },
  { path: "/long", state: "unread" },
]) {
  test(`mrc401 §19: the document at ${path} is ${state}`, async () =>
    assert.equal(await documentState(`${url}${path}`, HASH), state));
}

test("mrc401 §19: a document whose server does not answer is unread", async () =>
  assert.equal(await documentState("http://127.0.0.1:1/", HASH), "unread"));
