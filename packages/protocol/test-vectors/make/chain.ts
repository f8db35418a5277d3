import {
  ALICE,
  BOB,
  GOLD,
  NOW,
  PUBLIC_KEY,
  SIGNATURE,
  TEMPORARY_KEY,
} from "../../description/examples.ts";
import { blockId, type Header, headerText, NO_BLOCK } from "../../records/block.ts";
import { contentText, type LedgerOperation, operationText } from "../../records/operation.ts";
import {
  leafText,
  type RecordPart,
  recordText,
  type TransactionRecord,
  transactionId,
} from "../../records/transaction.ts";
import { canonicalJson, type Json } from "../../text/canonical-json.ts";
import { leafHash, MerkleTree } from "../../tree/merkle-tree.ts";
import type { ChainVectors } from "../vector-types.ts";
import { BODY_OF_TWO, BODY_WITH_SKIP, type BundledTransfer } from "./bundles.ts";
import { sha256 } from "./sha256.ts";

/** Blocks with the inputs of their ids, and trees of leaves. Source: chain §4. */
export function makeChain(): ChainVectors {
  const worked = block("one transfer; previous and tree are made up", {
    header: { sn: 258, timestamp: NOW, previous: "b".repeat(64), size: 1001, tree: "c".repeat(64) },
    transactions: [WORKED],
    changes: WORKED_CHANGES,
  });
  return { blocks: [{ source: "chain §4.8", ...worked }, ...smallLedger()], trees: trees() };
}

interface Transaction {
  readonly operation: LedgerOperation;
  readonly record: TransactionRecord;
}

type BlockVector = ChainVectors["blocks"][number];

