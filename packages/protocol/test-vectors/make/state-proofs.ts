import { ALICE, BOB, GOLD, LISTING, SHIELD, SWORD } from "../../description/examples.ts";
import { provenKeys } from "../../reads/proven-entries.ts";
import { leafText, transactionId } from "../../records/transaction.ts";
import { canonicalJson, type Json } from "../../text/canonical-json.ts";
import { inclusionPath, rootOf, type Subtrees } from "../../tree/merkle-proof.ts";
import { leafHash, nodeHash } from "../../tree/merkle-tree.ts";
import { type EntryProof, entryProof, provenEntry } from "../../tree/state-proof.ts";
import { bitOfPath, type StateLeaf, statePath, stateRoot } from "../../tree/state-tree.ts";
import type { ProofVectors } from "../vector-types.ts";
import { sha256 } from "./sha256.ts";

type Entries = { readonly [key: string]: Json };

/** Signs a tree by its size and root. */
export interface Notary {
  /** A verifier key. */
  readonly key: string;
  note(tree: { readonly size: number; readonly root: Uint8Array }): string;
}

/** The trees of the worked examples. Source: proofs §2.1. */
const EXAMPLES: readonly (readonly [name: string, entries: Entries])[] = [
  ["no entry", {}],
  ["one entry", { [`balance/${ALICE}/0`]: { free: "900" } }],
  [
    "two entries",
    { [`balance/${ALICE}/0`]: { free: "900" }, [`balance/${BOB}/0`]: { free: "100" } },
  ],
  [
    "three entries",
    {
      [`balance/${ALICE}/0`]: { free: "900" },
      [`balance/${BOB}/0`]: { free: "100" },
      "count/address": 2,
    },
  ],
  ["two paths with 12 equal bits", { "count/x86": 1, "count/x153": 2 }],
];

/** The state whose entries are proven. */
const STATE: Entries = {
  [`address/${ALICE}`]: { addinfo: "кофе ☕", createdate: 1794960000, number: 1, signed: "" },
  [`balance/${ALICE}/0`]: { free: "900" },
  [`balance/${ALICE}/${GOLD}`]: { free: "50", locked: "7", locks: 2 },
  [`balance/${BOB}/0`]: { free: "0", locked: "100", locks: 1 },
  [`mrc401/${SWORD}`]: { owner: BOB, status: 0 },
  [`mrc401/${SHIELD}`]: { owner: ALICE, status: 4, meltdate: 1794960000 },
  [`dex010/${LISTING}`]: { owner: ALICE, token: GOLD, balance: "0" },
  "count/x86": 1,
  "count/x153": 2,
  "count/address": 2,
  "count/token": 12,
  protocol: { version: 1, next: 0, height: 0, note: "" },
};

export function stateRoots(): ProofVectors["state_roots"] {
  return EXAMPLES.map(([name, entries]) => ({ name, entries, root: hex(rootOfState(entries)) }));
}

type EntryVector = ProofVectors["entries"][number];

