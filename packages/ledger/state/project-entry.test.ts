import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { LongTexts } from "./long-texts.ts";
import { PROJECT, type Project, type ProjectTexts } from "./project-entry.ts";
import type { StateReader } from "./state.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90" as Address;
const BOB = "MTBob0000000000000000000000000005f59bcba" as Address;

/** The example of mrc401 §5, as it stands there. */
const EXAMPLE = `{"id":"MRC400_c7735425f08d740230c98da57e9977dfc","owner":"MTAlice00000000000000000000000005dc33c90","name":"Meta-RPG","url":"https://rpg.example/",
 "image_url":"https://rpg.example/p.png","allow_token":0,"category":"game","description":"Items of a game","data":"{}","item_url":"https://rpg.example/item/{id}",
 "item_image_url":"https://rpg.example/image/{id}","socialmedia":{"homepage":"https://rpg.example/"},
 "partner":{"MTBob0000000000000000000000000005f59bcba":"seller"},"createdate":1767225600,"policy":{},"policy_number":0}`;

const example: Project = {
  id: "MRC400_c7735425f08d740230c98da57e9977dfc",
  owner: ALICE,
  name: "Meta-RPG",
  url: "https://rpg.example/",
  image_url: "https://rpg.example/p.png",
  allow_token: 0,
  category: "game",
  item_url: "https://rpg.example/item/{id}",
  item_image_url: "https://rpg.example/image/{id}",
  texts: LongTexts.of({
    description: "Items of a game",
    data: "{}",
    socialmedia: { homepage: "https://rpg.example/" },
  }),
  partner: { [BOB]: "seller" },
  createdate: 1767225600,
  policy_number: 0,
  order: 256,
};

test("mrc401 §5: the example, with every field and no other; a block commits to all but a policy that there is not", () => {
  const { policy, policy_number, ...committed } = JSON.parse(EXAMPLE);
  assert.deepEqual(PROJECT.json(example), committed);
  assert.deepEqual(PROJECT.view?.(example, {} as StateReader), {
    ...committed,
    policy,
    policy_number,
  });
  assert.equal(PROJECT.prefix + PROJECT.id(example), `mrc400/${example.id}`);
});

function withTexts(texts: Partial<ProjectTexts>): LongTexts<ProjectTexts> {
  return LongTexts.of({ ...example.texts.read(), ...texts });
}

test("mrc401 §4: two projects are the same whatever the order of their partners and social media", () => {
  const two: Project = {
    ...example,
    partner: { [ALICE]: "partner", [BOB]: "seller" },
    texts: withTexts({ socialmedia: { a: "x", b: "y" } }),
  };
  const turned: Project = {
    ...example,
    partner: { [BOB]: "seller", [ALICE]: "partner" },
    texts: withTexts({ socialmedia: { b: "y", a: "x" } }),
  };
  assert.ok(PROJECT.isSame(two, turned));
  for (const change of [
    { partner: {} },
    { texts: withTexts({}) },
    { name: "x" },
    { allow_token: 7 },
    { texts: withTexts({ socialmedia: { a: "x", b: "y" }, data: "" }) },
  ]) {
    assert.ok(!PROJECT.isSame(two, { ...two, ...change }), JSON.stringify(change));
  }
});

test("projects are found by owner, category and both", () => {
  const { columns, indexes } = typeof PROJECT.table === "object" ? PROJECT.table : assert.fail();
  const cells = Object.entries(columns).map(([name, { of }]) => [name, of(example)] as const);
  const { owner, category, listed } = Object.fromEntries(cells);
  assert.deepEqual({ owner, category }, { owner: ALICE, category: "game" });
  assert.deepEqual([...indexes].sort(), [["category"], ["owner"], ["owner", "category"]]);
  const { data, description, socialmedia, partner, ...all } = JSON.parse(EXAMPLE);
  const { policy, policy_number, ...rest } = all;
  assert.deepEqual(JSON.parse(String(listed)), rest, "what a list shows");
});