const PAYMENT = [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"];

const WORKED: Transaction = {
  operation: {
    op: "transfer",
    actor: ALICE as never,
    decided: {},
    params: {
      amount: "100",
      checkkey: TEMPORARY_KEY,
      from: ALICE,
      memo: "coffee",
      to: BOB,
      token: "0",
    },
    signatures: { signature: SIGNATURE },
  },
  record: {
    type: "transfer",
    address: ALICE,
    token: 0,
    parameters: PAYMENT,
    values: {
      balance: [{ balance: "900", token: "0", unlockdate: 0 }],
      moved: [{ amount: "-100", token: "0" }],
    },
    effects: [
      {
        type: "receive",
        address: BOB,
        token: 0,
        parameters: PAYMENT,
        values: {
          balance: [{ balance: "100", token: "0", unlockdate: 0 }],
          moved: [{ amount: "100", token: "0" }],
        },
      },
    ],
  },
};

const WORKED_CHANGES: { readonly [key: string]: Json } = {
  [`balance/${ALICE}/0`]: { free: "900" },
  [`balance/${BOB}/0`]: { free: "100" },
};

const NEW_ADDRESS: Transaction = {
  operation: {
    op: "address",
    actor: "",
    decided: { address: ALICE },
    params: { addinfo: 'é "q" \\ / \t\r\n\u007f\u2028\u{1f600}', publickey: PUBLIC_KEY },
    signatures: {},
  },
  record: {
    type: "NewWallet",
    address: ALICE,
    token: 0,
    parameters: [ALICE, PUBLIC_KEY, 'é "q" \\ / \t\r\n\u007f\u2028\u{1f600}'],
    values: { regdate: NOW, password: PUBLIC_KEY, balance: [], addinfo: "\u{1f600}" },
    effects: [],
  },
};

/** Its draft is decided; its effect without an address has an item. */
const NEW_TOKEN: Transaction = {
  operation: {
    op: "tokencreate",
    actor: ALICE as never,
    decided: { name: "Gold" },
    params: { signed: "full", tkey: TEMPORARY_KEY },
    signatures: { signature: SIGNATURE },
  },
  record: {
    type: "tokenRegister",
    address: ALICE,
    token: Number(GOLD),
    parameters: [GOLD, "Gold"],
    values: {},
    effects: [
      {
        type: "mrc400_create",
        address: "",
        item: "MRC400_c7735425f08d740230c98da57e9977dfc",
        token: 0,
        parameters: ["|", ""],
        values: { z: { b: 1, a: [] }, ä: null, "\u{1f600}": true, "\ufb33": "0" },
      },
    ],
  },
};

/** Alice has 1,000 coins. The two bundles are those of bundles §1 and §4. */
function bundles(): readonly Transaction[] {
  return [
    bundleOf(BODY_OF_TWO, { alice: 1000, bob: 0 }),
    bundleOf(BODY_WITH_SKIP, { alice: 850, bob: 150 }),
  ];
}

/** Payments of Alice to Bob, each left out if she has too little. Source: bundles §5. */
function bundleOf(
  body: string,
  before: { readonly alice: number; readonly bob: number },
): Transaction {
  const { tkey, operations } = JSON.parse(body) as {
    readonly tkey: string;
    readonly operations: readonly BundledTransfer[];
  };
  let { alice, bob } = before;
  const skipped: [number, string][] = [];
  const effects = operations.flatMap(({ amount, memo = "" }, at): RecordPart[] => {
    const paid = Number(amount);
    if (paid > alice) {
      skipped.push([at, "5001"]);
      return [];
    }
    alice -= paid;
    bob += paid;
    const parameters = [ALICE, BOB, amount, "0", "", "0", "", memo];
    const part = (type: "transfer" | "receive", address: string, has: number, moved: string) => ({
      ...{ type, address, token: 0, parameters, at },
      values: {
        balance: [{ balance: String(has), token: "0", unlockdate: 0 }],
        moved: [{ amount: moved, token: "0" }],
      },
    });
    return [part("transfer", ALICE, alice, `-${amount}`), part("receive", BOB, bob, amount)];
  });
  const left = JSON.stringify(skipped);
  return {
    operation: {
      ...{ op: "bundle", actor: ALICE as never, decided: {}, params: { body } },
      signatures: { signature: SIGNATURE },
    },
    record: {
      type: "bundle",
      ...{ address: ALICE, token: 0, values: {}, effects },
      parameters: [String(operations.length), left, SIGNATURE, tkey],
    },
  };
}

const CHANGES_OF_BUNDLES: { readonly [key: string]: Json } = {
  [`balance/${ALICE}/0`]: { free: "45" },
  [`balance/${BOB}/0`]: { free: "955" },
};

/** The first three blocks of a ledger. */
function smallLedger(): BlockVector[] {
  const tree = new MerkleTree(sha256);
  const append = (
    name: string,
    previous: string,
    sn: number,
    transactions: readonly Transaction[],
    changes: { readonly [key: string]: Json },
  ): BlockVector => {
    for (const leaf of leavesOf(sn, NOW, transactions)) {
      tree.append(leaf.leaf);
    }
    const root = hex(tree.root());
    const header = { sn, timestamp: NOW, previous, size: tree.size, tree: root };
    return block(name, { header, transactions, changes });
  };
  const first = append("the first of a ledger", NO_BLOCK, 0, [NEW_ADDRESS, NEW_TOKEN], {});
  const second = append(
    "the one behind it, of which the ledger tree holds all transactions",
    first.id,
    1,
    [WORKED, NEW_TOKEN, WORKED],
    { ...WORKED_CHANGES, "count/token": 7, "draft/x/é": null },
  );
  const third = append("bundles, one of which left out an operation", second.id, 2, bundles(), {
    ...CHANGES_OF_BUNDLES,
  });
  return [first, second, third];
}

function leavesOf(
  height: number,
  timestamp: number,
  transactions: readonly Transaction[],
): BlockVector["transactions"] {
  return transactions.map(({ operation, record }, position) => {
    const text = operationText(operation);
    const content = contentText(text);
    const contentHash = sha256.hex(content);
    const id = transactionId({ height, position, contentHash });
    const operationHash = sha256.hex(text);
    const recordHash = sha256.hex(recordText(record));
    return {
      operation: text,
      operation_hash: operationHash,
      content,
      content_hash: contentHash,
      id,
      record: recordText(record),
      record_hash: recordHash,
      leaf: leafText({ id, operationHash, recordHash, timestamp }),
    };
  });
}

function block(
  name: string,
  given: {
    readonly header: Pick<Header, "sn" | "timestamp" | "previous" | "size" | "tree">;
    readonly transactions: readonly Transaction[];
    readonly changes: { readonly [key: string]: Json };
  },
): BlockVector {
  const { sn, timestamp } = given.header;
  const transactions = leavesOf(sn, timestamp, given.transactions);
  const root = rootOf(transactions.map(({ leaf }) => leaf));
  const changesObject = canonicalJson(given.changes);
  const changes = sha256.hex(changesObject);
  const count = transactions.length;
  const header: Header = { v: 1, protocol: 1, ...given.header, count, root, changes };
  return {
    name,
    transactions,
    root,
    changes_object: changesObject,
    changes,
    header: headerText(header),
    id: blockId(header, sha256),
  };
}

function trees(): ChainVectors["trees"] {
  const specified = [["a"], ["a", "b"], ["a", "b", "c"]].map((leaves) => ({
    source: "chain §4.5",
    leaves,
    root: rootOf(leaves),
  }));
  const letters = [..."abcdefghijklmnopq"];
  const larger = [4, 5, 6, 7, 8, 9, 16, 17].map((size) => letters.slice(0, size));
  const odd = ["", "a\u0000b", "é\u2028\u{1f600}", "", "x".repeat(1000)];
  return [
    ...specified,
    ...[...larger, [""], odd].map((leaves) => ({ leaves, root: rootOf(leaves) })),
  ];
}

function rootOf(leaves: readonly string[]): string {
  const tree = new MerkleTree(sha256);
  for (const leaf of leaves) {
    tree.appendHash(leafHash(sha256, leaf));
  }
  return hex(tree.root());
}

function hex(bytes: Uint8Array): string {
  return bytes.toHex();
}