/** Present entries, and keys whose place is empty or has another leaf; then forged ones. */
export function entryVectors(): readonly EntryVector[] {
  const root = hex(rootOfState(STATE));
  const right = (name: string, key: string): EntryVector => {
    const shown = proofOf(key, STATE);
    return { name, key, shown, root, valid: true };
  };
  const none = { key: "count/x86", value: null, siblings: [] };
  const one: Entries = { "count/x153": 2 };
  const there = right("an entry", "count/x86");
  const place = right("a key in whose place is another's leaf", keyWhere(true));
  const empty = right("a key whose place is empty", keyWhere(false));
  const own = leafOf(there.key, STATE[there.key] as Json);
  const { siblings } = there.shown;
  const forged: readonly (readonly [EntryVector, string, Partial<EntryVector>])[] = [
    [there, "another value", { shown: { ...there.shown, value: 2 } }],
    [there, "the caller asked for another key", { key: "count/x153" }],
    [there, "the node names another key", { shown: { ...there.shown, key: "count/x153" } }],
    [there, "another root", { root: hex(rootOfState({})) }],
    [there, "one hash less", { shown: { ...there.shown, siblings: siblings.slice(0, -1) } }],
    [there, "one hash more", { shown: { ...there.shown, siblings: [...siblings, ""] } }],
    [there, "257 hashes", { shown: { ...there.shown, siblings: Array(257).fill("") } }],
    [
      there,
      "32 zero bytes written out",
      { shown: { ...there.shown, siblings: siblings.map((hash) => hash || base64(EMPTY)) } },
    ],
    [
      there,
      "a hash without its padding",
      { shown: { ...there.shown, siblings: siblings.map((hash) => hash.replace("=", "")) } },
    ],
    [
      there,
      "its own leaf as another's",
      {
        shown: { key: there.key, value: null, siblings, other: otherOf(own) },
      },
    ],
    [there, "a value and another's leaf", { shown: { ...there.shown, other: otherOf(own) } }],
    [there, "no value and no other", { shown: { key: there.key, value: null, siblings } }],
    [place, "a different leaf in its place", { shown: { ...place.shown, other: otherOf(own) } }],
    [
      place,
      "nothing in its place",
      { shown: { key: place.key, value: null, siblings: place.shown.siblings } },
    ],
    [
      place,
      "its path in upper case",
      {
        shown: {
          ...place.shown,
          other: {
            path: place.shown.other?.path.toUpperCase() ?? "",
            hash: place.shown.other?.hash ?? "",
          },
        },
      },
    ],
    [
      place,
      "a leaf that is elsewhere in the tree",
      {
        shown: {
          key: place.key,
          value: null,
          siblings: there.shown.siblings,
          other: otherOf(own),
        },
      },
    ],
    [empty, "a value", { shown: { ...empty.shown, value: 1 } }],
  ];
  return [
    there,
    right("an object", `balance/${ALICE}/0`),
    right("a text that is not ASCII", `address/${ALICE}`),
    right("a path that shares 12 bits with another", "count/x153"),
    place,
    empty,
    {
      name: "a key of an empty tree",
      key: none.key,
      shown: none,
      root: hex(EMPTY),
      valid: true,
    },
    {
      ...{
        name: "a key of a tree with one other leaf",
        key: none.key,
        shown: proofOf(none.key, one),
      },
      ...{ root: hex(rootOfState(one)), valid: true },
    },
    ...forged.map(([{ name, ...vector }, what, change]) => ({
      ...{ name: `${name}: ${what}` },
      ...vector,
      ...change,
      valid: false,
    })),
  ].map((vector) => {
    const { key, shown, root: wanted, valid } = JSON.parse(JSON.stringify(vector)) as EntryVector;
    const read = provenEntry(sha256, key, shown);
    if ((typeof read !== "string" && hex(read.root) === wanted) !== valid) {
      throw new Error(`entry: ${vector.name}`);
    }
    return vector;
  });
}

type ReadVector = ProofVectors["reads"][number];

const TIME = 1794960007;
const HEIGHT = 258;

/** Responses with `proof=1`. Source: proofs §3. */
export function readVectors(notary: Notary): readonly ReadVector[] {
  const right = (
    name: string,
    read: string,
    params: { readonly [name: string]: string },
  ): ReadVector => ({
    ...{ name, read, params, verifier_key: notary.key, not_before: TIME },
    ...{ response: responseOf(read, params, { notary }), valid: true },
  });
  const balance = right("a balance", "balanceOfToken", { address: ALICE, token: "0" });
  const { response } = balance;
  const { root } = response;
  const changed = (name: string, change: Partial<ReadVector>): ReadVector => ({
    ...balance,
    ...change,
    name: `a balance: ${name}`,
    valid: false,
  });
  const made = (name: string, change: Partial<Made>): ReadVector =>
    changed(name, {
      response: responseOf("balanceOfToken", balance.params, { notary, ...change }),
    });
  const gold = right("", "balanceOfToken", { address: ALICE, token: GOLD }).response;
  return [
    balance,
    right("a balance that is partly locked", "balanceOfToken", { address: ALICE, token: GOLD }),
    right("a balance that is entirely locked", "balanceOfToken", { address: BOB, token: "0" }),
    right("a missing balance", "balanceOfToken", { address: BOB, token: GOLD }),
    right("an address that still has its first key", "addressRead", {
      address: ALICE,
    }),
    right("an item", "mrc401", { mrc401id: SWORD }),
    right("an item that was melted", "mrc401", { mrc401id: SHIELD }),
    right("a listing", "tokenListing", { dexid: LISTING }),
    right("a missing token", "token", { token: GOLD }),
    changed("older than the caller allows", { not_before: TIME + 1 }),
    changed("of another token than the caller asked for", { response: gold }),
    changed("with an additional entry", {
      response: { ...response, entries: [...response.entries, ...gold.entries] },
    }),
    changed("without its entry", { response: { ...response, entries: [] } }),
    changed("another height", { response: { ...response, height: HEIGHT + 1 } }),
    changed("another transaction", {
      response: { ...response, root: { ...root, transaction: root.transaction.replace("1", "2") } },
    }),
    changed("another place in the tree", {
      response: { ...response, root: { ...root, index: root.index + 1 } },
    }),
    changed("another size of the tree", {
      response: { ...response, root: { ...root, size: root.size + 1 } },
    }),
    changed("without its path", { response: { ...response, root: { ...root, path: [] } } }),
    changed("no checkpoint", { response: { ...response, checkpoint: "" } }),
    made("the root of a state with a larger balance", {
      recorded: [String(HEIGHT), hex(rootOfState({ ...STATE, [`balance/${ALICE}/0`]: "9" }))],
    }),
    made("a record of another type", { type: "transfer" }),
    made("a record of another height", { recorded: [`${HEIGHT}0`, hex(rootOfState(STATE))] }),
    made("a record with more parameters", {
      recorded: [String(HEIGHT), hex(rootOfState(STATE)), "0"],
    }),
    changed("a record that differs from the leaf", {
      response: {
        ...response,
        root: { ...root, record: { ...(root.record as object), address: ALICE } },
      },
    }),
  ];
}

