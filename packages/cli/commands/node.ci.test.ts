import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "../../node/testing/until.ts";
import { CommandRuns } from "../testing/command-runs.ts";

let user: CommandRuns;
let data: string;

before(() => {
  user = new CommandRuns("http://127.0.0.1:1");
  data = join(user.home, "data");
});
after(() => user[Symbol.dispose]());

test("a node is served, used by the same program, asked to end, and verified", async () => {
  // Users of both have set the client's variables, too.
  const quiet = ["--log-level", "warn", "--state-roots", "0"];
  const child = user.start(["serve", "--data", data, "--port", "0", ...quiet]);
  let printed = "";
  child.stdout?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const [url = ""] = await until(
    () => /http:\S+/.exec(printed) ?? undefined,
    () => printed,
  );
  assert.equal(await user.moneta("height", "--url", url), "0\n");
  await user.moneta("key", "new");
  await user.moneta("address", "new", "--url", url);
  user.isCalling = false;
  const audit = join(user.home, "audit");
  assert.match(await user.moneta("audit", url, "--once", "--data", audit), /^valid: 2 blocks/m);
  await user.moneta("backup", data, join(user.home, "copy"));
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [0, null]);
  assert.match(await user.moneta("verify", data), /^valid: 2 blocks/m);
  assert.match(await user.moneta("rebuild", data), /^rebuilt: 2 blocks/m);
});

test("their exit codes and their help are the node's", async () => {
  assert.match(await user.refused(2, "verify"), /moneta verify DIR/);
  assert.match(await user.refused(2, "verify", join(user.home, "none")), /there is no ledger/);
  assert.match(await user.refused(2, "serve", "--prt", "1"), /--prt/);
  assert.match(await user.moneta("serve", "--help"), /--event-streams-max/);
  assert.equal(await user.moneta("help", "serve"), await user.moneta("serve", "-h"));
  user.isCalling = true;
  assert.equal(await user.moneta("-h"), await user.moneta("help"));
});
