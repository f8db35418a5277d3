import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { watchFirstLines } from "./first-line.ts";

/** A server that answers every request, and sends `refused` with the code of a client error. */
async function listening(
  headersTimeout: number,
): Promise<{ readonly http: Server; readonly port: number } & AsyncDisposable> {
  const server = createServer({ headersTimeout }, (_, response) => response.end("answered"));
  server.on("clientError", ({ code }: { readonly code?: string }, socket: Socket) => {
    socket.end(`refused ${code ?? "at once"}`);
  });
  watchFirstLines(server, "connection");
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    http: server,
    port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerTo(port: number, sent: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port }).setEncoding("utf8");
  if (sent !== "") {
    socket.end(sent);
  }
  let answer = "";
  for await (const part of socket) {
    answer += part;
  }
  return answer;
}

test("a client that half-closes after a line of HTTP/0.9 is answered", async () => {
  await using server = await listening(20_000);
  assert.equal(await answerTo(server.port, "GET /block\r\n"), "refused at once");
});

test("a line of HTTP/0.9 is refused at once, in however many segments it comes", async () => {
  await using server = await listening(60_000);
  const client = connect({ host: "127.0.0.1", port: server.port }).setEncoding("utf8");
  const [accepted] = await once(server.http, "connection");
  let sent = 0;
  for (const part of ["G", "ET", " /blo", "ck\r", "\n"]) {
    client.write(part);
    sent += part.length;
    while ((accepted as Socket).bytesRead < sent) {
      await nextTurn();
    }
  }
  assert.equal((await client.toArray()).join(""), "refused at once");
});

test("a client that half-closes within a request line is answered", async () => {
  await using server = await listening(20_000);
  assert.equal(await answerTo(server.port, "GET /blo"), "refused at once");
});

test("a client that half-closes after a whole request is answered", async () => {
  await using server = await listening(20_000);
  const request = "GET /block HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  assert.match(await answerTo(server.port, request), /^HTTP\/1\.1 200 .*answered$/s);
});

test("a silent connection gets a timeout, and one that is half-closed unused is closed", async () => {
  await using server = await listening(50);
  assert.equal(await answerTo(server.port, ""), "refused ERR_HTTP_REQUEST_TIMEOUT");
  const unused = connect({ host: "127.0.0.1", port: server.port }).resume();
  await once(unused.end(), "close");
});