interface Made {
  readonly notary: Notary;
  readonly type: string;
  readonly recorded: readonly string[];
}

const INDEX = 4;
const SIZE = 7;

function responseOf(
  read: string,
  params: { readonly [name: string]: string },
  given: Partial<Made> & Pick<Made, "notary">,
): ReadVector["response"] {
  const { notary, type = "StateRoot" } = given;
  const { recorded = [String(HEIGHT), hex(rootOfState(STATE))] } = given;
  const record = { address: "", effects: [], parameters: recorded, token: 0, type, values: {} };
  const operation = canonicalJson({ op: "stateroot", params: { height: `${HEIGHT}` } });
  const contentHash = sha256.hex(operation);
  const id = transactionId({ height: HEIGHT + 1, position: 0, contentHash });
  const leaf = leafText({
    ...{ id, operationHash: contentHash, recordHash: sha256.hex(canonicalJson(record)) },
    timestamp: TIME,
  });
  const subtree: Subtrees = (level, index) =>
    level === 0
      ? leafHash(sha256, index === INDEX ? leaf : String(index))
      : nodeHash(sha256, subtree(level - 1, 2 * index), subtree(level - 1, 2 * index + 1));
  const path = inclusionPath(sha256, { index: INDEX, size: SIZE }, subtree).map(base64);
  return {
    height: HEIGHT,
    entries: (provenKeys(read, params) ?? []).map((key) => proofOf(key, STATE)),
    root: { transaction: id, leaf, index: INDEX, size: SIZE, path, record },
    checkpoint: notary.note({ size: SIZE, root: rootOf(sha256, SIZE, subtree) }),
  };
}

const EMPTY = new Uint8Array(32);

function leafOf(key: string, value: Json): StateLeaf {
  return { path: statePath(sha256, key), valueHash: sha256.bytes(canonicalJson(value)) };
}

function leavesOf(entries: Entries): StateLeaf[] {
  return Object.entries(entries).map(([key, value]) => leafOf(key, value));
}

function rootOfState(entries: Entries): Uint8Array {
  return stateRoot(sha256, leavesOf(entries));
}

/** The proof of a key, computed from the definition of the tree; `StateTree` returns the same. */
function proofOf(key: string, entries: Entries): EntryProof {
  const path = statePath(sha256, key);
  const siblings: Uint8Array[] = [];
  let leaves = leavesOf(entries);
  while (leaves.length > 1) {
    const depth = siblings.length;
    const [left, right] = ([0, 1] as const).map((bit) =>
      leaves.filter((one) => bitOfPath(one.path, depth) === bit),
    ) as [StateLeaf[], StateLeaf[]];
    const [ours, theirs] = bitOfPath(path, depth) === 0 ? [left, right] : [right, left];
    siblings.push(stateRoot(sha256, theirs, depth + 1));
    leaves = ours;
  }
  const value = entries[key] ?? null;
  return entryProof({ key, value, siblings, other: value === null ? leaves[0] : undefined });
}

/** A key that STATE does not have and whose place has another leaf or is empty. */
function keyWhere(hasOther: boolean): string {
  for (let number = 0; ; number += 1) {
    const key = `count/y${number}`;
    if ((proofOf(key, STATE).other !== undefined) === hasOther) {
      return key;
    }
  }
}

function otherOf({ path, valueHash }: StateLeaf): { path: string; hash: string } {
  return { path: hex(path), hash: hex(valueHash) };
}

function hex(bytes: Uint8Array): string {
  return bytes.toHex();
}

function base64(bytes: Uint8Array): string {
  return bytes.toBase64();
}
