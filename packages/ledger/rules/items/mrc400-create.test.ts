import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createProject, PROJECT, type ProjectShown } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";

let client: TestClient;
let o: Address;
let a: Address;
let b: Address;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
  ({ o, a, b } = await client.people(["o", "a", "b"]));
});
after(() => client[Symbol.dispose]());

/**
 * O creates `PROJECT` with a change; of a parameter that holds others, such as `partner.MT…`, only
 * the first name.
 */
async function summaryOf(change: Params = {}): Promise<string> {
  const answer = await client.send("mrc400create", o, { ...PROJECT, ...change });
  return answer.summary.replace(/[.[].*/, "");
}

async function created(change: Params = {}): Promise<ProjectShown> {
  return client.entry<ProjectShown>(await createProject(client, o, {}, change));
}

for (const [name, value] of [
  ["name", "😀".repeat(128)],
  ["imageurl", "ipfs://b/1"],
  ["itemurl", "https://a.example/{id}"],
  ["data", '{"a":"x|y"}'],
] as const) {
  test(`mrc401 §3: ${name} ${value.slice(0, 20)} is shown as it was sent`, async () => {
    const project = await created({ [name]: value });
    const { image_url: imageurl, item_url: itemurl, item_image_url: itemimageurl } = project;
    const shown = { ...project, imageurl, itemurl, itemimageurl };
    assert.deepEqual({ ...shown, ...PROJECT, [name]: value }, shown);
  });
}

for (const [name, value, answer] of [
  ["name", "😀".repeat(129), "400 3005 name"],
  ["name", "", "400 1000 name"],
  ["name", "a|b", "400 3005 name"],
  ["url", "ftp://a.example/", "400 3005 url"],
] as const) {
  test(`mrc401 §3: ${name} ${value.slice(0, 20)}: ${answer}`, async () =>
    assert.equal(await summaryOf({ [name]: value }), answer));
}

const PARTNERS: readonly {
  readonly what: string;
  readonly partner: (b: string, a: string) => string;
  readonly shown?: (b: string, a: string) => object;
  readonly answer?: string;
}[] = [
  {
    what: "saller",
    partner: (x) => `{"${x}":"saller"}`,
    shown: (x) => ({ [x]: "seller" }),
  },
  { what: "role boss", partner: (x) => `{"${x}":"boss"}`, answer: "400 3005" },
  {
    what: "wrong CRC",
    partner: () => '{"MTAlice00000000000000000000000005dc33c91":"seller"}',
    answer: "400 3190",
  },
  {
    what: "unknown address",
    partner: (x) => `{"${x}":"seller","${NOBODY}":"seller"}`,
    answer: "404 3090",
  },
  {
    what: "B twice",
    partner: (x) => `{"${x}":"seller","${x}":"seller"}`,
    answer: "400 1007",
  },
  { what: "[]", partner: () => "[]", answer: "400 1007" },
  { what: "{}", partner: () => "{}", shown: () => ({}) },
  {
    what: "every role, with white space",
    partner: (x, y) => `{ "${x}" : "partner",\n"${y}":"creator" }`,
    shown: (x, y) => ({ [x]: "partner", [y]: "creator" }),
  },
  {
    what: "40960 characters",
    partner: (x) => `{"${x}":"creator"${" ".repeat(40_960 - 54)}}`,
    shown: (x) => ({ [x]: "creator" }),
  },
];

for (const { what, partner, shown, answer } of PARTNERS) {
  test(`mrc401 §3: partner with ${what}: ${answer ?? "accepted"}`, async () => {
    const text = partner(b, a);
    if (shown === undefined) {
      assert.equal(await summaryOf({ partner: text }), `${answer} partner`);
    } else {
      const project = await created({ partner: text });
      assert.deepEqual(project.partner, shown(b, a));
    }
  });
}

const MANY_LINKS = Object.fromEntries(
  Array.from({ length: 2000 }, (_, n) => [n.toString(36), `http://${n.toString(36)}`]),
);
assert.ok(JSON.stringify(MANY_LINKS).length < 40_960);

for (const { socialmedia, shown = {}, answer } of [
  { socialmedia: '{"x":"no url"}', answer: "400 3005 socialmedia" },
  { socialmedia: '{"x":1}', answer: "400 1007 socialmedia" },
  { socialmedia: "", shown: {} },
  { socialmedia: "{}", shown: {} },
  {
    socialmedia: '{"home|page":"https://a.b/|", "__proto__":"http://a.b"}',
    shown: JSON.parse('{"home|page":"https://a.b/|","__proto__":"http://a.b"}') as object,
  },
  {
    socialmedia: `{"x":"http://a.b"${" ".repeat(40_960 - 18)}}`,
    shown: { x: "http://a.b" },
  },
  // As many links as 40,960 characters can have.
  { socialmedia: JSON.stringify(MANY_LINKS), shown: MANY_LINKS },
  { socialmedia: `{${" ".repeat(40_961 - 2)}}`, answer: "400 3005 socialmedia" },
] as readonly { socialmedia: string; shown?: object; answer?: string }[]) {
  const what = `${socialmedia.slice(0, 40)} (${socialmedia.length})`;
  test(`mrc401 §3: socialmedia ${what}: ${answer ?? "accepted"}`, async () => {
    if (answer === undefined) {
      const { socialmedia: is } = await created({ socialmedia });
      assert.deepEqual(Object.entries(is).sort(), Object.entries(shown).sort());
    } else {
      assert.equal(await summaryOf({ socialmedia }), answer);
    }
  });
}

test("mrc401 §3: the order in which a create refuses", async () => {
  const existence = { owner: NOBODY, partner: { [NOBODY]: "seller" }, allowtoken: "99" };
  const right = { ...PROJECT, socialmedia: "{}" };
  await client.mending("mrc400create", { by: o, stranger: a }, [
    [{ ...right, ...existence, category: "", name: "a|b" }, "400 1000"],
    [{ category: "game" }, "400 3005"],
    [{ name: "n", allowtoken: "x" }, "400 1101"],
    [{ allowtoken: "99", url: "x" }, "400 3005"],
    [{ url: PROJECT.url, socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "{}", partner: { [NOBODY]: "boss" } }, "400 3005"],
    [{ partner: { MTx: "seller" } }, "400 3190"],
    [{ partner: existence.partner, owner: "MTx" }, "400 3190"],
    [{ owner: NOBODY }, "404 3090"],
    [{ owner: o }, "404 3090"],
    [{ partner: { [b]: "seller" } }, "404 4001"],
    [{ allowtoken: "7" }, "key"],
    [{}, "done"],
  ]);
  assert.equal(await summaryOf(existence), "404 3090 owner");
  assert.equal(await summaryOf({ ...existence, owner: o }), "404 3090 partner");
});

for (const { what, change, allow_token, answer } of [
  { what: "absent", change: {}, allow_token: 0 },
  { what: "0", change: { allowtoken: "0" }, allow_token: 0 },
  { what: "7", change: { allowtoken: "7" }, allow_token: 7 },
  { what: "unknown", change: { allowtoken: "99" }, answer: "404 4001 allowtoken" },
  { what: "x", change: { allowtoken: "x" }, answer: "400 1101 allowtoken" },
  { what: "of 16 digits", change: { allowtoken: "1".repeat(16) }, answer: "404 4001 allowtoken" },
  { what: "of 17 digits", change: { allowtoken: "1".repeat(17) }, answer: "400 1101 allowtoken" },
] as readonly { what: string; change: Params; allow_token?: number; answer?: string }[]) {
  test(`mrc401 §3: allowtoken ${what}: ${answer ?? allow_token}`, async () => {
    if (answer !== undefined) {
      assert.equal(await summaryOf(change), answer);
    } else {
      assert.equal((await created(change)).allow_token, allow_token);
    }
  });
}

const ALL = {
  allowtoken: "7",
  socialmedia: '{"homepage": "https://rpg.example/"}',
  name: "Ünïcode 😀",
};

for (const signed of ["short", "full"] as const) {
  for (const { what, change } of [
    { what: "without what can be left out", change: {} },
    { what: "with everything", change: ALL },
  ] as readonly { what: string; change: Params }[]) {
    test(`mrc401 §3, §5: a project ${what}, signed ${signed}: all fields`, async () => {
      const partner = change === ALL ? { [b]: "seller" } : {};
      const given = { ...change, ...(change === ALL ? { partner } : {}) };
      const params = { ...PROJECT, ...given };
      const sent: Params = { ...params, ...(signed === "full" && { signed }) };
      const id = await client.make("mrc400create", o, sent);
      const { imageurl, itemurl, itemimageurl, ...same } = { ...PROJECT, name: sent["name"] };
      assert.deepEqual(client.entry(id), {
        id,
        owner: o,
        ...same,
        image_url: imageurl,
        item_url: itemurl,
        item_image_url: itemimageurl,
        allow_token: change === ALL ? 7 : 0,
        socialmedia: change === ALL ? { homepage: "https://rpg.example/" } : {},
        partner,
        createdate: client.now,
        ...{ policy: {}, policy_number: 0 },
      });
    });
  }
}
