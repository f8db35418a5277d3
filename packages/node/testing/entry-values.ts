import assert from "node:assert/strict";
import {
  type Database,
  ITEM,
  Ledger,
  LocalLog,
  openScratch,
  PROJECT,
  TOKEN_LISTING,
  UNIT_ITEM,
  UNIT_LISTING,
} from "@moneta/ledger";
import { type Block, canonicalJson, type Json, parseTransactionId } from "@moneta/protocol";
import { parsed, type TestNode } from "./test-node.ts";

type Entry = Readonly<Record<string, unknown>>;
type RawBlock = Omit<Block, "operations"> & { readonly operations: readonly Json[] };
type Blocks = Parameters<Ledger["adopt"]>[0];

const KINDS = [PROJECT, ITEM, UNIT_ITEM, TOKEN_LISTING, UNIT_LISTING] as const;

/**
 * Projects, items and listings before and after a transaction, from a replay of the node's blocks.
 */
export class EntryValues {
  readonly #node: TestNode;
  readonly #before: Replay;
  readonly #after: Replay;
  readonly #shown: Set<string> = new Set();

  constructor(node: TestNode, before: Replay, after: Replay) {
    this.#node = node;
    this.#before = before;
    this.#after = after;
  }

  static async around(node: TestNode, transactionId: string): Promise<EntryValues> {
    const answer = await node.get("/blocks/raw?limit=1000");
    const blocks: Blocks = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RawBlock)
      .map((block) => ({ ...block, operations: block.operations.map(canonicalJson) }));
    const height = parseTransactionId(transactionId)?.height ?? 0;
    assert.equal(blocks[height]?.operations.length, 1, "the transaction is alone in its block");
    return new EntryValues(
      node,
      await replayed(blocks.slice(0, height)),
      await replayed(blocks.slice(0, height + 1)),
    );
  }

  /**
   * The values of an entry's next record: all members for a new entry, else those that the
   * transaction changed. Source: mrc401 §1.8, mrc402 §1.9, tokens §1.8.
   */
  async next(path: string, id: string): Promise<Entry> {
    const before = entryOf(this.#before.ledger, id);
    const after = entryOf(this.#after.ledger, id);
    assert(after !== undefined, id);
    if (before === undefined && !this.#shown.has(id)) {
      this.#shown.add(id);
      return parsed<Entry>(await this.#node.get(`${path}/${id}`));
    }
    return Object.fromEntries(
      Object.entries(after).filter(
        ([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value),
      ),
    );
  }

  [Symbol.dispose](): void {
    this.#before.database.close();
    this.#after.database.close();
  }
}

interface Replay {
  readonly ledger: Ledger;
  readonly database: Database;
}

async function replayed(blocks: Blocks): Promise<Replay> {
  const database = openScratch(":memory:");
  const ledger = new Ledger(database, new LocalLog(database));
  const done = async (): Promise<void> => undefined;
  await ledger.adopt(blocks, { onBlock: done, confirm: done });
  return { ledger, database };
}

function entryOf({ state }: Ledger, id: string): Entry | undefined {
  for (const kind of KINDS) {
    const entry = state.find<unknown>(kind as typeof PROJECT, id);
    if (entry !== undefined) {
      return kind.json(entry as never) as Entry;
    }
  }
  return undefined;
}
