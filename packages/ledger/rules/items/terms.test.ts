import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  addressAround,
  type ChangedItem,
  type ItemGuards,
  NO_METADATA,
  type Rate,
  type Refused,
  rateText,
} from "@moneta/protocol";
import { LongTexts } from "../../state/long-texts.ts";
import type { Project } from "../../state/project-entry.ts";
import {
  refuseEditor,
  refuseOtherTerms,
  refuseTransferable,
  type Terms,
  termsAfter,
} from "./terms.ts";

const [OWNER, PARTNER, SELLER, CREATOR, ANYBODY] = ["o", "p", "s", "c", "a"].map((letter) =>
  addressAround(letter.repeat(30)),
) as [Address, Address, Address, Address, Address];

const project: Project = {
  id: `MRC400_${"0".repeat(33)}`,
  owner: OWNER,
  name: "Meta-RPG",
  url: "",
  image_url: "",
  allow_token: 0,
  category: "",
  item_url: "",
  item_image_url: "",
  texts: LongTexts.of({ description: "", data: "", socialmedia: {} }),
  partner: { [PARTNER]: "partner", [SELLER]: "seller", [CREATOR]: "creator" },
  createdate: 1,
  policy_number: 0,
  order: 6,
};

const before: Terms = {
  item_url: "https://a.example/",
  item_image_url: "ipfs://a",
  groupid: "sword",
  ...NO_METADATA,
  sell_fee: 25_000n as Rate,
  meltint_fee: 10_000n as Rate,
  transferable: "Temporary",
};

/** An entry that leaves everything as it is. */
const NOTHING = {
  item_url: undefined,
  item_image_url: undefined,
  groupid: undefined,
  attributes: undefined,
  metadatahash: undefined,
  frozen: undefined,
  sell_fee: undefined,
  melt_fee: undefined,
  transferable: "",
} as unknown as ChangedItem;

const CHANGES: readonly {
  readonly key: string;
  readonly value: unknown;
  readonly change: Partial<Terms>;
}[] = [
  { key: "item_url", value: "https://b.example/", change: { item_url: "https://b.example/" } },
  { key: "item_image_url", value: "ipfs://b", change: { item_image_url: "ipfs://b" } },
  { key: "groupid", value: "shield", change: { groupid: "shield" } },
  { key: "item_url", value: "", change: { item_url: "" } },
  { key: "item_image_url", value: "", change: { item_image_url: "" } },
  { key: "groupid", value: "", change: { groupid: "" } },
  { key: "sell_fee", value: 0n, change: { sell_fee: 0n as Rate } },
  { key: "melt_fee", value: 333_333n, change: { meltint_fee: 333_333n as Rate } },
  { key: "transferable", value: "Bound", change: { transferable: "Bound" } },
  { key: "transferable", value: "Permanent", change: { transferable: "Permanent" } },
  { key: "attributes", value: { level: 7 }, change: { attributes: { level: 7 } } },
  { key: "metadatahash", value: "ab", change: { metadatahash: "ab" } },
  { key: "frozen", value: 5, change: { frozen: 5 } },
  { key: "transferable", value: "Temprary", change: {} },
];

const entryOf = (key: string, value: unknown): ChangedItem =>
  ({ ...NOTHING, [key]: value }) as ChangedItem;

test("mrc402 §10: what an entry does not name stays as it is", () =>
  assert.deepEqual(termsAfter(before, NOTHING), before));

for (const { key, value, change } of CHANGES) {
  test(`mrc402 §10: ${key} "${value}" changes just that`, () =>
    assert.deepEqual(termsAfter(before, entryOf(key, value)), { ...before, ...change }));
}

const codeOf = (refused: Refused | undefined): string => refused?.fault.code ?? "allowed";

/**
 * Who may change what of items that the actor has created itself, or another. Source: mrc402 §2.3.
 */
const MAY: readonly (readonly [who: string, Address, own: string, others: string])[] = [
  ["owner", OWNER, "describe terms", "describe terms"],
  ["partner", PARTNER, "describe", ""],
  ["creator", CREATOR, "describe", ""],
  ["seller", SELLER, "", ""],
  ["anybody", ANYBODY, "", ""],
];

