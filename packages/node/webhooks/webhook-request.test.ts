import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { deliver, retryAfterMs } from "./webhook-request.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");
for (const [text, ms] of [
  [undefined, undefined],
  ["0", 0],
  ["120", 120_000],
  ["9".repeat(12), 999_999_999_999_000],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Thursday, 01-Jan-26 00:00:30 GMT", 30_000],
  ["Thu Jan  1 00:00:30 2026 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
] as const) {
  test(`Retry-After ${JSON.stringify(text)} is ${ms} ms`, () =>
    assert.equal(retryAfterMs(text, NOW_MS), ms));
}

// What receivers send that HTTP knows and no receiver should.

const UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n";

for (const { answer, outcome } of [
  { answer: `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n`, outcome: "answered 101" },
  { answer: "HTTP/1.1 101 Switching Protocols\r\n\r\n", outcome: "answered 101" },
  { answer: `HTTP/1.1 200 OK\r\n${UPGRADE}Content-Length: 0\r\n\r\n`, outcome: undefined },
  { answer: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", outcome: undefined },
]) {
  const [first] = answer.split("\r\n\r\n");
  test(`a receiver that sends ${JSON.stringify(first)}: ${outcome ?? "delivered"}`, async () => {
    using opened = new DisposableStack();
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(answer));
      opened.defer(() => socket.destroy());
    });
    opened.defer(() => server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const message = { id: "1", body: "{}" };
    const to = { url: `http://127.0.0.1:${port}/`, keys: [new Uint8Array(24)] };
    const ending = new AbortController();
    const late = setTimeout(() => ending.abort(), 60_000);
    const { failure } = await Promise.race([
      deliver(message, to, ending.signal),
      once(ending.signal, "abort").then(() => ({ failure: "no end" })),
    ]);
    clearTimeout(late);
    assert.equal(failure, outcome);
  });
}
