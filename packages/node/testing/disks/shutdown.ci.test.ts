import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { EventStream } from "../event-stream.ts";
import { ServiceProcess } from "../service-process.ts";
import { TestNode } from "../test-node.ts";

/** Sends requests on one connection until a response closes it. Returns all statuses. */
async function askUntilClosed(
  url: string,
  { method, path, onAnswer }: { method: string; path: string; onAnswer: () => void },
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: number[] = [];
  for (let isLast = false; !isLast; ) {
    isLast = await new Promise<boolean>((resolve, reject) => {
      const asked = request(`${url}${path}`, { agent, method }, (response) => {
        statuses.push(response.statusCode ?? 0);
        onAnswer();
        response.resume().once("end", () => resolve(response.headers.connection === "close"));
      });
      asked.once("error", reject).end();
    });
  }
  agent.destroy();
  return statuses;
}

test("none of 32 busy clients gets a reset: each one's last answer says so", async () => {
  await using service = await ServiceProcess.start({ more: ["--shutdown-seconds", "600"] });
  const asked = ["/block", "/openapi.json", "/transfer", "/block"];
  const answered: Promise<void>[] = [];
  const clients = Array.from({ length: 32 }, (_, index) => {
    const path = asked[index % asked.length] as string;
    const first = Promise.withResolvers<void>();
    answered.push(first.promise);
    const method = path === "/transfer" ? "POST" : "GET";
    return askUntilClosed(service.url, { method, path, onAnswer: first.resolve });
  });
  await Promise.race([Promise.all(answered), Promise.all(clients)]);
  assert.equal(await service.stop(), 0, service.output());
  for (const [index, statuses] of (await Promise.all(clients)).entries()) {
    assert.deepEqual(
      [...new Set(statuses)],
      [asked[index % asked.length] === "/transfer" ? 400 : 200],
      `client ${index}`,
    );
  }
});

test("during --shutdown-grace a node is not ready, but answers everything, streams and new connections too", async () => {
  await using service = await TestNode.start("--shutdown-grace", "10");
  using early = await EventStream.open(service.url);
  assert.equal((await early.next()).event, "height");
  const stopped = service.stop();
  let ready: Response;
  do {
    ready = await fetch(`${service.url}/ready`);
  } while (ready.status === 200 && (await ready.text()) !== "");
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /"code":"9002"/);
  for (const connection of ["keep-alive", "close"]) {
    const block = await fetch(`${service.url}/block`, { headers: { connection } });
    assert.equal(block.status, 200);
    assert.equal(block.headers.get("connection"), connection);
  }
  using late = await EventStream.open(service.url);
  assert.equal((await late.next()).event, "height");
  await stopped;
  for (const stream of [early, late]) {
    assert.equal(await stream.nextOrEnd(), undefined);
  }
});

test("a node whose output is closed continues, also when it logs, and ends with 0", async () => {
  await using service = await ServiceProcess.start({ more: ["--log-level", "debug"] });
  service.closeOutput();
  for (const _ of [1, 2, 3]) {
    assert.equal((await fetch(`${service.url}/block`)).status, 200);
  }
  assert.equal(await service.stop(), 0);
});
