import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TestNode } from "../node/testing/test-node.ts";
import { CalledInShell, linkPrograms } from "./testing/called-in-shell.ts";
import { CommandRuns } from "./testing/command-runs.ts";

const PAGE = readFileSync(new URL("../../docs/swaps.md", import.meta.url), "utf8");
const skip =
  spawnSync("bash", ["--version"]).error === undefined ? false : "not on this machine: bash";

let node: TestNode;
let user: CommandRuns;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  user = new CommandRuns(node.url);
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

/** Runs one block after the other. */
class OpenShell implements Disposable {
  readonly #bash: ChildProcess;
  #printed = "";

  constructor() {
    this.#bash = spawn("bash", ["-s"], {
      cwd: user.home,
      env: { ...process.env, ...user.environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#bash.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      this.#printed += piece;
    });
    // Through one pipe, all that a block prints arrives before its end.
    this.#bash.stdin?.write("exec 2>&1\n");
  }

  /** Every command must succeed. */
  async type(block: string): Promise<string> {
    this.#printed = "";
    this.#bash.stdin?.write(
      `trap 'echo failed: $BASH_COMMAND' ERR\n${block}\necho "end of block"\n`,
    );
    while (!this.#printed.includes("end of block\n")) {
      assert.equal(this.#bash.exitCode, null, this.#printed);
      await new Promise((resolve) => this.#bash.stdout?.once("data", resolve));
    }
    assert.doesNotMatch(this.#printed, /^failed: |: command not found$/m);
    return this.#printed;
  }

  [Symbol.dispose](): void {
    this.#bash.kill("SIGKILL");
  }
}

test("the swap of the page, typed into two shells, is done as it says", { skip }, async () => {
  linkPrograms(user.home);
  using called = await CalledInShell.start(user);
  using alice = new OpenShell();
  using bob = new OpenShell();
  for (const shell of [alice, bob]) {
    await shell.type(called.definition);
  }
  const typed: string[] = [];
  for (const [, who = "", block = ""] of PAGE.matchAll(
    /^\*\*In (Alice|Bob)'s shell\.\*\*.*?^```bash\n(.*?)^```/gms,
  )) {
    typed.push(await (who === "Alice" ? alice : bob).type(block));
  }
  const [, , proposal = "", swap = ""] = typed;
  assert.equal(typed.length, 4);
  const [seller = ""] =
    /MT\w{38}/.exec(readFileSync(join(user.home, "swap", "bob.txt"), "utf8")) ?? [];
  const forecast = new RegExp(
    `^${seller}.*\n  gives “.*” \\(MRC400_\\w+\\)\n  gets 2\\.5 GLD #\\d+\n  gets 40 SLV #\\d+$`,
    "m",
  );
  assert.match(proposal, forecast);
  assert.match(proposal, new RegExp(`still to sign: ${seller}`));
  assert.match(swap, forecast);
  const [, holder] = /^holder +(MT\w{38})$/m.exec(swap) ?? [];
  assert.equal(holder, readFileSync(join(user.home, "swap", "alice.txt"), "utf8").trim());
  assert.match(swap, /2\.5 GLD/);
  assert.match(swap, /40 SLV/);
});
