import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns, ENTRY } from "../testing/command-runs.ts";

// The client of the protocol's own library.

let node: TestNode;
let user: CommandRuns;
let client: Client;
let [owner, payee, stranger]: string[] = [];

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  owner = await user.newAddress();
  [payee, stranger] = [await node.holder(), await node.holder()].map(({ address }) => address);
  const agent = join(user.home, "agent.pem");
  await user.moneta("key", "new", "--key", agent);
  const bounds = ["--limits", "5/day", "--payees", payee as string];
  const until = `@${node.now + 86_400}`;
  const made = ["grant", "new", agent, "transfer", ...bounds, "--until", until];
  const grant = (await user.moneta(...made)).trim();
  client = new Client({ name: "a test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [ENTRY, "mcp", "--key", agent, "--grant", grant],
      env: { ...user.environment },
    }),
  );
});
after(async () => {
  await client?.close();
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

/** With `wrong:` first if it failed. */
async function call(name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: values });
  const [{ text = "" } = {}] = content as readonly { readonly text?: string }[];
  return isError === true ? `wrong: ${text}` : text;
}

test("every read is a tool, and of the operations those that the grant allows", async () => {
  const { tools } = await client.listTools();
  const named = new Map(tools.map((tool) => [tool.name, tool]));
  assert.ok(tools.length > 40);
  const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  assert.deepEqual(
    writes.map(({ name }) => name),
    ["transfer"],
  );
  const { properties = {}, required = [] } = named.get("transfer")?.inputSchema ?? {};
  assert.deepEqual(required, ["to", "amount"]);
  assert.deepEqual(Object.keys(properties), ["to", "amount", "token", "tag", "memo", "unlocks"]);
  assert.equal(named.get("token_list")?.annotations?.readOnlyHint, true);
});

test("an agent pays within its grant, in decimals, and reads what came of it", async () => {
  const paid = await call("transfer", { to: payee, amount: "1.5", memo: "--json" });
  assert.match(paid, /^transaction +[0-9a-f]{64}/);
  assert.match(paid, new RegExp(`signed by ${owner}`));
  assert.match(await call("balance", { address: payee }), /1\.5 TST/);
  assert.match(await call("balance", {}), /98\.5 TST/);
  assert.match(await call("grant_show", { grantid: "GRT_1" }), /^wrong: .*6004/s);
});

test("what goes beyond the grant is refused, and says why", async () => {
  const beyond = await call("transfer", { to: payee, amount: "4" });
  assert.match(
    beyond,
    /^wrong: This needs 4 TST, but grant leaves only 3\.5 TST to spend now\. \(7005\)$/,
  );
  assert.match(await call("transfer", { to: stranger, amount: "1" }), /^wrong: .* \(7004\)/s);
  assert.match(await call("balance", { address: payee }), /1\.5 TST/);
});

test("no value is a flag of the command line, or a file of its machine", async () => {
  const flag = await call("transfer", { to: `--url=${node.url}`, amount: "1" });
  assert.match(flag, /^wrong: .*must be an address/s);
  const file = await call("address_items", { address: "@/etc/hostname" });
  assert.match(file, /^wrong: address names a file/);
  await assert.rejects(client.callTool({ name: "token_burn", arguments: {} }), /token_burn/);
});
