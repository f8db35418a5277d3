import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { reachesHeight } from "./height-wait.ts";

test("conventions §2.3: a clock that is set ahead does not end the wait for a block", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_767_225_600_000 });
  let looks = 0;
  const height = (): number => {
    looks += 1;
    return looks < 3 ? 7 : 8; // not yet at the first look at the new time
  };
  const reached = reachesHeight(height, 8);
  t.mock.timers.setTime(1_767_225_600_000 + 3_600_000);
  assert.equal(await reached, true);
});

test("a wait for a block ends once the client has disconnected", async () => {
  let looks = 0;
  const height = (): number => {
    looks += 1;
    return 7;
  };
  const socket = { destroyed: false };
  const reached = reachesHeight(height, 8, socket);
  while (looks < 3) {
    await nextTurn();
  }
  const before = looks;
  socket.destroyed = true;
  assert.equal(await reached, false);
  assert.equal(looks, before);
});
