import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort, isFree } from "./free-port.ts";

test("a port is given to one test alone, whatever process it runs in, before its server listens", async () => {
  const port = await freePort();
  assert.equal(await isFree(port), true, "its server can listen");
  const other = createSocket("udp4");
  other.bind({ port, address: "127.0.0.1", exclusive: true });
  const [refusal] = (await once(other, "error")) as [NodeJS.ErrnoException];
  assert.equal(refusal.code, "EADDRINUSE");
  other.close();
});

test("a process that was given a port ends by itself", async () => {
  const module = JSON.stringify(import.meta.resolve("./free-port.ts"));
  const program = `import { freePort } from ${module}; console.log(await freePort());`;
  const args = ["--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  assert.match(stdout, /^\d+\n$/);
});
