import assert from "node:assert/strict";
import { type Address, type BalanceCursor, Refused, type TokenId } from "@moneta/protocol";
import type { LedgerReader } from "../reader.ts";
import type { DocumentKind } from "../state/entries.ts";
import { ITEM } from "../state/item-entry.ts";
import { KEY_SET } from "../state/key-set-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../state/offer-entry.ts";
import { LEVEL, ORDER, type OrderSide, PENDING } from "../state/order-entry.ts";
import { POLICY, PROJECT } from "../state/project-entry.ts";
import { SEAL } from "../state/seal-entry.ts";
import type { State } from "../state/state.ts";
import { TOKEN } from "../state/token-entry.ts";
import { TOKEN_LISTING } from "../state/token-listing-entry.ts";
import { HOLDING } from "../state/units/holding-entry.ts";
import { UNIT_ITEM } from "../state/units/unit-item-entry.ts";
import { unitItemView } from "../state/units/unit-item-view.ts";
import { UNIT_LISTING } from "../state/units/unit-listing-entry.ts";
import { LISTS } from "../views/lists/lists.ts";
import { tokenView } from "../views/token-view.ts";
import type { TestLedger } from "./test-ledger.ts";

type Shown = readonly [kind: DocumentKind<never>, show: (value: never, state: State) => unknown];

function shown<V>(
  kind: DocumentKind<V>,
  show = (value: V, state: State): unknown => kind.view?.(value, state) ?? kind.json(value),
): Shown {
  return [kind, show] as unknown as Shown;
}

const KINDS: readonly Shown[] = [
  shown(TOKEN, (token, state) => tokenView(state, token)),
  ...[shown(TOKEN_LISTING), shown(PROJECT), shown(POLICY), shown(ITEM), shown(HOLDING)],
  ...[shown(UNIT_LISTING), shown(ITEM_OFFER), shown(UNIT_OFFER), shown(ORDER)],
  ...[shown(LEVEL), shown(PENDING)],
  ...[shown(SEAL), shown(KEY_SET), shown(UNIT_ITEM, (item, state) => unitItemView(state, item))],
];

/** Entries in a page of balances: few, so that pages end between any two. */
const PAGE = 3;

const EVERY = 4;

/**
 * Results of reads after some blocks, to be compared with later reads as of those blocks.
 * Source: proofs §1.2.
 */
export class PastAnswers {
  readonly #ledger: TestLedger;
  readonly #answers: Map<number, ReadonlyMap<string, string>> = new Map();

  constructor(ledger: TestLedger) {
    this.#ledger = ledger;
  }

  /** Keeps the results after the newest block, at its time, if it is one of the noted blocks. */
  note(): void {
    const { reader, ledger } = this.#ledger;
    const { height, timestamp } = ledger.head;
    if (height % EVERY === 0 && !this.#answers.has(height)) {
      reader.open(timestamp);
      this.#answers.set(height, this.#answersOf(reader));
      reader.close();
    }
  }

  /** Fails unless reads as of each noted block return the kept results. */
  compare(): void {
    const { reader } = this.#ledger;
    this.#ledger.reading(() => {
      for (const [height, answers] of this.#answers) {
        const now = this.#answersOf(reader.asOf(height));
        for (const key of new Set([...answers.keys(), ...now.keys()])) {
          assert.equal(now.get(key), answers.get(key), `${key} as of block ${height}`);
        }
      }
    });
  }

  /** Of all entries that the newest block has, and of those that it has no more. */
  #answersOf(reader: LedgerReader): ReadonlyMap<string, string> {
    const { database } = this.#ledger;
    const answers = new Map<string, string>();
    for (const [kind, show] of KINDS) {
      const sql = `SELECT key FROM ${kind.table.name} UNION SELECT key FROM left_list WHERE list = ?`;
      const { prefix } = kind;
      for (const { key } of database.prepare(sql).all(prefix)) {
        const value = reader.state.find(kind, (key as string).slice(prefix.length));
        if (value !== undefined) {
          answers.set(key as string, JSON.stringify(show(value, reader.state)));
        }
      }
    }
    const noteList = (name: string, values: Readonly<Record<string, string>>): void => {
      const entries = listOf(reader, name, values);
      if (entries !== undefined) {
        answers.set(`${name} ${JSON.stringify(values)}`, entries);
      }
    };
    for (const { id } of database.prepare("SELECT substr(key, 7) AS id FROM token").all()) {
      noteList("holders", { token: id as string });
    }
    for (const { id } of database.prepare("SELECT substr(key, 8) AS id FROM unit_item").all()) {
      noteList("holders402", { mrc402id: id as string });
    }
    for (const row of database.prepare("SELECT address FROM address").all()) {
      const address = row["address"] as Address;
      const entry = reader.state.address(address);
      if (entry !== undefined) {
        answers.set(`balances of ${address}`, balancesOf(reader, entry.number));
        for (const view of ["", "full"]) {
          noteList("items", { address, kind: "", mrc400id: "", view });
        }
        noteList("holdings402", { address, mrc402id: "" });
        noteList("pending", { address });
      }
    }
    const lines =
      "SELECT DISTINCT base || '/' || target || '/' || side AS line FROM exchange_order";
    for (const row of database.prepare(lines).all()) {
      const [basetoken, targettoken, side] = String(row["line"]).split("/") as [
        TokenId,
        TokenId,
        OrderSide,
      ];
      const book = { basetoken, targettoken, side };
      const all: string[] = [];
      for (let after: bigint | undefined = undefined, isEnd = false; !isEnd; ) {
        const page = reader.orderBook.levels(book, after, PAGE);
        all.push(...page.items);
        isEnd = page.next === undefined;
        after = BigInt(page.next ?? 0);
      }
      answers.set(`book ${row["line"]}`, all.join());
    }
    return answers;
  }
}

/** All entries of a list, page by page; undefined if its subject does not exist. */
function listOf(
  { lists }: LedgerReader,
  name: string,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const list = LISTS.find((one) => one.read.list === name);
  assert(list !== undefined, name);
  const all: string[] = [];
  for (let cursor: { readonly last: string | number } | undefined; ; ) {
    const made = lists.page(list, { ...values, cursor }, PAGE);
    let step = made.next();
    while (step.done !== true) {
      step = made.next();
    }
    if (step.value instanceof Refused) {
      return undefined;
    }
    all.push(...step.value.items);
    if (step.value.next === undefined) {
      return all.join();
    }
    cursor = { last: step.value.next };
  }
}

function balancesOf({ balances, state }: LedgerReader, addressNumber: number): string {
  const all: unknown[] = [];
  for (let after: BalanceCursor | undefined; ; ) {
    const page = balances.list({ addressNumber, after, limit: PAGE, at: state.time });
    all.push(...page.items);
    const last = page.items.at(-1);
    after = page.next ?? (last && { token: last.token as TokenId, unlockDate: last.unlockdate });
    if (!page.hasMore) {
      return JSON.stringify(all);
    }
  }
}