for (const [who, actor, own, others] of MAY) {
  test(`mrc402 §2.3: what may be changed by: ${who}`, () => {
    for (const { key, value, change } of CHANGES) {
      const what = /^(sell_fee|melt_fee|transferable|metadatahash|frozen)$/.test(key)
        ? "terms"
        : "describe";
      const after = { ...before, ...change };
      for (const [creator, rights] of [
        [actor, own],
        [addressAround("z".repeat(30)), others],
      ] as const) {
        // Who changes nothing needs a right nevertheless, whichever.
        const isAllowed = Object.keys(change).length === 0 ? rights !== "" : rights.includes(what);
        const refused = refuseEditor(project, actor, {
          ...{ id: "item", creator, before, after, parameter: "itemdata[0]" },
        });
        assert.equal(codeOf(refused), isAllowed ? "allowed" : "7002", `${key} ${value}`);
      }
    }
  });
}

test("mrc402 §10: one change too many spoils the others", () => {
  const after = { ...before, group: "shield", sell_fee: 0n as Rate };
  const item = { id: "item", creator: PARTNER, before, after, parameter: "itemdata[0]" };
  assert.equal(codeOf(refuseEditor(project, PARTNER, item)), "7002");
  assert.equal(codeOf(refuseEditor(project, OWNER, item)), "allowed");
});

test("mrc402 §2.4: only what is Temporary may become something else", () => {
  const kinds = ["Permanent", "Bound", "Temporary"] as const;
  for (const from of kinds) {
    for (const to of kinds) {
      const [old, changed] = [from, to].map((transferable) => ({ ...before, transferable }));
      const refused = refuseTransferable(old as Terms, changed as Terms, "transferable");
      const isAllowed = from === to || from === "Temporary";
      assert.equal(codeOf(refused), isAllowed ? "allowed" : "3005", `${from} to ${to}`);
    }
  }
});

// biome-ignore format: a line for each case
for (const [item, guards, answer] of [
  [{}, {}, "allowed"],
  [{}, { maxmeltfee: 10_000n, maxsellfee: 25_000n, transferable: "Temporary" }, "allowed"],
  [{}, { maxmeltfee: 999_999n, maxsellfee: 999_999n }, "allowed"],
  [{ meltint_fee: 10_001n }, { maxmeltfee: 10_000n }, "7112 maxmeltfee is 1 but the item has melt_fee 1.0001"],
  [{ meltint_fee: 999_999n }, { maxmeltfee: 0n }, "7112 maxmeltfee is 0 but the item has melt_fee 99.9999"],
  [{ meltint_fee: 999_999n }, { maxsellfee: 25_000n }, "allowed"],
  [{ sell_fee: 25_001n }, { maxsellfee: 25_000n }, "7112 maxsellfee is 2.5 but the item has sell_fee 2.5001"],
  [{ sell_fee: 0n, meltint_fee: 0n }, { maxsellfee: 0n, maxmeltfee: 0n }, "allowed"],
  [{ transferable: "Bound" }, { transferable: "Temporary" }, "7112 transferable is Temporary but the item is Bound"],
  [{ transferable: "Permanent" }, { transferable: "Temprary" }, "7112 transferable is Temporary but the item is Permanent"],
  [{ transferable: "Permanent" }, { transferable: "Permanent" }, "allowed"],
] as const) {
  test(`mrc401 §2.6: guards ${shown(guards)}, and the item has ${shown({ ...before, ...item })}: ${answer}`, () => {
    const none = { maxmeltfee: undefined, maxsellfee: undefined, transferable: "" };
    const refused = refuseOtherTerms({ ...before, ...item } as Terms, { ...none, ...guards } as ItemGuards);
    const fault = refused?.fault as { code: string; parameter: string; reason: string } | undefined;
    assert.equal(fault ? `${fault.code} ${fault.parameter} ${fault.reason}` : "allowed", answer);
  });
}

function shown(terms: object): string {
  return JSON.stringify(terms, (_, value) =>
    typeof value === "bigint" ? rateText(value as Rate) : value,
  );
}
