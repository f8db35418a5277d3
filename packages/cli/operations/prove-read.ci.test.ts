import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { proofVectors } from "@moneta/protocol/test-vectors";
import { TestNode } from "../../node/testing/test-node.ts";
import { until } from "../../node/testing/until.ts";
import { EXIT } from "../command-line/command.ts";
import { CommandRuns } from "../testing/command-runs.ts";

const PAGE = new URL("../../../docs/command-line.md", import.meta.url);
const [, COMMAND = "", ANSWER = ""] =
  /^## Proofs\n.*?^```bash\nmoneta (.*?)\n```.*?^```text\n(.*?)^```/ms.exec(
    readFileSync(PAGE, "utf8"),
  ) ?? [];

let node: TestNode;
let user: CommandRuns;
let alice: string;
let key: string;
/** As of the newest root under a checkpoint. */
let height: number;

before(async () => {
  node = await TestNode.start("--state-roots", "1");
  user = new CommandRuns(node.url);
  const holder = await node.holder();
  alice = holder.address;
  await node.pay(holder, 12_000_000_000n);
  const paid = await node.height();
  key = (await node.get("/checkpoint/key")).text.trim();
  height = await until(async () => {
    const { status, text } = await node.get(`/balance/${alice}/0?proof=1`);
    const rooted: number = status === 200 ? JSON.parse(text).height : -1;
    return rooted >= paid && rooted;
  });
});
after(async () => {
  user[Symbol.dispose]();
  await node[Symbol.asyncDispose]();
});

function command(verifierKey = key): string[] {
  const at = new Date(node.now * 1000).toISOString().replace(".000Z", "Z");
  return COMMAND.split(" ").map((word) =>
    word === "MT..."
      ? alice
      : /^\d{4}-/.test(word)
        ? at
        : word.startsWith("ledger.example/main+")
          ? verifierKey
          : word,
  );
}

test("the documented command prints the balance of an address at a time, and proves it", async () => {
  const { code, stdout, stderr } = await user.call(command());
  assert.equal(code, EXIT.done, stderr);
  const [name = "", id = ""] = key.split("+");
  const wanted = ANSWER.replace("MT...", alice)
    .replace("block  258", `block  ${height}`)
    .replace(/(?<=claimed at {3}).*/, "TIME")
    .replace(/(?<=signed by {4}).*/, `${name}+${id}, at size N`);
  const printed = `${stdout}${stderr}`
    .replace(/(?<=claimed at {3}).*/, "TIME")
    .replace(/(?<=, at size )\d+/, "N");
  assert.equal(printed, wanted);
});

test("a proof that no known key has signed is wrong; without known keys the node's key is printed", async () => {
  const [{ verifier_key: other } = { verifier_key: "" }] = proofVectors.reads;
  assert.match(
    await user.refused(EXIT.refused, ...command(other)),
    /the proof is wrong: origin should be /,
  );
  const words = command().slice(0, -2);
  const { code, stderr } = await user.call(words);
  assert.equal(code, EXIT.done);
  assert.ok(stderr.includes(`give that with --verifier-key: ${key}`), stderr);
});

test("a read that cannot be proven is refused: one without --token, a time before the first root", async () => {
  for (const [without, says] of [
    ["--token", /--proof needs --token/],
    ["--proof", /--verifier-key needs --proof/],
    [key, /--verifier-key: keys has verifier keys, .*, and not "x"/],
  ] as const) {
    const words = command();
    const place = words.indexOf(without);
    words.splice(place, without === "--token" ? 2 : 1, ...(without === key ? ["x"] : []));
    assert.match(await user.refused(EXIT.misused, ...words), says);
  }
  const early = command().map((word) => (word === "--at" ? "--height" : word));
  early[early.indexOf("--height") + 1] = "0";
  assert.match(
    await user.refused(EXIT.refused, ...early),
    /the node has no proof for that block or time/,
  );
  const refusal = await user.refused(EXIT.refused, ...early.slice(0, -2), "--json");
  assert.match(refusal, /no proof for that block or time: it keeps the newest two state roots/);
  const file = user.file("refusal.json", '{"detail": "No state root"}');
  assert.match(
    await user.refused(EXIT.misused, "proof", "check", file, "--verifier-key", key),
    /FILE has no proof but the node's refusal: No state root/,
  );
});

test("with --json the response can be saved, and checked later", async () => {
  const words = command().slice(0, -2);
  const file = user.file("proof.json", await user.moneta(...words, "--json"));
  const checked = await user.moneta("proof", "check", file, "--verifier-key", key);
  assert.ok(checked.includes(`entry        balance/${alice}/0 {"free":"12000000000"}\n`), checked);
});
