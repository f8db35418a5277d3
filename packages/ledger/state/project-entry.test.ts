import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, canonicalJson, type PartnerRole, type TokenId } from "@moneta/protocol";
import fc from "fast-check";
import { LongTexts } from "./long-texts.ts";
import { PROJECT, type Project, type ProjectTexts } from "./project-entry.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90" as Address;
const BOB = "MTBob0000000000000000000000000005f59bcba" as Address;

/** The example of mrc401 §5, as it stands there. */
const EXAMPLE = `{"id":"MRC400_c7735425f08d740230c98da57e9977dfc","owner":"MTAlice00000000000000000000000005dc33c90","name":"Meta-RPG","url":"https://rpg.example/",
 "image_url":"https://rpg.example/p.png","allow_token":0,"category":"game","description":"Items of a game","data":"{}","item_url":"https://rpg.example/item/{id}",
 "item_image_url":"https://rpg.example/image/{id}","socialmedia":{"homepage":"https://rpg.example/"},
 "partner":{"MTBob0000000000000000000000000005f59bcba":"seller"},"createdate":1767225600}`;

const example: Project = {
  id: "MRC400_c7735425f08d740230c98da57e9977dfc",
  owner: ALICE,
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageUrl: "https://rpg.example/p.png",
  allowToken: "0" as TokenId,
  category: "game",
  itemUrl: "https://rpg.example/item/{id}",
  itemImageUrl: "https://rpg.example/image/{id}",
  texts: LongTexts.of({
    description: "Items of a game",
    data: "{}",
    socialMedia: { homepage: "https://rpg.example/" },
  }),
  partners: { [BOB]: "seller" },
  createDate: 1767225600,
  order: 256,
};

/** As objects are by nature. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;

const text = fc.string({ unit: "binary" });
// Names that clients choose freely, such as those that objects have by nature.
const names = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", "1", ""));
const projects: fc.Arbitrary<Project> = plain({
  id: fc.constant(example.id),
  owner: fc.constantFrom(ALICE, BOB),
  name: text,
  url: text,
  imageUrl: text,
  allowToken: fc.nat().map((id) => String(id) as TokenId),
  category: text,
  itemUrl: text,
  itemImageUrl: text,
  texts: plain<ProjectTexts>({
    description: text,
    data: text,
    socialMedia: fc.array(fc.tuple(names, text)).map(Object.fromEntries),
  }).map((texts) => LongTexts.of(texts)),
  partners: fc
    .subarray([ALICE, BOB])
    .chain((addresses) =>
      plain(
        Object.fromEntries(
          addresses.map((one) => [
            one,
            fc.constantFrom<PartnerRole>("partner", "seller", "creator"),
          ]),
        ),
      ),
    ),
  createDate: fc.nat(),
  order: fc.nat(),
});

test("mrc401 §5: the example, with every field and no other, and that is what a block commits to", () => {
  assert.deepEqual(PROJECT.json(example), JSON.parse(EXAMPLE));
  assert.equal(PROJECT.view, undefined);
  assert.equal(PROJECT.prefix + PROJECT.id(example), `mrc400/${example.id}`);
});

test("a project that is stored and restored is the same", () =>
  fc.assert(
    fc.property(projects, (project) => {
      const stored = canonicalJson(PROJECT.stored?.(project) ?? "");
      const texts = canonicalJson(PROJECT.table.longTexts?.json(project) ?? "");
      const restored = PROJECT.restore(JSON.parse(stored), () => JSON.parse(texts));
      assert.deepEqual(restored, project);
      assert.deepEqual(restored.texts.read(), project.texts.read());
    }),
    { numRuns: 500 },
  ));

function withTexts(texts: Partial<ProjectTexts>): LongTexts<ProjectTexts> {
  return LongTexts.of({ ...example.texts.read(), ...texts });
}

test("mrc401 §4: two projects are the same whatever the order of their partners and social media", () => {
  const two: Project = {
    ...example,
    partners: { [ALICE]: "partner", [BOB]: "seller" },
    texts: withTexts({ socialMedia: { a: "x", b: "y" } }),
  };
  const turned: Project = {
    ...example,
    partners: { [BOB]: "seller", [ALICE]: "partner" },
    texts: withTexts({ socialMedia: { b: "y", a: "x" } }),
  };
  assert.ok(PROJECT.isSame(two, turned));
  for (const change of [
    { partners: {} },
    { texts: withTexts({}) },
    { name: "x" },
    { allowToken: "7" as TokenId },
    { texts: withTexts({ socialMedia: { a: "x", b: "y" }, data: "" }) },
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
  const { data, description, socialmedia, partner, ...rest } = JSON.parse(EXAMPLE);
  assert.deepEqual(JSON.parse(String(listed)), rest, "what a list shows");
});
