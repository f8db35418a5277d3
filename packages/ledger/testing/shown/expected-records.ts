import assert from "node:assert/strict";
import type { TokenId } from "@moneta/protocol";
import type { DocumentKind } from "../../state/entries.ts";
import { ITEM } from "../../state/item-entry.ts";
import { ORDER } from "../../state/order-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { SEAL } from "../../state/seal-entry.ts";
import { TOKEN_LISTING } from "../../state/token-listing-entry.ts";
import { UNIT_ITEM } from "../../state/unit-item-entry.ts";
import { UNIT_LISTING } from "../../state/unit-listing-entry.ts";
import type { Answer } from "../answer.ts";
import type { StoredDocument } from "../ledger-snapshot.ts";
import { withoutMoved } from "../moved-values.ts";
import type { TestClient } from "../test-client.ts";
import { addressOf } from "../test-ledger.ts";
import { withoutDefaults } from "./watched-entries.ts";

/** M or A of an address, I of a project or item, or L of a listing. Source: chain §3. */
export interface ExpectedRecord {
  readonly type: string;
  /** The address, or the id of the project, item or listing. */
  readonly of: string;
  readonly parameters: readonly string[];
  readonly moved?: readonly string[];
  readonly units?: readonly string[];
  /** The address's pending amounts in waiting orders, if the record has them. */
  readonly pending?: readonly { readonly token: string; readonly pending: string }[];
}

/**
 * Asserts that the newest transaction has exactly these records, M first, all with its token. Of an
 * address,
 * `values` has only the members of moved amounts; `TestClient` checks `values.moved`.
 * Source: conventions §8.3.
 */
export function assertRecords(
  client: TestClient,
  answer: Answer,
  [first, ...others]: readonly [ExpectedRecord, ...ExpectedRecord[]],
  token = "0",
): void {
  const shown = new Set<string>();
  const recordOf = (expected: ExpectedRecord): object => {
    const { type, of, parameters } = expected;
    const common = { type, token: Number(token), parameters };
    return isEntry(of)
      ? { ...common, address: "", item: of, values: entryValues(client, answer, of, shown) }
      : { ...common, address: of, values: addressValues(client, answer, expected) };
  };
  const { effects, ...primary } = answer.record;
  assert.deepEqual(
    { ...withoutMoved(primary), effects: effects.map(withoutMoved) },
    { ...recordOf(first), effects: others.map(recordOf) },
  );
}

function isEntry(id: string): boolean {
  return /^(DEX010|DEX402|MRC020|MRC040|MRC400|MRC402)_/.test(id);
}

function addressValues(
  client: TestClient,
  { after }: Answer,
  { of, moved = [], units = [], pending }: ExpectedRecord,
): object {
  const balance = moved.flatMap((token) => {
    const entries = client.ledger.balances(addressOf(of), token);
    return entries.length > 0
      ? entries
      : [{ token: token as TokenId, balance: "0", unlockdate: 0 }];
  });
  const mrc402 = units.map((item) => {
    const {
      balance = "0",
      saleamount = "0",
      auctionamount = "0",
    } = after.document(`holding/${of}/${item}`) ?? {};
    return [item, { balance, saleamount, auctionamount }];
  });
  return {
    ...(moved.length > 0 && { balance }),
    ...(units.length > 0 && { mrc402: Object.fromEntries(mrc402) }),
    ...(pending !== undefined && { pending }),
  };
}

const KINDS = [PROJECT, ITEM, UNIT_ITEM, TOKEN_LISTING, UNIT_LISTING, ORDER, SEAL] as const;

/**
 * All that a `GET` shows in the first record that makes the entry, afterwards the members that the
 * transaction has changed. Source: conventions §8.4.
 */
function entryValues(client: TestClient, answer: Answer, id: string, shown: Set<string>): object {
  const kind = KINDS.find(({ prefix }) => answer.after.document(prefix + id) !== undefined);
  assert(kind !== undefined, `there is no entry ${id}`);
  const { prefix, json, restore } = kind as DocumentKind<unknown>;
  const [before, after] = [answer.before, answer.after].map((snapshot) => {
    const stored = snapshot.document(prefix + id);
    return stored === undefined
      ? undefined
      : (json(restore({ ...stored }, stored, () => stored)) as StoredDocument);
  });
  if (before === undefined && !shown.has(id)) {
    shown.add(id);
    return withoutDefaults(client.entry(id));
  }
  return Object.fromEntries(
    Object.entries(after as StoredDocument).filter(
      ([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value),
    ),
  );
}
