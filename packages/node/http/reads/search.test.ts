import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Found, shortId, shortItemNumber } from "@moneta/protocol";
import { createItems, createProject } from "../../testing/requests/item-requests.ts";
import { issued } from "../../testing/requests/token-requests.ts";
import { Units } from "../../testing/requests/unit-requests.ts";
import { type KeyHolder, parsed, type TestNode } from "../../testing/test-node.ts";

// Meanings of a text: explorer §5. Names and bounds are tested by ledger/views/search.test.ts.

let units: Units;
let node: TestNode;
let o: KeyHolder;
let project: string;
let token: string;
let numbered: string;
let named: string;
let grouped: string;
let zero: string;
let potion: string;
before(async () => {
  units = await Units.open();
  node = units.node;
  ({ o } = await units.cast());
  project = await createProject(node, o, { name: "Boats" });
  token = await issued(node, o, { symbol: "000,000 TST", name: "Sword coin" });
  [numbered = "", named = "", grouped = "", zero = ""] = await createItems(node, project, o, [
    { item_id: `${"0".repeat(36)}2a0b` },
    { attributes: { name: "Sword of Rome", hair: "dark red" } },
    { item_id: `${"0".repeat(36)}2a0c`, groupid: "Old Ships" },
    { item_id: `0f933a${"5".repeat(30)}2ae0` },
  ]);
  [potion = ""] = await units.items(project, o, { name: "Potion" });
});
after(() => units[Symbol.asyncDispose]());

async function found(text: string, more = ""): Promise<readonly Found[]> {
  return parsed<Found[]>(await node.get(`/search?text=${encodeURIComponent(text)}${more}`));
}

async function ids(text: string, more = ""): Promise<readonly string[]> {
  return (await found(text, more)).map(({ kind, id }) => `${kind} ${id}`);
}

test("a name finds entries of each kind, with the members that identify them", async () => {
  assert.deepEqual(await found("sword"), [
    { kind: "token", id: token, name: "Sword coin", symbol: "000,000 TST" },
    { kind: "item", id: named, name: "Sword of Rome", image: imageOf(named) },
  ]);
  assert.deepEqual(await ids("sword", "&kind=item"), [`item ${named}`]);
  assert.deepEqual(await ids("potion"), [`item ${potion}`]);
  assert.deepEqual(await found("ships"), [
    { kind: "groupid", id: project, name: "Boats", groupid: "Old Ships" },
  ]);
  assert.deepEqual(await ids("old", "&kind=groupid"), [`groupid ${project}`]);
  const [attribute] = await found("dark r");
  assert.deepEqual(attribute, {
    ...{ kind: "attribute", id: project, name: "Boats", attribute: "hair:dark red" },
  });
});

function imageOf(id: string): string {
  return `https://rpg.example/image/${id.slice(-40)}`;
}

test("texts that the pages print are found: quoted symbols, items by number, shortened ids", async () => {
  assert.deepEqual(await ids(`"000,000 TST" #${token}`), [`token ${token}`]);
  assert.deepEqual(await ids("Boats #2a0b"), [`item ${numbered}`]);
  assert.equal((await found("Boats #2a0b"))[0]?.name, "Boats #2a0b");
  assert.deepEqual(await ids("old ships #2a0c"), [`item ${grouped}`]);
  assert.deepEqual(await ids("ships #2a0c"), []);
  assert.deepEqual(await ids("boats #2a"), [`item ${numbered}`]);
  const short = shortItemNumber(named);
  assert.deepEqual(await ids(`Sword of Rome #${short}`), [`item ${named}`]);
  assert.deepEqual(await ids(`Boats #${short}`), [`item ${named}`]);
  assert.deepEqual(await ids("Sword of Rome #2a0b"), []);
  assert.deepEqual(await ids(`Potion #${shortItemNumber(potion)}`), [`item ${potion}`]);
  const digits = project.slice("MRC400_".length);
  assert.deepEqual(await ids(`${digits.slice(0, 6)}…${digits.slice(-4)}`), [`project ${project}`]);
  assert.deepEqual(await ids(`MRC400_${digits.slice(0, 6)}`), [`project ${project}`]);
  for (const item of [numbered, zero]) {
    assert.deepEqual(await ids(shortId(item)), [`item ${item}`]);
  }
  assert.deepEqual(await ids("0f933a…2ae0"), [`item ${zero}`]);
  assert.deepEqual(await ids("0f933b…2ae0"), []);
  assert.deepEqual(await ids(potion), [`item ${potion}`]);
  assert.deepEqual(await ids(named), [`item ${named}`]);
  assert.deepEqual(await ids(o.address), [`address ${o.address}`]);
  const { address } = o;
  assert.deepEqual(await ids(`${address.slice(0, 8)}…${address.slice(-6)}`), [
    `address ${address}`,
  ]);
});

test("blocks and transactions are found by number, place and hash", async () => {
  const { transaction } = parsed<{ transaction: readonly { id: string }[] }>(
    await node.get("/block/2"),
  );
  const { id } = transaction[0] as { id: string };
  assert.deepEqual(await ids(id.toUpperCase()), [`transaction ${id}`]);
  assert.deepEqual(await ids(`2-0…${id.slice(-6)}`), [`transaction ${id}`]);
  assert.deepEqual(await ids("2-0"), [`transaction ${id}`]);
  assert.deepEqual(await ids("2-0…ffffffffff"), []);
  assert.deepEqual(await ids("2-999"), []);
  const block = parsed<{ id: string }>(await node.get("/block/2"));
  assert.deepEqual(await ids(block.id), [`block ${block.id}`]);
  assert.deepEqual(await ids(`${block.id.slice(0, 8)}…${block.id.slice(-6)}`), [
    `block ${block.id}`,
  ]);
  assert.deepEqual(await ids("0"), ["block 0", "token 0", `token ${token}`]);
  assert.deepEqual(await ids("#999,999,999"), []);
});
